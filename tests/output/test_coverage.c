/* Coverage of a map made by hand: shares counted on paper. */
#include "output/maps/map.h"

#include "unit.h"

static rw_context *context;

/* 5 x 2 cells, three of them inside buildings. At -90 dBm, the first band covers 2 cells (one exactly at the level),
 * the second 3, both together 4. */
static rw_map *make_map(const char *layer)
{
    static const float powers[2][10] = {
        {-60, -90, -90.5f, -120, NAN, NAN, -INFINITY, -200, NAN, INFINITY},
        {-95, -80, -89.5f, -130, NAN, NAN, -70, -INFINITY, NAN, -91},
    };
    rw_map_info info = {.size = sizeof info, .columns = 5, .rows = 2, .res_m = 5};
    rw_map *map;
    float *values;
    assert_ok(context, rw_map_create(context, &info, "", &map));
    assert_ok(context, rw_map_add_layer(map, "los", "", 1, &values));
    assert_ok(context, rw_map_add_layer(map, layer, "dBm", 2, &values));
    memcpy(values, powers, sizeof powers);
    return map;
}

static void counts_cells_of_each_transmitter_and_of_all(void **state)
{
    (void)state;
    static const struct {
        size_t band;
        double level_dbm;
        size_t covered;
    } cases[] = {{0, -90, 2},   {1, -90, 3},   {RW_ALL_BANDS, -90, 4},  {RW_ALL_BANDS, -59, 0},
                 {0, -1000, 5}, {1, -1000, 6}, {RW_ALL_BANDS, -1000, 7}};
    rw_map *map = make_map("power");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rw_coverage coverage = {.size = sizeof coverage};
        assert_ok(context, rw_map_coverage(map, cases[i].band, cases[i].level_dbm, &coverage));
        assert_int_equal(coverage.cells, 10);
        assert_int_equal(coverage.outdoor_cells, 7);
        assert_int_equal(coverage.covered_cells, cases[i].covered);
        assert_near(coverage.fraction_of_area, (double)cases[i].covered / 10, 1e-15);
        assert_near(coverage.fraction_of_outdoor, (double)cases[i].covered / 7, 1e-15);
    }
    rw_map_destroy(map);
}

static void refuses_what_has_no_meaning(void **state)
{
    (void)state;
    rw_coverage coverage = {.size = sizeof coverage};
    rw_map *map = make_map("power"), *other = make_map("path_loss");
    assert_int_equal(rw_map_coverage(other, 0, -90, &coverage), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(context), "layer power"));
    assert_int_equal(rw_map_coverage(map, 2, -90, &coverage), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(context), "2 transmitters"));
    assert_int_equal(rw_map_coverage(map, 0, NAN, &coverage), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(context), "level"));
    assert_int_equal(rw_map_coverage(map, 0, -INFINITY, &coverage), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(context), "level"));
    rw_map_destroy(map);
    rw_map_destroy(other);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_cells_of_each_transmitter_and_of_all),
        cmocka_unit_test(refuses_what_has_no_meaning),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
