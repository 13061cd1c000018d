/* Points and routes from files: places, heights, times, velocities. */
#ifndef RW_SCENE_ROUTES_ROUTES_H
#define RW_SCENE_ROUTES_ROUTES_H

#include "base/context.h"

/* What a file says, in its own coordinates. */
typedef struct rw_route {
    rw_context *context;
    const char *path;
    rw_point *points;
    rw_motion *motions; /* time_s NaN where it is not told */
    size_t count, capacity, motion_capacity;
    int is_degrees, has_velocity;
    char **antennas; /* names that points have, each once */
    size_t antenna_count, antenna_capacity;
    char crs[64]; /* that the file names; "" where it names none */
} rw_route;

/* Appends a point at a place, height and time not told: points[count - 1] and motions[count - 1]. */
rw_status rw_route_add(rw_route *route, double x, double y);

/* The route's own copy of an antenna's name. */
rw_status rw_route_store_antenna(rw_route *route, const char *name, const char **stored);

/* Seconds from "12.5" or a date of ISO 8601 ("2024-05-01T12:00:03.5Z", as seconds since 1970); NaN where it is none. */
double rw_route_parse_time(const char *string);

/* Fill the points from a file. The bytes are the reader's to change and free. */
rw_status rw_route_read_csv(rw_route *route);
rw_status rw_route_read_gpx(rw_route *route, char *bytes, size_t size);
rw_status rw_route_read_geojson(rw_route *route, char *bytes, size_t size);

#endif
