/* Presets and rate tables against figures of their standards, and against options given one by one. */
#include "models/engine/options/options.h"
#include "models/engine/received/received.h"
#include "scene/scene.h"

#include "shapes.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static rw_context *context;

static rw_preset preset_of(const char *name)
{
    rw_preset preset = {.size = sizeof preset};
    assert_ok(context, rw_preset_find(context, name, &preset));
    return preset;
}

static void names_are_those_of_the_option(void **state)
{
    (void)state;
    char names[512] = "";
    rw_preset preset = {.size = sizeof preset};
    for (size_t i = 0; i < rw_preset_count(); i++) {
        assert_int_equal(rw_preset_get(i, &preset), RW_OK);
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? "," : "", preset.name);
        assert_true(*preset.about && *preset.antenna && *preset.throughput);
    }
    assert_string_equal(names, RW_PRESET_NAMES);
    assert_int_equal(rw_preset_get(rw_preset_count(), &preset), RW_NOT_FOUND);
    assert_int_equal(rw_preset_find(context, "wifi-9", &preset), RW_NOT_FOUND);
    assert_non_null(strstr(rw_last_error(context), "lora-868"));
}

/* -174 dBm/Hz over the band, the noise figure and the SINR of the lowest rate. */
static void sensitivities_are_those_of_the_standards(void **state)
{
    (void)state;
    assert_near(preset_of("lora-868").sensitivity_dbm, -137, 0.1);    /* Semtech SX1276: -137 dBm at SF12 */
    assert_near(preset_of("wifi-2.4").sensitivity_dbm, -82 - 3, 0.4); /* 802.11: -82 dBm with 10 dB in place of 7 */
    assert_near(preset_of("wifi-5").sensitivity_dbm, -76 - 3, 0.4);   /* of 80 MHz */
    assert_near(preset_of("lte-1800").sensitivity_dbm, -174 + 72.55 + 9 - 10, 0.1); /* 18 MHz */
    assert_near(preset_of("nr-3500").base_sensitivity_dbm, -174 + 79.92 + 5 - 10, 0.1);
    double dbm;
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.preset = "lora-915";
    assert_ok(context, rw_predict_sensitivity(context, &options, &dbm));
    assert_near(dbm, preset_of("lora-915").sensitivity_dbm, 1e-9);
    options.noise_figure_db = 10;
    assert_ok(context, rw_predict_sensitivity(context, &options, &dbm));
    assert_near(dbm, preset_of("lora-915").sensitivity_dbm + 4, 1e-9);
}

static double rate_of(const char *table, double bandwidth_hz, double sinr_db)
{
    rw_network_plan plan = {.bandwidth_hz = bandwidth_hz};
    rw_rate_table_apply(table, &plan);
    return rw_network_rate(&plan, sinr_db);
}

/* Mbit/s of the tables of rates in IEEE 802.11-2020 and 802.11ax-2021, and Semtech AN1200.22. */
static void rates_are_those_of_the_standards(void **state)
{
    (void)state;
    assert_near(rate_of("802.11ax", 20e6, 8.9), 0, 0);
    assert_near(rate_of("802.11ax", 20e6, 9), 8.6e6, 0.05e6);
    assert_near(rate_of("802.11ax", 20e6, 60), 143.4e6, 0.05e6);
    assert_near(rate_of("802.11ax", 40e6, 60), 286.8e6, 0.05e6);
    assert_near(rate_of("802.11ax", 80e6, 60), 600.5e6, 0.05e6);
    assert_near(rate_of("802.11ax", 160e6, 60), 1201e6, 0.5e6);
    assert_near(rate_of("802.11ac", 80e6, 33.9), 351e6, 0.5e6); /* MCS 8 */
    assert_near(rate_of("802.11ac", 80e6, 34), 390e6, 0.5e6);   /* MCS 9 */
    assert_near(rate_of("802.11ac", 20e6, 60), 78e6, 0.5e6);    /* MCS 8: one stream of 20 MHz has no MCS 9 */
    assert_near(rate_of("802.11ac", 40e6, 60), 180e6, 0.5e6);   /* MCS 9 */
    assert_near(rate_of("802.11n", 20e6, 60), 65e6, 0.05e6);
    assert_near(rate_of("802.11n", 160e6, 60), 135e6, 0.05e6); /* no wider channel than 40 MHz */
    assert_near(rate_of("lora", 125e3, -20), 293, 0.5);
    assert_near(rate_of("lora", 125e3, -12.4), 1758, 0.5);
    assert_near(rate_of("lora", 125e3, 5), 5469, 0.5);
    assert_near(rate_of("lora", 125e3, -20.1), 0, 0);
}

static rw_map *predict_with(const rw_scene *scene, const char *preset, double freq_hz)
{
    rw_map *map;
    rw_transmitter mast;
    rw_transmitter_init(&mast);
    mast.x_m = mast.y_m = 60;
    mast.height_m = 40;
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.transmitters = &mast;
    options.transmitter_count = 1;
    options.layers = "path_loss,rsrp,noise,throughput";
    options.preset = preset;
    options.freq_hz = freq_hz;
    options.res_m = 20;
    if (!preset) { /* by hand: 802.11ax in 20 MHz */
        options.bandwidth_hz = 20e6;
        options.subcarrier_spacing_hz = 78125;
        options.resource_blocks = 20;
        options.noise_figure_db = 7;
        options.throughput = "802.11ax";
    }
    assert_ok(context, rw_predict(scene, &options, &map));
    return map;
}

static void options_fill_what_is_unset(void **state)
{
    (void)state;
    rw_scene *scene;
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 120;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    const struct {
        const char *preset;
        double freq_hz, hand_hz;
    } cases[] = {{"wifi-2.4", NAN, 2437e6}, {"wifi-2.4", 2412e6, 2412e6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rw_map *a = predict_with(scene, cases[i].preset, cases[i].freq_hz);
        rw_map *b = predict_with(scene, NULL, cases[i].hand_hz);
        for (size_t layer = 0; layer < 4; layer++) {
            rw_map_layer x = {.size = sizeof x}, y = {.size = sizeof y};
            assert_ok(context, rw_map_get_layer(a, layer, &x));
            assert_ok(context, rw_map_get_layer(b, layer, &y));
            assert_true(x.count > 0 && x.count == y.count);
            assert_near(x.min, y.min, 0);
            assert_near(x.max, y.max, 0);
        }
        rw_map_destroy(a);
        rw_map_destroy(b);
    }
    rw_scene_destroy(scene);
}

static void unknown_presets_are_rejected(void **state)
{
    (void)state;
    rw_predict_options options;
    double dbm;
    rw_predict_options_init(&options);
    options.preset = "wifi-9";
    assert_int_equal(rw_predict_sensitivity(context, &options, &dbm), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(context), "preset"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_option), cmocka_unit_test(sensitivities_are_those_of_the_standards),
        cmocka_unit_test(rates_are_those_of_the_standards), cmocka_unit_test(options_fill_what_is_unset),
        cmocka_unit_test(unknown_presets_are_rejected)};
    context = make_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
