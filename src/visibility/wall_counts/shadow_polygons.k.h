/* Line of sight by shadow polygons, the paper's way: one item is one wall of one source, whose shadow is rasterised
 * into the receiver plane with additive blending. Each row of a shadow adds one where it starts and takes one where it
 * ends; the sum along the row (sum_rows.k.h) is the blended count, at the cost of the border instead of the area.
 *
 * After equations (1) to (3) of Rick and Kuhlen (2010). On flat ground the shadow is the quadrangle p0, p1, q3, q2,
 * where q = p + lambda (p - s); with lambda infinite it is cut far outside the map. Where receivers stand at different
 * heights, unless the wall is above all of them and the source, or where it does not reach the ground, the wedge behind
 * the wall is filled and each receiver asks whether the line passes below the top. */
#ifndef RW_VISIBILITY_WALL_COUNTS_SHADOW_POLYGONS_K_H
#define RW_VISIBILITY_WALL_COUNTS_SHADOW_POLYGONS_K_H

#include "visibility/sight/los_args.k.h"

struct rw_shadow_polygons_args {
    rw_los_arrays all; /* walls is required: los follows from it */
    size_t shares;     /* items that share the rows of a shadow */
};

/* A convex polygon on the receiver plane, and whether each receiver in it must be asked. */
typedef struct rw_shadow {
    double x[4], y[4];
    double source_x, source_y;
    int ask;
    int empty;
} rw_shadow;

RW_FN rw_shadow rw_shadow_make(const rw_los_arrays *all, const rw_exact_wall *wall, rw_vec3 source)
{
    rw_shadow shadow;
    double plane = all->receivers.flat_z_m;
    int grounded = wall->bottom <= rw_los_lowest_m(all) && wall->bottom <= source.z;
    int above_all = wall->top > (double)all->receivers.high_m && wall->top > source.z;
    int level = all->receivers.z_m == 0 && source.z > plane;
    shadow.ask = !grounded || !(above_all || level);

    /* The far side is parallel to the wall; an endless shadow is cut where that side is off the map. */
    double wx = wall->x1 - wall->x0, wy = wall->y1 - wall->y0;
    double twice_area = fabs(wx * (wall->y0 - source.y) - wy * (wall->x0 - source.x));
    double distance = twice_area / sqrt(wx * wx + wy * wy);
    double endless = (8.0 * (double)all->grid.coordinate_max + 1e3) / (distance + 1e-12);
    double lambda = source.z > wall->top ? (wall->top - plane) / (source.z - wall->top) : endless; /* eq. (2) */
    if (shadow.ask || lambda > endless)
        lambda = endless;
    shadow.empty = distance < 1e-9 || (level && wall->top <= plane);
    shadow.source_x = source.x;
    shadow.source_y = source.y;
    shadow.x[0] = wall->x0;
    shadow.y[0] = wall->y0;
    shadow.x[1] = wall->x1;
    shadow.y[1] = wall->y1;
    shadow.x[2] = wall->x1 + lambda * (wall->x1 - source.x); /* eq. (1) */
    shadow.y[2] = wall->y1 + lambda * (wall->y1 - source.y);
    shadow.x[3] = wall->x0 + lambda * (wall->x0 - source.x);
    shadow.y[3] = wall->y0 + lambda * (wall->y0 - source.y);
    return shadow;
}

/* Where a side of the shadow, from the source through an end of the wall, crosses a row. Walls that share the end get
 * the same number to the bit, whatever the lengths of their shadows, so that a receiver on the line is in one of them.
 */
RW_FN double rw_shadow_side(const rw_shadow *shadow, int end, double y)
{
    double share = (y - shadow->source_y) / (shadow->y[end] - shadow->source_y);
    return shadow->source_x + share * (shadow->x[end] - shadow->source_x);
}

/* The stretch of the row that lies inside the polygon. */
RW_FN int rw_shadow_span(const rw_shadow *shadow, double y, double *low, double *high)
{
    int crossings = 0;
    *low = 1e300;
    *high = -1e300;
    for (int i = 0; i < 4; i++) {
        int j = (i + 1) & 3;
        if ((shadow->y[i] > y) == (shadow->y[j] > y))
            continue;
        double x =
            i & 1 ? rw_shadow_side(shadow, i == 1 ? 1 : 0, y)
                  : shadow->x[i] + (y - shadow->y[i]) / (shadow->y[j] - shadow->y[i]) * (shadow->x[j] - shadow->x[i]);
        *low = x < *low ? x : *low;
        *high = x > *high ? x : *high;
        crossings++;
    }
    return crossings;
}

RW_FN size_t rw_cells_below(double position, double first, double res, size_t count)
{
    double cells = ceil((position - first) / res);
    return cells <= 0 ? 0 : cells >= (double)count ? count : (size_t)cells;
}

/* One more wall over cells first to end - 1 of a row. */
RW_FN void rw_shadow_add(uint32_t *row, size_t columns, size_t first, size_t end)
{
    if (first >= end)
        return;
    rw_shared_add(row + first, 1);
    if (end < columns)
        rw_shared_add(row + end, 0xffffffffu);
}

RW_FN void rw_shadow_polygons_item(const struct rw_shadow_polygons_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    const rw_receivers_view *receivers = &all->receivers;
    size_t share = item % args->shares, pair = item / args->shares, source_index = pair / all->grid.wall_count;
    const rw_exact_wall *wall = all->grid.exact + (pair - source_index * all->grid.wall_count);
    rw_vec3 source = all->sources[source_index];
    rw_shadow shadow = rw_shadow_make(all, wall, source);
    if (shadow.empty)
        return;
    double south = shadow.y[0], north = shadow.y[0];
    for (int i = 1; i < 4; i++) {
        south = shadow.y[i] < south ? shadow.y[i] : south;
        north = shadow.y[i] > north ? shadow.y[i] : north;
    }
    size_t row_end = rw_cells_below(north, receivers->y0_m, receivers->res_m, receivers->rows);
    size_t row = rw_cells_below(south, receivers->y0_m, receivers->res_m, receivers->rows) + share;
    for (; row < row_end; row += args->shares) {
        double low, high;
        if (!rw_shadow_span(&shadow, receivers->y0_m + (double)row * receivers->res_m, &low, &high))
            continue;
        size_t first = rw_cells_below(low, receivers->x0_m, receivers->res_m, receivers->columns);
        size_t end = rw_cells_below(high, receivers->x0_m, receivers->res_m, receivers->columns);
        uint32_t *counts = all->walls + (source_index * receivers->rows + row) * receivers->columns;
        if (!shadow.ask)
            rw_shadow_add(counts, receivers->columns, first, end);
        for (size_t column = first; shadow.ask && column < end; column++) {
            rw_vec3 receiver = rw_receiver_point(receivers, row * receivers->columns + column);
            if (rw_wall_stands_above(receiver, source, rw_earth_bulge_m(&all->grid, receiver, source), wall))
                rw_shadow_add(counts, receivers->columns, column, column + 1);
        }
    }
}

#endif
