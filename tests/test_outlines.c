/* What the COST 231 reader stands on: chains of walls, nested rings, rasters from scattered heights; each against brute
 * force. */
#include "scene/chain.h"
#include "scene/nest.h"
#include "scene/scatter.h"
#include "temporary.h"

static uint32_t random_state = 1;

/* Numbers in [0, 1), the same on every machine. */
static double next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) / 16777216.0;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

enum { SAMPLES = 200, NEAREST = 12 };

/* Franke and Little's weights over all samples, with the reach of the thirteenth nearest. */
static double brute_force(const rw_sample *samples, rw_vec2 at)
{
    double distances[SAMPLES], weights = 0, sum = 0;
    for (int i = 0; i < SAMPLES; i++)
        distances[i] = hypot(samples[i].at.x - at.x, samples[i].at.y - at.y);
    qsort(distances, SAMPLES, sizeof *distances, compare_doubles);
    double reach = distances[NEAREST];
    for (int i = 0; i < SAMPLES; i++) {
        double distance = hypot(samples[i].at.x - at.x, samples[i].at.y - at.y);
        double root = fmax(0, reach - distance) / (reach * distance);
        weights += root * root;
        sum += root * root * samples[i].value;
    }
    return sum / weights;
}

static void interpolates_like_brute_force(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_sample samples[SAMPLES], copy[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        copy[i] = samples[i] = (rw_sample){{1000 * next_random(), 700 * next_random()}, 500 + 20 * next_random()};
    rw_raster raster;
    assert_ok(context, rw_scatter_to_raster(context, samples, SAMPLES, rw_vec2_make(0, 0), rw_vec2_make(1000, 700), 50,
                                            &raster));
    assert_int_equal(raster.columns, 21);
    assert_int_equal(raster.rows, 15);
    for (size_t row = 0; row < raster.rows; row++)
        for (size_t column = 0; column < raster.columns; column++)
            assert_near(raster.values[row * raster.columns + column],
                        brute_force(copy, rw_vec2_make(50.0 * (double)column, 50.0 * (double)row)), 1e-3);
    free(raster.values);
    rw_context_destroy(context);
}

static void interpolates_exactly_at_samples(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_sample samples[] = {{{0, 0}, 1}, {{100, 0}, 2}, {{0, 100}, 3}, {{100, 100}, 4}, {{100, 100}, 6}};
    rw_raster raster;
    assert_ok(context,
              rw_scatter_to_raster(context, samples, 5, rw_vec2_make(0, 0), rw_vec2_make(100, 100), 50, &raster));
    assert_int_equal(raster.columns, 3);
    assert_near(raster.values[0], 1, 0);
    assert_near(raster.values[2], 2, 0);
    assert_near(raster.values[6], 3, 0);
    assert_near(raster.values[8], 5, 0);
    assert_near(raster.values[4], 2.75, 1e-6);
    free(raster.values);
    rw_context_destroy(context);
}

static void make_square(rw_vec2 points[4], double x, double y, double half)
{
    points[0] = rw_vec2_make(x - half, y - half);
    points[1] = rw_vec2_make(x + half, y - half);
    points[2] = rw_vec2_make(x + half, y + half);
    points[3] = rw_vec2_make(x - half, y + half);
}

enum { SQUARES = 300 };

/* Squares round ten centres, far enough apart that only those round one centre are nested. */
static void nests_like_brute_force(void **state)
{
    (void)state;
    rw_context *context = make_context();
    static rw_vec2 points[SQUARES][4];
    static rw_nested_ring rings[SQUARES];
    double half[SQUARES], centre[SQUARES];
    for (int i = 0; i < SQUARES; i++) {
        centre[i] = 1000 * floor(10 * next_random());
        half[i] = 1 + i;
        make_square(points[i], centre[i], 0, half[i]);
        rings[i] = (rw_nested_ring){.points = points[i], .count = 4};
    }
    assert_ok(context, rw_nest_rings(context, rings, SQUARES));
    for (int i = 0; i < SQUARES; i++) {
        size_t depth = 0, parent = RW_NO_RING;
        for (int j = SQUARES - 1; j > i; j--)
            if (centre[j] == centre[i]) {
                depth++;
                parent = (size_t)j;
            }
        assert_int_equal(rings[i].depth, depth);
        assert_true(rings[i].parent == parent);
    }
    rw_context_destroy(context);
}

/* Walls of many squares in any order and direction come back as these squares. */
static void chains_shuffled_walls(void **state)
{
    (void)state;
    rw_context *context = make_context();
    static rw_segment walls[4 * SQUARES];
    for (int i = 0; i < SQUARES; i++) {
        rw_vec2 points[4];
        make_square(points, 10 * i, 0, 2);
        for (int j = 0; j < 4; j++) {
            int turn = next_random() < 0.5;
            rw_vec2 a = points[j], b = points[(j + 1) % 4];
            walls[4 * i + j] = turn ? (rw_segment){b, a} : (rw_segment){a, b};
        }
    }
    for (int i = 4 * SQUARES - 1; i > 0; i--) {
        int j = (int)(next_random() * (i + 1));
        rw_segment swap = walls[i];
        walls[i] = walls[j];
        walls[j] = swap;
    }
    rw_chains chains;
    assert_ok(context, rw_chain_segments(context, walls, 4 * SQUARES, &chains));
    assert_int_equal(rw_chain_count(&chains), SQUARES);
    for (size_t i = 0; i < SQUARES; i++) {
        assert_true(chains.closed.items[i]);
        assert_int_equal(chains.first.items[i + 1] - chains.first.items[i], 4);
        assert_near(fabs(rw_ring_area(chains.corners.items + chains.first.items[i], 4)), 16, 1e-9);
    }
    rw_chains_free(&chains);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpolates_like_brute_force), cmocka_unit_test(interpolates_exactly_at_samples),
        cmocka_unit_test(nests_like_brute_force), cmocka_unit_test(chains_shuffled_walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
