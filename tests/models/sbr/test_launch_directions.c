/* Rays that sbr launches: each direction once, the nearest one to a direction against all of them, and no box of
 * receivers passed over in which the ray meets one. */
#include "models/sbr/launch_rays.k.h"

#include "base/maths/hash.h"
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
    rw_random random = rw_random_of(3, 0);
    for (size_t i = 0; i < count; i++)
        assert_near(rw_vec3_length(rw_vec3_sub(rw_launch_nearest(rays[i], PARTS), rays[i])), 0, 1e-7);
    for (int i = 0; i < 4000; i++) {
        double z = rw_random_range(&random, -1, 1), around = rw_random_range(&random, 0, 2 * RW_PI), apart;
        double across = sqrt(1 - z * z);
        rw_vec3 direction = rw_vec3_of(across * cos(around), across * sin(around), z);
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
    rw_random random = rw_random_of(4, 0);
    for (int i = 0; i < 4000; i++) {
        double z = rw_random_range(&random, -1, 1), around = rw_random_range(&random, 0, 2 * RW_PI), apart, out;
        double across = sqrt(1 - z * z);
        rw_vec3 direction = rw_vec3_of(across * cos(around), across * sin(around), z);
        size_t nearest = nearest_of_all(rays, count, direction, &apart);
        rw_launch_direction(nearest, PARTS, &out);
        assert_true(acos(fmin(rw_vec3_dot(rays[nearest], direction), 1)) <= rw_launch_reach(out, PARTS));
    }
}

/* Receivers in a box beside a leg, some of them within reach: then the box is looked into. */
static void boxes_with_receivers_in_reach_are_met(void **state)
{
    (void)state;
    rw_random random = rw_random_of(9, 0);
    int met = 0;
    for (int i = 0; i < 20000; i++) {
        double place[3], reach = rw_random_range(&random, 0.01, 0.4), end_m = rw_random_range(&random, 1, 40);
        rw_flying_ray ray = {.length_m = rw_random_range(&random, 0, 30)};
        rw_bvh_node box;
        for (int axis = 0; axis < 3; axis++) {
            place[axis] = rw_random_range(&random, -10, 10);
            double low = rw_random_range(&random, 0, 4), high = rw_random_range(&random, 0, 4);
            box.low[axis] = (float)(place[axis] - low);
            box.high[axis] = (float)(place[axis] + high);
        }
        ray.direction.x = rw_random_range(&random, -1, 1);
        ray.direction.y = rw_random_range(&random, -1, 1);
        ray.direction.z = rw_random_range(&random, -1, 1);
        ray.direction = rw_vec3_unit(ray.direction);
        rw_vec3 d = ray.direction, away = rw_vec3_of(place[0], place[1], place[2]); /* the leg begins at 0 */
        double along_m = rw_vec3_dot(away, d), aside_m = rw_vec3_length(rw_vec3_sub(away, rw_vec3_scale(d, along_m)));
        if (!(along_m > 0 && along_m < end_m && aside_m < reach * (ray.length_m + along_m)))
            continue;
        rw_box_line line = rw_box_line_of(ray.from, d);
        assert_true(rw_ray_near_box(&box, &ray, &line, 0, reach, end_m));
        met++;
    }
    assert_true(met > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_direction_is_launched_once),
        cmocka_unit_test(the_nearest_ray_is_found),
        cmocka_unit_test(rays_reach_each_other),
        cmocka_unit_test(boxes_with_receivers_in_reach_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
