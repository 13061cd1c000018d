/* labels: files */
/* Two maps made by hand: differences counted on paper, the difference as a map, and maps that cannot be compared. */
#include "output/maps/map.h"

#include "unit.h"

static rw_context *context;

/* 3 x 2 cells from (100, 200) on, two bands. */
static rw_map *make_map(const float values[2][6], const char *layer, const char *unit, rw_map_info info)
{
    rw_map *map;
    float *room;
    info.size = sizeof info;
    info.columns = info.columns ? info.columns : 3;
    info.rows = info.rows ? info.rows : 2;
    info.res_m = info.res_m > 0 ? info.res_m : 5;
    info.x0_m = info.x0_m > 0 ? info.x0_m : 100;
    info.y0_m = 200;
    assert_ok(context, rw_map_create(context, &info, "", &map));
    assert_ok(context, rw_map_add_layer(map, layer, unit, 2, &room));
    if (info.columns == 3)
        memcpy(room, values, 12 * sizeof **values);
    return map;
}

static const float before[2][6] = {{80, 90, NAN, 100, INFINITY, 70}, {60, 61, 62, 63, 64, 65}};
static const float after[2][6] = {{81, 90, 95, 88, 77, NAN}, {60, 61, 62, 63, 64, 65.5f}};

static rw_map *first(void)
{
    return make_map(before, "path_loss", "dB", (rw_map_info){0});
}

static void differences_are_as_on_paper(void **state)
{
    (void)state;
    rw_map *a = first(), *b = make_map(after, "path_loss", "dB", (rw_map_info){0}), *difference;
    rw_map_compare_options options;
    rw_map_difference found = {.size = sizeof found};
    rw_map_layer layer = {.size = sizeof layer};
    rw_map_compare_options_init(&options);
    options.band = 0;
    assert_ok(context, rw_map_compare(a, b, &options, &found, &difference));
    /* of six cells three are in both: +1, 0, -12 */
    assert_int_equal(found.cells, 3);
    assert_int_equal(found.only_first, 1);
    assert_int_equal(found.only_second, 2);
    assert_near(found.mean, -11.0 / 3, 1e-12);
    assert_near(found.rms, sqrt(145.0 / 3), 1e-12);
    assert_near(found.max, -12, 0);
    assert_near(found.max_x_m, 102.5, 1e-9); /* the first cell of the second row */
    assert_near(found.max_y_m, 207.5, 1e-9);
    assert_near(found.fraction_above, 1.0 / 3, 1e-12);
    assert_ok(context, rw_map_get_layer(difference, 0, &layer));
    assert_string_equal(layer.name, "difference");
    assert_string_equal(layer.unit, "dB");
    assert_int_equal(layer.bands, 1);
    const float expected[6] = {1, 0, NAN, -12, NAN, NAN};
    for (int i = 0; i < 6; i++)
        assert_true(isnan(expected[i]) ? isnan(layer.values[i]) : layer.values[i] == expected[i]);
    rw_map_destroy(difference);
    options.band = RW_ALL_BANDS;
    options.above = 0.4;
    assert_ok(context, rw_map_compare(a, b, &options, &found, NULL));
    assert_int_equal(found.cells, 9);
    assert_near(found.fraction_above, 3.0 / 9, 1e-12);
    assert_ok(context, rw_map_compare(a, a, NULL, &found, NULL));
    assert_near(found.max, 0, 0);
    assert_near(found.fraction_above, 0, 0);
    rw_map_destroy(a);
    rw_map_destroy(b);
}

static void nothing_in_common_is_no_number(void **state)
{
    (void)state;
    static const float none[2][6] = {{NAN, NAN, NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN, NAN, NAN}};
    rw_map *a = first(), *b = make_map(none, "path_loss", "dB", (rw_map_info){0});
    rw_map_difference found = {.size = sizeof found};
    assert_ok(context, rw_map_compare(a, b, NULL, &found, NULL));
    assert_int_equal(found.cells, 0);
    assert_int_equal(found.only_first, 10);
    assert_true(isnan(found.rms) && isnan(found.mean) && isnan(found.max) && isnan(found.fraction_above));
    rw_map_destroy(a);
    rw_map_destroy(b);
}

static void other_grids_and_units_are_refused(void **state)
{
    (void)state;
    const struct {
        rw_map_info info;
        const char *unit, *sentence;
    } cases[] = {{{.columns = 4}, "dB", "3 x 2 and 4 x 2 cells"},
                 {{.res_m = 4}, "dB", "cells of 5 m and 4 m"},
                 {{.x0_m = 101}, "dB", "begin at 100, 200 and 101, 200"},
                 {{.has_plane = 1}, "dB", "different planes"},
                 {{.columns = 3}, "dBm", "path_loss in dB and path_loss in dBm"}};
    rw_map *a = first(), *difference;
    rw_map_difference found = {.size = sizeof found};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rw_map *b = make_map(after, "path_loss", cases[i].unit, cases[i].info);
        assert_int_equal(rw_map_compare(a, b, NULL, &found, &difference), RW_BAD_CALL);
        assert_true(strstr(rw_last_error(context), cases[i].sentence) != NULL);
        assert_true(difference == NULL);
        rw_map_destroy(b);
    }
    rw_map_compare_options options;
    rw_map_compare_options_init(&options);
    options.band = 2;
    assert_int_equal(rw_map_compare(a, a, &options, &found, NULL), RW_BAD_CALL);
    rw_map_compare_options_init(&options);
    options.layer = "power";
    assert_int_equal(rw_map_compare(a, a, &options, &found, NULL), RW_NOT_FOUND);
    options.layer = NULL;
    options.above = NAN;
    assert_int_equal(rw_map_compare(a, a, &options, &found, NULL), RW_BAD_CALL);
    rw_map_destroy(a);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_as_on_paper),
        cmocka_unit_test(nothing_in_common_is_no_number),
        cmocka_unit_test(other_grids_and_units_are_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
