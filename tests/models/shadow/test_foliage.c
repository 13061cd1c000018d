/* Trees of a scene in the model shadow: lines through a strip of them against geometry by hand, from rasters and from
 * polygons, over roofs, in paths, and refusals. */
#include "ext/gdal.h"
#include "prediction.h"
#include "temporary.h"

#define FREQ_HZ 949e6 /* a row of ITU-R P.833's table: 0.17 dB/m, at most 26.5 dB */
#define COLUMNS 100
#define ROWS 40

/* A strip of trees from x = 100 to 140 m over the whole map of 400 x 160 m, on cells of 4 m. */
static void add_strip(rw_context *context, rw_scene *scene, float height_m)
{
    float values[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++)
        values[i] = i % COLUMNS >= 25 && i % COLUMNS < 35 ? height_m : i % 7 == 0 ? NAN : 0;
    rw_raster trees = {sizeof(rw_raster), COLUMNS, ROWS, 2, 2, 4, 4, values};
    assert_ok(context, rw_scene_set_foliage(scene, &trees));
}

static rw_scene *open_ground(rw_context *context)
{
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[]){0, 0, 4, 4}, 3, NULL);
    add_box(context, scene, (double[]){396, 156, 400, 160}, 3, NULL);
    return scene;
}

static prediction begin_at(rw_context *context, rw_scene *scene, double mast_m)
{
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 20;
    now.tx[0].y_m = 80;
    now.tx[0].height_m = mast_m;
    now.options.freq_hz = FREQ_HZ;
    now.options.prior = "none";
    now.options.effects = "none";
    now.options.res_m = 1;
    now.options.area_m[0] = 0, now.options.area_m[1] = 70, now.options.area_m[2] = 400, now.options.area_m[3] = 90;
    return now;
}

static double law_db(double depth_m)
{
    return 26.5 * (1 - exp(-depth_m * 0.17 / 26.5));
}

/* Metres of the line from the mast to (x, y, 1.5) inside the strip and below its trees. */
static double depth_by_hand_m(double mast_m, double x, double y, double height_m)
{
    double dx = x - 20, dy = y - 80, dz = 1.5 - mast_m, length_m = sqrt(dx * dx + dy * dy + dz * dz), inside = 0;
    for (int i = 0; i < 200000; i++) {
        double t = (i + 0.5) / 200000, at = 20 + t * dx;
        inside += at >= 100 && at < 140 && mast_m + t * dz < height_m;
    }
    return length_m * inside / 200000;
}

static double free_db(double mast_m, double x, double y)
{
    return 20 * log10(4 * M_PI * sqrt(pow(x - 20, 2) + pow(y - 80, 2) + pow(1.5 - mast_m, 2)) * FREQ_HZ / 299792458.0);
}

static void check_strip(rw_backend backend, double mast_m)
{
    rw_context *context = make_context_of(backend, 2);
    if (!context)
        skip_test("no GPU");
    rw_scene *scene = open_ground(context);
    add_strip(context, scene, 12);
    prediction now = begin_at(context, scene, mast_m);
    rw_map *map = predict(&now);
    size_t shaded = 0;
    for (double x = 40.5; x < 390; x += 7)
        for (double y = 72.5; y < 90; y += 5) {
            double depth_m = depth_by_hand_m(mast_m, x, y, 12);
            shaded += depth_m > 1;
            /* steps of 2 m: each end of the strip is met within half of one */
            assert_near(value_at(map, "path_loss", x, y), free_db(mast_m, x, y) + law_db(depth_m), 0.35);
        }
    assert_true(shaded > 10);
    rw_map_destroy(map);
    end(&now);
}

static void lines_through_trees(void **state)
{
    (void)state;
    check_strip(RW_BACKEND_CPU, 8);
    check_strip(RW_BACKEND_CPU, 45); /* over the first trees, down into the last */
}

static void lines_through_trees_gpu(void **state)
{
    (void)state;
    check_strip(RW_BACKEND_CUDA, 8);
}

/* Over a house of 8 m and down: from its far edge at (70, 8) to (200, 1.5) the way is below 6 m from x = 110 on. */
static void ways_over_roofs_too(void **state)
{
    (void)state;
    double loss_db[2];
    for (int trees = 0; trees < 2; trees++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
        rw_scene *scene = open_ground(context);
        add_box(context, scene, (double[]){60, 5, 70, 155}, 8, NULL);
        if (trees)
            add_strip(context, scene, 6);
        prediction now = begin_at(context, scene, 5);
        now.options.effects = "roofs";
        rw_map *map = predict(&now);
        loss_db[trees] = (double)value_at(map, "path_loss", 200.5, 80.5);
        rw_map_destroy(map);
        end(&now);
    }
    assert_near(loss_db[1] - loss_db[0], law_db(30 * sqrt(1 + 0.05 * 0.05)), 0.35);
}

/* Through a house and a strip of trees: the prior is about walls and roofs, and the trees come on top of it whole. */
static void trees_come_on_top_of_the_prior(void **state)
{
    (void)state;
    double more_db[2];
    for (int prior = 0; prior < 2; prior++) {
        double loss_db[2];
        for (int trees = 0; trees < 2; trees++) {
            rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
            rw_scene *scene = open_ground(context);
            add_box(context, scene, (double[]){60, 5, 70, 155}, 30, NULL);
            if (trees)
                add_strip(context, scene, 12);
            prediction now = begin_at(context, scene, 8);
            now.options.effects = "walls";
            now.options.prior = prior ? "3gpp" : "none";
            now.options.layers = "path_loss,mechanism";
            rw_map *map = predict(&now);
            assert_true(value_at(map, "mechanism", 200.5, 80.5) == 3);
            loss_db[trees] = (double)value_at(map, "path_loss", 200.5, 80.5);
            rw_map_destroy(map);
            end(&now);
        }
        more_db[prior] = loss_db[1] - loss_db[0];
    }
    assert_near(more_db[0], law_db(depth_by_hand_m(8, 200.5, 80.5, 12)), 0.35);
    assert_near(more_db[1], more_db[0], 1e-3);
}

/* The loss of a path has the trees in what is free space of it, so that its parts add up. */
static void paths_have_trees(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = open_ground(context);
    add_strip(context, scene, 12);
    prediction now = begin_at(context, scene, 8);
    rw_point point = {.size = sizeof point, .x_m = 200, .y_m = 80, .height_m = 1.5};
    rw_paths *paths;
    rw_path path = {.size = sizeof path};
    now.options.transmitters = now.tx;
    memset(now.options.area_m, 0xff, sizeof now.options.area_m); /* NaN: paths have no area */
    now.options.res_m = NAN;
    assert_ok(context, rw_trace(scene, &now.options, &point, 1, &paths));
    assert_int_equal(rw_paths_get(paths, 0, &path), RW_OK);
    double wanted_db = free_db(8, 200, 80) + law_db(depth_by_hand_m(8, 200, 80, 12));
    assert_near(path.loss_db, wanted_db, 0.3);
    assert_near(path.free_space_db, path.loss_db, 1e-4);
    rw_paths_destroy(paths);
    end(&now);
}

/* The same strip as polygons in a file; one with a hole, and one that tells no height. */
static void polygons_become_trees(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("no GDAL");
    const char *path = temporary_path("woods.geojson");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"type\": \"FeatureCollection\", \"features\": ["
          "{\"type\": \"Feature\", \"properties\": {\"height\": 12}, \"geometry\": {\"type\": \"Polygon\", "
          "\"coordinates\": [[[100, 0], [140, 0], [140, 160], [100, 160], [100, 0]], "
          "[[110, 76], [130, 76], [130, 84], [110, 84], [110, 76]]]}},"
          "{\"type\": \"Feature\", \"properties\": {}, \"geometry\": {\"type\": \"Polygon\", "
          "\"coordinates\": [[[300, 70], [310, 70], [310, 90], [300, 90], [300, 70]]]}}]}",
          file);
    fclose(file);
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = open_ground(context);
    assert_ok(context, rw_scene_read_foliage(scene, path));
    prediction now = begin_at(context, scene, 8);
    rw_map *map = predict(&now);
    assert_near(value_at(map, "path_loss", 200.5, 80.5), free_db(8, 200.5, 80.5) + law_db(20.02), 0.5); /* the hole */
    assert_near(value_at(map, "path_loss", 200.5, 72.5), free_db(8, 200.5, 72.5) + law_db(40), 1.5);
    assert_near(value_at(map, "path_loss", 350.5, 80.5), free_db(8, 350.5, 80.5) + law_db(30.02), 0.6);
    assert_int_equal(note_count(scene, "foliage without a field height, taken as 15 m", NULL), 1);
    rw_map_destroy(map);
    end(&now);
    remove(path);
}

static void refusals(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = open_ground(context);
    float one = 5;
    rw_raster bad = {sizeof(rw_raster), 0, 1, 0, 0, 1, 1, &one};
    check_sentence(context, rw_scene_set_foliage(scene, &bad), RW_BAD_INPUT, "0 x 1 posts");
    bad = (rw_raster){sizeof(rw_raster), 1, 1, 0, 0, -1, 1, &one};
    check_sentence(context, rw_scene_set_foliage(scene, &bad), RW_BAD_INPUT, "-1 x 1 m apart");
    assert_int_not_equal(rw_scene_read_foliage(scene, "/nowhere/woods.tif"), RW_OK);
    assert_ok(context, rw_scene_commit(scene));
    bad.dx_m = 1;
    check_sentence(context, rw_scene_set_foliage(scene, &bad), RW_BAD_CALL, "committed");
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_through_trees),
                                       cmocka_unit_test(lines_through_trees_gpu),
                                       cmocka_unit_test(ways_over_roofs_too),
                                       cmocka_unit_test(paths_have_trees),
                                       cmocka_unit_test(trees_come_on_top_of_the_prior),
                                       cmocka_unit_test(polygons_become_trees),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
