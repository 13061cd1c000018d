/* The paper's own algorithms by name: both rasterisers over any blocks and grids, and the quadtree, give the map of the
 * usual ones to the byte; the ID and depth buffer misses what is narrower than its pixels, and less the more it has. */
#include "shapes.h"
#include "temporary.h"

#include "unit.h"

typedef struct method_case {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx;
    rw_predict_options options;
} method_case;

static void begin_in(method_case *now, rw_context *context, int hills)
{
    *now = (method_case){.context = context};
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 300;
    city.hills = hills;
    assert_ok(now->context, rw_generate_city(now->context, &city, &now->scene));
    assert_ok(now->context, rw_scene_commit(now->scene));
    rw_transmitter_init(&now->tx);
    now->tx.x_m = 151;
    now->tx.y_m = 155;
    now->tx.height_m = hills ? 40 : 12;
    rw_predict_options_init(&now->options);
    now->options.model = "beams";
    now->options.transmitters = &now->tx;
    now->options.transmitter_count = 1;
    now->options.reflections = 2;
    now->options.roofs = "none";
    now->options.layers = "path_loss,delay_spread,first_arrival,paths";
}

static void begin(method_case *now, int hills)
{
    begin_in(now, make_context(), hills);
}

static void end(method_case *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

static rw_map *predict(method_case *now)
{
    rw_map *map;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

/* Receivers at which a layer of two maps differs, and how many there are. */
static size_t different(const rw_map *map, const rw_map *other, size_t layer, size_t *cells)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer one = {.size = sizeof one}, two = {.size = sizeof two};
    assert_int_equal(rw_map_get_info(map, &info), RW_OK);
    assert_int_equal(rw_map_get_layer(map, layer, &one), RW_OK);
    assert_int_equal(rw_map_get_layer(other, layer, &two), RW_OK);
    size_t count = 0;
    *cells = info.columns * info.rows;
    for (size_t i = 0; i < *cells; i++)
        count += memcmp(&one.values[i], &two.values[i], sizeof(float)) != 0;
    return count;
}

static void expect_same(method_case *now, const rw_map *usual, const char *what)
{
    rw_map *map = predict(now);
    for (size_t layer = 0; layer < 4; layer++) {
        size_t cells, count = different(usual, map, layer, &cells);
        if (count)
            fail_msg("%s: layer %zu differs at %zu of %zu receivers\n", what, layer, count, cells);
    }
    rw_map_destroy(map);
}

static void rasterisers(void **state)
{
    (void)state;
    static const char *const methods[] = {"scanlines", "half-spaces"};
    static const char *const tilings[] = {"2x8,8x2", NULL, "1x1", "32x32,1x3"};
    for (int hills = 0; hills < 2; hills++) {
        method_case now;
        begin(&now, hills);
        rw_map *usual = predict(&now);
        for (size_t i = 0; i < 2; i++)
            for (size_t j = 0; j < (hills ? 1 : 4); j++) {
                now.options.method = methods[i];
                now.options.tiling = tilings[j];
                expect_same(&now, usual, methods[i]);
            }
        rw_map_destroy(usual);
        end(&now);
    }
}

/* Loss of one cell of a layer. */
static double loss_at(const rw_map *map, double x, double y)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer layer = {.size = sizeof layer};
    assert_int_equal(rw_map_get_info(map, &info), RW_OK);
    assert_int_equal(rw_map_get_layer(map, 0, &layer), RW_OK);
    size_t column = (size_t)((x - info.x0_m) / info.res_m), row = (size_t)((y - info.y0_m) / info.res_m);
    return (double)layer.values[row * info.columns + column];
}

/* In two dimensions a mast far above the roofs is one at the height of the receivers, without roofs, ground and median:
 * free space over the distance in plan in sight, and no path behind a closed wall of buildings. */
static void two_dimensions(void **state)
{
    (void)state;
    method_case now;
    begin(&now, 0);
    now.options.roofs = NULL;
    now.options.transmissions = 0;
    now.options.freq_hz = 2e9;
    now.tx.height_m = 90;
    now.options.dimensions = 2;
    rw_map *plane = predict(&now);
    now.options.dimensions = RW_UNSET;
    now.options.roofs = "none";
    now.options.prior = "none";
    now.tx.height_m = now.options.rx_height_m = 1.5;
    expect_same(&now, plane, "two dimensions");
    now.options.reflections = now.options.diffractions = 0;
    now.options.roofs = now.options.prior = NULL;
    now.options.dimensions = 2;
    now.tx.height_m = 90;
    rw_map *direct = predict(&now);
    double x = now.tx.x_m + 1.5, y = now.tx.y_m + 7.5, dx, dy;
    rw_map_info info = {.size = sizeof info};
    assert_int_equal(rw_map_get_info(direct, &info), RW_OK);
    dx = info.x0_m + (floor((x - info.x0_m) / info.res_m) + 0.5) * info.res_m - now.tx.x_m;
    dy = info.y0_m + (floor((y - info.y0_m) / info.res_m) + 0.5) * info.res_m - now.tx.y_m;
    assert_near(loss_at(direct, x, y), 20 * log10(4 * M_PI * hypot(dx, dy) * now.options.freq_hz / 299792458.0), 1e-3);
    rw_map_destroy(plane);
    rw_map_destroy(direct);
    rw_map *map;
    now.options.roofs = "vogler";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "leave out roofs = vogler");
    end(&now);
    begin(&now, 1);
    now.options.dimensions = 2;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "one horizontal plane");
    end(&now);
}

/* Far beyond --loss-max the way over the roofs has its loss, that of the shadow model, and no floor. */
static void no_floor_beyond_loss_max(void **state)
{
    (void)state;
    method_case now;
    begin(&now, 0);
    now.tx.height_m = 2;
    now.options.freq_hz = 60e9;
    now.options.roofs = NULL;
    now.options.prior = "none";
    now.options.gas = "none";
    now.options.reflections = now.options.transmissions = now.options.diffractions = 0;
    now.options.layers = "path_loss";
    rw_map *map = predict(&now);
    rw_predict_options of_beams = now.options;
    rw_predict_options_init_for(&now.options, "shadow");
    now.options.transmitters = &now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = 60e9;
    now.options.gas = "none";
    now.options.prior = "none";
    now.options.effects = "roofs";
    now.options.layers = "path_loss";
    now.options.res_m = of_beams.res_m;
    rw_map *expected = predict(&now);
    rw_map_info info = {.size = sizeof info};
    size_t weak = 0;
    assert_int_equal(rw_map_get_info(map, &info), RW_OK);
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        double x = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m;
        double y = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m, loss = loss_at(expected, x, y);
        if (!(loss > 202 && loss < 225))
            continue;
        weak++;
        assert_near(loss_at(map, x, y), loss, 0.01);
    }
    assert_true(weak > 10);
    rw_map_destroy(map);
    rw_map_destroy(expected);
    end(&now);
}

static void kept(void **state)
{
    (void)state;
    method_case now;
    begin(&now, 0);
    rw_map *usual = predict(&now);
    now.options.method = "half-spaces";
    now.options.reuse = temporary_path("methods.rwbeams");
    expect_same(&now, usual, "kept by half-spaces");
    rw_map_destroy(usual);
    end(&now);
}

static void quadtree(void **state)
{
    (void)state;
    for (int hills = 0; hills < 2; hills++) {
        method_case now;
        begin(&now, hills);
        rw_map *usual = predict(&now);
        now.options.clip = "quadtree";
        expect_same(&now, usual, hills ? "quadtree on hills" : "quadtree");
        rw_map_destroy(usual);
        end(&now);
    }
}

static void buffer(void **state)
{
    (void)state;
    static const int pixels[] = {16, 256, 4096};
    size_t cells, count = 0, before = SIZE_MAX;
    method_case now;
    begin(&now, 0);
    rw_map *usual = predict(&now);
    now.options.split = "buffer";
    for (int i = 0; i < 3; i++) {
        now.options.split_pixels = pixels[i];
        rw_map *map = predict(&now);
        count = different(usual, map, 3, &cells); /* another number of paths */
        printf("%d pixels: another number of paths at %zu of %zu receivers\n", pixels[i], count, cells);
        assert_true(count <= before);
        before = count;
        rw_map_destroy(map);
    }
    assert_true(count * 1000 <= cells);
    rw_map_destroy(usual);
    end(&now);
}

static void refusals(void **state)
{
    (void)state;
    static const char *const wrong[] = {"8", "8x", "8x4,", "8x4,2", "0x4", "8x4,2x2,1", "8.5x4", "300x1", "x"};
    method_case now;
    rw_map *map;
    begin(&now, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        now.options.tiling = wrong[i];
        assert_int_equal(rw_predict(now.scene, &now.options, &map), RW_BAD_CALL);
    }
    now.options.tiling = NULL;
    now.options.split = "buffer";
    now.options.reuse = temporary_path("buffer.rwbeams");
    assert_int_equal(rw_predict(now.scene, &now.options, &map), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(now.context), "split"));
    end(&now);
}

static void same_on_gpu(void **state)
{
    (void)state;
    rw_context *gpu = make_context_of(RW_BACKEND_CUDA, 0);
    if (!gpu)
        skip_test("no GPU");
    static const char *const methods[] = {"scanlines", "half-spaces"};
    method_case here, there;
    begin(&here, 0);
    begin_in(&there, gpu, 0);
    for (int i = 0; i < 2; i++) {
        here.options.method = there.options.method = methods[i];
        there.options.tiling = "8x4,2x2";
        here.options.split = there.options.split = i ? "buffer" : "sweep";
        there.options.clip = i ? "quadtree" : "grid";
        rw_map *map = predict(&here), *other = predict(&there);
        size_t cells, count = different(map, other, 3, &cells);
        printf("%s: another number of paths at %zu of %zu receivers\n", methods[i], count, cells);
        assert_true(count * 1000 <= cells);
        rw_map_destroy(map);
        rw_map_destroy(other);
    }
    end(&here);
    end(&there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rasterisers),    cmocka_unit_test(no_floor_beyond_loss_max),
                                       cmocka_unit_test(two_dimensions), cmocka_unit_test(kept),
                                       cmocka_unit_test(quadtree),       cmocka_unit_test(buffer),
                                       cmocka_unit_test(refusals),       cmocka_unit_test(same_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
