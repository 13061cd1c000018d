/* Options of models: each model's table against what the model takes, refuses and fills in. */
#include "models/beams/beams.h"
#include "models/engine/model.h"
#include "models/rays/rays.h"
#include "models/rt/rt.h"
#include "models/shadow/shadow.h"
#include "models/tiles/tiles.h"
#include "prediction.h"
#include "temporary.h"

#include <rasterwave/calibrate.h>

static const char *const models[] = {"shadow", "beams", "cubes", "images", "sbr", "rt", "tiles"};
#define MODELS (sizeof models / sizeof *models)

static rw_predict_options of(const char *model)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, model);
    return options;
}

static void refused(rw_context *context, rw_predict_options options, const char *words)
{
    check_sentence(context, rw_predict_options_complete(context, &options), RW_BAD_CALL, words);
}

/* Everything but the model is unset, and complete options pass again unchanged. */
static void init_leaves_all_unset(void **state)
{
    (void)state;
    rw_context *context = make_context();
    for (size_t m = 0; m < MODELS; m++) {
        rw_predict_options options = of(models[m]), again;
        const rw_model_option *option;
        int all;
        for (size_t i = 0; (option = rw_model_option_at(rw_model_lookup(models[m]), i, &all)) != NULL; i++)
            if (option->at)
                assert_int_equal(rw_option_is_set(option, (char *)&options + option->at), 0);
        assert_ok(context, rw_predict_options_complete(context, &options));
        again = options;
        assert_ok(context, rw_predict_options_complete(context, &again));
        assert_memory_equal(&again, &options, sizeof again);
    }
    rw_context_destroy(context);
}

/* The public enumeration has every entry of the tables, with all that a user wants to know. */
static void enumeration_is_whole(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        const rw_model *model = rw_model_lookup(models[m]);
        size_t count = rw_model_option_count(models[m]), own = 0;
        for (size_t i = 0; i < count; i++) {
            rw_model_option_info info = {.size = sizeof info};
            assert_int_equal(rw_model_option_get(models[m], i, &info), RW_OK);
            assert_non_null(rw_model_option_find(model, info.name));
            assert_true(info.help && info.help[strlen(info.help) - 1] == '.' && info.calls && info.default_text);
            int is_number = info.type == RW_OPTION_INTEGER || info.type == RW_OPTION_QUANTITY;
            assert_true(!is_number || info.min < info.max);
            assert_true((info.type != RW_OPTION_CHOICE && info.type != RW_OPTION_LIST) || info.choices);
            own += !info.of_all_models;
        }
        for (const rw_model_option *option = model->options; option->name; option++) {
            rw_model_option_info info = {.size = sizeof info};
            int found = 0;
            for (size_t i = 0; i < count && rw_model_option_get(models[m], i, &info) == RW_OK; i++)
                found += strcmp(info.name, option->name) == 0;
            assert_int_equal(found, 1);
        }
        assert_true(own >= 4 && count > own);
    }
    rw_model_option_info info = {.size = sizeof info};
    assert_int_equal(rw_model_option_count("magic"), 0);
    assert_int_equal(rw_model_option_get("shadow", 1000, &info), RW_NOT_FOUND);
    info.size = 2 * sizeof(size_t); /* an older caller's: nothing behind it is written */
    info.help = "untouched";
    assert_int_equal(rw_model_option_get("shadow", 0, &info), RW_OK);
    assert_string_equal(info.help, "untouched");
    info.size = 0;
    assert_int_equal(rw_model_option_get("shadow", 0, &info), RW_BAD_CALL);
}

/* Just outside its range every number is refused by name, and at both ends it is taken. */
static void ranges_hold(void **state)
{
    (void)state;
    rw_context *context = make_context();
    for (size_t m = 0; m < MODELS; m++) {
        const rw_model_option *option;
        int all;
        for (size_t i = 0; (option = rw_model_option_at(rw_model_lookup(models[m]), i, &all)) != NULL; i++) {
            char words[64];
            double values[] = {option->min, option->max, option->min - 1, option->max * 1.01 + 1};
            int is_integer = option->type == RW_OPTION_INTEGER;
            if (!option->at || (!is_integer && option->type != RW_OPTION_QUANTITY))
                continue;
            snprintf(words, sizeof words, "%s = ", option->name);
            for (int k = 0; k < 4; k++) {
                rw_predict_options options = of(models[m]);
                char *field = (char *)&options + option->at;
                if (is_integer)
                    *(int *)field = (int)values[k];
                else
                    *(double *)field = values[k];
                if (k < 2)
                    assert_ok(context, rw_predict_options_complete(context, &options));
                else
                    refused(context, options, words);
            }
        }
    }
    rw_context_destroy(context);
}

/* What one model has and another has not, the other refuses, with a list of what it has. */
static void foreign_options_are_refused(void **state)
{
    (void)state;
    rw_context *context = make_context();
    size_t pairs = 0;
    for (size_t m = 0; m < MODELS; m++)
        for (const rw_model_option *option = rw_model_lookup(models[m])->options; option->name; option++)
            for (size_t k = 0; k < MODELS; k++) {
                rw_predict_options options = of(models[k]);
                char words[128];
                const rw_model_option *own = rw_model_option_find(rw_model_lookup(models[k]), option->name);
                if (own && own->at == option->at)
                    continue;
                snprintf(words, sizeof words, "model %s has no option %s; it has layers, freq, res", models[k],
                         option->name);
                check_sentence(context, rw_predict_options_set(context, &options, option->name, "1"), RW_BAD_CALL,
                               words);
                if (!option->at || option->type == RW_OPTION_DATABASE || option->type == RW_OPTION_PARAMS)
                    continue;
                const char *text = option->type == RW_OPTION_PLANE ? "0,0,1:1,0,0:0,1,0" : "1";
                assert_ok(context, rw_option_parse(context, option, text, (char *)&options + option->at));
                refused(context, options, words);
                pairs++;
            }
    assert_true(pairs > 60);
    rw_predict_options options = of("cubes");
    options.depth = 99;
    options.pixels = -5;
    refused(context, options, "model cubes has no option ");
    rw_context_destroy(context);
}

/* A prediction, paths, an estimate, tiles, an evaluation and a calibration all refuse. */
static void every_call_checks(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 0);
    rw_map *map;
    rw_paths *paths;
    rw_tile_map *tiles;
    rw_estimate estimate = {0};
    rw_point point = {.size = sizeof point, .x_m = 10, .y_m = 10, .height_m = NAN};
    rw_evaluation *evaluation;
    rw_calibration *calibration;
    rw_measurements *measurements;
    const char *words = "model cubes has no option ";
    now.options.model = "cubes";
    now.options.transmitters = now.tx;
    now.options.depth = 99;
    now.options.pixels = -5;
    assert_ok(now.context,
              rw_measurements_load(now.context, write_text("few.csv", "x,y,value\n1,2,90\n"), NULL, &measurements));
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, words);
    check_sentence(now.context, rw_predict_estimate(now.scene, &now.options, &estimate), RW_BAD_CALL, words);
    check_sentence(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths), RW_BAD_CALL, words);
    check_sentence(now.context, rw_predict_tiles(now.scene, &now.options, &tiles), RW_BAD_CALL, words);
    check_sentence(now.context, rw_evaluate_model(now.scene, &now.options, measurements, NULL, &evaluation),
                   RW_BAD_CALL, words);
    check_sentence(now.context, rw_calibrate(now.scene, &now.options, measurements, NULL, &calibration), RW_BAD_CALL,
                   words);
    rw_measurements_destroy(measurements);
    end(&now);
}

/* The models compute with what the tables say. */
static void defaults_are_those_of_the_models(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 0);
    rw_prediction taken = {.scene = now.scene};
    rw_beam_settings usual, beams;
    rw_rt_limits rt;
    rw_tile_limits tiles;
    rw_shadow_effects shadow;
    rw_tiling tiling;
    rw_predict_options options = of("beams");
    taken.options = &options;
    taken.layers = "path_loss";
    assert_ok(now.context, rw_predict_options_complete(now.context, &options));
    rw_beam_settings_init(&usual);
    assert_ok(now.context, rw_beam_settings_resolve(&taken, &beams));
    assert_true(beams.reflections == usual.reflections && beams.transmissions == usual.transmissions &&
                beams.diffractions == usual.diffractions && beams.bins == 0 && beams.roofs == RW_ROOFS_VOGLER &&
                beams.theory);
    assert_near(beams.loss_max_db, usual.loss_max_db, 0);
    assert_near(beams.bin_s, usual.bin_s, 0);
    options = of("rt");
    assert_ok(now.context, rw_predict_options_complete(now.context, &options));
    rw_rt_resolve(&taken, &rt);
    assert_true(rt.depth == 2 && rt.reflections == 2 && rt.diffractions == 1 && rt.scatterings == 1);
    assert_near(rt.loss_max_db, 200, 0);
    options = of("tiles");
    assert_ok(now.context, rw_predict_options_complete(now.context, &options));
    assert_ok(now.context, rw_tile_resolve(&taken, RW_USE_MAP, &tiles, &tiling));
    assert_true(tiles.depth == 3 && tiles.reflections == 3 && tiles.diffractions == 1 && tiles.scatterings == 1);
    assert_near(tiling.area_m2, 100, 0);
    assert_near(tiles.memory_bytes, 0, 0);
    options = of("shadow");
    taken.layers = "path_loss";
    assert_ok(now.context, rw_predict_options_complete(now.context, &options));
    assert_ok(now.context, rw_shadow_effects_resolve(&taken, &shadow));
    assert_true(shadow.order == 20 && shadow.best_count == 0 && shadow.walls);
    assert_true(shadow.streets == RW_SHADOW_STREETS_BERG && shadow.roofs == RW_SHADOW_ROOFS_SCREENS);
    assert_string_equal(shadow.prior, "3gpp");
    assert_near(options.res_m, 5, 0);
    assert_near(options.freq_hz, 947e6, 0);
    options = of("images");
    assert_ok(now.context, rw_predict_options_complete(now.context, &options));
    assert_near(options.res_m, 1.0 / 3, 0);
    assert_near(options.rx_height_m, 1.1, 0);
    assert_true(rw_search_limits_of(&options).depth == 4 && options.pixels == 1024 && options.diffractions == 0);
    end(&now);
}

static void texts_set_fields(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_predict_options options;
    rw_predict_options_init(&options);
#define SET(name, text) assert_ok(context, rw_predict_options_set(context, &options, name, text))
    SET("model", "beams");
    SET("freq", "3.5GHz");
    SET("loss-max", "120dB");
    SET("loss_max", "130dB");
    SET("reflections", "3");
    SET("memory", "4GB");
    SET("device-memory", "512MiB");
    SET("area", "0,-10,1km,20");
    SET("delay-bins", "128,50ns,2us");
    assert_string_equal(options.model, "beams");
    assert_near(options.freq_hz, 3.5e9, 0);
    assert_near(options.loss_max_db, 130, 0);
    assert_int_equal(options.reflections, 3);
    assert_near(options.memory_bytes, 4e9, 0);
    assert_near(options.device_memory_bytes, 512.0 * 1024 * 1024, 0);
    assert_true(options.area_m[0] == 0 && options.area_m[1] == -10 && options.area_m[2] == 1000 &&
                options.area_m[3] == 20);
    assert_int_equal(options.delay_bins, 128);
    assert_near(options.delay_bin_s, 50e-9, 1e-20);
    assert_near(options.delay_first_s, 2e-6, 1e-18);
    SET("model", "images");
    SET("plane", "1,2,3:4,0,0:0,5,0");
    SET("sum", "local");
    assert_near(options.plane_m[7], 5, 0);
    assert_string_equal(options.sum, "local");
    static const char *const bad[][3] = {{"depth", "two", "whole number"},
                                         {"depth", "3.5", "whole number"},
                                         {"depth", "17", "depth = 17 is out of range: 1 to 16"},
                                         {"freq", "3.5km", "freq: '3.5km' has no unit"},
                                         {"area", "1,2,3", "area"},
                                         {"area", "1,2,3,4,5", "area"},
                                         {"plane", "1,2,3:4,0,0:0,5", "plane"},
                                         {"sum", "all", "expected one of coherent,power,local"},
                                         {"layers", "sky", "no layer 'sky'"},
                                         {"params", "a.json", "load the file"},
                                         {"size", "1", "no option size"},
                                         {"model", "magic", "no model 'magic'"}};
    rw_predict_options before = options;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_sentence(context, rw_predict_options_set(context, &options, bad[i][0], bad[i][1]), RW_BAD_CALL,
                       bad[i][2]);
    assert_memory_equal(&before, &options, sizeof before);
    options.size = offsetof(rw_predict_options, pixels); /* a caller of before there were pixels */
    check_sentence(context, rw_predict_options_set(context, &options, "pixels", "64"), RW_BAD_CALL, "no option pixels");
    rw_context_destroy(context);
}

static void preprocess_has_its_own(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 0);
    rw_preprocess_options options;
    rw_preprocess_options_init(&options);
    options.tile_quarter = 1;
    check_sentence(now.context, rw_preprocess(now.scene, &options, "never.rwdb"), RW_BAD_CALL,
                   "model shadow has no option tile-quarter of preprocess; it has res, rx-height, area, memory");
    options.tile_quarter = 7;
    options.model = "tiles";
    check_sentence(now.context, rw_preprocess(now.scene, &options, "never.rwdb"), RW_BAD_CALL,
                   "tile-quarter = 7 is out of range: 0 to 6");
    assert_ok(now.context, rw_preprocess_options_set(now.context, &options, "tile-area", "25"));
    assert_near(options.tile_area_m2, 25, 0);
    check_sentence(now.context, rw_preprocess_options_set(now.context, &options, "res", "5"), RW_BAD_CALL,
                   "model tiles has no option res of preprocess");
    options.model = "cubes";
    check_sentence(now.context, rw_preprocess(now.scene, &options, "never.rwdb"), RW_BAD_CALL, "has no database");
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_leaves_all_unset), cmocka_unit_test(enumeration_is_whole),
        cmocka_unit_test(ranges_hold),           cmocka_unit_test(foreign_options_are_refused),
        cmocka_unit_test(every_call_checks),     cmocka_unit_test(defaults_are_those_of_the_models),
        cmocka_unit_test(texts_set_fields),      cmocka_unit_test(preprocess_has_its_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
