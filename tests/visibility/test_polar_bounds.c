/* The polar buffer of one wall: what it says is certain. Points around the wall, its ends and the end of its shadow
 * against the crossing in double, and directions in bins against their edges. */
#include "visibility/los/polar/polar.k.h"

#include "base/maths/hash.h"
#include "unit.h"

static void edges_of_bins_are_where_angles_say(void **state)
{
    (void)state;
    for (int bin = 0; bin < RW_POLAR_BINS; bin++) {
        float x0, y0, x1, y1;
        rw_polar_edge(bin, &x0, &y0);
        rw_polar_edge(bin + 1, &x1, &y1);
        assert_near((double)(fabsf(x0) + fabsf(y0)), 1, 1e-6);
        for (int i = 1; i < 8; i++) {
            float share = (float)i / 8, x = x0 + share * (x1 - x0), y = y0 + share * (y1 - y0);
            assert_near((double)rw_polar_angle(x, y, 1 / (fabsf(x) + fabsf(y))), bin + (double)share, 1e-3);
        }
    }
}

typedef struct wall_case {
    rw_polar_source source;
    rw_exact_wall wall;
} wall_case;

static wall_case random_case(rw_random *random)
{
    wall_case made = {.source = {.receiver_low = 1.5f, .receiver_high = 1.5f}, .wall = {.bottom = -10}};
    made.source.x = rw_random_range(random, -50, 50);
    made.source.y = rw_random_range(random, -50, 50);
    made.source.z = (float)rw_random_range(random, 1, 60);
    if (rw_random_chance(random, 0.5))
        made.source.receiver_high += (float)rw_random_range(random, 0, 10);
    made.wall.x0 = rw_random_range(random, -400, 400);
    made.wall.y0 = rw_random_range(random, -400, 400);
    made.wall.x1 = made.wall.x0 + rw_random_range(random, -60, 60);
    made.wall.y1 = made.wall.y0 + rw_random_range(random, -60, 60);
    made.wall.top = rw_random_range(random, 0, 40);
    if (rw_random_chance(random, 0.5)) /* a little below the source: a long shadow that ends */
        made.wall.top = (double)made.source.z - rw_random_range(random, 0.02, 3);
    return made;
}

static void fill(const wall_case *one, rw_polar_bins *bins)
{
    for (int bin = 0; bin < RW_POLAR_BINS; bin++)
        bins->clear_bits[bin] = bins->hidden_bits[bin] = rw_float_bits(RW_POLAR_FAR);
    memset(bins->sure, 0, sizeof bins->sure);
    memset(bins->maybe, 0, sizeof bins->maybe);
    rw_polar_reach reach = rw_polar_reach_of(&one->source, (float)one->wall.bottom, (float)one->wall.top);
    if (reach.max <= 0)
        return;
    rw_polar_wall wall = rw_polar_wall_of(&one->source, &one->wall);
    rw_polar_enter_ends(&wall, reach, bins);
    rw_polar_enter_spanned(&wall, reach, rw_polar_first_inner(&wall), rw_polar_last_inner(&wall), bins);
}

/* 1 clear, 0 blocked, -1 too near to a border to say. along: of the wall; times: of the way to the wall. */
static int exact_answer(const wall_case *one, double along, double times, double height)
{
    double z = (double)one->source.z, at = z + (height - z) / times;
    double nearest = fmin(fmin(fabs(along), fabs(along - 1)), fmin(fabs(times - 1), 1e-2 * fabs(at - one->wall.top)));
    if (nearest < 2e-6)
        return -1;
    return !(along > 0 && along < 1 && times > 1 && at < one->wall.top);
}

typedef struct point {
    double along, times, height;
} point;

/* A quarter of the points is at the end of the shadow, a quarter at the wall. */
static point random_point(rw_random *random, const wall_case *one, int number)
{
    point made;
    double low = (double)one->source.receiver_low, high = (double)one->source.receiver_high, z = (double)one->source.z;
    made.along = rw_random_range(random, -0.1, 1.1);
    made.times = rw_random_range(random, 0.2, 3);
    made.height = number % 3 == 0 ? low : number % 3 == 1 ? high : rw_random_range(random, low, high);
    double end = (z - made.height) / (z - one->wall.top);
    if (number % 4 == 1 && end > 0.2 && end < 20)
        made.times = end * rw_random_range(random, 0.997, 1.003);
    if (number % 4 == 2)
        made.times = rw_random_range(random, 0.99, 1.01);
    return made;
}

/* As rw_polar_los_item asks. */
static int buffer_answer(const wall_case *one, const rw_polar_bins *bins, point at)
{
    const rw_exact_wall *wall = &one->wall;
    float x = (float)(at.times * (wall->x0 + at.along * (wall->x1 - wall->x0) - one->source.x));
    float y = (float)(at.times * (wall->y0 + at.along * (wall->y1 - wall->y0) - one->source.y));
    float range = fabsf(x) + fabsf(y);
    int bin = (int)rw_polar_angle(x, y, 1 / (range + 1e-30f)) & (RW_POLAR_BINS - 1);
    return rw_polar_answer(bins, bin, range, 1);
}

static void what_the_buffer_says_is_certain(void **state)
{
    (void)state;
    static rw_polar_bins bins;
    rw_random random = rw_random_of(7, 0);
    int asked = 0, open = 0;
    for (int i = 0; i < 1500; i++) {
        wall_case one = random_case(&random);
        fill(&one, &bins);
        for (int k = 0; k < 200; k++) {
            point at = random_point(&random, &one, k);
            int expected = exact_answer(&one, at.along, at.times, at.height), answer = buffer_answer(&one, &bins, at);
            if (expected < 0)
                continue;
            asked++;
            open += answer < 0;
            if (answer >= 0 && answer != expected)
                fail_msg("wall %d, point %d: said %d, is %d\n", i, k, answer, expected);
        }
    }
    assert_true(open < asked / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_of_bins_are_where_angles_say),
        cmocka_unit_test(what_the_buffer_says_is_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
