/* What the library takes from GDAL: coordinate systems, vector files in and out, height rasters. No GDAL type
 * stands here, so that callers build without it; then the stub (gdal_stub.c) returns RW_UNSUPPORTED.
 *
 * GDAL prints nothing: its messages become the end of our own sentences. Map layers are in ext/gdal_rasters.h.
 */
#ifndef RW_EXT_GDAL_H
#define RW_EXT_GDAL_H

#include "base/context.h"

/* Whether this build has GDAL. */
int rw_gdal_is_in(void);

/* The text of an item in the metadata of a GeoTIFF or GeoPackage; *text is to be freed, NULL where there is none. */
rw_status rw_gdal_read_item(rw_context *context, const char *path, const char *item, char **string);

/* ------------------------------------------------------------------------------------------------ coordinate systems
 */

#define RW_GDAL_CRS_NAME_MAX 128

typedef struct rw_gdal_crs_about {
    int geographic;
    double metres_per_unit; /* of a projected one */
    char name[RW_GDAL_CRS_NAME_MAX];
} rw_gdal_crs_about;

/* What a coordinate system is; fails where the text (WKT, PROJ string, EPSG:n) is none. */
rw_status rw_gdal_crs_describe(rw_context *context, const char *crs, rw_gdal_crs_about *about);

/* Whether both mean the same plane coordinates. */
rw_status rw_gdal_crs_is_same(rw_context *context, const char *a, const char *b, int *same);

#define RW_CRS_CODE_MAX 64

/* "EPSG:326zz" or "EPSG:327zz": the UTM zone of a point. */
rw_status rw_gdal_crs_utm(rw_context *context, const char *crs, double x, double y, char utm[RW_CRS_CODE_MAX]);

/* Transforms x, y pairs in place; pairs that cannot be transformed become NaN. Longitude and easting come first. */
rw_status rw_gdal_transform(rw_context *context, const char *from, const char *to, double *xy, size_t count);

/* ------------------------------------------------------------------------------------------------- vector files, in */

typedef struct rw_vector_file rw_vector_file;

/* Whether GDAL would open the file as a vector or raster source. */
int rw_gdal_recognises(const char *path);
int rw_gdal_is_raster(const char *path);

rw_status rw_vector_open(rw_context *context, const char *path, rw_vector_file **file);
void rw_vector_close(rw_vector_file *file);

int rw_vector_is_osm(const rw_vector_file *file);
size_t rw_vector_layer_count(const rw_vector_file *file);
const char *rw_vector_layer_name(const rw_vector_file *file, size_t layer);
int rw_vector_layer_has_shapes(const rw_vector_file *file, size_t layer);   /* 0: a table without geometry */
int rw_vector_layer_has_polygons(const rw_vector_file *file, size_t layer); /* or may have: 0: points, lines, a table */

/* From now on layers are read only where they touch west, south, east, north, in their own coordinates. */
void rw_vector_limit(rw_vector_file *file, const double area[4]);

/* Starts reading a layer. crs ("" where unknown) lives as long as the file. */
rw_status rw_vector_select(rw_vector_file *file, size_t layer);
const char *rw_vector_crs(const rw_vector_file *file);
size_t rw_vector_field_count(const rw_vector_file *file);
const char *rw_vector_field_name(const rw_vector_file *file, size_t field);
int rw_vector_find_field(const rw_vector_file *file, const char *name); /* letters' case aside; -1: none */

/* The next feature of the layer; more is 0 after the last. */
rw_status rw_vector_next(rw_vector_file *file, int *more);
long long rw_vector_feature_id(const rw_vector_file *file);

/* Values of the feature; NULL or 0 where it has none. They live until the next feature. */
const char *rw_vector_string(rw_vector_file *file, int field);
int rw_vector_real(rw_vector_file *file, int field, double *value);
int rw_vector_integer(rw_vector_file *file, int field, long long *value);
const void *rw_vector_blob(rw_vector_file *file, int field, size_t *size);

/* The feature's shape as rings without their closing point. polygon_first[i] is the first ring of polygon i, with one
 * more entry at the end; a line is one ring. They live until the next feature. */
typedef struct rw_vector_shape {
    const double *xy;
    const size_t *ring_sizes;
    const size_t *polygon_first;
    size_t ring_count, polygon_count;
} rw_vector_shape;

rw_status rw_vector_polygons(rw_vector_file *file, rw_vector_shape *shape);
rw_status rw_vector_line(rw_vector_file *file, rw_vector_shape *shape);

/* z of each point of the shape that was given last; NULL where it has none. */
const double *rw_vector_z(const rw_vector_file *file);

/* ------------------------------------------------------------------------------------------------ vector files, out */

typedef enum rw_field_kind { RW_FIELD_INTEGER, RW_FIELD_REAL, RW_FIELD_STRING, RW_FIELD_BLOB } rw_field_kind;

typedef struct rw_vector_field {
    const char *name;
    rw_field_kind kind;
} rw_vector_field;

typedef enum rw_layer_shape {
    RW_SHAPE_NONE,
    RW_SHAPE_POLYGON,
    RW_SHAPE_LINE,
    RW_SHAPE_POLYGON_Z,
    RW_SHAPE_POLYGONS, /* several in each feature */
    RW_SHAPE_POINT,
    RW_SHAPE_LINE_Z
} rw_layer_shape;

typedef struct rw_vector_writer rw_vector_writer;

/* format is "GPKG", "GeoJSON" or "ESRI Shapefile", which has one layer. Everything is built in memory; finish puts it
 * at its path whole, or not at all; of a shapefile each of its files. */
rw_status rw_vector_writer_create(rw_context *context, const char *format, const char *path, const char *crs,
                                  rw_vector_writer **writer);
rw_status rw_vector_writer_layer(rw_vector_writer *writer, const char *name, rw_layer_shape shape,
                                 const rw_vector_field *fields, size_t field_count);

/* Values of the feature that rw_vector_writer_add then adds; NaN and NULL are left unset. */
void rw_vector_write_integer(rw_vector_writer *writer, int field, long long value);
void rw_vector_write_real(rw_vector_writer *writer, int field, double value);
void rw_vector_write_string(rw_vector_writer *writer, int field, const char *value);
void rw_vector_write_blob(rw_vector_writer *writer, int field, const void *bytes, size_t size);
rw_status rw_vector_write_polygon(rw_vector_writer *writer, const double *xy, const size_t *ring_sizes,
                                  size_t ring_count);
/* All polygons of the shape, for layers of RW_SHAPE_POLYGONS. */
rw_status rw_vector_write_polygons(rw_vector_writer *writer, const rw_vector_shape *shape);
/* One ring of x, y, z in space, for layers of RW_SHAPE_POLYGON_Z. */
rw_status rw_vector_write_polygon_z(rw_vector_writer *writer, const double *xyz, size_t point_count);
rw_status rw_vector_write_line(rw_vector_writer *writer, const double *xy, size_t point_count);
rw_status rw_vector_write_line_z(rw_vector_writer *writer, const double *xyz, size_t point_count);
rw_status rw_vector_write_point(rw_vector_writer *writer, double x, double y);
rw_status rw_vector_writer_add(rw_vector_writer *writer);

rw_status rw_vector_writer_finish(rw_vector_writer *writer); /* destroys it, failed or not */
void rw_vector_writer_abandon(rw_vector_writer *writer);

/* ---------------------------------------------------------------------------------------------------- height rasters
 */

typedef struct rw_gdal_raster rw_gdal_raster;

/* Opens band 1 of a raster. Where target_crs is not NULL and differs from its own (or from source_crs, which replaces
 * it), or the raster is turned, it is reprojected, bilinearly. */
rw_status rw_gdal_raster_open(rw_context *context, const char *path, rw_gdal_raster **raster);

/* The same for a surface model: of a point cloud the highest points, not the ground. */
rw_status rw_gdal_raster_open_highest(rw_context *context, const char *path, rw_gdal_raster **raster);
const char *rw_gdal_raster_crs(const rw_gdal_raster *raster); /* "" where unknown */
rw_status rw_gdal_raster_reproject(rw_gdal_raster *raster, const char *target_crs);

/* x_min, y_min, x_max, y_max of its pixels' outer edges, in its own or the target system. */
void rw_gdal_raster_extent(const rw_gdal_raster *raster, double extent[4]);
double rw_gdal_raster_pixel_m2(const rw_gdal_raster *raster); /* area of a pixel */

/* Heights at pixel centres, nodata as NaN, cut to the pixels that touch the box. values is to be freed by the caller.
 */
rw_status rw_gdal_raster_read(rw_gdal_raster *raster, const double box[4], rw_raster *heights);
void rw_gdal_raster_close(rw_gdal_raster *raster);

/* Writes a raster file anew in another coordinate system, by the nearest cell. */
rw_status rw_gdal_raster_to_crs(rw_context *context, const char *path, const char *crs);

#endif
