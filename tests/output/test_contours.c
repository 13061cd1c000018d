/* labels: files */
/* Contour lines of maps whose lines are known: circles of a cone, a straight line, a saddle, cells without a value. */
#include "output/maps/map.h"
#include "ext/gdal.h"

#include "temporary.h"

#include <stdlib.h>
#include <string.h>

#define SIDE 60

static rw_context *context;

static rw_map *make_map(float (*value)(double x, double y))
{
    rw_map *map;
    float *values;
    rw_map_info info = {.size = sizeof info, .columns = SIDE, .rows = SIDE, .res_m = 2, .x0_m = 1000, .y0_m = 2000};
    assert_ok(context, rw_map_create(context, &info, "", &map));
    assert_ok(context, rw_map_add_layer(map, "path_loss", "dB", 1, &values));
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            values[row * SIDE + column] = value(2 * column + 1, 2 * row + 1);
    return map;
}

static float cone(double x, double y)
{
    return (float)hypot(x - 60, y - 60);
}

static float slope_with_hole(double x, double y)
{
    return y > 50 && y < 70 ? NAN : (float)x;
}

/* All vertices of the file's lines; lines receives their number. */
static size_t read_lines(const char *path, double (*xy)[2], size_t capacity, size_t *lines, double *length_m)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 4000000);
    size_t count = 0;
    assert_true(file && text);
    assert_true(fread(text, 1, 3999999, file) > 0);
    fclose(file);
    *lines = 0;
    *length_m = 0;
    for (char *line = strstr(text, "\"coordinates\""); line; line = strstr(line, "\"coordinates\"")) {
        char *end = strstr(line, "] ]");
        end = end ? end : strstr(line, "]]");
        size_t first = count;
        double x, y;
        assert_non_null(end);
        for (char *at = strchr(line, '[') + 1; at < end; at = strchr(at + 1, '['))
            if (count < capacity && at && sscanf(at, "%*[[ ]%lf , %lf", &x, &y) == 2) {
                xy[count][0] = x;
                xy[count++][1] = y;
                if (count > first + 1)
                    *length_m += hypot(x - xy[count - 2][0], y - xy[count - 2][1]);
            } else if (!at) {
                break;
            }
        ++*lines;
        line = end;
    }
    free(text);
    return count;
}

static size_t write_and_read(rw_map *map, double level, double (*xy)[2], size_t *lines, double *length_m)
{
    rw_polygon_options options;
    const char *path = temporary_path("lines.geojson");
    rw_polygon_options_init(&options);
    options.levels = &level;
    options.level_count = 1;
    remove(path);
    assert_ok(context, rw_map_write_contours(map, &options, path));
    return read_lines(path, xy, 4000, lines, length_m);
}

static void circles_of_a_cone(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("no GDAL");
    static double xy[4000][2];
    size_t lines;
    double length_m;
    rw_map *map = make_map(cone);
    size_t count = write_and_read(map, 30, xy, &lines, &length_m);
    assert_int_equal(lines, 1);
    assert_true(count > 60);
    assert_near(xy[0][0], xy[count - 1][0], 1e-6); /* closed */
    for (size_t i = 0; i < count; i++)
        assert_near(hypot(xy[i][0] - 1060, xy[i][1] - 2060), 30, 0.03);
    assert_near(length_m, 2 * 3.14159265 * 30, 0.5);
    count = write_and_read(map, 70, xy, &lines, &length_m); /* the four corners of the map */
    assert_int_equal(lines, 4);
    assert_true(count > 4);
    count = write_and_read(map, 500, xy, &lines, &length_m);
    assert_int_equal(lines, 0);
    rw_map_destroy(map);
}

static void cells_without_a_value_have_no_line(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("no GDAL");
    static double xy[4000][2];
    size_t lines;
    double length_m;
    rw_map *map = make_map(slope_with_hole);
    size_t count = write_and_read(map, 40.5, xy, &lines, &length_m);
    assert_int_equal(lines, 2);
    for (size_t i = 0; i < count; i++) {
        assert_near(xy[i][0], 1040.5, 1e-4);
        assert_true(xy[i][1] < 2050 || xy[i][1] > 2070);
    }
    assert_near(length_m, 2 * 48, 1e-3); /* centres from 1 to 49 m and from 71 to 119 m */
    rw_map_destroy(map);
}

static void bad_requests_are_rejected(void **state)
{
    (void)state;
    rw_map *map = make_map(cone);
    rw_polygon_options options;
    double level = 30;
    rw_polygon_options_init(&options);
    assert_int_equal(rw_map_write_contours(map, &options, temporary_path("a.gpkg")),
                     rw_gdal_is_in() ? RW_BAD_CALL : RW_UNSUPPORTED);
    options.levels = &level;
    options.level_count = 1;
    assert_int_equal(rw_map_write_contours(map, &options, temporary_path("a.kml")), RW_BAD_CALL);
    assert_int_equal(rw_map_write_contours(map, &options, temporary_path("a.png")), RW_BAD_CALL);
    level = NAN;
    assert_int_not_equal(rw_map_write_contours(map, &options, temporary_path("a.gpkg")), RW_OK);
    rw_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(circles_of_a_cone),
                                       cmocka_unit_test(cells_without_a_value_have_no_line),
                                       cmocka_unit_test(bad_requests_are_rejected)};
    context = make_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
