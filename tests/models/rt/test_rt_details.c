/* What the model rt says beside the power of its paths: the coefficients of lossy edges that were asked for, losses at
 * vertices, and the delay of scattered power, also of a slanted antenna; against closed forms and an integral. */
#include "base/maths/elementary.h"
#include "ray_cases.h"

#include <rasterwave/calc.h>

static void edges_have_the_coefficients_that_were_asked_for(void **state)
{
    (void)state;
    static const char *const methods[] = {"holm", "luebbers"};
    double found_db[2] = {NAN, NAN};
    for (int m = 0; m < 2; m++) {
        rw_context *context = make_context();
        rw_scene *scene = make_scene(context);
        add_block(context, scene, (double[]){0, 0, 80, 80}, 300, "itu_concrete");
        commit_between(context, scene, -200, 500);
        prediction now = begin_rt(scene, context, -20, 40, 150);
        now.options.model = "rt";
        now.options.depth = 1;
        now.options.wedge = methods[m];
        rw_wedge_options wedge = {.size = sizeof wedge,
                                  .freq_hz = FREQ_HZ,
                                  .exterior_angle_deg = 270,
                                  .source_m = hypot(20, 40),
                                  .source_angle_deg = 270 - atan2(20, 40) * 180 / RW_PI,
                                  .observer_m = hypot(10, 60),
                                  .observer_angle_deg = atan2(60, 10) * 180 / RW_PI,
                                  .material = "itu_concrete",
                                  .method = methods[m]};
        rw_wedge_result expected = {.size = sizeof expected};
        assert_ok(context, rw_calc_wedge(context, &wedge, &expected));
        rw_paths *paths = trace_to(&now, 10, -60, 150);
        for (size_t j = 0; j < rw_paths_count(paths); j++) {
            rw_path path = {.size = sizeof path};
            double vertices_db = 0;
            rw_paths_get(paths, j, &path);
            for (size_t k = 0; k < path.vertex_count; k++)
                vertices_db += (double)path.vertices[k].loss_db;
            if (path.vertex_count > 2)
                assert_near(vertices_db, path.loss_db - path.free_space_db, 1e-3);
            if (path.vertex_count == 3 && path.vertices[1].interaction == RW_INTERACTION_STREET &&
                hypot(path.vertices[1].x_m, path.vertices[1].y_m) < 1e-6)
                found_db[m] = 20 * log10(gain_of(&path));
        }
        double free_gain = WAVELENGTH_M / (4 * RW_PI * expected.direct_m);
        double wanted = hypot(expected.diffracted_soft.re, expected.diffracted_soft.im) * free_gain;
        assert_near(found_db[m], 20 * log10(wanted), 0.01);
        rw_paths_destroy(paths);
        end_rt(&now);
    }
    assert_true(fabs(found_db[0] - found_db[1]) > 0.1); /* otherwise nothing is tested */
}

/* Round two corners of 60 degrees along the wall between them: at one of them the wall is its far face. */
static void ways_run_along_walls_between_acute_corners(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double xy[] = {0, 0, 80, 0, 40, 69.282};
    const size_t corners = 3;
    const rw_building tower = {
        .size = sizeof tower, .xy = xy, .ring_sizes = &corners, .ring_count = 1, .ground_m = 0, .roof_height_m = 300};
    assert_ok(context, rw_scene_add_building(scene, &tower));
    commit_between(context, scene, -200, 500);
    prediction now = begin_rt(scene, context, -30, 30, 150);
    now.options.model = "rt";
    now.options.depth = now.options.diffractions = 2;
    now.options.loss_max_db = 250;
    rw_paths *paths = trace_to(&now, 110, 30, 150);
    size_t found = 0;
    for (size_t j = 0; j < rw_paths_count(paths); j++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, j, &path);
        found += path.vertex_count == 4 && path.vertices[1].interaction == RW_INTERACTION_STREET &&
                 path.vertices[2].interaction == RW_INTERACTION_STREET &&
                 fabs(path.length_m - (80 + 2 * hypot(30, 30))) < 1e-3;
    }
    assert_int_equal(found, 1);
    rw_paths_destroy(paths);
    end_rt(&now);
}

/* Length of the scattered way over a rough metal wall, weighted by power: the formula of the effective-roughness model.
 */
static double rough_wall_length_m(void)
{
    const double source[3] = {40, 100, 20}, observer[3] = {70, 160, 6}, step_m = 0.25;
    double sum = 0, weighted = 0;
    for (double y = 60 + 0.5 * step_m; y < 200; y += step_m)
        for (double z = 0.5 * step_m; z < 40; z += step_m) {
            double in_m = sqrt(60.0 * 60 + (y - source[1]) * (y - source[1]) + (z - source[2]) * (z - source[2]));
            double out_m =
                sqrt(30.0 * 30 + (y - observer[1]) * (y - observer[1]) + (z - observer[2]) * (z - observer[2]));
            double part = 1 / (in_m * in_m * in_m * out_m * out_m * out_m);
            sum += part;
            weighted += part * (in_m + out_m);
        }
    return weighted / sum;
}

static void scattered_power_arrives_in_time(void **state)
{
    (void)state;
    for (double roll_deg = 0; roll_deg <= 45; roll_deg += 45) {
        rw_context *context = make_context();
        rw_scene *scene = make_scene(context);
        add_metal(context, scene, 0.4);
        add_block(context, scene, (double[]){100, 60, 120, 200}, 40, "metal");
        commit_between(context, scene, 30, 210);
        prediction now = begin_rt(scene, context, 40, 100, 20);
        now.options.model = "rt";
        now.options.depth = 1;
        now.tx[0].azimuth_deg = 90; /* towards the wall */
        now.tx[0].roll_deg = roll_deg;
        rw_paths *paths = trace_to(&now, 70, 160, 6);
        size_t found = 0;
        for (size_t i = 0; i < rw_paths_count(paths); i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            if (path.vertex_count != 3 || path.vertices[1].interaction != RW_INTERACTION_SCATTERING ||
                fabs(path.vertices[1].x_m - 100) > 0.1)
                continue;
            found++;
            /* a slanted antenna weights the wall otherwise, and the way over its near part is shorter */
            assert_near(path.delay_s * 299792458.0, rough_wall_length_m(), roll_deg > 0 ? 5 : 0.1);
        }
        assert_int_equal(found, 1);
        rw_paths_destroy(paths);
        end_rt(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_have_the_coefficients_that_were_asked_for),
        cmocka_unit_test(ways_run_along_walls_between_acute_corners),
        cmocka_unit_test(scattered_power_arrives_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
