/* Limits and angles of the tiles model in a street between two walls, where images give all paths in closed form: by k
 * reflections there are one from each first wall, and for each of these and the direct path one more with the ground.
 */
#include "prediction.h"

#include <stdlib.h>

#define STREET_M 20.0
#define FROM_X 100.0
#define FROM_Y 7.0
#define FROM_Z 12.0
#define TO_X 160.5
#define TO_Y 12.5
#define TO_Z 3.0
#define MOST 64

/* Walls far higher and longer than any path, so that all paths are there. */
static prediction begin_street(const char *layers)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    for (int side = 0; side < 2; side++) {
        rw_panel wall = {.size = sizeof wall, .x0_m = 0, .y0_m = side * STREET_M, .x1_m = 300, .y1_m = side * STREET_M};
        wall.top_m = 40;
        assert_ok(context, rw_scene_add_panel(scene, &wall));
    }
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = FROM_X;
    now.tx[0].y_m = FROM_Y;
    now.tx[0].height_m = FROM_Z;
    now.options.model = "tiles";
    now.options.roofs = "none";
    now.options.freq_hz = 2e9;
    now.options.depth = 4;
    now.options.diffractions = 0;
    now.options.loss_max_db = 200;
    now.options.sum = "power";
    now.options.layers = layers;
    now.options.rx_height_m = TO_Z;
    now.options.res_m = 1;
    memcpy(now.options.area_m, (double[]){TO_X - 0.5, TO_Y - 0.5, TO_X + 0.5, TO_Y + 0.5}, sizeof now.options.area_m);
    return now;
}

/* A path by its image: how many reflections, and where the wave seems to come from. */
typedef struct image {
    int reflections;
    double x, y, z;
} image;

static int list_images(int most, double from_z, image *images)
{
    int count = 0;
    for (int walls = 0; walls <= most; walls++)
        for (int first = 0; first < (walls ? 2 : 1); first++)
            for (int ground = 0; ground + walls <= most && ground < 2; ground++) {
                double y = FROM_Y;
                for (int i = 0; i < walls; i++)
                    y = 2 * STREET_M * ((first + i) % 2) - y;
                images[count++] = (image){walls + ground, FROM_X, y, ground ? -from_z : from_z};
            }
    return count;
}

static double length_of(const image *from)
{
    return sqrt((from->x - TO_X) * (from->x - TO_X) + (from->y - TO_Y) * (from->y - TO_Y) +
                (from->z - TO_Z) * (from->z - TO_Z));
}

static rw_paths *paths_of(prediction *now)
{
    rw_point point = {.size = sizeof point, .x_m = TO_X, .y_m = TO_Y, .height_m = TO_Z};
    rw_predict_options options = now->options;
    rw_paths *paths;
    options.layers = NULL;
    options.sum = NULL;
    options.res_m = options.rx_height_m = NAN;
    for (int i = 0; i < 4; i++)
        options.area_m[i] = NAN;
    options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &options, &point, 1, &paths));
    return paths;
}

/* The path of an image; its loss is NaN where there is none. */
static rw_path find_path(const rw_paths *paths, const image *from)
{
    rw_path path = {.size = sizeof path};
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_paths_get(paths, i, &path);
        if (fabs(path.length_m - length_of(from)) < 1e-6 && path.vertex_count == (size_t)from->reflections + 2)
            return path;
    }
    path.loss_db = NAN;
    return path;
}

static void reflections_are_limited(void **state)
{
    (void)state;
    prediction now = begin_street(NULL);
    for (int most = 0; most <= 3; most++) {
        image images[MOST];
        now.options.reflections = most;
        rw_paths *paths = paths_of(&now);
        int count = list_images(most, FROM_Z, images);
        assert_int_equal(rw_paths_count(paths), count);
        for (int i = 0; i < count; i++)
            assert_true(isfinite(find_path(paths, &images[i]).loss_db));
        rw_paths_destroy(paths);
    }
    for (int depth = 1; depth <= 3; depth++) { /* of all kinds together */
        image images[MOST];
        now.options.depth = depth;
        now.options.reflections = 3;
        rw_paths *paths = paths_of(&now);
        assert_int_equal(rw_paths_count(paths), list_images(depth, FROM_Z, images));
        rw_paths_destroy(paths);
    }
    end(&now);
}

/* How many paths, of level ones those by walls alone, are not as the threshold has it: there where the loss is below
 * it. The direct path always is. */
static int count_wrong(prediction *now, const rw_paths *all, const image *images, int count, double max_db)
{
    int wrong = 0;
    now->options.loss_max_db = max_db;
    rw_paths *paths = paths_of(now);
    for (int i = 0; i < count; i++) {
        double loss_db = find_path(all, &images[i]).loss_db;
        int there = isfinite(find_path(paths, &images[i]).loss_db);
        if ((images[i].z > 0 || images[0].z != TO_Z) && fabs(loss_db - max_db) > 0.01)
            wrong += there != (images[i].reflections == 0 || loss_db < max_db);
    }
    rw_paths_destroy(paths);
    return wrong;
}

/* The threshold is of the whole field, the loss of its vertical part: the same where both ends are as high, so that
 * what walls reflect stays vertical. */
static void power_is_limited(void **state)
{
    (void)state;
    prediction now = begin_street(NULL);
    int wrong[2] = {0, 0};
    now.options.depth = 3;
    for (int level = 0; level < 2; level++) {
        image images[MOST];
        now.tx[0].height_m = level ? TO_Z : TO_Z + 25;
        int count = list_images(3, now.tx[0].height_m, images);
        now.options.loss_max_db = 200;
        rw_paths *all = paths_of(&now);
        assert_int_equal(rw_paths_count(all), count);
        for (double max_db = 76; max_db < 106; max_db += 2)
            wrong[level] += count_wrong(&now, all, images, count, max_db);
        rw_paths_destroy(all);
    }
    assert_int_equal(wrong[1], 0);
    assert_true(wrong[0] > 0);
    end(&now);
}

/* Power and number of paths of every tile. */
static rw_tile_map *tile_values(prediction *now, int reflections, double loss_max_db)
{
    rw_tile_map *map;
    now->options.reflections = reflections;
    now->options.loss_max_db = loss_max_db;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_predict_tiles(now->scene, &now->options, &map));
    return map;
}

static double tile_power(const rw_tile_map *map, size_t tile)
{
    return pow(10, -0.1 * (double)layer_of(rw_tile_map_values(map), "path_loss").values[tile]);
}

static double tile_paths(const rw_tile_map *map, size_t tile)
{
    return (double)layer_of(rw_tile_map_values(map), "paths").values[tile];
}

/* Values on tiles have the same threshold: what is dropped was below it, what is kept above, but for its polarisation.
 */
static void power_on_tiles_is_limited(void **state)
{
    (void)state;
    prediction now = begin_street("path_loss,paths");
    const double max_db = 93, least = pow(10, -0.1 * max_db);
    double kept = 0, dropped = 0;
    now.options.depth = 2;
    rw_tile_map *direct = tile_values(&now, 0, 200), *all = tile_values(&now, 2, 200);
    rw_tile_map *some = tile_values(&now, 2, max_db);
    size_t tiles = info_of(rw_tile_map_values(all)).columns;
    for (size_t i = 0; i < tiles; i++) {
        double fewer = tile_paths(all, i) - tile_paths(some, i), more = tile_paths(some, i) - tile_paths(direct, i);
        assert_true(fewer >= 0 && more >= 0);
        if (fewer > 0)
            assert_true(tile_power(all, i) - tile_power(some, i) <= 1.1 * fewer * least);
        if (more > 0)
            assert_true(tile_power(some, i) - tile_power(direct, i) >= 0.7 * more * least);
        kept += more;
        dropped += fewer;
    }
    assert_true(kept > 200 && dropped > 200);
    rw_tile_map_destroy(direct);
    rw_tile_map_destroy(all);
    rw_tile_map_destroy(some);
    end(&now);
}

/* Mean directions and circular spreads (3GPP TR 38.901, annex A.1) from the images. */
static void angles_are_those_of_the_images(void **state)
{
    (void)state;
    static const char *const layers = "path_loss,azimuth,elevation,azimuth_spread,elevation_spread";
    const double degrees = 180 / acos(-1.0);
    for (int most = 0; most <= 3; most++) {
        prediction now = begin_street(layers);
        image images[MOST];
        now.options.depth = most ? most : 1;
        now.options.reflections = most;
        now.options.cells = "exact";
        rw_paths *paths = paths_of(&now);
        rw_map *map = predict(&now);
        int count = list_images(most, FROM_Z, images);
        double power = 0, east = 0, north = 0, level = 0, up = 0;
        for (int i = 0; i < count; i++) {
            double weight = pow(10, -0.1 * find_path(paths, &images[i]).loss_db), length_m = length_of(&images[i]);
            double x = images[i].x - TO_X, y = images[i].y - TO_Y, z = images[i].z - TO_Z, across = hypot(x, y);
            power += weight;
            east += weight * x / across;
            north += weight * y / across;
            level += weight * across / length_m;
            up += weight * z / length_m;
        }
        double azimuth = fmod(atan2(east, north) * degrees + 360, 360);
        assert_near(layer_of(map, "azimuth").values[0], azimuth, 1e-3);
        assert_near(layer_of(map, "elevation").values[0], atan2(up, level) * degrees, 1e-3);
        double of_azimuth = sqrt(fmax(-2 * log(hypot(east, north) / power), 0)) * degrees;
        double of_elevation = sqrt(fmax(-2 * log(hypot(level, up) / power), 0)) * degrees;
        assert_near(layer_of(map, "azimuth_spread").values[0], of_azimuth, 1e-2);
        assert_near(layer_of(map, "elevation_spread").values[0], of_elevation, 1e-2);
        assert_near(layer_of(map, "path_loss").values[0], -10 * log10(power), 1e-4);
        rw_map_destroy(map);
        rw_paths_destroy(paths);
        end(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reflections_are_limited),
        cmocka_unit_test(power_is_limited),
        cmocka_unit_test(power_on_tiles_is_limited),
        cmocka_unit_test(angles_are_those_of_the_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
