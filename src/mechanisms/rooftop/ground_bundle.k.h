/* The terrain under a bundle of lines: rw_ground_pass (ground_pass.k.h) of RW_BUNDLE_LINES lines side by side, which a
 * CPU takes in its vector registers. Sums and comparisons are made in the same order, so that the answers are the same.
 */
#ifndef RW_MECHANISMS_ROOFTOP_GROUND_BUNDLE_K_H
#define RW_MECHANISMS_ROOFTOP_GROUND_BUNDLE_K_H

#include "mechanisms/rooftop/ground_pass.k.h"
#include "visibility/los/sight_bundle.k.h"

/* As rw_ground_line and rw_terrain_tops, of each line. */
typedef struct rw_ground_bundle {
    const float *posts;
    float u[RW_BUNDLE_LINES], v[RW_BUNDLE_LINES], du[RW_BUNDLE_LINES], dv[RW_BUNDLE_LINES];
    float z[RW_BUNDLE_LINES], dz[RW_BUNDLE_LINES], bulge_m[RW_BUNDLE_LINES];
    float slope_first[RW_BUNDLE_LINES], slope_last[RW_BUNDLE_LINES], square[RW_BUNDLE_LINES], at[RW_BUNDLE_LINES];
    float above[RW_BUNDLE_LINES], above_first[RW_BUNDLE_LINES], above_last[RW_BUNDLE_LINES];
} rw_ground_bundle;

/* As rw_ground_sums. */
typedef struct rw_ground_bundle_sums {
    int count[RW_BUNDLE_LINES];
    float spacing[RW_BUNDLE_LINES];
    double heights_m[RW_BUNDLE_LINES], moments_m[RW_BUNDLE_LINES];
    float nearest_t[RW_BUNDLE_LINES], nearest_m[RW_BUNDLE_LINES], farthest_t[RW_BUNDLE_LINES],
        farthest_m[RW_BUNDLE_LINES];
} rw_ground_bundle_sums;

/* rw_terrain_tops_add for line i, where it counts. */
RW_FN void rw_ground_bundle_add(rw_ground_bundle *bundle, int i, int counts, float t, float height_m)
{
    float rest = 1.0f - t, over_t = 1.0f / t, over_rest = 1.0f / rest;
    float raised_m = height_m + bundle->bulge_m[i] * t * rest, square = raised_m * fabsf(raised_m) * over_t * over_rest;
    float first = raised_m * over_t, last = raised_m * over_rest;
    bundle->slope_first[i] = (counts & (first > bundle->slope_first[i])) ? first : bundle->slope_first[i];
    bundle->slope_last[i] = (counts & (last > bundle->slope_last[i])) ? last : bundle->slope_last[i];
    bundle->at[i] = (counts & (square > bundle->square[i])) ? t : bundle->at[i];
    bundle->square[i] = (counts & (square > bundle->square[i])) ? square : bundle->square[i];
    first = height_m * over_t;
    last = height_m * over_rest;
    bundle->above[i] = (counts & (height_m > bundle->above[i])) ? height_m : bundle->above[i];
    bundle->above_first[i] = (counts & (first > bundle->above_first[i])) ? first : bundle->above_first[i];
    bundle->above_last[i] = (counts & (last > bundle->above_last[i])) ? last : bundle->above_last[i];
}

/* rw_ground_pass_lines for all lines. */
RW_FN void rw_ground_bundle_lines(rw_ground_bundle *bundle, const float *start, const float *step, const float *along,
                                  const float *rise, float max_line, float max_along, int line_stride, int along_stride,
                                  rw_ground_bundle_sums *sums)
{
    const float near_end = 1e-6f;
    const float *posts = bundle->posts;
    float from[RW_BUNDLE_LINES], inverse[RW_BUNDLE_LINES], forward[RW_BUNDLE_LINES];
    int counts[RW_BUNDLE_LINES], max_count = 0;
    for (int i = 0; i < RW_BUNDLE_LINES; i++) {
        float low = step[i] > 0.0f ? start[i] : start[i] + step[i],
              high = step[i] > 0.0f ? start[i] + step[i] : start[i];
        float first = ceilf(low > 0.0f ? low : 0.0f), last = floorf(high < max_line ? high : max_line);
        inverse[i] = step[i] != 0.0f ? 1.0f / step[i] : 0.0f;
        forward[i] = step[i] > 0.0f ? 1.0f : -1.0f;
        from[i] = step[i] > 0.0f ? first : last;
        counts[i] = last >= first && step[i] != 0.0f ? (int)(last - first) + 1 : 0;
        max_count = counts[i] > max_count ? counts[i] : max_count;
        sums->count[i] = 0;
        sums->spacing[i] = fabsf(inverse[i]);
        sums->heights_m[i] = sums->moments_m[i] = 0.0;
        sums->nearest_t[i] = sums->nearest_m[i] = sums->farthest_t[i] = sums->farthest_m[i] = 0.0f;
    }
    for (int k = 0; k < max_count; k++) {
        RW_SIMD
        for (int i = 0; i < RW_BUNDLE_LINES; i++) {
            float at_line = from[i] + forward[i] * (float)k, t = (at_line - start[i]) * inverse[i];
            int here = (k < counts[i]) & (t > near_end) & (t < 1.0f - near_end);
            float position = along[i] + t * rise[i];
            position = position < 0.0f ? 0.0f : position > max_along ? max_along : position;
            int cell = position < max_along ? (int)position : (int)max_along - 1;
            float safe_line = at_line < 0.0f       ? 0.0f
                              : at_line > max_line ? max_line
                                                   : at_line; /* another one off the posts */
            int post = (int)safe_line * line_stride + cell * along_stride;
            float fraction = position - (float)cell,
                  ground = posts[post] + fraction * (posts[post + along_stride] - posts[post]);
            float height_m = ground - bundle->z[i] - t * bundle->dz[i];
            rw_ground_bundle_add(bundle, i, here, t, height_m);
            sums->heights_m[i] += here ? (double)height_m : 0.0;
            sums->moments_m[i] += here ? (double)(t * height_m) : 0.0;
            int first = here & (sums->count[i] == 0);
            sums->nearest_t[i] = first ? t : sums->nearest_t[i];
            sums->nearest_m[i] = first ? height_m : sums->nearest_m[i];
            sums->farthest_t[i] = here ? t : sums->farthest_t[i];
            sums->farthest_m[i] = here ? height_m : sums->farthest_m[i];
            sums->count[i] += here;
        }
    }
}

/* rw_ground_pass_diagonals for all lines. */
RW_FN void rw_ground_bundle_diagonals(rw_ground_bundle *bundle, int post_columns, int post_rows)
{
    const float near_end = 1e-6f;
    const float *posts = bundle->posts;
    float max_u = (float)(post_columns - 1), max_v = (float)(post_rows - 1);
    float start[RW_BUNDLE_LINES], inverse[RW_BUNDLE_LINES], from[RW_BUNDLE_LINES];
    int counts[RW_BUNDLE_LINES], max_count = 0;
    for (int i = 0; i < RW_BUNDLE_LINES; i++) {
        float step = bundle->du[i] - bundle->dv[i];
        start[i] = bundle->u[i] - bundle->v[i];
        float low = step > 0.0f ? start[i] : start[i] + step, high = step > 0.0f ? start[i] + step : start[i];
        float first = ceilf(low > -max_v ? low : -max_v), last = floorf(high < max_u ? high : max_u);
        from[i] = first;
        counts[i] = last >= first && step != 0.0f ? (int)(last - first) + 1 : 0;
        inverse[i] = counts[i] ? 1.0f / step : 0.0f;
        max_count = counts[i] > max_count ? counts[i] : max_count;
    }
    for (int k = 0; k < max_count; k++) {
        float fractions[RW_BUNDLE_LINES], ts[RW_BUNDLE_LINES];
        int here[RW_BUNDLE_LINES], post[RW_BUNDLE_LINES];
        RW_SIMD
        for (int i = 0; i < RW_BUNDLE_LINES; i++) {
            float diagonal = from[i] + (k < counts[i] ? (float)k : 0.0f), t = (diagonal - start[i]) * inverse[i];
            float u = bundle->u[i] + t * bundle->du[i], v = u - diagonal;
            int column = (int)u, row = column - (int)diagonal;
            here[i] = (k < counts[i]) & (t > near_end) & (t < 1.0f - near_end) & (u >= 0.0f) & (u < max_u) &
                      (v >= 0.0f) & (v < max_v) & (row >= 0) & (row + 1 < post_rows);
            post[i] = row * post_columns + column;
            fractions[i] = u - (float)column;
            ts[i] = t;
        }
        RW_SIMD
        for (int i = 0; i < RW_BUNDLE_LINES; i++) {
            int at = post[i] & -here[i]; /* the first where it is off the posts */
            float ground = posts[at] + fractions[i] * (posts[at + post_columns + 1] - posts[at]);
            rw_ground_bundle_add(bundle, i, here[i], ts[i], ground - bundle->z[i] - ts[i] * bundle->dz[i]);
        }
    }
}

RW_FN rw_ground_sums rw_ground_bundle_sums_of(const rw_ground_bundle_sums *sums, int i)
{
    rw_ground_sums one = {sums->count[i],     sums->spacing[i],   sums->heights_m[i],  sums->moments_m[i],
                          sums->nearest_t[i], sums->nearest_m[i], sums->farthest_t[i], sums->farthest_m[i]};
    return one;
}

/* The passes of the first count of RW_BUNDLE_LINES lines. */
RW_FN void rw_ground_bundle_pass(const rw_wall_grid_view *grid, const rw_sight *sights, int count,
                                 rw_terrain_pass *passes)
{
    rw_ground_bundle bundle;
    rw_ground_bundle_sums by_columns, by_rows;
    const rw_terrain_tops none = rw_terrain_tops_none();
    float max_u = (float)(grid->post_columns - 1), max_v = (float)(grid->post_rows - 1);
    bundle.posts = grid->posts;
    for (int i = 0; i < RW_BUNDLE_LINES; i++) {
        rw_ground_line line = rw_ground_line_of(grid, sights + i);
        bundle.u[i] = line.u;
        bundle.v[i] = line.v;
        bundle.du[i] = line.du;
        bundle.dv[i] = line.dv;
        bundle.z[i] = line.z;
        bundle.dz[i] = line.dz;
        bundle.bulge_m[i] = line.bulge_m;
        bundle.slope_first[i] = none.slope_first;
        bundle.slope_last[i] = none.slope_last;
        bundle.square[i] = none.square;
        bundle.at[i] = none.at;
        bundle.above[i] = none.above;
        bundle.above_first[i] = none.above_first;
        bundle.above_last[i] = none.above_last;
    }
    rw_ground_bundle_lines(&bundle, bundle.u, bundle.du, bundle.v, bundle.dv, max_u, max_v, 1, grid->post_columns,
                           &by_columns);
    rw_ground_bundle_lines(&bundle, bundle.v, bundle.dv, bundle.u, bundle.du, max_v, max_u, grid->post_columns, 1,
                           &by_rows);
    rw_ground_bundle_diagonals(&bundle, grid->post_columns, grid->post_rows);
    for (int i = 0; i < count; i++) {
        rw_terrain_pass *pass = passes + i;
        rw_terrain_tops tops = {bundle.slope_first[i], bundle.slope_last[i],  bundle.square[i],    bundle.at[i],
                                bundle.above[i],       bundle.above_first[i], bundle.above_last[i]};
        rw_ground_sums sums =
            rw_ground_bundle_sums_of(by_columns.count[i] > by_rows.count[i] ? &by_columns : &by_rows, i);
        pass->tops = tops;
        pass->first_ground_m = rw_ground_height(grid, bundle.u[i], bundle.v[i]) - bundle.z[i];
        pass->last_ground_m =
            rw_ground_height(grid, bundle.u[i] + bundle.du[i], bundle.v[i] + bundle.dv[i]) - bundle.z[i] - bundle.dz[i];
        rw_ground_trend(&sums, pass);
        rw_ground_line line = rw_ground_line_of(grid, sights + i);
        rw_ground_pass_smooth_points(&line, pass);
    }
}

#endif
