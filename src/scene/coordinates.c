/* Points from one coordinate system to another: through GDAL, and without it between degrees and UTM on WGS84. */
#include "scene/scene.h"

#include "ext/gdal.h"
#include "scene/coordinates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A system that needs no GDAL. */
typedef struct simple_system {
    int is_degrees;
    rw_utm_zone zone;
} simple_system;

/* The system as GDAL takes it. */
static const char *full_name(const char *crs)
{
    static const char *const words[] = {"lonlat", "lon/lat", "degrees", "WGS84", "WGS 84", "CRS84", "OGC:CRS84"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(crs, words[i]) == 0)
            return "EPSG:4326";
    return crs;
}

/* Whether the text names longitude and latitude on WGS84 or ETRS89: "EPSG:4326", "lonlat". */
static int is_crs_in_degrees(const char *crs)
{
    static const char *const codes[] = {"EPSG:4326", "EPSG:4258", "EPSG:4979"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcasecmp(full_name(crs), codes[i]) == 0)
            return 1;
    return 0;
}

/* WGS84 in degrees and its UTM zones, and those of ETRS89, which is within a metre of it. */
static int read_simple(const char *crs, simple_system *system)
{
    char *end;
    *system = (simple_system){is_crs_in_degrees(crs), {0, 0}};
    if (system->is_degrees)
        return 1;
    if (strncasecmp(crs, "EPSG:", 5) != 0)
        return 0;
    long code = strtol(crs + 5, &end, 10);
    int is_wgs84 = (code > 32600 && code <= 32660) || (code > 32700 && code <= 32760);
    int is_etrs89 = code >= 25828 && code <= 25838;
    system->zone = (rw_utm_zone){(int)(code % 100), code > 32700 && code <= 32760};
    return *end == 0 && (is_wgs84 || is_etrs89);
}

static rw_status transform_simple(rw_context *context, const char *from, const char *to, double *xy, size_t count)
{
    simple_system source, target;
    int has_source = read_simple(from, &source), has_target = read_simple(to, &target);
    if (!has_source || !has_target)
        return rw_fail(
            context, RW_UNSUPPORTED,
            "coordinates in %.80s need GDAL, which this build does not have: degrees (EPSG:4326) and UTM (EPSG:326zz, "
            "327zz, 258zz) do without it",
            has_source ? to : from);
    for (size_t i = 0; i < count; i++) {
        if (!source.is_degrees)
            rw_utm_to_degrees(source.zone, &xy[2 * i], &xy[2 * i + 1]);
        if (!target.is_degrees)
            rw_utm_from_degrees(target.zone, &xy[2 * i], &xy[2 * i + 1]);
    }
    return RW_OK;
}

rw_status rw_check_degrees(rw_context *context, const char *what, double longitude_deg, double latitude_deg)
{
    if (fabs(latitude_deg) <= 90 && fabs(longitude_deg) <= 360)
        return RW_OK;
    int swapped = fabs(longitude_deg) <= 90 && fabs(latitude_deg) <= 360;
    return rw_fail(context, RW_BAD_INPUT, "%s: longitude %.10g, latitude %.10g is not on the earth%s", what,
                   longitude_deg, latitude_deg, swapped ? "; latitude and longitude are swapped" : "");
}

rw_status rw_transform_points(rw_context *context, const char *from, const char *to, double *xy, size_t count)
{
    if (!from || !*from || !to || !*to)
        return rw_fail(
            context, RW_BAD_CALL,
            "coordinates in %.80s cannot be used: the scene or map has no coordinate system; give the scene's, "
            "such as crs EPSG:25832",
            from && *from ? from
            : to && *to   ? to
                          : "a system without a name");
    for (size_t i = 0; i < count && is_crs_in_degrees(from); i++)
        RW_TRY(rw_check_degrees(context, "a point", xy[2 * i], xy[2 * i + 1]));
    if (strcmp(full_name(from), full_name(to)) == 0)
        return RW_OK;
    return rw_gdal_is_in() ? rw_gdal_transform(context, full_name(from), full_name(to), xy, count)
                           : transform_simple(context, from, to, xy, count);
}

int rw_is_swapped_on(const rw_scene *scene, const double area_m[4], double x_m, double y_m)
{
    double at[2] = {x_m, y_m};
    if (!*rw_scene_crs(scene) ||
        rw_transform_points(scene->context, rw_scene_crs(scene), "EPSG:4326", at, 1) != RW_OK || !isfinite(at[0]) ||
        !isfinite(at[1]))
        return 0;
    double swapped[2] = {at[1], at[0]};
    return fabs(swapped[1]) <= 90 &&
           rw_transform_points(scene->context, "EPSG:4326", rw_scene_crs(scene), swapped, 1) == RW_OK &&
           swapped[0] >= area_m[0] && swapped[1] >= area_m[1] && swapped[0] <= area_m[2] && swapped[1] <= area_m[3];
}
