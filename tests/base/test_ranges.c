/* Numbers of callers: each field of the structs that a scene and a prediction take, with values that are not finite or
 * beyond all sizes, is refused in a sentence and leaves the scene as it was. */
#include "shapes.h"

#include "base/range.h"

static const double bad_values[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e20};
#define BAD (sizeof bad_values / sizeof *bad_values)

static void ranges_hold_no_nan(void **state)
{
    (void)state;
    const double values[] = {0, 1, NAN, 2};
    const float floats[] = {0, 1, INFINITY};
    assert_int_equal(rw_is_within(NAN, -INFINITY, INFINITY), 0);
    assert_int_equal(rw_is_within(1, 1, 1), 1);
    assert_int_equal(rw_is_coordinate(1e9), 1);
    assert_int_equal(rw_is_coordinate(1.1e9), 0);
    assert_int_equal(rw_is_cell_size(1e-320), 0);
    assert_int_equal(rw_is_decibels(-INFINITY), 0);
    assert_int_equal(rw_find_outside(values, 4, 0, 9), 2);
    assert_int_equal(rw_find_outside(values, 2, 0, 9), 2);
    assert_int_equal(rw_find_outside_float(floats, 3, 0, 9), 2);
    assert_int_equal(rw_cell_index(NAN, 7), 0);
    assert_int_equal(rw_cell_index(-1e300, 7), 0);
    assert_int_equal(rw_cell_index(1e300, 7), 6);
    assert_int_equal(rw_cell_index(3.9, 7), 3);
}

static void objects_are_checked(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    const size_t corners = 4;
    const uint32_t triangle[] = {0, 1, 2};
    for (size_t i = 0; i < BAD; i++) {
        double bad = bad_values[i], xy[8] = {0, 0, 9, 0, 9, 9, 0, 9}, xyz[9] = {0, 0, 0, 9, 0, 0, 0, 9, 0};
        for (int field = 0; field < 3; field++) {
            rw_building building = {.size = sizeof building,
                                    .xy = xy,
                                    .ring_sizes = &corners,
                                    .ring_count = 1,
                                    .ground_m = field == 0 && !isnan(bad) ? bad : NAN,
                                    .base_height_m = field == 1 ? bad : 0,
                                    .roof_height_m = field == 2 || (field == 0 && isnan(bad)) ? bad : 9};
            assert_int_equal(rw_scene_add_building(scene, &building), RW_BAD_INPUT);
        }
        for (int field = 0; field < 6; field++) {
            double ends[6] = {0, 0, 9, 0, 0, 3};
            ends[field] = bad;
            rw_panel panel = {.size = sizeof panel,
                              .x0_m = ends[0],
                              .y0_m = ends[1],
                              .x1_m = ends[2],
                              .y1_m = ends[3],
                              .bottom_m = ends[4],
                              .top_m = ends[5]};
            assert_int_equal(rw_scene_add_panel(scene, &panel), RW_BAD_INPUT);
        }
        for (int field = 0; field < 9; field++) {
            double kept = xyz[field];
            xyz[field] = bad;
            rw_mesh mesh = {
                .size = sizeof mesh, .xyz = xyz, .vertex_count = 3, .triangles = triangle, .triangle_count = 1};
            assert_int_equal(rw_scene_add_mesh(scene, &mesh), RW_BAD_INPUT);
            xyz[field] = kept;
        }
        xy[3] = bad;
        rw_building building = {.size = sizeof building,
                                .xy = xy,
                                .ring_sizes = &corners,
                                .ring_count = 1,
                                .ground_m = NAN,
                                .roof_height_m = 9};
        assert_int_equal(rw_scene_add_building(scene, &building), RW_BAD_INPUT);
    }
    check_sentence(context, rw_scene_commit(scene), RW_BAD_INPUT, "empty");
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void rasters_and_materials_are_checked(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    float heights[] = {1, 2, 3, 4};
    for (size_t i = 0; i < BAD; i++) {
        for (int field = 0; field < 4; field++) {
            double numbers[4] = {0, 0, 10, 10};
            numbers[field] = bad_values[i];
            rw_raster raster = {sizeof raster, 2, 2, numbers[0], numbers[1], numbers[2], numbers[3], heights};
            assert_int_equal(rw_scene_set_terrain(scene, &raster), RW_BAD_INPUT);
            assert_int_equal(rw_scene_set_foliage(scene, &raster), RW_BAD_INPUT);
        }
        for (int field = 0; field < 5; field++) {
            double numbers[5] = {5, 0, 0.1, 0, 0};
            numbers[field] = bad_values[i];
            rw_material material = {.size = sizeof material,
                                    .name = "m",
                                    .a = numbers[0],
                                    .b = numbers[1],
                                    .c = numbers[2],
                                    .d = numbers[3],
                                    .scattering = numbers[4],
                                    .freq_max_hz = 1e12};
            assert_int_equal(rw_scene_add_material(scene, &material), RW_BAD_INPUT);
        }
        rw_layer layer = {sizeof layer, "itu_concrete", bad_values[i]};
        rw_slab slab = {.size = sizeof slab, .name = "s", .layers = &layer, .layer_count = 1};
        assert_int_equal(rw_scene_add_slab(scene, &slab), RW_BAD_INPUT);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void predictions_are_checked(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[4]){0, 0, 50, 50}, 10, "house");
    assert_ok(context, rw_scene_commit(scene));
    for (size_t i = 0; i < BAD; i++)
        for (int field = 0; field < 10; field++) {
            rw_predict_options options;
            rw_transmitter transmitter;
            rw_predict_options_init(&options);
            rw_transmitter_init(&transmitter);
            transmitter.x_m = transmitter.y_m = 25;
            transmitter.height_m = 30;
            options.transmitters = &transmitter;
            options.transmitter_count = 1;
            options.res_m = 10;
            double *fields[] = {&transmitter.x_m,          &transmitter.y_m,       &transmitter.height_m,
                                &transmitter.freq_hz,      &transmitter.power_dbm, &transmitter.azimuth_deg,
                                &transmitter.downtilt_deg, &transmitter.roll_deg,  &options.res_m,
                                &options.rx_height_m};
            if (field >= 8 && isnan(bad_values[i])) /* NaN is an option that was not given */
                continue;
            *fields[field] = bad_values[i];
            rw_map *map;
            if (rw_predict(scene, &options, &map) != RW_BAD_CALL)
                fail_msg("field %d takes %g", field, bad_values[i]);
            assert_null(map);
        }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_hold_no_nan), cmocka_unit_test(objects_are_checked),
                                       cmocka_unit_test(rasters_and_materials_are_checked),
                                       cmocka_unit_test(predictions_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
