/* The tiles model: against the exhaustive ray tracer on a city, both ways, and the same result for any number of
 * threads, any memory and any backend. tests/models/rt/test_ray_forms.c has its closed forms. */
#include "discretise/prepared.h"
#include "models/tiles/tiles.h"
#include "tile_city.h"

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Median and 90 % of the difference in dB, where both have paths; share of cells where only one has. */
static void differences(const rw_map *left, const rw_map *right, double *median, double *p90, double *only_one)
{
    rw_map_layer a = {.size = sizeof a}, b = {.size = sizeof b};
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(left, &info);
    rw_map_get_layer(left, 0, &a);
    rw_map_get_layer(right, 0, &b);
    size_t cells = info.columns * info.rows, count = 0, one = 0;
    double *errors = malloc(cells * sizeof *errors);
    for (size_t i = 0; i < cells; i++) {
        int first = isfinite(a.values[i]) != 0, second = isfinite(b.values[i]) != 0;
        one += !isnan(a.values[i]) && first != second;
        if (first && second)
            errors[count++] = fabs((double)a.values[i] - (double)b.values[i]);
    }
    assert_true(count > 30);
    qsort(errors, count, sizeof *errors, compare);
    *median = errors[count / 2];
    *p90 = errors[count * 9 / 10];
    *only_one = (double)one / (double)(count + one);
    free(errors);
}

/* 0.1 km2, two interactions of which one may be a diffraction: under 1 dB with tiles of 25 m2, and nearer with smaller
 * ones. */
static void comes_to_the_exact_result(void **state)
{
    (void)state;
    prediction now = begin_city(RW_BACKEND_CPU, 2, 316, 0);
    now.options.depth = 2;
    now.options.res_m = 20;
    now.options.model = "rt";
    now.options.roofs = "none";
    now.options.prior = "none";
    rw_map *exact = map_of(&now);
    static const double areas_m2[] = {400, 25, 12};
    double median[3], p90[3], only_one[3];
    now.options.model = "tiles";
    now.options.roofs = "none"; /* its own rays */
    now.options.cells = "exact";
    for (int i = 0; i < 3; i++) {
        now.options.tile_area_m2 = areas_m2[i];
        rw_map *map = map_of(&now);
        differences(exact, map, &median[i], &p90[i], &only_one[i]);
        printf("tiles of %g m2: median %.3f dB, 90 %% below %.2f dB, %.1f %% of cells reached by one alone\n",
               areas_m2[i], median[i], p90[i], 100 * only_one[i]);
        rw_map_destroy(map);
    }
    assert_true(median[1] < 1 && median[2] < 1);
    assert_true(median[2] <= median[0] && p90[2] < p90[0] && only_one[2] < only_one[0]);
    rw_map_destroy(exact);
    end_city(&now);
}

static double power_to(prediction *now, const double from[3], const double to[3])
{
    rw_point point = {.size = sizeof(rw_point), .x_m = to[0], .y_m = to[1], .height_m = to[2]};
    rw_paths *paths;
    double power = 0;
    now->tx[0].x_m = from[0];
    now->tx[0].y_m = from[1];
    now->tx[0].height_m = from[2];
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        power += path.gain_re * path.gain_re + path.gain_im * path.gain_im;
    }
    rw_paths_destroy(paths);
    return power;
}

/* Rough walls too: scattering may come before and after other interactions. Which rays there are is decided by tiles at
 * one end more than at the other, so that both ways agree as far as tiles are fine. */
static void both_ways_are_alike(void **state)
{
    (void)state;
    static const double ends[][2][3] = {
        {{158, 158, 12}, {120, 158, 1.5}}, {{158, 158, 12}, {110, 150, 3}}, {{158, 158, 12}, {100, 90, 1.5}}};
    prediction now = begin_city(RW_BACKEND_CPU, 2, 316, 0.3);
    now.options.tile_area_m2 = 25;
    now.options.depth = 2;
    int compared = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        double there = power_to(&now, ends[i][0], ends[i][1]), back = power_to(&now, ends[i][1], ends[i][0]);
        printf("there %.2f dB, back %.2f dB\n", -10 * log10(there), -10 * log10(back));
        if (there == 0 && back == 0)
            continue; /* one of them is inside a building */
        compared++;
        assert_near(10 * log10(back / there), 0, 0.6);
    }
    assert_true(compared >= 2);
    end_city(&now);
}

/* A tile graph solver through the model's own calls. */
typedef struct shot_case {
    prediction now;
    rw_tile_city city;
    rw_tile_points places;
    rw_tile_solver solver;
    rw_antenna *antenna;
    rw_ray_sums *tiles, *points;
} shot_case;

static shot_case begin_shot(rw_backend backend, int threads, double memory_bytes, int depth, const rw_vec3 *points,
                            size_t count)
{
    shot_case made = {.now = begin_city(backend, threads, 200, 0.4)};
    rw_context *context = made.now.context;
    rw_tile_limits limits = {.depth = depth,
                             .reflections = depth,
                             .diffractions = 1,
                             .scatterings = 1,
                             .loss_max_db = 150,
                             .memory_bytes = memory_bytes};
    assert_ok(context, rw_antenna_create(context, "dipole", &made.antenna));
    assert_ok(context, rw_tile_city_create(made.now.scene, (rw_tiling){.area_m2 = 100}, NULL, &made.city));
    rw_vec2 centre = made.now.scene->prepared->grid.centre;
    rw_vec3 source = {100 - made.now.scene->origin.x - centre.x, 100 - made.now.scene->origin.y - centre.y, 30};
    assert_ok(context, rw_tile_points_create(&made.city, points, count, &made.places));
    assert_ok(context, rw_tile_solver_create(&made.city, &limits, 2e9, made.antenna, &made.now.tx[0], source,
                                             &made.places, &made.solver));
    assert_ok(context, rw_tile_solver_run(&made.solver));
    made.tiles = calloc(made.city.tiles.view.tile_count, sizeof *made.tiles);
    made.points = calloc(count + 1, sizeof *made.points);
    assert_ok(context, rw_tile_solver_read(&made.solver, made.tiles, made.points));
    return made;
}

/* A case was copied since its solver learnt where its city is. */
static void end_shot(shot_case *made)
{
    made->solver.city = made->places.city = &made->city;
    free(made->tiles);
    free(made->points);
    rw_tile_solver_destroy(&made->solver);
    rw_tile_points_destroy(&made->places);
    rw_tile_city_destroy(&made->city);
    rw_antenna_destroy(made->antenna);
    end_city(&made->now);
}

/* Levels of a few rays are followed in parts; nothing of that is in the sums. */
static void threads_and_memory_do_not_matter(void **state)
{
    (void)state;
    shot_case one = begin_shot(RW_BACKEND_CPU, 1, 0, 2, NULL, 0), two = begin_shot(RW_BACKEND_CPU, 2, 1, 2, NULL, 0);
    assert_true(two.solver.capacity < one.solver.capacity && one.solver.ray_count > 2 * two.solver.capacity);
    assert_int_equal(one.solver.ray_count, two.solver.ray_count);
    assert_memory_equal(one.tiles, two.tiles, one.city.tiles.view.tile_count * sizeof *one.tiles);
    end_shot(&one);
    end_shot(&two);
}

static void backends_agree(void **state)
{
    (void)state;
    shot_case gpu = begin_shot(RW_BACKEND_CUDA, 1, 0, 3, NULL, 0), cpu = begin_shot(RW_BACKEND_CPU, 2, 0, 3, NULL, 0);
    uint32_t count = cpu.city.tiles.view.tile_count;
    size_t off = 0;
    assert_int_equal(gpu.city.tiles.view.tile_count, count);
    for (uint32_t i = 0; i < count; i++) {
        double a = rw_ray_sums_power(&cpu.tiles[i], RW_RAY_SUM_POWER);
        double b = rw_ray_sums_power(&gpu.tiles[i], RW_RAY_SUM_POWER);
        off += !(fabs(a - b) <= 0.0023 * a); /* 0.01 dB */
    }
    assert_true(off <= count / 1000 + 1);
    end_shot(&gpu);
    end_shot(&cpu);
}

/* What tiles gather is the sum of the rays from all scatterers that they see, one by one. */
static void gathering_is_the_sum_of_rays(void **state)
{
    (void)state;
    shot_case made = begin_shot(RW_BACKEND_CPU, 2, 0, 1, NULL, 0);
    const rw_tile_scene *scene = &made.solver.host;
    uint32_t count = made.city.tiles.view.tile_count, compared = 0;
    size_t scatterers = 0;
    for (uint32_t i = 0; i < count; i++) { /* depth 1: one scatterer for each tile in sight of the transmitter */
        int lit = made.tiles[i].re != 0 && made.tiles[i].im != 0;
        int rough = rw_tile_wall(scene, i)->smooth < 1;
        rw_vec3 way = rw_vec3_sub(scene->source, scene->tiles.tiles[i].centre);
        scatterers += lit && rough && rw_vec3_dot(way, scene->tiles.tiles[i].normal) > 0;
    }
    for (uint32_t i = 0; i < count; i += 5) {
        double power = 0, straight_m = rw_vec3_length(rw_vec3_sub(scene->tiles.tiles[i].centre, scene->source));
        double free_gain = scene->wavelength_m / (4 * RW_PI * straight_m);
        for (uint32_t k = 0; k < made.solver.scatterer_count; k++) {
            rw_tile_ray ray = {.steps = {k}, .count = 1, .scattered = 1, .end = i, .end_kind = RW_END_TILE};
            rw_tile_arrival arrival;
            if (rw_tile_sees(&scene->sight, i, scene->scatterers[k].tile) &&
                rw_tile_arrive(scene, &ray, scene->tiles.tiles[i].centre, &arrival) &&
                arrival.incident >= made.solver.min_gain)
                power += rw_complex_abs2(arrival.ray.gain) / (free_gain * free_gain);
        }
        compared += power > 0;
        assert_near((double)made.tiles[i].diffuse / RW_RAY_AMPLITUDE_UNITS, power, 1e-9 * power + 1e-12);
    }
    assert_true(compared > 50 && made.solver.scatterer_count <= scatterers && made.solver.scatterer_count > 50);
    end_shot(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_to_the_exact_result),        cmocka_unit_test(both_ways_are_alike),
        cmocka_unit_test(threads_and_memory_do_not_matter), cmocka_unit_test(backends_agree),
        cmocka_unit_test(gathering_is_the_sum_of_rays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
