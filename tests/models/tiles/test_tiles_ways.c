/* The tiles model through its options: cells of maps, paths over roofs, what points see, finer borders. */
#include "base/maths/hash.h"
#include "temporary.h"
#include "tile_city.h"
#include "models/tiles/tiles.h"

/* Cells of a map have the value of the ground tile whose middle is nearest. */
static void cells_take_the_nearest_tile(void **state)
{
    (void)state;
    prediction now = begin_city(RW_BACKEND_CPU, 2, 250, 0);
    now.options.depth = 1;
    now.options.res_m = 10;
    now.options.cells = "nearest";
    rw_map *map = map_of(&now);
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    rw_map_layer layer = {.size = sizeof layer};
    rw_map_get_layer(map, 0, &layer);
    size_t finite = 0, outdoor = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        outdoor += !isnan(layer.values[i]);
        finite += isfinite(layer.values[i]) != 0;
    }
    assert_true(outdoor > 100 && finite > outdoor / 20);
    assert_near(info.rx_height_m, 0.01, 1e-12); /* of the tiles, whatever height was requested */
    rw_map_destroy(map);
    now.options.cells = "round";
    now.options.transmitters = now.tx;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "cells = round: expected one of exact,nearest");
    now.options.cells = NULL;
    now.options.sum = "mean";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "sum = mean: expected one of coherent,power,local");
    now.options.sum = "power";
    now.options.depth = 7;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "depth = 7 is out of range: 1 to 6");
    now.options.depth = 2;
    now.options.tile_area_m2 = -1;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "tile-area = -1 m2 is out of range");
    now.options.tile_area_m2 = NAN;
    now.options.loss_max_db = -10;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "loss-max = -10 dB is out of range");
    now.options.loss_max_db = NAN;
    now.options.memory_bytes = -1;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "memory = -1 B is out of range");
    end_city(&now);
}

/* The path over the roofs is the shadow model's, in paths and in sums. */
static void roofs_are_those_of_the_shadow_model(void **state)
{
    (void)state;
    rw_point point = {.size = sizeof(rw_point), .x_m = 100, .y_m = 90, .height_m = 1.5};
    prediction now = begin_city(RW_BACKEND_CPU, 2, 316, 0);
    double loss_db[2];
    now.tx[0].height_m = 30;
    now.options.transmitters = now.tx;
    now.options.layers = "path_loss";
    now.options.depth = 1;
    rw_predict_options asked[] = {now.options, asked_of(&now.options, "shadow")};
    asked[0].roofs = "polynomial";
    asked[1].effects = "roofs_polynomial";
    for (int i = 0; i < 2; i++) {
        rw_paths *paths;
        rw_path path = {.size = sizeof path};
        assert_ok(now.context, rw_trace(now.scene, &asked[i], &point, 1, &paths));
        assert_true(rw_paths_count(paths) >= 1);
        rw_paths_get(paths, 0, &path);
        assert_true(path.vertex_count >= 4 && path.vertices[1].interaction == RW_INTERACTION_ROOF);
        loss_db[i] = path.loss_db;
        rw_paths_destroy(paths);
    }
    assert_near(loss_db[0], loss_db[1], 0.01);
    rw_map *map[2];
    now.options.model = "tiles";
    now.options.roofs = "none"; /* its own rays */
    memcpy(now.options.area_m, (double[]){95, 85, 105, 95}, sizeof now.options.area_m);
    now.options.res_m = 10;
    now.options.cells = "exact";
    for (int i = 0; i < 2; i++) {
        now.options.roofs = i ? "polynomial" : "none";
        map[i] = map_of(&now);
    }
    rw_map_layer without = {.size = sizeof without}, with = {.size = sizeof with};
    rw_map_get_layer(map[0], 0, &without);
    rw_map_get_layer(map[1], 0, &with);
    double both = -10 * log10(pow(10, -0.1 * (double)without.values[0]) + pow(10, -0.1 * loss_db[0]));
    assert_near(with.values[0], both, 0.02);
    rw_map_destroy(map[0]);
    rw_map_destroy(map[1]);
    end_city(&now);
}

/* By default, cells are receivers at their own height. */
static void cells_are_exact_by_default(void **state)
{
    (void)state;
    prediction now = begin_city(RW_BACKEND_CPU, 2, 150, 0);
    static const char *const kinds[] = {NULL, "exact", "nearest"};
    rw_map *maps[3];
    rw_map_layer layers[3];
    now.options.depth = 1;
    now.options.res_m = 10;
    for (int i = 0; i < 3; i++) {
        now.options.cells = kinds[i];
        maps[i] = map_of(&now);
        layers[i].size = sizeof *layers;
        rw_map_get_layer(maps[i], 0, &layers[i]);
    }
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(maps[0], &info);
    size_t bytes = info.columns * info.rows * sizeof(float);
    assert_memory_equal(layers[0].values, layers[1].values, bytes);
    assert_true(memcmp(layers[0].values, layers[2].values, bytes) != 0);
    for (int i = 0; i < 3; i++)
        rw_map_destroy(maps[i]);
    end_city(&now);
}

enum { LOOKERS = 300 };

/* What points of a city see: each asked for itself, or all with horizons. The caller frees it. */
static uint32_t *look_around(rw_backend backend, int horizons, size_t *words)
{
    prediction now = begin_city(backend, 2, 250, 0);
    rw_tile_city city;
    rw_point_visibility finder;
    rw_vec3 points[LOOKERS];
    rw_random random = rw_random_of(5, 1);
    assert_ok(now.context, rw_tile_city_create(now.scene, (rw_tiling){.area_m2 = 60}, NULL, &city));
    for (int i = 0; i < LOOKERS; i++) {
        double x = 240 * (rw_random_unit(&random) - 0.5), y = 240 * (rw_random_unit(&random) - 0.5);
        points[i] = rw_vec3_of(x, y, i % 3 == 0 ? 40 * rw_random_unit(&random) : 1.5);
    }
    *words = (size_t)LOOKERS * city.world.view.block_count;
    uint32_t *seen = calloc(*words, sizeof *seen);
    assert_non_null(seen);
    if (horizons) {
        assert_ok(now.context, rw_point_visibility_begin(&city, LOOKERS, &finder));
        assert_ok(now.context, rw_point_visibility_find(&finder, points, LOOKERS, 0, seen));
        rw_point_visibility_end(&finder);
    } else {
        assert_ok(now.context, rw_tile_city_look(&city, points, LOOKERS, 0, seen));
    }
    rw_tile_city_destroy(&city);
    end_city(&now);
    return seen;
}

static void compare_looks(rw_backend backend)
{
    size_t words, others, bits = 0;
    uint32_t *all = look_around(backend, 1, &words), *each = look_around(RW_BACKEND_CPU, 0, &others);
    assert_int_equal(words, others);
    for (size_t i = 0; i < words; i++)
        bits += rw_bit_count(each[i]);
    assert_true(bits > 50 * LOOKERS);
    assert_memory_equal(each, all, words * sizeof *each);
    free(each);
    free(all);
}

/* Horizons hide nothing that is seen. */
static void many_points_see_what_each_sees(void **state)
{
    (void)state;
    compare_looks(RW_BACKEND_CPU);
}

static void many_points_see_the_same_on_a_gpu(void **state)
{
    (void)state;
    compare_looks(RW_BACKEND_CUDA);
}

/* Tiles at outlines are cut into four in predictions as in databases, and a database of others is refused. */
static void borders_are_cut_finer(void **state)
{
    (void)state;
    size_t counts[2];
    rw_tile_map *map;
    prediction now = begin_city(RW_BACKEND_CPU, 2, 150, 0);
    now.options.depth = 1;
    now.options.transmitters = now.tx;
    for (int quarter = 0; quarter < 2; quarter++) {
        now.options.tile_quarter = quarter;
        assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &map));
        counts[quarter] = info_of(rw_tile_map_values(map)).columns;
        rw_tile_map_destroy(map);
    }
    assert_true(counts[1] > counts[0] + counts[0] / 10);
    char path[2048];
    snprintf(path, sizeof path, "%s", temporary_path("fine.rwdb"));
    rw_preprocess_options options;
    rw_database *database;
    rw_preprocess_options_init(&options);
    options.model = "tiles";
    assert_ok(now.context, rw_preprocess(now.scene, &options, path)); /* not cut where nothing is asked for */
    unlink(path);
    options.tile_quarter = 1;
    assert_ok(now.context, rw_preprocess(now.scene, &options, path));
    assert_ok(now.context, rw_database_load(now.scene, path, &database));
    now.options.database = database;
    assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &map));
    assert_int_equal(info_of(rw_tile_map_values(map)).columns, counts[1]);
    rw_tile_map_destroy(map);
    now.options.tile_quarter = 0;
    check_sentence(now.context, rw_predict_tiles(now.scene, &now.options, &map), RW_BAD_CALL, "leave tile-quarter out");
    rw_database_destroy(database);
    unlink(path);
    end_city(&now);
}

/* A city on hills with finer borders: every kind of interaction, at cells and on tiles. */
static prediction begin_hills(void)
{
    rw_context *context = make_context();
    rw_city_options city;
    rw_scene *scene;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 140;
    city.hills = 1;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = now.tx[0].y_m = 70;
    now.tx[0].height_m = 14;
    now.options.model = "tiles";
    now.options.roofs = "none"; /* its own rays */
    now.options.freq_hz = 2e9;
    now.options.depth = 2;
    now.options.diffractions = 2;
    now.options.scatterings = 1;
    now.options.tile_quarter = 1;
    now.options.res_m = 20;
    now.options.cells = "exact";
    now.options.layers = "path_loss,delay_spread,paths";
    now.options.loss_max_db = 180;
    return now;
}

static int same_layers(const rw_map *first, const rw_map *second)
{
    rw_map_info info = info_of(first);
    int same = 1;
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_layer a = {.size = sizeof a}, b = {.size = sizeof b};
        rw_map_get_layer(first, i, &a);
        rw_map_get_layer(second, i, &b);
        same &= memcmp(a.values, b.values, info.columns * info.rows * sizeof *a.values) == 0;
    }
    return same;
}

/* Without a matrix every leg is tested while rays are followed, and the result is the same to the bit. */
static void online_is_the_same_without_a_matrix(void **state)
{
    (void)state;
    static const char *const methods[] = {"matrix", "online"};
    rw_map *maps[2];
    rw_tile_map *tiles[2];
    prediction now = begin_hills();
    now.options.transmitters = now.tx;
    for (int i = 0; i < 2; i++) {
        now.options.method = methods[i];
        assert_ok(now.context, rw_predict_with_tiles(now.scene, &now.options, &maps[i], &tiles[i]));
    }
    assert_true(same_layers(maps[0], maps[1]));
    assert_true(same_layers(rw_tile_map_values(tiles[0]), rw_tile_map_values(tiles[1])));
    rw_map_layer paths = layer_of(maps[0], "paths");
    rw_map_info info = info_of(maps[0]);
    size_t reached = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++)
        reached += paths.values[i] > 3;
    assert_true(reached > 5); /* otherwise nothing is tested */
    for (int i = 0; i < 2; i++) {
        rw_map_destroy(maps[i]);
        rw_tile_map_destroy(tiles[i]);
    }
    char path[2048];
    snprintf(path, sizeof path, "%s", temporary_path("online.rwdb"));
    rw_preprocess_options options;
    rw_database *database;
    rw_preprocess_options_init(&options);
    options.model = "tiles";
    assert_ok(now.context, rw_preprocess(now.scene, &options, path));
    assert_ok(now.context, rw_database_load(now.scene, path, &database));
    now.options.database = database;
    now.options.tile_quarter = RW_UNSET;
    check_sentence(now.context, rw_predict_tiles(now.scene, &now.options, &tiles[0]), RW_BAD_CALL,
                   "method online uses no database");
    rw_database_destroy(database);
    unlink(path);
    end_city(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_take_the_nearest_tile),         cmocka_unit_test(roofs_are_those_of_the_shadow_model),
        cmocka_unit_test(cells_are_exact_by_default),          cmocka_unit_test(many_points_see_what_each_sees),
        cmocka_unit_test(many_points_see_the_same_on_a_gpu),   cmocka_unit_test(borders_are_cut_finer),
        cmocka_unit_test(online_is_the_same_without_a_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
