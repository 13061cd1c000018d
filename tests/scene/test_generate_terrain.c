/* labels: numbers */
/* Generated terrain: smooth hills of the given relief; bad options are refused. */
#include <rasterwave/rasterwave.h>

#include "scene/scene.h"
#include "unit.h"

static rw_context *make_context(void)
{
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    return context;
}

static void terrain_has_its_relief(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_terrain_options options;
    rw_terrain_options_init(&options);
    rw_scene *scene;
    assert_ok(context, rw_generate_terrain(context, &options, &scene));
    assert_int_equal(scene->terrain.columns, 251);
    assert_int_equal(scene->parts.count, 0);
    double lowest = INFINITY, highest = -INFINITY, steepest = 0;
    for (size_t i = 0; i < scene->terrain.columns * scene->terrain.rows; i++) {
        double height_m = scene->terrain.values[i];
        lowest = fmin(lowest, height_m);
        highest = fmax(highest, height_m);
        if (i % scene->terrain.columns)
            steepest = fmax(steepest, fabs(height_m - scene->terrain.values[i - 1]) / options.spacing_m);
    }
    assert_near(lowest, 0, 0);
    assert_near(highest, 150, 0.01);
    assert_true(steepest > 0.05 && steepest < 1);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void expect_refusal(rw_context *context, const rw_terrain_options *options)
{
    rw_scene *scene = NULL;
    assert_int_equal(rw_generate_terrain(context, options, &scene), RW_BAD_CALL);
    assert_null(scene);
    assert_true(strlen(rw_last_error(context)) > 20);
}

static void refuses_bad_options(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const double bad_m[] = {0, -5, NAN, INFINITY, -INFINITY, 1e9};
    rw_terrain_options options;
    for (size_t i = 0; i < 4 * sizeof bad_m / sizeof *bad_m; i++) {
        rw_terrain_options_init(&options);
        double *const fields[] = {&options.width_m, &options.depth_m, &options.spacing_m, &options.relief_m};
        *fields[i % 4] = bad_m[i / 4];
        /* Flat land is land. */
        if (options.relief_m != 0)
            expect_refusal(context, &options);
    }
    rw_terrain_options_init(&options);
    options.width_m = 200000;
    options.spacing_m = 0.01;
    expect_refusal(context, &options);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terrain_has_its_relief), cmocka_unit_test(refuses_bad_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
