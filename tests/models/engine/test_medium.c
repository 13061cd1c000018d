/* Trees and air on the paths of every model: a wave that reaches its receiver by a mirror beside a screen, or round the
 * screen, loses what geometry by hand says, in maps and in paths. */
#include "prediction.h"

#include <rasterwave/calc.h>

#define MAST_M 10.0
#define FIRST_TREE_M 60.0 /* of a strip across the scene */
#define LAST_TREE_M 70.0

typedef struct medium_case {
    const char *model;
    int air;  /* has rain and gases */
    int bent; /* goes round the screen; 0: by the mirror */
} medium_case;

static const medium_case cases[] = {{"beams", 1, 0},  {"tiles", 1, 0}, {"rt", 1, 0},    {"cubes", 1, 0},
                                    {"images", 0, 0}, {"sbr", 0, 0},   {"shadow", 1, 1}};

/* A mirror along y = 50 m, and a screen that hides (80, 0) from the mast at the origin. */
static prediction begin_mirror(const medium_case *of, int trees)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double boxes[3][4] = {{-40, 50, 160, 54}, {39, -60, 41, 20}, {-44, -60, -43, -59}};
    for (int i = 0; i < 3; i++)
        add_box(context, scene, boxes[i], i < 2 ? 60 : 3, NULL);
    float heights[60];
    for (int i = 0; i < 60; i++) /* cells of 1 m by 1 km */
        heights[i] = i >= 15 && i < 25 ? 70 : 0;
    rw_raster strip = {sizeof strip, 60, 1, FIRST_TREE_M - 14.5, 0, 1, 1000, heights};
    if (trees)
        assert_ok(context, rw_scene_set_foliage(scene, &strip));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, of->model);
    now.options.transmitter_count = 1;
    now.options.res_m = 1;
    now.options.rx_height_m = 1.5;
    now.options.layers = "path_loss";
    now.options.prior = "none";
    now.tx[0].height_m = MAST_M;
    return now;
}

/* One reflection and nothing else; of shadow the ways round corners. */
static void choose_path(prediction *now, const char *model)
{
    const char *const options[][3] = {{"beams", "transmissions", "0"},
                                      {"beams", "roofs", "none"},
                                      {"beams", "diffractions", "0"},
                                      {"beams", "reflections", "1"},
                                      {"tiles", "depth", "1"},
                                      {"tiles", "diffractions", "0"},
                                      {"tiles", "roofs", "none"},
                                      {"tiles", "cells", "exact"},
                                      {"tiles", "sum", "power"},
                                      {"rt", "depth", "1"},
                                      {"rt", "diffractions", "0"},
                                      {"rt", "roofs", "none"},
                                      {"rt", "sum", "power"},
                                      {"cubes", "reflections", "1"},
                                      {"cubes", "horizontal-diffractions", "0"},
                                      {"cubes", "vertical-diffractions", "0"},
                                      {"cubes", "roofs", "none"},
                                      {"cubes", "prior", "none"},
                                      {"images", "depth", "1"},
                                      {"images", "transmissions", "0"},
                                      {"images", "direct", "limited"},
                                      {"sbr", "depth", "1"},
                                      {"sbr", "transmissions", "0"},
                                      {"sbr", "direct", "limited"},
                                      {"shadow", "effects", "streets"},
                                      {"shadow", "prior", "none"}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(options[i][0], model) == 0)
            assert_ok(now->context, rw_predict_options_set(now->context, &now->options, options[i][1], options[i][2]));
}

static double map_db(const medium_case *of, int trees, double freq_hz, double rain_mm_h)
{
    prediction now = begin_mirror(of, trees);
    choose_path(&now, of->model);
    now.options.freq_hz = freq_hz;
    if (of->air) {
        now.options.gas = "none";
        now.options.rain_mm_h = rain_mm_h;
    }
    memcpy(now.options.area_m, (double[]){79.5, -0.5, 80.5, 0.5}, sizeof now.options.area_m);
    rw_map *map = predict(&now);
    double loss_db = (double)layer_of(map, "path_loss").values[0];
    rw_map_destroy(map);
    end(&now);
    assert_true(isfinite(loss_db));
    return loss_db;
}

static double path_db(const medium_case *of, int trees)
{
    prediction now = begin_mirror(of, trees);
    rw_point point = {.size = sizeof point, .x_m = 80, .y_m = 0, .height_m = 1.5};
    rw_paths *paths;
    rw_path path = {.size = sizeof path};
    choose_path(&now, of->model);
    now.options.freq_hz = 949e6;
    now.options.layers = NULL;
    now.options.transmitters = now.tx;
    if (strcmp(of->model, "tiles") == 0)
        now.options.cells = NULL;
    if (strcmp(of->model, "shadow") == 0 || strcmp(of->model, "cubes") == 0)
        now.options.prior = NULL;
    assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
    assert_int_equal(rw_paths_count(paths), 1);
    assert_int_equal(rw_paths_get(paths, 0, &path), RW_OK);
    double loss_db = path.loss_db;
    rw_paths_destroy(paths);
    end(&now);
    return loss_db;
}

/* Length of the path, and of it in the strip: it turns at the mirror's middle or at the screen's last corner. */
static double length_m(const medium_case *of, double *in_trees_m)
{
    double plan_m = of->bent ? hypot(39, 20) + 2 + hypot(39, 20) : 2 * hypot(40, 50);
    double last_plan_m = of->bent ? hypot(39, 20) : hypot(40, 50), last_x = of->bent ? 39 : 40;
    double steeper = hypot(plan_m, MAST_M - 1.5) / plan_m;
    *in_trees_m = steeper * last_plan_m * (LAST_TREE_M - FIRST_TREE_M) / last_x;
    return steeper * plan_m;
}

static double law_db(double depth_m)
{
    return 26.5 * (1 - exp(-depth_m * 0.17 / 26.5)); /* ITU-R P.833 at 949 MHz */
}

static void trees_are_on_every_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double in_trees_m, without_db = map_db(&cases[i], 0, 949e6, NAN), with_db = map_db(&cases[i], 1, 949e6, NAN);
        length_m(&cases[i], &in_trees_m);
        printf("%s: %.2f dB, with trees %.2f dB more, by hand %.2f\n", cases[i].model, without_db, with_db - without_db,
               law_db(in_trees_m));
        assert_near(with_db - without_db, law_db(in_trees_m), 0.25); /* steps of half a metre */
        if (strcmp(cases[i].model, "sbr") != 0)                      /* which has no paths */
            assert_near(path_db(&cases[i], 1) - path_db(&cases[i], 0), law_db(in_trees_m), 0.25);
    }
}

static void air_is_along_the_path(void **state)
{
    (void)state;
    rw_air_options air;
    rw_air_result result = {.size = sizeof result};
    rw_air_options_init(&air);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        prediction now = begin_mirror(&cases[i], 0);
        double in_trees_m, by_hand_db;
        air.freq_hz = 28e9;
        air.rain_mm_h = 300;
        assert_ok(now.context, rw_calc_air(now.context, &air, &result));
        end(&now);
        if (!cases[i].air)
            continue;
        by_hand_db = 1e-3 * result.rain_db_km * length_m(&cases[i], &in_trees_m);
        double rain_db = map_db(&cases[i], 0, 28e9, 300) - map_db(&cases[i], 0, 28e9, NAN);
        printf("%s: rain takes %.3f dB, by hand %.3f\n", cases[i].model, rain_db, by_hand_db);
        assert_near(rain_db, by_hand_db, 0.02);
    }
}

/* In line of sight through 100 m of trees at 28 GHz, which take about 100 dB, every outdoor model has a value. */
static void a_value_in_sight_through_a_wood(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams", "cubes", "tiles", "rt"};
    const double houses[2][4] = {{0, 0, 40, 30}, {250, 250, 280, 280}};
    for (int i = 0; i < 5; i++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
        rw_scene *scene = make_scene(context);
        float heights[100];
        for (int k = 0; k < 100; k++)
            heights[k] = 15;
        rw_raster wood = {sizeof wood, 100, 1, 60.5, 150, 1, 100, heights};
        for (int k = 0; k < 2; k++)
            add_box(context, scene, houses[k], 20, NULL);
        assert_ok(context, rw_scene_set_foliage(scene, &wood));
        assert_ok(context, rw_scene_commit(scene));
        prediction now = begin_with(context, scene);
        rw_predict_options_init_for(&now.options, models[i]);
        now.options.transmitter_count = 1;
        now.options.freq_hz = 28e9;
        now.options.layers = "path_loss";
        now.options.transmitters = now.tx;
        now.tx[0].x_m = 20;
        now.tx[0].y_m = 150;
        now.tx[0].height_m = 6;
        rw_point point = {.size = sizeof point, .x_m = 200, .y_m = 150, .height_m = 1.5};
        rw_map *map;
        assert_ok(context, rw_predict_points(scene, &now.options, &point, 1, &map));
        double loss_db = (double)layer_of(map, "path_loss").values[0];
        assert_true(loss_db > 190 && loss_db < 210);
        rw_map_destroy(map);
        end(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_value_in_sight_through_a_wood),
                                       cmocka_unit_test(trees_are_on_every_path),
                                       cmocka_unit_test(air_is_along_the_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
