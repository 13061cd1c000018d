/* labels: files */
/* Rasters as terrain: posts at pixel centres from the south, unknown heights, reprojection, cutting to the scene. */
#include "temporary.h"

#include "ext/gdal.h"
#include "models/engine/prediction/prediction.h"
#include "scene/readers/readers.h"

#include <unistd.h>

static rw_context *context;

#define need_gdal()                                                                                                    \
    if (!rw_gdal_is_in())                                                                                              \
    skip_test("this build has no GDAL")

static rw_scene *new_scene(const char *crs)
{
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    if (crs)
        assert_ok(context, rw_scene_set_crs(scene, crs));
    return scene;
}

static void add_square(rw_scene *scene, double x, double y)
{
    double xy[] = {x, y, x + 10, y, x + 10, y + 10, x, y + 10};
    size_t ring_sizes[] = {4};
    rw_building building = {sizeof building, 0, xy, ring_sizes, 1, NAN, 0, 12, NULL, NULL};
    assert_ok(context, rw_scene_add_building(scene, &building));
}

static size_t notes_like(const rw_scene *scene, const char *words)
{
    for (size_t i = 0; i < scene->notes.count; i++)
        if (strstr(scene->notes.items[i].what, words))
            return scene->notes.items[i].count;
    return 0;
}

static void posts_are_pixel_centres(void **state)
{
    (void)state;
    need_gdal();
    const char *path = write_text("grid.asc", "ncols 3\nnrows 2\nxllcorner 1000\nyllcorner 2000\ncellsize 10\n"
                                              "NODATA_value -9999\n1 2 3\n4 -9999 6.5\n");
    rw_scene *scene = new_scene(NULL);
    assert_ok(context, rw_scene_read_terrain(scene, path));
    const rw_raster *terrain = &scene->terrain;
    assert_int_equal(terrain->columns, 3);
    assert_int_equal(terrain->rows, 2);
    assert_true(terrain->x0_m + scene->origin.x == 1005 && terrain->y0_m + scene->origin.y == 2005);
    assert_true(terrain->values[0] == 4 && terrain->values[2] == 6.5f);
    assert_true(terrain->values[3] == 1 && terrain->values[5] == 3);
    assert_true(terrain->values[1] == 4); /* not known: as beside it */
    assert_int_equal(notes_like(scene, "unknown heights"), 1);
    rw_scene_destroy(scene);
}

static void unknown_heights_are_as_beside_them(void **state)
{
    (void)state;
    const float given[4][5] = {
        {NAN, NAN, NAN, NAN, NAN}, {NAN, 1, NAN, NAN, 7}, {NAN, NAN, NAN, NAN, NAN}, {5, NAN, NAN, NAN, NAN}};
    const float expected[4][5] = {{1, 1, 1, 7, 7}, {1, 1, 1, 7, 7}, {1, 1, 1, 7, 7}, {5, 5, 5, 5, 5}};
    float values[20];
    uint8_t unknown[20];
    memcpy(values, given, sizeof values);
    for (int i = 0; i < 20; i++)
        unknown[i] = isnan(values[i]);
    rw_raster_fill_unknown(values, unknown, 5, 4);
    for (int i = 0; i < 20; i++)
        assert_near((double)values[i], (double)(&expected[0][0])[i], 0);
}

/* A plane in degrees, brought into UTM: height and position must agree with the transformation of single points. */
static void degrees_go_to_utm(void **state)
{
    (void)state;
    need_gdal();
    static char text[1 << 16];
    size_t used = (size_t)sprintf(text, "ncols 60\nnrows 60\nxllcorner 11.5\nyllcorner 48.1\ncellsize 0.001\n");
    for (int row = 0; row < 60; row++)
        for (int column = 0; column < 60; column++) /* 1000 m a degree east, 2000 m a degree north */
            used += (size_t)sprintf(text + used, "%.3f%c", 500 + (column + 0.5) + 2 * (59.5 - row),
                                    column == 59 ? '\n' : ' ');
    write_text("degrees.asc", text);
    write_text("degrees.prj", "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
                              "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]");
    rw_scene *scene = new_scene(NULL);
    assert_ok(context, rw_scene_read_terrain(scene, temporary_path("degrees.asc")));
    assert_string_equal(rw_scene_crs(scene), "EPSG:32632");
    double at[2] = {11.53, 48.13};
    assert_ok(context, rw_gdal_transform(context, "EPSG:4326", "EPSG:32632", at, 1));
    rw_vec2 local = rw_vec2_of(at[0] - scene->origin.x, at[1] - scene->origin.y);
    assert_near(rw_scene_ground_m(scene, local), 500 + 30 + 60, 0.2);
    rw_scene_destroy(scene);

    scene = new_scene("EPSG:25832"); /* around objects: all of so small a raster */
    add_square(scene, at[0], at[1]);
    assert_ok(context, rw_scene_read_terrain(scene, temporary_path("degrees.asc")));
    assert_true(scene->terrain.columns > 40 && scene->terrain.rows > 55);
    local = rw_vec2_of(at[0] - scene->origin.x, at[1] - scene->origin.y);
    assert_near(rw_scene_ground_m(scene, local), 500 + 30 + 60, 0.2);
    rw_scene_destroy(scene);
}

/* A map may reach as far as the terrain, which is far beyond the buildings; what lies beyond is told as a share. */
static void maps_reach_over_all_of_the_terrain(void **state)
{
    (void)state;
    need_gdal();
    static char text[1 << 16];
    size_t used = (size_t)sprintf(text, "ncols 100\nnrows 100\nxllcorner 0\nyllcorner 0\ncellsize 20\n");
    for (int i = 0; i < 100 * 100; i++) /* a ridge from south to north at x = 1410 m */
        used += (size_t)sprintf(text + used, "%d%c", i % 100 == 70 ? 80 : 1, i % 100 == 99 ? '\n' : ' ');
    rw_scene *scene = new_scene(NULL);
    add_square(scene, 300, 1000);
    assert_ok(context, rw_scene_read_terrain(scene, write_text("ridge.asc", text)));
    assert_int_equal(scene->terrain.columns, 100);
    assert_ok(context, rw_scene_commit(scene));
    rw_transmitter mast;
    rw_transmitter_init(&mast);
    mast.x_m = 320;
    mast.y_m = 1005;
    mast.height_m = 20;
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.transmitters = &mast;
    options.transmitter_count = 1;
    options.layers = "los";
    options.res_m = 20;
    const double area_m[4] = {0, 0, 4000, 2000};
    memcpy(options.area_m, area_m, sizeof area_m);
    rw_map *map;
    assert_ok(context, rw_predict(scene, &options, &map));
    rw_map_info info = {.size = sizeof info};
    rw_map_layer los = {.size = sizeof los};
    assert_ok(context, rw_map_get_info(map, &info));
    assert_ok(context, rw_map_get_layer(map, 0, &los));
    const float *row = los.values + 50 * info.columns;
    assert_true(row[60] == 1 && row[80] == 0 && row[150] == 0); /* before the ridge and behind it */
    assert_near(rw_terrain_missing_fraction(scene, &info), 0.5, 0.01);
    rw_map_destroy(map);
    rw_scene_destroy(scene);
}

/* A raster of 3000 x 3000 posts is cut to four million around the building; the file is one hole. */
static void surroundings_have_a_budget(void **state)
{
    (void)state;
    need_gdal();
    write_text("large.hdr", "nrows 3000\nncols 3000\nnbands 1\nnbits 8\nlayout bil\nulxmap 0.5\nulymap 2999.5\n"
                            "xdim 1\nydim 1\n");
    const char *path = write_bytes("large.bil", "", 1);
    assert_int_equal(truncate(path, 3000 * 3000), 0);
    rw_scene *scene = new_scene(NULL);
    add_square(scene, 1000, 1500);
    assert_ok(context, rw_scene_read_terrain(scene, path));
    double posts = (double)scene->terrain.columns * (double)scene->terrain.rows;
    assert_true(posts > 3.5e6 && posts < 4.1e6);
    double west_m = 1000 - scene->terrain.x0_m - scene->origin.x;
    assert_near(west_m, 1000, 20); /* from 0 to 2000: the building stands in the middle */
    rw_scene_destroy(scene);
}

static void wrong_places_are_refused(void **state)
{
    (void)state;
    need_gdal();
    const char *path = write_text("far.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n");
    rw_scene *scene = new_scene(NULL);
    add_square(scene, 5000, 5000);
    assert_int_equal(rw_scene_read_terrain(scene, path), RW_BAD_INPUT);
    assert_non_null(strstr(rw_last_error(context), "lies elsewhere"));
    assert_int_equal(rw_scene_read_terrain(scene, temporary_path("missing.tif")), RW_NOT_FOUND);
    assert_int_equal(rw_scene_read_terrain(scene, write_text("text.tif", "hello")), RW_BAD_INPUT);
    assert_int_equal(rw_scene_read_terrain(scene, write_text("empty.asc", "ncols 2\nnrows 2\n")), RW_BAD_INPUT);
    rw_scene_destroy(scene);
}

static void srtm_tile(void **state)
{
    (void)state;
    need_gdal();
    require_test_data(path, "terrain/N44W072.hgt");
    rw_scene *scene = new_scene(NULL);
    assert_ok(context, rw_scene_read_terrain(scene, path));
    assert_string_equal(rw_scene_crs(scene), "EPSG:32619");
    /* Mount Washington, 44.2706 N, 71.3033 W: 1917 m; a 90 m raster cuts the top off a little. */
    double at[2] = {-71.3033, 44.2706};
    assert_ok(context, rw_gdal_transform(context, "EPSG:4326", "EPSG:32619", at, 1));
    double height_m = rw_scene_ground_m(scene, rw_vec2_of(at[0] - scene->origin.x, at[1] - scene->origin.y));
    printf("top at %.1f m\n", height_m);
    assert_near(height_m, 1900, 30);
    rw_scene_destroy(scene);
}

static void says_when_gdal_is_missing(void **state)
{
    (void)state;
    if (rw_gdal_is_in())
        skip_test("this build has GDAL");
    rw_scene *scene = new_scene(NULL);
    assert_int_equal(rw_scene_read_terrain(scene, write_text("any.tif", "II*")), RW_UNSUPPORTED);
    assert_non_null(strstr(rw_last_error(context), "needs GDAL"));
    rw_scene_destroy(scene);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(posts_are_pixel_centres),
                                       cmocka_unit_test(degrees_go_to_utm),
                                       cmocka_unit_test(wrong_places_are_refused),
                                       cmocka_unit_test(srtm_tile),
                                       cmocka_unit_test(unknown_heights_are_as_beside_them),
                                       cmocka_unit_test(maps_reach_over_all_of_the_terrain),
                                       cmocka_unit_test(surroundings_have_a_budget),
                                       cmocka_unit_test(says_when_gdal_is_missing)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
