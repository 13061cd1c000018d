/* Rays of reflections in the cubes model start on their surface and go away from the mirrored source; and lines of
 * sight along a flat roof, through cubes that it cuts. */
#include "base/maths/hash.h"
#include "models/cubes/cone.k.h"
#include "prediction.h"

static void reflected_rays_start_on_their_surface(void **state)
{
    (void)state;
    rw_random random = rw_random_of(5, 0);
    for (int i = 0; i < 500; i++) {
        double turn = rw_random_range(&random, 0, 6.28), rise = i % 3 ? 0 : rw_random_range(&random, -1.5, 1.5);
        rw_cube_element surface = {
            .kind = RW_CUBE_REFLECTION,
            .at = {10, 20, 5},
            .axis = {(float)(cos(turn) * cos(rise)), (float)(sin(turn) * cos(rise)), (float)sin(rise)}};
        rw_cube_item piece = {.from = {9.5f, 19.6f, 4.6f}, .to = {10.4f, 20.5f, 5.5f}};
        float from[3], height = 0;
        rw_cone cone;
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = surface.at[axis] + (float)rw_random_range(&random, -20, 20);
            height += (from[axis] - surface.at[axis]) * surface.axis[axis];
        }
        assert_int_equal(rw_cone_init_reflection(&cone, &surface, &piece, from), height > 1e-3f);
        for (int corner = 0; corner < 4; corner++) {
            float a = (float)(corner % 2), b = (float)(corner / 2), off = 0;
            for (int axis = 0; axis < 3; axis++)
                off += (cone.start[axis] + a * cone.along[axis] + b * cone.across[axis] - surface.at[axis]) *
                       surface.axis[axis];
            assert_near((double)off, 0, 1e-4);
        }
        for (int axis = 0; axis < 3; axis++)
            assert_near((double)(cone.start[axis] - cone.direction[axis]),
                        (double)(from[axis] - 2 * height * surface.axis[axis]), 1e-3);
    }
}

/* The roof cuts the third layer of cubes of 5 m, above their centres. */
static void a_flat_roof_hides_nothing_above_it(void **state)
{
    (void)state;
    for (int high = 0; high < 2; high++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
        rw_scene *scene = make_scene(context);
        add_box(context, scene, (const double[]){0, 0, 100, 100}, 13, NULL);
        assert_ok(context, rw_scene_commit(scene));
        prediction now = begin_with(context, scene);
        now.options.model = "cubes";
        now.options.layers = "los";
        now.options.roofs = now.options.prior = "none";
        now.options.reflections = now.options.horizontal_diffractions = now.options.vertical_diffractions = 0;
        now.options.rx_height_m = high ? 14.8 : 13.2;
        now.tx[0].x_m = 51.3;
        now.tx[0].y_m = 47.2;
        now.tx[0].height_m = high ? 13.2 : 14.8;
        rw_map *map = predict(&now);
        rw_map_layer los = layer_of(map, "los");
        rw_map_info info = info_of(map);
        assert_true(info.columns * info.rows >= 400);
        for (size_t i = 0; i < info.columns * info.rows; i++)
            assert_near((double)los.values[i], 1, 0);
        rw_map_destroy(map);
        end(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reflected_rays_start_on_their_surface),
        cmocka_unit_test(a_flat_roof_hides_nothing_above_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
