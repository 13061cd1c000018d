/* Coordinate systems through GDAL's PROJ: what one is, whether two are the same, transforming points. */
#include "ext/gdal_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

OGRSpatialReferenceH rw_gdal_crs_parse(const char *crs)
{
    OGRSpatialReferenceH system = OSRNewSpatialReference(NULL);
    if (!system)
        return NULL;
    OSRSetAxisMappingStrategy(system, OAMS_TRADITIONAL_GIS_ORDER);
    if (OSRSetFromUserInput(system, crs) == OGRERR_NONE)
        return system;
    OSRDestroySpatialReference(system);
    return NULL;
}

char *rw_gdal_crs_wkt(OGRSpatialReferenceH system)
{
    const char *name = system ? OSRGetName(system) : NULL;
    if (!system || (name && strncmp(name, "Undefined", 9) == 0)) /* as a GeoPackage says that it has none */
        return CPLStrdup("");
    const char *authority = OSRGetAuthorityName(system, NULL), *code = OSRGetAuthorityCode(system, NULL);
    if (authority && code && strcmp(authority, "EPSG") == 0)
        return CPLStrdup(CPLSPrintf("EPSG:%s", code));
    char *wkt = NULL;
    const char *options[] = {"FORMAT=WKT2_2019", NULL};
    if (OSRExportToWktEx(system, &wkt, options) == OGRERR_NONE && wkt)
        return wkt;
    CPLFree(wkt);
    return CPLStrdup("");
}

/* A name without a path to a file: OSRSetFromUserInput would also read files and addresses. */
static int looks_like_file(const char *crs)
{
    return strncmp(crs, "http", 4) == 0 || crs[0] == '/' || crs[0] == '.';
}

static rw_status parse_crs(rw_context *context, const char *crs, OGRSpatialReferenceH *system)
{
    rw_gdal_guard guard = {0};
    rw_gdal_enter(&guard);
    *system = looks_like_file(crs) ? NULL : rw_gdal_crs_parse(crs);
    rw_gdal_leave();
    const char *load_error;
    if (*system)
        return RW_OK;
    if (!rw_gdal_load(&load_error))
        return rw_fail(context, RW_UNSUPPORTED, "'%.80s' cannot be looked up: %s", crs, load_error);
    return rw_fail(context, RW_BAD_INPUT,
                   "'%.80s' is not a coordinate system; write EPSG:n (EPSG:25832), WKT or a PROJ string", crs);
}

rw_status rw_gdal_crs_describe(rw_context *context, const char *crs, rw_gdal_crs_about *about)
{
    OGRSpatialReferenceH system;
    RW_TRY(parse_crs(context, crs, &system));
    const char *name = OSRGetName(system);
    snprintf(about->name, sizeof about->name, "%s", name ? name : crs);
    about->geographic = OSRIsGeographic(system);
    about->metres_per_unit = about->geographic ? 0 : OSRGetLinearUnits(system, NULL);
    OSRDestroySpatialReference(system);
    return RW_OK;
}

rw_status rw_gdal_crs_is_same(rw_context *context, const char *a, const char *b, int *same)
{
    OGRSpatialReferenceH first, second;
    RW_TRY(parse_crs(context, a, &first));
    rw_status status = parse_crs(context, b, &second);
    if (status == RW_OK) {
        rw_gdal_guard guard = {0};
        rw_gdal_enter(&guard);
        OSRDemoteTo2D(first, NULL); /* the vertical part of a compound system does not move a point */
        OSRDemoteTo2D(second, NULL);
        const char *options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", "CRITERION=EQUIVALENT", NULL};
        *same = OSRIsSameEx(first, second, options);
        rw_gdal_leave();
        OSRDestroySpatialReference(second);
    }
    OSRDestroySpatialReference(first);
    return status;
}

rw_status rw_gdal_crs_utm(rw_context *context, const char *crs, double x, double y, char utm[RW_CRS_CODE_MAX])
{
    double at[2] = {x, y};
    RW_TRY(rw_gdal_transform(context, crs, "EPSG:4326", at, 1));
    if (!isfinite(at[0]) || !isfinite(at[1]) || fabs(at[0]) > 360 || fabs(at[1]) > 90)
        return rw_fail(context, RW_BAD_INPUT, "the point %.10g, %.10g is not on the earth in %.80s", x, y, crs);
    int zone = (int)floor((at[0] + 180) / 6) % 60;
    zone = (zone < 0 ? zone + 60 : zone) + 1;
    snprintf(utm, RW_CRS_CODE_MAX, "EPSG:%d", (at[1] < 0 ? 32700 : 32600) + zone);
    return RW_OK;
}

#define BATCH 4096

static void transform_batch(OGRCoordinateTransformationH transformation, double *xy, size_t count)
{
    double x[BATCH], y[BATCH];
    int good[BATCH] = {0};
    for (size_t i = 0; i < count; i++) {
        x[i] = xy[2 * i];
        y[i] = xy[2 * i + 1];
    }
    OCTTransformEx(transformation, (int)count, x, y, NULL, good);
    for (size_t i = 0; i < count; i++) {
        xy[2 * i] = good[i] ? x[i] : NAN;
        xy[2 * i + 1] = good[i] ? y[i] : NAN;
    }
}

static rw_status transform_all(rw_context *context, OGRSpatialReferenceH from, OGRSpatialReferenceH to, double *xy,
                               size_t count)
{
    rw_gdal_guard guard = {0};
    char message[420];
    rw_gdal_enter(&guard);
    OGRCoordinateTransformationH transformation = OCTNewCoordinateTransformation(from, to);
    for (size_t first = 0; transformation && first < count; first += BATCH)
        transform_batch(transformation, xy + 2 * first, count - first < BATCH ? count - first : BATCH);
    rw_gdal_leave();
    if (!transformation)
        return rw_fail(context, RW_BAD_INPUT, "there is no way from coordinate system %s to %s%s", OSRGetName(from),
                       OSRGetName(to), rw_gdal_last_message(&guard, message));
    OCTDestroyCoordinateTransformation(transformation);
    return RW_OK;
}

rw_status rw_gdal_transform(rw_context *context, const char *from, const char *to, double *xy, size_t count)
{
    OGRSpatialReferenceH source, target;
    RW_TRY(parse_crs(context, from, &source));
    rw_status status = parse_crs(context, to, &target);
    if (status == RW_OK) {
        status = transform_all(context, source, target, xy, count);
        OSRDestroySpatialReference(target);
    }
    OSRDestroySpatialReference(source);
    return status;
}
