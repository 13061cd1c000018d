/* The tiles model through its options: cells of maps, paths over roofs, ridges of the terrain, kept rays. */
#include "base/maths/elementary.h"
#include "base/maths/random.h"
#include "field/surfaces/scatter_balance.h"
#include "models/tiles/kept.h"
#include "temporary.h"
#include "tile_city.h"

#include <rasterwave/calc.h>

#define LIGHT_M_S 299792458.0

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
    rw_map_destroy(map);
    now.options.cells = "round";
    now.options.transmitters = now.tx;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "cells = round: expected one of exact,nearest");
    now.options.cells = NULL;
    now.options.sum = "local";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "sum = local: expected one of coherent,power");
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
    rw_point point = {sizeof(rw_point), 100, 90, 1.5};
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

/* A ridge between two even slopes, and nothing else: what lies behind it is reached over an edge of the ground, which
 * is a wedge. */
static void ridge_is_a_wedge(void **state)
{
    (void)state;
    enum { POSTS = 21 };
    static float heights[POSTS * POSTS];
    const double spacing_m = 20, slope = 0.25, ridge_m = 200;
    for (int row = 0; row < POSTS; row++)
        for (int column = 0; column < POSTS; column++)
            heights[row * POSTS + column] = (float)(60 - slope * fabs(column * spacing_m - ridge_m));
    rw_raster terrain = {.size = sizeof terrain,
                         .columns = POSTS,
                         .rows = POSTS,
                         .dx_m = spacing_m,
                         .dy_m = spacing_m,
                         .values = heights};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    assert_ok(context, rw_scene_set_terrain(scene, &terrain));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_point point = {sizeof(rw_point), 310, 190, 1.5};
    rw_paths *paths;
    now.tx[0].x_m = 60;
    now.tx[0].y_m = 190;
    now.tx[0].height_m = 5;
    now.options.transmitters = now.tx;
    now.options.model = "tiles";
    now.options.roofs = "none"; /* its own rays */
    now.options.freq_hz = 2e9;
    now.options.tile_area_m2 = spacing_m * spacing_m;
    now.options.depth = 1;
    now.options.loss_max_db = 200;
    assert_ok(context, rw_trace(scene, &now.options, &point, 1, &paths));
    double lean_deg = atan(slope) * 180 / RW_PI, tx_z = 60 - slope * 140 + 5, rx_z = 60 - slope * 110 + 1.5;
    /* from the slope of the transmitter, through the air, to that of the receiver */
    rw_wedge_options wedge = {.size = sizeof wedge,
                              .freq_hz = 2e9,
                              .exterior_angle_deg = 180 + 2 * lean_deg,
                              .source_m = hypot(140, 60 - tx_z),
                              .source_angle_deg = lean_deg - atan2(60 - tx_z, 140) * 180 / RW_PI,
                              .observer_m = hypot(110, 60 - rx_z),
                              .observer_angle_deg = 180 + lean_deg + atan2(60 - rx_z, 110) * 180 / RW_PI,
                              .material = "itu_medium_dry_ground",
                              .method = "holm"};
    rw_wedge_result expected = {.size = sizeof expected};
    assert_ok(context, rw_calc_wedge(context, &wedge, &expected));
    assert_false(expected.line_of_sight);
    double wanted = hypot(expected.diffracted_hard.re, expected.diffracted_hard.im) * LIGHT_M_S / 2e9 /
                    (4 * RW_PI * expected.direct_m);
    int found = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.vertex_count != 3 || fabs(path.vertices[1].x_m - ridge_m) > 1e-6)
            continue;
        found++;
        assert_int_equal(path.vertices[1].interaction, RW_INTERACTION_ROOF);
        assert_near(path.length_m, expected.over_edge_m, 1e-3);
        assert_near(20 * log10(hypot(path.gain_re, path.gain_im) / wanted), 0, 0.05);
    }
    assert_int_equal(found, 1);
    rw_paths_destroy(paths);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Rays kept at one frequency and antenna give, for another, what tracing again gives; files of something else are
 * refused. */
static void kept_rays_are_evaluated_again(void **state)
{
    (void)state;
    char path[2048];
    snprintf(path, sizeof path, "%s", temporary_path("kept.rays"));
    unlink(path);
    prediction now = begin_city(RW_BACKEND_CPU, 2, 200, 0.4);
    now.options.depth = 2;
    now.options.res_m = 10;
    now.options.cells = "exact";
    now.options.reuse = path;
    rw_map *first = map_of(&now), *same = map_of(&now); /* traced and kept; read */
    rw_map_layer a = {.size = sizeof a}, b = {.size = sizeof b};
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(first, &info);
    size_t cells = info.columns * info.rows, compared = 0, changed = 0;
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_get_layer(first, i, &a);
        rw_map_get_layer(same, i, &b);
        assert_memory_equal(a.values, b.values, cells * sizeof *a.values);
    }
    now.options.freq_hz = 900e6;
    now.tx[0].antenna = "dipole";
    rw_map *again = map_of(&now);
    now.options.reuse = NULL;
    rw_map *traced = map_of(&now);
    rw_map_layer before = {.size = sizeof before};
    rw_map_get_layer(first, 0, &before);
    rw_map_get_layer(again, 0, &a);
    rw_map_get_layer(traced, 0, &b);
    for (size_t i = 0; i < cells; i++) {
        if (!isfinite(b.values[i]) || b.values[i] > 170)
            continue;
        compared++;
        changed += fabsf(before.values[i] - b.values[i]) > 1;
        assert_near(a.values[i], b.values[i], 0.05); /* but for what was below the threshold before */
    }
    assert_true(compared > 30 && changed > compared / 2);
    now.options.reuse = path;
    now.tx[0].x_m += 1;
    rw_map *none;
    now.options.transmitters = now.tx;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &none), RW_BAD_CALL, "stands elsewhere");
    now.options.depth = 1;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &none), RW_BAD_CALL,
                   "other limits of interactions");
    FILE *stream = fopen(path, "r+b");
    assert_non_null(stream);
    fseek(stream, 300, SEEK_SET);
    fputc(77, stream);
    fclose(stream);
    now.options.depth = 2;
    now.tx[0].x_m -= 1;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &none), RW_BAD_INPUT, "is damaged");
    unlink(path);
    rw_map_destroy(first);
    rw_map_destroy(same);
    rw_map_destroy(again);
    rw_map_destroy(traced);
    end_city(&now);
}

/* Rays that are too weak at the first frequency are kept for a lower one, and a file that lacks some says so. */
static void weak_rays_are_kept(void **state)
{
    (void)state;
    char path[2048];
    snprintf(path, sizeof path, "%s", temporary_path("weak.rays"));
    unlink(path);
    prediction now = begin_city(RW_BACKEND_CPU, 2, 250, 0);
    now.options.depth = 2;
    now.options.res_m = 10;
    now.options.cells = "exact";
    now.options.layers = "path_loss";
    now.options.loss_max_db = 100;
    now.options.freq_hz = 6e9;
    now.options.reuse = path;
    rw_map_destroy(map_of(&now));
    now.options.freq_hz = 900e6;
    rw_map *kept = map_of(&now);
    now.options.reuse = NULL;
    rw_map *traced = map_of(&now);
    rw_map_info info = info_of(kept);
    const float *a = layer_of(kept, "path_loss").values, *b = layer_of(traced, "path_loss").values;
    size_t compared = 0, better = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        if (!isfinite(b[i]))
            continue;
        compared++;
        assert_true(a[i] <= b[i] + 0.01f); /* nothing is missing */
        better += a[i] < b[i] - 0.01f;     /* beyond tiles at whose middle the ray was below the threshold */
    }
    printf("%zu cells, %zu of them with more than was traced\n", compared, better);
    assert_true(compared > 50 && 20 * better <= compared);
    rw_map_destroy(kept);
    rw_map_destroy(traced);
    now.options.reuse = path;
    now.options.roughness = 0.4;
    rw_map *none;
    now.options.transmitters = now.tx;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &none), RW_BAD_CALL, "rough now");
    unlink(path);
    end_city(&now);
}

static void compare_maps(const rw_map *first, const rw_map *second)
{
    rw_map_info info = {.size = sizeof info}, other = {.size = sizeof other};
    rw_map_layer a = {.size = sizeof a}, b = {.size = sizeof b};
    rw_map_get_info(first, &info);
    rw_map_get_info(second, &other);
    assert_int_equal(info.layers, other.layers);
    assert_int_equal(info.columns * info.rows, other.columns * other.rows);
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_get_layer(first, i, &a);
        rw_map_get_layer(second, i, &b);
        assert_memory_equal(a.values, b.values, info.columns * info.rows * sizeof *a.values);
    }
}

/* One file serves the cells of a map and the tiles, which are other ends of the same rays. */
static void kept_rays_serve_cells_and_tiles(void **state)
{
    (void)state;
    char path[2048];
    snprintf(path, sizeof path, "%s", temporary_path("both.rays"));
    unlink(path);
    prediction now = begin_city(RW_BACKEND_CPU, 2, 150, 0.4);
    rw_tile_map *tiles[3];
    now.options.depth = 2;
    now.options.res_m = 10;
    now.options.reuse = path;
    rw_map *cells = map_of(&now), *both;
    assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &tiles[0]));
    now.options.reuse = NULL;
    assert_ok(now.context, rw_predict_with_tiles(now.scene, &now.options, &both, &tiles[2]));
    compare_maps(cells, both);
    compare_maps(rw_tile_map_values(tiles[0]), rw_tile_map_values(tiles[2]));
    assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &tiles[1]));
    compare_maps(rw_tile_map_values(tiles[0]), rw_tile_map_values(tiles[1]));
    unlink(path);
    rw_map_destroy(cells);
    rw_map_destroy(both);
    for (int i = 0; i < 3; i++)
        rw_tile_map_destroy(tiles[i]);
    now.options = asked_of(&now.options, "shadow");
    check_sentence(now.context, rw_predict_with_tiles(now.scene, &now.options, &both, &tiles[0]), RW_BAD_CALL,
                   "no values on tiles");
    assert_null(both);
    assert_null(tiles[0]);
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
    rw_random random = rw_random_make(5, 1);
    assert_ok(now.context, rw_tile_city_create(now.scene, (rw_tiling){60, 0}, NULL, &city));
    for (int i = 0; i < LOOKERS; i++) {
        double x = 240 * (rw_random_unit(&random) - 0.5), y = 240 * (rw_random_unit(&random) - 0.5);
        points[i] = rw_vec3_make(x, y, i % 3 == 0 ? 40 * rw_random_unit(&random) : 1.5);
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

/* A file may be whole, with the right hash, and still name tiles, edges, points and scatterers that are not there. */
static void forged_rays_are_refused(void **state)
{
    (void)state;
    rw_context *context = make_context();
    char path[2048];
    snprintf(path, sizeof path, "%s", temporary_path("forged.rays"));
    static const rw_tile_ray forged[] = {
        {.end = 10, .end_kind = RW_END_TILE},
        {.end = 1, .end_kind = RW_END_POINT},
        {.end = 0, .end_kind = RW_END_EDGE},
        {.steps = {RW_TILE_STEP(10, 0)}, .count = 1},
        {.steps = {RW_TILE_STEP(4, 1)}, .count = 1},
        {.count = RW_TILE_DEPTH_MAX + 1},
        {.steps = {RW_TILE_STEP(0, 1), RW_TILE_STEP(1, 1), RW_TILE_STEP(2, 1)}, .count = 3},
        {.scattered = 1, .count = 1},
        {.steps = {RW_TILE_STEP(9, 0), RW_TILE_STEP(3, 1)}, .count = 2, .end = 9}, /* holds */
    };
    const size_t count = sizeof forged / sizeof *forged;
    for (size_t i = 0; i < count; i++) {
        rw_tile_ray ray = forged[i];
        uint64_t none = 0;
        rw_kept_rays solver = {.direct = {.items = &ray, .count = 1}, .scattered = {.items = &ray}, .keys = &none};
        solver.threshold = (rw_kept_threshold){.freq_hz = 1e9, .loss_db = 150};
        rw_kept_rays read = {.keys = NULL};
        rw_kept_tiles kept = {.context = context, .path = path, .transmitters = &solver};
        kept.subject.tile_count = 10;
        kept.subject.edge_count = 4;
        kept.subject.point_count = kept.subject.transmitter_count = 1;
        assert_ok(context, rw_kept_tiles_write(&kept));
        kept.transmitters = &read;
        rw_status status = rw_kept_tiles_read(&kept);
        assert_int_equal(status, i + 1 < count ? RW_BAD_INPUT : RW_OK);
        free(read.direct.items);
        free(read.scattered.items);
        free(read.keys);
    }
    unlink(path);
    rw_context_destroy(context);
}

/* The losses of one layer, of a model on a small city whose walls are rough by their material or by the option. */
static float *rough_losses(const char *model, double of_material, double by_option, int scatterings, size_t *count)
{
    prediction now = begin_city(RW_BACKEND_CPU, 2, 120, of_material);
    now.options.model = model;
    now.options.roofs = strcmp(model, "rt") == 0 ? NULL : "none";
    now.options.roughness = by_option;
    now.options.depth = 1;
    now.options.diffractions = 0;
    now.options.res_m = 15;
    if (scatterings != RW_UNSET)
        now.options.scatterings = scatterings;
    now.options.layers = "path_loss";
    rw_map *map = map_of(&now);
    rw_map_info info = info_of(map);
    *count = info.columns * info.rows;
    float *losses = malloc(*count * sizeof *losses);
    memcpy(losses, layer_of(map, "path_loss").values, *count * sizeof *losses);
    rw_map_destroy(map);
    end_city(&now);
    return losses;
}

static size_t count_different(const float *one, const float *other, size_t count)
{
    size_t different = 0;
    for (size_t i = 0; i < count; i++)
        different += !(one[i] == other[i] || (isnan(one[i]) && isnan(other[i])) || fabsf(one[i] - other[i]) < 1e-4f);
    return different;
}

/* The option is the roughness of walls without one of their own: as if the material had it, in both models. Where
 * scattering is asked for on a scene that says nothing of roughness, it is 0.4. */
static void roughness_is_an_option(void **state)
{
    (void)state;
    static const char *const models[] = {"tiles", "rt"};
    for (size_t i = 0; i < 2; i++) {
        size_t count;
        float *material = rough_losses(models[i], 0.4, NAN, RW_UNSET, &count);
        float *option = rough_losses(models[i], 0, 0.4, 1, &count);
        float *own = rough_losses(models[i], 0.4, 0.9, 1, &count);
        float *usual = rough_losses(models[i], 0, NAN, 1, &count);
        float *none = rough_losses(models[i], 0, NAN, RW_UNSET, &count);
        float *specular = rough_losses(models[i], 0, NAN, 0, &count);
        assert_int_equal(count_different(material, option, count), 0);
        assert_int_equal(count_different(material, own, count), 0);
        assert_int_equal(count_different(none, specular, count), 0);
        assert_int_equal(count_different(usual, option, count), 0);
        assert_true(count_different(option, none, count) > count / 10);
        free(material);
        free(option);
        free(own);
        free(usual);
        free(none);
        free(specular);
    }
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

/* One wall that scatters, and a receiver each in the specular direction and back where the transmitter is. */
static void lobe_losses(const char *model, const char *lobe, double loss_db[2])
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    rw_panel wall = {.size = sizeof wall, .x0_m = 95, .y0_m = 100, .x1_m = 105, .y1_m = 100, .top_m = 10};
    rw_panel far = {.size = sizeof far, .x0_m = 0, .y0_m = 0, .x1_m = 200, .y1_m = 0, .top_m = 0.6};
    assert_ok(context, rw_scene_add_panel(scene, &wall));
    assert_ok(context, rw_scene_add_panel(scene, &far)); /* for the extent; too low to matter */
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 40;
    now.tx[0].y_m = 40;
    now.tx[0].height_m = 5;
    now.options.model = model;
    now.options.freq_hz = 2e9;
    now.options.depth = 1;
    now.options.reflections = now.options.diffractions = 0;
    now.options.scatterings = 1;
    now.options.roughness = 0.6;
    now.options.lobe = lobe;
    now.options.loss_max_db = 200;
    now.options.res_m = now.options.rx_height_m = NAN;
    if (strcmp(model, "tiles") == 0)
        now.options.roofs = "none";
    now.options.transmitters = now.tx;
    rw_point points[] = {{sizeof(rw_point), 160, 40, 5}, {sizeof(rw_point), 41, 40, 5}};
    for (int i = 0; i < 2; i++) {
        rw_paths *paths;
        double power = 0;
        assert_ok(context, rw_trace(scene, &now.options, &points[i], 1, &paths));
        for (size_t k = 0; k < rw_paths_count(paths); k++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, k, &path);
            if (path.vertex_count == 3 && fabs(path.vertices[1].y_m - 100) < 0.1)
                power += pow(10, -0.1 * path.loss_db);
        }
        assert_true(power > 0);
        loss_db[i] = -10 * log10(power);
        rw_paths_destroy(paths);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A directive lobe is stronger where a mirror would send, one with backscattering also where the wave comes from; both
 * by the ratio of the balanced lobes. */
static void lobes_are_an_option(void **state)
{
    (void)state;
    static const char *const models[] = {"tiles", "rt"};
    static const char *const names[] = {"lambertian", "directive", "backscattering"};
    double loss_db[2][3][2];
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 3; k++)
            lobe_losses(models[m], names[k], loss_db[m][k]);
    for (int k = 1; k < 3; k++) {
        rw_scatter_lobe lobe;
        rw_scatter_lobe_make(names[k], &lobe);
        double cosine = sqrt(0.5);
        for (int back = 0; back < 2; back++) {
            double pattern = rw_scatter_balanced_pattern(&lobe.model, &lobe.balance, cosine, cosine, back ? -1 : 1);
            double gain_db = 10 * log10(pattern * RW_PI / cosine);
            for (int m = 0; m < 2; m++)
                assert_near(loss_db[m][0][back] - loss_db[m][k][back], gain_db, 0.3);
            assert_true(back && k == 1 ? gain_db < -3 : gain_db > -3);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_take_the_nearest_tile),
        cmocka_unit_test(roofs_are_those_of_the_shadow_model),
        cmocka_unit_test(ridge_is_a_wedge),
        cmocka_unit_test(kept_rays_are_evaluated_again),
        cmocka_unit_test(weak_rays_are_kept),
        cmocka_unit_test(kept_rays_serve_cells_and_tiles),
        cmocka_unit_test(cells_are_exact_by_default),
        cmocka_unit_test(many_points_see_what_each_sees),
        cmocka_unit_test(many_points_see_the_same_on_a_gpu),
        cmocka_unit_test(forged_rays_are_refused),
        cmocka_unit_test(roughness_is_an_option),
        cmocka_unit_test(lobes_are_an_option),
        cmocka_unit_test(borders_are_cut_finer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
