/* labels: files */
/* ENVI rasters: what is written is read back, bad headers are refused, a full disk leaves nothing. */
#include "output/maps/raster_file.h"

#include "temporary.h"
#include "unit.h"

static rw_context *context;

static rw_map *make_map(void)
{
    rw_map_info info = {
        .size = sizeof info, .columns = 7, .rows = 5, .x0_m = 500000.25, .y0_m = 5000000.5, .res_m = 2.5};
    info.rx_height_m = 1.5;
    info.model = "shadow";
    rw_map *map;
    assert_ok(context, rw_map_create(context, &info, "EPSG:25832", &map));
    float *values;
    assert_ok(context, rw_map_add_layer(map, "path_loss", "dB", 2, &values));
    for (int i = 0; i < 70; i++)
        values[i] = 60.0f + 0.37f * (float)i;
    values[3] = NAN;
    values[40] = INFINITY;
    rw_transmitter sites[2] = {{.name = "north", .x_m = 500003.1, .y_m = 5000001, .height_m = 12.5},
                               {.name = "south, old", .x_m = -1e-7, .height_m = 3}};
    assert_ok(context, rw_map_set_transmitters(map, sites, 2));
    return map;
}

static void reads_back_what_was_written(void **state)
{
    (void)state;
    rw_map *map = make_map(), *back;
    const char *path = temporary_path("path_loss.bin");
    assert_ok(context, rw_envi_write_layer(map, &map->layers[0], path));
    assert_int_equal(temporary_count(), 2);
    const char *const doors[] = {"path_loss.bin", "path_loss.hdr"};
    for (int i = 0; i < 2; i++) {
        assert_ok(context, rw_map_read(context, temporary_path(doors[i]), &back));
        assert_int_equal(back->info.columns, 7);
        assert_int_equal(back->info.rows, 5);
        assert_near(back->info.x0_m, 500000.25, 0);
        assert_near(back->info.y0_m, 5000000.5, 0);
        assert_near(back->info.res_m, 2.5, 0);
        assert_near(back->info.rx_height_m, 1.5, 0);
        assert_string_equal(back->crs, "EPSG:25832");
        assert_string_equal(back->layers[0].name, "path_loss");
        assert_string_equal(back->layers[0].unit, "dB");
        assert_string_equal(back->info.model, "shadow");
        assert_string_equal(back->band_names[0], "north");
        assert_string_equal(back->band_names[1], "south  old");
        assert_memory_equal(back->band_positions_m, map->band_positions_m, 6 * sizeof(double));
        assert_memory_equal(back->layers[0].values + 4, map->layers[0].values + 4, 60 * sizeof(float));
        assert_true(isnan(back->layers[0].values[3]));
        assert_true(isinf(back->layers[0].values[40]));
        rw_map_destroy(back);
    }
    rw_map_destroy(map);
    temporary_clear();
}

static void write_file(const char *name, const char *text, size_t size)
{
    FILE *file = fopen(temporary_path(name), "wb");
    assert_non_null(file);
    fwrite(text, 1, size, file);
    fclose(file);
}

static void refuses_bad_headers(void **state)
{
    (void)state;
    const char *const headers[] = {
        "ENVI\nsamples = 2\nlines = 2\n",
        "ENVI\nsamples = 2\nlines = 2\nmap info = {Arbitrary, 1, 1, 0, 0, 5}\n",
        "ENVI\nsamples = 2\nlines = 2\nmap info = {Arbitrary, 1, 1, 0, 0, 5, 6}\n",
        "ENVI\nsamples = 2\nlines = 2\nmap info = {Arbitrary, 1, 1, 0, 0, 5, 5\n",
        "ENVI\nsamples = -2\nlines = 2\nmap info = {Arbitrary, 1, 1, 0, 0, 5, 5}\n",
        "ENVI\nsamples = nan\nlines = 2\nmap info = {Arbitrary, 1, 1, 0, 0, 5, 5}\n",
        "ENVI\nsamples = 999999999\nlines = 999999999\nmap info = {Arbitrary, 1, 1, 0, 0, 5, 5}\n",
        "ENVI\nsamples = 2\nlines = 2\ndata type = 5\nmap info = {Arbitrary, 1, 1, 0, 0, 5, 5}\n",
        "ENVI\nsamples = 2\nlines = 3\nmap info = {Arbitrary, 1, 1, 0, 0, 5, 5}\n", /* 24 bytes wanted */
        "no header\n",
    };
    write_file("bad.bin", "0123456789abcdef", 16);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        rw_map *map;
        write_file("bad.hdr", headers[i], strlen(headers[i]));
        assert_int_equal(rw_map_read(context, temporary_path("bad.bin"), &map), RW_BAD_INPUT);
        assert_null(map);
        assert_non_null(strstr(rw_last_error(context), "bad."));
    }
    temporary_clear();
}

static void a_full_disk_leaves_nothing(void **state)
{
    (void)state;
    rw_map *map = make_map();
    struct rlimit disk = full_disk_begin(100);
    rw_status status = rw_envi_write_layer(map, &map->layers[0], temporary_path("full.bin"));
    full_disk_end(disk);
    assert_int_equal(status, RW_IO);
    assert_int_equal(temporary_count(), 0);
    assert_int_equal(rw_envi_write_layer(map, &map->layers[0], "/nonexistent/folder/x.bin"), RW_NOT_WRITABLE);
    rw_map_destroy(map);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back_what_was_written),
        cmocka_unit_test(refuses_bad_headers),
        cmocka_unit_test(a_full_disk_leaves_nothing),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
