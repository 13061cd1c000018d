/* labels: files */
/* GeoTIFF layers: position, coordinate system, nodata, names and values survive; failures leave nothing. And GDAL's
 * viewshed. */
#include "temporary.h"

#include "bench/bench.h"
#include "ext/gdal.h"
#include "ext/gdal_rasters.h"

static rw_context *context;

#define COLUMNS 300
#define ROWS 200

#define need_gdal()                                                                                                    \
    if (!rw_gdal_is_in())                                                                                              \
    skip_test("this build has no GDAL")

static rw_map *make_map(const char *crs)
{
    rw_map_info info = {.size = sizeof info,
                        .columns = COLUMNS,
                        .rows = ROWS,
                        .x0_m = 691000.5,
                        .y0_m = 5334000.25,
                        .res_m = 5,
                        .rx_height_m = 1.5,
                        .model = "shadow",
                        .backend = "cpu"};
    rw_map *map;
    float *values;
    assert_ok(context, rw_map_create(context, &info, crs, &map));
    assert_ok(context, rw_map_add_layer(map, "path_loss", "dB", 2, &values));
    for (size_t i = 0; i < 2 * COLUMNS * ROWS; i++)
        values[i] = i % 7 == 0 ? NAN : i % 11 == 0 ? INFINITY : i % 13 == 0 ? -INFINITY : 60 + 0.001f * (float)i;
    rw_transmitter sites[2];
    memset(sites, 0, sizeof sites);
    sites[0].name = "north mast";
    sites[0].x_m = 500003.1;
    sites[1].height_m = 1.0 / 3;
    sites[1].name = "S\xC3\xBC"
                    "d";
    assert_ok(context, rw_map_set_transmitters(map, sites, 2));
    return map;
}

static void assert_same_values(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])));
}

static void a_map_comes_back(void **state)
{
    (void)state;
    need_gdal();
    static const char *const systems[] = {"EPSG:25832", "", "EPSG:2056", "EPSG:7415"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        rw_map *map = make_map(systems[i]), *again;
        assert_ok(context, rw_gdal_write_layer(map, &map->layers[0], temporary_path("path_loss.tif")));
        assert_ok(context, rw_gdal_read_map(context, temporary_path("path_loss.tif"), &again));
        int same = 0;
        if (*systems[i])
            assert_ok(context, rw_gdal_crs_is_same(context, again->crs, systems[i], &same));
        assert_true(*systems[i] ? same : again->crs[0] == 0);
        assert_int_equal(again->info.columns, COLUMNS);
        assert_int_equal(again->info.rows, ROWS);
        assert_true(again->info.x0_m == 691000.5 && again->info.y0_m == 5334000.25 && again->info.res_m == 5);
        assert_true(again->info.rx_height_m == 1.5);
        assert_string_equal(again->info.model, "shadow");
        assert_string_equal(again->layers[0].name, "path_loss");
        assert_string_equal(again->layers[0].unit, "dB");
        assert_string_equal(again->band_names[0], "north mast");
        assert_string_equal(again->band_names[1], map->band_names[1]);
        assert_memory_equal(again->band_positions_m, map->band_positions_m, 6 * sizeof(double));
        assert_same_values(map->layers[0].values, again->layers[0].values, 2 * COLUMNS * ROWS);
        rw_map_destroy(again);
        rw_map_destroy(map);
    }
}

/* The same file by another way of reading: extent, cell centres, rows from the south, nodata. */
static void it_lies_at_the_right_place(void **state)
{
    (void)state;
    need_gdal();
    rw_map *map = make_map("EPSG:25832");
    assert_ok(context, rw_gdal_write_layer(map, &map->layers[0], temporary_path("place.tif")));
    rw_gdal_raster *raster;
    assert_ok(context, rw_gdal_raster_open(context, temporary_path("place.tif"), &raster));
    assert_string_equal(rw_gdal_raster_crs(raster), "EPSG:25832");
    double extent[4];
    rw_gdal_raster_extent(raster, extent);
    assert_true(extent[0] == 691000.5 && extent[1] == 5334000.25);
    assert_true(extent[2] == 691000.5 + 5 * COLUMNS && extent[3] == 5334000.25 + 5 * ROWS);
    rw_raster heights;
    assert_ok(context, rw_gdal_raster_read(raster, extent, &heights));
    assert_true(heights.x0_m == 691003 && heights.y0_m == 5334002.75);
    for (size_t i = 0; i < COLUMNS * ROWS; i++) {
        float value = map->layers[0].values[i];
        assert_true(isfinite(value) ? heights.values[i] == value : isnan(heights.values[i])); /* nodata to others */
    }
    free(heights.values);
    rw_gdal_raster_close(raster);
    rw_map_destroy(map);
}

static void failed_writes_leave_nothing(void **state)
{
    (void)state;
    need_gdal();
    rw_map *map = make_map("EPSG:25832");
    size_t before = temporary_count();
    assert_int_equal(rw_gdal_write_layer(map, &map->layers[0], temporary_path("no/folder.tif")), RW_NOT_WRITABLE);
    struct rlimit disk = full_disk_begin(4096);
    rw_status status = rw_gdal_write_layer(map, &map->layers[0], temporary_path("full.tif"));
    full_disk_end(disk);
    assert_int_equal(status, RW_IO);
    assert_int_equal(temporary_count(), before);
    rw_map_destroy(map);
    map = make_map("not a coordinate system");
    assert_int_equal(rw_gdal_write_layer(map, &map->layers[0], temporary_path("crs.tif")), RW_BAD_INPUT);
    rw_map_destroy(map);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    need_gdal();
    rw_map *map;
    assert_int_equal(rw_gdal_read_map(context, write_text("text.tif", "no raster"), &map), RW_BAD_INPUT);
    assert_non_null(strstr(rw_last_error(context), "text.tif"));
    const char *grid = write_text("oblong.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 10\ndy 20\n1 2\n3 4\n");
    assert_int_equal(rw_gdal_read_map(context, grid, &map), RW_BAD_INPUT);
    assert_non_null(strstr(rw_last_error(context), "square cells"));
}

/* A wall across the raster hides what is behind it; without it everything is seen. */
static void viewshed_behind_a_wall(void **state)
{
    (void)state;
    need_gdal();
    static float heights[100 * 80];
    static unsigned char visible[100 * 80];
    rw_gdal_viewshed_options options = {heights, 100, 80, 5, 20, 30, 10, 1.5};
    double seconds = -1;
    assert_ok(context, rw_gdal_viewshed(context, &options, visible, &seconds));
    assert_true(seconds >= 0);
    for (size_t i = 0; i < 100 * 80; i++)
        assert_int_equal(visible[i], 1);
    for (size_t row = 0; row < 80; row++)
        heights[row * 100 + 50] = 100;
    assert_ok(context, rw_gdal_viewshed(context, &options, visible, &seconds));
    for (size_t row = 0; row < 80; row++)
        for (size_t column = 0; column < 100; column++)
            assert_int_equal(visible[row * 100 + column], column <= 50);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_map_comes_back), cmocka_unit_test(it_lies_at_the_right_place),
                                       cmocka_unit_test(failed_writes_leave_nothing),
                                       cmocka_unit_test(bad_files_are_refused),
                                       cmocka_unit_test(viewshed_behind_a_wall)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
