/* labels: files */
/* What rw_predict refuses, each with its sentence and no map: options, transmitters, scenes that are not committed. */
#include "prediction.h"

static void refused(prediction *now, const rw_predict_options *options, rw_status status, const char *words)
{
    rw_map *map = (rw_map *)1;
    check_sentence(now->context, rw_predict(now->scene, options, &map), status, words);
    assert_null(map);
}

static void refuses_bad_options(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 0);
    now.options.transmitters = now.tx;
#define REFUSED(status, words, ...)                                                                                    \
    do {                                                                                                               \
        rw_predict_options bad = now.options;                                                                          \
        __VA_ARGS__;                                                                                                   \
        refused(&now, &bad, status, words);                                                                            \
    } while (0)
    REFUSED(RW_BAD_CALL, "model", bad.model = "magic");
    REFUSED(RW_BAD_CALL, "model", bad.model = NULL);
    REFUSED(RW_BAD_CALL, "layer 'sky'", bad.layers = "los,sky");
    REFUSED(RW_BAD_CALL, "layer", bad.layers = "");
    REFUSED(RW_BAD_CALL, "method", bad.method = "guess");
    REFUSED(RW_BAD_CALL, "transmitter", bad.transmitter_count = 0);
    REFUSED(RW_BAD_CALL, "freq = ", bad.freq_hz = 900);
    REFUSED(RW_BAD_CALL, "freq = ", bad.freq_hz = 1e30);
    static const double wrong[] = {0, -1, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        REFUSED(RW_BAD_CALL, "freq = ", bad.freq_hz = wrong[i]);
        REFUSED(RW_BAD_CALL, "res = ", bad.res_m = wrong[i]);
        REFUSED(RW_BAD_CALL, "rx-height = ", bad.rx_height_m = wrong[i]);
    }
    REFUSED(RW_BAD_CALL, "effect", bad.effects = "roofs,magic");
    REFUSED(RW_BAD_CALL, "effects", bad.layers = "mechanism"; bad.effects = "none");
    REFUSED(RW_BAD_CALL, "order", bad.order = 0);
    REFUSED(RW_BAD_CALL, "order", bad.order = 21);
    REFUSED(RW_BAD_CALL, "best = 9", bad.best = 9);
    REFUSED(RW_BAD_CALL, "init call", bad.size = 0);
    REFUSED(RW_BAD_CALL, "area", bad.area_m[2] = 10);
    REFUSED(RW_BAD_CALL, "empty", for (int k = 0; k < 4; k++) bad.area_m[k] = 10);
    REFUSED(RW_BAD_CALL, "empty", for (int k = 0; k < 4; k++) bad.area_m[k] = 0);
    REFUSED(RW_TOO_LARGE, "receivers", bad.res_m = 1e-5);
    REFUSED(RW_TOO_LARGE, "receivers", bad.area_m[0] = bad.area_m[1] = 0; bad.area_m[2] = bad.area_m[3] = 1e9);
    end(&now);
}

static void refuses_bad_transmitters(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[]){0, 0, 50, 50}, 10, "hall");
    add_box_mesh(context, scene, (double[]){70, 70, 0}, (double[]){90, 90, 15});
    prediction now = begin_with(context, scene);
    now.options.transmitters = now.tx;
    refused(&now, &now.options, RW_BAD_CALL, "not committed");
    assert_ok(context, rw_scene_commit(scene));
    const rw_transmitter good = {
        .size = sizeof good, .name = "mast", .x_m = 60, .y_m = 20, .height_m = 5, .antenna = "dipole"};
#define REFUSED_TX(words, ...)                                                                                         \
    do {                                                                                                               \
        rw_transmitter bad = good;                                                                                     \
        __VA_ARGS__;                                                                                                   \
        now.tx[0] = bad;                                                                                               \
        refused(&now, &now.options, RW_BAD_CALL, words);                                                               \
    } while (0)
    REFUSED_TX("inside a building (hall)", bad.x_m = 20);
    REFUSED_TX("inside a closed mesh", bad.x_m = 80; bad.y_m = 77);
    REFUSED_TX("off the map", bad.x_m = 1e6);
    REFUSED_TX("off the map", bad.y_m = -7e4);
    REFUSED_TX("finite", bad.x_m = NAN);
    REFUSED_TX("finite", bad.y_m = INFINITY);
    REFUSED_TX("above 0", bad.height_m = 0);
    REFUSED_TX("above 0", bad.height_m = NAN);
    REFUSED_TX("frequency", bad.freq_hz = -1);
    REFUSED_TX("power", bad.power_dbm = NAN);
    REFUSED_TX("azimuth", bad.azimuth_deg = INFINITY);
    REFUSED_TX("tilt", bad.downtilt_deg = NAN);
    now.tx[0] = good;
    memcpy(now.options.area_m, (double[]){10, 10, 40, 40}, sizeof now.options.area_m);
    refused(&now, &now.options, RW_BAD_CALL, "no receivers");
    now.tx[0].x_m = 20;
    now.tx[0].height_m = 11; /* on its roof */
    memcpy(now.options.area_m, (double[]){10, 10, 60, 40}, sizeof now.options.area_m);
    rw_map_destroy(predict(&now));
    end(&now);
}

/* A caller built with a header that had fewer members: the others are at their defaults, whatever lies behind its
 * struct. */
static void older_callers_get_defaults(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 0);
    now.options.transmitters = now.tx;
    rw_predict_options older = now.options;
    older.size = offsetof(rw_predict_options, freq_hz);
    older.freq_hz = older.res_m = older.rx_height_m = NAN;
    rw_map *map;
    rw_map_info info = {.size = sizeof info};
    assert_ok(now.context, rw_predict(now.scene, &older, &map));
    assert_ok(now.context, rw_map_get_info(map, &info));
    assert_near(info.res_m, 5, 0);
    assert_near(info.rx_height_m, 1.5, 0);
    rw_map_destroy(map);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(older_callers_get_defaults),
                                       cmocka_unit_test(refuses_bad_options),
                                       cmocka_unit_test(refuses_bad_transmitters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
