/* labels: numbers */
/* The beams model as users meet it: what must not change a map (memory, threads, lanes), what a histogram holds, what
 * antennas and terrain do, and what is refused. */
#include "models/beams/beams.h"
#include "shapes.h"

#include "unit.h"

#define C_M_S 299792458.0

typedef struct model_case {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx;
    rw_predict_options options;
} model_case;

static model_case begin_city(rw_backend backend, int threads, int hills)
{
    model_case now = {.context = make_context_of(backend, threads)};
    if (!now.context)
        skip_test("no GPU");
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 500;
    city.hills = hills;
    assert_ok(now.context, rw_generate_city(now.context, &city, &now.scene));
    assert_ok(now.context, rw_scene_commit(now.scene));
    rw_transmitter_init(&now.tx);
    now.tx.x_m = 241;
    now.tx.y_m = 262;
    now.tx.height_m = 25;
    rw_predict_options_init(&now.options);
    now.options.model = "beams";
    now.options.roofs = "none";       /* its own paths */
    now.options.memory_bytes = 256e6; /* sanitizers look after every byte of it */
    now.options.transmitter_count = 1;
    now.options.layers = "path_loss,delay_spread,mean_delay,first_arrival,k_factor,paths";
    now.options.reflections = 2;
    return now;
}

static rw_map *solve(model_case *now)
{
    rw_map *map;
    now->options.transmitters = &now->tx;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

static void end(model_case *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

static rw_map_layer layer_of(const rw_map *map, const char *name)
{
    rw_map_layer layer = {.size = sizeof layer};
    size_t index;
    if (rw_map_find_layer(map, name, &index) != RW_OK || rw_map_get_layer(map, index, &layer) != RW_OK)
        fail_msg("no layer %s\n", name);
    return layer;
}

/* All layers of two maps are the same bytes. */
static void assert_same(const rw_map *a, const rw_map *b)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(a, &info);
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_layer first = {.size = sizeof first}, second = {.size = sizeof second};
        assert_int_equal(rw_map_get_layer(a, i, &first), RW_OK);
        assert_int_equal(rw_map_get_layer(b, i, &second), RW_OK);
        assert_memory_equal(first.values, second.values, info.columns * info.rows * sizeof(float));
    }
}

/* Little memory makes the tree be followed branch by branch, threads share beams as they come: the map is the same. */
static void same_map(void **state)
{
    (void)state;
    model_case now = begin_city(RW_BACKEND_CPU, 2, 0);
    rw_map *map = solve(&now);
    assert_true(layer_of(map, "paths").max > 10);
    now.options.memory_bytes = 6e6;
    rw_map *bounded = solve(&now);
    assert_same(map, bounded);
    model_case alone = begin_city(RW_BACKEND_CPU, 1, 0);
    rw_map *one_thread = solve(&alone);
    assert_same(map, one_thread);
    rw_map_destroy(map);
    rw_map_destroy(bounded);
    rw_map_destroy(one_thread);
    now.options.memory_bytes = 1;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_TOO_LARGE, "raise memory");
    end(&now);
    end(&alone);
}

/* Both backends: 0.01 dB on all but one cell in 10 000, and the same paths there. */
static void same_on_gpu(void **state)
{
    (void)state;
    model_case gpu = begin_city(RW_BACKEND_CUDA, 0, 0), cpu = begin_city(RW_BACKEND_CPU, 0, 0);
    rw_map *first = solve(&gpu), *second = solve(&cpu);
    rw_map_layer loss = layer_of(first, "path_loss"), expected = layer_of(second, "path_loss");
    rw_map_layer paths = layer_of(first, "paths"), expected_paths = layer_of(second, "paths");
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(first, &info);
    size_t cells = info.columns * info.rows, different = 0;
    for (size_t i = 0; i < cells; i++) {
        int both = isnan(loss.values[i]) == isnan(expected.values[i]);
        int near = isnan(loss.values[i]) || loss.values[i] == expected.values[i] ||
                   fabsf(loss.values[i] - expected.values[i]) <= 0.01f;
        different += !both || !near || (!isnan(paths.values[i]) && paths.values[i] != expected_paths.values[i]);
    }
    printf("%zu of %zu cells differ\n", different, cells);
    assert_true(different * 10000 <= cells);
    rw_map_destroy(first);
    rw_map_destroy(second);
    end(&gpu);
    end(&cpu);
}

/* The histogram holds each path in the bin of its delay, and all of them together are the path loss. */
static void histogram(void **state)
{
    (void)state;
    model_case now = begin_city(RW_BACKEND_CPU, 0, 0);
    now.options.delay_bins = 400;
    now.options.delay_bin_s = 20e-9;
    now.options.res_m = 20;
    rw_map *map = solve(&now);
    rw_map_info info = {.size = sizeof info};
    rw_map_histogram delays = {.size = sizeof delays};
    rw_map_get_info(map, &info);
    assert_ok(now.context, rw_map_get_histogram(map, &delays));
    assert_int_equal(delays.bins, 400);
    const float *loss = layer_of(map, "path_loss").values;
    size_t checked = 0, traced = 0;
    for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
        const float *bins = delays.values + cell * delays.bins;
        double sum = 0;
        for (size_t i = 0; i < delays.bins; i++)
            sum += bins[i];
        if (!isfinite(loss[cell])) {
            assert_near(sum, 0, 0);
            continue;
        }
        assert_near(-10 * log10(sum), loss[cell], 1e-3);
        checked++;
        if (cell % 7)
            continue;
        rw_point point = {.size = sizeof(rw_point),
                          .x_m = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m,
                          .y_m = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m,
                          .height_m = NAN};
        rw_paths *paths;
        assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
        double expected[400] = {0};
        for (size_t i = 0; i < rw_paths_count(paths); i++) {
            rw_path path = {.size = sizeof path};
            assert_ok(now.context, rw_paths_get(paths, i, &path));
            expected[(size_t)(path.delay_s / 20e-9)] += pow(10, -0.1 * path.loss_db);
        }
        for (size_t i = 0; i < delays.bins; i++)
            assert_near(bins[i], expected[i], 0.003 * expected[i]);
        rw_paths_destroy(paths);
        traced++;
    }
    printf("%zu histograms, %zu against paths\n", checked, traced);
    assert_true(checked > 50 && traced > 5);
    rw_map_destroy(map);
    end(&now);
}

/* Nothing but sight: the map is free space exactly where the shadow model sees, on hills too. */
static void sight_is_line_of_sight(void **state)
{
    (void)state;
    for (int hills = 0; hills < 2; hills++)
        for (int height = 6; height <= 60; height += 18) {
            model_case now = begin_city(RW_BACKEND_CPU, 0, hills);
            now.options.reflections = now.options.diffractions = now.options.transmissions = 0;
            now.tx.height_m = height;
            now.options.layers = "paths";
            rw_map *map, *shadow;
            rw_status status = RW_OK;
            now.options.transmitters = &now.tx;
            status = rw_predict(now.scene, &now.options, &map);
            if (status != RW_OK) { /* the place is inside a building that high */
                end(&now);
                continue;
            }
            now.options = asked_of(&now.options, "shadow");
            now.options.layers = "los";
            shadow = solve(&now);
            rw_map_info info = {.size = sizeof info};
            rw_map_get_info(map, &info);
            const float *paths = layer_of(map, "paths").values, *los = layer_of(shadow, "los").values;
            size_t seen = 0, different = 0;
            for (size_t i = 0; i < info.columns * info.rows; i++) {
                different += isnan(paths[i]) != isnan(los[i]) || (!isnan(los[i]) && paths[i] != los[i]);
                seen += los[i] == 1;
            }
            printf("hills %d, %d m: %zu seen, %zu different\n", hills, height, seen, different);
            assert_true(seen > 20 && different == 0);
            rw_map_destroy(map);
            rw_map_destroy(shadow);
            end(&now);
        }
}

/* An antenna counts towards where each path leaves: behind a mirror it is the gain towards the mirror. */
static void antenna(void **state)
{
    (void)state;
    model_case now = {.context = make_context()};
    now.scene = make_scene(now.context);
    rw_panel mirror = {.size = sizeof mirror, .x0_m = -900, .y0_m = 50, .x1_m = 900, .y1_m = 50, .top_m = 99};
    rw_panel screen = {.size = sizeof screen, .x0_m = 40, .y0_m = -30, .x1_m = 40, .y1_m = 20, .top_m = 99};
    assert_ok(now.context, rw_scene_add_panel(now.scene, &mirror));
    assert_ok(now.context, rw_scene_add_panel(now.scene, &screen));
    assert_ok(now.context, rw_scene_commit(now.scene));
    rw_transmitter_init(&now.tx);
    now.tx.height_m = 1.5;
    now.tx.azimuth_deg = 20;
    now.tx.antenna = "3gpp";
    rw_predict_options_init(&now.options);
    now.options.model = "beams";
    now.options.roofs = "none"; /* its own paths */
    now.options.transmitter_count = 1;
    now.options.layers = "path_loss,power,paths";
    now.options.losses = "reflection=2";
    now.options.diffractions = now.options.transmissions = 0;
    double area[4] = {79.5, -0.5, 80.5, 0.5};
    memcpy(now.options.area_m, area, sizeof area);
    now.options.res_m = 1;
    rw_map *map = solve(&now);
    assert_near(layer_of(map, "paths").values[0], 1, 0); /* the screen hides the straight way */
    rw_antenna *made;
    assert_ok(now.context, rw_antenna_create(now.context, "3gpp", &made));
    double phi_deg = atan2(100, 80) * 180 / 3.14159265358979323846 - (90 - 20);
    double gain_dbi = rw_antenna_gain_dbi(made, 90, phi_deg);
    double loss_db = layer_of(map, "path_loss").values[0];
    assert_near(layer_of(map, "power").values[0], 30 + gain_dbi - loss_db, 0.01);
    assert_true(fabs(gain_dbi - rw_antenna_gain_dbi(made, 90, -70)) > 3);
    rw_antenna_destroy(made);
    rw_map_destroy(map);
    end(&now);
}

/* Over the roofs there is one path more for who does not see the transmitter, and what the shadow model says where
 * there is no other. */
static void roofs(void **state)
{
    (void)state;
    model_case now = begin_city(RW_BACKEND_CPU, 0, 0);
    now.options.reflections = now.options.diffractions = now.options.transmissions = 0;
    now.options.loss_max_db = 200;
    now.options.layers = "path_loss,paths";
    now.options.roofs = "polynomial";
    rw_map *map = solve(&now);
    now.options = asked_of(&now.options, "shadow");
    now.options.effects = "roofs_polynomial";
    now.options.layers = "path_loss,los";
    rw_map *shadow = solve(&now);
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    const float *loss = layer_of(map, "path_loss").values, *expected = layer_of(shadow, "path_loss").values;
    const float *paths = layer_of(map, "paths").values;
    size_t hidden = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        if (isnan(loss[i]) || expected[i] > 168)
            continue;
        int dark = layer_of(shadow, "los").values[i] == 0;
        assert_near(paths[i], 1, 0);
        if (dark)
            assert_near(loss[i], expected[i], 0.01);
        else /* edges take from what is in sight, and may add their overshoot on each side */
            assert_true(loss[i] >= expected[i] - 2.8f);
        hidden += (size_t)dark;
    }
    assert_true(hidden > 100);
    rw_map_destroy(map);
    rw_map_destroy(shadow);
    end(&now);
}

/* Paths to points have it as maps do: the power sum of the paths is the map, at every cell that is asked. */
static void roofs_of_points(void **state)
{
    (void)state;
    for (int hills = 0; hills < 2; hills++) {
        model_case now = begin_city(RW_BACKEND_CPU, 0, hills);
        now.tx.height_m = 45;
        now.options.reflections = 1;
        now.options.layers = "path_loss,paths";
        now.options.roofs = hills ? "vogler" : "polynomial";
        now.options.prior = "none";
        now.options.res_m = 20;
        rw_map *map = solve(&now);
        rw_map_info info = {.size = sizeof info};
        rw_map_get_info(map, &info);
        const float *loss = layer_of(map, "path_loss").values, *counts = layer_of(map, "paths").values;
        size_t over = 0, asked = 0;
        for (size_t cell = 0; cell < info.columns * info.rows; cell += 3) {
            rw_point point = {.size = sizeof(rw_point),
                              .x_m = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m,
                              .y_m = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m,
                              .height_m = NAN};
            rw_paths *paths;
            double power = 0;
            if (isnan(loss[cell]))
                continue;
            assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
            assert_near((double)rw_paths_count(paths), counts[cell], 0);
            for (size_t i = 0; i < rw_paths_count(paths); i++) {
                rw_path path = {.size = sizeof path};
                assert_ok(now.context, rw_paths_get(paths, i, &path));
                power += pow(10, -0.1 * path.loss_db);
                over += path.vertex_count > 2 && path.vertices[1].interaction == RW_INTERACTION_ROOF;
            }
            if (rw_paths_count(paths))
                assert_near(-10 * log10(power), loss[cell], 0.01);
            asked++;
            rw_paths_destroy(paths);
        }
        printf("hills %d: %zu points, %zu paths over roofs\n", hills, asked, over);
        assert_true(asked > 50 && over > 20);
        rw_map_destroy(map);
        end(&now);
    }
}

static void refusals(void **state)
{
    (void)state;
    model_case now = begin_city(RW_BACKEND_CPU, 1, 0);
    rw_map *map;
    now.options.transmitters = &now.tx;
    now.options.reflections = 31;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "reflections = 31 is out of range: 0 to 30");
    now.options.reflections = 1;
    now.options.losses = "reflection";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "reflection=6");
    now.options.losses = "bounce=3";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "there is no 'bounce'");
    now.options.losses = "reflection=-3";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "0 to 200 dB");
    now.options.losses = "exponent=0.2";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "1 to 8");
    now.options.losses = NULL;
    now.options.loss_max_db = 1000;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "40 to 250");
    now.options.loss_max_db = NAN;
    now.options.delay_bins = 100;
    now.options.delay_bin_s = 0;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "128,50ns");
    now.options.delay_bins = 0;
    now.options.delay_bin_s = 50e-9;
    now.options.memory_bytes = -1;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "memory");
    now.options.memory_bytes = NAN;
    now.options.roofs = "thatched";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "thatched");
    now.options.roofs = "none";
    now.options.res_m = 50;
    assert_ok(now.context, rw_predict(now.scene, &now.options, &map));
    rw_map_histogram none = {.size = sizeof none};
    check_sentence(now.context, rw_map_get_histogram(map, &none), RW_NOT_FOUND, "delay-bins");
    rw_map_destroy(map);
    end(&now);
}

/* Mean and spread of the delays of a point's paths, one by one and in double; 0 where there are fewer than two. */
static int delays_of_paths(const model_case *now, double x_m, double y_m, double *mean_ns, double *spread_ns)
{
    rw_point point = {.size = sizeof point, .x_m = x_m, .y_m = y_m, .height_m = now->options.rx_height_m};
    rw_paths *paths;
    double power = 0, delay = 0, squares = 0;
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    size_t count = rw_paths_count(paths);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            rw_path path = {.size = sizeof path};
            assert_int_equal(rw_paths_get(paths, i, &path), RW_OK);
            double gain = pow(10, -path.loss_db / 10), late_ns = 1e9 * path.delay_s - delay / power;
            if (pass)
                squares += gain * late_ns * late_ns;
            else {
                power += gain;
                delay += gain * 1e9 * path.delay_s;
            }
        }
    rw_paths_destroy(paths);
    *mean_ns = delay / power;
    *spread_ns = sqrt(squares / power);
    return count > 1;
}

/* Sums of delays keep their digits where paths are weak: against the paths themselves. */
static void check_weak_delays(const char *wedge, double loss_max_db, double worst_ns[2])
{
    model_case now = {.context = make_context()};
    now.scene = make_generated_city(now.context, "european", 220, 3, 0);
    rw_transmitter_init(&now.tx);
    now.tx.x_m = 110.4;
    now.tx.y_m = 100.3;
    now.tx.height_m = 12;
    rw_predict_options_init_for(&now.options, "beams");
    now.options.roofs = "none";
    now.options.memory_bytes = 256e6;
    now.options.transmitters = &now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2e9;
    now.options.rx_height_m = 1.5;
    now.options.res_m = 5;
    now.options.reflections = 3;
    now.options.diffractions = 1;
    now.options.wedge = wedge;
    now.options.loss_max_db = loss_max_db;
    rw_predict_options of_paths = now.options;
    now.options.layers = "path_loss,delay_spread,mean_delay";
    rw_map *map = solve(&now);
    now.options = of_paths;
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    rw_map_layer loss = layer_of(map, "path_loss"), spread = layer_of(map, "delay_spread");
    rw_map_layer mean = layer_of(map, "mean_delay");
    size_t checked = 0;
    for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
        double x = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m;
        double y = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m, mean_ns, spread_ns;
        if (!(loss.values[cell] > 115) || isinf(loss.values[cell]) ||
            !delays_of_paths(&now, x, y, &mean_ns, &spread_ns))
            continue;
        worst_ns[0] = worse_of(worst_ns[0], fabs((double)mean.values[cell] - mean_ns));
        worst_ns[1] = worse_of(worst_ns[1], fabs((double)spread.values[cell] - spread_ns));
        if (x == 212.5 && y == 17.5)
            printf("delay spread at 212.5, 17.5: %.2f ns of paths of %.1f dB\n", (double)spread.values[cell],
                   (double)loss.values[cell]);
        checked++;
    }
    assert_true(checked > 30);
    rw_map_destroy(map);
    end(&now);
}

static void weak_delays(void **state)
{
    (void)state;
    double worst_ns[2] = {0, 0};
    check_weak_delays("luebbers", 160, worst_ns);
    check_weak_delays("holm", 160, worst_ns);
    check_weak_delays("holm", 170, worst_ns);
    printf("weak paths: mean delays differ by %.4f ns at most, spreads by %.4f ns\n", worst_ns[0], worst_ns[1]);
    assert_near(worst_ns[0], 0, 0.05);
    assert_near(worst_ns[1], 0, 0.1);
}

typedef struct way {
    double length_m, loss_db;
    int corners;
} way;

static int compare_ways(const void *left, const void *right)
{
    const way *a = left, *b = right;
    return a->length_m < b->length_m ? -1 : a->length_m > b->length_m;
}

/* All paths from one place to another, from the shortest on. */
static size_t ways_between(model_case *now, const double from[2], const double to[2], double height_m, way *ways)
{
    enum { most = 256 };
    rw_point point = {.size = sizeof point, .x_m = to[0], .y_m = to[1], .height_m = height_m};
    rw_paths *paths;
    now->tx.x_m = from[0];
    now->tx.y_m = from[1];
    now->tx.height_m = height_m;
    now->options.transmitters = &now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    size_t count = rw_paths_count(paths);
    assert_true(count <= most);
    for (size_t i = 0; i < count; i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        ways[i] = (way){path.length_m, path.loss_db, 0};
        for (size_t j = 0; j < path.vertex_count; j++)
            ways[i].corners += path.vertices[j].interaction == RW_INTERACTION_STREET;
    }
    rw_paths_destroy(paths);
    qsort(ways, count, sizeof *ways, compare_ways);
    return count;
}

/* Places outside buildings, from a coarse map. */
static size_t outdoor_places(model_case *now, double places[][2], size_t most)
{
    rw_predict_options asked = now->options;
    const double area[4] = {10, 10, 210, 210};
    memcpy(now->options.area_m, area, sizeof area);
    now->options.res_m = 13;
    now->options.reflections = now->options.diffractions = 0;
    now->tx.height_m = 60;
    now->tx.x_m = now->tx.y_m = 100;
    rw_map *map = solve(now);
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    rw_map_layer loss = layer_of(map, "path_loss");
    size_t count = 0;
    for (size_t cell = 0; cell < info.columns * info.rows && count < most; cell += 3)
        if (!isnan(loss.values[cell])) {
            places[count][0] = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m;
            places[count++][1] = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m;
        }
    rw_map_destroy(map);
    now->options = asked;
    return count;
}

/* Every path costs the same both ways, by none, one and two corners with reflections between them. */
static void both_ways(void **state)
{
    (void)state;
    double worst_db = 0;
    size_t of_corners[3] = {0}, pairs = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        model_case now = {.context = make_context()};
        now.scene = make_generated_city(now.context, "european", 220, seed, 0);
        rw_transmitter_init(&now.tx);
        rw_predict_options_init_for(&now.options, "beams");
        now.options.roofs = "none";
        now.options.memory_bytes = 256e6;
        now.options.transmitter_count = 1;
        now.options.freq_hz = 2e9;
        now.options.reflections = 1;
        now.options.diffractions = 2;
        now.options.loss_max_db = 240; /* nothing is dropped one way and not the other */
        double places[64][2];
        size_t place_count = outdoor_places(&now, places, 64);
        for (size_t i = 0; i + 7 < place_count; i += 2) {
            way there[256], back[256];
            size_t count = ways_between(&now, places[i], places[i + 7], 1.5, there);
            assert_int_equal(ways_between(&now, places[i + 7], places[i], 1.5, back), count);
            for (size_t j = 0; j < count; j++) {
                assert_near(there[j].length_m, back[j].length_m, 1e-6);
                worst_db = worse_of(worst_db, fabs(there[j].loss_db - back[j].loss_db));
                of_corners[there[j].corners]++;
            }
            pairs += count > 0;
        }
        end(&now);
    }
    printf("%zu pairs of ends, paths by 0, 1, 2 corners: %zu, %zu, %zu; largest difference %.4f dB\n", pairs,
           of_corners[0], of_corners[1], of_corners[2], worst_db);
    assert_true(of_corners[1] > 20 && of_corners[2] > 20);
    assert_near(worst_db, 0, 0.01);
}

/* Two houses with both ends 5 mm above level ground, which has posts or has none. */
static model_case begin_low(int posts)
{
    model_case now = {.context = make_context()};
    now.scene = make_scene(now.context);
    float level[4] = {100, 100, 100, 100};
    rw_raster terrain = {sizeof terrain, 2, 2, -300, -300, 600, 600, level};
    if (posts)
        assert_ok(now.context, rw_scene_set_terrain(now.scene, &terrain));
    add_box(now.context, now.scene, (double[]){10, 20, 40, 60}, 20, NULL);
    add_box(now.context, now.scene, (double[]){60, 20, 90, 60}, 20, NULL);
    assert_ok(now.context, rw_scene_commit(now.scene));
    rw_transmitter_init(&now.tx);
    now.tx.x_m = 50;
    now.tx.y_m = 25;
    rw_predict_options_init_for(&now.options, "beams");
    now.options.transmitter_count = 1;
    now.options.roofs = "none";
    now.tx.height_m = now.options.rx_height_m = 0.005;
    return now;
}

/* Rays that pass close above level ground meet none of it. */
static void close_to_the_ground(void **state)
{
    (void)state;
    model_case flat = begin_low(0), of_posts = begin_low(1);
    rw_map *expected = solve(&flat), *map = solve(&of_posts);
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    const float *right = layer_of(expected, "path_loss").values, *found = layer_of(map, "path_loss").values;
    size_t reached = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        reached += isfinite(right[i]) != 0;
        assert_true(isfinite(right[i]) ? fabsf(found[i] - right[i]) <= 0.01f : !isfinite(found[i]));
    }
    assert_true(reached > 20);
    rw_map_destroy(expected);
    rw_map_destroy(map);
    end(&flat);
    end(&of_posts);
}

/* Paths through a house from a place to the street behind it. */
static size_t paths_through(rw_context *context, const rw_scene *scene, double x_m, double height_m)
{
    rw_predict_options options;
    rw_transmitter tx;
    rw_transmitter_init(&tx);
    rw_predict_options_init_for(&options, "beams");
    tx.x_m = x_m;
    tx.y_m = 10;
    tx.height_m = height_m;
    options.transmitters = &tx;
    options.transmitter_count = 1;
    options.freq_hz = 1e9;
    options.reflections = options.diffractions = 0;
    options.transmissions = 4;
    options.loss_max_db = 200;
    options.roofs = "none";
    rw_point point = {.size = sizeof point, .x_m = 40, .y_m = 10, .height_m = 1.5};
    rw_paths *paths;
    assert_ok(context, rw_trace(scene, &options, &point, 1, &paths));
    size_t count = rw_paths_count(paths);
    rw_paths_destroy(paths);
    return count;
}

/* A path goes in and out of a house by walls; one that comes down through the roof is none. */
static void roofs_stop_paths(void **state)
{
    (void)state;
    static const double xy[] = {0, 0, 20, 0, 20, 20, 0, 20};
    rw_context *context = make_context();
    rw_scene *scene;
    const size_t four = 4;
    assert_ok(context, rw_scene_create(context, &scene));
    rw_building house = {
        .size = sizeof house, .xy = xy, .ring_sizes = &four, .ring_count = 1, .ground_m = NAN, .roof_height_m = 12};
    assert_ok(context, rw_scene_add_building(scene, &house));
    assert_ok(context, rw_scene_commit(scene));
    assert_int_equal(paths_through(context, scene, -20, 3), 1);
    assert_int_equal(paths_through(context, scene, -20, 26), 0); /* by the roof at x = 14 */
    assert_int_equal(paths_through(context, scene, -20, 60), 1); /* over the roof, in sight */
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(weak_delays),
                                       cmocka_unit_test(both_ways),
                                       cmocka_unit_test(same_map),
                                       cmocka_unit_test(same_on_gpu),
                                       cmocka_unit_test(histogram),
                                       cmocka_unit_test(sight_is_line_of_sight),
                                       cmocka_unit_test(antenna),
                                       cmocka_unit_test(roofs),
                                       cmocka_unit_test(roofs_of_points),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(close_to_the_ground),
                                       cmocka_unit_test(roofs_stop_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
