/* labels: files */
/* Measurements at heights of their own: predictions are at them, cells are stacked, figures are split, and the tiles
 * model takes the nearest tile of any kind where asked. Against free space by hand. */
#include "prediction.h"
#include "temporary.h"

#include <rasterwave/calibrate.h>

#define GROUND_M 100.0
#define PLACES 12

static double free_space_db(double x_m, double y_m, double height_m)
{
    double away_m = sqrt((x_m - 50) * (x_m - 50) + (y_m - 50) * (y_m - 50) + (height_m - 30) * (height_m - 30));
    return 20 * log10(4 * acos(-1.0) * away_m * 2e9 / 299792458.0);
}

/* A plain a hundred metres above the sea with one wall, and the direct path alone. */
static prediction begin_plain(void)
{
    static float posts[4] = {GROUND_M, GROUND_M, GROUND_M, GROUND_M};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    rw_raster terrain = {.size = sizeof terrain, .columns = 2, .rows = 2, .dx_m = 300, .dy_m = 300, .values = posts};
    rw_panel wall = {.size = sizeof wall, .x0_m = 20, .y0_m = 190, .x1_m = 200, .y1_m = 190, .bottom_m = 0};
    wall.bottom_m = GROUND_M;
    wall.top_m = GROUND_M + 60;
    assert_ok(context, rw_scene_set_terrain(scene, &terrain));
    assert_ok(context, rw_scene_add_panel(scene, &wall));
    wall.x1_m = 30; /* a far corner, for the extent */
    wall.y0_m = wall.y1_m = 10;
    assert_ok(context, rw_scene_add_panel(scene, &wall));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = now.tx[0].y_m = 50;
    now.tx[0].height_m = 30;
    now.options.model = "tiles";
    now.options.roofs = "none";
    now.options.freq_hz = 2e9;
    now.options.depth = 1;
    now.options.reflections = now.options.diffractions = now.options.scatterings = 0;
    now.options.tile_area_m2 = 25;
    return now;
}

/* Two samples above each other at each place: 1.5 m and 20 m above ground, 3 dB more and 2 dB less than free space. */
static rw_measurements *measure(rw_context *context, double sea_m, const char *header, const char *columns)
{
    char text[4096] = "";
    size_t length = (size_t)snprintf(text, sizeof text, "%s", header);
    for (int i = 0; i < 2 * PLACES; i++) {
        double x_m = 80 + 7 * (i / 2), y_m = 90 + 5 * (i / 2 % 3), height_m = i % 2 ? 20 : 1.5;
        double loss_db = free_space_db(x_m, y_m, height_m) + (i % 2 ? -2 : 3);
        length += (size_t)snprintf(text + length, sizeof text - length, "%g,%g,%g,%.6f\n", x_m, y_m, height_m + sea_m,
                                   loss_db);
    }
    rw_measurements_options options;
    rw_measurements *made;
    rw_measurements_options_init(&options);
    options.columns = columns;
    assert_ok(context, rw_measurements_load(context, write_text("heights.csv", text), &options, &made));
    return made;
}

static rw_evaluation_info evaluate(const prediction *now, const rw_measurements *measurements, const char *heights)
{
    rw_evaluate_options options;
    rw_evaluation *evaluation;
    rw_evaluation_info info = {.size = sizeof info};
    rw_predict_options asked = now->options;
    asked.transmitters = now->tx;
    rw_evaluate_options_init(&options);
    options.heights = heights;
    assert_ok(now->context, rw_evaluate_model(now->scene, &asked, measurements, &options, &evaluation));
    assert_ok(now->context, rw_evaluation_get_info(evaluation, &info));
    for (size_t i = 0; i < info.points; i++) {
        rw_evaluation_point point = {.size = sizeof point};
        assert_ok(now->context, rw_evaluation_get_point(evaluation, i, &point));
        if (!now->options.cells)
            assert_near(point.predicted_db, free_space_db(point.x_m, point.y_m, point.height_m), 1e-3);
    }
    assert_ok(now->context, rw_evaluation_draw(evaluation, RW_EVALUATION_MAP, temporary_path("errors.png")));
    rw_evaluation_destroy(evaluation);
    return info;
}

static void samples_have_heights(void **state)
{
    (void)state;
    prediction now = begin_plain();
    static const struct {
        double sea_m;
        const char *header, *columns, *heights;
    } ways[] = {{0, "x,y,z,loss\n", NULL, NULL},
                {0, "", NULL, "above_ground"},
                {0, "", "x=1,y=2,z=3,value=4", NULL},
                {GROUND_M, "x,y,height,loss\n", NULL, "above_sea"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        rw_measurements *measurements = measure(now.context, ways[i].sea_m, ways[i].header, ways[i].columns);
        rw_evaluation_info info = evaluate(&now, measurements, ways[i].heights);
        assert_int_equal(info.points, 2 * PLACES);
        assert_int_equal(info.ground_points, PLACES);
        assert_int_equal(info.above_points, PLACES);
        assert_near(info.ground.mean_db, 3, 1e-3);
        assert_near(info.above.mean_db, -2, 1e-3);
        assert_near(info.above.std_dev_db, 0, 1e-3);
        assert_near(info.height_min_m, 1.5, 1e-9);
        assert_near(info.height_max_m, 20, 1e-9);
        rw_measurements_destroy(measurements);
    }
    end(&now);
}

/* Where it is not said that the third number is a height, or heights are not wanted, all are at the receivers' height.
 */
static void heights_are_asked_for(void **state)
{
    (void)state;
    prediction now = begin_plain();
    for (int named = 0; named < 2; named++) {
        rw_measurements *measurements = measure(now.context, 0, named ? "x,y,z,loss\n" : "", NULL);
        rw_evaluation_info info = evaluate(&now, measurements, named ? "none" : NULL);
        assert_int_equal(info.points, PLACES);
        assert_int_equal(info.ground_points, PLACES);
        assert_int_equal(info.above_points, 0);
        assert_true(isnan(info.above.mean_db));
        assert_near(info.height_max_m, 1.5, 1e-9);
        rw_evaluate_options options;
        rw_evaluation *evaluation;
        rw_evaluate_options_init(&options);
        options.heights = "low";
        now.options.transmitters = now.tx;
        check_sentence(now.context, rw_evaluate_model(now.scene, &now.options, measurements, &options, &evaluation),
                       RW_BAD_CALL, "heights = low: expected one of above_ground,above_sea,none");
        rw_measurements_destroy(measurements);
    }
    end(&now);
}

/* 30 m up and half a metre before the wall, the nearest ground tile is far below and the nearest tile of any kind is
 * one of the wall. */
static void nearest_tile_may_be_of_a_wall(void **state)
{
    (void)state;
    prediction now = begin_plain();
    const char *path = write_text("wall.csv", "x,y,z,loss\n25,10.5,30,80\n");
    double predicted[2];
    rw_measurements *measurements;
    assert_ok(now.context, rw_measurements_load(now.context, path, NULL, &measurements));
    for (int any = 0; any < 2; any++) {
        now.options.cells = any ? "nearest-any" : "nearest";
        rw_evaluation_info info = evaluate(&now, measurements, NULL);
        predicted[any] = 80 - info.prediction.mean_db;
    }
    /* tiles of 5 m: within 2.5 m of the place along the wall and up */
    assert_near(predicted[1], free_space_db(25, 10, 30), 0.4);
    assert_near(predicted[0], free_space_db(25, 10, 0), 0.6);
    assert_true(fabs(predicted[0] - predicted[1]) > 0.8);
    rw_measurements_destroy(measurements);
    end(&now);
}

/* Calibration has the same places. */
static void calibration_has_them_too(void **state)
{
    (void)state;
    prediction now = begin_plain();
    size_t points[2];
    rw_measurements *measurements = measure(now.context, 0, "x,y,z,loss\n", NULL);
    now.options.transmitters = now.tx;
    rw_predict_options asked = asked_of(&now.options, "shadow");
    for (int i = 0; i < 2; i++) {
        rw_calibrate_options options;
        rw_calibration *calibration;
        rw_calibration_info info = {.size = sizeof info};
        rw_calibrate_options_init(&options);
        options.folds = 0;
        options.fit = "offset";
        options.heights = i ? "none" : NULL;
        assert_ok(now.context, rw_calibrate(now.scene, &asked, measurements, &options, &calibration));
        assert_ok(now.context, rw_calibration_get_info(calibration, &info));
        points[i] = info.points;
        rw_calibration_destroy(calibration);
    }
    assert_int_equal(points[0], 2 * PLACES);
    assert_int_equal(points[1], PLACES);
    rw_measurements_destroy(measurements);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_have_heights),
        cmocka_unit_test(heights_are_asked_for),
        cmocka_unit_test(nearest_tile_may_be_of_a_wall),
        cmocka_unit_test(calibration_has_them_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
