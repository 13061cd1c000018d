/* The stand-in for builds without GDAL: every call says so. Serves: output. */
#include "ext/gdal.h"

#include "output/maps/raster_file.h"

int rw_gdal_is_in(void)
{
    return 0;
}

static rw_status report_missing_gdal(rw_context *context, const char *what)
{
    return rw_fail(context, RW_UNSUPPORTED,
                   "%s needs GDAL, which this build has not; install it and build with -DRW_GDAL=ON", what);
}

rw_status rw_gdal_crs_describe(rw_context *context, const char *crs, rw_gdal_crs_about *about)
{
    (void)about;
    return report_missing_gdal(context, crs);
}

rw_status rw_gdal_crs_is_same(rw_context *context, const char *a, const char *b, int *same)
{
    (void)b, (void)same;
    return report_missing_gdal(context, a);
}

rw_status rw_gdal_crs_utm(rw_context *context, const char *crs, double x, double y, char utm[RW_CRS_CODE_MAX])
{
    (void)x, (void)y, (void)utm;
    return report_missing_gdal(context, crs);
}

rw_status rw_gdal_transform(rw_context *context, const char *from, const char *to, double *xy, size_t count)
{
    (void)to, (void)xy, (void)count;
    return report_missing_gdal(context, from);
}

int rw_gdal_recognises(const char *path)
{
    (void)path;
    return 0;
}

int rw_gdal_is_raster(const char *path)
{
    (void)path;
    return 0;
}

rw_status rw_vector_open(rw_context *context, const char *path, rw_vector_file **file)
{
    *file = NULL;
    return report_missing_gdal(context, path);
}

void rw_vector_close(rw_vector_file *file)
{
    (void)file;
}

/* The rest of reading and writing vectors is never reached, because nothing can be opened; it is here to link. */
int rw_vector_is_osm(const rw_vector_file *file)
{
    (void)file;
    return 0;
}

size_t rw_vector_layer_count(const rw_vector_file *file)
{
    (void)file;
    return 0;
}

const char *rw_vector_layer_name(const rw_vector_file *file, size_t layer)
{
    (void)file, (void)layer;
    return "";
}

int rw_vector_layer_has_shapes(const rw_vector_file *file, size_t layer)
{
    (void)file, (void)layer;
    return 0;
}

int rw_vector_layer_has_polygons(const rw_vector_file *file, size_t layer)
{
    (void)file, (void)layer;
    return 0;
}

void rw_vector_limit(rw_vector_file *file, const double area[4])
{
    (void)file, (void)area;
}

rw_status rw_vector_select(rw_vector_file *file, size_t layer)
{
    (void)file, (void)layer;
    return RW_UNSUPPORTED;
}

const char *rw_vector_crs(const rw_vector_file *file)
{
    (void)file;
    return "";
}

size_t rw_vector_field_count(const rw_vector_file *file)
{
    (void)file;
    return 0;
}

const char *rw_vector_field_name(const rw_vector_file *file, size_t field)
{
    (void)file, (void)field;
    return "";
}

int rw_vector_find_field(const rw_vector_file *file, const char *name)
{
    (void)file, (void)name;
    return -1;
}

rw_status rw_vector_next(rw_vector_file *file, int *more)
{
    (void)file;
    *more = 0;
    return RW_UNSUPPORTED;
}

long long rw_vector_feature_id(const rw_vector_file *file)
{
    (void)file;
    return -1;
}

const char *rw_vector_string(rw_vector_file *file, int field)
{
    (void)file, (void)field;
    return NULL;
}

int rw_vector_real(rw_vector_file *file, int field, double *value)
{
    (void)file, (void)field, (void)value;
    return 0;
}

int rw_vector_integer(rw_vector_file *file, int field, long long *value)
{
    (void)file, (void)field, (void)value;
    return 0;
}

const void *rw_vector_blob(rw_vector_file *file, int field, size_t *size)
{
    (void)file, (void)field;
    *size = 0;
    return NULL;
}

rw_status rw_vector_polygons(rw_vector_file *file, rw_vector_shape *shape)
{
    (void)file, (void)shape;
    return RW_UNSUPPORTED;
}

const double *rw_vector_z(const rw_vector_file *file)
{
    (void)file;
    return NULL;
}

rw_status rw_vector_line(rw_vector_file *file, rw_vector_shape *shape)
{
    (void)file, (void)shape;
    return RW_UNSUPPORTED;
}

rw_status rw_vector_writer_create(rw_context *context, const char *format, const char *path, const char *crs,
                                  rw_vector_writer **writer)
{
    (void)format, (void)crs;
    *writer = NULL;
    return report_missing_gdal(context, path);
}

rw_status rw_vector_writer_layer(rw_vector_writer *writer, const char *name, rw_layer_shape shape,
                                 const rw_vector_field *fields, size_t field_count)
{
    (void)writer, (void)name, (void)shape, (void)fields, (void)field_count;
    return RW_UNSUPPORTED;
}

void rw_vector_write_integer(rw_vector_writer *writer, int field, long long value)
{
    (void)writer, (void)field, (void)value;
}

void rw_vector_write_real(rw_vector_writer *writer, int field, double value)
{
    (void)writer, (void)field, (void)value;
}

void rw_vector_write_string(rw_vector_writer *writer, int field, const char *value)
{
    (void)writer, (void)field, (void)value;
}

void rw_vector_write_blob(rw_vector_writer *writer, int field, const void *bytes, size_t size)
{
    (void)writer, (void)field, (void)bytes, (void)size;
}

rw_status rw_vector_write_polygon(rw_vector_writer *writer, const double *xy, const size_t *ring_sizes,
                                  size_t ring_count)
{
    (void)writer, (void)xy, (void)ring_sizes, (void)ring_count;
    return RW_UNSUPPORTED;
}

rw_status rw_vector_write_polygons(rw_vector_writer *writer, const rw_vector_shape *shape)
{
    (void)writer, (void)shape;
    return RW_UNSUPPORTED;
}

rw_status rw_vector_write_polygon_z(rw_vector_writer *writer, const double *xyz, size_t point_count)
{
    (void)writer, (void)xyz, (void)point_count;
    return RW_UNSUPPORTED;
}

rw_status rw_vector_write_line(rw_vector_writer *writer, const double *xy, size_t point_count)
{
    (void)writer, (void)xy, (void)point_count;
    return RW_UNSUPPORTED;
}

rw_status rw_vector_write_line_z(rw_vector_writer *writer, const double *xyz, size_t point_count)
{
    (void)writer, (void)xyz, (void)point_count;
    return RW_UNSUPPORTED;
}

rw_status rw_vector_write_point(rw_vector_writer *writer, double x, double y)
{
    (void)writer, (void)x, (void)y;
    return RW_UNSUPPORTED;
}

rw_status rw_vector_writer_add(rw_vector_writer *writer)
{
    (void)writer;
    return RW_UNSUPPORTED;
}

rw_status rw_vector_writer_finish(rw_vector_writer *writer)
{
    (void)writer;
    return RW_UNSUPPORTED;
}

void rw_vector_writer_abandon(rw_vector_writer *writer)
{
    (void)writer;
}

rw_status rw_gdal_raster_open(rw_context *context, const char *path, rw_gdal_raster **raster)
{
    *raster = NULL;
    return report_missing_gdal(context, path);
}

const char *rw_gdal_raster_crs(const rw_gdal_raster *raster)
{
    (void)raster;
    return "";
}

rw_status rw_gdal_raster_reproject(rw_gdal_raster *raster, const char *target_crs)
{
    (void)raster, (void)target_crs;
    return RW_UNSUPPORTED;
}

void rw_gdal_raster_extent(const rw_gdal_raster *raster, double extent[4])
{
    (void)raster;
    extent[0] = extent[1] = extent[2] = extent[3] = 0;
}

double rw_gdal_raster_pixel_m2(const rw_gdal_raster *raster)
{
    (void)raster;
    return 1;
}

rw_status rw_gdal_raster_read(rw_gdal_raster *raster, const double box[4], rw_raster *heights)
{
    (void)raster, (void)box, (void)heights;
    return RW_UNSUPPORTED;
}

rw_status rw_gdal_raster_to_crs(rw_context *context, const char *path, const char *crs)
{
    (void)path;
    return report_missing_gdal(context, crs);
}

void rw_gdal_raster_close(rw_gdal_raster *raster)
{
    (void)raster;
}

rw_status rw_gdal_write_layer(const rw_map *map, const rw_layer_data *layer, const char *path)
{
    (void)layer;
    return report_missing_gdal(map->context, path);
}

rw_status rw_gdal_write_cog(const rw_map *map, const rw_layer_data *layer, const char *path, int centi)
{
    (void)layer, (void)centi;
    return report_missing_gdal(map->context, path);
}

rw_status rw_gdal_read_item(rw_context *context, const char *path, const char *item, char **string)
{
    (void)context, (void)path, (void)item;
    *string = NULL;
    return RW_OK;
}

rw_status rw_gdal_read_map(rw_context *context, const char *path, rw_map **map)
{
    *map = NULL;
    return report_missing_gdal(context, path);
}
