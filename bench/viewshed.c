/* GDAL's viewshed on a raster in memory: heights in, visible cells out, as a comparison for the benchmark. */
#include "bench/bench.h"

#include "ext/gdal_internal.h"

#include "base/memory.h"

#include <gdal_alg.h>
#include <stdlib.h>

/* A raster in memory whose rows go north to south, as GDAL has them. */
static GDALDatasetH create_height_raster(const rw_gdal_viewshed_options *options)
{
    int columns = (int)options->columns, rows = (int)options->rows;
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("MEM"), "", columns, rows, 1, GDT_Float32, NULL);
    if (!dataset)
        return NULL;
    double transform[6] = {0, options->res_m, 0, rows * options->res_m, 0, -options->res_m};
    GDALSetGeoTransform(dataset, transform);
    CPLErr error = CE_None;
    for (int row = 0; row < rows && error == CE_None; row++) {
        const float *values = options->heights + (size_t)(rows - 1 - row) * options->columns;
        error = GDALRasterIO(GDALGetRasterBand(dataset, 1), GF_Write, 0, row, columns, 1, (void *)values, columns, 1,
                             GDT_Float32, 0, 0);
    }
    if (error == CE_None)
        return dataset;
    GDALClose(dataset);
    return NULL;
}

static int read_visible(GDALDatasetH made, const rw_gdal_viewshed_options *options, unsigned char *visible)
{
    int columns = (int)options->columns, rows = (int)options->rows;
    if (GDALGetRasterXSize(made) != columns || GDALGetRasterYSize(made) != rows)
        return 0;
    for (int row = 0; row < rows; row++)
        if (GDALRasterIO(GDALGetRasterBand(made, 1), GF_Read, 0, row, columns, 1,
                         visible + (size_t)(rows - 1 - row) * options->columns, columns, 1, GDT_Byte, 0, 0) != CE_None)
            return 0;
    return 1;
}

static int run_viewshed(GDALDatasetH heights, const rw_gdal_viewshed_options *options, unsigned char *visible,
                        double *seconds)
{
    double x = ((double)options->observer_column + 0.5) * options->res_m;
    double y = ((double)options->observer_row + 0.5) * options->res_m;
    double reach = 2 * options->res_m * (double)(options->columns + options->rows);
    double start_s = rw_seconds();
    /* Curvature 0: a flat earth, as the line-of-sight maps have it. Reach: the whole raster. */
    GDALDatasetH made =
        GDALViewshedGenerate(GDALGetRasterBand(heights, 1), "MEM", "", NULL, x, y, options->observer_height_m,
                             options->target_height_m, 1, 0, 0, -1, 0, GVM_Edge, reach, NULL, NULL, GVOT_NORMAL, NULL);
    *seconds = rw_seconds() - start_s;
    int good = made && read_visible(made, options, visible);
    if (made)
        GDALClose(made);
    return good;
}

rw_status rw_gdal_viewshed(rw_context *context, const rw_gdal_viewshed_options *options, unsigned char *visible,
                           double *seconds)
{
    if (options->columns < 1 || options->rows < 1 || options->columns > 1u << 20 || options->rows > 1u << 20 ||
        options->observer_column >= options->columns || options->observer_row >= options->rows || !(options->res_m > 0))
        return rw_fail(context, RW_BAD_CALL, "a viewshed from cell %zu, %zu of %zu x %zu is not possible",
                       options->observer_column, options->observer_row, options->columns, options->rows);
    rw_gdal_guard guard = {0};
    char message[420];
    rw_gdal_enter(&guard);
    GDALDatasetH heights = create_height_raster(options);
    int good = heights && run_viewshed(heights, options, visible, seconds);
    if (heights)
        GDALClose(heights);
    rw_gdal_leave();
    return good ? RW_OK
                : rw_fail(context, RW_INTERNAL, "GDAL's viewshed failed%s", rw_gdal_last_message(&guard, message));
}
