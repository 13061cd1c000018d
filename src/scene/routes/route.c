/* rw_points_load: points and routes from CSV, GPX and GeoJSON, recognised by content, in the caller's coordinates, with
 * velocities: as the file says, by its times, or of a given speed along the route. */
#include "scene/routes/routes.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/range.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void rw_points_options_init_sized(rw_points_options *options, size_t size)
{
    const rw_points_options own = {.size = sizeof own};
    rw_defaults_copy(&own, sizeof own, options, size);
}

rw_status rw_route_add(rw_route *route, double x, double y)
{
    RW_TRY(rw_array_reserve(route->context, &route->points, &route->capacity, route->count + 1, sizeof *route->points,
                            "points"));
    RW_TRY(rw_array_reserve(route->context, &route->motions, &route->motion_capacity, route->count + 1,
                            sizeof *route->motions, "points"));
    route->points[route->count] = (rw_point){.size = sizeof(rw_point), .x_m = x, .y_m = y, .height_m = NAN};
    route->motions[route->count++] = (rw_motion){.size = sizeof(rw_motion), .time_s = NAN};
    return RW_OK;
}

rw_status rw_route_store_antenna(rw_route *route, const char *name, const char **stored)
{
    for (size_t i = 0; i < route->antenna_count; i++)
        if (strcmp(route->antennas[i], name) == 0) {
            *stored = route->antennas[i];
            return RW_OK;
        }
    RW_TRY(rw_array_reserve(route->context, &route->antennas, &route->antenna_capacity, route->antenna_count + 1,
                            sizeof *route->antennas, "antennas"));
    char *copied = rw_string_copy(name);
    if (!copied)
        return rw_fail(route->context, RW_OUT_OF_MEMORY, "there is no memory for the name of an antenna");
    route->antennas[route->antenna_count++] = copied;
    *stored = copied;
    return RW_OK;
}

static rw_status read_route_file(rw_route *route)
{
    char *bytes;
    size_t size, blank = 0;
    RW_TRY(rw_file_read(route->context, route->path, &bytes, &size));
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        blank = 3;
    while (blank < size && isspace((unsigned char)bytes[blank]))
        blank++;
    char first = blank < size ? bytes[blank] : 0;
    if (first == '{')
        return rw_route_read_geojson(route, bytes, size); /* takes the bytes over */
    rw_status status = first == '<' ? rw_route_read_gpx(route, bytes, size) : rw_route_read_csv(route);
    free(bytes);
    return status;
}

static rw_status transform_route(rw_route *route, const rw_points_options *options)
{
    const char *from = options->crs && *options->crs ? options->crs : route->crs;
    if (!*from && route->is_degrees)
        from = "EPSG:4326";
    for (size_t i = 0; i < route->count; i++) {
        double at[2] = {route->points[i].x_m, route->points[i].y_m};
        if (*from)
            RW_TRY(rw_transform_points(route->context, from, options->to_crs, at, 1));
        if (!rw_is_coordinate(at[0]) || !rw_is_coordinate(at[1]))
            return rw_fail(route->context, RW_BAD_INPUT,
                           "%s: point %zu at %.10g, %.10g is not within the coordinate system %.80s", route->path,
                           i + 1, route->points[i].x_m, route->points[i].y_m,
                           options->to_crs ? options->to_crs : "of the scene");
        route->points[i].x_m = at[0];
        route->points[i].y_m = at[1];
    }
    return RW_OK;
}

/* By the points before and after, in the time between them or at a given speed. */
static void find_velocity(rw_route *route, size_t i, double speed_m_s)
{
    size_t before = i > 0 ? i - 1 : 0, after = i + 1 < route->count ? i + 1 : i;
    rw_motion *motion = &route->motions[i];
    double x = route->points[after].x_m - route->points[before].x_m;
    double y = route->points[after].y_m - route->points[before].y_m, length_m = hypot(x, y);
    double seconds = route->motions[after].time_s - route->motions[before].time_s;
    double scale = seconds > 0 ? 1 / seconds : 0;
    if (speed_m_s > 0)
        scale = length_m > 0 ? speed_m_s / length_m : 0;
    motion->velocity_m_s[0] = x * scale;
    motion->velocity_m_s[1] = y * scale;
}

/* At a given speed, times follow from the distances. */
static void find_times(rw_route *route, double speed_m_s)
{
    double time_s = 0;
    for (size_t i = 0; i < route->count; i++) {
        if (i > 0)
            time_s += hypot(route->points[i].x_m - route->points[i - 1].x_m,
                            route->points[i].y_m - route->points[i - 1].y_m) /
                      speed_m_s;
        if (isnan(route->motions[i].time_s))
            route->motions[i].time_s = time_s;
    }
}

static void find_motion(rw_route *route, double speed_m_s)
{
    if (speed_m_s > 0)
        find_times(route, speed_m_s);
    for (size_t i = 0; i < route->count && !route->has_velocity; i++)
        find_velocity(route, i, speed_m_s);
    for (size_t i = 0; i < route->count; i++)
        if (isnan(route->motions[i].time_s))
            route->motions[i].time_s = 0;
}

/* The points and motions in steps of the caller's sizes; names of antennas follow the points in one piece of memory. */
static rw_status copy_route_out(rw_route *route, size_t point_size, size_t motion_size, char **points, char **motions)
{
    size_t names = 0;
    for (size_t i = 0; i < route->antenna_count; i++)
        names += strlen(route->antennas[i]) + 1;
    RW_TRY(rw_array_create(route->context, route->count * point_size + names, 1, "points", points));
    RW_TRY(rw_array_create(route->context, route->count * motion_size, 1, "points", motions));
    char *buffer = *points + route->count * point_size;
    for (size_t i = 0; i < route->antenna_count; i++) {
        size_t bytes = strlen(route->antennas[i]) + 1;
        memcpy(buffer, route->antennas[i], bytes);
        for (size_t k = 0; k < route->count; k++)
            if (route->points[k].antenna == route->antennas[i])
                route->points[k].antenna = buffer;
        buffer += bytes;
    }
    for (size_t i = 0; i < route->count; i++) {
        rw_defaults_copy(&route->points[i], sizeof *route->points, *points + i * point_size, point_size);
        rw_defaults_copy(&route->motions[i], sizeof *route->motions, *motions + i * motion_size, motion_size);
    }
    return RW_OK;
}

static rw_status load_route(rw_route *route, const rw_points_options *options)
{
    if (!(options->speed_m_s >= 0 && options->speed_m_s < 1e5))
        return rw_fail(route->context, RW_BAD_CALL, "a speed of %g m/s is not between 0 and 100 km/s",
                       options->speed_m_s);
    RW_TRY(read_route_file(route));
    if (route->count == 0)
        return rw_fail(route->context, RW_BAD_INPUT, "%s has no points", route->path);
    RW_TRY(transform_route(route, options));
    find_motion(route, options->speed_m_s);
    return RW_OK;
}

rw_status rw_points_load_sized(rw_context *context, const char *path, const rw_points_options *user_options,
                               size_t point_size, size_t motion_size, rw_point **points, rw_motion **motions,
                               size_t *count)
{
    rw_points_options options;
    rw_route route = {.context = context, .path = path};
    char *copied_points = NULL, *copied_motions = NULL;
    rw_points_options_init(&options);
    *points = NULL;
    *motions = NULL;
    *count = 0;
    RW_TRY(rw_options_check_size(context, point_size));
    RW_TRY(rw_options_check_size(context, motion_size));
    if (user_options)
        RW_TRY(RW_RESOLVE(context, user_options, &options));
    rw_status status = load_route(&route, &options);
    if (status == RW_OK)
        status = copy_route_out(&route, point_size, motion_size, &copied_points, &copied_motions);
    free(route.points);
    free(route.motions);
    for (size_t i = 0; i < route.antenna_count; i++)
        free(route.antennas[i]);
    free(route.antennas);
    if (status != RW_OK) {
        free(copied_points);
        free(copied_motions);
        return status;
    }
    *points = (rw_point *)(void *)copied_points;
    *motions = (rw_motion *)(void *)copied_motions;
    *count = route.count;
    return RW_OK;
}
