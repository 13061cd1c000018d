/* labels: slow, numbers */
/* The beams model against every sequence of walls and corners tried one by one, and against closed image series. */
#include "base/maths/hash.h"
#include "path_oracle.h"
#include "shapes.h"

#include "unit.h"

#define C_M_S 299792458.0

static double wavelength_m(double freq_hz)
{
    return C_M_S / freq_hz;
}

typedef struct beam_case {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx;
    rw_predict_options options;
} beam_case;

static beam_case begin(rw_backend backend)
{
    beam_case now = {.context = make_context_of(backend, 2)};
    if (!now.context)
        skip_test("no GPU");
    now.scene = make_scene(now.context);
    rw_transmitter_init(&now.tx);
    rw_predict_options_init(&now.options);
    now.options.model = "beams";
    now.options.roofs = "none";       /* its own paths */
    now.options.memory_bytes = 256e6; /* sanitizers look after every byte of it */
    now.options.layers = "path_loss,delay_spread,mean_delay,first_arrival,k_factor,paths";
    now.options.transmitter_count = 1;
    now.options.freq_hz = 1e9;
    now.options.rx_height_m = 1.5;
    return now;
}

static rw_map *solve(beam_case *now)
{
    rw_map *map;
    now->options.transmitters = &now->tx;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

static void end(beam_case *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

static const float *values(const rw_map *map, const char *name)
{
    rw_map_layer layer = {.size = sizeof layer};
    size_t index;
    if (rw_map_find_layer(map, name, &index) != RW_OK || rw_map_get_layer(map, index, &layer) != RW_OK)
        fail_msg("no layer %s\n", name);
    return layer.values;
}

static void put_panel(beam_case *now, oracle_scene *oracle, double x0, double y0, double x1, double y1, double top)
{
    rw_panel panel = {.size = sizeof panel, .x0_m = x0, .y0_m = y0, .x1_m = x1, .y1_m = y1, .top_m = top};
    assert_ok(now->context, rw_scene_add_panel(now->scene, &panel));
    oracle->walls[oracle->wall_count++] = (oracle_wall){x0, y0, x1, y1, 0, top, {-1, -1}};
}

static void put_box(beam_case *now, oracle_scene *oracle, double x, double y, double width, double depth, double turn,
                    double top)
{
    double xy[8];
    for (int i = 0; i < 4; i++) { /* counter-clockwise, as the library keeps outer rings */
        double u = (i == 1 || i == 2) ? width : 0, v = i >= 2 ? depth : 0;
        xy[2 * i] = x + u * cos(turn) - v * sin(turn);
        xy[2 * i + 1] = y + u * sin(turn) + v * cos(turn);
    }
    add_outline(now->context, now->scene, xy, 4, top, "box");
    int first = oracle->wall_count;
    for (int i = 0; i < 4; i++) {
        int j = (i + 1) % 4;
        oracle->walls[oracle->wall_count++] =
            (oracle_wall){xy[2 * i], xy[2 * i + 1], xy[2 * j], xy[2 * j + 1], 0, top, {first + (i + 3) % 4, first + j}};
    }
}

static void settle_oracle(const beam_case *now, oracle_scene *oracle, double loss_max_db)
{
    oracle->constant_db = 20 * log10(4 * 3.14159265358979323846 / wavelength_m(now->options.freq_hz));
    oracle->source[0] = now->tx.x_m;
    oracle->source[1] = now->tx.y_m;
    oracle->source[2] = now->tx.height_m;
    oracle->loss_max_db = loss_max_db;
}

/* Every receiver of the map against the oracle. */
static void compare(const beam_case *now, const rw_map *map, const oracle_scene *oracle, const char *what)
{
    static oracle_sum sum;
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    const float *loss = values(map, "path_loss"), *paths = values(map, "paths"), *first = values(map, "first_arrival");
    const float *mean = values(map, "mean_delay"), *spread = values(map, "delay_spread"), *k = values(map, "k_factor");
    size_t receivers = 0, total = 0, most = 0;
    for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
        if (isnan(loss[cell]))
            continue;
        double to[3] = {info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m,
                        info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m, now->options.rx_height_m};
        oracle_paths(oracle, to, &sum);
        if (paths[cell] != (float)sum.paths)
            fail_msg("%s: %g paths at %.3f,%.3f, expected %zu\n", what, paths[cell], to[0], to[1], sum.paths);
        receivers++;
        total += sum.paths;
        most = sum.paths > most ? sum.paths : most;
        if (sum.paths == 0) {
            assert_true(isinf(loss[cell]) && loss[cell] > 0);
            continue;
        }
        double mean_m = sum.delay_m / sum.power, variance = sum.delay_square_m2 / sum.power - mean_m * mean_m;
        assert_near(loss[cell], -10 * log10(sum.power), 0.001);
        assert_near(first[cell], 1e9 * sum.first_m / C_M_S, 1e-3);
        assert_near(mean[cell], 1e9 * mean_m / C_M_S, 1e-2);
        if (sum.paths == 1) { /* has neither */
            assert_true(isnan(spread[cell]) && isnan(k[cell]));
            continue;
        }
        assert_near(spread[cell], 1e9 * sqrt(fmax(variance, 0)) / C_M_S, 0.2);
        double rest = sum.power - sum.strongest;
        assert_near(k[cell], fmin(10 * log10(sum.strongest / rest), 100), 0.01);
    }
    printf("%s: %zu receivers, %zu paths, at most %zu\n", what, receivers, total, most);
    assert_true(receivers > 100 && total > receivers / 10);
}

/* What a random scene is to hold. */
typedef struct random_case {
    const char *what;
    int panels, boxes;
    double top_low, top_high;
    int reflections, transmissions, diffractions;
    double tx_height_m;
} random_case;

static void compare_random(rw_backend backend, const random_case *about, uint64_t seed)
{
    beam_case now = begin(backend);
    oracle_scene oracle = {.reflections = about->reflections,
                           .transmissions = about->transmissions,
                           .diffractions = about->diffractions,
                           .loss_db = {5, 9, 17}};
    rw_random random = rw_random_of(seed, 0);
    for (int i = 0; i < about->panels + about->boxes; i++) {
        double x = rw_random_range(&random, 5, 95), y = rw_random_range(&random, 5, 95);
        double length = rw_random_range(&random, 5, 35), turn = rw_random_range(&random, 0, 6.28);
        double top = rw_random_range(&random, about->top_low, about->top_high);
        int field = i - about->panels; /* boxes: one in each of nine fields, so that they do not touch */
        if (field < 0)
            put_panel(&now, &oracle, x, y, x + length * cos(turn), y + length * sin(turn), top);
        else
            put_box(&now, &oracle, 8 + 30 * (field % 3) + 0.06 * x, 8 + 30 * (field / 3) + 0.06 * y, 5 + length / 6,
                    5 + length / 7, 0.08 * turn, top);
    }
    assert_ok(now.context, rw_scene_commit(now.scene));
    now.tx.x_m = 2.3;
    now.tx.y_m = 1.7;
    now.tx.height_m = about->tx_height_m;
    settle_oracle(&now, &oracle, 150);
    double area[4] = {0, 0, 100, 100};
    memcpy(now.options.area_m, area, sizeof area);
    now.options.res_m = about->reflections + about->diffractions > 3 ? 9.7 : 4.9;
    now.options.reflections = about->reflections;
    now.options.transmissions = about->transmissions;
    now.options.diffractions = about->diffractions;
    now.options.loss_max_db = 150;
    now.options.losses = "reflection=5,transmission=9,diffraction=17";
    rw_map *map = solve(&now);
    compare(&now, map, &oracle, about->what);
    rw_map_destroy(map);
    end(&now);
}

static const random_case random_cases[] = {
    {"sight", 20, 0, 9, 12, 0, 0, 0, 5},
    {"three reflections", 20, 0, 9, 12, 3, 0, 0, 5},
    {"two transmissions", 20, 0, 9, 12, 1, 2, 0, 5},
    {"one corner", 20, 0, 9, 12, 1, 0, 1, 5},
    {"corner and wall", 14, 0, 9, 12, 2, 1, 1, 5},
    {"two corners", 12, 0, 9, 12, 1, 0, 2, 5},
    {"boxes", 0, 9, 9, 12, 1, 0, 1, 5},
    {"boxes, reflections", 0, 9, 9, 12, 3, 0, 0, 5},
    {"boxes and walls", 4, 4, 9, 12, 1, 0, 1, 5},
    {"low walls", 20, 0, 1, 9, 1, 1, 1, 7},
    {"low boxes", 0, 9, 1, 20, 2, 0, 0, 14},
    {"low boxes, corners", 0, 7, 1, 20, 1, 0, 1, 14},
};

static void compare_all(rw_backend backend)
{
    for (size_t i = 0; i < sizeof random_cases / sizeof *random_cases; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            compare_random(backend, &random_cases[i], 1000 * seed + i);
}

static void random_walls(void **state)
{
    (void)state;
    compare_all(RW_BACKEND_CPU);
}

static void random_walls_on_gpu(void **state)
{
    (void)state;
    compare_all(RW_BACKEND_CUDA);
}

/* Beams meet without gaps and without overlap: with nothing to meet, every receiver has one path, that of free space.
 */
static void empty(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        beam_case now = begin(RW_BACKEND_CPU);
        oracle_scene oracle = {0};
        put_panel(&now, &oracle, 0, 0, 400, 0, 0.1); /* lower than every ray */
        put_panel(&now, &oracle, 400, 400, 0, 400, 0.1);
        assert_ok(now.context, rw_scene_commit(now.scene));
        now.tx.x_m = i == 0 ? 200 : i == 1 ? 202.5 : i == 2 ? 0.5 : 33.37;
        now.tx.y_m = i == 0 ? 200 : i == 1 ? 202.5 : i == 2 ? 399 : 71.11;
        now.options.res_m = i == 3 ? 0.71 : 1;
        rw_map *map = solve(&now);
        rw_map_info info = {.size = sizeof info};
        rw_map_get_info(map, &info);
        const float *loss = values(map, "path_loss"), *paths = values(map, "paths");
        for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
            double dx = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m - now.tx.x_m;
            double dy = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m - now.tx.y_m;
            double length = sqrt(dx * dx + dy * dy + 8.5 * 8.5);
            if (paths[cell] != 1)
                fail_msg("%g paths in cell %zu\n", paths[cell], cell);
            assert_near(loss[cell], 20 * log10(4 * 3.14159265358979323846 * length / wavelength_m(1e9)), 1e-4);
        }
        rw_map_destroy(map);
        end(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(empty), cmocka_unit_test(random_walls),
                                       cmocka_unit_test(random_walls_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
