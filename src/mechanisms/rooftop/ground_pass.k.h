/* The terrain under a line as delta-Bullington needs it: one pass over the lines of posts that the line crosses.
 *
 * The terrain is two triangles a cell, so that it is highest under a line where that crosses a line of posts:
 * x = constant, y = constant or a diagonal. The largest slopes are taken over all three, in any order; the trend of the
 * ground over those lines of posts that are crossed most often, by the trapezoidal rule. Beyond its edge the terrain
 * goes on level. */
#ifndef RW_MECHANISMS_ROOFTOP_GROUND_PASS_K_H
#define RW_MECHANISMS_ROOFTOP_GROUND_PASS_K_H

#include "field/edges/delta_bullington.k.h"
#include "visibility/los/sight.k.h"

/* The line over the terrain in units of posts: from the receiver (t = 0) to the source (1). */
typedef struct rw_ground_line {
    const rw_wall_grid_view *grid;
    float u, v, du, dv;
    float z, dz, bulge_m;
} rw_ground_line;

RW_FN rw_ground_line rw_ground_line_of(const rw_wall_grid_view *grid, const rw_sight *sight)
{
    rw_ground_line line;
    line.grid = grid;
    line.u = (float)((sight->from.x - grid->post_x0) * grid->posts_per_m_x);
    line.v = (float)((sight->from.y - grid->post_y0) * grid->posts_per_m_y);
    line.du = sight->dx * (float)grid->posts_per_m_x;
    line.dv = sight->dy * (float)grid->posts_per_m_y;
    line.z = sight->z;
    line.dz = sight->dz;
    line.bulge_m = (float)sight->bulge_m;
    return line;
}

/* Sums of heights above the line at the crossings of one kind, and of t times them. */
typedef struct rw_ground_sums {
    int count;
    float spacing; /* of t */
    double heights_m, moments_m;
    float nearest_t, nearest_m; /* the crossings at both ends */
    float farthest_t, farthest_m;
} rw_ground_sums;

/* The crossings with lines where start + t step is a whole number, those of posts in step with it, in rising order of
 * t. stride: posts from one line to the next; along, rise: the place on the line of posts and its change with t. */
RW_FN void rw_ground_pass_lines(const rw_ground_line *line, float start, float step, float along, float rise,
                                float max_line, float max_along, size_t line_stride, size_t along_stride,
                                rw_terrain_tops *tops, rw_ground_sums *sums)
{
    const float near_end = 1e-6f;
    const float *posts = line->grid->posts;
    float low = step > 0.0f ? start : start + step, high = step > 0.0f ? start + step : start;
    float first = ceilf(low > 0.0f ? low : 0.0f), last = floorf(high < max_line ? high : max_line);
    float inverse = step != 0.0f ? 1.0f / step : 0.0f;
    sums->count = 0;
    sums->spacing = fabsf(inverse);
    sums->heights_m = sums->moments_m = 0.0;
    sums->nearest_t = sums->nearest_m = sums->farthest_t = sums->farthest_m = 0.0f;
    int count = last >= first ? (int)(last - first) + 1 : 0;
    for (int i = 0; i < count && inverse != 0.0f; i++) {
        float at_line = step > 0.0f ? first + (float)i : last - (float)i, t = (at_line - start) * inverse;
        if (!(t > near_end && t < 1.0f - near_end))
            continue;
        float position = along + t * rise;
        position = position < 0.0f ? 0.0f : position > max_along ? max_along : position;
        size_t cell = position < max_along ? (size_t)position : (size_t)max_along - 1;
        const float *post = posts + (size_t)at_line * line_stride + cell * along_stride;
        float fraction = position - (float)cell, ground = post[0] + fraction * (post[along_stride] - post[0]);
        float height_m = ground - line->z - t * line->dz;
        rw_terrain_tops_add(tops, t, height_m, line->bulge_m);
        sums->heights_m += (double)height_m;
        sums->moments_m += (double)(t * height_m);
        sums->nearest_t = sums->count ? sums->nearest_t : t;
        sums->nearest_m = sums->count ? sums->nearest_m : height_m;
        sums->farthest_t = t;
        sums->farthest_m = height_m;
        sums->count++;
    }
}

/* The same for the diagonals, from south-west to north-east, which end with the posts. */
RW_FN void rw_ground_pass_diagonals(const rw_ground_line *line, rw_terrain_tops *tops)
{
    const float near_end = 1e-6f;
    const rw_wall_grid_view *grid = line->grid;
    float start = line->u - line->v, step = line->du - line->dv;
    float max_u = (float)(grid->post_columns - 1), max_v = (float)(grid->post_rows - 1);
    float low = step > 0.0f ? start : start + step, high = step > 0.0f ? start + step : start;
    float first = ceilf(low > -max_v ? low : -max_v), last = floorf(high < max_u ? high : max_u);
    if (step == 0.0f)
        return;
    float inverse = 1.0f / step;
    int count = last >= first ? (int)(last - first) + 1 : 0;
    for (int i = 0; i < count; i++) {
        float diagonal = first + (float)i, t = (diagonal - start) * inverse;
        float u = line->u + t * line->du, v = u - diagonal;
        if (!(t > near_end && t < 1.0f - near_end) || !(u >= 0.0f && u < max_u && v >= 0.0f && v < max_v))
            continue;
        int column = (int)u, row = column - (int)diagonal;
        if (row < 0 || row + 1 >= grid->post_rows) /* by rounding */
            continue;
        const float *post = grid->posts + (size_t)row * (size_t)grid->post_columns + (size_t)column;
        float fraction = u - (float)column, ground = post[0] + fraction * (post[grid->post_columns + 1] - post[0]);
        rw_terrain_tops_add(tops, t, ground - line->z - t * line->dz, line->bulge_m);
    }
}

/* Integrals of the height above the line, and of t times it: exact where the height is linear between crossings. */
RW_FN void rw_ground_trend(const rw_ground_sums *sums, rw_terrain_pass *pass)
{
    double first = (double)pass->first_ground_m, last = (double)pass->last_ground_m;
    if (sums->count == 0) {
        pass->mean_m = 0.5 * (first + last);
        pass->moment_m = first / 6.0 + last / 3.0;
        return;
    }
    double t0 = (double)sums->nearest_t, t1 = (double)sums->farthest_t, spacing = (double)sums->spacing;
    double h0 = (double)sums->nearest_m, h1 = (double)sums->farthest_m, rest = 1.0 - t1;
    pass->mean_m = spacing * (sums->heights_m - 0.5 * (h0 + h1)) + 0.5 * t0 * (first + h0) + 0.5 * rest * (h1 + last);
    pass->moment_m = spacing * (sums->moments_m - 0.5 * (t0 * h0 + t1 * h1) - spacing * (h1 - h0) / 6.0) +
                     t0 * t0 * (2.0 * h0 + first) / 6.0 + rest * (last * (2.0 + t1) + h1 * (1.0 + 2.0 * t1)) / 6.0;
}

/* Height of the ground above the line at t. */
RW_FN float rw_ground_above_line(const rw_ground_line *line, float t)
{
    float ground =
        line->grid->posts ? rw_ground_height(line->grid, line->u + t * line->du, line->v + t * line->dv) : 0.0f;
    return ground - line->z - t * line->dz;
}

RW_FN void rw_ground_pass_point(const rw_ground_line *line, float t, rw_terrain_tops *tops)
{
    if (t > 1e-6f && t < 1.0f - 1e-6f)
        rw_terrain_tops_add(tops, t, rw_ground_above_line(line, t), line->bulge_m);
}

/* Adds the points of the ground that are decisive if it is smooth: where it comes nearest to the line, and the horizons
 * of both ends. Lines of posts may be far from them. */
RW_FN void rw_ground_pass_smooth_points(const rw_ground_line *line, rw_terrain_pass *pass)
{
    double first, last;
    rw_terrain_smooth_heights(pass, &first, &last);
    float first_m = (float)first, last_m = (float)last;
    rw_ground_pass_point(line, rw_smooth_nearest(first_m, last_m, line->bulge_m), &pass->tops);
    if (!(line->bulge_m > first_m || line->bulge_m > last_m))
        return;
    rw_ground_pass_point(line, sqrtf(first_m / line->bulge_m), &pass->tops);
    rw_ground_pass_point(line, 1.0f - sqrtf(last_m / line->bulge_m), &pass->tops);
}

/* Level ground at altitude 0 on an earth of its own. */
RW_FN rw_terrain_pass rw_ground_pass_level(const rw_wall_grid_view *grid, const rw_sight *sight)
{
    rw_ground_line line;
    rw_terrain_pass pass;
    line.grid = grid;
    line.u = line.v = line.du = line.dv = 0.0f;
    line.z = sight->z;
    line.dz = sight->dz;
    line.bulge_m = (float)(grid->ground_curve_per_m *
                           ((double)sight->dx * (double)sight->dx + (double)sight->dy * (double)sight->dy));
    pass.tops = rw_terrain_tops_none();
    pass.first_ground_m = -line.z;
    pass.last_ground_m = -line.z - line.dz;
    pass.mean_m = 0.5 * ((double)pass.first_ground_m + (double)pass.last_ground_m);
    pass.moment_m = (double)pass.first_ground_m / 6.0 + (double)pass.last_ground_m / 3.0;
    rw_ground_pass_smooth_points(&line, &pass);
    return pass;
}

RW_FN rw_terrain_pass rw_ground_pass(const rw_wall_grid_view *grid, const rw_sight *sight)
{
    rw_ground_line line = rw_ground_line_of(grid, sight);
    rw_terrain_pass pass;
    rw_ground_sums by_columns, by_rows;
    float max_u = (float)(grid->post_columns - 1), max_v = (float)(grid->post_rows - 1);
    size_t stride = (size_t)grid->post_columns;
    pass.tops = rw_terrain_tops_none();
    pass.first_ground_m = rw_ground_height(grid, line.u, line.v) - line.z;
    pass.last_ground_m = rw_ground_height(grid, line.u + line.du, line.v + line.dv) - line.z - line.dz;
    rw_ground_pass_lines(&line, line.u, line.du, line.v, line.dv, max_u, max_v, 1, stride, &pass.tops, &by_columns);
    rw_ground_pass_lines(&line, line.v, line.dv, line.u, line.du, max_v, max_u, stride, 1, &pass.tops, &by_rows);
    rw_ground_pass_diagonals(&line, &pass.tops);
    rw_ground_trend(by_columns.count > by_rows.count ? &by_columns : &by_rows, &pass);
    rw_ground_pass_smooth_points(&line, &pass);
    return pass;
}

#endif
