/* What cannot be calibrated is refused in a sentence. */
#include "calibrate/fitting/fitting.h"

#include "survey.h"

#include <rasterwave/calibrate.h>

static rw_context *context;
static survey town;

static void refuses_survey(const char *path, const char *fit, const char *holdout, rw_status expected,
                           const char *words)
{
    rw_measurements *measurements = survey_load(context, path);
    rw_calibration *calibration;
    rw_calibrate_options options;
    rw_predict_options prediction = survey_ask(&town, NULL);
    rw_calibrate_options_init(&options);
    options.fit = fit;
    options.holdout = holdout;
    check_sentence(context, rw_calibrate(town.scene, &prediction, measurements, &options, &calibration), expected,
                   words);
    assert_null(calibration);
    rw_measurements_destroy(measurements);
}

static const char *no_route(const char *from)
{
    char text[8192] = "x,y,loss\n", line[256];
    FILE *file = fopen(from, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (strstr(line, ",mast") && strlen(text) < sizeof text - 200) {
            *strchr(strchr(strchr(line, ',') + 1, ',') + 1, ',') = 0;
            strcat(strcat(text, line), "\n");
        }
    fclose(file);
    return write_text("no_route.csv", text);
}

static void what_cannot_be_calibrated_is_refused(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    const char *good = "town.csv";
    char path[2048];
    snprintf(path, sizeof path, "%s", temporary_path(good));
    survey_write(&town, truth, 60, 3, 8, path);
    refuses_survey(path, "street,fog", NULL, RW_BAD_CALL, "no group of parameters 'fog'");
    refuses_survey(path, NULL, "route=z", RW_BAD_INPUT, "no measurement is of route 'z'");
    refuses_survey(path, NULL, "site=z", RW_BAD_INPUT, "no measurement is of site 'z'");
    refuses_survey(path, NULL, "random=0", RW_BAD_CALL, "between 0 and 1");
    refuses_survey(path, NULL, "random=1", RW_BAD_CALL, "between 0 and 1");
    refuses_survey(path, NULL, "random=some", RW_BAD_CALL, "some");
    refuses_survey(path, NULL, "route=", RW_BAD_CALL, "route=NAME, site=NAME or random=0.3");
    refuses_survey(path, NULL, "routes", RW_BAD_CALL, "route=NAME, site=NAME or random=0.3");
    refuses_survey(path, NULL, "random=0.999999", RW_BAD_INPUT, "all of its");
    refuses_survey(path, NULL, "random=1e-9", RW_BAD_INPUT, "none of the points to be held out");
    refuses_survey(no_route(path), NULL, NULL, RW_BAD_INPUT, "2 transmitters and no column");
    refuses_survey(write_text("site.csv", "x,y,loss,site\n200,200,90,mast\n201,201,90,tower\n"), NULL, NULL,
                   RW_BAD_INPUT, "line 3: no transmitter is called 'tower'");
    refuses_survey(write_text("off.csv", "x,y,loss,site\n1e6,200,90,mast\n1e7,201,90,mast\n"), NULL, NULL, RW_BAD_INPUT,
                   "2 off the scene");
    rw_params_destroy(truth);
}

static void points_inside_buildings_are_refused(void **state)
{
    (void)state;
    /* Of a raster over the town, the points inside buildings. */
    char text[16384] = "x,y,loss\n";
    size_t length = strlen(text), inside = 0;
    for (int i = 0; i < 1600 && inside < 40; i++) {
        rw_vec2 at = {5.0 + 10 * (i % 40) - town.scene->origin.x, 5.0 + 10 * (i / 40) - town.scene->origin.y};
        uint32_t part;
        if (rw_parts_at(town.scene, town.scene->prepared, at, 1.5, &part, 1) == 0)
            continue;
        length += (size_t)sprintf(text + length, "%d,%d,100\n", 5 + 10 * (i % 40), 5 + 10 * (i / 40));
        inside++;
    }
    rw_measurements *measurements = survey_load(context, write_text("inside.csv", text));
    rw_calibration *calibration;
    rw_evaluation *evaluation;
    rw_predict_options options = survey_ask(&town, NULL);
    options.transmitter_count = 1;
    check_sentence(context, rw_calibrate(town.scene, &options, measurements, NULL, &calibration), RW_BAD_INPUT,
                   "40 inside buildings");
    check_sentence(context, rw_evaluate_model(town.scene, &options, measurements, NULL, &evaluation), RW_BAD_INPUT,
                   "40 inside buildings");
    assert_null(evaluation);
    options.transmitter_count = 0;
    check_sentence(context, rw_evaluate_model(town.scene, &options, measurements, NULL, &evaluation), RW_BAD_CALL,
                   "no transmitter");
    rw_measurements_destroy(measurements);
}

static void fewer_points_than_parameters_are_refused(void **state)
{
    (void)state;
    rw_params *truth = survey_truth(context);
    char path[2048];
    snprintf(path, sizeof path, "%s", temporary_path("seven.csv"));
    size_t lines = survey_write(&town, truth, 7, 3, 8, path);
    assert_true(lines > 4 && lines <= 11);
    refuses_survey(write_text("one.csv", "x,y,loss,site\n200,200,90,mast\n"), "offset", NULL, RW_BAD_INPUT,
                   "1 points cannot determine 1 parameters");
    rw_measurements *measurements = survey_load(context, path);
    rw_calibration *calibration;
    rw_calibrate_options options;
    rw_predict_options prediction = survey_ask(&town, NULL);
    rw_calibrate_options_init(&options);
    options.fit = "street,wall,offset"; /* of seven unknowns; no more than five are of these paths */
    assert_ok(context, rw_calibrate(town.scene, &prediction, measurements, &options, &calibration));
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_params_destroy(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_calibrated_is_refused),
        cmocka_unit_test(points_inside_buildings_are_refused),
        cmocka_unit_test(fewer_points_than_parameters_are_refused),
    };
    context = make_context();
    town = survey_begin(context);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    survey_end(&town);
    rw_context_destroy(context);
    return failed;
}
