/* Parameters of the beams model from measurements: all paths of a point at once give back what made them, where
 * fitting to the strongest path in turns does not. */
#include "calibrate/fitting/fitting.h"
#include "models/beams/beams.h"
#include "noise.h"
#include "temporary.h"

#include "shapes.h"

#include <rasterwave/calibrate.h>

static const double truth[RW_BEAM_PARAMETERS] = {2.3, 30, 3, 5, 4, 6, 12, 12, 19, 22};

typedef struct drive {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx;
    rw_predict_options options;
} drive;

static drive begin(void)
{
    drive made = {.context = make_context()};
    rw_city_options city;
    rw_city_options_init(&city);
    city.style = "grid";
    city.width_m = city.depth_m = 400;
    assert_ok(made.context, rw_generate_city(made.context, &city, &made.scene));
    assert_ok(made.context, rw_scene_commit(made.scene));
    rw_transmitter_init(&made.tx);
    made.tx.x_m = 200;
    made.tx.y_m = 200;
    made.tx.height_m = 6;
    rw_predict_options_init(&made.options);
    made.options.model = "beams";
    made.options.roofs = "none"; /* its own paths */
    made.options.transmitter_count = 1;
    made.options.reflections = 3;
    made.options.transmissions = 0;
    return made;
}

static rw_params *make_params(rw_context *context, const double *values)
{
    rw_params *params;
    assert_ok(context, rw_params_create(context, "beams", 947e6, &params));
    for (size_t i = 0; i < RW_BEAM_PARAMETERS; i++)
        assert_ok(context, rw_params_set(params, rw_beam_parameters[i].name, values[i]));
    return params;
}

/* Sums of all paths at points over the town, with noise, as a table. */
static size_t write_table(drive *made, double noise_db, const char *path)
{
    enum { POINTS = 700 };
    static rw_point points[POINTS];
    static double power[POINTS];
    rw_random random = rw_random_of(5, 0), noise = rw_random_of(6, 0);
    for (int i = 0; i < POINTS; i++) {
        points[i].size = sizeof *points;
        points[i].x_m = rw_random_range(&random, 60, 340);
        points[i].y_m = rw_random_range(&random, 60, 340);
        points[i].height_m = NAN;
        power[i] = 0;
    }
    rw_params *params = make_params(made->context, truth);
    rw_paths *paths;
    made->options.transmitters = &made->tx;
    made->options.params = params;
    assert_ok(made->context, rw_trace(made->scene, &made->options, points, POINTS, &paths));
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path found = {.size = sizeof found};
        assert_ok(made->context, rw_paths_get(paths, i, &found));
        power[found.point] += pow(10, -0.1 * found.loss_db);
    }
    size_t lines = 0;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "x,y,path_loss\n");
    for (int i = 0; i < POINTS; i++)
        if (power[i] > 0) {
            double loss_db = -10 * log10(power[i]) + noise_db * normal_noise(&noise);
            fprintf(file, "%.4f,%.4f,%.9g\n", points[i].x_m, points[i].y_m, loss_db);
            lines++;
        }
    fclose(file);
    rw_paths_destroy(paths);
    rw_params_destroy(params);
    made->options.params = NULL;
    return lines;
}

static rw_calibration *calibrate_with(drive *made, const char *path, const char *holdout, const char *constraints)
{
    rw_measurements *measurements;
    rw_calibration *calibration;
    rw_calibrate_options options;
    rw_calibrate_options_init(&options);
    options.average = "none";
    options.holdout = holdout;
    options.constraints = constraints;
    assert_ok(made->context, rw_measurements_load(made->context, path, NULL, &measurements));
    assert_ok(made->context, rw_calibrate(made->scene, &made->options, measurements, &options, &calibration));
    rw_measurements_destroy(measurements);
    return calibration;
}

static rw_calibration *calibrate(drive *made, const char *path, const char *holdout)
{
    return calibrate_with(made, path, holdout, NULL);
}

static double worst_error(const rw_calibration *calibration)
{
    rw_context *context = make_context();
    double worst = 0;
    for (size_t i = 0; i < RW_BEAM_PARAMETERS; i++) {
        rw_calibrated_parameter parameter = {.size = sizeof parameter};
        assert_ok(context, rw_calibration_get_parameter(calibration, i, &parameter));
        if (parameter.state == RW_PARAMETER_FITTED)
            worst = worse_of(worst, fabs(parameter.after - truth[i]));
    }
    rw_context_destroy(context);
    return worst;
}

static void exact(void **state)
{
    (void)state;
    drive made = begin();
    const char *path = temporary_path("exact.csv");
    size_t lines = write_table(&made, 0, path);
    rw_calibration *calibration = calibrate(&made, path, NULL);
    rw_calibration_info info = {.size = sizeof info};
    assert_ok(made.context, rw_calibration_get_info(calibration, &info));
    printf("%zu lines, %zu points, %.3f dB before, %.4f after, worst parameter off by %.3f\n", lines, info.points,
           info.before.rmse_db, info.after.rmse_db, worst_error(calibration));
    assert_true(info.points > 100 && info.before.rmse_db > 1);
    assert_near(info.after.rmse_db, 0, 1e-4); /* all paths of a point, also those that the limits of maps would drop */
    assert_near(worst_error(calibration), 0, 1e-3);
    rw_calibration_destroy(calibration);
    rw_scene_destroy(made.scene);
    rw_context_destroy(made.context);
}

/* The table of the linear form: the power sum of M x over the lines of a point is what was measured there. */
static void matrix(void **state)
{
    (void)state;
    drive made = begin();
    const char *path = temporary_path("matrix_route.csv");
    char table[4096], line[4096];
    size_t lines = write_table(&made, 0, path), points = 0, paths = 0, now = 0, most = 0, own = 0;
    rw_calibration *calibration = calibrate(&made, path, NULL);
    snprintf(table, sizeof table, "%s", temporary_path("matrix.csv"));
    assert_ok(made.context, rw_calibration_write_matrix(calibration, table));
    FILE *file = fopen(table, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "point,x,y,held_out,measured_db,path,exponent,constant_db,reflection1_db,reflection2_db,"
                              "reflection3_db,reflection4_db,transmission1_db,transmission2_db,diffraction1_db,"
                              "diffraction2_db\n");
    double sum = 0, measured_of = 0;
    while (fgets(line, sizeof line, file)) {
        size_t point, number;
        double x, y, measured, loss_db = 0;
        int held, used;
        assert_int_equal(sscanf(line, "%zu,%lf,%lf,%d,%lf,%zu%n", &point, &x, &y, &held, &measured, &number, &used), 6);
        const char *at = line + used;
        for (int i = 0; i < RW_BEAM_PARAMETERS; i++)
            loss_db += truth[i] * strtod(at + 1, (char **)&at);
        if (point != now) {
            if (now)
                assert_near(-10 * log10(sum), measured_of, 1e-3);
            assert_int_equal(point, now + 1);
            points++;
            sum = own = 0;
        }
        now = point;
        measured_of = measured;
        sum += pow(10, -0.1 * loss_db);
        paths++;
        own++;
        most = own > most ? own : most;
    }
    fclose(file);
    printf("%zu points, %zu paths, at most %zu at one\n", points, paths, most);
    assert_int_equal(points, lines);
    assert_true(most > 24); /* no cap */
    rw_params *params = make_params(made.context, truth), *other = make_params(made.context, truth);
    double deviation_db;
    assert_ok(made.context, rw_params_set(other, "diffraction1_db", truth[RW_BEAM_DIFFRACTION] + 9));
    assert_ok(made.context, rw_params_deviation_db(params, other, &deviation_db));
    assert_near(deviation_db, 3, 1e-12); /* 9 dB in one of nine losses */
    const rw_params *beside[] = {params, other};
    const char *const names[] = {"the truth", "another"};
    assert_ok(made.context,
              rw_calibration_draw_comparison(calibration, beside, names, 2, temporary_path("beside.png")));
    rw_params_destroy(params);
    rw_params_destroy(other);
    rw_calibration_destroy(calibration);
    rw_scene_destroy(made.scene);
    rw_context_destroy(made.context);
}

static void held_out(void **state)
{
    (void)state;
    drive made = begin();
    const char *path = temporary_path("noisy.csv");
    write_table(&made, 2, path);
    rw_calibration *calibration = calibrate(&made, path, "random=0.3");
    rw_calibration_info info = {.size = sizeof info};
    assert_ok(made.context, rw_calibration_get_info(calibration, &info));
    printf("noise of 2 dB: %.2f dB, held out %.2f dB\n", info.after.rmse_db, info.holdout_after.rmse_db);
    assert_near(info.after.rmse_db, 2, 0.4);
    assert_near(info.holdout_after.rmse_db, 2, 0.6);
    rw_calibration_destroy(calibration);
    rw_scene_destroy(made.scene);
    rw_context_destroy(made.context);
}

static double value_of(const rw_calibration *calibration, size_t index)
{
    rw_calibrated_parameter parameter = {.size = sizeof parameter};
    assert_int_equal(rw_calibration_get_parameter(calibration, index, &parameter), RW_OK);
    return parameter.after;
}

static void refuse(drive *made, const char *path, const char *constraints, const char *part)
{
    rw_measurements *measurements;
    rw_calibration *calibration;
    rw_calibrate_options options;
    rw_calibrate_options_init(&options);
    options.constraints = constraints;
    assert_ok(made->context, rw_measurements_load(made->context, path, NULL, &measurements));
    check_sentence(made->context, rw_calibrate(made->scene, &made->options, measurements, &options, &calibration),
                   RW_BAD_CALL, part);
    rw_measurements_destroy(measurements);
}

/* Constraints that hold of the truth change nothing; one that does not hold is obeyed, and costs. */
static void constrained(void **state)
{
    (void)state;
    drive made = begin();
    const char *path = temporary_path("constrained.csv");
    write_table(&made, 0, path);
    rw_calibration *held = calibrate_with(
        &made, path, NULL, "reflection2_db=reflection1_db+2,diffraction1_db-reflection1_db>=16,exponent<=2.5");
    rw_calibration_info info = {.size = sizeof info};
    assert_ok(made.context, rw_calibration_get_info(held, &info));
    assert_near(info.after.rmse_db, 0, 0.05);
    assert_near(worst_error(held), 0, 0.5);
    assert_near(value_of(held, RW_BEAM_REFLECTION + 1), value_of(held, RW_BEAM_REFLECTION) + 2, 1e-9);
    rw_calibration_destroy(held);
    rw_calibration *wrong = calibrate_with(&made, path, NULL, "exponent=2.6,2*reflection1_db+reflection2_db<=9");
    assert_ok(made.context, rw_calibration_get_info(wrong, &info));
    printf("against the truth: %.3f dB\n", info.after.rmse_db);
    assert_true(info.after.rmse_db > 0.05);
    assert_near(value_of(wrong, RW_BEAM_EXPONENT), 2.6, 1e-9);
    assert_true(2 * value_of(wrong, RW_BEAM_REFLECTION) + value_of(wrong, RW_BEAM_REFLECTION + 1) <= 9 + 1e-9);
    rw_calibrated_parameter tied = {.size = sizeof tied};
    assert_ok(made.context, rw_calibration_get_parameter(wrong, RW_BEAM_EXPONENT, &tied));
    assert_near(tied.standard_error, 0, 1e-6); /* it is known */
    assert_ok(made.context, rw_calibration_draw(wrong, temporary_path("fitted.png")));
    rw_calibration_destroy(wrong);
    refuse(&made, path, "exponent>=3,exponent<=2", "contradict");
    refuse(&made, path, "exponent=9", "contradict");
    refuse(&made, path, "bounce_db=3", "no parameter 'bounce_db'");
    refuse(&made, path, "exponent", "one of =, <= and >=");
    refuse(&made, path, "exponent=exponent", "no parameter is left");
    refuse(&made, path, "exponent=2;5", "goes on after its end");
    rw_scene_destroy(made.scene);
    rw_context_destroy(made.context);
}

enum { PLACES = 400, PATHS = 6 };

enum { STRIDE = RW_BEAM_TERMS + RW_BEAM_PATH_TERMS * PATHS };

static float all_terms[PLACES * STRIDE], measured_db[PLACES];
static size_t begins[PLACES];

/* Places with several paths of nearly the same strength. */
static void make_places(void)
{
    rw_random random = rw_random_of(9, 0);
    double derivatives[RW_BEAM_PARAMETERS];
    memset(all_terms, 0, sizeof all_terms);
    for (int i = 0; i < PLACES; i++) {
        float *terms = all_terms + (size_t)i * STRIDE;
        terms[0] = PATHS;
        begins[i] = (size_t)i * STRIDE;
        for (int p = 0; p < PATHS; p++) {
            float *own = terms + 1 + 4 * p;
            own[0] = (float)(10 * log10(rw_random_range(&random, 40, 120)));
            own[1] = (float)rw_random_index(&random, 4);
            own[3] = (float)rw_random_index(&random, 2);
        }
        measured_db[i] = (float)rw_beam_terms_loss_db(terms, truth, derivatives);
    }
}

/* Only the strongest path of each place under these values. */
static void keep_strongest(const double *values, float *kept)
{
    double derivatives[RW_BEAM_PARAMETERS];
    for (int i = 0; i < PLACES; i++) {
        const float *terms = all_terms + (size_t)i * STRIDE;
        float one[STRIDE], *out = kept + (size_t)i * STRIDE;
        double min_db = INFINITY;
        for (int p = 0; p < PATHS; p++) {
            memset(one, 0, sizeof one);
            one[0] = 1;
            memcpy(one + 1, terms + 1 + 4 * p, 4 * sizeof *one);
            double loss_db = rw_beam_terms_loss_db(one, values, derivatives);
            if (loss_db < min_db) {
                min_db = loss_db;
                memcpy(out, one, sizeof one);
            }
        }
    }
}

/* Section 5 of the paper: alternating between the strongest path and the fit, against all paths at once. */
static void better_than_turns(void **state)
{
    (void)state;
    static float strongest[PLACES * STRIDE];
    rw_context *context = make_context();
    const rw_model *model;
    double start[RW_BEAM_PARAMETERS], turned[RW_BEAM_PARAMETERS], off_all = 0, off_turns = 0;
    rw_unknowns unknowns;
    rw_fit_result result;
    make_places();
    assert_ok(context, rw_model_find(context, "beams", &model));
    assert_ok(context, rw_beam_parameter_defaults(context, 947e6, start));
    assert_ok(context, rw_unknowns_choose(context, model, NULL, start, &unknowns));
    rw_fit_data data = {
        .model = model, .count = PLACES, .terms = all_terms, .begins = begins, .measured_db = measured_db};
    assert_ok(context, rw_fit_solve(context, &data, &unknowns, &result));
    memcpy(turned, start, sizeof turned);
    rw_fit_result turn = {0};
    for (int i = 0; i < 10; i++) {
        keep_strongest(turned, strongest);
        rw_fit_data best = {
            .model = model, .count = PLACES, .terms = strongest, .begins = begins, .measured_db = measured_db};
        assert_ok(context, rw_fit_solve(context, &best, &unknowns, &turn));
        memcpy(turned, turn.values, sizeof turned);
    }
    for (size_t i = 0; i < RW_BEAM_PARAMETERS; i++) {
        if (result.states[i] != RW_PARAMETER_FITTED)
            continue;
        off_all = fmax(off_all, fabs(result.values[i] - truth[i]));
        off_turns = fmax(off_turns, fabs(turned[i] - truth[i]));
    }
    double all_db, turns_db;
    assert_ok(context, rw_fit_rmse_db(context, &data, result.values, &all_db));
    assert_ok(context, rw_fit_rmse_db(context, &data, turned, &turns_db));
    printf("all paths: %.4f dB, worst parameter off by %.3f; in turns: %.3f dB, %.3f\n", all_db, off_all, turns_db,
           off_turns);
    assert_near(all_db, 0, 0.01);
    assert_true(off_all < 0.1 && turns_db > 20 * all_db + 0.3 && off_turns > 1);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact), cmocka_unit_test(matrix), cmocka_unit_test(held_out),
                                       cmocka_unit_test(constrained), cmocka_unit_test(better_than_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
