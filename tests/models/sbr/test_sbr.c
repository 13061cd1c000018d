/* Launched rays: the sphere of directions, and paths that come to those of the method of images as rays get denser. */
#include "models/sbr/launch_rays.k.h"
#include "models/sbr/sbr.h"
#include "rooms.h"

static void directions_are_even_and_complete(void **state)
{
    (void)state;
    for (size_t parts = 1; parts <= 17; parts += 4) {
        size_t count = rw_launch_count(parts);
        assert_int_equal(count, 10 * parts * parts + 2);
        double around = 0, out, least = 4;
        rw_vec3 sum = {0, 0, 0};
        for (size_t i = 0; i < count; i++) {
            rw_vec3 a = rw_launch_direction(i, parts, &out);
            assert_near(rw_vec3_length(a), 1, 1e-12);
            sum = rw_vec3_add(sum, a);
            around += rw_launch_solid_angle(out, parts);
            for (size_t j = 0; j < i; j++) {
                double other;
                least = fmin(least, rw_vec3_length(rw_vec3_sub(a, rw_launch_direction(j, parts, &other))));
            }
        }
        assert_near(rw_vec3_length(sum), 0, 1e-9); /* as many to one side as to the other */
        assert_true(least > 0.75 * RW_ICOSAHEDRON_EDGE / (double)parts);
        if (parts > 10)
            assert_near(around / (4 * RW_PI), 1, 0.01);
    }
    assert_int_equal(rw_launch_count(4096), 167772162);
}

/* The nearest ray by search, and within the reach that reception spheres are made for. */
static void every_direction_has_its_ray(void **state)
{
    (void)state;
    const size_t parts = 13;
    uint64_t seed = 7;
    for (int turn = 0; turn < 2000; turn++) {
        double part[3];
        for (int i = 0; i < 3; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            part[i] = (double)(seed >> 11) / 4503599627370496.0 - 1;
        }
        rw_vec3 direction = rw_vec3_of(part[0], part[1], part[2]);
        direction = rw_vec3_scale(direction, 1 / rw_vec3_length(direction));
        rw_vec3 nearest = rw_launch_nearest(direction, parts);
        double closest = -1, out, its_out = 1;
        for (size_t i = 0; i < rw_launch_count(parts); i++) {
            double cosine = rw_vec3_dot(direction, rw_launch_direction(i, parts, &out));
            its_out = cosine > closest ? out : its_out;
            closest = cosine > closest ? cosine : closest;
        }
        assert_near(rw_vec3_dot(direction, nearest), closest, 1e-12);
        assert_true(acos(closest) <= rw_launch_reach(its_out, parts));
    }
}

/* Root mean square of the field's error, relative to free space, against exhaustive enumeration, over the receivers
 * whose number of paths is right; missed: paths too few or too many at the others. */
static double error_of(rw_backend backend, size_t parts, int depth, size_t *missed)
{
    rw_context *context = make_context_of(backend, 2);
    if (!context)
        skip_test("no GPU");
    rw_scene *scene = two_rooms(context);
    rw_vec3 places[40];
    size_t count = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 5; j++)
            places[count++] = in_frame(scene, 0.63 + 1.23 * i, 0.41 + 0.77 * j, 1.13);
    rw_ray_scene rays = rays_of(context, scene, 2.4e9, "dipole", 45, in_frame(scene, 1.17, 2.71, 2.21));
    rw_points points = points_of(context, places, count);
    rw_ray_sums sums[40] = {{0}}, expected[40] = {{0}};
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
    assert_ok(context,
              rw_sbr_solve(&rays, &points, &(rw_sbr_settings){.divisions = parts, .depth = depth}, sums, NULL));
    enumerate_paths(&rays, &points, depth, steps, 0, expected);
    double sum = 0, compared = 0;
    *missed = 0;
    for (size_t i = 0; i < count; i++) {
        double re = (double)(sums[i].re - expected[i].re) / RW_RAY_AMPLITUDE_UNITS;
        double im = (double)(sums[i].im - expected[i].im) / RW_RAY_AMPLITUDE_UNITS;
        *missed += (size_t)llabs(sums[i].count - expected[i].count);
        if (sums[i].count != expected[i].count)
            continue;
        sum += re * re + im * im;
        compared++;
    }
    rw_points_destroy(&points);
    rw_ray_scene_destroy(&rays);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    assert_true(compared > 20);
    return sqrt(sum / compared);
}

static void denser_rays_come_nearer(void **state)
{
    (void)state;
    size_t few, more, many;
    double coarse = error_of(RW_BACKEND_CPU, 24, 2, &few), finer = error_of(RW_BACKEND_CPU, 96, 2, &more);
    double finest = error_of(RW_BACKEND_CPU, 384, 2, &many);
    printf("error %.2g, %.2g, %.2g; paths missing or too many %zu, %zu, %zu\n", coarse, finer, finest, few, more, many);
    assert_true(finer < coarse && finest < 0.1 * coarse);
    assert_true(finest < 0.01);
    assert_true(more < few && many < more && many <= 3);
}

static void gpu_agrees(void **state)
{
    (void)state;
    size_t here, there;
    double cpu = error_of(RW_BACKEND_CPU, 96, 2, &here), gpu = error_of(RW_BACKEND_CUDA, 96, 2, &there);
    assert_near(gpu, cpu, 1e-3);
}

/* One thick wall, which bends neighbouring rays by different amounts: behind it every receiver has the one path through
 * it, once. Two of it would be 6 dB too much. */
static void behind_a_thick_wall_a_path_counts_once(void **state)
{
    (void)state;
    enum { COLUMNS = 40, ROWS = 10 };
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    add_slab_of(context, scene, "thick", "itu_concrete", 0.6);
    add_panel_of(context, scene, -200, 0, 200, 0, -100, 100, "thick");
    assert_ok(context, rw_scene_commit(scene));
    rw_vec3 places[COLUMNS * ROWS];
    size_t count = 0, twice = 0, never = 0;
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < ROWS; j++)
            places[count++] = in_frame(scene, 0.31 + 0.37 * i, 0.4 + 0.29 * j, 1.13 + 0.01 * i);
    rw_ray_scene rays = rays_of(context, scene, 2.4e9, "isotropic", 0, in_frame(scene, 0.17, -0.8, 1.21));
    rw_points points = points_of(context, places, count);
    rw_ray_sums sums[COLUMNS * ROWS] = {{0}}, expected[COLUMNS * ROWS] = {{0}};
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
    assert_ok(context, rw_sbr_solve(&rays, &points, &(rw_sbr_settings){.divisions = 48, .depth = 1}, sums, NULL));
    enumerate_paths(&rays, &points, 1, steps, 0, expected);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(expected[i].count, 1);
        twice += sums[i].count > 1;
        never += sums[i].count < 1;
    }
    printf("behind a thick wall: of %zu receivers %zu have the path twice, %zu not\n", count, twice, never);
    assert_true(twice == 0 && never == 0);
    rw_points_destroy(&points);
    rw_ray_scene_destroy(&rays);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_are_even_and_complete),
        cmocka_unit_test(every_direction_has_its_ray),
        cmocka_unit_test(denser_rays_come_nearer),
        cmocka_unit_test(behind_a_thick_wall_a_path_counts_once),
        cmocka_unit_test(gpu_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
