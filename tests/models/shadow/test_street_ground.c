/* Streets are judged by the ground near them: a knoll in one corner of a level city changes no path far from it, and
 * the ground near a corner bounds what is around it. */
#include "discretise/prepared.h"
#include "models/shadow/shadow.h"
#include "prediction.h"

#include <math.h>

#define SIDE_M 700.0

/* A city of 700 m on level ground, but for a round knoll of that height in its south-western corner. */
static prediction make_city_with_knoll(double height_m)
{
    const double radius_m = 120;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_city_options options;
    rw_scene *scene;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = SIDE_M;
    options.seed = 4;
    options.hills = 1;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    rw_raster *terrain = &scene->terrain;
    for (size_t row = 0; row < terrain->rows; row++)
        for (size_t column = 0; column < terrain->columns; column++) {
            double x = terrain->x0_m + (double)column * terrain->dx_m + scene->origin.x;
            double y = terrain->y0_m + (double)row * terrain->dy_m + scene->origin.y;
            double from_top = hypot(x - 60, y - 60) / radius_m;
            terrain->values[row * terrain->columns + column] =
                (float)(from_top < 1 ? height_m * (1 - from_top * from_top) : 0);
        }
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.res_m = 7;
    now.options.layers = "path_loss,mechanism";
    return now;
}

static void place_mast(prediction *now, double height_m)
{
    rw_map *map = NULL;
    now->tx[0].height_m = height_m;
    now->options.transmitters = now->tx;
    for (int i = 0; i < 60 && !map; i++) {
        now->tx[0].x_m = 0.55 * SIDE_M + 3.3 * i;
        now->tx[0].y_m = 0.55 * SIDE_M + 2.1 * i;
        if (rw_predict(now->scene, &now->options, &map) != RW_OK)
            map = NULL;
    }
    assert_non_null(map);
    rw_map_destroy(map);
}

/* The map with the knoll and without it: the same beyond 300 m from its top, and another on it. */
static void compare_far_cells(double mast_m)
{
    prediction level = make_city_with_knoll(0), knoll = make_city_with_knoll(10);
    place_mast(&level, mast_m);
    knoll.tx[0] = level.tx[0];
    rw_map *before = predict(&level), *after = predict(&knoll);
    rw_map_info info = info_of(before);
    rw_map_layer a = layer_of(before, "path_loss"), b = layer_of(after, "path_loss"),
                 mechanism = layer_of(before, "mechanism");
    size_t compared = 0, streets = 0, changed_near = 0;
    for (size_t row = 0; row < info.rows; row++)
        for (size_t column = 0; column < info.columns; column++) {
            size_t cell = row * info.columns + column;
            double x = info.x0_m + ((double)column + 0.5) * info.res_m;
            double y = info.y0_m + ((double)row + 0.5) * info.res_m, from_top_m = hypot(x - 60, y - 60);
            int same = memcmp(&a.values[cell], &b.values[cell], sizeof *a.values) == 0;
            if (from_top_m < 100)
                changed_near += !same;
            if (from_top_m < 300)
                continue;
            compared++;
            streets += mechanism.values[cell] == 1;
            if (!same)
                fail_msg("%g m mast, cell at %g, %g: %g dB on level ground, %g dB with a knoll far away\n", mast_m, x,
                         y, (double)a.values[cell], (double)b.values[cell]);
        }
    assert_true(compared > 5000 && streets > 200 && changed_near > 20);
    rw_map_destroy(before);
    rw_map_destroy(after);
    end(&level);
    end(&knoll);
}

static void a_knoll_changes_its_surroundings_only(void **state)
{
    (void)state;
    compare_far_cells(30);
    compare_far_cells(50);
}

/* The bound of each corner against all posts: none within reach is higher, and it is not that of the whole terrain. */
static void ground_near_corners_is_a_bound(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_city_options options;
    rw_scene *scene;
    rw_city_options_init(&options);
    options.width_m = 3000;
    options.depth_m = 300;
    options.hills = 1;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    rw_raster *terrain = &scene->terrain;
    for (size_t i = 0; i < terrain->rows * terrain->columns; i++) /* rising to the east */
        terrain->values[i] = 0.1f * (float)(i % terrain->columns) + (float)(i % 7 == 3);
    assert_ok(context, rw_scene_commit(scene));
    const rw_corner_list *corners = &scene->prepared->corners;
    rw_vec2 centre = scene->prepared->grid.centre;
    size_t tight = 0;
    assert_true(corners->count > 100);
    for (size_t i = 0; i < corners->count; i += 11) {
        const rw_corner *corner = &corners->items[i];
        double x = corner->x + centre.x, y = corner->y + centre.y;
        float highest = -INFINITY;
        for (size_t k = 0; k < terrain->rows * terrain->columns; k++) {
            double dx = terrain->x0_m + (double)(k % terrain->columns) * terrain->dx_m - x;
            double dy = terrain->y0_m + (double)(k / terrain->columns) * terrain->dy_m - y;
            if (dx * dx + dy * dy <= RW_CORNER_NEAR_M * RW_CORNER_NEAR_M)
                highest = fmaxf(highest, terrain->values[k]);
        }
        assert_true(corner->near_ground >= highest);
        assert_true(corner->near_ground >= corner->ground);
        assert_near((double)corner->ground, rw_scene_ground_m(scene, rw_vec2_of(x, y)), 1e-4);
        tight += corner->near_ground < scene->prepared->summary.highest_ground_m - 1;
    }
    assert_true(tight > 10);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_knoll_changes_its_surroundings_only),
                                       cmocka_unit_test(ground_near_corners_is_a_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
