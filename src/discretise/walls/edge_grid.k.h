/* Vertical edges on a coarse grid, as kernels see them: which ones stand near a line in plan.
 *
 * The edges are the free convex corners of corners.k.h, at the exact end of their walls. A cell of the grid is wide
 * against the distance between neighbouring edges, so that a leg of a path visits few. */
#ifndef RW_DISCRETISE_WALLS_EDGE_GRID_K_H
#define RW_DISCRETISE_WALLS_EDGE_GRID_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/vector.h"
#include <stddef.h>

/* In the wall grid's frame. a and b lead along the two walls away from the edge, of length 1; a free-standing wall's
 * end has the same wall twice. */
typedef struct rw_upright_edge {
    rw_vec2 at, a, b;
    double exterior_rad;
    float bottom, top; /* of the free edge, altitudes */
    uint32_t surface_a, surface_b;
} rw_upright_edge;

typedef struct rw_edge_grid_view {
    const rw_upright_edge *edges; /* in the order of their cells */
    const uint32_t *first;        /* of each cell, row by row from the south, and one more */
    int columns, rows;            /* 0: there are no edges */
    double x0, y0, cell_m;
} rw_edge_grid_view;

RW_FN int rw_edge_grid_index(double at, double from, double cell_m, int count)
{
    double index = floor((at - from) / cell_m);
    return index < 0 ? 0 : index > count - 1 ? count - 1 : (int)index;
}

/* Of a stretch p0 to p1, the range of x within a strip of y. Returns whether the stretch enters the strip. */
RW_FN int rw_stretch_in_strip(rw_vec2 p0, rw_vec2 p1, double y_low, double y_high, double *x_low, double *x_high)
{
    double dy = p1.y - p0.y, t0 = 0, t1 = 1;
    if ((p0.y < y_low && p1.y < y_low) || (p0.y > y_high && p1.y > y_high))
        return 0;
    if (fabs(dy) > 1e-9) {
        double a = (y_low - p0.y) / dy, b = (y_high - p0.y) / dy;
        double low = a < b ? a : b, high = a < b ? b : a;
        t0 = low > 0 ? low : 0;
        t1 = high < 1 ? high : 1;
    }
    double xa = p0.x + t0 * (p1.x - p0.x), xb = p0.x + t1 * (p1.x - p0.x);
    *x_low = xa < xb ? xa : xb;
    *x_high = xa < xb ? xb : xa;
    return 1;
}

#endif
