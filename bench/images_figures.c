/* Figures 4 to 6 of Novak (2016): time over interactions at ray equivalency and with fewer pixels, size of the image
 * tree over pixels, and both models at equal accuracy.
 *
 * Times are of a whole map of one transmitter with its initialisation (surfaces, trees, tables, receivers), as in the
 * paper. What takes longer than the limit is cut, the line says where, and deeper ones are left out. Equal accuracy is
 * measured against what is not the images model: exhaustive enumeration in a small office, and in the office of the
 * paper rays that are doubled until they no longer change. */
#include "bench/enumerate_paths.h"
#include "bench/groups.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RAYS "images-rays"
#define TREE "images-tree"
#define ACCURACY "images-accuracy"
#define DEEPEST 10

/* Longest time of one measurement. */
static double find_time_limit(const rw_bench *bench, const rw_context *context)
{
    if (bench->tiny)
        return 0.3;
    return bench->limit_s > 0 ? bench->limit_s : context->backend == RW_BACKEND_CUDA ? 120 : 10;
}

/* One line of Figure 4 or 6 at one depth. */
typedef struct timed {
    double solve_s;
    int cut;
    char note[160];
} timed;

static rw_status time_rays(rw_bench_office *at, size_t subdivisions, int depth, double limit_s, timed *new_timed)
{
    size_t launched, count = 10 * subdivisions * subdivisions + 2;
    RW_TRY(rw_bench_time_sbr(at, &at->points, subdivisions, depth, limit_s, at->reference, &launched,
                             &new_timed->solve_s));
    new_timed->cut = launched < count;
    if (new_timed->cut)
        snprintf(new_timed->note, sizeof new_timed->note,
                 "%zu rays, cut after %zu (%.3g %%); %.3g s of it initialisation", count, launched,
                 100.0 * (double)launched / (double)count, at->opened_s);
    else
        snprintf(new_timed->note, sizeof new_timed->note, "%zu rays; %.3g s of it initialisation", count, at->opened_s);
    return RW_OK;
}

static rw_status time_pixels(rw_bench_office *at, uint32_t pixels, int depth, double limit_s, timed *new_timed)
{
    rw_view_tree_size size;
    RW_TRY(rw_bench_time_images(at, &at->points, pixels, depth, limit_s, at->sums, &size, &new_timed->solve_s));
    new_timed->cut = size.cut;
    if (new_timed->cut)
        snprintf(new_timed->note, sizeof new_timed->note, "cut after %.3g %% of the tree; %.3g s of it initialisation",
                 100 * size.done, at->opened_s);
    else
        snprintf(new_timed->note, sizeof new_timed->note, "%zu views; %.3g s of it initialisation",
                 rw_bench_tree_size(&size, depth), at->opened_s);
    return RW_OK;
}

static void report_timed_map(const rw_bench *bench, const rw_bench_office *at, const char *what, int depth,
                             const timed *new_timed)
{
    char name[64], curve[64];
    snprintf(curve, sizeof curve, "%s, %s", what, rw_context_backend(at->context));
    rw_bench on = *bench;
    if (!new_timed->cut) /* what was cut is no point of the curve */
        on = rw_bench_on_curve(bench, curve, depth, "interactions");
    snprintf(name, sizeof name, "%s, depth %d, %s", what, depth, rw_context_backend(at->context));
    rw_bench_add_result(&on, RAYS, name, (at->opened_s + new_timed->solve_s) * 1e3, "ms", NAN, NAN, new_timed->note);
}

/* Up to which depth images are faster than the rays: what Figures 4 and 6 show. */
static void report_crossing(const rw_bench *bench, const rw_bench_office *at, const double rays_s[],
                            const double images_s[], uint32_t pixels, int figure)
{
    int faster = 0, measured = 0;
    char name[64], note[160];
    for (int depth = 1; depth <= DEEPEST && rays_s[depth] > 0 && images_s[depth] > 0; depth++) {
        measured = depth;
        if (images_s[depth] < rays_s[depth])
            faster = depth;
    }
    if (measured == 0)
        return;
    snprintf(name, sizeof name, "images, 6 x %u^2 px, faster than sbr up to depth, %s", pixels,
             rw_context_backend(at->context));
    snprintf(note, sizeof note, "the paper, Figure %d: %d; both measured to depth %d%s", figure, figure == 4 ? 5 : 10,
             measured, faster == measured && measured < DEEPEST ? ", no crossing up to there" : "");
    rw_bench_add_result(bench, RAYS, name, faster, "interactions", NAN, NAN, note);
}

/* Rays first: where they are done, pixels are compared with them. */
static rw_status bench_equivalent(const rw_bench *bench, rw_bench_office *at)
{
    const size_t subdivisions = bench->tiny ? 48 : 4096;
    const uint32_t pixels[2] = {bench->tiny ? 62u : 5288u, bench->tiny ? 32u : 2048u};
    int cut[3] = {0, 0, 0};
    double times_s[3][DEEPEST + 1] = {{0}};
    double limit_s = find_time_limit(bench, at->context);
    for (int depth = 1; depth <= (bench->tiny ? 2 : DEEPEST) && !(cut[0] && cut[1] && cut[2]); depth++) {
        timed rays = {.cut = 1};
        char what[48];
        if (!cut[2]) {
            RW_TRY(time_rays(at, subdivisions, depth, limit_s, &rays));
            snprintf(what, sizeof what, "sbr, %zu rays", 10 * subdivisions * subdivisions + 2);
            report_timed_map(bench, at, what, depth, &rays);
            times_s[2][depth] = rays.cut ? 0 : at->opened_s + rays.solve_s;
        }
        for (int i = 0; i < 2; i++) {
            timed new_timed = {0};
            rw_bench line = *bench;
            if (cut[i])
                continue;
            RW_TRY(time_pixels(at, pixels[i], depth, limit_s, &new_timed));
            if (!rays.cut && !new_timed.cut) {
                rw_bench_check check = {.against = "these rays", .allowed = 0.5, .unit = "dB, median of power"};
                RW_TRY(rw_bench_power_error(at->context, at->sums, at->reference, at->points.view.count,
                                            &check.difference));
                line = rw_bench_checked(bench, check);
            }
            snprintf(what, sizeof what, "images, 6 x %u^2 px", pixels[i]);
            report_timed_map(&line, at, what, depth, &new_timed);
            times_s[i][depth] = new_timed.cut ? 0 : at->opened_s + new_timed.solve_s;
            cut[i] = new_timed.cut;
        }
        cut[2] = rays.cut;
    }
    for (int i = 0; i < 2; i++)
        report_crossing(bench, at, times_s[2], times_s[i], pixels[i], i ? 6 : 4);
    return RW_OK;
}

/* Figure 5: one walk at the largest depth that there is time for tells the size at all smaller ones. */
static rw_status bench_view_tree(const rw_bench *bench, const rw_bench_office *at, uint32_t pixels)
{
    rw_view_tree_options options = {.source = at->rays.view.source,
                                    .pixels = pixels,
                                    .threshold = rw_bench_threshold(pixels),
                                    .limit_s = find_time_limit(bench, at->context)};
    rw_view_tree_size size, complete = {0};
    char name[64], curve[64], note[160];
    int deepest = 0;
    for (double took_s = 0; deepest < (bench->tiny ? 2 : DEEPEST) && 4 * took_s < options.limit_s; deepest++) {
        double start_s = rw_seconds();
        options.depth = deepest + 1;
        RW_TRY(rw_view_tree_walk(at->context, at->rays.backend, &at->rays.view.surfaces, at->rays.view.slabs, &options,
                                 NULL, NULL, &size));
        took_s = rw_seconds() - start_s;
        if (size.cut)
            break;
        complete = size;
    }
    for (int depth = 1; depth <= deepest; depth++) {
        snprintf(name, sizeof name, "tree, depth %d, %u px, %s", depth, pixels, rw_context_backend(at->context));
        snprintf(curve, sizeof curve, "depth %d", depth);
        snprintf(note, sizeof note, "reflections and transmissions (Figure 5)%s",
                 depth == deepest && deepest < DEEPEST && !bench->tiny
                     ? "; deeper ones would take longer than the limit"
                     : "");
        rw_bench on = rw_bench_on_curve(bench, curve, pixels, "pixels along a side of a view");
        rw_bench_add_result(&on, TREE, name, (double)rw_bench_tree_size(&complete, depth), "views", NAN, NAN, note);
    }
    return RW_OK;
}

/* The images model at so many pixels, then rays, ever more of them, until they are as near to the reference or the time
 * is over. uncertain: by how much the reference itself may be off. */
static rw_status bench_race(const rw_bench *bench, rw_bench_office *at, const char *where, const char *against,
                            double uncertain, int depth, uint32_t pixels)
{
    size_t count = at->points.view.count, subdivisions = 16, launched;
    double images_s, error, sbr_s = 0, sbr_error = INFINITY, limit_s = find_time_limit(bench, at->context);
    rw_view_tree_size size;
    char name[64], note[160];
    RW_TRY(rw_bench_time_images(at, &at->points, pixels, depth, 0, at->sums, &size, &images_s));
    error = rw_bench_field_error(at->sums, at->reference, count);
    rw_bench_check check = {against, error, fmax(0.05, 2 * uncertain), "of free space, RMS of the field"};
    rw_bench line = rw_bench_checked(bench, check);
    snprintf(name, sizeof name, "%s, depth %d, %u px, %s", where, depth, pixels, rw_context_backend(at->context));
    snprintf(note, sizeof note, "%zu of %zu receivers have other paths; the reference is known to %.2g",
             rw_bench_other_counts(at->sums, at->reference, count), count, uncertain);
    rw_bench_add_result(&line, ACCURACY, name, images_s * 1e3, "ms", NAN, NAN, note);
    int done = 0;
    for (; !done; subdivisions += subdivisions / 2) {
        memset(at->sums, 0, count * sizeof *at->sums);
        RW_TRY(rw_bench_time_sbr(at, &at->points, subdivisions, depth, limit_s, at->sums, &launched, &sbr_s));
        sbr_error = rw_bench_field_error(at->sums, at->reference, count);
        done = sbr_error <= fmax(error, uncertain) || launched < 10 * subdivisions * subdivisions + 2 ||
               3 * sbr_s > limit_s;
        if (done)
            break;
    }
    rw_bench_check of_rays = {against, sbr_error, INFINITY, "of free space, RMS of the field"};
    line = rw_bench_checked(bench, of_rays);
    snprintf(name, sizeof name, "sbr, %s, depth %d, %s", where, depth, rw_context_backend(at->context));
    snprintf(note, sizeof note, "%zu rays; %zu of %zu receivers have other paths; %s",
             10 * subdivisions * subdivisions + 2, rw_bench_other_counts(at->sums, at->reference, count), count,
             sbr_error > fmax(error, uncertain) ? "error not reached within the limit of time"
             : sbr_s > images_s                 ? "as near as images, which is faster"
                                                : "as near as images, and faster");
    rw_bench_add_result(&line, ACCURACY, name, sbr_s * 1e3, "ms", NAN, images_s * 1e3, note);
    return RW_OK;
}

/* A small office: every sequence of surfaces tried. */
static rw_status bench_enumerated(const rw_bench *bench, rw_context *context)
{
    rw_bench_office at;
    rw_bench_office_plan plan = rw_bench_office_paper(1);
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
    rw_status status = rw_bench_office_open(context, &plan, &at);
    for (int depth = 1; status == RW_OK && depth <= 2; depth++) {
        memset(at.reference, 0, at.points.view.count * sizeof *at.reference);
        enumerate_paths(&at.rays, &at.points, depth, steps, 0, at.reference);
        status = bench_race(bench, &at, "small office", "every sequence of surfaces", 1e-4, depth, 512);
    }
    rw_bench_office_close(&at);
    return status;
}

/* Rays doubled until the field changes by less than a hundredth of free space or the time is over. */
static rw_status converge_rays(const rw_bench *bench, rw_bench_office *at, int depth, double *change)
{
    size_t count = at->points.view.count, launched;
    double took_s = 0, limit_s = find_time_limit(bench, at->context);
    *change = INFINITY;
    for (size_t subdivisions = 128; *change > 0.01 && 5 * took_s < limit_s; subdivisions *= 2) {
        memset(at->sums, 0, count * sizeof *at->sums);
        RW_TRY(rw_bench_time_sbr(at, &at->points, subdivisions, depth, limit_s, at->sums, &launched, &took_s));
        if (launched < 10 * subdivisions * subdivisions + 2)
            break;
        if (subdivisions > 128)
            *change = rw_bench_field_error(at->sums, at->reference, count);
        memcpy(at->reference, at->sums, count * sizeof *at->sums);
    }
    return RW_OK;
}

static rw_status bench_converged(const rw_bench *bench, rw_bench_office *at)
{
    for (int depth = 1; depth <= (bench->tiny ? 1 : 4); depth++) {
        double change;
        RW_TRY(converge_rays(bench, at, depth, &change));
        if (isinf(change))
            break;
        RW_TRY(bench_race(bench, at, bench->tiny ? "small office" : "office", "converged rays", change, depth, 512));
    }
    return RW_OK;
}

static rw_status in_office(const rw_bench *bench, rw_context *context,
                           rw_status (*run)(const rw_bench *bench, rw_bench_office *at))
{
    rw_bench_office at;
    rw_bench_office_plan plan = rw_bench_office_paper(bench->tiny);
    rw_status status = rw_bench_office_open(context, &plan, &at);
    if (status == RW_OK)
        status = run(bench, &at);
    rw_bench_office_close(&at);
    return status;
}

static rw_status figure_4(const rw_bench *bench, rw_context *context)
{
    return in_office(bench, context, bench_equivalent);
}

static rw_status bench_view_trees(const rw_bench *bench, rw_bench_office *at)
{
    static const uint32_t sizes[] = {128, 256, 512, 1024, 2048, 4096, 5288};
    for (size_t i = 0; i < (bench->tiny ? 2 : sizeof sizes / sizeof *sizes); i++)
        RW_TRY(bench_view_tree(bench, at, sizes[i]));
    return RW_OK;
}

static rw_status figure_5(const rw_bench *bench, rw_context *context)
{
    return in_office(bench, context, bench_view_trees);
}

static rw_status figure_6(const rw_bench *bench, rw_context *context)
{
    RW_TRY(bench_enumerated(bench, context));
    return in_office(bench, context, bench_converged);
}

rw_status rw_bench_figure_4(const rw_bench *bench)
{
    return rw_bench_each_backend(bench, figure_4);
}

rw_status rw_bench_figure_5(const rw_bench *bench)
{
    return rw_bench_each_backend(bench, figure_5);
}

rw_status rw_bench_figure_6(const rw_bench *bench)
{
    return rw_bench_each_backend(bench, figure_6);
}

rw_status rw_bench_images_figures(const rw_bench *bench)
{
    if (rw_bench_wants(bench, RAYS, RAYS))
        RW_TRY(rw_bench_figure_4(bench));
    if (rw_bench_wants(bench, TREE, TREE))
        RW_TRY(rw_bench_figure_5(bench));
    return rw_bench_wants(bench, ACCURACY, ACCURACY) ? rw_bench_figure_6(bench) : RW_OK;
}
