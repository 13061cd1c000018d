/* GDAL's own viewshed on a raster in memory; viewshed_stub.c stands in where GDAL is not built in. */
#ifndef RW_BENCH_VIEWSHED_H
#define RW_BENCH_VIEWSHED_H

#include "base/context.h"

typedef struct rw_gdal_viewshed_options {
    const float *heights; /* rows from the south */
    size_t columns, rows;
    double res_m;
    size_t observer_column, observer_row;
    double observer_height_m, target_height_m; /* above the raster */
} rw_gdal_viewshed_options;

/* GDAL's own viewshed, flat earth, as what a user would take instead: visible is 1 or 0 a cell, rows from the south.
 * seconds is the time of the viewshed alone, without copying its input and output. */
rw_status rw_gdal_viewshed(rw_context *context, const rw_gdal_viewshed_options *options, unsigned char *visible,
                           double *seconds);

#endif
