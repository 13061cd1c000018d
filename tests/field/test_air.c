/* Gases, rain and trees on the way: values that the Recommendations publish, and what predictions add of them. */
#include "field/air/foliage.k.h"
#include "prediction.h"

#include <rasterwave/calc.h>

/* ITU-R P.838-3, table 5: k and alpha for horizontal and vertical polarisation. */
static void rain_has_its_table(void **state)
{
    (void)state;
    static const double rows[][5] = {{1, 0.0000259, 0.9691, 0.0000308, 0.8592},
                                     {10, 0.01217, 1.2571, 0.01129, 1.2156},
                                     {30, 0.2403, 0.9485, 0.2291, 0.9129},
                                     {100, 1.3671, 0.6815, 1.3680, 0.6765}};
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int vertical = 0; vertical < 2; vertical++) {
            rw_air_options options;
            rw_air_result result = {.size = sizeof result};
            rw_air_options_init(&options);
            options.freq_hz = rows[i][0] * 1e9;
            options.tilt_deg = vertical ? 90 : 0;
            options.rain_mm_h = 50;
            assert_ok(context, rw_calc_air(context, &options, &result));
            double k = rows[i][1 + 2 * vertical], alpha = rows[i][2 + 2 * vertical];
            assert_near(result.rain_k / k, 1, 2e-3); /* the table has three to four digits */
            assert_near(result.rain_alpha, alpha, 1e-4);
            assert_near(result.rain_db_km / (k * pow(50, alpha)), 1, 3e-3);
        }
    /* a circular wave is half-way in k */
    rw_air_options options;
    rw_air_result circular = {.size = sizeof circular};
    rw_air_options_init(&options);
    options.freq_hz = 30e9;
    options.tilt_deg = 45;
    assert_ok(context, rw_calc_air(context, &options, &circular));
    assert_near(circular.rain_k, 0.5 * (0.2403 + 0.2291), 1e-4);
    rw_context_destroy(context);
}

/* Values of the ITU's own validation examples for P.676 (15 degrees, 1013.25 hPa, 7.5 g/m3). */
static void gases_have_published_values(void **state)
{
    (void)state;
    static const double rows[][3] = {{12, 0.008698264, 0.009535388},
                                     {20, 0.01188355, 0.09704730},
                                     {60, 14.62347480, 0.154841841},
                                     {90, 0.038869711, 0.341973394},
                                     {130, 0.041509083, 0.751844704}};
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rw_air_options options;
        rw_air_result result = {.size = sizeof result};
        rw_air_options_init(&options);
        options.freq_hz = rows[i][0] * 1e9;
        assert_ok(context, rw_calc_air(context, &options, &result));
        assert_near(result.oxygen_db_km / rows[i][1], 1, 2e-3);
        assert_near(result.vapour_db_km / rows[i][2], 1, 1.5e-2); /* the weaker lines are left out */
        assert_near(result.rain_db_km, 0, 0);
        assert_near(result.total_db_km, result.oxygen_db_km + result.vapour_db_km, 1e-12);
    }
    rw_context_destroy(context);
}

/* The rows of ITU-R P.833's table, the first metres and the end of the curve; and it always grows. */
static void trees_saturate(void **state)
{
    (void)state;
    static const double rows[][3] = {
        {105.9, 0.04, 9.4}, {466.475, 0.12, 18.0}, {949, 0.17, 26.5}, {1852.2, 0.30, 29.0}, {2117.5, 0.34, 34.1}};
    for (size_t i = 0; i < 5; i++) {
        rw_foliage_law law = rw_foliage_law_of(rows[i][0] * 1e6);
        assert_near(rw_foliage_loss_db(law, 0.01), 0.01 * rows[i][1], 1e-5);
        assert_near(rw_foliage_loss_db(law, 1e5), rows[i][2], 1e-6);
        assert_near(rw_foliage_loss_db(law, rows[i][2] / rows[i][1]), rows[i][2] * (1 - exp(-1)), 1e-9);
    }
    for (double freq_hz = 50e6; freq_hz < 30e9; freq_hz *= 1.1)
        assert_true(rw_foliage_loss_db(rw_foliage_law_of(freq_hz * 1.1), 30) >
                    rw_foliage_loss_db(rw_foliage_law_of(freq_hz), 30));
    assert_near(rw_foliage_loss_db(rw_foliage_law_of(1e9), 0), 0, 0);
}

static prediction begin_open(double freq_hz)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[]){0, 0, 10, 10}, 5, NULL);
    add_box(context, scene, (double[]){390, 190, 400, 200}, 5, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 20;
    now.tx[0].y_m = 100;
    now.tx[0].height_m = 8;
    now.options.freq_hz = freq_hz;
    return now;
}

/* In free space, with the Recommendation's numbers: the loss of a cell and its power. */
static void maps_have_gas_and_rain(void **state)
{
    (void)state;
    const struct {
        double freq_hz, rain_mm_h, db_km;
        const char *gas;
    } cases[] = {{60e9, NAN, 14.62347480 + 0.154841841, NULL},
                 {30e9, 20, 3.530, "none"}, /* 0.2291 20^0.9129 */
                 {90e9, NAN, 0, "none"},
                 {2e9, NAN, 0, NULL},
                 {12e9, NAN, 0.018233652, "standard"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        prediction now = begin_open(cases[i].freq_hz);
        now.options.rain_mm_h = cases[i].rain_mm_h;
        now.options.gas = cases[i].gas;
        now.options.effects = "none";
        now.options.layers = "path_loss,power";
        rw_map *map = predict(&now);
        double m = sqrt(362.5 * 362.5 + 2.5 * 2.5 + 6.5 * 6.5);
        double loss_db = 20 * log10(4 * M_PI * m * cases[i].freq_hz / 299792458.0) + cases[i].db_km * m * 1e-3;
        assert_near(value_at(map, "path_loss", 382.5, 102.5), loss_db, 5e-3);
        assert_near(value_at(map, "power", 382.5, 102.5), 30 - loss_db, 5e-3);
        rw_map_destroy(map);
        end(&now);
    }
}

/* Every outdoor model adds the same to its map; paths add by their own length. */
static void every_model_and_its_paths(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams", "cubes", "tiles", "rt"};
    for (int i = 0; i < 5; i++) {
        prediction now = begin_open(60e9);
        rw_predict_options options;
        rw_map *maps[2];
        rw_paths *paths[2];
        rw_path found[2];
        rw_point point = {.size = sizeof point, .x_m = 220, .y_m = 102.5, .height_m = 1.5};
        rw_predict_options_init_for(&options, models[i]);
        options.freq_hz = 60e9;
        options.transmitters = now.tx;
        options.transmitter_count = 1;
        options.layers = "path_loss";
        options.res_m = 10;
        for (int with = 0; with < 2; with++) {
            options.gas = with ? "standard" : "none";
            options.layers = "path_loss";
            assert_ok(now.context, rw_predict(now.scene, &options, &maps[with]));
            options.layers = NULL;
            assert_ok(now.context, rw_trace(now.scene, &options, &point, 1, &paths[with]));
            found[with].size = sizeof found[with];
            assert_int_equal(rw_paths_get(paths[with], 0, &found[with]), RW_OK);
        }
        double m = sqrt(185.0 * 185.0 + 5 * 5 + 6.5 * 6.5);
        assert_near(value_at(maps[1], "path_loss", 205, 105) - value_at(maps[0], "path_loss", 205, 105),
                    14.778 * m * 1e-3, 0.01);
        assert_near(found[1].loss_db - found[0].loss_db, 14.778 * found[1].length_m * 1e-3, 0.01);
        for (int with = 0; with < 2; with++) {
            rw_map_destroy(maps[with]);
            rw_paths_destroy(paths[with]);
        }
        end(&now);
    }
}

static void refusals(void **state)
{
    (void)state;
    prediction now = begin_open(30e9);
    rw_map *map;
    rw_air_options options;
    rw_air_result result = {.size = sizeof result};
    now.options.transmitters = now.tx;
    now.options.rain_mm_h = -1;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "rain");
    now.options.rain_mm_h = NAN;
    now.options.gas = "helium";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "standard");
    now.options.gas = NULL;
    check_sentence(now.context, rw_predict_options_set(now.context, &now.options, "rain", "20mm"), RW_BAD_CALL,
                   "20mm/h");
    rw_air_options_init(&options);
    options.vapour_g_m3 = -3;
    check_sentence(now.context, rw_calc_air(now.context, &options, &result), RW_BAD_CALL, "vapour");
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rain_has_its_table),
                                       cmocka_unit_test(gases_have_published_values),
                                       cmocka_unit_test(trees_saturate),
                                       cmocka_unit_test(maps_have_gas_and_rain),
                                       cmocka_unit_test(every_model_and_its_paths),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
