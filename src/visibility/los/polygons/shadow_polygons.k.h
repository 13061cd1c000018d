/* Line of sight by shadow polygons, the paper's way: one item is one wall of one source, whose shadow is rasterised
 * into the receiver plane with additive blending. Each row of a shadow adds one where it starts and takes one where it
 * ends; the sum along the row (below) is the blended count, at the cost of the border instead of the area.
 *
 * After equations (1) to (3) of Rick and Kuhlen (2010). On flat ground the shadow is the quadrangle p0, p1, q3, q2,
 * where q = p + lambda (p - s); with lambda infinite it is cut far outside the map. Where receivers stand at different
 * heights, unless the wall is above all of them and the source, or where it does not reach the ground, the wedge behind
 * the wall is filled and each receiver asks whether the line passes below the top. */
#ifndef RW_VISIBILITY_LOS_POLYGONS_SHADOW_POLYGONS_K_H
#define RW_VISIBILITY_LOS_POLYGONS_SHADOW_POLYGONS_K_H

#include "visibility/los/sight.k.h"

struct rw_shadow_polygons_args {
    rw_los_arrays all; /* walls is required: los follows from it */
    size_t lane_count; /* items that share the rows of a shadow */
};

/* A convex polygon on the receiver plane, and whether each receiver in it must be asked. */
typedef struct rw_shadow {
    double x[4], y[4];
    double source_x, source_y;
    int needs_test;
    int empty;
} rw_shadow;

RW_FN rw_shadow rw_shadow_of(const rw_los_arrays *all, const rw_exact_wall *wall, rw_vec3 source)
{
    rw_shadow shadow;
    double plane = all->receivers.flat_z_m;
    int grounded = wall->bottom <= rw_los_lowest_m(all) && wall->bottom <= source.z;
    int above_all = wall->top > (double)all->receivers.high_m && wall->top > source.z;
    int level = all->receivers.z_m == 0 && source.z > plane;
    shadow.needs_test = !grounded || !(above_all || level);

    /* The far side is parallel to the wall; an endless shadow is cut where that side is off the map. */
    double wx = wall->x1 - wall->x0, wy = wall->y1 - wall->y0;
    double twice_area = fabs(wx * (wall->y0 - source.y) - wy * (wall->x0 - source.x));
    double distance = twice_area / sqrt(wx * wx + wy * wy);
    double endless = (8.0 * (double)all->grid.coordinate_max + 1e3) / (distance + 1e-12);
    double lambda = source.z > wall->top ? (wall->top - plane) / (source.z - wall->top) : endless; /* eq. (2) */
    if (shadow.needs_test || lambda > endless)
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
    double fraction = (y - shadow->source_y) / (shadow->y[end] - shadow->source_y);
    return shadow->source_x + fraction * (shadow->x[end] - shadow->source_x);
}

/* Where the wall, or the far side, crosses a row. */
RW_FN double rw_shadow_front(const rw_shadow *shadow, int i, int j, double y)
{
    return shadow->x[i] + (y - shadow->y[i]) / (shadow->y[j] - shadow->y[i]) * (shadow->x[j] - shadow->x[i]);
}

/* Widens a stretch of the row at y to x, where a side from y0 to y1 crosses it. */
RW_FN void rw_shadow_widen(double y0, double y1, double y, double x, double *low, double *high)
{
    int crosses = (y0 > y) != (y1 > y);
    *low = (crosses & (x < *low)) ? x : *low;
    *high = (crosses & (x > *high)) ? x : *high;
}

/* Rows of a shadow that are taken side by side. */
#ifdef __CUDACC__
#define RW_SHADOW_ROWS 1
#else
#define RW_SHADOW_ROWS 8
#endif

/* Of RW_SHADOW_ROWS rows, every stride-th from the given one on, the cells inside the polygon: from first on, up to
 * end; none where end is not above first. */
RW_FN void rw_shadow_spans(const rw_shadow *shadow, const rw_receivers_view *receivers, size_t row, size_t stride,
                           uint32_t *first, uint32_t *end)
{
    double y0_m = receivers->y0_m, x0_m = receivers->x0_m, res_m = receivers->res_m;
    double first_row = (double)row, step = (double)stride, columns = (double)receivers->columns;
    RW_SIMD
    for (int k = 0; k < RW_SHADOW_ROWS; k++) {
        double y = y0_m + (first_row + (double)k * step) * res_m, low = 1e300, high = -1e300;
        rw_shadow_widen(shadow->y[0], shadow->y[1], y, rw_shadow_front(shadow, 0, 1, y), &low, &high);
        rw_shadow_widen(shadow->y[1], shadow->y[2], y, rw_shadow_side(shadow, 1, y), &low, &high);
        rw_shadow_widen(shadow->y[2], shadow->y[3], y, rw_shadow_front(shadow, 2, 3, y), &low, &high);
        rw_shadow_widen(shadow->y[3], shadow->y[0], y, rw_shadow_side(shadow, 0, y), &low, &high);
        double from = ceil((low - x0_m) / res_m), to = ceil((high - x0_m) / res_m);
        from = from > 0.0 ? from : 0.0;
        to = to > 0.0 ? to : 0.0;
        first[k] = (uint32_t)(from < columns ? from : columns);
        end[k] = (uint32_t)(to < columns ? to : columns);
    }
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

/* Counts the wall over a stretch of a row. */
RW_FN void rw_shadow_row(const rw_los_arrays *all, const rw_exact_wall *wall, rw_vec3 source, const rw_shadow *shadow,
                         size_t source_index, size_t row, size_t first, size_t end)
{
    const rw_receivers_view *receivers = &all->receivers;
    uint32_t *counts = all->walls + (source_index * receivers->rows + row) * receivers->columns;
    if (!shadow->needs_test)
        rw_shadow_add(counts, receivers->columns, first, end);
    for (size_t column = first; shadow->needs_test && column < end; column++) {
        rw_vec3 receiver = rw_receiver_point(receivers, row * receivers->columns + column);
        if (rw_wall_stands_above(receiver, source, rw_earth_bulge_m(&all->grid, receiver, source), wall))
            rw_shadow_add(counts, receivers->columns, column, column + 1);
    }
}

RW_FN void rw_shadow_polygons_item(const struct rw_shadow_polygons_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    const rw_receivers_view *receivers = &all->receivers;
    size_t lane = item % args->lane_count, pair = item / args->lane_count, source_index = pair / all->near_count;
    const rw_exact_wall *wall = all->grid.exact + rw_los_wall(all, pair - source_index * all->near_count);
    rw_vec3 source = all->sources[source_index];
    rw_shadow shadow = rw_shadow_of(all, wall, source);
    if (shadow.empty)
        return;
    double south = shadow.y[0], north = shadow.y[0];
    for (int i = 1; i < 4; i++) {
        south = shadow.y[i] < south ? shadow.y[i] : south;
        north = shadow.y[i] > north ? shadow.y[i] : north;
    }
    size_t row_end = rw_cells_below(north, receivers->y0_m, receivers->res_m, receivers->rows);
    size_t row = rw_cells_below(south, receivers->y0_m, receivers->res_m, receivers->rows) + lane;
    for (; row < row_end; row += args->lane_count * RW_SHADOW_ROWS) {
        uint32_t first[RW_SHADOW_ROWS], end[RW_SHADOW_ROWS];
        rw_shadow_spans(&shadow, receivers, row, args->lane_count, first, end);
        for (size_t k = 0; k < RW_SHADOW_ROWS && row + k * args->lane_count < row_end; k++)
            rw_shadow_row(all, wall, source, &shadow, source_index, row + k * args->lane_count, first[k], end[k]);
    }
}

/* From the borders of shadows to wall counts: sums along each row. One item is one piece of a row of one source; where
 * a row has several, their totals are summed before. */

typedef struct rw_row_pieces {
    size_t count;     /* pieces of a row */
    size_t columns;   /* of a piece */
    uint32_t *totals; /* of each piece; NULL where a row is one piece */
} rw_row_pieces;

struct rw_sum_pieces_args {
    rw_los_arrays all;
    rw_row_pieces pieces;
};

RW_FN void rw_sum_pieces_item(const struct rw_sum_pieces_args *args, size_t item)
{
    size_t columns = args->all.receivers.columns, row = item / args->pieces.count;
    size_t first = (item - row * args->pieces.count) * args->pieces.columns, end = first + args->pieces.columns;
    uint32_t sum = 0;
    for (size_t column = first; column < end && column < columns; column++)
        sum += args->all.walls[row * columns + column];
    args->pieces.totals[item] = sum;
}

struct rw_sum_rows_args {
    rw_los_arrays all;
    rw_row_pieces pieces;
};

RW_FN void rw_sum_rows_item(const struct rw_sum_rows_args *args, size_t item)
{
    size_t columns = args->all.receivers.columns, row = item / args->pieces.count;
    size_t piece = item - row * args->pieces.count, first = piece * args->pieces.columns;
    size_t end = first + args->pieces.columns < columns ? first + args->pieces.columns : columns;
    uint32_t *counts = args->all.walls + row * columns, sum = 0;
    for (size_t before = 0; before < piece; before++)
        sum += args->pieces.totals[row * args->pieces.count + before];
    for (size_t column = first; column < end; column++) {
        sum += counts[column];
        counts[column] = sum;
    }
}

/* Line of sight from the blended wall counts: a receiver sees the source where no shadow fell, and no ground or mesh is
 * between. One item is one outdoor receiver of one source; the second pass of the shadow polygons. */

struct rw_los_from_walls_args {
    rw_los_arrays all;
};

RW_FN void rw_los_from_walls_item(const struct rw_los_from_walls_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    rw_vec3 from = rw_receiver_point(&all->receivers, cell), to = all->sources[source];
    if (all->grid.node_count)
        all->walls[out] += rw_cross_meshes(&all->grid, from, to, 1);
    int ground = all->grid.posts && all->walls[out] == 0 && rw_ground_blocks(&all->grid, from, to, 0, 1);
    all->los[out] = all->walls[out] == 0 && !ground;
}

#endif
