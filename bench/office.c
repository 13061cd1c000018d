#include "bench/groups.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdlib.h>

rw_bench_office_plan rw_bench_office_paper(int tiny)
{
    return tiny ? (rw_bench_office_plan){.width_m = 8, .depth_m = 6, .storeys = 1, .seed = 1, .per_m = 1}
                : (rw_bench_office_plan){.width_m = 40, .depth_m = 20, .storeys = 1, .seed = 1, .per_m = 3};
}

void rw_bench_office_close(rw_bench_office *at)
{
    free(at->sums);
    free(at->reference);
    rw_points_destroy(&at->points);
    rw_ray_scene_destroy(&at->rays);
    rw_scene_destroy(at->scene);
}

/* Those inside walls are left out. */
rw_status rw_bench_office_receivers(const rw_bench_office *at, uint32_t per_m, rw_points *points)
{
    rw_vec2 centre = at->scene->prepared->grid.centre;
    rw_vec3 *positions;
    uint32_t *cells, columns = (uint32_t)(at->plan.width_m * per_m),
                     all = columns * (uint32_t)(at->plan.depth_m * per_m);
    size_t count = 0;
    RW_TRY(rw_array_create(at->context, all, sizeof *positions, "receivers", &positions));
    rw_status status = rw_array_create(at->context, all, sizeof *cells, "receivers", &cells);
    for (uint32_t i = 0; status == RW_OK && i < all; i++) {
        rw_vec3 position = rw_vec3_of((i % columns + 0.5) / per_m - at->scene->origin.x - centre.x,
                                      ((uint32_t)(i / columns) + 0.5) / per_m - at->scene->origin.y - centre.y, 1.1);
        if (rw_ray_scene_inside(&at->rays, position) != RW_NO_SURFACE)
            continue;
        positions[count] = position;
        cells[count++] = i;
    }
    if (status == RW_OK)
        status = rw_points_create(at->context, positions, cells, count, points);
    free(positions);
    free(cells);
    return status;
}

/* In the corridor that is nearest to the middle: the first place from the entrance on that is not inside a wall. */
static rw_status locate_dipole(rw_bench_office *at)
{
    rw_transmitter dipole;
    rw_antenna *antenna;
    rw_transmitter_init(&dipole);
    dipole.roll_deg = 45;
    rw_vec2 centre = at->scene->prepared->grid.centre;
    rw_vec3 source;
    double x = 0.05 * at->plan.width_m;
    do {
        source = rw_vec3_of(x - at->scene->origin.x - centre.x,
                            0.525 * at->plan.depth_m - at->scene->origin.y - centre.y, 2.2);
        x += 0.1;
    } while (rw_ray_scene_inside(&at->rays, source) != RW_NO_SURFACE && x < at->plan.width_m);
    RW_TRY(rw_antenna_create(at->context, "dipole", &antenna));
    rw_status status = rw_ray_scene_set_transmitter(&at->rays, antenna, &dipole, source);
    rw_antenna_destroy(antenna);
    return status;
}

rw_status rw_bench_office_open(rw_context *context, const rw_bench_office_plan *plan, rw_bench_office *at)
{
    rw_office_options options;
    rw_office_options_init(&options);
    options.width_m = plan->width_m;
    options.depth_m = plan->depth_m;
    options.storeys = plan->storeys;
    options.seed = plan->seed;
    *at = (rw_bench_office){.context = context, .plan = *plan};
    RW_TRY(rw_generate_office(context, &options, &at->scene));
    RW_TRY(rw_scene_commit(at->scene));
    double start_s = rw_seconds();
    RW_TRY(rw_ray_scene_create(at->scene, 2.5e9, 0, &at->rays));
    RW_TRY(locate_dipole(at));
    RW_TRY(rw_bench_office_receivers(at, plan->per_m, &at->points));
    at->opened_s = rw_seconds() - start_s;
    RW_TRY(rw_array_create(context, at->points.view.count, sizeof *at->sums, "sums", &at->sums));
    return rw_array_create(context, at->points.view.count, sizeof *at->reference, "sums", &at->reference);
}

void rw_bench_office_source(const rw_bench_office *at, double *x_m, double *y_m)
{
    rw_vec2 centre = at->scene->prepared->grid.centre;
    *x_m = at->rays.view.source.x + centre.x + at->scene->origin.x;
    *y_m = at->rays.view.source.y + centre.y + at->scene->origin.y;
}

size_t rw_bench_other_counts(const rw_ray_sums *sums, const rw_ray_sums *reference, size_t count)
{
    size_t other = 0;
    for (size_t i = 0; i < count; i++)
        other += sums[i].count != reference[i].count;
    return other;
}

uint32_t rw_bench_threshold(uint32_t pixels)
{
    return pixels < 256 ? 1 : pixels / 256 * (pixels / 256);
}

rw_status rw_bench_time_images(rw_bench_office *at, const rw_points *points, uint32_t pixels, int depth, double limit_s,
                               rw_ray_sums *sums, rw_view_tree_size *size, double *seconds)
{
    rw_images_options options = {
        .depth = depth, .pixels = pixels, .threshold = rw_bench_threshold(pixels), .limit_s = limit_s, .anew = 1};
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

rw_status rw_bench_time_sbr(rw_bench_office *at, const rw_points *points, size_t subdivisions, int depth,
                            double limit_s, rw_ray_sums *sums, size_t *launched, double *seconds)
{
    rw_sbr_settings settings = {.divisions = subdivisions, .depth = depth, .limit_s = limit_s};
    double start_s = rw_seconds();
    RW_TRY(rw_sbr_solve(&at->rays, points, &settings, sums, launched));
    *seconds = rw_seconds() - start_s;
    return RW_OK;
}

double rw_bench_field_error(const rw_ray_sums *sums, const rw_ray_sums *reference, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double re = (double)(sums[i].re - reference[i].re) / RW_RAY_AMPLITUDE_UNITS;
        double im = (double)(sums[i].im - reference[i].im) / RW_RAY_AMPLITUDE_UNITS;
        sum += re * re + im * im;
    }
    return sqrt(sum / (double)count);
}

static int compare_power_errors(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

rw_status rw_bench_power_error(rw_context *context, const rw_ray_sums *sums, const rw_ray_sums *reference, size_t count,
                               double *error_db)
{
    double *errors;
    size_t compared = 0;
    RW_TRY(rw_array_create(context, count + 1, sizeof *errors, "errors", &errors));
    for (size_t i = 0; i < count; i++)
        if (sums[i].power > 0 && reference[i].power > 0)
            errors[compared++] = fabs(10 * log10((double)sums[i].power / (double)reference[i].power));
    qsort(errors, compared, sizeof *errors, compare_power_errors);
    *error_db = compared ? errors[compared / 2] : NAN;
    free(errors);
    return RW_OK;
}

size_t rw_bench_tree_size(const rw_view_tree_size *size, int depth)
{
    size_t views = 0;
    for (int i = 1; i <= depth && i <= RW_IMAGE_DEPTH_MAX; i++)
        views += size->views[i];
    return views;
}
