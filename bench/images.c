/* The images model and the rays it is compared with: time against depth (the paper's Figures 4 and 6), size of the tree
 * against pixels and depth (Figure 5), and the measured office.
 *
 * Office of 40 x 20 m, 7 200 receivers at 1.1 m, a dipole inclined by 45 degrees 2.2 m above the floor at 2.5 GHz. Each
 * result is checked against the map of 2048 pixels before it is timed. Limit of a map: writing each pixel drawn once, 2
 * bytes, at the memory's speed. */
#include "bench/bench.h"

#include "base/memory.h"
#include "bench/images.h"
#include "discretise/prepared.h"
#include "models/images/images.h"
#include "models/sbr/sbr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the group by themselves: --only images-accuracy. */
#define GROUP "images"
#define ACCURACY "images-accuracy"
#define RAYS "images-rays"
#define TREE "images-tree"
#define RECEIVERS "images-receivers"
#define STAGES "images-stages"
#define REFERENCE_PIXELS 2048

/* The office and everything that both models need. */
typedef struct office {
    rw_context *context;
    rw_scene *scene;
    rw_ray_scene rays;
    rw_points points;
    rw_ray_sums *sums, *reference;
} office;

static void close_office(office *at)
{
    free(at->sums);
    free(at->reference);
    rw_points_destroy(&at->points);
    rw_ray_scene_destroy(&at->rays);
    rw_scene_destroy(at->scene);
}

/* So many a metre along both sides; those inside walls are left out. */
static rw_status place_receivers(const office *at, uint32_t per_m, rw_points *points)
{
    rw_vec2 centre = at->scene->prepared->grid.centre;
    rw_vec3 *places;
    uint32_t *cells, columns = 40 * per_m, all = columns * 20 * per_m;
    size_t count = 0;
    RW_TRY(rw_array_create(at->context, all, sizeof *places, "receivers", &places));
    rw_status status = rw_array_create(at->context, all, sizeof *cells, "receivers", &cells);
    for (uint32_t i = 0; status == RW_OK && i < all; i++) {
        rw_vec3 place = rw_vec3_make((i % columns + 0.5) / per_m - at->scene->origin.x - centre.x,
                                     ((uint32_t)(i / columns) + 0.5) / per_m - at->scene->origin.y - centre.y, 1.1);
        if (rw_ray_scene_inside(&at->rays, place) != RW_NO_SURFACE)
            continue;
        places[count] = place;
        cells[count++] = i;
    }
    if (status == RW_OK)
        status = rw_points_create(at->context, places, cells, count, points);
    free(places);
    free(cells);
    return status;
}

static rw_status open_office(rw_context *context, office *at)
{
    rw_office_options options;
    rw_transmitter dipole;
    rw_antenna *antenna;
    rw_office_options_init(&options);
    rw_transmitter_init(&dipole);
    dipole.roll_deg = 45;
    *at = (office){.context = context};
    RW_TRY(rw_generate_office(context, &options, &at->scene));
    RW_TRY(rw_scene_commit(at->scene));
    RW_TRY(rw_ray_scene_create(at->scene, 2.5e9, 0, &at->rays));
    RW_TRY(rw_antenna_create(context, "dipole", &antenna));
    rw_vec2 centre = at->scene->prepared->grid.centre;
    rw_vec3 source = rw_vec3_make(2 - at->scene->origin.x - centre.x, 10.5 - at->scene->origin.y - centre.y, 2.2);
    rw_status status = rw_ray_scene_place(&at->rays, antenna, &dipole, source);
    rw_antenna_destroy(antenna);
    RW_TRY(status);
    RW_TRY(place_receivers(at, 3, &at->points));
    RW_TRY(rw_array_create(context, at->points.view.count, sizeof *at->sums, "sums", &at->sums));
    return rw_array_create(context, at->points.view.count, sizeof *at->reference, "sums", &at->reference);
}

static uint32_t threshold_of(uint32_t pixels)
{
    return pixels < 256 ? 1 : pixels / 256 * (pixels / 256);
}

/* Least seconds of some runs, as many as a second allows. */
static rw_status time_images(office *at, const rw_points *points, uint32_t pixels, int depth, rw_ray_sums *sums,
                             rw_view_tree_size *size, double *seconds)
{
    rw_images_options options = {.depth = depth, .pixels = pixels, .threshold = threshold_of(pixels)};
    *seconds = INFINITY;
    double spent_s = 0;
    for (int i = 0; i < 5 && (i < 1 || spent_s < 1); i++) {
        double start_s = rw_seconds();
        RW_TRY(rw_images_solve(&at->rays, points, &options, sums, size));
        double took_s = rw_seconds() - start_s;
        *seconds = fmin(*seconds, took_s);
        spent_s += took_s;
    }
    return RW_OK;
}

static rw_status time_sbr(office *at, size_t parts, int depth, double *seconds)
{
    double start_s = rw_seconds();
    RW_TRY(rw_sbr_solve(&at->rays, &at->points, parts, depth, 0, at->sums));
    *seconds = rw_seconds() - start_s;
    return RW_OK;
}

/* Root mean square difference of the field from the reference, relative to free space. */
static double error_of(const office *at)
{
    double sum = 0;
    for (size_t i = 0; i < at->points.view.count; i++) {
        double re = (double)(at->sums[i].re - at->reference[i].re) / RW_RAY_AMPLITUDE_UNITS;
        double im = (double)(at->sums[i].im - at->reference[i].im) / RW_RAY_AMPLITUDE_UNITS;
        sum += re * re + im * im;
    }
    return sqrt(sum / (double)at->points.view.count);
}

static size_t views_of(const rw_view_tree_size *size)
{
    size_t views = 0;
    for (int i = 1; i <= RW_IMAGE_DEPTH_MAX; i++)
        views += size->views[i];
    return views;
}

static double drawn_bytes(const rw_view_tree_size *size)
{
    double pixels = 0;
    for (int i = 0; i <= RW_IMAGE_DEPTH_MAX; i++)
        pixels += (double)size->pixels[i];
    return 2 * pixels;
}

/* The receiver nearest to the transmitter must have it in sight: about free space. */
static rw_status check_nearest(const office *at)
{
    size_t nearest = 0;
    double least_m = INFINITY;
    for (size_t i = 0; i < at->points.view.count; i++) {
        double distance_m = rw_vec3_length(rw_vec3_sub(at->points.places[i], at->rays.world.source));
        nearest = distance_m < least_m ? i : nearest;
        least_m = fmin(distance_m, least_m);
    }
    double power = rw_ray_sums_power(&at->reference[nearest], RW_RAY_SUM_POWER);
    if (at->reference[nearest].count > 0 && power > 0.01 && power < 20)
        return RW_OK;
    return rw_fail(at->context, RW_INTERNAL, "the receiver nearest to the transmitter has %g times free space", power);
}

/* Figure 4 in small, and the targets: a map of 2 048 pixels at each depth. */
static rw_status bench_depth(const rw_bench *bench, office *at, int depth)
{
    rw_view_tree_size size;
    double seconds, target = NAN;
    int gpu = at->context->backend == RW_BACKEND_CUDA;
    char name[64], note[160];
    RW_TRY(time_images(at, &at->points, REFERENCE_PIXELS, depth, at->reference, &size, &seconds));
    RW_TRY(check_nearest(at));
    if (depth == 3 || depth == 6)
        target = (gpu ? 1 : depth == 3 ? 50 : 100) * (depth == 3 ? 10 : 100);
    double limit_s = drawn_bytes(&size) / (gpu ? 4.8e12 : 2e10);
    snprintf(name, sizeof name, "office, depth %d, 2048 px, %s", depth, rw_context_backend(at->context));
    snprintf(note, sizeof note, "%zu views; limit: 2 bytes a pixel drawn", views_of(&size));
    rw_bench_tell(bench, GROUP, name, seconds * 1e3, "ms", limit_s * 1e3, target, note);
    return RW_OK;
}

/* Where a map's time goes: each stage waited for, so that they add up to a little more than the map takes. */
static rw_status bench_stages(const rw_bench *bench, office *at, int depth)
{
    static const char *const words[] = {
#define WORD(name, word) word,
        RW_VIEW_STAGE_MAP(WORD)
#undef WORD
    };
    rw_images_options options = {
        .depth = depth, .pixels = REFERENCE_PIXELS, .threshold = threshold_of(REFERENCE_PIXELS), .timed = 1};
    rw_view_tree_size size;
    double least[RW_VIEW_STAGES];
    int runs = at->context->backend == RW_BACKEND_CUDA ? 3 : 1;
    for (int run = 0; run < runs; run++) {
        RW_TRY(rw_images_solve(&at->rays, &at->points, &options, at->sums, &size));
        for (int i = 0; i < RW_VIEW_STAGES; i++)
            least[i] = run ? fmin(least[i], size.seconds[i]) : size.seconds[i];
    }
    for (int i = 0; i < RW_VIEW_STAGES; i++) {
        char name[64];
        snprintf(name, sizeof name, "depth %d, %s, %s", depth, words[i], rw_context_backend(at->context));
        rw_bench_tell(bench, STAGES, name, least[i] * 1e3, "ms", NAN, NAN, "2048 px, stages waited for");
    }
    return RW_OK;
}

/* Figure 6: rays, ever more of them, until they come as near to the reference as few pixels do, or until they have
 * taken twice as long without: then they are slower for that error, whatever they would need. */
static rw_status bench_accuracy(const rw_bench *bench, office *at, int depth)
{
    int gpu = at->context->backend == RW_BACKEND_CUDA;
    const uint32_t pixels = 512;
    double images_s, error, sbr_s = 0, sbr_error = INFINITY;
    size_t parts = gpu ? 64 : 16;
    rw_view_tree_size size;
    char name[64], note[160];
    RW_TRY(time_images(at, &at->points, pixels, depth, at->sums, &size, &images_s));
    error = error_of(at);
    for (;; parts += parts / 2) {
        RW_TRY(time_sbr(at, parts, depth, &sbr_s));
        sbr_error = error_of(at);
        if (sbr_error <= error || sbr_s > 2 * images_s)
            break;
    }
    snprintf(name, sizeof name, "office, depth %d, 512 px, %s", depth, rw_context_backend(at->context));
    snprintf(note, sizeof note, "rms error %.2g of free space", error);
    rw_bench_tell(bench, ACCURACY, name, images_s * 1e3, "ms", NAN, NAN, note);
    snprintf(name, sizeof name, "sbr for that error, depth %d, %s", depth, rw_context_backend(at->context));
    snprintf(note, sizeof note, "%zu rays, rms error %.2g; %s; target: images", 10 * parts * parts + 2, sbr_error,
             sbr_error > error  ? "not reached in this time, images is faster"
             : sbr_s > images_s ? "images is faster"
                                : "sbr is faster");
    rw_bench_tell(bench, ACCURACY, name, sbr_s * 1e3, "ms", NAN, images_s * 1e3, note);
    return RW_OK;
}

/* Figure 5: the tree against pixels. */
static rw_status bench_tree(const rw_bench *bench, office *at, int depth)
{
    static const uint32_t sizes[] = {128, 256, 512, 1024, 2048};
    rw_points one;
    uint32_t cell = 0;
    RW_TRY(rw_points_create(at->context, at->points.places, &cell, 1, &one));
    rw_status status = RW_OK;
    for (size_t i = 0; status == RW_OK && i < sizeof sizes / sizeof *sizes; i++) {
        rw_images_options options = {.depth = depth, .pixels = sizes[i], .threshold = threshold_of(sizes[i])};
        rw_view_tree_size size;
        rw_ray_sums sums;
        char name[64];
        status = rw_images_solve(&at->rays, &one, &options, &sums, &size);
        snprintf(name, sizeof name, "tree, depth %d, %u px", depth, sizes[i]);
        if (status == RW_OK)
            rw_bench_tell(bench, TREE, name, (double)views_of(&size), "views", NAN, NAN,
                          "reflections and transmissions (Figure 5)");
    }
    rw_points_destroy(&one);
    return status;
}

/* Four times the receivers: less than four times the time, since they share the views. */
static rw_status bench_receivers(const rw_bench *bench, office *at)
{
    rw_points dense;
    rw_ray_sums *sums = NULL;
    rw_view_tree_size size;
    double few_s, many_s;
    char name[64];
    RW_TRY(time_images(at, &at->points, 1024, 3, at->sums, &size, &few_s));
    RW_TRY(place_receivers(at, 6, &dense));
    rw_status status = rw_array_create(at->context, dense.view.count, sizeof *sums, "sums", &sums);
    if (status == RW_OK)
        status = time_images(at, &dense, 1024, 3, sums, &size, &many_s);
    snprintf(name, sizeof name, "time for 4 times the receivers, %s", rw_context_backend(at->context));
    if (status == RW_OK)
        rw_bench_tell(bench, RECEIVERS, name, many_s / few_s, "times", NAN, 4, "depth 3, 1024 px; linear would be 4");
    free(sums);
    rw_points_destroy(&dense);
    return status;
}

/* Figure 4: as many rays as the paper launched, and as many pixels (six times as many rays as a view has pixels); on
 * the CPU a hundredth of both. */
static rw_status bench_rays(const rw_bench *bench, office *at, int depth)
{
    int gpu = at->context->backend == RW_BACKEND_CUDA;
    uint32_t pixels = gpu ? 5288 : 528;
    size_t parts = gpu ? 4096 : 409;
    double images_s, sbr_s;
    rw_view_tree_size size;
    char name[64], note[160];
    RW_TRY(time_images(at, &at->points, pixels, depth, at->sums, &size, &images_s));
    snprintf(name, sizeof name, "ray equivalence, depth %d, %u px", depth, pixels);
    rw_bench_tell(bench, RAYS, name, images_s * 1e3, "ms", NAN, NAN, "Figure 4");
    RW_TRY(time_sbr(at, parts, depth, &sbr_s));
    snprintf(name, sizeof name, "ray equivalence, depth %d, sbr", depth);
    snprintf(note, sizeof note, "%zu rays, Figure 4", 10 * parts * parts + 2);
    rw_bench_tell(bench, RAYS, name, sbr_s * 1e3, "ms", NAN, NAN, note);
    return RW_OK;
}

static rw_status bench_office(const rw_bench *bench, rw_context *context)
{
    office at;
    int gpu = context->backend == RW_BACKEND_CUDA, deepest = gpu ? 10 : 6;
    rw_status status = open_office(context, &at);
    for (int depth = 1; status == RW_OK && depth <= deepest; depth++) {
        int accuracy = rw_bench_wants(bench, ACCURACY, ACCURACY);
        if (accuracy || rw_bench_wants(bench, GROUP, GROUP))
            status = bench_depth(bench, &at, depth);
        if (status == RW_OK && accuracy)
            status = bench_accuracy(bench, &at, depth);
    }
    for (int depth = 2; status == RW_OK && rw_bench_wants(bench, TREE, TREE) && !gpu && depth <= 6; depth += 2)
        status = bench_tree(bench, &at, depth);
    for (int depth = 3; status == RW_OK && rw_bench_wants(bench, STAGES, STAGES) && depth <= 6; depth += 3)
        status = bench_stages(bench, &at, depth);
    if (status == RW_OK && rw_bench_wants(bench, RECEIVERS, RECEIVERS))
        status = bench_receivers(bench, &at);
    for (int depth = 1; status == RW_OK && rw_bench_wants(bench, RAYS, RAYS) && depth <= (gpu ? 5 : 3); depth++)
        status = bench_rays(bench, &at, depth);
    close_office(&at);
    return status;
}

rw_status rw_bench_images(const rw_bench *bench)
{
    RW_TRY(rw_bench_measured_office(bench));
    if (!rw_bench_wants(bench, GROUP " " ACCURACY " " RAYS " " TREE " " RECEIVERS " " STAGES, GROUP))
        return RW_OK;
    return rw_bench_each_backend(bench, bench_office);
}
