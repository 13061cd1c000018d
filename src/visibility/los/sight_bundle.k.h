/* The walls that a bundle of lines crosses in plan: from up to RW_BUNDLE_LINES receivers, neighbours of each other, to
 * one source.
 *
 * The lines go through nearly the same cells of the wall grid, so that each wall is read once and crossed with all of
 * them side by side, which a CPU does in its vector registers. Cells are taken slab by slab along the axis that the
 * bundle follows, in each slab those between the outermost lines. Tests and answers are those of a march line by line.
 */
#ifndef RW_VISIBILITY_LOS_SIGHT_BUNDLE_K_H
#define RW_VISIBILITY_LOS_SIGHT_BUNDLE_K_H

#include "visibility/los/sight.k.h"

#define RW_BUNDLE_LINES 16
/* Crossings of a line that are kept; a line with more is marched. */
#define RW_BUNDLE_CROSSINGS 128

/* What one line crosses, from receiver to source. */
typedef struct rw_bundle_line {
    int count; /* with those that found no place */
    float t[RW_BUNDLE_CROSSINGS];
    uint32_t entry[RW_BUNDLE_CROSSINGS]; /* of the wall grid */
} rw_bundle_line;

/* Lines side by side; places behind the last repeat it. along: the axis that the bundle follows. */
typedef struct rw_bundle {
    const rw_wall_grid_view *grid;
    const rw_sight *sights;
    int count, along_x;
    float x[RW_BUNDLE_LINES], y[RW_BUNDLE_LINES], dx[RW_BUNDLE_LINES], dy[RW_BUNDLE_LINES], side_error[RW_BUNDLE_LINES];
    float unit_error;
    float end_along, end_across, end_z;  /* the source */
    float from_along, shortest, longest; /* farthest receiver; lengths along the axis, all of one sign */
    float low_across, high_across;       /* where the bundle lies across the axis */
    float min_slope, max_slope;          /* of lines: across over along */
    float max_rise, max_margin, max_bulge_m;
    float tall_m, deck_m; /* walls above tall_m that reach down to deck_m are left out */
} rw_bundle;

/* From RW_BUNDLE_LINES sights to one source, of which those from count on repeat others. margins: walls that stay below
 * a line by this times sqrt(t (1 - t)) are not asked for. Returns 0 where the lines are no bundle, and would be marched
 * faster. */
RW_FN int rw_bundle_init(const rw_wall_grid_view *grid, const rw_sight *sights, const float *margins, int count,
                         rw_bundle *bundle)
{
    float all_x = 0.0f, all_y = 0.0f;
    for (int i = 0; i < RW_BUNDLE_LINES; i++) {
        all_x += fabsf(sights[i].dx);
        all_y += fabsf(sights[i].dy);
    }
    bundle->grid = grid;
    bundle->sights = sights;
    bundle->count = count;
    bundle->along_x = all_x >= all_y;
    bundle->unit_error = sights[0].unit_error;
    bundle->end_along = bundle->along_x ? sights[0].x + sights[0].dx : sights[0].y + sights[0].dy;
    bundle->end_across = bundle->along_x ? sights[0].y + sights[0].dy : sights[0].x + sights[0].dx;
    bundle->end_z = sights[0].z + sights[0].dz;
    bundle->low_across = bundle->high_across = bundle->end_across;
    bundle->shortest = bundle->min_slope = 1e30f;
    bundle->longest = bundle->max_slope = bundle->max_rise = -1e30f;
    bundle->max_margin = bundle->max_bulge_m = 0.0f;
    bundle->tall_m = bundle->deck_m = INFINITY;
    float side = (bundle->along_x ? sights[0].dx : sights[0].dy) < 0.0f ? -1.0f : 1.0f;
    for (int i = 0; i < RW_BUNDLE_LINES; i++) {
        const rw_sight *sight = sights + i;
        float across = bundle->along_x ? sight->y : sight->x;
        float length = side * (bundle->along_x ? sight->dx : sight->dy);
        float slope = (bundle->along_x ? sight->dy : sight->dx) / length;
        bundle->x[i] = sight->x;
        bundle->y[i] = sight->y;
        bundle->dx[i] = sight->dx;
        bundle->dy[i] = sight->dy;
        bundle->side_error[i] = sight->side_error;
        bundle->shortest = length < bundle->shortest ? length : bundle->shortest;
        bundle->longest = length > bundle->longest ? length : bundle->longest;
        bundle->low_across = across < bundle->low_across ? across : bundle->low_across;
        bundle->high_across = across > bundle->high_across ? across : bundle->high_across;
        bundle->min_slope = slope < bundle->min_slope ? slope : bundle->min_slope;
        bundle->max_slope = slope > bundle->max_slope ? slope : bundle->max_slope;
        bundle->max_rise = sight->dz > bundle->max_rise ? sight->dz : bundle->max_rise;
        float margin = margins[i], bulge_m = (float)sight->bulge_m;
        bundle->max_margin = margin > bundle->max_margin ? margin : bundle->max_margin;
        bundle->max_bulge_m = bulge_m > bundle->max_bulge_m ? bulge_m : bundle->max_bulge_m;
    }
    bundle->from_along = bundle->end_along - side * bundle->longest;
    /* near the source, and where the list of receivers jumps, lines share little */
    return bundle->shortest > grid->cell_m && bundle->max_slope - bundle->min_slope < 1.0f &&
           bundle->longest - bundle->shortest < 16.0f * grid->cell_m;
}

/* More than the rounding of a place on a line. */
RW_FN float rw_bundle_pad_m(const rw_bundle *bundle)
{
    return 0.01f + 8.0f * bundle->unit_error;
}

/* Whether a wall surely lies beside all lines, or behind the farthest receiver. */
RW_FN int rw_bundle_misses(const rw_bundle *bundle, const rw_wall_entry *wall)
{
    const float pad = rw_bundle_pad_m(bundle), side = bundle->end_along < bundle->from_along ? -1.0f : 1.0f;
    float along0 = side * (bundle->end_along - (bundle->along_x ? wall->x0 : wall->y0));
    float along1 = side * (bundle->end_along - (bundle->along_x ? wall->x1 : wall->y1));
    float across0 = (bundle->along_x ? wall->y0 : wall->x0) - bundle->end_across;
    float across1 = (bundle->along_x ? wall->y1 : wall->x1) - bundle->end_across;
    if (along0 < 0.0f || along1 < 0.0f)
        return along0 < -pad && along1 < -pad;
    int below = across0 < -along0 * bundle->max_slope - pad && across1 < -along1 * bundle->max_slope - pad;
    int above = across0 > -along0 * bundle->min_slope + pad && across1 > -along1 * bundle->min_slope + pad;
    return below || above || (along0 > bundle->longest + pad && along1 > bundle->longest + pad);
}

/* A bit for each line that crosses the wall, and where; t is -1 for those that float cannot decide. The tests are those
 * of rw_wall_crosses_rough. */
RW_FN uint32_t rw_bundle_cross(const rw_bundle *bundle, const rw_wall_entry *wall, float *t)
{
    float x0 = wall->x0, y0 = wall->y0, x1 = wall->x1, y1 = wall->y1, unit_error = bundle->unit_error;
    uint32_t crossed = 0;
    RW_SIMD_OR(crossed)
    for (int i = 0; i < RW_BUNDLE_LINES; i++) {
        float ax = x0 - bundle->x[i], ay = y0 - bundle->y[i], bx = x1 - bundle->x[i], by = y1 - bundle->y[i];
        float side0 = bundle->dx[i] * ay - bundle->dy[i] * ax, side1 = bundle->dx[i] * by - bundle->dy[i] * bx;
        float error = bundle->side_error[i];
        int apart = ((side0 > error) & (side1 > error)) | ((side0 < -error) & (side1 < -error));
        int close = (fabsf(side0) <= error) | (fabsf(side1) <= error);
        float wx = bx - ax, wy = by - ay, across = 1.0f / (side1 - side0);
        float at = (ax * wy - ay * wx) * across;
        float length = fabsf(wx) + fabsf(wy), reach = fabsf(ax) + fabsf(ay);
        float at_error = (4.0f * unit_error * (length + reach) + 2.0f * error) * fabsf(across) + 1e-6f;
        int beyond = (at < -at_error) | (at > 1.0f + at_error);
        int sure = (at > at_error) & (at < 1.0f - at_error) & (close == 0);
        t[i] = sure ? at : -1.0f;
        int may_cross = (apart == 0) & (close | (beyond == 0));
        crossed |= may_cross ? 1u << i : 0u;
    }
    return crossed;
}

/* Appends a crossing in order (rw_crossing_before), unless it is there: a wall is met in every cell that lists it. */
RW_FN void rw_bundle_line_insert(const rw_wall_grid_view *grid, rw_bundle_line *line, float t, uint32_t entry)
{
    int at = line->count < RW_BUNDLE_CROSSINGS ? line->count : RW_BUNDLE_CROSSINGS, slot = at;
    const rw_wall_entry *wall = grid->entries + entry;
    float top = rw_wall_top(grid, wall);
    for (; slot > 0; slot--) {
        const rw_wall_entry *before = grid->entries + line->entry[slot - 1];
        if (before->wall == wall->wall)
            return;
        if (!rw_crossing_before(t, top, wall->wall, line->t[slot - 1], rw_wall_top(grid, before), before->wall))
            break;
    }
    line->count++;
    if (at == RW_BUNDLE_CROSSINGS)
        return;
    for (; at > slot; at--) {
        line->t[at] = line->t[at - 1];
        line->entry[at] = line->entry[at - 1];
    }
    line->t[at] = t;
    line->entry[at] = entry;
}

/* Walls that were met last, by their numbers' last bits. */
#define RW_BUNDLE_RECENT 256

RW_FN void rw_bundle_cross_cell(const rw_bundle *bundle, size_t cell, uint32_t *recent, rw_bundle_line *lines)
{
    const rw_wall_grid_view *grid = bundle->grid;
    uint32_t own = 0xffffffffu >> (32 - bundle->count);
    for (uint32_t i = grid->cells[cell].first; i < grid->cells[cell + 1].first; i++) {
        const rw_wall_entry *wall = grid->entries + i;
        float t[RW_BUNDLE_LINES];
        if ((wall->top > bundle->tall_m && wall->bottom <= bundle->deck_m) ||
            recent[wall->wall % RW_BUNDLE_RECENT] == wall->wall || rw_bundle_misses(bundle, wall))
            continue;
        recent[wall->wall % RW_BUNDLE_RECENT] = wall->wall;
        uint32_t crossed = rw_bundle_cross(bundle, wall, t) & own;
        for (; crossed; crossed &= crossed - 1u) {
            uint32_t line = rw_lowest_bit(crossed);
            if (t[line] >= 0.0f || rw_wall_crosses_rare(bundle->sights + line, grid->exact + wall->wall, &t[line]))
                rw_bundle_line_insert(grid, lines + line, t[line], i);
        }
    }
}

/* Below this no wall matters to any line, on the stretch of the axis between two distances from the source. */
RW_FN float rw_bundle_lowest_z(const rw_bundle *bundle, float near_m, float far_m)
{
    float first = near_m / bundle->longest, last = far_m / bundle->shortest;
    first = first > 0.0f ? first : 0.0f;
    last = last < 1.0f ? last : 1.0f;
    float widest = first > 0.5f ? first : last < 0.5f ? last : 0.5f, spread = widest * (1.0f - widest);
    float drop = bundle->max_rise > 0.0f ? last * bundle->max_rise : first * bundle->max_rise;
    spread = spread > 0.0f ? spread : 0.0f;
    return bundle->end_z - drop - bundle->max_margin * sqrtf(spread) - bundle->max_bulge_m * spread -
           bundle->grid->raised_max_m - 0.1f;
}

/* Cells of a slab of the grid across the axis. */
RW_FN void rw_bundle_cross_slab(const rw_bundle *bundle, int slab, uint32_t *recent, rw_bundle_line *lines)
{
    const rw_wall_grid_view *grid = bundle->grid;
    const float pad = rw_bundle_pad_m(bundle);
    int slabs = bundle->along_x ? grid->columns : grid->rows;
    float begin = (bundle->along_x ? grid->x0 : grid->y0) + (float)slab * grid->cell_m, end = begin + grid->cell_m;
    float side = bundle->end_along < bundle->from_along ? -1.0f : 1.0f;
    /* distances from the source, with what lies beyond the border */
    float first = side * (bundle->end_along - (side > 0.0f ? end : begin));
    float last = side * (bundle->end_along - (side > 0.0f ? begin : end));
    first = slab == (side > 0.0f ? slabs - 1 : 0) || first < pad ? 0.0f : first - pad;
    last = slab == (side > 0.0f ? 0 : slabs - 1) || last > bundle->longest ? bundle->longest : last + pad;
    float low0 = first * bundle->max_slope, low1 = last * bundle->max_slope;
    float high0 = first * bundle->min_slope, high1 = last * bundle->min_slope;
    float low = bundle->end_across - (low0 > low1 ? low0 : low1) - pad;
    float high = bundle->end_across - (high0 < high1 ? high0 : high1) + pad;
    low = low > bundle->low_across - pad ? low : bundle->low_across - pad;
    high = high < bundle->high_across + pad ? high : bundle->high_across + pad;
    float lowest_z = rw_bundle_lowest_z(bundle, first, last);
    int from = bundle->along_x ? rw_grid_row(grid, low) : rw_grid_column(grid, low);
    int to = bundle->along_x ? rw_grid_row(grid, high) : rw_grid_column(grid, high);
    for (int index = from; index <= to; index++) {
        size_t column = (size_t)(bundle->along_x ? slab : index), row = (size_t)(bundle->along_x ? index : slab);
        size_t cell = row * (size_t)grid->columns + column;
        if (grid->cells[cell].top > lowest_z)
            rw_bundle_cross_cell(bundle, cell, recent, lines);
    }
}

/* The crossings of every line. */
RW_FN void rw_bundle_find_crossings(const rw_bundle *bundle, rw_bundle_line *lines)
{
    const rw_wall_grid_view *grid = bundle->grid;
    uint32_t recent[RW_BUNDLE_RECENT];
    const float pad = bundle->end_along < bundle->from_along ? -rw_bundle_pad_m(bundle) : rw_bundle_pad_m(bundle);
    float from = bundle->from_along - pad, to = bundle->end_along + pad;
    int first = bundle->along_x ? rw_grid_column(grid, from) : rw_grid_row(grid, from);
    int last = bundle->along_x ? rw_grid_column(grid, to) : rw_grid_row(grid, to);
    int step = first <= last ? 1 : -1;
    for (int i = 0; i < bundle->count; i++)
        lines[i].count = 0;
    for (int i = 0; i < RW_BUNDLE_RECENT; i++)
        recent[i] = UINT32_MAX;
    for (int slab = first; slab != last + step; slab += step)
        rw_bundle_cross_slab(bundle, slab, recent, lines);
}

#endif
