/* Coverage as a probability on maps of one value, where both limits of the correlation are known in closed form. */
#include "output/maps/map.h"

#include "shapes.h"
#include "unit.h"

#include <math.h>

#define SIDE 50

static rw_context *context;

static rw_map *make_level_map(const char *layer, const char *unit, size_t bands, float value)
{
    rw_map *map;
    float *values;
    rw_map_info info = {.size = sizeof info, .columns = SIDE, .rows = SIDE, .res_m = 10};
    assert_ok(context, rw_map_create(context, &info, "", &map));
    assert_ok(context, rw_map_add_layer(map, layer, unit, bands, &values));
    for (size_t i = 0; i < bands * SIDE * SIDE; i++)
        values[i] = value;
    for (size_t band = 0; band < bands; band++)
        values[band * SIDE * SIDE] = NAN; /* a building */
    return map;
}

static rw_confidence confidence_of(const rw_map *map, double level, double correlation_m, double site_correlation)
{
    rw_confidence found = {.size = sizeof found};
    rw_confidence_options options;
    rw_confidence_options_init(&options);
    options.level = level;
    options.correlation_m = correlation_m;
    options.site_correlation = site_correlation;
    options.target = 0.5;
    options.draws = 1000;
    assert_ok(context, rw_map_confidence(map, &options, &found));
    return found;
}

static double normal(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

/* Independent cells: every draw covers the same fraction. One shadow for all: a draw covers all or nothing. */
static void limits_of_the_correlation(void **state)
{
    (void)state;
    rw_map *map = make_level_map("power", "dBm", 1, -82);
    rw_confidence apart = confidence_of(map, -90, 1e-3, 0.5);
    assert_int_equal(apart.receivers, SIDE * SIDE - 1);
    assert_near(apart.predicted, 1, 0);
    assert_near(apart.mean, normal(1), 0.002);
    assert_near(apart.covered, normal(1), 0.02);
    assert_near(apart.target_probability, 1, 0);
    assert_near(apart.locations, 0, 0); /* 84 % each, and 90 % is wanted */
    rw_confidence one = confidence_of(map, -90, 1e9, 0.5);
    assert_near(one.mean, normal(1), 0.04);
    assert_near(one.covered, 0, 1e-9);
    assert_near(one.target_probability, normal(1), 0.04);
    rw_confidence sure = confidence_of(map, -82 - 8 * 1.2816, 1e9, 0.5);
    assert_near(sure.locations, 1, 0);
    assert_near(sure.mean, 0.9, 0.03);
    rw_map_destroy(map);
    rw_map *loss = make_level_map("path_loss", "dB", 1, 112); /* the same in the other direction */
    assert_near(confidence_of(loss, 120, 1e-3, 0.5).mean, normal(1), 0.002);
    rw_map_destroy(loss);
}

/* Weights: the half of the map that is covered has a tenth of the people. */
static void weights_count_people(void **state)
{
    (void)state;
    static double weights[SIDE * SIDE];
    rw_map *map = make_level_map("power", "dBm", 1, -60);
    rw_confidence found = {.size = sizeof found};
    rw_confidence_options options;
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        weights[i] = i < SIDE * SIDE / 2 ? 9 : 1;
        map->layers[0].values[i] = i == 0 ? NAN : i < SIDE * SIDE / 2 ? -150.0f : -60.0f;
    }
    weights[0] = 0;
    rw_confidence_options_init(&options);
    options.level = -100;
    options.cell_weights = weights;
    assert_ok(context, rw_map_confidence(map, &options, &found));
    double share = (SIDE * SIDE / 2) / (9. * (SIDE * SIDE / 2 - 1) + SIDE * SIDE / 2);
    assert_near(found.predicted, share, 1e-12);
    assert_near(found.mean, share, 1e-3);
    assert_near(found.locations, share, 1e-12);
    weights[5] = NAN;
    assert_int_equal(rw_map_confidence(map, &options, &found), RW_BAD_CALL);
    rw_map_destroy(map);
}

/* Two sites with one value: independent shadows miss both with the product, one shadow as a single site. */
static void sites_help_each_other(void **state)
{
    (void)state;
    rw_map *map = make_level_map("power", "dBm", 2, -90);
    assert_near(confidence_of(map, -90, 1e-3, 0).mean, 0.75, 0.004);
    assert_near(confidence_of(map, -90, 1e-3, 1).mean, 0.5, 0.004);
    /* 0.5 + asin(rho) / (2 pi) = 1/4 + asin(1/2)/(2 pi) = 1/3 of both below */
    assert_near(confidence_of(map, -90, 1e-3, 0.5).mean, 2. / 3, 0.004);
    rw_map_destroy(map);
}

static void bad_requests_are_rejected(void **state)
{
    (void)state;
    rw_map *map = make_level_map("power", "dBm", 1, -90), *classes = make_level_map("best", "", 1, 1);
    rw_confidence found = {.size = sizeof found};
    for (int i = 0; i < 7; i++) {
        rw_confidence_options options;
        rw_confidence_options_init(&options);
        options.level = i == 0 ? NAN : -90;
        options.confidence = i == 1 ? 1 : i == 2 ? 0 : 0.9;
        options.sigma_db = i == 3 ? 0 : 8;
        options.target = i == 4 ? 95 : NAN;
        options.draws = i == 5 ? 1 : 20;
        options.band = i == 6 ? 1 : 0;
        assert_int_equal(rw_map_confidence(map, &options, &found), RW_BAD_CALL);
    }
    assert_int_equal(rw_map_confidence(map, NULL, &found), RW_BAD_CALL);
    rw_confidence_options options;
    rw_confidence_options_init(&options);
    options.level = 1;
    assert_int_equal(rw_map_confidence(classes, &options, &found), RW_BAD_CALL);
    rw_map_destroy(map);
    rw_map_destroy(classes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits_of_the_correlation),
                                       cmocka_unit_test(weights_count_people), cmocka_unit_test(sites_help_each_other),
                                       cmocka_unit_test(bad_requests_are_rejected)};
    context = make_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
