/* The fraction of the area round a point that is built over, as kernels see it: a raster of disc means. */
#ifndef RW_DISCRETISE_BUILT_OVER_K_H
#define RW_DISCRETISE_BUILT_OVER_K_H

#include "base/kernel/qualifiers.h"

#include <math.h>
#include <stddef.h>

#define RW_BUILT_OVER_RADIUS_M 300.0

typedef struct rw_built_over_view {
    int columns, rows;
    double x0, y0, cell_m;  /* centre of the south-western cell, in the frame of the wall grid */
    const float *fractions; /* NULL: nothing is built */
} rw_built_over_view;

/* Bilinear between the centres of cells; 0 beyond the raster, which ends where no disc holds a building. */
RW_FN double rw_built_over_at(const rw_built_over_view *view, double x, double y)
{
    double u = (x - view->x0) / view->cell_m, v = (y - view->y0) / view->cell_m;
    if (!view->fractions || !(u >= 0.0) || !(v >= 0.0) || !(u <= view->columns - 1) || !(v <= view->rows - 1))
        return 0.0;
    int column = (int)u < view->columns - 2 ? (int)u : view->columns - 2;
    int row = (int)v < view->rows - 2 ? (int)v : view->rows - 2;
    const float *south = view->fractions + (size_t)row * (size_t)view->columns + (size_t)column;
    const float *north = south + view->columns;
    double east = u - column, up = v - row;
    return (1.0 - up) * ((1.0 - east) * (double)south[0] + east * (double)south[1]) +
           up * ((1.0 - east) * (double)north[0] + east * (double)north[1]);
}

#endif
