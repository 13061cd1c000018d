/* Map layers as cloud-optimised GeoTIFF: tiled, compressed, with overviews, as float32 or 16-bit whole numbers. Where
 * this GDAL has no driver for it, a plain GeoTIFF. Serves: output. */
#include "ext/gdal_internal.h"

#include "base/memory.h"
#include "ext/gdal_rasters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every band of a GeoTIFF in memory as whole numbers in another. */
static rw_status round_bands(GDALDatasetH from, GDALDatasetH to, const rw_raster_kind *kind, float *values)
{
    int columns = GDALGetRasterXSize(from), rows = GDALGetRasterYSize(from);
    size_t cells = (size_t)columns * (size_t)rows;
    for (int i = 1; i <= GDALGetRasterCount(from); i++) {
        GDALRasterBandH source = GDALGetRasterBand(from, i), target = GDALGetRasterBand(to, i);
        GDALSetDescription(target, GDALGetDescription(source));
        GDALSetRasterUnitType(target, GDALGetRasterUnitType(source));
        GDALSetRasterNoDataValue(target, RW_INTEGER_NODATA);
        if (kind->scale != 1)
            GDALSetRasterScale(target, kind->scale);
        if (GDALRasterIO(source, GF_Read, 0, 0, columns, rows, values, columns, rows, GDT_Float32, 0, 0) != CE_None)
            return RW_IO;
        for (size_t k = 0; k < cells; k++) {
            double rounded = round((double)values[k] / kind->scale);
            values[k] = isnan(values[k]) ? (float)RW_INTEGER_NODATA : (float)fmin(fmax(rounded, -32767), 32767);
        }
        if (GDALRasterIO(target, GF_Write, 0, 0, columns, rows, values, columns, rows, GDT_Float32, 0, 0) != CE_None)
            return RW_IO;
    }
    return RW_OK;
}

/* The GeoTIFF at path in whole numbers, in its place. */
static rw_status convert_to_integers(const char *path, const char *integer_path, const rw_raster_kind *kind,
                                     float *values)
{
    GDALDatasetH from = GDALOpen(path, GA_ReadOnly);
    if (!from)
        return RW_IO;
    char *options[] = {"COMPRESS=DEFLATE", "PREDICTOR=2", NULL};
    GDALDatasetH to = GDALCreate(GDALGetDriverByName("GTiff"), integer_path, GDALGetRasterXSize(from),
                                 GDALGetRasterYSize(from), GDALGetRasterCount(from), GDT_Int16, options);
    double transform[6];
    rw_status status = to ? RW_OK : RW_IO;
    if (status == RW_OK) {
        if (GDALGetGeoTransform(from, transform) == CE_None)
            GDALSetGeoTransform(to, transform);
        if (GDALGetSpatialRef(from))
            GDALSetSpatialRef(to, GDALGetSpatialRef(from));
        GDALSetMetadata(to, GDALGetMetadata(from, NULL), NULL);
        status = round_bands(from, to, kind, values);
        GDALClose(to);
    }
    GDALClose(from);
    return status;
}

/* What stands in overviews: of numbers of transmitters one of them, of levels their mean. */
static rw_status optimise_raster(const char *path, const char *optimised, int is_number)
{
    GDALDriverH driver = GDALGetDriverByName("COG");
    GDALDatasetH from = GDALOpen(path, GA_ReadOnly);
    char *options[] = {"COMPRESS=DEFLATE",
                       "LEVEL=6",
                       "PREDICTOR=YES",
                       "BLOCKSIZE=256",
                       "BIGTIFF=IF_SAFER",
                       is_number ? "OVERVIEW_RESAMPLING=NEAREST" : "OVERVIEW_RESAMPLING=AVERAGE",
                       NULL};
    GDALDatasetH to = from ? GDALCreateCopy(driver, optimised, from, FALSE, options, NULL, NULL) : NULL;
    if (to)
        GDALClose(to);
    if (from)
        GDALClose(from);
    return to ? RW_OK : RW_IO;
}

/* Files of memory in the order in which they are made. */
typedef struct cog_files {
    char plain[512], integers[512], optimised[512];
    const char *last; /* that is to be published */
} cog_files;

static rw_status build_cog(const rw_map *map, const rw_layer_data *layer, int centi, cog_files *files, float *values)
{
    rw_raster_kind kind = rw_raster_kind_of(layer, centi);
    RW_TRY(rw_gdal_build_layer(map, layer, files->plain, values));
    files->last = files->plain;
    if (kind.is_integer) {
        RW_TRY(convert_to_integers(files->plain, files->integers, &kind, values));
        files->last = files->integers;
    }
    if (!GDALGetDriverByName("COG"))
        return RW_OK;
    RW_TRY(optimise_raster(files->last, files->optimised, strcmp(layer->unit, "transmitter") == 0));
    files->last = files->optimised;
    return RW_OK;
}

rw_status rw_gdal_write_cog(const rw_map *map, const rw_layer_data *layer, const char *path, int centi)
{
    rw_gdal_guard guard = {0};
    cog_files files = {.last = NULL};
    char message[420];
    float *values;
    if (map->info.columns > 1u << 30 || map->info.rows > 1u << 30)
        return rw_fail(map->context, RW_TOO_LARGE, "%s: a GeoTIFF holds no %zu x %zu cells", path, map->info.columns,
                       map->info.rows);
    RW_TRY(rw_array_create(map->context, map->info.columns * map->info.rows, sizeof *values, path, &values));
    rw_gdal_memory_path(&guard, "plain.tif", files.plain);
    rw_gdal_memory_path(&guard, "whole.tif", files.integers);
    rw_gdal_memory_path(&guard, "optimised.tif", files.optimised);
    rw_gdal_enter(&guard);
    rw_status status = build_cog(map, layer, centi, &files, values);
    rw_gdal_leave();
    free(values);
    if (status == RW_OK && !guard.failed)
        status = rw_gdal_publish(map->context, files.last, path);
    else if (status != RW_OUT_OF_MEMORY) /* which has its sentence */
        status = rw_fail(map->context, RW_IO, "%s: making the GeoTIFF failed%s", path,
                         rw_gdal_last_message(&guard, message));
    VSIUnlink(files.plain);
    VSIUnlink(files.integers);
    VSIUnlink(files.optimised);
    return status;
}
