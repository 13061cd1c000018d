/* Rasters that are written already, in another coordinate system: nearest cell, so that no value is mixed with another
 * or with nodata. Metadata and names of bands stay. */
#include "ext/gdal_internal.h"

#include <gdal_utils.h>
#include <stdio.h>

static GDALDatasetH warp_map_dataset(GDALDatasetH source, const char *crs, const char *memory_path)
{
    char *arguments[] = {"-t_srs",           (char *)crs, "-r",        "near",       "-of", "GTiff", "-co",
                         "COMPRESS=DEFLATE", "-co",       "TILED=YES", "-dstnodata", "nan", NULL};
    GDALWarpAppOptions *options = GDALWarpAppOptionsNew(arguments, NULL);
    int wrong = 0;
    GDALDatasetH warped = options ? GDALWarp(memory_path, NULL, 1, &source, options, &wrong) : NULL;
    GDALWarpAppOptionsFree(options);
    return warped;
}

static void copy_band_names(GDALDatasetH from, GDALDatasetH to)
{
    for (int band = 1; band <= GDALGetRasterCount(from) && band <= GDALGetRasterCount(to); band++)
        GDALSetDescription(GDALGetRasterBand(to, band), GDALGetDescription(GDALGetRasterBand(from, band)));
}

rw_status rw_gdal_raster_to_crs(rw_context *context, const char *path, const char *crs)
{
    rw_gdal_crs_about about;
    rw_gdal_guard guard = {0};
    char memory_path[512], message[420];
    RW_TRY(rw_gdal_crs_describe(context, crs, &about));
    rw_gdal_memory_path(&guard, "warped.tif", memory_path);
    rw_gdal_enter(&guard);
    GDALDatasetH source = rw_gdal_open_raster(path);
    GDALDatasetH warped = source ? warp_map_dataset(source, crs, memory_path) : NULL;
    if (warped)
        copy_band_names(source, warped);
    GDALClose(warped);
    GDALClose(source);
    rw_gdal_leave();
    if (!warped || guard.failed) {
        rw_gdal_enter(&guard);
        VSIUnlink(memory_path);
        rw_gdal_leave();
        return rw_fail(context, RW_BAD_INPUT, "%s cannot be brought into %.80s%s", path, crs,
                       rw_gdal_last_message(&guard, message));
    }
    return rw_gdal_publish(context, memory_path, path);
}
