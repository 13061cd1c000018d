/* What measurements add to a model: known constants, slope, contrast and weight are found again in losses without
 * noise, and what a calibration reports is what a prediction with its parameters has. */
#include "base/memory.h"
#include "mechanisms/measured/correction.h"
#include "models/engine/parameters.h"

#include "survey.h"

#include <string.h>

static rw_context *context;
static survey town;

/* Losses of the default model with a correction, at points on routes of both sites; noise_db of normal errors. */
static rw_measurements *measure(const rw_correction *correction, double weight_change, double noise_db,
                                const char *name)
{
    rw_predict_options with = town.options;
    rw_params *params;
    rw_random random = rw_random_of(4, 4);
    const char *spots_path = temporary_path("spots.csv");
    FILE *file = fopen(spots_path, "w");
    fputs("x,y,path_loss,site\n", file);
    for (int i = 0; i < 1600; i++)
        fprintf(file, "%.3f,%.3f,100,%s\n", 400 * rw_random_unit(&random), 400 * rw_random_unit(&random),
                town.sites[i % SURVEY_SITES].name);
    fclose(file);
    with.effects = NULL;
    with.walls = NULL;
    with.transmitters = town.sites;
    assert_ok(context, rw_params_create(context, "shadow", 947e6, &params));
    params->values[rw_params_find(params, "prior_weight")] += weight_change;
    assert_ok(context, rw_correction_copy(context, correction, &params->correction));
    with.params = params;
    rw_measurements *spots = survey_load(context, spots_path), *measurements;
    rw_evaluate_options how;
    rw_evaluation *evaluation;
    rw_evaluation_info info = {.size = sizeof info};
    rw_evaluate_options_init(&how);
    how.average = "none";
    assert_ok(context, rw_evaluate_model(town.scene, &with, spots, &how, &evaluation));
    assert_ok(context, rw_evaluation_get_info(evaluation, &info));
    const char *path = temporary_path(name);
    file = fopen(path, "w");
    fputs("x,y,path_loss,site\n", file);
    for (size_t i = 0; i < info.points; i++) {
        rw_evaluation_point point = {.size = sizeof point};
        assert_ok(context, rw_evaluation_get_point(evaluation, i, &point));
        fprintf(file, "%.3f,%.3f,%.6f,%s\n", point.x_m, point.y_m,
                point.predicted_db + noise_db * normal_noise(&random), point.site);
    }
    fclose(file);
    rw_evaluation_destroy(evaluation);
    rw_measurements_destroy(spots);
    rw_params_destroy(params);
    measurements = survey_load(context, path);
    return measurements;
}

static rw_correction *make_correction(void)
{
    rw_correction *correction;
    assert_ok(context, rw_correction_create(context, SURVEY_SITES, &correction));
    correction->exponent = 0.4;
    correction->contrast_db = 3;
    for (size_t i = 0; i < SURVEY_SITES; i++) {
        correction->sites[i] = (rw_correction_site){.name = rw_string_copy(town.sites[i].name),
                                                    .x_m = town.sites[i].x_m,
                                                    .y_m = town.sites[i].y_m,
                                                    .offset_db = i ? -4 : 7};
    }
    rw_correction_number_sectors(correction);
    return correction;
}

static rw_calibration *calibrate_default(const rw_measurements *measurements, int residuals, rw_calibration_info *info)
{
    rw_predict_options options = town.options;
    rw_calibrate_options how;
    rw_calibration *calibration;
    options.effects = NULL;
    options.walls = NULL;
    options.transmitters = town.sites;
    rw_calibrate_options_init(&how);
    how.average = "none";
    how.residuals = residuals;
    assert_ok(context, rw_calibrate(town.scene, &options, measurements, &how, &calibration));
    info->size = sizeof *info;
    assert_ok(context, rw_calibration_get_info(calibration, info));
    return calibration;
}

/* Root mean square error of a prediction with the parameters, as a user would see it. */
static double evaluate_with(const rw_params *params, const rw_measurements *measurements)
{
    rw_predict_options options = town.options;
    rw_evaluate_options how;
    rw_evaluation *evaluation;
    rw_evaluation_info info = {.size = sizeof info};
    options.effects = NULL;
    options.walls = NULL;
    options.transmitters = town.sites;
    options.params = params;
    rw_evaluate_options_init(&how);
    how.average = "none";
    assert_ok(context, rw_evaluate_model(town.scene, &options, measurements, &how, &evaluation));
    assert_ok(context, rw_evaluation_get_info(evaluation, &info));
    rw_evaluation_destroy(evaluation);
    return info.prediction.rmse_db;
}

static void losses_without_noise_give_their_terms_back(void **state)
{
    (void)state;
    rw_correction *truth = make_correction();
    rw_measurements *measurements = measure(truth, -0.1, 0, "exact.csv");
    rw_calibration_info info;
    rw_calibration *calibration = calibrate_default(measurements, 0, &info);
    const rw_correction *found = rw_calibration_params(calibration)->correction;
    assert_true(info.before.rmse_db > 0.5);
    assert_near(info.after.rmse_db, 0, 0.01);
    assert_near(info.folds_rmse_after_db, 0, 0.02); /* of unseen sites */
    assert_near(found->exponent, truth->exponent, 0.01);
    assert_near(found->contrast_db, truth->contrast_db, 0.05);
    for (size_t i = 0; i < SURVEY_SITES; i++)
        assert_near(found->sites[i].offset_db, truth->sites[i].offset_db, 0.05);
    /* The file has all of it. */
    rw_params *read;
    const char *path = temporary_path("levels.json");
    assert_ok(context, rw_params_save(rw_calibration_params(calibration), path));
    assert_ok(context, rw_params_load(context, path, &read));
    assert_near(evaluate_with(read, measurements), info.after.rmse_db, 1e-6);
    rw_params_destroy(read);
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_correction_destroy(truth);
}

static void a_map_follows_residuals(void **state)
{
    (void)state;
    rw_correction *truth = make_correction();
    rw_measurements *measurements = measure(truth, 0, 5, "noisy.csv");
    rw_calibration_info info;
    rw_calibration *calibration = calibrate_default(measurements, 1, &info);
    assert_true(info.residuals > 100);
    assert_near(info.after.rmse_db, 5, 0.4);
    assert_near(info.residuals_rmse_db, 5, 0.6); /* independent errors cannot be predicted */
    assert_true(info.residuals_within_percent > 60 && info.residuals_within_percent < 76);
    assert_true(evaluate_with(rw_calibration_params(calibration), measurements) < info.after.rmse_db);
    /* sigma and benefit of a map */
    rw_predict_options options = town.options;
    options.effects = NULL;
    options.walls = NULL;
    options.transmitters = town.sites;
    options.params = rw_calibration_params(calibration);
    options.layers = "path_loss,sigma,benefit";
    rw_map *map;
    assert_ok(context, rw_predict(town.scene, &options, &map));
    for (size_t layer = 1; layer < 3; layer++) {
        rw_map_layer values = {.size = sizeof values};
        assert_ok(context, rw_map_get_layer(map, layer, &values));
        rw_map_info about = {.size = sizeof about};
        assert_ok(context, rw_map_get_info(map, &about));
        size_t count = 0;
        for (size_t i = 0; i < about.columns * about.rows; i++) {
            if (isnan(values.values[i]))
                continue;
            count++;
            assert_true(layer == 1 ? values.values[i] > 3 && values.values[i] < 7
                                   : values.values[i] >= 0 && values.values[i] < 3);
        }
        assert_true(count > 1000);
    }
    rw_map_destroy(map);
    options.params = NULL;
    options.layers = "benefit";
    assert_int_equal(rw_predict(town.scene, &options, &map), RW_BAD_CALL);
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_correction_destroy(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(losses_without_noise_give_their_terms_back),
                                       cmocka_unit_test(a_map_follows_residuals)};
    context = make_context();
    town = survey_begin(context);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    survey_end(&town);
    rw_context_destroy(context);
    return failed;
}
