/* A street that is its own mirror image, with rough walls and a transmitter in the middle: values on tiles are mirrored
 * too, in power, delay and direction of arrival. */
#include "ray_cases.h"

#define MIDDLE_X 100.0

static void middle_of(const rw_tile_map *map, size_t tile, double middle_m[3])
{
    rw_tile_info info = {.size = sizeof info};
    assert_int_equal(rw_tile_map_get_tile(map, tile, &info), RW_OK);
    for (int axis = 0; axis < 3; axis++)
        middle_m[axis] = 0.25 * (info.corners_m[0][axis] + info.corners_m[1][axis] + info.corners_m[2][axis] +
                                 info.corners_m[3][axis]);
}

/* The tile where the mirror image of a place is; fails where there is none. */
static size_t mirrored_tile(const rw_tile_map *map, size_t count, const double position_m[3])
{
    double middle_m[3];
    for (size_t i = 0; i < count; i++) {
        middle_of(map, i, middle_m);
        if (fabs(middle_m[0] - (2 * MIDDLE_X - position_m[0])) < 0.01 && fabs(middle_m[1] - position_m[1]) < 0.01 &&
            fabs(middle_m[2] - position_m[2]) < 0.01)
            return i;
    }
    fail_msg("%s", "a tile has no mirror image\n");
    return 0;
}

static void values_on_tiles_are_mirrored(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    rw_tile_map *map;
    add_metal(context, scene, 0.6);
    add_block(context, scene, (double[]){70, 60, 85, 140}, 20, "metal");
    add_block(context, scene, (double[]){115, 60, 130, 140}, 20, "metal");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_rt(scene, context, MIDDLE_X, 93, 8);
    now.options.model = "tiles";
    now.options.layers = "path_loss,delay,azimuth,elevation";
    now.options.depth = 2;
    now.options.reflections = 1;
    now.options.diffractions = 0;
    now.options.scatterings = 1;
    now.options.tile_area_m2 = 40;
    now.options.transmitters = now.tx;
    assert_ok(context, rw_predict_tiles(scene, &now.options, &map));
    const rw_map *values = rw_tile_map_values(map);
    size_t count = info_of(values).columns, compared = 0;
    for (size_t i = 0; i < count; i++) {
        double position_m[3];
        middle_of(map, i, position_m);
        if (fabs(position_m[0] - 85) > 0.01)
            continue; /* not of the left side of the street */
        size_t other = mirrored_tile(map, count, position_m);
        double left_db = (double)layer_of(values, "path_loss").values[i];
        double right_db = (double)layer_of(values, "path_loss").values[other];
        assert_true(isfinite(left_db) == isfinite(right_db));
        if (!isfinite(left_db))
            continue;
        compared++;
        double left = (double)layer_of(values, "azimuth").values[i];
        double right = (double)layer_of(values, "azimuth").values[other];
        assert_near(left_db, right_db, 0.01);
        assert_near(layer_of(values, "delay").values[i], (double)layer_of(values, "delay").values[other], 0.01);
        assert_near(layer_of(values, "elevation").values[i], (double)layer_of(values, "elevation").values[other], 0.1);
        assert_near(remainder(left + right, 360), 0, 0.1);
        assert_true(left > 0 && left < 180); /* the left row looks east, where the transmitter is */
    }
    assert_true(compared > 20);
    rw_tile_map_destroy(map);
    end_rt(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_on_tiles_are_mirrored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
