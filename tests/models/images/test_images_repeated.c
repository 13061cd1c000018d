/* What stays with a scene between calls of the images model: views of a transmitter, and the paths of a map. A repeated
 * call gives what a scene that was never used gives, whatever changes between the calls; and both ports of a receiver
 * in one pass. */
#include "discretise/scene_cache.h"
#include "prediction.h"
#include "rooms.h"

static prediction begin_at(double x_m)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    prediction now = begin_with(context, two_rooms(context));
    now.tx[0].x_m = x_m;
    now.tx[0].y_m = 2.71;
    now.tx[0].height_m = 2.21;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2.4e9;
    now.options.depth = 3;
    now.options.pixels = 256;
    now.options.sum = "power";
    now.options.direct = "limited";
    now.options.layers = "path_loss,paths";
    return now;
}

static rw_map *map_of(prediction *now)
{
    rw_map *map;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

static void assert_same_maps(const rw_map *one, const rw_map *other)
{
    rw_map_info info = info_of(one);
    static const char *const layers[] = {"path_loss", "paths"};
    for (int i = 0; i < 2; i++)
        assert_memory_equal(layer_of(one, layers[i]).values, layer_of(other, layers[i]).values,
                            info.columns * info.rows * sizeof(float));
}

/* Another call of a map: a slant, an antenna, a place of the transmitter, a frequency, how far paths go. */
static void change_call(prediction *now, int turn)
{
    now->options.rx_slant_deg = turn == 1 ? 90 : 0;
    now->tx[0].antenna = turn == 2 ? "dipole" : "isotropic";
    now->tx[0].x_m = turn == 3 ? 2.03 : 1.17;
    now->options.freq_hz = turn == 4 ? 5.2e9 : 2.4e9;
    now->options.depth = turn == 5 ? 2 : 3;
    now->options.rx_height_m = turn == 6 ? 0.7 : 1.1;
    now->options.refraction = turn == 7 ? "none" : "full";
}

static void repeated_maps_are_as_first_ones(void **state)
{
    (void)state;
    prediction used = begin_at(1.17);
    for (int turn = 0; turn < 9; turn++) {
        prediction fresh = begin_at(1.17);
        change_call(&used, turn % 8);
        change_call(&fresh, turn % 8);
        rw_map *repeated = map_of(&used), *again = map_of(&used), *first = map_of(&fresh);
        assert_same_maps(repeated, first);
        assert_same_maps(again, first);
        rw_map_destroy(repeated);
        rw_map_destroy(again);
        rw_map_destroy(first);
        end(&fresh);
    }
    end(&used);
}

static void assert_same_paths(const rw_paths *one, const rw_paths *other)
{
    size_t count = rw_paths_count(one);
    assert_true(count > 50);
    assert_int_equal(rw_paths_count(other), count);
    for (size_t i = 0; i < count; i++) {
        rw_path a = {.size = sizeof a}, b = {.size = sizeof b};
        assert_int_equal(rw_paths_get(one, i, &a), RW_OK);
        assert_int_equal(rw_paths_get(other, i, &b), RW_OK);
        assert_int_equal(a.point, b.point);
        assert_int_equal(a.vertex_count, b.vertex_count);
        assert_true(a.gain_re == b.gain_re && a.gain_im == b.gain_im && a.delay_s == b.delay_s);
    }
}

/* Points of one call after another, which share the transmitter's views. */
static void views_serve_other_receivers(void **state)
{
    (void)state;
    prediction used = begin_at(1.17);
    used.options.layers = used.options.sum = NULL;
    used.options.transmitters = used.tx;
    for (int turn = 0; turn < 3; turn++) {
        prediction fresh = begin_at(1.17);
        rw_point points[6];
        rw_paths *repeated, *first;
        fresh.options.layers = fresh.options.sum = NULL;
        fresh.options.transmitters = fresh.tx;
        for (int i = 0; i < 6; i++)
            points[i] = (rw_point){
                .size = sizeof *points, .x_m = 0.8 + 1.4 * i, .y_m = 0.7 + 0.4 * ((i + turn) % 6), .height_m = 1.3};
        assert_ok(used.context, rw_trace(used.scene, &used.options, points, 6, &repeated));
        assert_ok(fresh.context, rw_trace(fresh.scene, &fresh.options, points, 6, &first));
        assert_same_paths(repeated, first);
        rw_paths_destroy(repeated);
        rw_paths_destroy(first);
        end(&fresh);
    }
    end(&used);
}

/* A map of many cells, whose views of the last level are drawn, has the paths that are found for its cells one by one.
 */
static void crowded_views_lose_no_path(void **state)
{
    (void)state;
    prediction now = begin_at(1.17);
    now.options.res_m = 0.05;
    rw_map *map = map_of(&now);
    rw_map_info info = info_of(map);
    rw_point points[40];
    size_t cells[40], count = 0;
    for (size_t i = 0; i < 4000 && count < 40; i++) {
        size_t cell = (i * 997 + 31) % (info.columns * info.rows);
        if (isnan(layer_of(map, "path_loss").values[cell]))
            continue;
        cells[count] = cell;
        points[count++] = (rw_point){.size = sizeof *points,
                                     .x_m = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m,
                                     .y_m = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m,
                                     .height_m = 1.1};
    }
    assert_int_equal(count, 40);
    rw_paths *paths;
    now.options.layers = now.options.sum = NULL;
    now.options.res_m = NAN;
    assert_ok(now.context, rw_trace(now.scene, &now.options, points, count, &paths));
    size_t each[40] = {0};
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        assert_int_equal(rw_paths_get(paths, i, &path), RW_OK);
        each[path.point]++;
    }
    for (size_t i = 0; i < count; i++)
        assert_near(layer_of(map, "paths").values[cells[i]], (double)each[i], 0);
    rw_paths_destroy(paths);
    rw_map_destroy(map);
    end(&now);
}

static double power_of(const rw_map *map, size_t cell)
{
    return pow(10, -0.1 * (double)layer_of(map, "path_loss").values[cell]);
}

/* Both ports have the power of two maps with one slant each, whatever the slant of the first is. */
static void two_ports_add_their_powers(void **state)
{
    (void)state;
    prediction now = begin_at(1.17);
    rw_map *maps[4];
    now.tx[0].slant_deg = 20;
    for (int i = 0; i < 4; i++) {
        now.options.rx_slant_deg = i == 1 ? 90 : i == 3 ? 33 : 0;
        now.options.rx_ports = i < 2 ? 1 : 2;
        maps[i] = map_of(&now);
    }
    rw_map_info info = info_of(maps[0]);
    size_t compared = 0, apart = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        if (isnan(layer_of(maps[0], "path_loss").values[i]))
            continue;
        double sum = power_of(maps[0], i) + power_of(maps[1], i);
        assert_near(power_of(maps[2], i) / sum, 1, 1e-5);
        assert_near(power_of(maps[3], i) / sum, 1, 1e-5);
        apart += power_of(maps[0], i) < 0.9 * sum;
        compared++;
    }
    assert_true(compared > 1000 && apart > compared / 2);
    for (int i = 0; i < 4; i++)
        rw_map_destroy(maps[i]);
    rw_map *none;
    now.options.sum = "coherent";
    assert_int_equal(rw_predict(now.scene, &now.options, &none), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(now.context), "rx-ports"));
    end(&now);
}

/* With a budget less is stored, down to nothing, and the answers are the same. */
static void budgets_change_no_answer(void **state)
{
    (void)state;
    prediction used = begin_at(1.17), fresh = begin_at(1.17);
    rw_map *first = map_of(&fresh);
    for (int turn = 0; turn < 4; turn++) {
        used.options.memory_bytes = turn < 2 ? 1e9 : 7e7;
        rw_map *again = map_of(&used);
        assert_same_maps(again, first);
        rw_map_destroy(again);
    }
    rw_map_destroy(first);
    end(&fresh);
    end(&used);
}

static double hundred_bytes(const void *value)
{
    (void)value;
    return 100;
}

static const rw_cache_kind counted_kind = {"counted", 8, free};

/* The latest entries stay that fit together. */
static void caches_hold_bytes(void **state)
{
    (void)state;
    prediction now = begin_at(1.17);
    for (int i = 0; i < 4; i++)
        rw_scene_cache_return(now.scene, &counted_kind, &i, sizeof i, malloc(1));
    rw_scene_cache_limit(now.scene, &counted_kind, hundred_bytes, 250);
    for (int i = 0; i < 4; i++) {
        void *value = rw_scene_cache_borrow(now.scene, &counted_kind, &i, sizeof i);
        assert_int_equal(value != NULL, i >= 2);
        free(value);
    }
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_maps_are_as_first_ones), cmocka_unit_test(views_serve_other_receivers),
        cmocka_unit_test(crowded_views_lose_no_path),      cmocka_unit_test(two_ports_add_their_powers),
        cmocka_unit_test(budgets_change_no_answer),        cmocka_unit_test(caches_hold_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
