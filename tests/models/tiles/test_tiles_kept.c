/* Rays of the tiles model kept in a file: evaluated again, refused where they belong to something else. */
#include "models/tiles/tiles.h"
#include "temporary.h"
#include "tile_city.h"

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
        rw_stored_rays solver = {.direct = {.items = &ray, .count = 1}, .scattered = {.items = &ray}, .keys = &none};
        solver.threshold = (rw_stored_threshold){.freq_hz = 1e9, .loss_db = 150};
        rw_stored_rays read = {.keys = NULL};
        rw_stored_tiles kept = {.context = context, .path = path, .transmitters = &solver};
        kept.subject.tile_count = 10;
        kept.subject.edge_count = 4;
        kept.subject.point_count = kept.subject.transmitter_count = 1;
        assert_ok(context, rw_stored_tiles_write(&kept));
        kept.transmitters = &read;
        rw_status status = rw_stored_tiles_read(&kept);
        assert_int_equal(status, i + 1 < count ? RW_BAD_INPUT : RW_OK);
        free(read.direct.items);
        free(read.scattered.items);
        free(read.keys);
    }
    unlink(path);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_rays_are_evaluated_again),
        cmocka_unit_test(weak_rays_are_kept),
        cmocka_unit_test(kept_rays_serve_cells_and_tiles),
        cmocka_unit_test(forged_rays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
