/* The tiles model from the transmitter on: bouncing, beside Lu and others (2019), figure 11 and table II, which took a
 * Tesla K80.
 *
 * Walls are rough (S = 0.4), so that every kind of interaction is there: "3 bounces" are up to 3 reflections, 1
 * diffraction and 1 scattering, "5 bounces" up to 5, 2 and 1. Checked before it is timed: with nothing but the direct
 * ray every tile in sight of the transmitter has the field of free space, and no other has any. Limit: a ray takes some
 * 2e3 operations in double, which at 3e13 a second is 1.5e10 rays a second; its eleven atomic additions are few beside
 * that, as nine rays in ten die of weakness before. Ten pairs are looked at for each ray, with 50 operations each. */
#include "bench/bench.h"
#include "base/memory.h"
#include "discretise/prepared.h"
#include "models/tiles/tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char group[] = "tile_rays";

typedef struct bounce_bench {
    rw_scene *scene;
    rw_tile_city city;
    rw_antenna *antenna;
    rw_vec3 source;
    char name[32];
    double cut_s; /* cutting, and visibility of all pairs */
} bounce_bench;

static rw_status generate_rough_city(rw_context *context, double width_m, double depth_m, int hills, rw_scene **scene)
{
    rw_city_options options;
    rw_material rough = {.size = sizeof rough,
                         .name = "itu_concrete",
                         .a = 5.24,
                         .c = 0.0462,
                         .d = 0.7822,
                         .freq_max_hz = INFINITY,
                         .scattering = 0.4};
    rw_city_options_init(&options);
    options.width_m = width_m;
    options.depth_m = depth_m;
    options.hills = hills;
    RW_TRY(rw_generate_city(context, &options, scene));
    rw_status status = rw_scene_add_material(*scene, &rough);
    if (status == RW_OK)
        status = rw_scene_commit(*scene);
    if (status != RW_OK)
        rw_scene_destroy(*scene);
    return status;
}

static void close_bounce_bench(bounce_bench *bench)
{
    rw_tile_city_destroy(&bench->city);
    rw_antenna_destroy(bench->antenna);
    rw_scene_destroy(bench->scene);
}

/* The transmitter stands in the middle, 41 m above the ground, as the paper's first one. */
static rw_status open_bounce_bench(rw_context *context, double width_m, double depth_m, int hills, double area_m2,
                                   bounce_bench *bench)
{
    RW_TRY(generate_rough_city(context, width_m, depth_m, hills, &bench->scene));
    rw_status status = rw_antenna_create(context, "isotropic", &bench->antenna);
    double start_s = rw_seconds();
    if (status == RW_OK)
        status = rw_tile_city_create(bench->scene, (rw_tiling){.area_m2 = area_m2}, NULL, &bench->city);
    bench->cut_s = rw_seconds() - start_s;
    if (status != RW_OK) {
        rw_antenna_destroy(bench->antenna);
        rw_scene_destroy(bench->scene);
        return status;
    }
    rw_vec2 centre = bench->scene->prepared->grid.centre;
    rw_vec2 at = {0.5 * width_m - bench->scene->origin.x, 0.5 * depth_m - bench->scene->origin.y};
    bench->source = rw_vec3_of(at.x - centre.x, at.y - centre.y, rw_scene_ground_m(bench->scene, at) + 41);
    return RW_OK;
}

static rw_status shoot_rays(const bounce_bench *bench, const rw_tile_limits *limits, rw_tile_solver *solver)
{
    rw_transmitter about;
    rw_transmitter_init(&about);
    return rw_tile_solver_create(&bench->city, limits, 850e6, bench->antenna, &about, bench->source, NULL, solver);
}

static rw_status check_sums(const bounce_bench *bench, const rw_tile_solver *solver, uint32_t *words, rw_ray_sums *sums,
                            size_t *seen)
{
    RW_TRY(rw_tile_city_look(&bench->city, &bench->source, 1, 0, words));
    RW_TRY(rw_tile_solver_read(solver, sums, NULL));
    *seen = 0;
    for (uint32_t i = 0; i < bench->city.tiles.view.tile_count; i++) {
        double expected = words[i / RW_TILE_BLOCK] >> i % RW_TILE_BLOCK & 1u;
        double power = rw_ray_sums_power(&sums[i], RW_RAY_SUM_COHERENT);
        *seen += expected > 0;
        if (!(fabs(power - expected) < 1e-9))
            return rw_fail(bench->city.context, RW_INTERNAL, "tile %u has %g of free space instead of %g", i, power,
                           expected);
    }
    return RW_OK;
}

static rw_status check_direct_tiles(const bounce_bench *bench, size_t *seen)
{
    rw_tile_limits direct = {.depth = 1, .loss_max_db = 200};
    rw_context *context = bench->city.context;
    rw_tile_solver solver;
    uint32_t *words = NULL;
    rw_ray_sums *sums = NULL;
    RW_TRY(shoot_rays(bench, &direct, &solver));
    rw_status status = rw_tile_solver_run(&solver);
    if (status == RW_OK)
        status = rw_array_create(context, bench->city.world.view.block_count, sizeof *words, "tiles", &words);
    if (status == RW_OK)
        status = rw_array_create(context, bench->city.tiles.view.tile_count, sizeof *sums, "sums", &sums);
    if (status == RW_OK)
        status = check_sums(bench, &solver, words, sums, seen);
    free(words);
    free(sums);
    rw_tile_solver_destroy(&solver);
    return status;
}

static rw_status run_bounces(void *user)
{
    return rw_tile_solver_run(user);
}

static rw_status report_bounces(const rw_bench *out, const bounce_bench *bench, int bounces, double target_ms,
                                double paper_s)
{
    rw_context *context = bench->city.context;
    rw_tile_limits limits = {.depth = bounces,
                             .reflections = bounces,
                             .diffractions = bounces > 3 ? 2 : 1,
                             .scatterings = 1,
                             .loss_max_db = 140};
    int gpu = context->backend == RW_BACKEND_CUDA;
    rw_tile_solver solver;
    double seconds;
    char name[96], note[160];
    RW_TRY(shoot_rays(bench, &limits, &solver));
    rw_status status =
        rw_device_time(context, context->backend, run_bounces, &solver, gpu && bounces <= 3 ? 5 : 1, &seconds);
    if (status == RW_OK) {
        double rays = (double)solver.ray_count;
        snprintf(name, sizeof name, "%s, %d bounce%s, %s", bench->name, bounces, bounces > 1 ? "s" : "",
                 rw_context_backend(context));
        snprintf(note, sizeof note, "%u tiles, %.3g rays, %.2g rays/s; with cutting and all pairs %.4g s; paper: %g s",
                 bench->city.tiles.view.tile_count, rays, rays / seconds, bench->cut_s + seconds, paper_s);
        rw_bench_add_result(out, group, name, seconds * 1e3, "ms", gpu ? rays / 1.2e7 : NAN, target_ms, note);
    }
    rw_tile_solver_destroy(&solver);
    return status;
}

/* Sums of all tiles after a run. */
static rw_status read_sums(const rw_tile_solver *solver, rw_ray_sums **sums)
{
    rw_context *context = solver->city->context;
    RW_TRY(rw_array_create(context, solver->city->tiles.view.tile_count, sizeof **sums, "sums", sums));
    return rw_tile_solver_read(solver, *sums, NULL);
}

/* Tiles whose power differs by more than rounding. */
static size_t count_different_sums(const rw_ray_sums *first, const rw_ray_sums *second, size_t count)
{
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        double a = rw_ray_sums_power(&first[i], RW_RAY_SUM_POWER), b = rw_ray_sums_power(&second[i], RW_RAY_SUM_POWER);
        different += !(fabs(a - b) <= 1e-6 * (a + b));
    }
    return different;
}

/* The same without a matrix: legs are tested while rays are followed. Checked against the run with one. */
static rw_status report_online_bounces(const rw_bench *out, const bounce_bench *bench, int bounces)
{
    rw_context *context = bench->city.context;
    rw_tile_limits limits = {
        .depth = bounces, .reflections = bounces, .diffractions = 1, .scatterings = 1, .loss_max_db = 140};
    bounce_bench online = *bench;
    rw_tiling tiling = {.area_m2 = bench->city.tiles.options.area_m2, .online = 1};
    rw_tile_solver solvers[2] = {{0}, {0}};
    rw_ray_sums *sums[2] = {NULL, NULL};
    double seconds[2] = {0, 0};
    RW_TRY(rw_tile_city_create(bench->scene, tiling, NULL, &online.city));
    rw_status status = RW_OK;
    for (int i = 0; i < 2 && status == RW_OK; i++) {
        status = shoot_rays(i ? &online : bench, &limits, &solvers[i]);
        if (status == RW_OK)
            status = rw_device_time(context, context->backend, run_bounces, &solvers[i], 1, &seconds[i]);
        if (status == RW_OK)
            status = read_sums(&solvers[i], &sums[i]);
    }
    if (status == RW_OK) {
        char name[96], note[160];
        size_t tiles = bench->city.tiles.view.tile_count, different = count_different_sums(sums[0], sums[1], tiles);
        rw_bench checked = rw_bench_checked(out, (rw_bench_check){"the matrix", (double)different, 0.5, "tiles"});
        snprintf(name, sizeof name, "%s, %d bounce%s, online, %s", bench->name, bounces, bounces > 1 ? "s" : "",
                 rw_context_backend(context));
        snprintf(note, sizeof note, "no matrix; with it %.4g ms; paper: 10 ms for a leg", 1e3 * seconds[0]);
        rw_bench_add_result(&checked, group, name, seconds[1] * 1e3, "ms", NAN, NAN, note);
    }
    for (int i = 0; i < 2; i++) {
        rw_tile_solver_destroy(&solvers[i]);
        free(sums[i]);
    }
    rw_tile_city_destroy(&online.city);
    return status;
}

static rw_status report_small_city(const rw_bench *out, rw_context *context)
{
    static const double targets_ms[] = {5, 20, 50}, papers_s[] = {2, 6, 11};
    int gpu = context->backend == RW_BACKEND_CUDA;
    bounce_bench bench = {.name = "0.5 km2"};
    size_t seen;
    RW_TRY(open_bounce_bench(context, 707, 707, 0, 235, &bench));
    rw_status status = check_direct_tiles(&bench, &seen);
    for (int i = 0; i < 3 && status == RW_OK; i++)
        status = report_bounces(out, &bench, i + 1, gpu ? targets_ms[i] : i == 2 ? 5000 : NAN, papers_s[i]);
    for (int i = 0; i < 2 && status == RW_OK; i++)
        status = report_online_bounces(out, &bench, i + 1);
    close_bounce_bench(&bench);
    return status;
}

/* The whole of the paper's city; all pairs of its tiles are for a GPU. */
static rw_status report_large_city(const rw_bench *out, rw_context *context)
{
    bounce_bench bench = {.name = "20 km2 on hills"};
    size_t seen;
    RW_TRY(open_bounce_bench(context, 4000, 5000, 1, 87, &bench));
    rw_status status = check_direct_tiles(&bench, &seen);
    if (status == RW_OK)
        status = report_bounces(out, &bench, 3, 2000, 1584);
    if (status == RW_OK)
        status = report_bounces(out, &bench, 5, 10000, 3044);
    close_bounce_bench(&bench);
    return status;
}

static rw_status bench_tile_rays_on_backend(const rw_bench *out, rw_context *context)
{
    if (rw_bench_wants(out, group, group))
        RW_TRY(report_small_city(out, context));
    return context->backend == RW_BACKEND_CUDA ? report_large_city(out, context) : RW_OK;
}

rw_status rw_bench_tile_rays(const rw_bench *bench)
{
    return rw_bench_wants(bench, "tile_rays_large", group) ? rw_bench_each_backend(bench, bench_tile_rays_on_backend)
                                                           : RW_OK;
}
