/* Shared by the gdal_*.c files: GDAL's errors caught a thread at a time, and files built in memory. */
#ifndef RW_EXT_GDAL_INTERNAL_H
#define RW_EXT_GDAL_INTERNAL_H

#include "ext/gdal.h"
#include "ext/gdal_calls.h"

/* The first failure GDAL told since the guard was cleared. */
typedef struct rw_gdal_guard {
    int failed;
    char message[400];
} rw_gdal_guard;

/* Between enter and leave, what GDAL has to say on this thread goes to the guard. Loads GDAL and registers its drivers
 * on first use; if it cannot be loaded, the guard says so, and GDAL's functions return zeros. */
void rw_gdal_enter(rw_gdal_guard *guard);
void rw_gdal_leave(void);

/* ": message" for the end of a sentence, or "" where GDAL said nothing. */
const char *rw_gdal_last_message(const rw_gdal_guard *guard, char string[420]);

/* The vector formats that are read, for GDAL's calls; ends with NULL. */
extern const char *const rw_gdal_vector_drivers[];

/* Opens a raster of one of the formats that are read; NULL where it is none. Between enter and leave. */
GDALDatasetH rw_gdal_open_raster(const char *path);

/* GDALOpenEx for a file alone: without its .aux.xml, which newer versions of GDAL write when they close a GeoPackage
 * that was only read. Between enter and leave. */
GDALDatasetH rw_gdal_open_alone(const char *path, unsigned flags, const char *const *drivers,
                                const char *const *options);

/* gdal_region.c: the list of blocks of a region, by its name, and opened after its content is checked. Between enter
 * and leave. */
int rw_gdal_is_region(const char *path);
rw_status rw_gdal_open_region(rw_context *context, const char *path, GDALDatasetH *dataset);

/* Records the files of a dataset that was opened, with the sidecars that GDAL lists (base/inputs.h). */
rw_status rw_gdal_record_inputs(rw_context *context, GDALDatasetH dataset);

/* A coordinate system from text, longitude or easting first; NULL where the text is none. Between enter and leave. */
OGRSpatialReferenceH rw_gdal_crs_parse(const char *crs);

/* "EPSG:n" where it has such a number, its WKT otherwise, "" for NULL. Free with CPLFree. */
char *rw_gdal_crs_wkt(OGRSpatialReferenceH system);

/* A name of its own under GDAL's files in memory, ending like path. */
void rw_gdal_memory_path(const void *owner, const char *path, char memory_path[512]);

/* Writes the file in memory to path, whole or not at all, and forgets it. */
rw_status rw_gdal_publish(rw_context *context, const char *memory_path, const char *path);

/* gdal_map.c: a layer as a GeoTIFF among GDAL's files in memory; band_values has room for a band. Between enter and
 * leave. */
typedef struct rw_layer_data rw_layer_data;
rw_status rw_gdal_build_layer(const rw_map *map, const rw_layer_data *layer, const char *memory_path,
                              float *band_values);

/* gdal_points.c: point clouds as temporary rasters, by the program pdal; raster_path "": there is none. */
int rw_gdal_is_point_cloud(const char *path);
rw_status rw_gdal_points_rasterise(rw_context *context, const char *path, int only_ground, char *raster_path);
void rw_gdal_points_remove(const char *raster_path);

#endif
