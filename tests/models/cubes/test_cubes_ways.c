/* labels: slow, numbers */
/* What a map of the cubes model has beside its own paths, and that its answers depend neither on what else is asked for
 * nor on half a cube: the way over one roof against Fresnel's integral, powers that add, the prior against the formula
 * of 3GPP, subsets of points, shadow boundaries, and gentle hills against flat ground. */
#include "models/engine/model.h"
#include "models/engine/calls/calls.h"
#include "prediction.h"

#include <rasterwave/calibrate.h>

#define WAVELENGTH_M (299792458.0 / 947e6)

static prediction boxes(const double (*box)[5], size_t count)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double huts[2][4] = {{-200, -400, -198, -398}, {400, 398, 402, 400}}; /* the extent of the scene */
    for (size_t i = 0; i < count; i++)
        add_box(context, scene, box[i], box[i][4], "box");
    for (size_t i = 0; i < 2; i++)
        add_box(context, scene, huts[i], 3, "hut");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = "cubes";
    now.options.prior = "none";
    return now;
}

static void allow(prediction *now, int reflections, int horizontal, int vertical)
{
    now->options.reflections = reflections;
    now->options.horizontal_diffractions = horizontal;
    now->options.vertical_diffractions = vertical;
}

static void place(prediction *now, double x, double y, double z)
{
    now->tx[0].x_m = x;
    now->tx[0].y_m = y;
    now->tx[0].height_m = z;
}

static void solve(prediction *now, const char *name, const rw_point *points, size_t count, float *values)
{
    rw_point_layer layer = {name, values};
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_solve_points(now->scene, &now->options, points, count, &layer, 1));
}

static double free_space_db(const prediction *now, const rw_point *point)
{
    double dx = point->x_m - now->tx[0].x_m, dy = point->y_m - now->tx[0].y_m;
    double dz = (isnan(point->height_m) ? now->options.rx_height_m : point->height_m) - now->tx[0].height_m;
    return 20 * log10(4 * 3.14159265358979 * sqrt(dx * dx + dy * dy + dz * dz) / WAVELENGTH_M);
}

static rw_point point_at(double x, double y)
{
    return (rw_point){.size = sizeof(rw_point), .x_m = x, .y_m = y, .height_m = NAN};
}

/* Loss of one screen, 20 log |(1 + j) / 2 times the integral of exp(-j pi t^2 / 2) from nu on|, by Simpson's rule from
 * 0 to nu. */
static double screen_db(double nu)
{
    const int steps = 20000;
    double c = 0, s = 0;
    for (int i = 0; i <= steps; i++) {
        double t = nu * i / steps, weight = (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2) * nu / steps / 3;
        c += weight * cos(0.5 * 3.14159265358979 * t * t);
        s += weight * sin(0.5 * 3.14159265358979 * t * t);
    }
    return -10 * log10(0.5 * ((0.5 - c) * (0.5 - c) + (0.5 - s) * (0.5 - s)));
}

/* A long low building across the way: what comes over it is a screen in its middle, in sight and out of it. */
static void one_roof_is_a_screen(void **state)
{
    (void)state;
    const double box[1][5] = {{-4, -300, 4, 300, 15}};
    prediction now = boxes(box, 1);
    rw_point points[60];
    float loss[60], again[60], mechanism[60], seen[60];
    size_t behind = 0;
    allow(&now, 0, 0, 0);
    place(&now, -120, 3, 30);
    for (int i = 0; i < 60; i++)
        points[i] = point_at(20 + 4.0 * i, 3);
    solve(&now, "path_loss", points, 60, loss);
    solve(&now, "mechanism", points, 60, mechanism);
    solve(&now, "los", points, 60, seen);
    allow(&now, 0, 2, 0); /* the model's own paths over the same roof are the same wave, and do not count twice */
    solve(&now, "path_loss", points, 60, again);
    for (int i = 0; i < 60; i++) {
        assert_true(again[i] == loss[i]);
        double d1 = 120, d2 = points[i].x_m, line_m = 30 + (1.5 - 30) * d1 / (d1 + d2);
        double nu = (15 - line_m) * sqrt(2 * (d1 + d2) / (WAVELENGTH_M * d1 * d2));
        double expected = nu < -1.5 ? 0 : fmax(0, screen_db(nu));
        assert_near((double)loss[i] - free_space_db(&now, &points[i]), expected, 0.25);
        assert_true(mechanism[i] == (seen[i] > 0 ? 0.0f : 2.0f));
        behind += seen[i] == 0;
    }
    assert_true(behind > 10 && behind < 50);
    end(&now);
}

/* Round one corner of a tower and over its roof: powers add. The bend is of 30 degrees, where the onset of corners is
 * over. */
static void powers_add(void **state)
{
    (void)state;
    const double box[1][5] = {{0, -60, 10, 20, 60}};
    prediction now = boxes(box, 1);
    const rw_point points[3] = {point_at(60, 24), point_at(70.3, 25), point_at(55, 25.2)};
    float over[3], round_corner[3], both[3], mechanism[3];
    place(&now, -30, 0.3, 12);
    now.options.res_m = 2;
    allow(&now, 0, 0, 0);
    solve(&now, "path_loss", points, 3, over);
    now.options.roofs = "none";
    allow(&now, 0, 0, 1);
    solve(&now, "path_loss", points, 3, round_corner);
    now.options.roofs = "vogler";
    solve(&now, "path_loss", points, 3, both);
    solve(&now, "mechanism", points, 3, mechanism);
    for (int i = 0; i < 3; i++) {
        double sum = pow(10, -0.1 * (double)over[i]) + pow(10, -0.1 * (double)round_corner[i]);
        printf("over %.2f dB, round %.2f dB, both %.2f dB\n", (double)over[i], (double)round_corner[i],
               (double)both[i]);
        assert_true(fabsf(over[i] - round_corner[i]) < 20); /* neither is negligible */
        assert_near(both[i], -10 * log10(sum), 0.02);
        assert_true(mechanism[i] == (over[i] < round_corner[i] ? 2.0f : 1.0f));
    }
    end(&now);
}

/* The rule of composition with 3GPP TR 38.901, table 7.4.1-1, UMi street canyon NLOS, far from its LOS bound: 22.4
 * + 35.3 log d3D + 21.3 log f_GHz - 0.3 (h_UT - 1.5). A mast of 12 m among roofs of 60 m; 5.7 % is built over. */
static void prior_is_that_of_3gpp(void **state)
{
    (void)state;
    const double box[2][5] = {{0, -200, 20, 200, 60}, {150, -200, 170, 200, 60}};
    prediction now = boxes(box, 2);
    const rw_point points[2] = {point_at(60, 1), point_at(120, 8)};
    float rays[2], with[2], named[2];
    place(&now, -100, 0, 12);
    solve(&now, "path_loss", points, 2, rays);
    now.options.prior = NULL;
    solve(&now, "path_loss", points, 2, with);
    now.options.prior = "3gpp";
    solve(&now, "path_loss", points, 2, named);
    for (int i = 0; i < 2; i++) {
        double plan = hypot(points[i].x_m + 100, points[i].y_m), far = hypot(plan, 10.5);
        double site = 22.4 + 35.3 * log10(far) + 21.3 * log10(0.947);
        double free_db = free_space_db(&now, &points[i]), excess = (double)rays[i] - free_db,
               k = 0.8 * pow(0.947, -0.1);
        double bent = k * excess + (1 - k) * 6 * (1 - exp(-excess / 6)), weight = 0.65 + 0.2 * (1 - exp(-excess / 10));
        assert_true(excess > 10);
        assert_near(with[i], free_db + (1 - weight) * bent + weight * (site - free_db), 0.05);
        assert_true(with[i] == named[i]);
    }
    end(&now);
}

/* Parameters that measurements have changed are about the model's own paths: neither roofs nor prior unless named. */
static void calibrated_is_own_paths(void **state)
{
    (void)state;
    const double box[1][5] = {{0, -20, 20, 20, 18}};
    prediction now = boxes(box, 1);
    const rw_point point = point_at(40, 0.5);
    float paper, calibrated;
    rw_params *params;
    place(&now, -20, 0.4, 12);
    now.options.roofs = "none";
    solve(&now, "path_loss", &point, 1, &paper);
    now.options.roofs = now.options.prior = NULL;
    assert_ok(now.context, rw_params_create(now.context, "cubes", now.options.freq_hz, &params));
    assert_ok(now.context, rw_params_set(params, "offset_db", 3));
    now.options.params = params;
    solve(&now, "path_loss", &point, 1, &calibrated);
    assert_near(calibrated, paper + 3, 1e-3);
    rw_params_destroy(params);
    end(&now);
}

/* Meshes have no roofs: left out where nothing is said, refused by name. */
static void meshes_have_no_roofs(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double low[3] = {0, -20, 0}, high[3] = {20, 20, 18}, far[2][3] = {{-60, -60, 0}, {-58, -58, 2}};
    add_box_mesh(context, scene, low, high);
    add_box_mesh(context, scene, far[0], far[1]);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    const rw_point point = point_at(40, 0.5);
    float usual, paper;
    rw_map *map;
    now.options.model = "cubes";
    place(&now, -20, 0.4, 12);
    solve(&now, "path_loss", &point, 1, &usual);
    now.options.roofs = now.options.prior = "none";
    solve(&now, "path_loss", &point, 1, &paper);
    assert_true(usual == paper && isfinite(usual));
    now.options.roofs = "vogler";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "this scene has meshes");
    end(&now);
}

/* A city of so much relief; 0: flat. Heights of roofs above ground are the same. */
static prediction city_of(double relief_m, double size_m)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_city_options options;
    rw_scene *scene;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = size_m;
    options.seed = 7;
    options.hills = relief_m > 0;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    for (size_t i = 0; relief_m > 0 && i < scene->terrain.columns * scene->terrain.rows; i++)
        scene->terrain.values[i] *= (float)(relief_m / 45);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = "cubes";
    place(&now, 0.5 * size_m + 3, 0.5 * size_m - 3, 25);
    return now;
}

static double next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Answers at points do not change with what else is asked for: any subset, single points, and cells of maps. */
static void answers_do_not_depend_on_others(const char *roofs)
{
    enum { POINTS = 48 };
    prediction now = city_of(0, 400);
    rw_point points[POINTS], some[POINTS];
    float all[POINTS], few[POINTS];
    size_t count = 0, wanted = getenv("RASTERWAVE_QUICK") ? 12 : POINTS;
    uint64_t random = 5;
    now.options.roofs = roofs;
    now.options.prior = "none";
    allow(&now, 1, 1, 1);
    while (count < wanted) {
        points[count] = point_at(400 * next_random(&random), 400 * next_random(&random));
        points[count].height_m = count % 3 ? 1.5 : 1 + 12 * next_random(&random);
        solve(&now, "path_loss", points + count, 1, all); /* each alone */
        few[count] = all[0];
        count += isfinite(all[0]) != 0;
    }
    solve(&now, "path_loss", points, wanted, all);
    for (size_t i = 0; i < wanted; i++)
        assert_true(all[i] == few[i]);
    for (int turn = 0; turn < 6; turn++) {
        size_t chosen[POINTS], taken = 0;
        for (size_t i = 0; i < wanted; i++)
            if (next_random(&random) < 0.3) {
                chosen[taken] = i;
                some[taken++] = points[i];
            }
        solve(&now, "path_loss", some, taken, few);
        for (size_t i = 0; i < taken; i++)
            assert_true(few[i] == all[chosen[i]]);
    }
    end(&now);
}

static void answers_are_of_points(void **state)
{
    (void)state;
    answers_do_not_depend_on_others("none");
    answers_do_not_depend_on_others("vogler");
}

/* The same place in the whole map, in a part of it and as a point. */
static void maps_and_points_agree(void **state)
{
    (void)state;
    prediction now = city_of(8, 400);
    const double area[4] = {100, 120, 200, 180};
    allow(&now, 1, 1, 1);
    now.options.layers = "path_loss";
    rw_map *whole = predict(&now);
    memcpy(now.options.area_m, area, sizeof area);
    rw_map *part = predict(&now);
    for (int i = 0; i < 4; i++)
        now.options.area_m[i] = NAN;
    rw_map_info info = info_of(part);
    size_t count = 0;
    for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
        float value = layer_of(part, "path_loss").values[cell], alone;
        rw_point point = point_at(info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m,
                                  info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m);
        if (isnan(value))
            continue;
        count++;
        assert_near(value, value_at(whole, "path_loss", point.x_m, point.y_m), 1e-3);
        if (cell % 40 == 0) {
            solve(&now, "path_loss", &point, 1, &alone);
            assert_near(value, alone, 1e-2); /* a map has altitudes in float */
        }
    }
    assert_true(count > 100);
    rw_map_destroy(whole);
    rw_map_destroy(part);
    end(&now);
}

/* The largest change of the loss beyond free space over 0.2 degrees about the edge. */
static double largest_step_db(prediction *now, const rw_point *points, const double *angle_deg, size_t count)
{
    float loss[400], seen[400];
    double most = 0;
    solve(now, "path_loss", points, count, loss);
    solve(now, "los", points, count, seen);
    assert_true(seen[0] != seen[count - 1]); /* there is a boundary between */
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && fabs(angle_deg[j] - angle_deg[i]) <= 0.2; j++) {
            double change =
                ((double)loss[j] - free_space_db(now, &points[j])) - ((double)loss[i] - free_space_db(now, &points[i]));
            most = isfinite(change) ? fmax(most, fabs(change)) : INFINITY;
        }
    return most;
}

/* Past the lower edge of a roof's shadow, or past the side of a tower's. */
static void walk_past(int roof, const char *model, const char *prior, double max_db)
{
    enum { POINTS = 400 };
    const double long_box[1][5] = {{0, -200, 10, 200, 15}}, tower[1][5] = {{0, -60, 10, 20, 80}};
    const double degree = 3.14159265358979 / 180;
    rw_point points[POINTS];
    double angle_deg[POINTS];
    prediction now = boxes(roof ? long_box : tower, 1);
    now.options.model = model;
    now.options.prior = prior;
    place(&now, -100, 0.3, roof ? 30 : 10);
    for (int i = 0; i < POINTS; i++) {
        if (roof) { /* the edge at x = 10 hides what is beyond x = 109 from the mast */
            points[i] = point_at(89 + 0.1 * i, 0.3);
            angle_deg[i] = atan2(13.5, points[i].x_m - 10) / degree;
        } else { /* the corner at (0, 20) hides what is south of the line from the mast */
            angle_deg[i] = (i - 200) * 0.02 + atan2(19.7, 100) / degree;
            points[i] = point_at(90 * cos(angle_deg[i] * degree), 20 + 90 * sin(angle_deg[i] * degree));
        }
    }
    double most = largest_step_db(&now, points, angle_deg, POINTS);
    printf("%s, %s, prior %s: at most %.2f dB over 0.2 degrees\n", model, roof ? "roof" : "corner", prior, most);
    assert_true(most < max_db);
    end(&now);
}

static void nothing_jumps_at_shadow_boundaries(void **state)
{
    (void)state;
    for (int roof = 0; roof < 2; roof++) {
        walk_past(roof, "shadow", "none", 1.0);
        walk_past(roof, "shadow", "3gpp", 1.0);
        walk_past(roof, "cubes", "none", 3);
        walk_past(roof, "cubes", "3gpp", 3);
    }
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double median_out_of_sight_db(prediction *now, size_t *unreached)
{
    rw_map *map = predict(now);
    rw_map_info info = info_of(map);
    rw_map_layer loss = layer_of(map, "path_loss"), los = layer_of(map, "los");
    float *values = malloc(info.columns * info.rows * sizeof *values);
    size_t count = 0;
    *unreached = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++)
        if (!isnan(loss.values[i]) && los.values[i] == 0) {
            values[count++] = loss.values[i];
            *unreached += !isfinite(loss.values[i]);
        }
    assert_true(count > 1000);
    qsort(values, count, sizeof *values, by_value);
    double median = values[count / 2];
    free(values);
    rw_map_destroy(map);
    return median;
}

/* The same city on flat ground and on 8 m of relief, where each roof stands on the lowest ground under its outline: by
 * the model's own paths, with the way over the roofs, and with the prior. */
static void gentle_hills_are_nearly_flat(void **state)
{
    (void)state;
    static const char *const options[][2] = {{"none", "none"}, {"vogler", "none"}, {"vogler", "3gpp"}};
    static const double heights_m[] = {25, 60};
    prediction flat = city_of(0, 800), hills = city_of(8, 800);
    for (int i = 0; i < 6; i += getenv("RASTERWAVE_QUICK") ? 2 : 1) {
        size_t missed[2];
        flat.options.roofs = hills.options.roofs = options[i / 2][0];
        flat.options.prior = hills.options.prior = options[i / 2][1];
        flat.tx[0].height_m = hills.tx[0].height_m = heights_m[i % 2];
        double on_flat = median_out_of_sight_db(&flat, &missed[0]);
        double on_hills = median_out_of_sight_db(&hills, &missed[1]);
        printf("roofs %s, prior %s, mast of %g m: %.2f dB on flat ground, %.2f dB on 8 m of relief\n",
               options[i / 2][0], options[i / 2][1], heights_m[i % 2], on_flat, on_hills);
        assert_true(fabs(on_flat - on_hills) < 2);
        assert_true(i < 2 || (missed[0] == 0 && missed[1] == 0));
    }
    end(&flat);
    end(&hills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_roof_is_a_screen),        cmocka_unit_test(powers_add),
        cmocka_unit_test(prior_is_that_of_3gpp),       cmocka_unit_test(calibrated_is_own_paths),
        cmocka_unit_test(meshes_have_no_roofs),        cmocka_unit_test(answers_are_of_points),
        cmocka_unit_test(maps_and_points_agree),       cmocka_unit_test(nothing_jumps_at_shadow_boundaries),
        cmocka_unit_test(gentle_hills_are_nearly_flat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
