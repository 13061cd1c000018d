/* Vector files through GDAL: layers, features, their values, and polygons as plain rings. */
#include "ext/gdal_internal.h"

#include "base/archive.h"
#include "base/memory.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct rw_vector_file {
    rw_context *context;
    char path[4096];
    GDALDatasetH dataset;
    OGRLayerH layer;
    OGRFeatureDefnH fields;
    OGRFeatureH feature;
    char *crs;
    int is_osm, is_limited;
    double area[4];
    rw_gdal_guard guard;
    double *xy, *z;
    size_t *ring_sizes, *polygon_first;
    size_t xy_capacity, z_capacity, ring_capacity, polygon_capacity;
    size_t point_count, ring_count, polygon_count;
};

/* Tags of buildings as fields, whatever configuration is installed. */
static const char osm_configuration[] =
    "closed_ways_are_polygons=building,building:part\n"
    "attribute_name_laundering=no\n"
    "[multipolygons]\n"
    "osm_id=yes\n"
    "attributes=building,building:part,height,min_height,building:levels,building:min_level,"
    "building:height,building:material\n";

static GDALDatasetH open_osm(const char *path, const void *owner)
{
    char memory_path[512], option[600];
    rw_gdal_memory_path(owner, "osm.ini", memory_path);
    snprintf(option, sizeof option, "CONFIG_FILE=%s", memory_path);
    char *configuration = CPLStrdup(osm_configuration);
    VSIFCloseL(VSIFileFromMemBuffer(memory_path, (GByte *)configuration, strlen(configuration), TRUE));
    const char *drivers[] = {"OSM", NULL}, *options[] = {option, NULL};
    GDALDatasetH dataset = rw_gdal_open_alone(path, GDAL_OF_VECTOR | GDAL_OF_READONLY, drivers, options);
    VSIUnlink(memory_path);
    return dataset;
}

static void open_dataset(rw_vector_file *file)
{
    /* GML would fetch the schema that it names. */
    const char *only_osm[] = {"OSM", NULL}, *options[] = {"DOWNLOAD_SCHEMA=NO", NULL};
    /* shapes of a table stand in a column as well-known text */
    const char *only_csv[] = {"CSV", NULL};
    const char *csv_options[] = {"GEOM_POSSIBLE_NAMES=wkt,WKT,the_geom,geom,geometry", "KEEP_GEOM_COLUMNS=NO", NULL};
    if (rw_path_has_extension(file->path, ".csv")) {
        file->dataset = rw_gdal_open_alone(file->path, GDAL_OF_VECTOR | GDAL_OF_READONLY, only_csv, csv_options);
        return;
    }
    file->is_osm = GDALIdentifyDriverEx(file->path, GDAL_OF_VECTOR, only_osm, NULL) != NULL;
    if (file->is_osm)
        file->dataset = open_osm(file->path, file);
    else
        file->dataset =
            rw_gdal_open_alone(file->path, GDAL_OF_VECTOR | GDAL_OF_READONLY, rw_gdal_vector_drivers, options);
}

rw_status rw_vector_open(rw_context *context, const char *path, rw_vector_file **out)
{
    rw_vector_file *file;
    char message[420];
    *out = NULL;
    if (strlen(path) >= sizeof file->path)
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", path);
    RW_TRY(rw_archive_check(context, path));
    RW_TRY(rw_array_create(context, 1, sizeof *file, "a vector file", &file));
    file->context = context;
    strcpy(file->path, path);
    rw_gdal_enter(&file->guard);
    open_dataset(file);
    rw_gdal_leave();
    if (!file->dataset) {
        rw_fail(context, RW_BAD_INPUT, "%s cannot be read as a GIS vector file%s", path,
                rw_gdal_last_message(&file->guard, message));
        rw_vector_close(file);
        return RW_BAD_INPUT;
    }
    rw_status status = rw_gdal_record_inputs(context, file->dataset);
    if (status != RW_OK)
        rw_vector_close(file);
    else
        *out = file;
    return status;
}

void rw_vector_close(rw_vector_file *file)
{
    if (!file)
        return;
    rw_gdal_enter(&file->guard);
    if (file->feature)
        OGR_F_Destroy(file->feature);
    if (file->dataset)
        GDALClose(file->dataset);
    rw_gdal_leave();
    CPLFree(file->crs);
    free(file->xy);
    free(file->z);
    free(file->ring_sizes);
    free(file->polygon_first);
    free(file);
}

int rw_vector_is_osm(const rw_vector_file *file)
{
    return file->is_osm;
}

size_t rw_vector_layer_count(const rw_vector_file *file)
{
    return (size_t)GDALDatasetGetLayerCount(file->dataset);
}

const char *rw_vector_layer_name(const rw_vector_file *file, size_t layer)
{
    return OGR_L_GetName(GDALDatasetGetLayer(file->dataset, (int)layer));
}

int rw_vector_layer_has_shapes(const rw_vector_file *file, size_t layer)
{
    return OGR_L_GetGeomType(GDALDatasetGetLayer(file->dataset, (int)layer)) != wkbNone;
}

int rw_vector_layer_has_polygons(const rw_vector_file *file, size_t layer)
{
    OGRwkbGeometryType type = wkbFlatten(OGR_L_GetGeomType(GDALDatasetGetLayer(file->dataset, (int)layer)));
    return !OGR_GT_IsSubClassOf(type, wkbPoint) && !OGR_GT_IsSubClassOf(type, wkbMultiPoint) &&
           !OGR_GT_IsSubClassOf(type, wkbCurve) && !OGR_GT_IsSubClassOf(type, wkbMultiCurve) && type != wkbNone;
}

void rw_vector_limit(rw_vector_file *file, const double area[4])
{
    memcpy(file->area, area, sizeof file->area);
    file->is_limited = 1;
}

rw_status rw_vector_select(rw_vector_file *file, size_t layer)
{
    rw_gdal_enter(&file->guard);
    file->layer = GDALDatasetGetLayer(file->dataset, (int)layer);
    if (file->layer) {
        if (file->is_limited && OGR_L_GetGeomType(file->layer) != wkbNone)
            OGR_L_SetSpatialFilterRect(file->layer, file->area[0], file->area[1], file->area[2], file->area[3]);
        OGR_L_ResetReading(file->layer);
        if (file->is_osm)
            GDALDatasetResetReading(file->dataset);
        file->fields = OGR_L_GetLayerDefn(file->layer);
        CPLFree(file->crs);
        file->crs = rw_gdal_crs_wkt(OGR_L_GetSpatialRef(file->layer));
    }
    rw_gdal_leave();
    char message[420];
    if (!file->layer || file->guard.failed)
        return rw_fail(file->context, RW_BAD_INPUT, "%s: layer %zu cannot be read%s", file->path, layer,
                       rw_gdal_last_message(&file->guard, message));
    return RW_OK;
}

const char *rw_vector_crs(const rw_vector_file *file)
{
    return file->crs ? file->crs : "";
}

size_t rw_vector_field_count(const rw_vector_file *file)
{
    return (size_t)OGR_FD_GetFieldCount(file->fields);
}

const char *rw_vector_field_name(const rw_vector_file *file, size_t field)
{
    return OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(file->fields, (int)field));
}

int rw_vector_find_field(const rw_vector_file *file, const char *name)
{
    int count = OGR_FD_GetFieldCount(file->fields);
    for (int i = 0; i < count; i++)
        if (strcasecmp(OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(file->fields, i)), name) == 0)
            return i;
    return -1;
}

/* OSM files interleave their layers: reading one alone would hold all others in memory. */
static OGRFeatureH next_of_osm(rw_vector_file *file)
{
    OGRLayerH layer = NULL;
    OGRFeatureH feature;
    while ((feature = GDALDatasetGetNextFeature(file->dataset, &layer, NULL, NULL, NULL)) && layer != file->layer)
        OGR_F_Destroy(feature);
    return feature;
}

rw_status rw_vector_next(rw_vector_file *file, int *more)
{
    rw_gdal_enter(&file->guard);
    long long last = file->feature ? (long long)OGR_F_GetFID(file->feature) : -1;
    if (file->feature)
        OGR_F_Destroy(file->feature);
    file->feature = file->is_osm ? next_of_osm(file) : OGR_L_GetNextFeature(file->layer);
    rw_gdal_leave();
    *more = file->feature != NULL;
    if (!file->feature && file->guard.failed) {
        char after[64] = "";
        if (last >= 0)
            snprintf(after, sizeof after, " after feature %lld", last);
        return rw_fail(file->context, RW_BAD_INPUT, "%s: layer %s is damaged%s: %s", file->path,
                       OGR_L_GetName(file->layer), after, file->guard.message);
    }
    memset(&file->guard, 0, sizeof file->guard); /* a feature that came is good, whatever was said on the way */
    return RW_OK;
}

long long rw_vector_feature_id(const rw_vector_file *file)
{
    return (long long)OGR_F_GetFID(file->feature);
}

const char *rw_vector_string(rw_vector_file *file, int field)
{
    if (field < 0 || !OGR_F_IsFieldSetAndNotNull(file->feature, field))
        return NULL;
    return OGR_F_GetFieldAsString(file->feature, field);
}

int rw_vector_real(rw_vector_file *file, int field, double *value)
{
    if (field < 0 || !OGR_F_IsFieldSetAndNotNull(file->feature, field))
        return 0;
    *value = OGR_F_GetFieldAsDouble(file->feature, field);
    return 1;
}

int rw_vector_integer(rw_vector_file *file, int field, long long *value)
{
    if (field < 0 || !OGR_F_IsFieldSetAndNotNull(file->feature, field))
        return 0;
    *value = (long long)OGR_F_GetFieldAsInteger64(file->feature, field);
    return 1;
}

const void *rw_vector_blob(rw_vector_file *file, int field, size_t *size)
{
    int bytes = 0;
    *size = 0;
    if (field < 0 || !OGR_F_IsFieldSetAndNotNull(file->feature, field) ||
        OGR_Fld_GetType(OGR_FD_GetFieldDefn(file->fields, field)) != OFTBinary)
        return NULL;
    const void *blob = OGR_F_GetFieldAsBinary(file->feature, field, &bytes);
    *size = (size_t)bytes;
    return blob;
}

static rw_status add_vector_ring(rw_vector_file *file, OGRGeometryH ring, int is_closed)
{
    rw_context *context = file->context;
    size_t count = (size_t)OGR_G_GetPointCount(ring);
    RW_TRY(rw_array_reserve(context, &file->xy, &file->xy_capacity, 2 * (file->point_count + count), sizeof *file->xy,
                            "an outline"));
    RW_TRY(rw_array_reserve(context, &file->ring_sizes, &file->ring_capacity, file->ring_count + 1,
                            sizeof *file->ring_sizes, "an outline"));
    RW_TRY(rw_array_reserve(context, &file->z, &file->z_capacity, file->point_count + count, sizeof *file->z,
                            "an outline"));
    double *xy = file->xy + 2 * file->point_count;
    OGR_G_GetPoints(ring, xy, 2 * sizeof *xy, xy + 1, 2 * sizeof *xy, file->z + file->point_count, sizeof *file->z);
    if (is_closed && count > 1 && xy[0] == xy[2 * count - 2] && xy[1] == xy[2 * count - 1])
        count--;
    file->point_count += count;
    file->ring_sizes[file->ring_count++] = count;
    return RW_OK;
}

static rw_status end_polygon(rw_vector_file *file)
{
    RW_TRY(rw_array_reserve(file->context, &file->polygon_first, &file->polygon_capacity, file->polygon_count + 2,
                            sizeof *file->polygon_first, "an outline"));
    if (file->polygon_count == 0)
        file->polygon_first[0] = 0;
    file->polygon_first[++file->polygon_count] = file->ring_count;
    return RW_OK;
}

/* Polygons of any depth of collections, after their rings; other shapes are passed over. */
static rw_status add_polygons(rw_vector_file *file, OGRGeometryH geometry, int depth)
{
    OGRwkbGeometryType type = OGR_GT_Flatten(OGR_G_GetGeometryType(geometry));
    int count = OGR_G_GetGeometryCount(geometry);
    if (type == wkbPolygon || type == wkbTriangle) {
        for (int i = 0; i < count; i++)
            RW_TRY(add_vector_ring(file, OGR_G_GetGeometryRef(geometry, i), 1));
        return count > 0 ? end_polygon(file) : RW_OK;
    }
    if (!OGR_GT_IsSubClassOf(type, wkbGeometryCollection) || depth > 8)
        return RW_OK;
    for (int i = 0; i < count; i++)
        RW_TRY(add_polygons(file, OGR_G_GetGeometryRef(geometry, i), depth + 1));
    return RW_OK;
}

static void assign_shape(const rw_vector_file *file, rw_vector_shape *shape)
{
    shape->xy = file->xy;
    shape->ring_sizes = file->ring_sizes;
    shape->polygon_first = file->polygon_first;
    shape->ring_count = file->ring_count;
    shape->polygon_count = file->polygon_count;
}

rw_status rw_vector_polygons(rw_vector_file *file, rw_vector_shape *shape)
{
    file->point_count = file->ring_count = file->polygon_count = 0;
    OGRGeometryH geometry = OGR_F_GetGeometryRef(file->feature), straight = NULL;
    rw_status status = RW_OK;
    rw_gdal_enter(&file->guard);
    if (geometry && OGR_G_HasCurveGeometry(geometry, TRUE))
        geometry = straight = OGR_G_GetLinearGeometry(geometry, 0, NULL);
    if (geometry)
        status = add_polygons(file, geometry, 0);
    if (straight)
        OGR_G_DestroyGeometry(straight);
    rw_gdal_leave();
    assign_shape(file, shape);
    return status;
}

rw_status rw_vector_line(rw_vector_file *file, rw_vector_shape *shape)
{
    file->point_count = file->ring_count = file->polygon_count = 0;
    OGRGeometryH geometry = OGR_F_GetGeometryRef(file->feature);
    if (geometry && OGR_GT_Flatten(OGR_G_GetGeometryType(geometry)) == wkbLineString)
        RW_TRY(add_vector_ring(file, geometry, 0));
    assign_shape(file, shape);
    return RW_OK;
}

const double *rw_vector_z(const rw_vector_file *file)
{
    OGRGeometryH geometry = OGR_F_GetGeometryRef(file->feature);
    return geometry && OGR_G_Is3D(geometry) ? file->z : NULL;
}
