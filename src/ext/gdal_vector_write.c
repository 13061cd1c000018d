/* Vector files out through GDAL: layers with fields, built in memory and published whole. */
#include "ext/gdal_internal.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text/json_write.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rw_vector_writer {
    rw_context *context;
    char path[4096], memory_path[512];
    int is_json, is_shape;
    GDALDatasetH dataset;
    OGRSpatialReferenceH system;
    OGRLayerH layer;
    OGRFeatureH feature;
    rw_gdal_guard guard;
};

/* A shapefile is several files of one name, each with its own end. */
static const char *const shape_ends[] = {"shp", "shx", "dbf", "prj", "cpg"};
enum { SHAPE_ENDS = sizeof shape_ends / sizeof *shape_ends };

static void name_shape_file(const char *path, int end, char *file_path, size_t size)
{
    snprintf(file_path, size, "%.*s%s", (int)strlen(path) - 3, path, shape_ends[end]);
}

static void forget_files(rw_vector_writer *writer)
{
    char file_path[512];
    VSIUnlink(writer->memory_path);
    for (int i = 0; writer->is_shape && i < SHAPE_ENDS; i++) {
        name_shape_file(writer->memory_path, i, file_path, sizeof file_path);
        VSIUnlink(file_path);
    }
}

/* With the provenance as the first member: a foreign one by RFC 7946, which readers pass over. */
static rw_status publish_json(rw_vector_writer *writer)
{
    vsi_l_offset size = 0;
    const char *bytes = (const char *)VSIGetMemFileBuffer(writer->memory_path, &size, FALSE);
    const char *brace = bytes ? memchr(bytes, '{', (size_t)size) : NULL;
    if (!brace || !writer->context->provenance)
        return rw_gdal_publish(writer->context, writer->memory_path, writer->path);
    rw_file_writer file;
    size_t before = (size_t)(brace - bytes) + 1;
    RW_TRY(rw_file_begin(writer->context, writer->path, &file));
    fwrite(bytes, 1, before, file.stream);
    fputs("\n\"" RW_PROVENANCE_KEY "\": ", file.stream);
    rw_json_write_string(file.stream, writer->context->provenance);
    fputs(",", file.stream);
    fwrite(brace + 1, 1, (size_t)size - before, file.stream);
    return rw_file_commit(writer->context, &file);
}

static rw_status publish_vector_file(rw_vector_writer *writer)
{
    char from[512], to[4096];
    vsi_l_offset size;
    if (writer->is_json)
        return publish_json(writer);
    if (!writer->is_shape)
        return rw_gdal_publish(writer->context, writer->memory_path, writer->path);
    if (writer->context->provenance) { /* a text beside it: the format has no place for one */
        snprintf(to, sizeof to, "%.*stxt", (int)strlen(writer->path) - 3, writer->path);
        RW_TRY(rw_write_file(writer->context, to, writer->context->provenance, strlen(writer->context->provenance)));
    }
    for (int i = 0; i < SHAPE_ENDS; i++) {
        name_shape_file(writer->memory_path, i, from, sizeof from);
        name_shape_file(writer->path, i, to, sizeof to);
        if (VSIGetMemFileBuffer(from, &size, FALSE))
            RW_TRY(rw_gdal_publish(writer->context, from, to));
    }
    return RW_OK;
}

static void destroy_vector_writer(rw_vector_writer *writer)
{
    rw_gdal_enter(&writer->guard);
    if (writer->feature)
        OGR_F_Destroy(writer->feature);
    if (writer->dataset)
        GDALClose(writer->dataset);
    if (writer->system)
        OSRDestroySpatialReference(writer->system);
    forget_files(writer);
    CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", NULL);
    rw_gdal_leave();
    free(writer);
}

void rw_vector_writer_abandon(rw_vector_writer *writer)
{
    if (writer)
        destroy_vector_writer(writer);
}

static rw_status fail_vector_write(rw_vector_writer *writer, const char *doing)
{
    char message[420];
    return rw_fail(writer->context, RW_IO, "%s: %s failed%s", writer->path, doing,
                   rw_gdal_last_message(&writer->guard, message));
}

static rw_status open_writer(rw_vector_writer *writer, const char *format, const char *crs)
{
    rw_gdal_enter(&writer->guard);
    if (*crs)
        writer->system = rw_gdal_crs_parse(crs);
    else if (!writer->is_json &&
             !writer->is_shape) /* with none at all, a GeoPackage would say that its numbers are degrees */
        writer->system = rw_gdal_crs_parse("LOCAL_CS[\"Undefined Cartesian SRS\"]");
    GDALDriverH driver = GDALGetDriverByName(format);
    if (driver) {
        /* The time of writing stays out of the file, so that the same scene gives the same bytes. */
        CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z");
        writer->dataset = GDALCreate(driver, writer->memory_path, 0, 0, 0, GDT_Unknown, NULL);
    }
    if (writer->dataset && strcmp(format, "GPKG") == 0 && writer->context->provenance)
        GDALSetMetadataItem(writer->dataset, RW_PROVENANCE_KEY, writer->context->provenance, NULL);
    if (writer->dataset && !writer->is_json && !writer->is_shape)
        GDALDatasetStartTransaction(writer->dataset, FALSE);
    rw_gdal_leave();
    if (*crs && !writer->system)
        return rw_fail(writer->context, RW_BAD_INPUT, "%s: the scene's coordinate system '%.80s' is not understood",
                       writer->path, crs);
    return writer->dataset ? RW_OK : fail_vector_write(writer, "creating the file");
}

rw_status rw_vector_writer_create(rw_context *context, const char *format, const char *path, const char *crs,
                                  rw_vector_writer **out)
{
    rw_vector_writer *writer;
    *out = NULL;
    if (strlen(path) >= sizeof writer->path)
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", path);
    RW_TRY(rw_array_create(context, 1, sizeof *writer, "a vector file", &writer));
    writer->context = context;
    strcpy(writer->path, path);
    writer->is_json = strcmp(format, "GeoJSON") == 0;
    writer->is_shape = strcmp(format, "ESRI Shapefile") == 0;
    rw_gdal_memory_path(writer,
                        writer->is_json    ? "scene.geojson"
                        : writer->is_shape ? "scene.shp"
                                           : "scene.gpkg",
                        writer->memory_path);
    rw_status status = open_writer(writer, format, crs);
    if (status != RW_OK)
        destroy_vector_writer(writer);
    else
        *out = writer;
    return status;
}

static void drop_feature(rw_vector_writer *writer)
{
    if (writer->feature)
        OGR_F_Destroy(writer->feature);
    writer->feature = NULL;
}

static int make_fields(rw_vector_writer *writer, const rw_vector_field *fields, size_t field_count)
{
    static const OGRFieldType types[] = {OFTInteger64, OFTReal, OFTString, OFTBinary};
    int good = 1;
    for (size_t i = 0; i < field_count && good; i++) {
        OGRFieldDefnH field = OGR_Fld_Create(fields[i].name, types[fields[i].kind]);
        good = OGR_L_CreateField(writer->layer, field, TRUE) == OGRERR_NONE;
        OGR_Fld_Destroy(field);
    }
    return good;
}

rw_status rw_vector_writer_layer(rw_vector_writer *writer, const char *name, rw_layer_shape shape,
                                 const rw_vector_field *fields, size_t field_count)
{
    static const OGRwkbGeometryType types[] = {wkbNone,         wkbPolygon, wkbLineString,   wkbPolygon25D,
                                               wkbMultiPolygon, wkbPoint,   wkbLineString25D};
    /* A nanodegree is a tenth of a millimetre. */
    char *wgs84_options[] = {"RFC7946=YES", "COORDINATE_PRECISION=9", NULL};
    char *local_options[] = {"COORDINATE_PRECISION=9", NULL};
    char **json_options = writer->system ? wgs84_options : local_options;
    rw_gdal_enter(&writer->guard);
    drop_feature(writer);
    writer->layer = GDALDatasetCreateLayer(writer->dataset, name, shape == RW_SHAPE_NONE ? NULL : writer->system,
                                           types[shape], writer->is_json ? json_options : NULL);
    int good = writer->layer && make_fields(writer, fields, field_count);
    if (good)
        writer->feature = OGR_F_Create(OGR_L_GetLayerDefn(writer->layer));
    rw_gdal_leave();
    return good && writer->feature ? RW_OK : fail_vector_write(writer, "making a layer");
}

void rw_vector_write_integer(rw_vector_writer *writer, int field, long long value)
{
    OGR_F_SetFieldInteger64(writer->feature, field, value);
}

void rw_vector_write_real(rw_vector_writer *writer, int field, double value)
{
    if (!isnan(value))
        OGR_F_SetFieldDouble(writer->feature, field, value);
}

void rw_vector_write_string(rw_vector_writer *writer, int field, const char *value)
{
    if (value)
        OGR_F_SetFieldString(writer->feature, field, value);
}

void rw_vector_write_blob(rw_vector_writer *writer, int field, const void *bytes, size_t size)
{
    if (size <= INT_MAX)
        OGR_F_SetFieldBinary(writer->feature, field, (int)size, (void *)bytes);
}

static OGRGeometryH make_line(OGRwkbGeometryType type, const double *xy, size_t count, int is_closed)
{
    OGRGeometryH line = OGR_G_CreateGeometry(type);
    OGR_G_SetPointCount(line, (int)(count + (is_closed ? 1 : 0)));
    for (size_t i = 0; i < count; i++)
        OGR_G_SetPoint_2D(line, (int)i, xy[2 * i], xy[2 * i + 1]);
    if (is_closed && count)
        OGR_G_SetPoint_2D(line, (int)count, xy[0], xy[1]);
    return line;
}

static rw_status write_geometry(rw_vector_writer *writer, OGRGeometryH geometry)
{
    rw_gdal_enter(&writer->guard);
    OGRErr error = OGR_F_SetGeometryDirectly(writer->feature, geometry);
    rw_gdal_leave();
    return error == OGRERR_NONE ? RW_OK : fail_vector_write(writer, "setting a shape");
}

static OGRGeometryH make_polygon(const double *xy, const size_t *ring_sizes, size_t ring_count)
{
    OGRGeometryH polygon = OGR_G_CreateGeometry(wkbPolygon);
    for (size_t i = 0; i < ring_count; xy += 2 * ring_sizes[i++])
        OGR_G_AddGeometryDirectly(polygon, make_line(wkbLinearRing, xy, ring_sizes[i], 1));
    return polygon;
}

rw_status rw_vector_write_polygon(rw_vector_writer *writer, const double *xy, const size_t *ring_sizes,
                                  size_t ring_count)
{
    return write_geometry(writer, make_polygon(xy, ring_sizes, ring_count));
}

rw_status rw_vector_write_polygons(rw_vector_writer *writer, const rw_vector_shape *shape)
{
    OGRGeometryH all = OGR_G_CreateGeometry(wkbMultiPolygon);
    const double *xy = shape->xy;
    for (size_t i = 0; i < shape->polygon_count; i++) {
        size_t first = shape->polygon_first[i], count = shape->polygon_first[i + 1] - first;
        OGR_G_AddGeometryDirectly(all, make_polygon(xy, shape->ring_sizes + first, count));
        for (size_t ring = first; ring < first + count; ring++)
            xy += 2 * shape->ring_sizes[ring];
    }
    return write_geometry(writer, all);
}

rw_status rw_vector_write_polygon_z(rw_vector_writer *writer, const double *xyz, size_t point_count)
{
    OGRGeometryH polygon = OGR_G_CreateGeometry(wkbPolygon25D), ring = OGR_G_CreateGeometry(wkbLinearRing);
    OGR_G_SetPointCount(ring, (int)point_count + 1);
    for (size_t i = 0; i <= point_count; i++) {
        const double *at = xyz + 3 * (i % point_count);
        OGR_G_SetPoint(ring, (int)i, at[0], at[1], at[2]);
    }
    OGR_G_AddGeometryDirectly(polygon, ring);
    return write_geometry(writer, polygon);
}

rw_status rw_vector_write_line(rw_vector_writer *writer, const double *xy, size_t point_count)
{
    return write_geometry(writer, make_line(wkbLineString, xy, point_count, 0));
}

rw_status rw_vector_write_line_z(rw_vector_writer *writer, const double *xyz, size_t point_count)
{
    OGRGeometryH line = OGR_G_CreateGeometry(wkbLineString25D);
    OGR_G_SetPointCount(line, (int)point_count);
    for (size_t i = 0; i < point_count; i++)
        OGR_G_SetPoint(line, (int)i, xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
    return write_geometry(writer, line);
}

rw_status rw_vector_write_point(rw_vector_writer *writer, double x, double y)
{
    OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
    OGR_G_SetPoint_2D(point, 0, x, y);
    return write_geometry(writer, point);
}

rw_status rw_vector_writer_add(rw_vector_writer *writer)
{
    rw_gdal_enter(&writer->guard);
    OGRErr error = OGR_L_CreateFeature(writer->layer, writer->feature);
    drop_feature(writer);
    writer->feature = OGR_F_Create(OGR_L_GetLayerDefn(writer->layer));
    rw_gdal_leave();
    return error == OGRERR_NONE && writer->feature ? RW_OK : fail_vector_write(writer, "adding a feature");
}

rw_status rw_vector_writer_finish(rw_vector_writer *writer)
{
    rw_gdal_enter(&writer->guard);
    drop_feature(writer);
    if (!writer->is_json && !writer->is_shape)
        GDALDatasetCommitTransaction(writer->dataset);
    GDALClose(writer->dataset);
    writer->dataset = NULL;
    rw_gdal_leave();
    rw_status status = writer->guard.failed ? fail_vector_write(writer, "writing") : publish_vector_file(writer);
    destroy_vector_writer(writer);
    return status;
}
