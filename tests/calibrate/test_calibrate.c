/* Calibration from end to end: measurements that the model made with known parameters give them back, and the held-out
 * error is the noise. */
#include "calibrate/fitting/fitting.h"

#include "survey.h"

#include <rasterwave/calibrate.h>

static rw_context *context;
static survey town;

enum { OFFSET, STREET, ROOF = 5, WALL_FIRST = 10, WALL_RATIO, PARAMETERS };

static rw_calibration *calibrate(const rw_measurements *measurements, const char *holdout, const rw_params *start)
{
    rw_calibration *calibration = NULL;
    rw_calibrate_options options;
    rw_predict_options prediction = survey_ask(&town, start);
    rw_calibrate_options_init(&options);
    options.average = "none";
    options.holdout = holdout;
    assert_ok(context, rw_calibrate(town.scene, &prediction, measurements, &options, &calibration));
    return calibration;
}

static void exact_measurements_give_exact_values(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    const char *path = temporary_path("exact.csv");
    size_t lines = survey_write(&town, truth, 900, 0, 1, path);
    rw_measurements *measurements = survey_load(context, path);
    rw_calibration *calibration = calibrate(measurements, NULL, NULL);
    rw_calibration_info info = {.size = sizeof info};
    assert_ok(context, rw_calibration_get_info(calibration, &info));
    assert_int_equal(info.points, lines);
    assert_int_equal(info.samples_used + info.off_map + info.in_building + info.no_path, lines);
    assert_true(info.converged && info.iterations > 1);
    assert_true(info.before.rmse_db > 5);
    assert_near(info.after.rmse_db, 0, 0.02);
    assert_near(info.folds_rmse_after_db, 0, 0.1); /* folds have paths of their own values */
    assert_true(isnan(info.holdout_after.rmse_db));
    for (size_t i = STREET; i < PARAMETERS; i++) {
        rw_calibrated_parameter parameter = {.size = sizeof parameter};
        assert_ok(context, rw_calibration_get_parameter(calibration, i, &parameter));
        if (parameter.state == RW_PARAMETER_FITTED)
            assert_near(parameter.after, truth->values[i], 4 * parameter.standard_error + 0.02);
    }
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_params_destroy(truth);
}

/* A curve at an angle and the variance of that. */
static double curve_at(const double *a, double angle)
{
    return a[0] + angle * (a[1] + angle * (a[2] + angle * a[3]));
}

static double curve_variance(const rw_calibration *calibration, size_t first, double angle)
{
    double variance = 0;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            variance += calibration->fit.covariance[first + i][first + k] * pow(angle, (double)(i + k));
    return variance;
}

/* Noise of 5 dB, route c held out. */
static void noisy_measurements_give_values_within_their_errors(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    const char *path = temporary_path("noisy.csv");
    const double noise_db = 5;
    survey_write(&town, truth, 1800, noise_db, 4, path);
    rw_measurements *measurements = survey_load(context, path);
    rw_calibration *calibration = calibrate(measurements, "route=c", NULL);
    rw_calibration_info info = {.size = sizeof info};
    assert_ok(context, rw_calibration_get_info(calibration, &info));
    assert_true(info.holdout_points > 300 && info.points > 2 * info.holdout_points - 100);
    for (size_t i = STREET; i < PARAMETERS; i++) {
        rw_calibrated_parameter parameter = {.size = sizeof parameter};
        assert_ok(context, rw_calibration_get_parameter(calibration, i, &parameter));
        if (parameter.state == RW_PARAMETER_UNUSED)
            continue;
        assert_true(parameter.standard_error > 0);
        assert_near(parameter.after, truth->values[i], 3.5 * parameter.standard_error);
    }
    const double *values = rw_calibration_params(calibration)->values;
    for (double angle = 0.1; angle < 1.6; angle += 0.3) {
        assert_near(curve_at(values + STREET, angle), curve_at(truth->values + STREET, angle),
                    3.5 * sqrt(curve_variance(calibration, STREET, angle)));
        assert_near(curve_at(values + ROOF, angle), curve_at(truth->values + ROOF, angle),
                    3.5 * sqrt(curve_variance(calibration, ROOF, angle)));
    }
    /* The root of a mean square of n errors has a standard error of its own of 1 / sqrt(2 n). */
    assert_near(info.after.rmse_db, noise_db, 4 * noise_db / sqrt(2.0 * (double)info.points));
    assert_near(info.holdout_after.rmse_db, noise_db, 4 * noise_db / sqrt(2.0 * (double)info.holdout_points) + 0.1);
    assert_near(info.holdout_after.mean_db, 0, 4 * noise_db / sqrt((double)info.holdout_points) + 0.1);
    assert_true(info.holdout_before.rmse_db > noise_db + 2);

    /* From there on nothing is gained, and the file says how it came about. */
    const char *file = temporary_path("params.json");
    assert_ok(context, rw_params_save(rw_calibration_params(calibration), file));
    rw_params *read;
    rw_params_record record = {.size = sizeof record};
    assert_ok(context, rw_params_load(context, file, &read));
    assert_ok(context, rw_params_get_record(read, &record));
    assert_string_equal(record.data, "noisy.csv");
    assert_string_equal(record.holdout, "route=c");
    assert_int_equal(record.points, info.points);
    assert_int_equal(strlen(record.date), 10);
    assert_near(record.rmse_after_db, info.after.rmse_db, 0);
    assert_near(record.holdout_rmse_after_db, info.holdout_after.rmse_db, 0);
    rw_calibration *again = calibrate(measurements, "route=c", read);
    rw_calibration_info second = {.size = sizeof second};
    assert_ok(context, rw_calibration_get_info(again, &second));
    assert_near(second.before.rmse_db, info.after.rmse_db, 1e-4);
    assert_true(second.after.rmse_db <= second.before.rmse_db + 1e-9 && second.iterations <= 4);
    rw_calibration_destroy(again);
    rw_params_destroy(read);
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_params_destroy(truth);
}

/* The fast variant has one parameter for roofs. What was calibrated with it is predicted with it. */
static void counted_roofs_are_calibrated(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    char path[2048];
    rw_calibration *calibration;
    rw_calibrated_parameter roof = {.size = sizeof roof};
    rw_params_record record = {.size = sizeof record};
    rw_map *map;
    rw_map_layer mechanism = {.size = sizeof mechanism};
    snprintf(path, sizeof path, "%s", temporary_path("counted.csv"));
    assert_ok(context, rw_params_set(truth, "roof_count_db", 6.5));
    survey counted = town;
    counted.options.effects = "roofs_counted";
    survey_write(&counted, truth, 300, 2, 3, path);
    rw_measurements *measurements = survey_load(context, path);
    rw_predict_options options = survey_ask(&town, NULL);
    options.effects = "roofs_counted";
    assert_ok(context, rw_calibrate(town.scene, &options, measurements, NULL, &calibration));
    assert_ok(context, rw_calibration_get_parameter(calibration, ROOF + 4, &roof));
    assert_string_equal(roof.name, "roof_count_db");
    assert_int_equal(roof.state, RW_PARAMETER_FITTED);
    assert_near(roof.after, 6.5, 4 * roof.standard_error);
    assert_ok(context, rw_params_get_record(rw_calibration_params(calibration), &record));
    assert_string_equal(record.effects, "roofs_counted");
    options = survey_ask(&town, rw_calibration_params(calibration));
    options.effects = NULL; /* those of the parameters */
    options.layers = "mechanism";
    assert_ok(context, rw_predict(town.scene, &options, &map));
    assert_ok(context, rw_map_get_layer(map, 0, &mechanism));
    assert_near(mechanism.max, 2, 0); /* over roofs; neither through walls, 3, */
    size_t corners = 0;               /* nor round corners, 1 */
    for (size_t i = 0; i < mechanism.count; i++)
        corners += mechanism.values[i] == 1;
    assert_int_equal(corners, 0);
    rw_map_destroy(map);
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_params_destroy(truth);
}

static void sites_and_shares_are_held_out(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    const char *path = temporary_path("sites.csv");
    survey_write(&town, truth, 600, 3, 5, path);
    rw_measurements *measurements = survey_load(context, path);
    rw_calibration_info info = {.size = sizeof info}, other = {.size = sizeof other};
    rw_calibration *calibration = calibrate(measurements, "site=roof", NULL);
    assert_ok(context, rw_calibration_get_info(calibration, &info));
    assert_int_equal(info.points, info.holdout_points); /* each point was measured from both */
    assert_near(info.holdout_after.rmse_db, 3, 1);
    rw_calibration_destroy(calibration);
    calibration = calibrate(measurements, "random=0.25", NULL);
    assert_ok(context, rw_calibration_get_info(calibration, &other));
    assert_int_equal(other.points + other.holdout_points, 2 * info.points);
    double share = (double)other.holdout_points / (double)(2 * info.points);
    assert_near(share, 0.25, 4 * sqrt(0.25 * 0.75 / (double)(2 * info.points)));
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_params_destroy(truth);
}

/* Samples of one cell become one point; those of a route that is held out never mix with others. */
static void cells_do_not_mix_routes_that_are_held_out(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    const char *path = temporary_path("mixed.csv");
    rw_sample_points places;
    uint8_t held_out[4] = {0, 0, 1, 1};
    survey_write(&town, truth, 50, 0, 5, path);
    rw_measurements *made = survey_load(context, path);
    rw_measurement at = {.size = sizeof at};
    assert_ok(context, rw_measurements_get(made, 0, &at));
    double x = floor(at.x_m / 5) * 5, y = floor(at.y_m / 5) * 5;
    char text[512];
    snprintf(text, sizeof text, "x,y,loss,route\n%f,%f,100,a\n%f,%f,104,a\n%f,%f,90,b\n%f,%f,92,b\n", x + 0.5, y + 0.5,
             x + 4.5, y + 4.5, x + 1, y + 1, x + 4, y + 4);
    rw_measurements *measurements = survey_load(context, write_text("cell.csv", text));
    rw_predict_options options = survey_ask(&town, NULL);
    options.transmitter_count = 1;
    options.rx_height_m = 90; /* above every roof: none of the four is inside */
    assert_ok(context,
              rw_sample_points_create(town.scene, &options, measurements,
                                      &(rw_sample_point_options){.average = "db", .held_out = held_out}, &places));
    assert_int_equal(places.count, 2);
    assert_near(places.items[0].measured_db, 102, 1e-5);
    assert_near(places.items[1].measured_db, 91, 1e-5);
    assert_int_equal(places.items[1].held_out, 1);
    rw_sample_points_destroy(&places);
    assert_ok(context, rw_sample_points_create(town.scene, &options, measurements,
                                               &(rw_sample_point_options){.average = "none"}, &places));
    assert_int_equal(places.count, 4);
    rw_sample_points_destroy(&places);
    rw_measurements_destroy(measurements);
    rw_measurements_destroy(made);
    rw_params_destroy(truth);
}

/* A map and the model asked at the middle of its cells are one and the same. */
static void a_model_is_evaluated_as_its_map_is(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    rw_predict_options options = survey_ask(&town, truth);
    options.transmitter_count = 1;
    options.layers = "path_loss";
    options.res_m = 7; /* so that no cell has its middle on a wall, where in and out may differ */
    rw_map *map;
    rw_map_info grid = {.size = sizeof grid};
    assert_ok(context, rw_predict(town.scene, &options, &map));
    assert_ok(context, rw_map_get_info(map, &grid));
    char *text = malloc(1 << 20);
    size_t length = (size_t)sprintf(text, "x,y,loss\n");
    for (size_t cell = 0; cell < grid.columns * grid.rows; cell += 2)
        length += (size_t)sprintf(
            text + length, "%.3f,%.3f,%.3f\n", grid.x0_m + ((double)(cell % grid.columns) + 0.5) * grid.res_m,
            grid.y0_m + ((double)(cell / grid.columns) + 0.5) * grid.res_m, 80 + (double)(cell % 7));
    rw_measurements *measurements = survey_load(context, write_text("cells.csv", text));
    free(text);
    rw_evaluation *of_map, *of_model;
    rw_evaluation_info left = {.size = sizeof left}, right = {.size = sizeof right};
    assert_ok(context, rw_evaluate_map(map, 0, measurements, NULL, &of_map));
    assert_ok(context, rw_evaluate_model(town.scene, &options, measurements, NULL, &of_model));
    assert_ok(context, rw_evaluation_get_info(of_map, &left));
    assert_ok(context, rw_evaluation_get_info(of_model, &right));
    assert_int_equal(left.points, right.points);
    assert_int_equal(left.in_building, right.in_building);
    assert_near(left.prediction.rmse_db, right.prediction.rmse_db, 1e-3);
    assert_near(left.prediction.mean_db, right.prediction.mean_db, 1e-3);
    assert_true(left.has_one_slope && right.has_one_slope);
    assert_near(left.one_slope_exponent, right.one_slope_exponent, 1e-6);
    size_t apart = 0;
    for (size_t i = 0; i < left.points; i++) {
        rw_evaluation_point a = {.size = sizeof a}, b = {.size = sizeof b};
        assert_ok(context, rw_evaluation_get_point(of_map, i, &a));
        assert_ok(context, rw_evaluation_get_point(of_model, i, &b));
        apart += !(fabs(a.predicted_db - b.predicted_db) < 0.01);
    }
    assert_int_equal(apart, 0);
    rw_evaluation_destroy(of_map);
    rw_evaluation_destroy(of_model);
    rw_measurements_destroy(measurements);
    rw_map_destroy(map);
    rw_params_destroy(truth);
}

/* Free space is one slope from each point's own transmitter: the fit beside the model finds it, whichever site it is.
 */
static void the_one_slope_fit_knows_the_site_of_each_point(void **state)
{
    (void)state;
    const char *path = temporary_path("free.csv");
    survey open = town;
    open.options.effects = "none";
    survey_write(&open, NULL, 300, 0, 3, path);
    rw_measurements *measurements = survey_load(context, path);
    rw_predict_options options = survey_ask(&town, NULL);
    rw_evaluate_options how;
    rw_evaluation *evaluation;
    rw_evaluation_info info = {.size = sizeof info};
    options.effects = "none";
    rw_evaluate_options_init(&how);
    how.average = "none";
    assert_ok(context, rw_evaluate_model(town.scene, &options, measurements, &how, &evaluation));
    assert_ok(context, rw_evaluation_get_info(evaluation, &info));
    assert_near(info.prediction.rmse_db, 0, 1e-4);
    assert_true(info.has_one_slope);
    assert_near(info.one_slope_exponent, 2, 1e-3);
    assert_near(info.one_slope.rmse_db, 0, 1e-2);
    rw_evaluation_destroy(evaluation);
    rw_measurements_destroy(measurements);
}

/* The offset is added to every path; other parameters leave receivers in sight alone. */
static void parameters_reach_the_map(void **state)
{
    (void)state;
    rw_params *params;
    rw_map *plain, *shifted, *same;
    rw_map_layer before = {.size = sizeof before}, after = {.size = sizeof after},
                 unchanged = {.size = sizeof unchanged};
    rw_map_info grid = {.size = sizeof grid};
    rw_predict_options options = survey_ask(&town, NULL);
    options.layers = "path_loss";
    assert_ok(context, rw_params_create(context, "shadow", options.freq_hz, &params));
    assert_ok(context, rw_predict(town.scene, &options, &plain));
    options.params = params;
    assert_ok(context, rw_predict(town.scene, &options, &same));
    assert_ok(context, rw_params_set(params, "offset_db", 7));
    assert_ok(context, rw_predict(town.scene, &options, &shifted));
    assert_ok(context, rw_map_get_info(plain, &grid));
    assert_ok(context, rw_map_get_layer(plain, 0, &before));
    assert_ok(context, rw_map_get_layer(shifted, 0, &after));
    assert_ok(context, rw_map_get_layer(same, 0, &unchanged));
    assert_memory_equal(before.values, unchanged.values, grid.columns * grid.rows * 2 * sizeof *before.values);
    for (size_t i = 0; i < grid.columns * grid.rows; i++)
        if (!isnan(before.values[i]))
            assert_near(after.values[i] - before.values[i], 7, 2e-4);
    rw_map_destroy(plain);
    rw_map_destroy(same);
    rw_map_destroy(shifted);
    /* Files that are not physical do not get this far; values that were set one by one may. */
    assert_ok(context, rw_params_set(params, "roof_a2_db_rad2", -30));
    check_sentence(context, rw_predict(town.scene, &options, &plain), RW_BAD_INPUT, "falls somewhere");
    rw_params_destroy(params);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    const char *path = temporary_path("threads.csv");
    survey_write(&town, truth, 300, 3, 6, path);
    rw_measurements *measurements = survey_load(context, path);
    int threads = context->threads;
    context->threads = 1;
    rw_calibration *one = calibrate(measurements, NULL, NULL);
    context->threads = 3;
    rw_calibration *three = calibrate(measurements, NULL, NULL);
    context->threads = threads;
    assert_memory_equal(one->params->values, three->params->values, sizeof one->params->values);
    rw_calibration_destroy(one);
    rw_calibration_destroy(three);
    rw_measurements_destroy(measurements);
    rw_params_destroy(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_measurements_give_exact_values),
        cmocka_unit_test(noisy_measurements_give_values_within_their_errors),
        cmocka_unit_test(counted_roofs_are_calibrated),
        cmocka_unit_test(sites_and_shares_are_held_out),
        cmocka_unit_test(cells_do_not_mix_routes_that_are_held_out),
        cmocka_unit_test(a_model_is_evaluated_as_its_map_is),
        cmocka_unit_test(the_one_slope_fit_knows_the_site_of_each_point),
        cmocka_unit_test(parameters_reach_the_map),
        cmocka_unit_test(threads_do_not_matter),
    };
    context = make_context();
    town = survey_begin(context);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    survey_end(&town);
    rw_context_destroy(context);
    return failed;
}
