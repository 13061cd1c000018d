/* Sectors of corners against the definition, rw_corner_taut over all strings that arrive; what a box or a direction
 * rules out against points in it; and maps of an open model whose sectors grow against maps of new ones. */
#include "base/maths/hash.h"
#include "models/shadow/shadow.h"
#include "prediction.h"
#include "visibility/streets/corner_horizons.k.h"

#include <math.h>

#define STRINGS 6

typedef struct random_corner {
    rw_corner corner;
    float in_x[STRINGS], in_y[STRINGS];
} random_corner;

static double log_range(rw_random *random, double low, double high)
{
    return low * exp(rw_random_range(random, 0, 1) * log(high / low));
}

/* A convex edge with walls of 3 cm to 50 m, anywhere in a region of 10 km; the second in eight is nearly a sheet. */
static random_corner make_corner(rw_random *random, int sheet)
{
    random_corner made = {0};
    double inner = sheet ? rw_random_range(random, 0.001, 0.2) : rw_random_range(random, 0.2, 3.1);
    double angle = rw_random_range(random, 0, 6.28), a = log_range(random, 0.03, 50), b = log_range(random, 0.03, 50);
    made.corner.x = rw_random_range(random, -5000, 5000);
    made.corner.y = rw_random_range(random, -5000, 5000);
    made.corner.ax = a * cos(angle);
    made.corner.ay = a * sin(angle);
    made.corner.bx = b * cos(angle + inner);
    made.corner.by = b * sin(angle + inner);
    for (int i = 0; i < STRINGS; i++) {
        double in = rw_random_range(random, 0, 6.28);
        made.in_x[i] = (float)cos(in);
        made.in_y[i] = (float)sin(in);
    }
    return made;
}

static rw_corner_sector sector_of(const random_corner *made, int strings)
{
    rw_corner_sector sector = rw_sector_empty();
    for (int i = 0; i < strings; i++)
        rw_sector_add(&made->corner, made->in_x[i], made->in_y[i], &sector);
    return sector;
}

static int is_any_taut(const random_corner *made, int strings, float dx, float dy)
{
    int taut = 0;
    for (int i = 0; i < strings && !taut; i++)
        taut = rw_corner_taut(&made->corner, (double)made->in_x[i], (double)made->in_y[i], (double)dx, (double)dy);
    return taut;
}

static void sectors_are_taut_directions(void **state)
{
    (void)state;
    rw_random random = rw_random_of(41, 0);
    size_t inside = 0, outside = 0, wider = 0;
    for (int i = 0; i < 4000; i++) {
        random_corner made = make_corner(&random, i % 8 == 1);
        int strings = i % (STRINGS + 1);
        rw_corner_sector sector = sector_of(&made, strings), part = sector_of(&made, strings / 2), grown = sector;
        assert_int_equal(rw_sector_grow(&part, &grown), memcmp(&part, &sector, sizeof part) != 0);
        assert_int_equal(rw_sector_grow(&grown, &grown), 0);
        for (int k = 0; k < 50; k++) {
            double angle = rw_random_range(&random, 0, 6.28), length = log_range(&random, 0.1, 3000);
            float dx = (float)(length * cos(angle)), dy = (float)(length * sin(angle));
            int expected = is_any_taut(&made, strings, dx, dy), has = rw_sector_has(&made.corner, &sector, dx, dy);
            if (rw_sector_ordered(&made.corner) ? has != expected : has < expected)
                fail_msg("corner %d, direction %g, %g: in the sector %d, taut %d\n", i, (double)dx, (double)dy, has,
                         expected);
            assert_true(rw_sector_has(&made.corner, &grown, dx, dy) >= has);
            inside += has != 0;
            outside += has == 0;
            wider += rw_sector_has(&made.corner, &grown, dx, dy) > has;
        }
    }
    assert_true(inside > 10000 && outside > 10000 && wider > 300);
}

/* A box without directions of the sector that are new: none of its points has one. */
static void boxes_that_are_missed_hold_nothing(void **state)
{
    (void)state;
    rw_random random = rw_random_of(42, 0);
    size_t missed = 0, met = 0, new_points = 0, excluded = 0, excluded_sides = 0;
    for (int i = 0; i < 20000; i++) {
        random_corner made = make_corner(&random, i % 8 == 1);
        rw_corner_sector sector = sector_of(&made, STRINGS), known = sector_of(&made, i % 3 * (STRINGS / 2));
        double size = log_range(&random, 0.5, 200), away = log_range(&random, 1, 2000);
        double angle = rw_random_range(&random, 0, 6.28);
        float west = (float)(made.corner.x + away * cos(angle)), south = (float)(made.corner.y + away * sin(angle));
        float east = west + (float)size, north = south + (float)(size * rw_random_range(&random, 0.01, 1));
        int misses = rw_sector_misses(&made.corner, &sector, &known, west, south, east, north);
        int excludes = rw_sector_excludes(&made.corner, west, south, east, north);
        excluded += excludes != 0;
        missed += misses != 0;
        met += misses == 0;
        for (int k = 0; k < 9; k++) {
            double x = (double)west + 0.5 * (k % 3) * (double)(east - west);
            double y = (double)south + 0.5 * (k / 3) * (double)(north - south);
            float dx = (float)(x - made.corner.x), dy = (float)(y - made.corner.y);
            int is_new = rw_sector_has(&made.corner, &sector, dx, dy) && !rw_sector_has(&made.corner, &known, dx, dy);
            new_points += is_new != 0;
            excluded_sides += excludes && rw_corner_side(&made.corner, x - made.corner.x, y - made.corner.y) != 0;
            if (misses && is_new)
                fail_msg("corner %d: the box is missed, its point %d is not\n", i, k);
        }
    }
    assert_true(missed > 8000 && met > 2000 && new_points > 5000);
    assert_true(excluded > 3000 && excluded_sides == 0);
}

/* Bins of horizons that nothing is entered into: no taut string leaves through them. */
static void unused_bins_hold_no_taut_direction(void **state)
{
    (void)state;
    rw_random random = rw_random_of(43, 0);
    size_t unused = 0, all = 0;
    for (int i = 0; i < 300; i++) {
        random_corner made = make_corner(&random, i % 8 == 1);
        for (int bin = 0; bin < RW_HORIZON_BINS; bin++, all++) {
            float x0, y0, x1, y1;
            if (!rw_horizon_is_unused(&made.corner, bin) || !rw_horizon_is_unused(&made.corner, bin + 1))
                continue;
            unused++;
            rw_polar_edge(bin * RW_HORIZON_RUN, &x0, &y0);
            rw_polar_edge((bin + 1) * RW_HORIZON_RUN, &x1, &y1);
            for (int k = 0; k <= 8; k++) {
                double fraction = k / 8.0, x = (double)x0 + fraction * (double)(x1 - x0);
                double y = (double)y0 + fraction * (double)(y1 - y0);
                if (rw_corner_side(&made.corner, x, y) != 0)
                    fail_msg("corner %d: a string passes in the unused bin %d\n", i, bin);
            }
        }
    }
    assert_true(unused > all / 4 && unused < all);
}

static prediction make_city(uint64_t seed, int hills, rw_backend backend)
{
    rw_context *context = make_context_of(backend, 2);
    rw_city_options options;
    rw_scene *scene;
    if (!context)
        return (prediction){0};
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 500;
    options.hills = hills;
    options.seed = seed;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.res_m = 7;
    now.options.layers = "path_loss,mechanism,deflections";
    return now;
}

static const double positions[][3] = {{250, 250, 35}, {257, 252, 35}, {120, 380, 35},
                                      {260, 255, 12}, {250, 250, 35}, {400, 90, 60}};

/* Maps of one open model, in which transmitters move, are those of models that are opened for each. Positions inside
 * buildings are rejected, and change nothing. */
static void compare_moved(int hills, rw_backend backend)
{
    prediction open = make_city(9, hills, backend);
    size_t compared = 0, streets = 0;
    if (!open.context)
        skip_test("no GPU");
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        rw_map *moved;
        open.tx[0].x_m = positions[i][0];
        open.tx[0].y_m = positions[i][1];
        open.tx[0].height_m = positions[i][2];
        open.options.transmitters = open.tx;
        if (rw_predict(open.scene, &open.options, &moved) != RW_OK)
            continue;
        prediction fresh = make_city(9, hills, backend);
        fresh.tx[0] = open.tx[0];
        rw_map *expected = predict(&fresh);
        rw_map_info info = info_of(moved);
        for (size_t layer = 0; layer < 3; layer++) {
            const char *name = (const char *[]){"path_loss", "mechanism", "deflections"}[layer];
            rw_map_layer a = layer_of(moved, name), b = layer_of(expected, name);
            assert_memory_equal(a.values, b.values, info.columns * info.rows * sizeof *a.values);
        }
        rw_map_layer mechanism = layer_of(moved, "mechanism");
        for (size_t cell = 0; cell < info.columns * info.rows; cell++)
            streets += mechanism.values[cell] == 1;
        compared++;
        rw_map_destroy(moved);
        rw_map_destroy(expected);
        end(&fresh);
    }
    end(&open);
    assert_true(compared >= 4 && streets > 500);
}

static void sectors_grow_as_transmitters_move(void **state)
{
    (void)state;
    compare_moved(0, RW_BACKEND_CPU);
    compare_moved(1, RW_BACKEND_CPU);
}

static void sectors_grow_on_a_gpu(void **state)
{
    (void)state;
    compare_moved(1, RW_BACKEND_CUDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_are_taut_directions), cmocka_unit_test(boxes_that_are_missed_hold_nothing),
        cmocka_unit_test(unused_bins_hold_no_taut_direction), cmocka_unit_test(sectors_grow_as_transmitters_move),
        cmocka_unit_test(sectors_grow_on_a_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
