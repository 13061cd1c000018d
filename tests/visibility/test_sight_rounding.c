/* One wall and one line of sight on whole metres, where ends, tops and bottoms are met exactly: the answer in float is
 * that of double. The height of the ground between posts and beyond them, against the plane that the posts lie on. */
#include "visibility/los/sight.k.h"

#include "base/maths/hash.h"
#include "unit.h"

static double whole(rw_random *random, int low, int high)
{
    return low + rw_random_index(random, high - low + 1);
}

static void float_answers_as_double_does(void **state)
{
    (void)state;
    rw_random random = rw_random_of(11, 0);
    rw_wall_grid_view grid = {.coordinate_max = 20, .longest_wall = 40};
    int blocked = 0, level = 0;
    for (int i = 0; i < 200000; i++) {
        rw_exact_wall exact;
        rw_vec3 from, to;
        exact.x0 = whole(&random, -8, 8);
        exact.y0 = whole(&random, -8, 8);
        exact.x1 = whole(&random, -8, 8);
        exact.y1 = whole(&random, -8, 8);
        exact.bottom = whole(&random, 0, 3);
        exact.top = exact.bottom + whole(&random, 1, 3);
        from.x = whole(&random, -8, 8);
        from.y = whole(&random, -8, 8);
        from.z = whole(&random, 0, 6);
        to.x = whole(&random, -8, 8);
        to.y = whole(&random, -8, 8);
        to.z = i % 2 ? from.z : whole(&random, 0, 6);
        rw_wall_entry entry = {.x0 = (float)exact.x0,
                               .y0 = (float)exact.y0,
                               .x1 = (float)exact.x1,
                               .y1 = (float)exact.y1,
                               .bottom = (float)exact.bottom,
                               .top = (float)exact.top,
                               .wall = 0};
        rw_sight sight = rw_sight_of(&grid, from, to);
        double t;
        int expected = rw_wall_blocks_exact(from, to, sight.bulge_m, &exact, &t),
            answer = rw_wall_blocks(&sight, &entry, &exact);
        if (answer != expected)
            fail_msg("line %d: %d, in double %d\n", i, answer, expected);
        blocked += expected;
        level += expected && to.z == from.z && from.z == exact.bottom;
    }
    assert_true(blocked > 5000 && level > 100); /* a line along the bottom is blocked, one along the top is not */
}

/* Posts on z = 3 u - 2 v; beyond them the ground is level. */
static void ground_is_flat_between_posts_and_level_beyond(void **state)
{
    (void)state;
    float posts[5 * 4];
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 5; column++)
            posts[row * 5 + column] = (float)(3 * column - 2 * row);
    rw_wall_grid_view grid = {.posts = posts, .post_columns = 5, .post_rows = 4};
    for (double u = -2; u <= 6; u += 0.125)
        for (double v = -2; v <= 5; v += 0.125) {
            double inside_u = fmin(fmax(u, 0), 4), inside_v = fmin(fmax(v, 0), 3);
            assert_near((double)rw_ground_height(&grid, (float)u, (float)v), 3 * inside_u - 2 * inside_v, 1e-5);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float_answers_as_double_does),
        cmocka_unit_test(ground_is_flat_between_posts_and_level_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
