/* Rays that sbr launches: each direction once, and the nearest one to a direction against all of them. */
#include "models/sbr/icosphere.k.h"

#include "base/maths/random.h"
#include "unit.h"

#define PARTS 9

static size_t nearest_of_all(const rw_vec3 *rays, size_t count, rw_vec3 direction, double *second)
{
    size_t best = 0;
    double closest = -2;
    *second = -2;
    for (size_t i = 0; i < count; i++) {
        double cosine = rw_vec3_dot(rays[i], direction);
        if (cosine > closest) {
            *second = closest;
            closest = cosine;
            best = i;
        } else if (cosine > *second) {
            *second = cosine;
        }
    }
    *second = closest - *second;
    return best;
}

static size_t launch_all(rw_vec3 rays[10 * PARTS * PARTS + 2])
{
    size_t count = rw_launch_count(PARTS);
    for (size_t i = 0; i < count; i++) {
        double out;
        rays[i] = rw_launch_direction(i, PARTS, &out);
        assert_near(rw_vec3_length(rays[i]), 1, 1e-12);
    }
    return count;
}

static void every_direction_is_launched_once(void **state)
{
    (void)state;
    static rw_vec3 rays[10 * PARTS * PARTS + 2];
    size_t count = launch_all(rays);
    rw_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        sum = rw_vec3_add(sum, rays[i]);
        for (size_t k = 0; k < i; k++)
            assert_true(rw_vec3_dot(rays[i], rays[k]) < cos(0.5 * RW_ICOSAHEDRON_EDGE / PARTS));
    }
    assert_near(rw_vec3_length(sum), 0, 1e-9); /* an icosahedron has a middle */
}

/* Directions at random, and those of the rays themselves, which lie on edges and corners of triangles. */
static void the_nearest_ray_is_found(void **state)
{
    (void)state;
    static rw_vec3 rays[10 * PARTS * PARTS + 2];
    size_t count = launch_all(rays);
    rw_random random = rw_random_make(3, 0);
    for (size_t i = 0; i < count; i++)
        assert_near(rw_vec3_length(rw_vec3_sub(rw_launch_nearest(rays[i], PARTS), rays[i])), 0, 1e-7);
    for (int i = 0; i < 4000; i++) {
        double z = rw_random_range(&random, -1, 1), around = rw_random_range(&random, 0, 2 * RW_PI), apart;
        double across = sqrt(1 - z * z);
        rw_vec3 direction = rw_vec3_make(across * cos(around), across * sin(around), z);
        size_t expected = nearest_of_all(rays, count, direction, &apart);
        if (apart > 1e-9)
            assert_near(rw_vec3_length(rw_vec3_sub(rw_launch_nearest(direction, PARTS), rays[expected])), 0, 1e-7);
    }
}

/* No direction is further from the nearest ray than its reach says. */
static void rays_reach_each_other(void **state)
{
    (void)state;
    static rw_vec3 rays[10 * PARTS * PARTS + 2];
    size_t count = launch_all(rays);
    rw_random random = rw_random_make(4, 0);
    for (int i = 0; i < 4000; i++) {
        double z = rw_random_range(&random, -1, 1), around = rw_random_range(&random, 0, 2 * RW_PI), apart, out;
        double across = sqrt(1 - z * z);
        rw_vec3 direction = rw_vec3_make(across * cos(around), across * sin(around), z);
        size_t nearest = nearest_of_all(rays, count, direction, &apart);
        rw_launch_direction(nearest, PARTS, &out);
        assert_true(acos(fmin(rw_vec3_dot(rays[nearest], direction), 1)) <= rw_launch_reach(out, PARTS));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_direction_is_launched_once),
        cmocka_unit_test(the_nearest_ray_is_found),
        cmocka_unit_test(rays_reach_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
