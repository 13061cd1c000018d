/* Samples are dropped on the posts around them and blurred by a separable kernel; sums of weights and of weighted
 * altitudes go side by side, and their quotient is the mean. Where no sample is near, the same on a grid of twice the
 * spacing takes over, and so on: a pyramid, so that the time stays linear and the surface has no holes and no steps. */
#include "scene/readers/readers.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double post_spacing_m = 50;

/* Weight of the coarser grid against that of a sample at the post: it matters only where samples are far. */
static const double coarse_weight = 1e-4;

#define LEVELS_MAX 48
#define REACH_MAX 64 /* posts */

typedef struct sums {
    double weight, weighted_m;
} sums;

typedef struct level {
    size_t columns, rows;
    sums *posts;
} level;

typedef struct kernel {
    int reach;
    double weight[REACH_MAX + 1];
} kernel;

rw_status rw_ground_samples_add(rw_context *context, rw_ground_samples *samples, const rw_vec2 *corners, size_t count,
                                double altitude_m)
{
    rw_vec2 sum = {0, 0};
    for (size_t i = 0; i < count; i++)
        sum = rw_vec2_of(sum.x + corners[i].x, sum.y + corners[i].y);
    RW_TRY(RW_ARRAY_RESERVE(context, samples->list, 1, "ground altitudes"));
    samples->list.items[samples->list.count++] =
        (rw_ground_sample){{sum.x / (double)count, sum.y / (double)count}, altitude_m};
    return RW_OK;
}

void rw_ground_samples_free(rw_ground_samples *samples)
{
    free(samples->list.items);
    *samples = (rw_ground_samples){0};
}

/* (1 - u^2)^3 has a standard deviation of a third of its reach and is nearly a Gaussian, without a function that rounds
 * differently on other machines. */
static kernel make_kernel(double radius_posts)
{
    double reach = fmin(fmax(3 * radius_posts, 1.5), REACH_MAX);
    kernel new_kernel = {.reach = (int)reach};
    for (int i = 0; i <= new_kernel.reach; i++) {
        double rest = 1 - (i / reach) * (i / reach);
        new_kernel.weight[i] = rest * rest * rest;
    }
    return new_kernel;
}

static void blur_line(const kernel *with, const sums *from, size_t count, size_t stride, sums *line)
{
    for (size_t i = 0; i < count; i++) {
        line[i] = (sums){0, 0};
        size_t first = i < (size_t)with->reach ? 0 : i - (size_t)with->reach;
        for (size_t k = first; k < count && k <= i + (size_t)with->reach; k++) {
            double weight = with->weight[k > i ? k - i : i - k];
            line[i].weight += weight * from[k * stride].weight;
            line[i].weighted_m += weight * from[k * stride].weighted_m;
        }
    }
}

static void blur_grid(const kernel *with, level *grid, sums *line)
{
    for (size_t row = 0; row < grid->rows; row++) {
        sums *from = grid->posts + row * grid->columns;
        blur_line(with, from, grid->columns, 1, line);
        for (size_t i = 0; i < grid->columns; i++)
            from[i] = line[i];
    }
    for (size_t column = 0; column < grid->columns; column++) {
        sums *from = grid->posts + column;
        blur_line(with, from, grid->rows, grid->columns, line);
        for (size_t i = 0; i < grid->rows; i++)
            from[i * grid->columns] = line[i];
    }
}

/* Adds a weighted altitude to the four posts around a place, by its nearness to each. */
static void spread_ground_sample(level *grid, double u, double v, sums dropped)
{
    u = fmin(fmax(u, 0), (double)(grid->columns - 1));
    v = fmin(fmax(v, 0), (double)(grid->rows - 1));
    size_t column = (size_t)u, row = (size_t)v;
    for (size_t corner = 0; corner < 4; corner++) {
        size_t c = column + (corner & 1), r = row + (corner >> 1);
        double fraction = (1 - fabs(u - (double)c)) * (1 - fabs(v - (double)r));
        if (c >= grid->columns || r >= grid->rows || fraction <= 0)
            continue;
        grid->posts[r * grid->columns + c].weight += fraction * dropped.weight;
        grid->posts[r * grid->columns + c].weighted_m += fraction * dropped.weighted_m;
    }
}

/* The mean altitude that a finished level has at a place. */
static double interpolate_level(const level *grid, double u, double v)
{
    size_t column = (size_t)u < grid->columns - 1 ? (size_t)u : grid->columns - 1;
    size_t row = (size_t)v < grid->rows - 1 ? (size_t)v : grid->rows - 1;
    size_t east = column + (column + 1 < grid->columns), north = row + (row + 1 < grid->rows);
    double s = u - (double)column, t = v - (double)row;
    const sums *low = grid->posts + row * grid->columns, *high = grid->posts + north * grid->columns;
    return (1 - t) * ((1 - s) * low[column].weighted_m + s * low[east].weighted_m) +
           t * ((1 - s) * high[column].weighted_m + s * high[east].weighted_m);
}

/* Post (i, j) of a coarser level is post (2 i, 2 j) of the finer one. */
static rw_status add_coarser_levels(rw_context *context, level levels[LEVELS_MAX], size_t *count)
{
    while (levels[*count - 1].columns * levels[*count - 1].rows > 1 && *count < LEVELS_MAX) {
        const level *fine = &levels[*count - 1];
        level *coarse = &levels[(*count)++];
        *coarse = (level){fine->columns / 2 + 1, fine->rows / 2 + 1, NULL};
        if (fine->columns <= 2 && fine->rows <= 2)
            coarse->columns = coarse->rows = 1;
        RW_TRY(rw_array_create(context, coarse->columns * coarse->rows, sizeof *coarse->posts, "the terrain",
                               &coarse->posts));
        for (size_t row = 0; row < fine->rows; row++)
            for (size_t column = 0; column < fine->columns; column++)
                spread_ground_sample(coarse, 0.5 * (double)column, 0.5 * (double)row,
                                     fine->posts[row * fine->columns + column]);
    }
    return RW_OK;
}

/* Sums become means, filled up from the coarser level where there is one. */
static void finish_level(level *grid, const level *coarse)
{
    for (size_t row = 0; row < grid->rows; row++)
        for (size_t column = 0; column < grid->columns; column++) {
            sums *post = &grid->posts[row * grid->columns + column];
            double more = coarse ? coarse_weight : 0;
            double coarse_m = coarse ? interpolate_level(coarse, 0.5 * (double)column, 0.5 * (double)row) : 0;
            post->weighted_m = (post->weighted_m + more * coarse_m) / (post->weight + more);
        }
}

static rw_status finish_levels(rw_context *context, level *levels, size_t count, const kernel *with)
{
    sums *line;
    RW_TRY(rw_array_create(context, levels[0].columns + levels[0].rows, sizeof *line, "the terrain", &line));
    for (size_t l = count; l-- > 0;) {
        blur_grid(with, &levels[l], line);
        finish_level(&levels[l], l + 1 < count ? &levels[l + 1] : NULL);
    }
    free(line);
    return RW_OK;
}

static double spacing_within(double width_m, double depth_m, size_t samples)
{
    double spacing_m = post_spacing_m, max_posts = 4096 + 16 * (double)samples;
    while ((width_m / spacing_m + 2) * (depth_m / spacing_m + 2) > max_posts)
        spacing_m *= 1.25;
    return spacing_m;
}

/* One round: adds the mean of what the raster misses at the samples to it. */
static rw_status add_mean(rw_context *context, const rw_ground_samples *samples, double radius_m, rw_raster *raster,
                          level levels[LEVELS_MAX])
{
    size_t count = 1, posts = raster->columns * raster->rows;
    levels[0] = (level){raster->columns, raster->rows, NULL};
    RW_TRY(rw_array_create(context, posts, sizeof *levels[0].posts, "the terrain", &levels[0].posts));
    for (size_t i = 0; i < samples->list.count; i++) {
        const rw_ground_sample *sample = &samples->list.items[i];
        double missed_m = sample->altitude_m - rw_raster_height_m(raster, sample->at);
        spread_ground_sample(&levels[0], (sample->at.x - raster->x0_m) / raster->dx_m,
                             (sample->at.y - raster->y0_m) / raster->dy_m, (sums){1, missed_m});
    }
    RW_TRY(add_coarser_levels(context, levels, &count));
    kernel with = make_kernel(radius_m / raster->dx_m);
    RW_TRY(finish_levels(context, levels, count, &with));
    for (size_t i = 0; i < posts; i++)
        raster->values[i] += (float)levels[0].posts[i].weighted_m;
    return RW_OK;
}

rw_status rw_ground_samples_smooth(rw_context *context, const rw_ground_samples *samples, rw_vec2 box_min,
                                   rw_vec2 box_max, double radius_m, rw_raster *raster)
{
    double width_m = box_max.x - box_min.x, depth_m = box_max.y - box_min.y;
    double spacing_m = spacing_within(width_m, depth_m, samples->list.count);
    *raster = (rw_raster){.size = sizeof *raster,
                          .columns = (size_t)fmax(ceil(width_m / spacing_m), 1) + 1,
                          .rows = (size_t)fmax(ceil(depth_m / spacing_m), 1) + 1,
                          .x0_m = box_min.x,
                          .y0_m = box_min.y,
                          .dx_m = spacing_m,
                          .dy_m = spacing_m};
    RW_TRY(rw_array_create(context, raster->columns * raster->rows, sizeof *raster->values, "the terrain",
                           &raster->values));
    rw_status status = RW_OK;
    for (int round = 0; round < 2 && status == RW_OK; round++) {
        level levels[LEVELS_MAX] = {{0, 0, NULL}};
        status = add_mean(context, samples, radius_m, raster, levels);
        for (size_t i = 0; i < LEVELS_MAX; i++)
            free(levels[i].posts);
    }
    if (status != RW_OK)
        free(raster->values);
    return status;
}

rw_status rw_ground_samples_set_terrain(rw_scene *scene, const rw_ground_samples *samples, double radius_m)
{
    rw_vec2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < scene->points.count; i++) {
        rw_vec2 at = scene->points.items[i];
        low = rw_vec2_of(fmin(low.x, at.x), fmin(low.y, at.y));
        high = rw_vec2_of(fmax(high.x, at.x), fmax(high.y, at.y));
    }
    for (size_t i = 0; i < scene->panels.count; i++) {
        rw_vec2 p0 = scene->panels.items[i].p0, p1 = scene->panels.items[i].p1;
        low = rw_vec2_of(fmin(low.x, fmin(p0.x, p1.x)), fmin(low.y, fmin(p0.y, p1.y)));
        high = rw_vec2_of(fmax(high.x, fmax(p0.x, p1.x)), fmax(high.y, fmax(p0.y, p1.y)));
    }
    if (samples->list.count == 0 || low.x > high.x)
        return RW_OK;
    rw_raster raster;
    RW_TRY(rw_ground_samples_smooth(scene->context, samples, rw_vec2_add(low, scene->origin),
                                    rw_vec2_add(high, scene->origin), radius_m, &raster));
    rw_status status = rw_scene_set_terrain(scene, &raster);
    free(raster.values);
    return status;
}
