/* What the COST 231 reader stands on: chains of walls, nested rings; each against brute force. */
#include "scene/readers/cost231/cost231.h"
#include "temporary.h"

static uint32_t random_state = 1;

/* Numbers in [0, 1), the same on every machine. */
static double next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) / 16777216.0;
}

static void make_square(rw_vec2 points[4], double x, double y, double half)
{
    points[0] = rw_vec2_of(x - half, y - half);
    points[1] = rw_vec2_of(x + half, y - half);
    points[2] = rw_vec2_of(x + half, y + half);
    points[3] = rw_vec2_of(x - half, y + half);
}

enum { SQUARES = 300 };

/* Squares round ten centres, far enough apart that only those round one centre are nested. */
static void nests_like_brute_force(void **state)
{
    (void)state;
    rw_context *context = make_context();
    static rw_vec2 points[SQUARES][4];
    static rw_ring_nesting rings[SQUARES];
    double half[SQUARES], centre[SQUARES];
    for (int i = 0; i < SQUARES; i++) {
        centre[i] = 1000 * floor(10 * next_random());
        half[i] = 1 + i;
        make_square(points[i], centre[i], 0, half[i]);
        rings[i] = (rw_ring_nesting){.points = points[i], .count = 4};
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
    rw_wall_loops chains;
    assert_ok(context, rw_join_walls(context, walls, 4 * SQUARES, &chains));
    assert_int_equal(rw_wall_loop_count(&chains), SQUARES);
    for (size_t i = 0; i < SQUARES; i++) {
        assert_true(chains.closed.items[i]);
        assert_int_equal(chains.first.items[i + 1] - chains.first.items[i], 4);
        assert_near(fabs(rw_ring_area(chains.corners.items + chains.first.items[i], 4)), 16, 1e-9);
    }
    rw_wall_loops_free(&chains);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nests_like_brute_force),
                                       cmocka_unit_test(chains_shuffled_walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
