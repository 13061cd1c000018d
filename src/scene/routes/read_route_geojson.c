/* GeoJSON: points of Point and MultiPoint, vertices of LineString and MultiLineString, in the order of the file; time
 * and height of a feature of one point from its properties. Degrees, unless a member crs says otherwise. */
#include "scene/routes/routes.h"

#include "base/text/json.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static rw_status add_position(rw_route *route, const rw_json *json, const rw_json_value *position)
{
    const rw_json_value *first = rw_json_first(json, position), *second = first ? rw_json_next(json, first) : NULL;
    double x = rw_json_number(first, NAN), y = rw_json_number(second, NAN);
    if (!isfinite(x) || !isfinite(y))
        return rw_fail(route->context, RW_BAD_INPUT, "%s, line %u: a position is not two numbers", route->path,
                       position->line);
    return rw_route_add(route, x, y);
}

/* Positions are lists of numbers, at any depth of lists. */
static rw_status add_positions(rw_route *route, const rw_json *json, const rw_json_value *list, int depth)
{
    const rw_json_value *first = rw_json_first(json, list);
    if (!list || list->kind != RW_JSON_ARRAY || depth > 4)
        return RW_OK;
    if (first && first->kind == RW_JSON_NUMBER)
        return add_position(route, json, list);
    for (const rw_json_value *at = first; at; at = rw_json_next(json, at))
        RW_TRY(add_positions(route, json, at, depth + 1));
    return RW_OK;
}

static double time_of(const rw_json_value *value)
{
    if (!value)
        return NAN;
    return value->kind == RW_JSON_STRING ? rw_route_parse_time(value->string) : rw_json_number(value, NAN);
}

static rw_status add_route_feature(rw_route *route, const rw_json *json, const rw_json_value *feature)
{
    const rw_json_value *geometry = rw_json_member(json, feature, "geometry");
    const rw_json_value *properties = rw_json_member(json, feature, "properties");
    size_t before = route->count;
    geometry = geometry ? geometry : feature; /* a geometry alone */
    RW_TRY(add_positions(route, json, rw_json_member(json, geometry, "coordinates"), 0));
    if (route->count != before + 1)
        return RW_OK;
    rw_point *point = &route->points[before];
    rw_motion *motion = &route->motions[before];
    motion->time_s = time_of(rw_json_member(json, properties, "time"));
    if (isnan(motion->time_s))
        motion->time_s = time_of(rw_json_member(json, properties, "time_s"));
    point->height_m = rw_json_number(rw_json_member(json, properties, "height_m"), point->height_m);
    return RW_OK;
}

/* "EPSG:n" of "urn:ogc:def:crs:EPSG::25832", as GeoJSON of 2008 has it. */
static void read_route_crs(rw_route *route, const rw_json *json)
{
    const rw_json_value *crs = rw_json_member(json, json->values, "crs");
    const char *name = rw_json_string(rw_json_member(json, rw_json_member(json, crs, "properties"), "name"), "");
    const char *digits = name + strlen(name);
    while (digits > name && isdigit((unsigned char)digits[-1]))
        digits--;
    if (strstr(name, "EPSG") && *digits)
        snprintf(route->crs, sizeof route->crs, "EPSG:%.20s", digits);
    route->is_degrees = !route->crs[0];
}

static rw_status add_route_features(rw_route *route, const rw_json *json)
{
    const rw_json_value *features = rw_json_member(json, json->values, "features");
    read_route_crs(route, json);
    if (!features)
        return add_route_feature(route, json, json->values);
    for (const rw_json_value *at = rw_json_first(json, features); at; at = rw_json_next(json, at))
        RW_TRY(add_route_feature(route, json, at));
    return RW_OK;
}

rw_status rw_route_read_geojson(rw_route *route, char *bytes, size_t size)
{
    rw_json json = {0};
    RW_TRY(rw_json_parse(route->context, route->path, bytes, size, &json));
    rw_status status = add_route_features(route, &json);
    rw_json_free(&json);
    return status;
}
