/* Builds without GDAL: calls that would open, transform or write something report it. Serves: output. */
#include "ext/gdal.h"

#include "base/stubs.h"
#include "ext/gdal_rasters.h"

static rw_status report_missing_gdal(rw_context *context, const char *what)
{
    return rw_fail(context, RW_UNSUPPORTED,
                   "%s needs GDAL, which this build does not have; install it and build with -DRW_GDAL=ON", what);
}

RW_STUB(int, rw_gdal_is_in, (void), 0)

RW_STUB(rw_status, rw_gdal_crs_describe, (rw_context * context, const char *crs, rw_gdal_crs_about *about),
        report_missing_gdal(context, crs))
RW_STUB(rw_status, rw_gdal_crs_is_same, (rw_context * context, const char *a, const char *b, int *same),
        report_missing_gdal(context, a))
RW_STUB(rw_status, rw_gdal_crs_utm,
        (rw_context * context, const char *crs, double x, double y, char utm[RW_CRS_CODE_MAX]),
        report_missing_gdal(context, crs))
RW_STUB(rw_status, rw_gdal_transform,
        (rw_context * context, const char *from, const char *to, double *xy, size_t count),
        report_missing_gdal(context, from))
RW_STUB(int, rw_gdal_recognises, (const char *path), 0)
RW_STUB(int, rw_gdal_is_raster, (const char *path), 0)
RW_STUB(rw_status, rw_vector_open, (rw_context * context, const char *path, rw_vector_file **file),
        (*file = NULL, report_missing_gdal(context, path)))

/* Nothing can be opened, so that none of these is called; they are here to link. */
RW_STUB_VOID(rw_vector_close, (rw_vector_file * file))
RW_STUB(int, rw_vector_is_osm, (const rw_vector_file *file), 0)
RW_STUB(size_t, rw_vector_layer_count, (const rw_vector_file *file), 0)
RW_STUB(const char *, rw_vector_layer_name, (const rw_vector_file *file, size_t layer), "")
RW_STUB(int, rw_vector_layer_has_shapes, (const rw_vector_file *file, size_t layer), 0)
RW_STUB(int, rw_vector_layer_has_polygons, (const rw_vector_file *file, size_t layer), 0)
RW_STUB_VOID(rw_vector_limit, (rw_vector_file * file, const double area[4]))
RW_STUB(rw_status, rw_vector_select, (rw_vector_file * file, size_t layer), RW_UNSUPPORTED)
RW_STUB(const char *, rw_vector_crs, (const rw_vector_file *file), "")
RW_STUB(size_t, rw_vector_field_count, (const rw_vector_file *file), 0)
RW_STUB(const char *, rw_vector_field_name, (const rw_vector_file *file, size_t field), "")
RW_STUB(int, rw_vector_find_field, (const rw_vector_file *file, const char *name), -1)
RW_STUB(rw_status, rw_vector_next, (rw_vector_file * file, int *more), (*more = 0, RW_UNSUPPORTED))
RW_STUB(long long, rw_vector_feature_id, (const rw_vector_file *file), -1)
RW_STUB(const char *, rw_vector_string, (rw_vector_file * file, int field), NULL)
RW_STUB(int, rw_vector_real, (rw_vector_file * file, int field, double *value), 0)
RW_STUB(int, rw_vector_integer, (rw_vector_file * file, int field, long long *value), 0)
RW_STUB(const void *, rw_vector_blob, (rw_vector_file * file, int field, size_t *size), (*size = 0, NULL))
RW_STUB(rw_status, rw_vector_polygons, (rw_vector_file * file, rw_vector_shape *shape), RW_UNSUPPORTED)
RW_STUB(const double *, rw_vector_z, (const rw_vector_file *file), NULL)
RW_STUB(rw_status, rw_vector_line, (rw_vector_file * file, rw_vector_shape *shape), RW_UNSUPPORTED)

RW_STUB(rw_status, rw_vector_writer_create,
        (rw_context * context, const char *format, const char *path, const char *crs, rw_vector_writer **writer),
        (*writer = NULL, report_missing_gdal(context, path)))
RW_STUB(rw_status, rw_vector_writer_layer,
        (rw_vector_writer * writer, const char *name, rw_layer_shape shape, const rw_vector_field *fields,
         size_t field_count),
        RW_UNSUPPORTED)
RW_STUB_VOID(rw_vector_write_integer, (rw_vector_writer * writer, int field, long long value))
RW_STUB_VOID(rw_vector_write_real, (rw_vector_writer * writer, int field, double value))
RW_STUB_VOID(rw_vector_write_string, (rw_vector_writer * writer, int field, const char *value))
RW_STUB_VOID(rw_vector_write_blob, (rw_vector_writer * writer, int field, const void *bytes, size_t size))
RW_STUB(rw_status, rw_vector_write_polygon,
        (rw_vector_writer * writer, const double *xy, const size_t *ring_sizes, size_t ring_count), RW_UNSUPPORTED)
RW_STUB(rw_status, rw_vector_write_polygons, (rw_vector_writer * writer, const rw_vector_shape *shape), RW_UNSUPPORTED)
RW_STUB(rw_status, rw_vector_write_polygon_z, (rw_vector_writer * writer, const double *xyz, size_t point_count),
        RW_UNSUPPORTED)
RW_STUB(rw_status, rw_vector_write_line, (rw_vector_writer * writer, const double *xy, size_t point_count),
        RW_UNSUPPORTED)
RW_STUB(rw_status, rw_vector_write_line_z, (rw_vector_writer * writer, const double *xyz, size_t point_count),
        RW_UNSUPPORTED)
RW_STUB(rw_status, rw_vector_write_point, (rw_vector_writer * writer, double x, double y), RW_UNSUPPORTED)
RW_STUB(rw_status, rw_vector_writer_add, (rw_vector_writer * writer), RW_UNSUPPORTED)
RW_STUB(rw_status, rw_vector_writer_finish, (rw_vector_writer * writer), RW_UNSUPPORTED)
RW_STUB_VOID(rw_vector_writer_abandon, (rw_vector_writer * writer))

RW_STUB(rw_status, rw_gdal_raster_open, (rw_context * context, const char *path, rw_gdal_raster **raster),
        (*raster = NULL, report_missing_gdal(context, path)))
RW_STUB(rw_status, rw_gdal_raster_open_highest, (rw_context * context, const char *path, rw_gdal_raster **raster),
        (*raster = NULL, report_missing_gdal(context, path)))
RW_STUB(const char *, rw_gdal_raster_crs, (const rw_gdal_raster *raster), "")
RW_STUB(rw_status, rw_gdal_raster_reproject, (rw_gdal_raster * raster, const char *target_crs), RW_UNSUPPORTED)
void rw_gdal_raster_extent(const rw_gdal_raster *raster, double extent[4])
{
    extent[0] = extent[1] = extent[2] = extent[3] = 0;
}
RW_STUB(double, rw_gdal_raster_pixel_m2, (const rw_gdal_raster *raster), 1)
RW_STUB(rw_status, rw_gdal_raster_read, (rw_gdal_raster * raster, const double box[4], rw_raster *heights),
        RW_UNSUPPORTED)
RW_STUB(rw_status, rw_gdal_raster_to_crs, (rw_context * context, const char *path, const char *crs),
        report_missing_gdal(context, crs))
RW_STUB_VOID(rw_gdal_raster_close, (rw_gdal_raster * raster))

RW_STUB(rw_status, rw_gdal_write_layer, (const rw_map *map, const rw_layer_data *layer, const char *path),
        report_missing_gdal(map->context, path))
RW_STUB(rw_status, rw_gdal_write_cog, (const rw_map *map, const rw_layer_data *layer, const char *path, int centi),
        report_missing_gdal(map->context, path))
RW_STUB(rw_status, rw_gdal_read_item, (rw_context * context, const char *path, const char *item, char **string),
        (*string = NULL, RW_OK))
RW_STUB(rw_status, rw_gdal_read_map, (rw_context * context, const char *path, rw_map **map),
        (*map = NULL, report_missing_gdal(context, path)))
