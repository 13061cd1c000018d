/* Receivers as kernels see them: the cell centres of a grid at a height above ground, or points. */
#ifndef RW_DISCRETISE_RECEIVERS_RECEIVERS_K_H
#define RW_DISCRETISE_RECEIVERS_RECEIVERS_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/vector.h"
#include <stddef.h>

typedef struct rw_receivers_view {
    size_t columns, rows;
    double x0_m, y0_m, res_m; /* centre of the south-western cell, in the wall grid's frame */
    double flat_z_m;          /* altitude of every receiver where z_m is NULL */
    const float *z_m;         /* altitude of each receiver, on terrain */
    double reach_m;           /* no receiver has a larger coordinate, east or west, north or south */
    float low_m, high_m;      /* every receiver's altitude lies between these */
    const rw_vec3 *points;    /* receivers that are no grid: one row of them, in the wall grid's frame; else NULL */
    const uint8_t *indoor;    /* 1 inside a building, 2 left out, 0 a receiver */
    const uint32_t *outdoor;  /* the cells outside buildings, listed so that neighbours follow each other */
    size_t outdoor_count;
} rw_receivers_view;

/* A cell of the grid, for those who know its column and row. */
RW_FN rw_vec3 rw_receiver_cell(const rw_receivers_view *receivers, size_t column, size_t row)
{
    return rw_vec3_of(receivers->x0_m + (double)column * receivers->res_m,
                      receivers->y0_m + (double)row * receivers->res_m,
                      receivers->z_m ? (double)receivers->z_m[row * receivers->columns + column] : receivers->flat_z_m);
}

RW_FN rw_vec3 rw_receiver_point(const rw_receivers_view *receivers, size_t cell)
{
    if (receivers->points)
        return receivers->points[cell];
    size_t row = cell / receivers->columns;
    return rw_receiver_cell(receivers, cell - row * receivers->columns, row);
}

#endif
