/* The images model and the rays it is compared with, in an office of 40 x 20 m: time of a map over depth, where the
 * time goes, how it grows with receivers, pixels and surfaces; the paper's figures (images_figures.c) and the measured
 * office.
 *
 * Limit of a map: writing each pixel drawn once, 2 bytes, at the memory's speed. */
#include "bench/bench.h"

#include "base/memory.h"
#include "bench/groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the group by themselves: --only images-stages. */
#define GROUP "images"
#define RECEIVERS "images-receivers"
#define STAGES "images-stages"
#define SCALING "images-scaling"
#define REFERENCE_PIXELS 2048

static double drawn_bytes(const rw_view_tree_size *size)
{
    double pixels = 0;
    for (int i = 0; i <= RW_IMAGE_DEPTH_MAX; i++)
        pixels += (double)size->pixels[i];
    return 2 * pixels;
}

/* Compared with launched rays, where these are quick. */
static rw_status check_map(const rw_bench *bench, rw_bench_office *at, int depth, rw_bench *line)
{
    int gpu = at->context->backend == RW_BACKEND_CUDA;
    size_t count = at->points.view.count;
    double seconds;
    *line = *bench;
    if (depth > (gpu ? 6 : 3))
        return RW_OK;
    memset(at->sums, 0, count * sizeof *at->sums);
    RW_TRY(rw_bench_time_sbr(at, &at->points, gpu ? 512 : 192, depth, 0, at->sums, NULL, &seconds));
    rw_bench_check check = {.against = "launched rays", .allowed = 0.5, .unit = "dB, median of power"};
    RW_TRY(rw_bench_power_error(at->context, at->reference, at->sums, count, &check.difference));
    *line = rw_bench_checked(bench, check);
    return RW_OK;
}

/* A map of 2 048 pixels at each depth, and the targets. */
static rw_status bench_depth(const rw_bench *bench, rw_bench_office *at, int depth)
{
    rw_view_tree_size size;
    rw_bench line;
    double seconds, target = NAN;
    int gpu = at->context->backend == RW_BACKEND_CUDA;
    char name[64], note[160];
    RW_TRY(rw_bench_time_images(at, &at->points, REFERENCE_PIXELS, depth, 0, at->reference, &size, &seconds));
    RW_TRY(check_map(bench, at, depth, &line));
    if (depth == 3 || depth == 6)
        target = (gpu ? 1 : depth == 3 ? 50 : 100) * (depth == 3 ? 10 : 100);
    double limit_s = drawn_bytes(&size) / (gpu ? 4.8e12 : 2e10);
    snprintf(name, sizeof name, "office, depth %d, 2048 px, %s", depth, rw_context_backend(at->context));
    snprintf(note, sizeof note, "%zu views; limit: 2 bytes a pixel drawn", rw_bench_tree_size(&size, depth));
    rw_bench on = rw_bench_on_curve(&line, rw_context_backend(at->context), depth, "interactions");
    rw_bench_add_result(&on, GROUP, name, seconds * 1e3, "ms", limit_s * 1e3, target, note);
    return RW_OK;
}

static size_t drawn_from(const rw_view_tree_size *size)
{
    size_t candidates = 0;
    for (int i = 0; i <= RW_IMAGE_DEPTH_MAX; i++)
        candidates += size->candidates[i];
    return candidates;
}

/* What occlusion culling spares: drawing the same pictures from all surfaces in the pyramids of their windows. */
static rw_status bench_hidden(const rw_bench *bench, rw_bench_office *at, rw_images_options options,
                              const rw_view_tree_size *culled)
{
    rw_view_tree_size size;
    char name[64], note[160];
    options.skips_culling = 1;
    RW_TRY(rw_images_solve(&at->rays, &at->points, &options, at->sums, &size));
    snprintf(name, sizeof name, "depth %d, drawing without occlusion culling, %s", options.depth,
             rw_context_backend(at->context));
    snprintf(note, sizeof note, "2048 px; from %.3g surfaces, with culling from %.3g", (double)drawn_from(&size),
             (double)drawn_from(culled));
    rw_bench_add_result(bench, STAGES, name, size.seconds[RW_VIEW_STAGE_DRAW] * 1e3, "ms", NAN, NAN, note);
    return RW_OK;
}

/* Where a map's time goes: each stage waited for, so that they add up to a little more than the map takes. */
static rw_status bench_stages(const rw_bench *bench, rw_bench_office *at, int depth)
{
    static const char *const words[] = {
#define WORD(name, word) word,
        RW_VIEW_STAGE_MAP(WORD)
#undef WORD
    };
    rw_images_options options = {
        .depth = depth, .pixels = REFERENCE_PIXELS, .threshold = rw_bench_threshold(REFERENCE_PIXELS), .timed = 1};
    rw_view_tree_size size;
    double min_s[RW_VIEW_STAGES];
    int runs = at->context->backend == RW_BACKEND_CUDA ? 3 : 1;
    for (int run = 0; run < runs; run++) {
        RW_TRY(rw_images_solve(&at->rays, &at->points, &options, at->sums, &size));
        for (int i = 0; i < RW_VIEW_STAGES; i++)
            min_s[i] = run ? fmin(min_s[i], size.seconds[i]) : size.seconds[i];
    }
    for (int i = 0; i < RW_VIEW_STAGES; i++) {
        char name[64];
        snprintf(name, sizeof name, "depth %d, %s, %s", depth, words[i], rw_context_backend(at->context));
        rw_bench_add_result(bench, STAGES, name, min_s[i] * 1e3, "ms", NAN, NAN, "2048 px, stages waited for");
    }
    return bench_hidden(bench, at, options, &size);
}

/* Four times the receivers: less than four times the time, since they share the views. */
static rw_status bench_receivers(const rw_bench *bench, rw_bench_office *at)
{
    rw_points dense;
    rw_ray_sums *sums = NULL;
    rw_view_tree_size size;
    double few_s, many_s;
    char name[64];
    RW_TRY(rw_bench_time_images(at, &at->points, 1024, 3, 0, at->sums, &size, &few_s));
    RW_TRY(rw_bench_office_receivers(at, 6, &dense));
    rw_status status = rw_array_create(at->context, dense.view.count, sizeof *sums, "sums", &sums);
    if (status == RW_OK)
        status = rw_bench_time_images(at, &dense, 1024, 3, 0, sums, &size, &many_s);
    snprintf(name, sizeof name, "time for 4 times the receivers, %s", rw_context_backend(at->context));
    if (status == RW_OK)
        rw_bench_add_result(bench, RECEIVERS, name, many_s / few_s, "times", NAN, 4,
                            "depth 3, 1024 px; linear would be 4");
    free(sums);
    rw_points_destroy(&dense);
    return status;
}

/* One building of the comparison over surfaces, pixels and receivers. */
typedef struct office_building {
    const char *name;
    rw_bench_office_plan plan;
} office_building;

/* Both models with one thing changed: pixels and rays go together, at ray equivalency. */
static rw_status report_scaling(const rw_bench *bench, rw_bench_office *at, const char *building, const char *over,
                                uint32_t pixels, uint32_t per_m, double x)
{
    rw_points points;
    rw_ray_sums *sums = NULL, *by_rays = NULL;
    rw_view_tree_size size;
    size_t subdivisions = (size_t)(sqrt(0.6 * pixels * pixels) + 0.5); /* 10 parts^2 = 6 pixels^2 */
    double images_s = 0, sbr_s = 0;
    rw_bench_check check = {.against = "the other model", .allowed = 0.5, .unit = "dB, median of power"};
    RW_TRY(rw_bench_office_receivers(at, per_m, &points));
    size_t count = points.view.count;
    rw_status status = rw_array_create(at->context, count, sizeof *sums, "sums", &sums);
    if (status == RW_OK)
        status = rw_array_create(at->context, count, sizeof *by_rays, "sums", &by_rays);
    if (status == RW_OK)
        status = rw_bench_time_images(at, &points, pixels, 2, 0, sums, &size, &images_s);
    if (status == RW_OK)
        status = rw_bench_time_sbr(at, &points, subdivisions, 2, 0, by_rays, NULL, &sbr_s);
    if (status == RW_OK)
        status = rw_bench_power_error(at->context, sums, by_rays, count, &check.difference);
    const double seconds[2] = {images_s, sbr_s};
    static const char *const models[2] = {"images", "sbr"};
    for (int i = 0; status == RW_OK && i < 2; i++) {
        char name[64], curve[64], note[160];
        snprintf(name, sizeof name, "%s, %s, %g %s", models[i], building, x, over);
        int all = strcmp(over, "surfaces") == 0; /* one curve over the buildings */
        snprintf(curve, sizeof curve, "%s, %s, %s", models[i], all ? "all buildings" : building,
                 rw_context_backend(at->context));
        snprintf(note, sizeof note, "%s, depth 2, %u surfaces, %u px or %zu rays, %zu receivers",
                 rw_context_backend(at->context), at->rays.surfaces.view.surface_count, pixels,
                 10 * subdivisions * subdivisions + 2, count);
        rw_bench line = rw_bench_checked(bench, check);
        line = rw_bench_on_curve(&line, curve, x, over);
        rw_bench_add_result(&line, SCALING, name, seconds[i] * 1e3, "ms", NAN, NAN, note);
    }
    free(sums);
    free(by_rays);
    rw_points_destroy(&points);
    return status;
}

/* Three buildings of ever more surfaces, each over pixels and over receivers. */
static rw_status bench_scaling(const rw_bench *bench, rw_context *context)
{
    static const office_building buildings[] = {
        {"one floor", {40, 20, 1, 1, 3}}, {"three floors", {40, 20, 3, 2, 3}}, {"large floor", {120, 60, 1, 3, 1}}};
    const uint32_t default_pixels = context->backend == RW_BACKEND_CUDA ? 1024 : 128;
    rw_status status = RW_OK;
    for (size_t i = 0; status == RW_OK && i < sizeof buildings / sizeof *buildings; i++) {
        rw_bench_office at;
        const office_building *one = &buildings[i];
        uint32_t per_m = one->plan.per_m;
        status = rw_bench_office_open(context, &one->plan, &at);
        if (status == RW_OK)
            status = report_scaling(bench, &at, one->name, "surfaces", default_pixels, per_m,
                                    at.rays.surfaces.view.surface_count);
        for (uint32_t pixels = default_pixels / 2; status == RW_OK && pixels <= 2 * default_pixels; pixels *= 2)
            status = report_scaling(bench, &at, one->name, "pixels", pixels, per_m, pixels);
        for (uint32_t times = 1; status == RW_OK && times <= 4; times *= 2)
            status = report_scaling(bench, &at, one->name, "receivers", default_pixels, times * per_m,
                                    at.plan.width_m * at.plan.depth_m * times * per_m * times * per_m);
        rw_bench_office_close(&at);
    }
    return status;
}

static rw_status bench_office(const rw_bench *bench, rw_context *context)
{
    rw_bench_office at;
    int gpu = context->backend == RW_BACKEND_CUDA, deepest = gpu ? 10 : 6;
    rw_bench_office_plan plan = rw_bench_office_paper(0);
    rw_status status = rw_bench_office_open(context, &plan, &at);
    for (int depth = 1; status == RW_OK && rw_bench_wants(bench, GROUP, GROUP) && depth <= deepest; depth++)
        status = bench_depth(bench, &at, depth);
    for (int depth = 3; status == RW_OK && rw_bench_wants(bench, STAGES, STAGES) && depth <= 6; depth += 3)
        status = bench_stages(bench, &at, depth);
    if (status == RW_OK && rw_bench_wants(bench, RECEIVERS, RECEIVERS))
        status = bench_receivers(bench, &at);
    rw_bench_office_close(&at);
    if (status == RW_OK && rw_bench_wants(bench, SCALING, SCALING))
        status = bench_scaling(bench, context);
    return status;
}

rw_status rw_bench_images(const rw_bench *bench)
{
    RW_TRY(rw_bench_measured_office(bench));
    if (rw_bench_wants(bench, GROUP " " RECEIVERS " " STAGES " " SCALING, GROUP))
        RW_TRY(rw_bench_each_backend(bench, bench_office));
    return rw_bench_images_figures(bench);
}
