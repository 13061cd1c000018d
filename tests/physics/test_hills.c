/* labels: numbers */
/* Hills: maps over terrain against delta-Bullington on profiles taken from the scene, the earth's curvature in line of
 * sight, and houses behind hills: nothing jumps, and no house helps. */
#include "prediction.h"

#include "base/maths/hash.h"
#include "field/edges/delta_bullington.k.h"
#include "field/paths/free_space.k.h"
#include "scene/scene.h"

#define EARTH_M (6371e3 * 4 / 3)
#define POINTS_MAX 20001

/* ------------------------------------------------------------------------------------------------- terrain alone */

/* The loss over the scene's terrain from a transmitter to a point, both in the scene's own frame, by a profile with a
 * point every few metres. */
static double profile_loss_db(const rw_scene *scene, rw_vec2 from, double from_m, rw_vec2 to, double to_m,
                              double step_m, double freq_hz)
{
    static double distance_m[POINTS_MAX], height_m[POINTS_MAX];
    double length_m = hypot(to.x - from.x, to.y - from.y), wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    size_t steps = (size_t)(length_m / step_m) + 2;
    assert_true(steps < POINTS_MAX);
    for (size_t i = 0; i <= steps; i++) {
        double t = (double)i / (double)steps;
        distance_m[i] = t * length_m;
        height_m[i] = rw_scene_ground_m(scene, rw_vec2_of(from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)));
    }
    double first_m = height_m[0] + from_m, last_m = height_m[steps] + to_m;
    rw_profile profile = {distance_m, height_m, steps + 1, first_m, last_m, EARTH_M};
    return rw_profile_delta_bullington_db(&profile, NULL, (rw_earth_surface){0, 0}, wavelength_m) +
           rw_free_space_loss_db(hypot(length_m, last_m - first_m), wavelength_m);
}

/* Cells of a map by chance against their profiles. */
static void check_map(prediction *now, size_t count, double step_m, double tolerance_db)
{
    rw_map *map = predict(now);
    rw_map_info info = info_of(map);
    rw_map_layer loss = layer_of(map, "path_loss");
    rw_random random = rw_random_of(7, 1);
    rw_vec2 origin = now->scene->origin, from = rw_vec2_of(now->tx[0].x_m - origin.x, now->tx[0].y_m - origin.y);
    double worst_db = 0, sum_db = 0, deepest_db = 0;
    for (size_t i = 0; i < count; i++) {
        size_t column = (size_t)rw_random_range(&random, 0, (double)info.columns - 0.001);
        size_t row = (size_t)rw_random_range(&random, 0, (double)info.rows - 0.001);
        rw_vec2 to = rw_vec2_of(info.x0_m + ((double)column + 0.5) * info.res_m - origin.x,
                                info.y0_m + ((double)row + 0.5) * info.res_m - origin.y);
        double expected_db = profile_loss_db(now->scene, from, now->tx[0].height_m, to, now->options.rx_height_m,
                                             step_m, now->options.freq_hz);
        double error_db = fabs((double)loss.values[row * info.columns + column] - expected_db);
        worst_db = fmax(worst_db, error_db);
        sum_db += error_db * error_db;
        deepest_db = fmax(deepest_db, expected_db);
    }
    printf("%zu cells: %.3f dB rms from their profiles, at most %.2f dB; losses up to %.1f dB\n", count,
           sqrt(sum_db / (double)count), worst_db, deepest_db);
    rw_map_destroy(map);
    assert_true(worst_db < tolerance_db);
}

static void maps_follow_p1812(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_terrain_options options;
    rw_terrain_options_init(&options);
    options.width_m = options.depth_m = 12000;
    options.spacing_m = 60;
    options.relief_m = 400;
    rw_scene *scene;
    assert_ok(context, rw_generate_terrain(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.layers = "path_loss";
    now.options.res_m = 100;
    now.options.freq_hz = 800e6;
    now.tx[0].x_m = 4017;
    now.tx[0].y_m = 5531;
    now.tx[0].height_m = 25;
    check_map(&now, 400, 2, 0.5);
    now.options.model = "beams"; /* the straight path in sight, the way over hills out of it */
    check_map(&now, 400, 2, 0.5);
    end(&now);
}

static void maps_of_real_mountains_follow_p1812(void **state)
{
    (void)state;
    require_test_data(path, "terrain/N44W072.hgt");
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene;
    rw_status status = rw_scene_load(context, path, NULL, &scene);
    if (status != RW_OK) {
        rw_context_destroy(context);
        skip_test("%s", "rasters need GDAL");
    }
    prediction now = begin_with(context, scene);
    now.options.layers = "path_loss";
    now.options.res_m = 200;
    now.options.freq_hz = 800e6;
    const double area_m[4] = {290000, 4920000, 310000, 4940000};
    memcpy(now.options.area_m, area_m, sizeof area_m);
    now.tx[0].x_m = 300000;
    now.tx[0].y_m = 4930000;
    now.tx[0].height_m = 30;
    check_map(&now, 300, 4, 0.5);
    end(&now);
}

/* ------------------------------------------------------------------------------------------------- round earth */

static float *make_heights(rw_context *context, rw_scene *scene, size_t columns, size_t rows, double spacing_m,
                           float (*height)(double x, double y))
{
    float *heights = malloc(columns * rows * sizeof *heights);
    assert_non_null(heights);
    for (size_t i = 0; i < columns * rows; i++)
        heights[i] = height ? height((double)(i % columns) * spacing_m, (double)(i / columns) * spacing_m) : 0;
    rw_raster raster = {.size = sizeof raster,
                        .columns = columns,
                        .rows = rows,
                        .dx_m = spacing_m,
                        .dy_m = spacing_m,
                        .values = heights};
    assert_ok(context, rw_scene_set_terrain(scene, &raster));
    return heights;
}

/* On a plain the horizon of an antenna is sqrt(2 a h) away. */
static void the_horizon_is_where_it_should_be(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    free(make_heights(context, scene, 401, 3, 100, NULL));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.layers = "los,path_loss";
    now.options.res_m = 100;
    now.tx[0].x_m = 50;
    now.tx[0].y_m = 100;
    now.tx[0].height_m = 30;
    for (int flat = 0; flat < 2; flat++) {
        now.options.k_factor = flat ? 1e6 : 1;
        double horizon_m = sqrt(2 * 6371e3) * (sqrt(30) + sqrt(1.5)); /* 23.9 km */
        rw_map *map = predict(&now);
        assert_near((double)value_at(map, "los", 50 + horizon_m - 250, 100), 1, 0);
        assert_near((double)value_at(map, "los", 50 + horizon_m + 250, 100), flat, 0);
        rw_map_destroy(map);
    }
    now.options.k_factor = 1;
    now.options.layers = "path_loss";
    now.options.model = "beams";
    now.options.transmitters = now.tx;
    rw_map *map = predict(&now);
    for (double beyond_m = -3000; beyond_m <= 3000; beyond_m += 6000) {
        double x_m = floor(sqrt(2 * 6371e3) * (sqrt(30) + sqrt(1.5)) / 100) * 100 + 50 + beyond_m;
        const rw_point point = {.size = sizeof point, .x_m = x_m, .y_m = 150, .height_m = 1.5};
        rw_paths *paths;
        assert_ok(context, rw_trace(scene, &now.options, &point, 1, &paths));
        /* In sight the direct path, beyond the horizon the one over it, as in the map. */
        assert_int_equal(rw_paths_count(paths), 1);
        rw_path path = {.size = sizeof path};
        assert_ok(context, rw_paths_get(paths, 0, &path));
        assert_near(path.loss_db, (double)value_at(map, "path_loss", x_m, 150), 0.01);
        assert_true(path.loss_db > path.free_space_db + 10); /* the ground's part */
        rw_paths_destroy(paths);
    }
    rw_map_destroy(map);
    end(&now);
}

/* 20 km over a plain, a building of 26 m between antennas of 30 m: the straight line passes 13 m above the ground
 * there, and every mechanism that passes the building has a loss, the same in maps and paths. */
static void every_mechanism_is_on_the_round_earth(void **state)
{
    (void)state;
    static const char *const effects[] = {"walls", "roofs_polynomial", "roofs"};
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    free(make_heights(context, scene, 211, 5, 100, NULL));
    add_box(context, scene, (const double[]){10300, 100, 10330, 300}, 26, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.layers = "los,path_loss";
    now.options.prior = "none";
    now.options.res_m = 20;
    now.options.rx_height_m = 30;
    now.tx[0].x_m = 310;
    now.tx[0].y_m = 210;
    now.tx[0].height_m = 30;
    const double area_m[4] = {20300, 200, 20320, 220};
    memcpy(now.options.area_m, area_m, sizeof area_m);
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        double loss_db[2];
        for (int flat = 0; flat < 2; flat++) {
            now.options.effects = effects[i];
            now.options.k_factor = flat ? 1e6 : 4.0 / 3.0;
            rw_map *map = predict(&now);
            assert_near((double)value_at(map, "los", 20310, 210), flat, 0);
            loss_db[flat] = (double)value_at(map, "path_loss", 20310, 210);
            const rw_point point = {.size = sizeof point, .x_m = 20310, .y_m = 210, .height_m = 30};
            rw_paths *paths;
            rw_path path = {.size = sizeof path};
            now.options.transmitters = now.tx;
            assert_ok(context, rw_trace(scene, &now.options, &point, 1, &paths));
            assert_int_equal(rw_paths_count(paths), 1);
            assert_ok(context, rw_paths_get(paths, 0, &path));
            assert_near(path.loss_db, loss_db[flat], 0.01);
            double vertices_db = 0;
            for (size_t v = 0; v < path.vertex_count; v++)
                vertices_db += (double)path.vertices[v].loss_db;
            assert_true(flat || vertices_db > (i == 0 ? 8 : 1));
            rw_paths_destroy(paths);
            rw_map_destroy(map);
        }
        printf("%s: %.2f dB over a round earth, %.2f dB over a flat one\n", effects[i], loss_db[0], loss_db[1]);
        assert_true(loss_db[0] > loss_db[1] + (i == 0 ? 8 : 1));
    }
    end(&now);
}

static float low_waves(double x, double y)
{
    return (float)(2 * sin(x / 230) + sin(y / 70));
}

static void all_methods_see_the_same_on_a_round_earth(void **state)
{
    (void)state;
    static const char *const methods[] = {"brute", "march", "polar", "polygons", "sectors"};
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    rw_random random = rw_random_of(3, 0);
    free(make_heights(context, scene, 31, 5, 100, low_waves));
    for (int i = 0; i < 60; i++) {
        double x = rw_random_range(&random, 100, 2900), y = rw_random_range(&random, 5, 360);
        add_box(context, scene, (const double[]){x, y, x + 10, y + 12}, rw_random_range(&random, 3, 9), NULL);
    }
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.layers = "los,walls";
    now.options.k_factor = 0.1; /* 1.8 m in the middle of 3 km */
    now.options.res_m = 10;
    now.tx[0].x_m = 128;
    now.tx[0].y_m = 200;
    now.tx[0].height_m = 12;
    rw_map *maps[5];
    for (int i = 0; i < 5; i++) {
        now.options.method = methods[i];
        maps[i] = predict(&now);
    }
    now.options.k_factor = 1e6;
    rw_map *flat = predict(&now);
    size_t changed = 0;
    rw_map_info info = info_of(flat);
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        float first = layer_of(maps[0], "los").values[i], walls = layer_of(maps[0], "walls").values[i];
        changed += !isnan(first) && first != layer_of(flat, "los").values[i];
        for (int k = 1; k < 5 && !isnan(first); k++) {
            assert_near((double)layer_of(maps[k], "los").values[i], (double)first, 0);
            assert_near((double)layer_of(maps[k], "walls").values[i], (double)walls, 0);
        }
    }
    printf("%zu of %zu cells are seen otherwise than on a flat earth\n", changed, info.columns * info.rows);
    assert_true(changed > 5);
    rw_map_destroy(flat);
    for (int i = 0; i < 5; i++)
        rw_map_destroy(maps[i]);
    end(&now);
}

/* --------------------------------------------------------------------------------------------- houses behind hills */

#define HILL_X 1500.0
#define RECEIVER_X 2500.0

static float ridge(double x, double y)
{
    (void)y;
    return (float)(60 * exp(-pow((x - HILL_X) / 250, 2)));
}

/* A ridge across the path, or a plain, with a house between it and the receiver unless it has no height. */
static prediction begin_ridge(int hill, double house_m, double house_x)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    free(make_heights(context, scene, 151, 51, 20, hill ? ridge : NULL));
    add_box(context, scene, (const double[]){60, 20, 64, 24}, 1, NULL); /* for the scene's extent */
    add_box(context, scene, (const double[]){2930, 970, 2934, 974}, 1, NULL);
    if (house_m > 0)
        add_box(context, scene, (const double[]){house_x, 440, house_x + 12, 560}, house_m, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.layers = "path_loss";
    now.options.res_m = 2;
    now.options.area_m[0] = RECEIVER_X;
    now.options.area_m[1] = 499;
    now.options.area_m[2] = RECEIVER_X + 2;
    now.options.area_m[3] = 501;
    now.tx[0].x_m = 100;
    now.tx[0].y_m = 500;
    now.tx[0].height_m = 20;
    return now;
}

static double loss_of(prediction *now)
{
    rw_map *map = predict(now);
    double loss_db = (double)layer_of(map, "path_loss").values[0];
    rw_map_destroy(map);
    return loss_db;
}

/* The transmitter rises out of the hill's shadow, and out of the house's. */
static double largest_step_db(int hill, double house_m, const char *prior)
{
    prediction now = begin_ridge(hill, house_m, RECEIVER_X - 60);
    double before_db = NAN, worst_db = 0, first_db = 0, at_m = 0;
    now.options.prior = prior;
    for (double height_m = 10; height_m <= 400; height_m *= 1.005) {
        now.tx[0].height_m = height_m;
        double loss_db = loss_of(&now);
        if (isnan(before_db))
            first_db = loss_db;
        else if (fabs(loss_db - before_db) > worst_db) {
            worst_db = fabs(loss_db - before_db);
            at_m = height_m;
        }
        before_db = loss_db;
    }
    printf("hill %d, house %2.0f m, prior %s: %.1f to %.1f dB, largest step %.2f dB at %.1f m\n", hill, house_m, prior,
           first_db, before_db, worst_db, at_m);
    end(&now);
    return worst_db;
}

static void nothing_jumps_at_shadow_boundaries(void **state)
{
    (void)state;
    static const double houses_m[] = {0, 4, 9, 15};
    for (int hill = 0; hill < 2; hill++)
        for (size_t i = 0; i < sizeof houses_m / sizeof *houses_m; i++)
            assert_true(largest_step_db(hill, houses_m[i], i % 2 ? "3gpp" : "none") < 1.0);
}

/* The receiver walks out of the hill's shadow, 2 m at a time. */
static void nothing_jumps_along_a_walk(void **state)
{
    (void)state;
    for (int house = 0; house < 2; house++) {
        prediction now = begin_ridge(1, house ? 8 : 0, 1800);
        now.options.area_m[0] = 1560;
        now.options.area_m[2] = 2900;
        now.tx[0].height_m = 150;
        now.options.layers = "path_loss,los";
        rw_map *map = predict(&now);
        rw_map_info info = info_of(map);
        const float *loss = layer_of(map, "path_loss").values, *los = layer_of(map, "los").values;
        double worst_db = 0;
        size_t boundaries = 0;
        for (size_t i = 1; i < info.columns; i++) {
            double x_m = info.x0_m + ((double)i + 0.5) * info.res_m;
            boundaries += los[i] != los[i - 1];
            if (house && x_m > 1700 && x_m < 1830) /* before the house its facade sends back, and then comes its wall */
                continue;
            double step_db = fabs((double)(loss[i] - loss[i - 1]));
            worst_db = fmax(worst_db, step_db);
        }
        printf("house %d: %zu boundaries of sight, largest step of 2 m %.2f dB\n", house, boundaries, worst_db);
        assert_true(boundaries >= 1 && worst_db < 1.0);
        rw_map_destroy(map);
        end(&now);
    }
}

/* Wherever it stands and however high it is. */
static void no_house_behind_a_hill_helps(void **state)
{
    (void)state;
    static const double positions_m[] = {1700, 2100, 2400, 2480};
    prediction bare = begin_ridge(1, 0, 0);
    bare.options.prior = "none";
    double bare_db = loss_of(&bare);
    end(&bare);
    for (size_t i = 0; i < 4; i++) {
        double before_db = bare_db;
        for (double house_m = 2; house_m <= 20; house_m += 2) {
            prediction now = begin_ridge(1, house_m, positions_m[i]);
            now.options.prior = "none";
            double loss_db = loss_of(&now);
            assert_true(loss_db > bare_db - 0.05);
            assert_true(loss_db > before_db - 0.5); /* nor does a higher one, but for the ripple of edges in sight */
            before_db = loss_db;
            end(&now);
        }
        printf("house at %.0f m: %.1f dB without, %.1f dB of 20 m\n", positions_m[i], bare_db, before_db);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_follow_p1812),
        cmocka_unit_test(maps_of_real_mountains_follow_p1812),
        cmocka_unit_test(the_horizon_is_where_it_should_be),
        cmocka_unit_test(every_mechanism_is_on_the_round_earth),
        cmocka_unit_test(all_methods_see_the_same_on_a_round_earth),
        cmocka_unit_test(nothing_jumps_at_shadow_boundaries),
        cmocka_unit_test(nothing_jumps_along_a_walk),
        cmocka_unit_test(no_house_behind_a_hill_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
