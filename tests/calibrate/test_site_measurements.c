/* labels: files */
/* Measurements of several sites and devices: power with antennas against the link budget by hand, offsets that are
 * found again, bad sites left out, yardsticks against formulas written out here, cross-validation that keeps the start.
 */
#include "calibrate/fitting/fitting.h"

#include "survey.h"

#include <rasterwave/calibrate.h>

static rw_context *context;
static survey town;

#define POINTS 240

/* Losses of the model at points of both sites: the truth that tables are made of. */
typedef struct known {
    size_t count;
    double x_m[4 * POINTS], y_m[4 * POINTS], loss_db[4 * POINTS];
    int site[4 * POINTS];
} known;

static rw_measurements *load(const char *path, const rw_measurements_options *how)
{
    rw_measurements *measurements;
    assert_ok(context, rw_measurements_load(context, path, how, &measurements));
    return measurements;
}

static known losses_of_model(void)
{
    known made = {0};
    char text[64];
    const char *path = temporary_path("places.csv");
    FILE *file = fopen(path, "w");
    fputs("x,y,path_loss,site\n", file);
    for (size_t i = 0; i < POINTS; i++) {
        rw_point point = survey_point(i);
        snprintf(text, sizeof text, "%.3f,%.3f,100,%s\n", point.x_m, point.y_m, town.sites[i % SURVEY_SITES].name);
        fputs(text, file);
    }
    fclose(file);
    rw_measurements *measurements = load(path, NULL);
    rw_predict_options prediction = survey_ask(&town, NULL);
    rw_evaluate_options options;
    rw_evaluation *evaluation;
    rw_evaluation_info info = {.size = sizeof info};
    rw_evaluate_options_init(&options);
    options.average = "none";
    assert_ok(context, rw_evaluate_model(town.scene, &prediction, measurements, &options, &evaluation));
    assert_ok(context, rw_evaluation_get_info(evaluation, &info));
    for (size_t i = 0; i < info.points; i++) {
        rw_evaluation_point point = {.size = sizeof point};
        assert_ok(context, rw_evaluation_get_point(evaluation, i, &point));
        size_t own = 0; /* the number that its place was made from says the site */
        while (fabs(survey_point(own).x_m - point.x_m) > 6e-4 || fabs(survey_point(own).y_m - point.y_m) > 6e-4)
            own++;
        made.x_m[made.count] = point.x_m;
        made.y_m[made.count] = point.y_m;
        made.loss_db[made.count] = point.predicted_db;
        made.site[made.count++] = (int)(own % SURVEY_SITES);
    }
    assert_true(made.count > POINTS / 3);
    rw_evaluation_destroy(evaluation);
    rw_measurements_destroy(measurements);
    return made;
}

static rw_evaluation *evaluate(const rw_predict_options *prediction, const rw_measurements *measurements,
                               const char *offsets, int skip_bad, rw_evaluation_info *info)
{
    rw_evaluate_options options;
    rw_evaluation *evaluation;
    rw_evaluate_options_init(&options);
    options.average = "none";
    options.offsets = offsets;
    options.skip_bad = skip_bad;
    assert_ok(context, rw_evaluate_model(town.scene, prediction, measurements, &options, &evaluation));
    *info = (rw_evaluation_info){.size = sizeof *info};
    assert_ok(context, rw_evaluation_get_info(evaluation, info));
    return evaluation;
}

/* Gain of the 3GPP element of TR 38.901, table 7.3-1, without tilt: 8 dBi less min(A_v + A_h, 30). */
static double element_gain_dbi(double azimuth_deg, double dx, double dy, double dz)
{
    double phi = atan2(dx, dy) * 180 / acos(-1.0) - azimuth_deg, theta = acos(dz / sqrt(dx * dx + dy * dy + dz * dz));
    phi -= 360 * round(phi / 360);
    double across = fmin(30, 12 * pow(phi / 65, 2)), up = fmin(30, 12 * pow((theta * 180 / acos(-1.0) - 90) / 65, 2));
    return 8 - fmin(30, across + up);
}

/* Received power of sectors of 43 and 37 dBm that look north-east and west is found to be without error. */
static void power_has_each_sites_power_and_antenna(void **state)
{
    (void)state;
    known made = losses_of_model();
    survey sectors = town;
    const double azimuths[] = {40, 270}, powers[] = {43, 37};
    const char *path = temporary_path("power.csv");
    FILE *file = fopen(path, "w");
    fputs("x,y,rsrp,site,device\n", file);
    for (int i = 0; i < SURVEY_SITES; i++) {
        sectors.sites[i].antenna = "3gpp";
        sectors.sites[i].azimuth_deg = azimuths[i];
        sectors.sites[i].power_dbm = powers[i];
    }
    for (size_t i = 0; i < made.count; i++) {
        const rw_transmitter *site = &sectors.sites[made.site[i]];
        double gain =
            element_gain_dbi(site->azimuth_deg, made.x_m[i] - site->x_m, made.y_m[i] - site->y_m, 1.5 - site->height_m);
        fprintf(file, "%.3f,%.3f,%.6f,%s,phone\n", made.x_m[i], made.y_m[i],
                site->power_dbm + gain - made.loss_db[i] - 10 * log10(1200), site->name);
    }
    fclose(file);
    rw_measurements_options how;
    rw_measurements_options_init(&how);
    how.quantity = "rsrp";
    how.resource_blocks = 100;
    rw_measurements *measurements = load(path, &how);
    rw_measurement sample = {.size = sizeof sample};
    assert_ok(context, rw_measurements_get(measurements, 0, &sample));
    assert_true(isnan(sample.path_loss_db) && isfinite(sample.power_dbm));
    assert_string_equal(sample.device, "phone");
    rw_predict_options prediction = survey_ask(&sectors, NULL);
    rw_evaluation_info info;
    rw_evaluation_destroy(evaluate(&prediction, measurements, "none", 0, &info));
    assert_int_equal(info.points, made.count);
    assert_near(info.prediction.rmse_db, 0, 0.01);
    /* One power for all instead: the antennas are missing, and so is the difference of the powers. */
    how.tx_power_dbm = 43;
    rw_measurements *of_one = load(path, &how);
    rw_evaluation_destroy(evaluate(&prediction, of_one, "none", 0, &info));
    assert_true(info.prediction.rmse_db > 5);
    rw_measurements_destroy(of_one);
    rw_measurements_destroy(measurements);
}

/* Site "mast" 6 dB, phone "old" 3 dB more than the model says, and noise of 1 dB. */
static const char *offset_table(const known *made, const char *third_site)
{
    const char *path = temporary_path("offsets.csv");
    FILE *file = fopen(path, "w");
    rw_random random = rw_random_of(3, 3);
    fputs("x,y,path_loss,site,phone\n", file);
    for (size_t i = 0; i < made->count; i++) {
        int old = (int)(i / 2 % 2);
        fprintf(file, "%.3f,%.3f,%.6f,%s,%s\n", made->x_m[i], made->y_m[i],
                made->loss_db[i] + (made->site[i] == 0 ? 6 : 0) + (old ? 3 : 0) + normal_noise(&random),
                town.sites[made->site[i]].name, old ? "old" : "new");
    }
    if (third_site)
        fprintf(file, "200,200,120,%s,old\n", third_site);
    fclose(file);
    return path;
}

static void offsets_are_found_again(void **state)
{
    (void)state;
    known made = losses_of_model();
    rw_measurements *measurements = load(offset_table(&made, NULL), NULL);
    rw_predict_options prediction = survey_ask(&town, NULL);
    rw_evaluation_info info;
    rw_evaluation *evaluation = evaluate(&prediction, measurements, "site,device", 0, &info);
    assert_int_equal(info.offsets, 4);
    assert_near(info.prediction.mean_db, 0, 1e-9);
    assert_near(info.prediction.rmse_db, 1, 0.2);
    for (size_t i = 0; i < info.offsets; i++) {
        rw_offset offset = {.size = sizeof offset};
        assert_ok(context, rw_evaluation_get_offset(evaluation, i, &offset));
        double expected = (strcmp(offset.site, "mast") == 0 ? 6 : 0) + (strcmp(offset.device, "old") == 0 ? 3 : 0);
        assert_near(offset.offset_db, expected, 5 / sqrt((double)offset.points));
    }
    rw_offset beyond = {.size = sizeof beyond};
    assert_int_equal(rw_evaluation_get_offset(evaluation, 4, &beyond), RW_BAD_CALL);
    rw_evaluation_destroy(evaluation);
    rw_evaluation_destroy(evaluate(&prediction, measurements, "none", 0, &info));
    assert_int_equal(info.offsets, 0);
    assert_true(info.prediction.mean_db > 2 && info.prediction.rmse_db > 3);
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    options.offsets = "weather";
    check_sentence(context, rw_evaluate_model(town.scene, &prediction, measurements, &options, &evaluation),
                   RW_BAD_CALL, "site, device");
    rw_measurements_destroy(measurements);
}

/* The place of a building, at half its height. */
static rw_transmitter inside_a_building(void)
{
    rw_transmitter site = town.sites[0];
    site.name = "cellar";
    site.height_m = 1;
    for (size_t i = 0;; i++) {
        rw_point point = survey_point(i);
        rw_paths *paths;
        rw_predict_options options = survey_ask(&town, NULL);
        rw_point found;
        int indoor;
        found.size = sizeof found;
        assert_ok(context, rw_trace(town.scene, &options, &point, 1, &paths));
        assert_ok(context, rw_paths_get_point(paths, 0, &found, &indoor));
        rw_paths_destroy(paths);
        if (!indoor)
            continue;
        site.x_m = point.x_m;
        site.y_m = point.y_m;
        return site;
    }
}

static void bad_sites_are_left_out_and_counted(void **state)
{
    (void)state;
    known made = losses_of_model();
    rw_transmitter sites[3] = {town.sites[0], town.sites[1], inside_a_building()};
    rw_predict_options prediction = survey_ask(&town, NULL);
    prediction.transmitters = sites;
    prediction.transmitter_count = 3;
    rw_measurements *measurements = load(offset_table(&made, "cellar"), NULL);
    rw_evaluation *evaluation;
    rw_evaluation_info info;
    check_sentence(context, rw_evaluate_model(town.scene, &prediction, measurements, NULL, &evaluation), RW_BAD_CALL,
                   "inside a building");
    check_sentence(context, rw_evaluate_model(town.scene, &prediction, measurements, NULL, &evaluation), RW_BAD_CALL,
                   "skip-bad");
    rw_evaluation_destroy(evaluate(&prediction, measurements, "none", 1, &info));
    assert_int_equal(info.points, made.count);
    assert_int_equal(info.bad_sites, 1);
    assert_int_equal(info.of_bad_site, 1);
    rw_measurements_destroy(measurements);

    rw_measurements *unknown = load(offset_table(&made, "elsewhere"), NULL);
    check_sentence(context, rw_evaluate_model(town.scene, &prediction, unknown, NULL, &evaluation), RW_BAD_INPUT,
                   "skip-bad");
    rw_evaluation_destroy(evaluate(&prediction, unknown, "none", 1, &info));
    assert_int_equal(info.points, made.count);
    assert_int_equal(info.bad_rows, 1);
    rw_measurements_destroy(unknown);
}

/* Mean errors of 3GPP UMa and COST-Hata, written out: d in m and km, f in GHz and MHz. */
static void yardsticks_are_the_published_formulas(void **state)
{
    (void)state;
    known made = losses_of_model();
    rw_measurements *measurements = load(offset_table(&made, NULL), NULL);
    rw_predict_options prediction = survey_ask(&town, NULL);
    rw_evaluation_info info;
    rw_evaluation *evaluation = evaluate(&prediction, measurements, "none", 0, &info);
    assert_int_equal(info.baselines, 6);
    double least = 0, most = 0, hata = 0, straight = 0;
    for (size_t i = 0; i < info.points; i++) {
        rw_evaluation_point point = {.size = sizeof point};
        assert_ok(context, rw_evaluation_get_point(evaluation, i, &point));
        const rw_transmitter *site = &town.sites[made.site[i]];
        double d2 = hypot(point.x_m - site->x_m, point.y_m - site->y_m), d3 = hypot(d2, site->height_m - 1.5);
        double los = 28 + 22 * log10(d3) + 20 * log10(0.947), nlos = 13.54 + 39.08 * log10(d3) + 20 * log10(0.947);
        least += (point.measured_db - fmax(los, nlos)) / (double)info.points; /* all out of sight */
        most += (point.measured_db - los) / (double)info.points;              /* all in sight */
        double hb = log10(site->height_m), a = (1.1 * log10(947) - 0.7) * 1.5 - (1.56 * log10(947) - 0.8);
        double loss = 46.3 + 33.9 * log10(947) - 13.82 * hb - a + (44.9 - 6.55 * hb) * log10(d2 / 1000);
        double free_space = 20 * log10(4 * acos(-1.0) * d3 * 947e6 / 299792458.0);
        straight += (point.measured_db - free_space) / (double)info.points;
        hata += (point.measured_db - fmax(loss, free_space)) / (double)info.points;
    }
    int found = 0;
    for (size_t i = 0; i < info.baselines; i++) {
        rw_baseline baseline = {.size = sizeof baseline};
        assert_ok(context, rw_evaluation_get_baseline(evaluation, i, &baseline));
        assert_true(baseline.errors.std_dev_db > 0 && baseline.errors.rmse_db >= fabs(baseline.errors.mean_db));
        if (strcmp(baseline.name, "3gpp_uma") == 0) {
            assert_true(baseline.errors.mean_db > least && baseline.errors.mean_db < most);
            found++;
        }
        if (strcmp(baseline.name, "free_space") == 0) {
            assert_near(baseline.errors.mean_db, straight, 1e-3);
            found++;
        }
        if (strcmp(baseline.name, "cost_hata") == 0) {
            assert_near(baseline.errors.mean_db, hata, 1e-9);
            found++;
        }
    }
    assert_int_equal(found, 3);
    rw_evaluation_destroy(evaluation);
    rw_measurements_destroy(measurements);
}

static rw_calibration *calibrate(const rw_measurements *measurements, const char *offsets, int folds,
                                 rw_calibration_info *info)
{
    rw_calibration *calibration;
    rw_calibrate_options options;
    rw_predict_options prediction = survey_ask(&town, NULL);
    rw_calibrate_options_init(&options);
    options.average = "none";
    options.offsets = offsets;
    options.folds = folds;
    assert_ok(context, rw_calibrate(town.scene, &prediction, measurements, &options, &calibration));
    *info = (rw_calibration_info){.size = sizeof *info};
    assert_ok(context, rw_calibration_get_info(calibration, info));
    return calibration;
}

/* Data that the defaults made, with noise: every fit follows the noise, and the defaults are kept. */
static void a_fit_that_is_no_better_keeps_its_start(void **state)
{
    (void)state;
    const char *path = temporary_path("defaults.csv");
    rw_params *uncalibrated;
    assert_ok(context, rw_params_create(context, "shadow", 947e6, &uncalibrated));
    survey_write(&town, uncalibrated, 500, 8, 9, path);
    rw_params_destroy(uncalibrated);
    rw_measurements *measurements = load(path, NULL);
    rw_calibration_info info;
    rw_calibration *calibration = calibrate(measurements, "none", 5, &info);
    assert_int_equal(info.folds, 2); /* as many as there are sites */
    assert_true(info.start_preserved);
    assert_near(info.folds_rmse_before_db, 8, 1);
    assert_near(info.after.rmse_db, info.before.rmse_db, 0);
    for (size_t i = 0; i < info.parameters; i++) {
        rw_calibrated_parameter parameter = {.size = sizeof parameter};
        assert_ok(context, rw_calibration_get_parameter(calibration, i, &parameter));
        assert_near(parameter.after, parameter.before, 0);
    }
    rw_calibration_destroy(calibration);
    calibration = calibrate(measurements, "none", 0, &info);
    assert_false(info.start_preserved);
    assert_true(info.after.rmse_db < info.before.rmse_db && isnan(info.folds_rmse_before_db));
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
}

/* Known parameters and an offset of 10 dB at one site: both are found, and the offset does not leak into the walls. */
static void parameters_and_offsets_are_found_together(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    const char *path = temporary_path("truth.csv"), *moved = temporary_path("moved.csv");
    survey_write(&town, truth, 900, 0, 1, path);
    FILE *from = fopen(path, "r"), *to = fopen(moved, "w");
    char line[256], site[64], route;
    double x, y, loss;
    assert_non_null(fgets(line, sizeof line, from));
    fputs(line, to);
    while (fscanf(from, "%lf,%lf,%lf,%c,%63s\n", &x, &y, &loss, &route, site) == 5)
        fprintf(to, "%.6f,%.6f,%.9f,%c,%s\n", x, y, loss + (strcmp(site, "roof") == 0 ? 10 : -4), route, site);
    fclose(from);
    fclose(to);
    rw_measurements *measurements = load(moved, NULL);
    rw_calibration_info info;
    rw_calibration *calibration = calibrate(measurements, "site", 5, &info);
    assert_false(info.start_preserved);
    assert_near(info.after.rmse_db, 0, 0.1);
    assert_int_equal(info.offsets, 2);
    for (size_t i = 0; i < 2; i++) {
        rw_offset offset = {.size = sizeof offset};
        assert_ok(context, rw_calibration_get_offset(calibration, i, &offset));
        assert_near(offset.offset_db, strcmp(offset.site, "roof") == 0 ? 10 : -4, 0.3);
    }
    for (size_t i = 0; i < info.parameters; i++) {
        rw_calibrated_parameter parameter = {.size = sizeof parameter};
        assert_ok(context, rw_calibration_get_parameter(calibration, i, &parameter));
        if (strcmp(parameter.name, "wall_first_db") == 0 || strcmp(parameter.name, "roof_a0_db") == 0)
            assert_near(parameter.after, truth->values[i], 0.5);
    }
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_params_destroy(truth);
}

/* Changes values of parameters by name. */
static rw_params *params_of(double q90, double roof_scale, double wall_scale, double prior_weight, double offset_db,
                            double facade_db)
{
    rw_params *params;
    assert_ok(context, rw_params_create(context, "shadow", 947e6, &params));
    assert_ok(context, rw_params_set(params, "street_q90", q90));
    assert_ok(context, rw_params_set(params, "roof_scale", roof_scale));
    assert_ok(context, rw_params_set(params, "wall_scale", wall_scale));
    assert_ok(context, rw_params_set(params, "prior_weight", prior_weight));
    assert_ok(context, rw_params_set(params, "offset_db", offset_db));
    assert_ok(context, rw_params_set(params, "facade_db", facade_db));
    return params;
}

/* The default model: all ways in power, with a prior. */
static rw_predict_options ask_defaults(const rw_params *params)
{
    rw_predict_options options = survey_ask(&town, params);
    options.effects = options.walls = NULL;
    return options;
}

/* What a fit works with is what a map would have, also for values that were not the ones solved for. */
static void terms_of_ways_are_the_map(void **state)
{
    (void)state;
    known made = losses_of_model();
    rw_measurements *measurements = load(offset_table(&made, NULL), NULL);
    rw_predict_options options = ask_defaults(NULL);
    rw_sample_points places;
    assert_ok(context, rw_sample_points_create(town.scene, &options, measurements,
                                               &(rw_sample_point_options){.average = "none"}, &places));
    const rw_model *model = rw_model_lookup("shadow");
    float *terms = calloc(places.count * model->term_count, sizeof *terms);
    double *loss_db = calloc(places.count, sizeof *loss_db), derivatives[RW_PARAMETERS_MAX];
    uint8_t *reached = calloc(places.count, 1);
    rw_params *first = params_of(0.5, 1, 1, 0.5, 0, 5);
    assert_ok(context, rw_sample_points_trace(&places, first, terms, NULL, reached));
    rw_params *cases[] = {params_of(0.5, 1, 1, 0.5, 0, 5), params_of(0.5, 0.7, 1.4, 0.2, 6, 2),
                          params_of(0.75, 1.2, 0.5, 0, -3, 15), params_of(0.6, 1, 1, 0.5, 0, 5)};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double worst = 0, mean = 0, step = 1e-4;
        assert_ok(context, rw_sample_points_trace(&places, cases[c], NULL, loss_db, reached));
        for (size_t i = 0; i < places.count; i++) {
            const float *own = terms + i * model->term_count;
            double loss = model->terms_loss_db(own, cases[c]->values, derivatives);
            worst = fmax(worst, fabs(loss - loss_db[i]));
            mean += fabs(loss - loss_db[i]) / (double)places.count;
            for (size_t k = 0; k < model->parameter_count; k++) {
                double values[RW_PARAMETERS_MAX], unused[RW_PARAMETERS_MAX];
                memcpy(values, cases[c]->values, sizeof values);
                values[k] += step;
                double up = model->terms_loss_db(own, values, unused);
                values[k] -= 2 * step;
                double slope = (up - model->terms_loss_db(own, values, unused)) / (2 * step);
                assert_near(derivatives[k], slope, 1e-3 * (1 + fabs(slope)));
            }
        }
        /* With another q90 the best path may change or end. */
        assert_true(c == 3 ? mean < 0.1 : worst < (c == 2 ? 0.1 : 0.02));
        rw_params_destroy(cases[c]);
    }
    rw_params_destroy(first);
    free(terms);
    free(loss_db);
    free(reached);
    rw_sample_points_destroy(&places);
    rw_measurements_destroy(measurements);
}

/* Measurements that the default model made with other values than its own give them back. */
static void the_default_models_own_parameters_are_found(void **state)
{
    (void)state;
    rw_params *truth = params_of(0.9, 0.8, 1, 0.25, 0, 9);
    const char *places_path = temporary_path("spots.csv"), *path = temporary_path("ways.csv");
    FILE *file = fopen(places_path, "w");
    fputs("x,y,path_loss,site,route\n", file);
    for (size_t i = 0; i < 900; i++) {
        rw_point point = survey_point(i);
        fprintf(file, "%.3f,%.3f,100,%s,%s\n", point.x_m, point.y_m, town.sites[i % SURVEY_SITES].name,
                town.sites[i % SURVEY_SITES].name);
    }
    fclose(file);
    rw_measurements *spots = load(places_path, NULL);
    rw_predict_options with_truth = ask_defaults(truth), plain = ask_defaults(NULL);
    rw_evaluation_info info;
    rw_evaluation *evaluation = evaluate(&with_truth, spots, "none", 0, &info);
    file = fopen(path, "w");
    rw_random random = rw_random_of(5, 5);
    fputs("x,y,path_loss,site\n", file);
    for (size_t i = 0; i < info.points; i++) {
        rw_evaluation_point point = {.size = sizeof point};
        assert_ok(context, rw_evaluation_get_point(evaluation, i, &point));
        fprintf(file, "%.3f,%.3f,%.6f,%s\n", point.x_m, point.y_m, point.predicted_db + normal_noise(&random),
                point.route);
    }
    fclose(file);
    rw_evaluation_destroy(evaluation);
    rw_measurements *measurements = load(path, NULL);
    rw_calibration *calibration;
    rw_calibration_info found = {.size = sizeof found};
    rw_calibrate_options how;
    rw_calibrate_options_init(&how);
    how.average = "none";
    how.fit = "street_berg,over_roofs,wall_slabs,prior,facade";
    how.offsets = "none";
    assert_ok(context, rw_calibrate(town.scene, &plain, measurements, &how, &calibration));
    assert_ok(context, rw_calibration_get_info(calibration, &found));
    assert_false(found.start_preserved);
    assert_near(found.after.rmse_db, 1, 0.15);
    assert_true(found.before.rmse_db > 2);
    int seen = 0;
    for (size_t i = 0; i < found.parameters; i++) {
        rw_calibrated_parameter parameter = {.size = sizeof parameter};
        assert_ok(context, rw_calibration_get_parameter(calibration, i, &parameter));
        int own = strcmp(parameter.name, "street_q90") == 0 || strcmp(parameter.name, "roof_scale") == 0 ||
                  strcmp(parameter.name, "prior_weight") == 0 || strcmp(parameter.name, "facade_db") == 0;
        if (own && parameter.state == RW_PARAMETER_FITTED) {
            assert_near(parameter.after, truth->values[i], 5 * parameter.standard_error + 0.02);
            seen++;
        }
        if (strncmp(parameter.name, "street_a", 8) == 0)
            assert_int_equal(parameter.state, RW_PARAMETER_HELD);
    }
    assert_int_equal(seen, 4);
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_measurements_destroy(spots);
    rw_params_destroy(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_has_each_sites_power_and_antenna),
        cmocka_unit_test(offsets_are_found_again),
        cmocka_unit_test(bad_sites_are_left_out_and_counted),
        cmocka_unit_test(yardsticks_are_the_published_formulas),
        cmocka_unit_test(a_fit_that_is_no_better_keeps_its_start),
        cmocka_unit_test(parameters_and_offsets_are_found_together),
        cmocka_unit_test(terms_of_ways_are_the_map),
        cmocka_unit_test(the_default_models_own_parameters_are_found),
    };
    context = make_context();
    town = survey_begin(context);
    town.options.walls = "constant"; /* what parameters of walls are about */
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    survey_end(&town);
    rw_context_destroy(context);
    return failed;
}
