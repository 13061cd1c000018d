/* Values inside the buildings of a city: facade and depth against a box worked out by hand, ITU-R P.2109 by its
 * equations, what the layers say, and refusals. */
#include "field/paths/building_entry.k.h"
#include "prediction.h"

#include <complex.h>

#define FREQ_HZ 2e9
#define PERMITTIVITY 4.0
#define CONDUCTIVITY 0.03
#define THICK_M 0.15

/* The house stands from 40 to 80 m in x and from 30 to 60 m in y; the transmitter is west of it. */
static prediction begin_house(void)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    rw_material material = {
        .size = sizeof material, .name = "stuff", .a = PERMITTIVITY, .c = CONDUCTIVITY, .freq_max_hz = INFINITY};
    rw_layer layer = {sizeof layer, "stuff", THICK_M};
    rw_slab slab = {sizeof slab, "facade", &layer, 1};
    const double xy[] = {40, 30, 80, 30, 80, 60, 40, 60};
    const size_t ring = 4;
    rw_building building = {.size = sizeof building,
                            .xy = xy,
                            .ring_sizes = &ring,
                            .ring_count = 1,
                            .ground_m = NAN,
                            .roof_height_m = 12,
                            .surface = "facade"};
    assert_ok(context, rw_scene_add_material(scene, &material));
    assert_ok(context, rw_scene_add_slab(scene, &slab));
    assert_ok(context, rw_scene_add_building(scene, &building));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    for (int i = 0; i < 2; i++) {
        now.tx[i].x_m = i ? 115 : 10;
        now.tx[i].y_m = 45;
        now.tx[i].height_m = 6;
    }
    now.options.freq_hz = FREQ_HZ;
    now.options.effects = "none";
    now.options.res_m = 1;
    now.options.area_m[0] = 0;
    now.options.area_m[1] = 0;
    now.options.area_m[2] = 120;
    now.options.area_m[3] = 90;
    return now;
}

static double transmitted(double cosine, int tm)
{
    double complex eps = PERMITTIVITY - I * CONDUCTIVITY / (2 * M_PI * FREQ_HZ * 8.8541878128e-12);
    double complex q = csqrt(eps - (1 - cosine * cosine)), y = tm ? q / eps : q;
    double complex r = (cosine - y) / (cosine + y), turn = cexp(-I * 2 * M_PI * THICK_M * FREQ_HZ / 299792458.0 * q);
    double size = cabs((1 - r * r) * turn / (1 - r * r * turn * turn));
    return size * size;
}

/* Waves from everywhere: the mean over the half space, weighed by the cosine; 30 % of the facade is glass, by 3GPP
 * TR 38.901, tables 7.4.3-1 and 7.4.3-2, 2 dB + 0.2 dB / GHz and 5 dB for other angles. */
static double facade_db(void)
{
    double sum = 0;
    const int steps = 20000;
    for (int i = 0; i < steps; i++) {
        double angle = (i + 0.5) * M_PI / 2 / steps;
        sum += 0.5 * (transmitted(cos(angle), 0) + transmitted(cos(angle), 1)) * sin(2 * angle) * M_PI / 2 / steps;
    }
    return -10 * log10(0.7 * sum + 0.3 * pow(10, -0.1 * (5 + 2 + 0.2e-9 * FREQ_HZ)));
}

static double free_db(const rw_transmitter *from, double x, double y)
{
    double m = sqrt(pow(x - from->x_m, 2) + pow(y - from->y_m, 2) + pow(1.5 - from->height_m, 2));
    return 20 * log10(4 * M_PI * m * FREQ_HZ / 299792458.0);
}

/* The least over all facade points, each by itself: facades are sampled every 5 cm. depth_db: a metre inside. */
static double inside_by_hand_db(const rw_transmitter *from, double x, double y, double entry_db, double depth_db)
{
    double least = INFINITY;
    for (int side = 0; side < 4; side++)
        for (double at = 0; at <= (side < 2 ? 40 : 30); at += 0.05) {
            double fx = side < 2 ? 40 + at : side == 2 ? 40 : 80, fy = side < 2 ? (side ? 60 : 30) : 30 + at;
            double depth_m = hypot(x - fx, y - fy);
            least = fmin(least, free_db(from, fx, fy) + entry_db + depth_db * depth_m);
        }
    return least;
}

/* The receivers along the walls of the house: every 5 m, from 2.5 m off the corners on, 0.5 m outside. */
static double next_receiver_m(double along, double low, double high)
{
    double k = floor((along - low) / 5);
    return low + 2.5 + 5 * fmin(fmax(k, 0), (high - low) / 5 - 1);
}

/* What the sixteen directions find from those receivers, each by itself. */
static double inside_by_receivers_db(const rw_transmitter *from, double x, double y, double entry_db)
{
    double least = INFINITY;
    for (int k = 0; k < 16; k++) {
        double dx = cos(2 * M_PI * k / 16), dy = sin(2 * M_PI * k / 16);
        double to_x = fabs(dx) > 1e-9 ? ((dx > 0 ? 80 : 40) - x) / dx : INFINITY;
        double to_y = fabs(dy) > 1e-9 ? ((dy > 0 ? 60 : 30) - y) / dy : INFINITY;
        double depth_m = fmin(to_x, to_y);
        double at_x = to_x < to_y ? (dx > 0 ? 80.5 : 39.5) : next_receiver_m(x + to_y * dx, 40, 80);
        double at_y = to_x < to_y ? next_receiver_m(y + to_x * dy, 30, 60) : (dy > 0 ? 60.5 : 29.5);
        least = fmin(least, free_db(from, at_x, at_y) + entry_db + 0.5 * depth_m);
    }
    return least;
}

static int is_inside(double x, double y)
{
    return x > 40 && x < 80 && y > 30 && y < 60;
}

/* Every cell of the house: within the half cell that a raster of 1 m can be off, at 0.5 dB a metre, and what sixteen
 * directions miss of the nearest way. */
static void facade_and_depth(void **state)
{
    (void)state;
    prediction now = begin_house();
    double entry_db = facade_db(), worst_db = 0, mean_db = 0;
    size_t inside = 0;
    now.options.indoor = "slab";
    now.options.layers = "path_loss,power,indoor";
    rw_map *map = predict(&now);
    for (size_t i = 0; i < 120 * 90; i++) {
        double x = (double)(i % 120) + 0.5, y = (double)(i / 120) + 0.5;
        float loss_db = layer_of(map, "path_loss").values[i], entry_loss_db = layer_of(map, "indoor").values[i];
        assert_near(layer_of(map, "power").values[i], 30 - loss_db, 1e-3);
        if (!is_inside(x, y)) {
            assert_near(loss_db, free_db(&now.tx[0], x, y), 1e-3);
            assert_near(entry_loss_db, 0, 0);
            continue;
        }
        double error_db = (double)loss_db - inside_by_hand_db(&now.tx[0], x, y, entry_db, 0.5);
        worst_db = fmax(worst_db, fabs(error_db));
        mean_db += error_db;
        inside++;
        assert_true((double)entry_loss_db > entry_db - 0.01 && (double)entry_loss_db < entry_db + 25);
    }
    assert_int_equal(inside, 40 * 30);
    assert_true(entry_db > 3 && entry_db < 20);
    assert_near(worst_db, 0, 0.7);
    assert_near(mean_db / (double)inside, 0, 0.25);
    rw_map_destroy(map);
    end(&now);
}

/* P.2109 adds its median, which does not depend on the place inside: the best street before the house counts. */
static void recommendation_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"p2109", "p2109-efficient"};
    for (int i = 0; i < 2; i++) {
        prediction now = begin_house();
        now.options.indoor = names[i];
        rw_map *map = predict(&now); /* the layer comes by default */
        double x = 60.5, y = 45.5, elevation_deg = atan2(4.5, 29.5) * 180 / M_PI, f = log10(2);
        double level = i ? 28.19 - 3 * f + 8.48 * f * f : 12.64 + 3.72 * f + 0.96 * f * f;
        double other = i ? 27.8 - 2.9 * f : 9.1 - 3 * f;
        double median =
            10 * log10(pow(10, 0.1 * (level + 0.212 * elevation_deg)) + pow(10, 0.1 * other) + pow(10, -0.3));
        assert_near(value_at(map, "indoor", x, y), median, 0.1);
        assert_near(value_at(map, "path_loss", x, y), free_db(&now.tx[0], 39.5, 45.5) + median, 0.2);
        rw_map_destroy(map);
        end(&now);
    }
}

/* Values of the equations worked out by hand: at 1 GHz the logarithm is 0, so that only r, w and 10^-0.3 are left. */
static void entry_loss_has_its_equations(void **state)
{
    (void)state;
    assert_near(rw_building_entry_loss_db(RW_BUILDING_TRADITIONAL, 1e9, 0, 0),
                10 * log10(18.3653834 + 8.12830516 + 0.501187234), 1e-6); /* 14.3 dB */
    assert_near(rw_building_entry_loss_db(RW_BUILDING_EFFICIENT, 1e9, 0, 0),
                10 * log10(659.173895 + 602.559586 + 0.501187234), 1e-6); /* 31.0 dB */
    /* at 10 GHz and one standard deviation: A = 12.64 + 3.72 + 0.96 + 9.6 + 2, B = 9.1 - 3 + 4.5 - 2 */
    assert_near(rw_building_entry_loss_db(RW_BUILDING_TRADITIONAL, 1e10, 0, 1),
                10 * log10(pow(10, 2.892) + pow(10, 0.86) + pow(10, -0.3)), 1e-9);
    /* a path that comes from 10 degrees above costs 2.12 dB more in A */
    assert_near(rw_building_entry_loss_db(RW_BUILDING_TRADITIONAL, 1e9, 10 * M_PI / 180, 0),
                10 * log10(pow(10, 1.264 + 0.212) + pow(10, 0.91) + pow(10, -0.3)), 1e-9);
}

/* What the workbook of ITU-R Study Group 3 for P.2109 gives, at 1 and 10 % of the places, to its three decimals. */
static void entry_loss_has_published_values(void **state)
{
    (void)state;
    static const struct {
        rw_building_kind kind;
        double ghz, elevation_deg, loss_db[2];
    } rows[] = {{RW_BUILDING_TRADITIONAL, 28, 0, {2.769, 6.891}},
                {RW_BUILDING_EFFICIENT, 28, 0, {9.369, 19.484}},
                {RW_BUILDING_TRADITIONAL, 2, 45, {3.508, 11.251}},
                {RW_BUILDING_EFFICIENT, 2, 45, {8.605, 20.566}}};
    static const double deviates[2] = {-2.3263478740, -1.2815515655};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int p = 0; p < 2; p++)
            assert_near(rw_building_entry_loss_db(rows[i].kind, rows[i].ghz * 1e9, rows[i].elevation_deg * M_PI / 180,
                                                  deviates[p]),
                        rows[i].loss_db[p], 6e-4);
}

/* With two transmitters the better one serves each side of the house; every outdoor model has the option. */
static void layers_and_models(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams", "cubes", "tiles", "rt"};
    for (int i = 0; i < 5; i++) {
        prediction now = begin_house();
        rw_predict_options options;
        rw_map *map;
        rw_predict_options_init_for(&options, models[i]);
        memcpy(options.area_m, now.options.area_m, sizeof options.area_m);
        options.res_m = 5;
        options.freq_hz = FREQ_HZ;
        options.transmitters = now.tx;
        options.transmitter_count = 2;
        options.indoor = "slab";
        assert_ok(now.context, rw_predict(now.scene, &options, &map));
        assert_near(value_at(map, "best", 42.5, 47.5), 1, 0);
        assert_near(value_at(map, "best", 77.5, 47.5), 2, 0);
        assert_true(value_at(map, "ci", 42.5, 47.5) > 3);
        assert_true(isfinite(value_at(map, "path_loss", 62.5, 47.5)));
        assert_true(value_at(map, "indoor", 62.5, 47.5) > 8);
        rw_map_destroy(map);
        options.indoor = NULL;
        assert_ok(now.context, rw_predict(now.scene, &options, &map));
        assert_true(isnan(value_at(map, "path_loss", 62.5, 47.5)) && isnan(value_at(map, "best", 62.5, 47.5)));
        rw_map_destroy(map);
        end(&now);
    }
}

/* A house of 12 m has four storeys, the shed of 5 m before it two. On the third the house stands free above the shed:
 * the way in is no longer than to its own facade. */
static void storeys(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double house[4] = {40, 30, 80, 60}, shed[4] = {30, 30, 40, 60};
    add_box(context, scene, house, 12, NULL);
    add_box(context, scene, shed, 5, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 10;
    now.tx[0].y_m = 45;
    now.tx[0].height_m = 6;
    now.options.effects = "none";
    now.options.res_m = 1;
    now.options.indoor = "slab";
    now.options.layers = "path_loss,indoor,power";
    memcpy(now.options.area_m, (double[]){0, 0, 120, 90}, sizeof now.options.area_m);
    rw_map *floors[5];
    for (int i = 0; i < 5; i++) {
        now.options.floor = i;
        floors[i] = predict(&now);
        assert_near(info_of(floors[i]).rx_height_m, 1.5 + 3 * i, 1e-12);
        assert_int_equal(value_at(floors[i], "indoor", 60.5, 45.5) > 0, i < 4);
        assert_int_equal(value_at(floors[i], "indoor", 35.5, 45.5) > 0, i < 2);
        double free_m = sqrt(25.5 * 25.5 + 0.25 + pow(6 - 1.5 - 3 * i, 2)); /* above the shed */
        if (i >= 2)
            assert_near(value_at(floors[i], "path_loss", 35.5, 45.5),
                        20 * log10(4 * M_PI * free_m * 947e6 / 299792458.0), 1e-3);
    }
    /* 1.5 m behind its own facade, 11.5 m behind that of the shed: 0.5 dB a metre, met within a quarter of a cell */
    assert_near(value_at(floors[1], "indoor", 41.5, 45.5) - value_at(floors[2], "indoor", 41.5, 45.5), 5, 0.13);
    now.options.floor = RW_UNSET;
    now.options.rx_height_m = 10.5;
    rw_map *high = predict(&now);
    assert_memory_equal(layer_of(high, "path_loss").values, layer_of(floors[3], "path_loss").values,
                        120 * 90 * sizeof(float));
    rw_map_destroy(high);
    for (int i = 0; i < 5; i++)
        rw_map_destroy(floors[i]);
    end(&now);
}

/* A map of rooms alone, within the house, has the values that a map of the whole place has there; outside the house and
 * beyond polygons it has the same cells as ever. */
static void values_inside_do_not_depend_on_the_area(void **state)
{
    (void)state;
    static const char *const methods[] = {"slab", "p2109"};
    const double areas[2][4] = {{50, 35, 70, 55}, {70, 20, 90, 40}};
    for (int method = 0; method < 2; method++)
        for (int area = 0; area < 2; area++) {
            prediction now = begin_house();
            now.options.indoor = methods[method];
            now.options.floor = method;
            now.options.layers = "path_loss,indoor,power,best";
            rw_map *whole = predict(&now);
            memcpy(now.options.area_m, areas[area], sizeof now.options.area_m);
            rw_map *part = predict(&now);
            assert_int_equal(info_of(part).columns, 20);
            assert_int_equal(info_of(part).rows, 20);
            assert_near(info_of(part).x0_m, areas[area][0], 1e-9);
            for (double x = areas[area][0] + 0.5; x < areas[area][2]; x++)
                for (double y = areas[area][1] + 0.5; y < areas[area][3]; y++) {
                    assert_near(value_at(part, "path_loss", x, y), value_at(whole, "path_loss", x, y), 1e-3);
                    assert_near(value_at(part, "indoor", x, y), value_at(whole, "indoor", x, y), 1e-3);
                    assert_near(value_at(part, "best", x, y), value_at(whole, "best", x, y), 0);
                }
            rw_map_destroy(whole);
            rw_map_destroy(part);
            end(&now);
        }
}

/* A point inside has one value, from the receivers along the walls: in maps of 1 and 5 m, at a point, and at a point
 * of its own height, in every model. It was up to 17 dB apart when it was read from neighbouring cells. */
static void one_value_at_any_resolution(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams", "cubes", "tiles", "rt"};
    for (int i = 0; i < 5; i++) {
        prediction now = begin_house();
        rw_predict_options options;
        rw_map *maps[2], *of_points;
        rw_point points[2];
        rw_predict_options_init_for(&options, models[i]);
        memcpy(options.area_m, now.options.area_m, sizeof options.area_m);
        options.freq_hz = FREQ_HZ;
        options.transmitters = now.tx;
        options.transmitter_count = 1;
        options.indoor = "slab";
        options.layers = "path_loss,power,indoor";
        for (int fine = 0; fine < 2; fine++) {
            options.res_m = fine ? 1 : 5;
            assert_ok(now.context, rw_predict(now.scene, &options, &maps[fine]));
        }
        for (int k = 0; k < 2; k++)
            points[k] = (rw_point){.size = sizeof *points, .x_m = 62.5, .y_m = 47.5, .height_m = k ? 7.5 : NAN};
        assert_ok(now.context, rw_predict_points(now.scene, &options, points, 2, &of_points));
        for (double x = 42.5; x < 80; x += 5)
            for (double y = 32.5; y < 60; y += 5)
                for (int layer = 0; layer < 3; layer++) {
                    const char *name = layer == 0 ? "path_loss" : layer == 1 ? "power" : "indoor";
                    assert_near(value_at(maps[0], name, x, y), value_at(maps[1], name, x, y), 1e-3);
                }
        assert_near(layer_of(of_points, "path_loss").values[0], value_at(maps[1], "path_loss", 62.5, 47.5), 1e-3);
        assert_near(layer_of(of_points, "power").values[0], value_at(maps[1], "power", 62.5, 47.5), 1e-3);
        assert_true(isfinite(layer_of(of_points, "path_loss").values[1]));
        for (int fine = 0; fine < 2; fine++)
            rw_map_destroy(maps[fine]);
        rw_map_destroy(of_points);
        end(&now);
    }
}

/* Each cell against the receivers along the walls by hand. No line of these cells meets a wall midway between two. */
static const double between_m[4] = {0.13, 0.29, 119.13, 89.29};
static void receivers_along_walls(void **state)
{
    (void)state;
    prediction now = begin_house();
    memcpy(now.options.area_m, between_m, sizeof between_m);
    now.options.indoor = "slab";
    now.options.layers = "path_loss,indoor";
    rw_map *map = predict(&now);
    double entry_db = facade_db();
    for (double x = 40.63; x < 80; x++)
        for (double y = 30.79; y < 60; y++)
            assert_near(value_at(map, "path_loss", x, y), inside_by_receivers_db(&now.tx[0], x, y, entry_db), 0.02);
    rw_map_destroy(map);
    end(&now);
}

/* Two houses wall to wall: no receiver is between them, and what enters the one comes through the other. */
static void no_receiver_between_two_houses(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scenes[2];
    rw_map *maps[2];
    const double whole[4] = {40, 30, 80, 60}, west[4] = {40, 30, 60, 60}, east[4] = {60, 30, 80, 60};
    prediction now[2];
    for (int i = 0; i < 2; i++) {
        scenes[i] = make_scene(context);
        if (i == 0)
            add_box(context, scenes[i], whole, 12, NULL);
        if (i == 1)
            add_box(context, scenes[i], west, 12, NULL);
        if (i == 1)
            add_box(context, scenes[i], east, 12, NULL);
        assert_ok(context, rw_scene_commit(scenes[i]));
        now[i] = begin_with(context, scenes[i]);
        now[i].tx[0].x_m = 10;
        now[i].tx[0].y_m = 45;
        now[i].tx[0].height_m = 6;
        now[i].options.effects = "none";
        now[i].options.res_m = 1;
        now[i].options.indoor = "slab";
        now[i].options.layers = "path_loss,indoor";
        memcpy(now[i].options.area_m, between_m, sizeof between_m);
        maps[i] = predict(&now[i]);
    }
    for (double x = 40.63; x < 80; x++)
        for (double y = 30.79; y < 60; y++)
            assert_near(value_at(maps[0], "path_loss", x, y), value_at(maps[1], "path_loss", x, y), 1e-3);
    rw_map_destroy(maps[0]);
    rw_map_destroy(maps[1]);
    rw_scene_destroy(scenes[0]);
    end(&now[1]);
}

static int compare_losses(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* Concrete alone would cost over 100 dB at 28 GHz: houses have windows, and the median inside one is near that of
 * ITU-R P.2109, traditional, at every frequency. */
static void facades_have_windows(void **state)
{
    (void)state;
    const double freqs_hz[] = {0.8e9, 3.5e9, 28e9};
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double house[4] = {40, 30, 60, 45};
    add_box(context, scene, house, 12, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    const double area_m[4] = {0, 0, 100, 80};
    memcpy(now.options.area_m, area_m, sizeof area_m);
    now.options.res_m = 1;
    now.options.effects = "none";
    now.options.indoor = "slab";
    now.options.layers = "path_loss,indoor";
    now.tx[0].x_m = 10;
    now.tx[0].y_m = 40;
    now.tx[0].height_m = 6;
    for (int i = 0; i < 3; i++) {
        float inside[20 * 15];
        size_t count = 0;
        now.options.freq_hz = freqs_hz[i];
        rw_map *map = predict(&now);
        for (size_t row = 30; row < 45; row++)
            for (size_t column = 40; column < 60; column++)
                inside[count++] = layer_of(map, "indoor").values[row * 100 + column];
        qsort(inside, count, sizeof *inside, compare_losses);
        double expected_db = rw_building_entry_loss_db(RW_BUILDING_TRADITIONAL, freqs_hz[i], 0, 0);
        printf("%.1f GHz: median %.1f dB inside, P.2109 %.1f dB\n", 1e-9 * freqs_hz[i], (double)inside[count / 2],
               expected_db);
        assert_near((double)inside[count / 2], expected_db, 7); /* a small house of bare concrete */
        rw_map_destroy(map);
    }
    end(&now);
}

static void refusals(void **state)
{
    (void)state;
    prediction now = begin_house();
    rw_map *map;
    now.options.transmitters = now.tx;
    now.options.indoor = "cellar";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "p2109-efficient");
    now.options.indoor = NULL;
    now.options.floor = 2;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "floor = 2 needs the option");
    now.options.floor = RW_UNSET;
    now.options.layers = "path_loss,indoor";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "needs the option indoor");
    now.options.indoor = "slab";
    now.options.layers = "power,indoor";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "path_loss");
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(facade_and_depth),
                                       cmocka_unit_test(recommendation_by_name),
                                       cmocka_unit_test(entry_loss_has_its_equations),
                                       cmocka_unit_test(entry_loss_has_published_values),
                                       cmocka_unit_test(layers_and_models),
                                       cmocka_unit_test(storeys),
                                       cmocka_unit_test(values_inside_do_not_depend_on_the_area),
                                       cmocka_unit_test(one_value_at_any_resolution),
                                       cmocka_unit_test(receivers_along_walls),
                                       cmocka_unit_test(facades_have_windows),
                                       cmocka_unit_test(no_receiver_between_two_houses),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
