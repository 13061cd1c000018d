/* Walls of two layers, which reflect differently on their two sides: paths of the model images against the reflection
 * of the layers in the order in which the ray meets them. The first layer is on the right of a panel. */
#include "prediction.h"
#include "rooms.h"

#include <complex.h>

#define FREQ_HZ 3.5e9
#define APART_M 8.0 /* of the ends, along the wall */
#define FROM_M 5.0  /* of the ends from the wall */

typedef struct layer {
    double a, conductivity, thickness_m;
} layer;

static const layer board = {2.9, 0.03, 0.0125}, stone = {5.3, 0.11, 0.15};

static double complex wavenumber(const layer *of, double sine)
{
    double complex permittivity = of->a - I * of->conductivity / (2 * M_PI * FREQ_HZ * 8.8541878128e-12);
    return 2 * M_PI * FREQ_HZ / 299792458.0 * csqrt(permittivity - sine * sine);
}

/* |R| in dB for a field along the wall (TE), from the last boundary to the first. */
static double reflection_db(const layer layers[2], double sine)
{
    double complex air = 2 * M_PI * FREQ_HZ / 299792458.0 * sqrt(1 - sine * sine);
    double complex first = wavenumber(&layers[0], sine), second = wavenumber(&layers[1], sine);
    double complex r = (second - air) / (second + air);
    double complex turn = cexp(-2 * I * second * layers[1].thickness_m), at = (first - second) / (first + second);
    r = (at + r * turn) / (1 + at * r * turn);
    turn = cexp(-2 * I * first * layers[0].thickness_m);
    at = (air - first) / (air + first);
    return 20 * log10(cabs((at + r * turn) / (1 + at * r * turn)));
}

static rw_scene *one_wall(rw_context *context, double x0, double y0, double x1, double y1)
{
    rw_scene *scene;
    rw_material thin = {
        .size = sizeof thin, .name = "thin", .a = board.a, .c = board.conductivity, .freq_max_hz = INFINITY};
    rw_material thick = {
        .size = sizeof thick, .name = "thick", .a = stone.a, .c = stone.conductivity, .freq_max_hz = INFINITY};
    rw_layer layers[] = {{sizeof(rw_layer), "thin", board.thickness_m}, {sizeof(rw_layer), "thick", stone.thickness_m}};
    rw_slab slab = {sizeof slab, "wall", layers, 2};
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_add_material(scene, &thin));
    assert_ok(context, rw_scene_add_material(scene, &thick));
    assert_ok(context, rw_scene_add_slab(scene, &slab));
    add_panel_of(context, scene, x0, y0, x1, y1, 0, 30, "wall");
    add_panel_of(context, scene, -60, -60, -59, -60, 0, 1, "wall"); /* for the scene's extent: low and far away */
    add_panel_of(context, scene, 59, 60, 60, 60, 0, 1, "wall");
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* Loss of the one reflected path between two points at the same side. */
static double reflected_loss_db(double x0, double y0, double x1, double y1, double side)
{
    double along_x = (x1 - x0) / hypot(x1 - x0, y1 - y0), along_y = (y1 - y0) / hypot(x1 - x0, y1 - y0);
    double right_x = side * along_y * FROM_M, right_y = -side * along_x * FROM_M;
    double middle_x = 0.5 * (x0 + x1), middle_y = 0.5 * (y0 + y1), loss_db = NAN;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    prediction now = begin_with(context, one_wall(context, x0, y0, x1, y1));
    rw_point point = {.size = sizeof point,
                      .x_m = middle_x + right_x + 0.5 * APART_M * along_x,
                      .y_m = middle_y + right_y + 0.5 * APART_M * along_y,
                      .height_m = 15};
    rw_paths *paths;
    now.tx[0].x_m = middle_x + right_x - 0.5 * APART_M * along_x;
    now.tx[0].y_m = middle_y + right_y - 0.5 * APART_M * along_y;
    now.tx[0].height_m = 15;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = FREQ_HZ;
    now.options.depth = 1;
    assert_ok(context, rw_trace(now.scene, &now.options, &point, 1, &paths));
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.vertex_count == 3 && path.vertices[1].interaction == RW_INTERACTION_REFLECTION)
            loss_db = path.loss_db;
    }
    rw_paths_destroy(paths);
    end(&now);
    return loss_db;
}

/* The face that reflects is half of the thickness nearer than the middle of the wall. */
static void each_side_reflects_by_its_own_layers(void **state)
{
    (void)state;
    const double panels[][4] = {{0, -40, 0, 40}, {0, 40, 0, -40}, {-40, 3, 40, 3}, {40, 3, -40, 3}, {-30, -20, 35, 20}};
    const layer from_right[2] = {board, stone}, from_left[2] = {stone, board};
    double length_m = hypot(APART_M, 2 * FROM_M - board.thickness_m - stone.thickness_m), sine = APART_M / length_m;
    double free_db = 20 * log10(4 * M_PI * length_m * FREQ_HZ / 299792458.0);
    double right_db = free_db - reflection_db(from_right, sine), left_db = free_db - reflection_db(from_left, sine);
    assert_true(fabs(right_db - left_db) > 1); /* otherwise nothing is tested */
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++) {
        const double *at = panels[i];
        assert_near(reflected_loss_db(at[0], at[1], at[2], at[3], 1), right_db, 0.01);
        assert_near(reflected_loss_db(at[0], at[1], at[2], at[3], -1), left_db, 0.01);
    }
}

#define ROW 10

/* Walls across x at 0, 1, 2 and so on, of so thick a stone; the transmitter left or right of them. */
static prediction begin_row(const char *model, double thickness_m, int right)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene;
    rw_material material = {
        .size = sizeof material, .name = "stone", .a = stone.a, .c = stone.conductivity, .freq_max_hz = INFINITY};
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_add_material(scene, &material));
    add_slab_of(context, scene, "wall", "stone", thickness_m);
    for (int i = 0; i < ROW; i++)
        add_panel_of(context, scene, i, -30, i, 30, 0, 30, "wall");
    add_panel_of(context, scene, -2, -30, -1, -30, 0, 1, "wall"); /* for the scene's extent */
    add_panel_of(context, scene, ROW, -30, ROW + 1, -30, 0, 1, "wall");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, model);
    if (strcmp(model, "sbr") == 0)
        now.options.rays = 40;
    now.tx[0].x_m = right ? ROW - 0.3 : -0.7;
    now.tx[0].y_m = 0.3;
    now.tx[0].height_m = 15;
    now.options.transmitter_count = 1;
    now.options.freq_hz = FREQ_HZ;
    now.options.depth = 2;
    now.options.reflections = 0;
    now.options.diffractions = 0;
    now.options.res_m = 1;
    now.options.rx_height_m = 14;
    now.options.area_m[0] = -1;
    now.options.area_m[1] = -6;
    now.options.area_m[2] = ROW;
    now.options.area_m[3] = 6;
    return now;
}

/* One path to each cell of a map, through walls: loss and delay are those of the traced path in images. So also where
 * the power is below the last digit of the sums. */
static void maps_have_what_paths_have(void **state)
{
    (void)state;
    for (int run = 0; run < 6; run++) {
        double thickness_m =
            run / 2 == 1 ? 0.6 : 0.05; /* thick: the images of neighbouring rays of sbr are far apart */
        prediction now = begin_row(run / 2 == 2 ? "sbr" : "images", thickness_m, run % 2);
        prediction traced = begin_row("images", thickness_m, run % 2);
        traced.options.transmitters = traced.tx;
        now.options.layers = "path_loss,delay,paths";
        rw_map *map = predict(&now);
        rw_map_info info = info_of(map);
        rw_point points[200];
        size_t cells[200], count = 0;
        rw_paths *paths;
        for (size_t i = 0; i < info.columns * info.rows && count < 200; i += 7) {
            rw_point point = {.size = sizeof point, .height_m = 14};
            point.x_m = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m;
            point.y_m = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m;
            cells[count] = i;
            points[count++] = point;
        }
        assert_ok(traced.context, rw_trace(traced.scene, &traced.options, points, count, &paths));
        assert_int_equal(rw_paths_count(paths), count);
        for (size_t i = 0; i < count; i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            size_t cell = cells[path.point];
            assert_near(layer_of(map, "path_loss").values[cell], path.loss_db, 1);
            if (path.loss_db < 110)
                assert_near(layer_of(map, "delay").values[cell], path.delay_s * 1e9, 0.002);
        }
        rw_paths_destroy(paths);
        rw_map_destroy(map);
        end(&now);
        end(&traced);
    }
}

/* Behind four walls, from either side: the direct path is that of the search where it goes so deep. */
static void the_direct_path_is_that_of_the_search(void **state)
{
    (void)state;
    for (int right = 0; right < 2; right++) {
        prediction searched = begin_row("images", 0.05, right), direct = begin_row("images", 0.05, right);
        searched.options.transmitters = searched.tx;
        direct.options.transmitters = direct.tx;
        searched.options.depth = 5;
        searched.options.direct = "limited";
        direct.options.depth = direct.options.transmissions = 1;
        for (int i = 0; i < 4; i++) {
            rw_point point = {.size = sizeof point, .x_m = right ? ROW - 4.6 : 3.6, .y_m = 2.5 * i, .height_m = 14};
            rw_path path[2] = {{.size = sizeof(rw_path)}, {.size = sizeof(rw_path)}};
            rw_paths *paths[2];
            assert_ok(searched.context, rw_trace(searched.scene, &searched.options, &point, 1, &paths[0]));
            assert_ok(direct.context, rw_trace(direct.scene, &direct.options, &point, 1, &paths[1]));
            for (int k = 0; k < 2; k++) {
                assert_int_equal(rw_paths_count(paths[k]), 1);
                rw_paths_get(paths[k], 0, &path[k]);
            }
            assert_int_equal(path[0].vertex_count, 6);
            assert_near(path[1].loss_db, path[0].loss_db, 1e-6);
            assert_near(path[1].delay_s * 1e9, path[0].delay_s * 1e9, 1e-6);
            for (size_t k = 0; k < 6; k++)
                assert_near(path[1].vertices[k].y_m, path[0].vertices[k].y_m, 1e-6);
            rw_paths_destroy(paths[0]);
            rw_paths_destroy(paths[1]);
        }
        end(&searched);
        end(&direct);
    }
}

/* Two walls between, one more than paths may meet, and a mirror beside: the direct path comes on top of the reflected
 * one. */
static void the_direct_path_is_added_to_others(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    add_slab_of(context, scene, "wall", "itu_brick", 0.1);
    add_panel_of(context, scene, 2, -5, 2, 5, 0, 30, "wall");
    add_panel_of(context, scene, 3, -5, 3, 5, 0, 30, "wall");
    add_panel_of(context, scene, -40, 20, 40, 20, 0, 30, "itu_metal");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, "images");
    now.tx[0].height_m = 15;
    now.options.transmitter_count = 1;
    now.options.freq_hz = FREQ_HZ;
    now.options.depth = 1;
    now.options.diffractions = 0;
    now.options.layers = "paths";
    now.options.res_m = 1;
    now.options.rx_height_m = 15;
    now.options.area_m[0] = 4;
    now.options.area_m[1] = -2;
    now.options.area_m[2] = 8;
    now.options.area_m[3] = 2;
    rw_map *map = predict(&now);
    for (size_t i = 0; i < 16; i++)
        assert_near(layer_of(map, "paths").values[i], 2, 0);
    rw_map_destroy(map);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_side_reflects_by_its_own_layers),
        cmocka_unit_test(maps_have_what_paths_have),
        cmocka_unit_test(the_direct_path_is_that_of_the_search),
        cmocka_unit_test(the_direct_path_is_added_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
