/* The models rt and tiles against closed forms: two rays, one wall, one corner, a canyon, a rough wall. */
#include "base/maths/elementary.h"
#include "field/surfaces/slab.k.h"
#include "field/surfaces/material.k.h"
#include "field/paths/phases.k.h"
#include "ray_cases.h"

#include <rasterwave/calc.h>

static const char *const models[] = {"rt", "tiles"};
#define MODELS (sizeof models / sizeof *models)

static void check_flat_ground_is_two_rays(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    commit_between(context, scene, 0, 500);
    prediction now = begin_rt(scene, context, 100, 100, 12);
    now.options.model = model;
    now.options.reflections = 1;
    now.options.diffractions = 0;
    now.options.depth = 1;
    for (double far_m = 20; far_m < 390; far_m *= 1.7) {
        rw_two_ray_options both = {.size = sizeof both,
                                   .freq_hz = FREQ_HZ,
                                   .first_height_m = 12,
                                   .second_height_m = 1.5,
                                   .distance_m = far_m,
                                   .ground = "itu_medium_dry_ground"};
        rw_two_ray_result expected = {.size = sizeof expected};
        assert_ok(context, rw_calc_two_ray(context, &both, &expected));
        rw_paths *paths = trace_to(&now, 100 + far_m, 100, 1.5);
        double re = 0, im = 0;
        assert_int_equal(rw_paths_count(paths), 2);
        for (size_t i = 0; i < 2; i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            re += path.gain_re;
            im += path.gain_im;
        }
        /* The antennas' theta turns away from the vertical by the elevation of the ray. */
        assert_near(-20 * log10(hypot(re, im)), expected.loss_vertical_db, 1e-6);
        rw_paths_destroy(paths);
    }
    end_rt(&now);
}

static void flat_ground_is_two_rays(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_flat_ground_is_two_rays(models[i]);
}

/* A concrete wall, both ends at one height: the electric field is along the wall and across the plane of incidence. */
static void check_one_wall_is_an_image(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_block(context, scene, (double[]){100, 0, 120, 400}, 60, NULL);
    commit_between(context, scene, -200, 500);
    prediction now = begin_rt(scene, context, 40, 100, 20);
    now.options.model = model;
    rw_paths *paths = trace_to(&now, 70, 260, 20);
    double length_m = hypot(60 + 30, 160);
    rw_path direct = only_path(paths, 0, NULL);
    assert_near(gain_of(&direct), WAVELENGTH_M / (4 * RW_PI * hypot(30, 160)), 1e-15);
    size_t of_wall = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.vertex_count != 3 || path.vertices[1].interaction != RW_INTERACTION_REFLECTION ||
            path.vertices[1].z_m < 1)
            continue;
        of_wall++;
        rw_complex concrete =
            rw_complex_permittivity(5.24, rw_material_conductivity_s_m(0.0462, 0.7822, FREQ_HZ), FREQ_HZ);
        rw_complex expected =
            rw_complex_mul(rw_fresnel(concrete, 90 / length_m).reflection.te, rw_path_phasor(length_m, WAVELENGTH_M));
        double free_gain = WAVELENGTH_M / (4 * RW_PI * length_m);
        assert_near(path.length_m, length_m, 1e-9);
        assert_near(path.gain_re, expected.re * free_gain, 1e-9 * free_gain);
        assert_near(path.gain_im, expected.im * free_gain, 1e-9 * free_gain);
    }
    assert_int_equal(of_wall, 1);
    rw_paths_destroy(paths);
    end_rt(&now);
}

static void one_wall_is_an_image(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_one_wall_is_an_image(models[i]);
}

/* A metal tower's corner from both sides, over heights; vertical antennas are soft at a vertical edge. */
static void check_one_corner_is_the_uniform_theory(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_metal(context, scene, 0);
    add_block(context, scene, (double[]){0, 0, 80, 80}, 300, "metal");
    commit_between(context, scene, -200, 500);
    prediction now = begin_rt(scene, context, -20, 40, 150);
    now.options.model = model;
    now.options.depth = 1;
    static const double observers[][3] = {{40, -30, 150}, {70, -25, 100}, {30, -80, 190}, {-10, -40, 150}};
    for (size_t i = 0; i < sizeof observers / sizeof *observers; i++) {
        const double *at = observers[i];
        rw_paths *paths = trace_to(&now, at[0], at[1], at[2]);
        /* Angles from the south face, through the open, to the west face at 270 degrees. */
        rw_wedge_options wedge = {.size = sizeof wedge,
                                  .freq_hz = FREQ_HZ,
                                  .exterior_angle_deg = 270,
                                  .source_m = hypot(20, 40),
                                  .source_angle_deg = 270 - atan2(20, 40) * 180 / RW_PI,
                                  .source_along_m = 150,
                                  .observer_m = hypot(at[0], at[1]),
                                  .observer_angle_deg = atan2(-at[1], at[0]) * 180 / RW_PI,
                                  .observer_along_m = at[2],
                                  .material = "pec",
                                  .method = "holm"};
        rw_wedge_result expected = {.size = sizeof expected};
        assert_ok(context, rw_calc_wedge(context, &wedge, &expected));
        double free_gain = WAVELENGTH_M / (4 * RW_PI * expected.direct_m);
        double wanted = hypot(expected.diffracted_soft.re, expected.diffracted_soft.im) * free_gain;
        int found = 0;
        for (size_t j = 0; j < rw_paths_count(paths); j++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, j, &path);
            if (path.vertex_count != 3 || path.vertices[1].interaction != RW_INTERACTION_STREET ||
                hypot(path.vertices[1].x_m, path.vertices[1].y_m) > 1e-6)
                continue;
            found++;
            assert_near(path.length_m, expected.over_edge_m, 1e-9);
            assert_near(gain_of(&path), wanted, 1e-4 * wanted); /* metal is a very good conductor, not a perfect one */
        }
        assert_int_equal(found, 1);
        rw_paths_destroy(paths);
    }
    end_rt(&now);
}

static void one_corner_is_the_uniform_theory(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_one_corner_is_the_uniform_theory(models[i]);
}

/* The whole field continues without a step where the direct ray is lost behind a corner. */
static void check_shadow_begins_smoothly(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_block(context, scene, (double[]){0, 0, 80, 80}, 300, NULL);
    commit_between(context, scene, -200, 500);
    prediction now = begin_rt(scene, context, -20, 40, 150);
    now.options.model = model;
    now.options.depth = 1;
    double before_db = 0, direct[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        rw_paths *paths = trace_to(&now, 40 + (side ? 1e-4 : -1e-4), -80, 150);
        double re = 0, im = 0;
        for (size_t i = 0; i < rw_paths_count(paths); i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            /* ground and roof are far away and have boundaries elsewhere */
            if (fabs(path.vertices[1].z_m - 150) > 1e-6)
                continue;
            direct[side] += path.vertex_count == 2;
            re += path.gain_re;
            im += path.gain_im;
        }
        double loss_db = -20 * log10(hypot(re, im));
        if (side)
            assert_near(loss_db, before_db, 0.01);
        before_db = loss_db;
        rw_paths_destroy(paths);
    }
    assert_near(direct[0] + direct[1], 1, 0);
    end_rt(&now);
}

static void shadow_begins_smoothly(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_shadow_begins_smoothly(models[i]);
}

/* Metal walls on both sides: the image series, path by path. */
static void check_canyon_is_its_image_series(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_metal(context, scene, 0);
    add_block(context, scene, (double[]){0, 0, 400, 20}, 60, "metal");
    add_block(context, scene, (double[]){0, 50, 400, 70}, 60, "metal");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_rt(scene, context, 100, 28, 30);
    now.options.model = model;
    now.options.depth = now.options.reflections = 5;
    now.options.diffractions = 0;
    rw_paths *paths = trace_to(&now, 270, 41, 30);
    double expected_re = 0, expected_im = 0, re = 0, im = 0;
    for (int n = -5; n <= 5; n++) {
        /* images across walls at 20 and 50: every other one is mirrored */
        double image = n % 2 == 0 ? 28 + 30.0 * n : 70 - 28 + 30.0 * n;
        double length_m = hypot(170, 41 - image);
        rw_complex wave = rw_complex_scale(rw_path_phasor(length_m, WAVELENGTH_M),
                                           (n % 2 ? -1 : 1) * WAVELENGTH_M / (4 * RW_PI * length_m));
        expected_re += wave.re;
        expected_im += wave.im;
    }
    size_t level = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        int is_level = 1;
        for (size_t j = 0; j < path.vertex_count; j++)
            is_level = is_level && fabs(path.vertices[j].z_m - 30) < 1e-6;
        level += (size_t)is_level;
        re += is_level ? path.gain_re : 0;
        im += is_level ? path.gain_im : 0;
    }
    assert_int_equal(level, 11);
    double size = hypot(expected_re, expected_im);
    assert_near(re, expected_re, 1e-4 * size);
    assert_near(im, expected_im, 1e-4 * size);
    rw_paths_destroy(paths);
    end_rt(&now);
}

static void canyon_is_its_image_series(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_canyon_is_its_image_series(models[i]);
}

/* The scattered power of a rough metal wall, integrated here from the formula of the effective-roughness model. */
static double rough_wall_power(double scattering)
{
    const double source[3] = {40, 100, 20}, observer[3] = {70, 160, 6}, step_m = 0.25;
    double sum = 0;
    for (double y = 60 + 0.5 * step_m; y < 200; y += step_m)
        for (double z = 0.5 * step_m; z < 40; z += step_m) {
            double in[3] = {100 - source[0], y - source[1], z - source[2]};
            double out[3] = {observer[0] - 100, observer[1] - y, observer[2] - z};
            double in2 = in[0] * in[0] + in[1] * in[1] + in[2] * in[2];
            double out2 = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
            double cosines = in[0] / sqrt(in2) * -out[0] / sqrt(out2);
            sum += scattering * scattering * cosines / RW_PI / (in2 * out2) * step_m * step_m;
        }
    double factor = WAVELENGTH_M / (4 * RW_PI);
    return sum * factor * factor;
}

static void check_rough_wall_is_the_integral(const char *model)
{
    const double scattering = 0.4;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_metal(context, scene, scattering);
    add_block(context, scene, (double[]){100, 60, 120, 200}, 40, "metal");
    commit_between(context, scene, 30, 210);
    prediction now = begin_rt(scene, context, 40, 100, 20);
    now.options.model = model;
    now.options.depth = 1;
    if (strcmp(model, "tiles") == 0)
        now.options.tile_area_m2 = 4;
    rw_paths *paths = trace_to(&now, 70, 160, 6);
    double power = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.vertex_count == 3 && path.vertices[1].interaction == RW_INTERACTION_SCATTERING)
            power += gain_of(&path) * gain_of(&path);
    }
    assert_near(power / rough_wall_power(scattering), 1, 0.01);
    /* and the specular ray has lost that share */
    size_t mirrored = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path other = {.size = sizeof other};
        rw_paths_get(paths, i, &other);
        if (other.vertex_count != 3 || other.vertices[1].interaction != RW_INTERACTION_REFLECTION ||
            other.vertices[1].z_m < 0.1)
            continue;
        mirrored++;
        double length_m = sqrt(90.0 * 90 + 60 * 60 + 14 * 14);
        assert_near(gain_of(&other), sqrt(1 - scattering * scattering) * WAVELENGTH_M / (4 * RW_PI * length_m),
                    0.02 * WAVELENGTH_M / (4 * RW_PI * length_m));
    }
    assert_int_equal(mirrored, 1);
    rw_paths_destroy(paths);
    end_rt(&now);
}

static void rough_wall_is_the_integral(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_rough_wall_is_the_integral(models[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_ground_is_two_rays),          cmocka_unit_test(one_wall_is_an_image),
        cmocka_unit_test(one_corner_is_the_uniform_theory), cmocka_unit_test(shadow_begins_smoothly),
        cmocka_unit_test(canyon_is_its_image_series),       cmocka_unit_test(rough_wall_is_the_integral),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
