/* Coordinates of users: degrees, and points whose two numbers are swapped. */
#ifndef RW_SCENE_COORDINATES_H
#define RW_SCENE_COORDINATES_H

#include "scene/scene.h"

/* Columns of tables that hold degrees. */
#define RW_LONGITUDE_NAMES "lon|lon_deg|longitude|longitude_deg|lng|long"
#define RW_LATITUDE_NAMES "lat|lat_deg|latitude|latitude_deg"

/* Refuses degrees that are none. what says of which line or point. */
rw_status rw_check_degrees(rw_context *context, const char *what, double longitude_deg, double latitude_deg);

/* Whether a point off an area (x0, y0, x1, y1 of the scene's system) would lie on it with latitude and longitude
 * exchanged. Leaves no sentence where it cannot be known. */
int rw_is_swapped_on(const rw_scene *scene, const double area_m[4], double x_m, double y_m);

/* Transverse Mercator of UTM zones on the WGS84 ellipsoid, for builds without GDAL.
 *
 * Krueger's series to the fourth order in the third flattening, after Karney, Transverse Mercator with an accuracy of a
 * few nanometers, J. Geodesy 85 (2011), equations (7) to (11), (35) and (36). Errors are below a micrometre within a
 * zone; valid to 30 degrees from its central meridian. */

/* A UTM zone: 1 to 60, north or south of the equator. */
typedef struct rw_utm_zone {
    int number, is_south;
} rw_utm_zone;

/* x, y: longitude and latitude in degrees, to easting and northing in metres; and back. */
void rw_utm_from_degrees(rw_utm_zone zone, double *x, double *y);
void rw_utm_to_degrees(rw_utm_zone zone, double *x, double *y);

#endif
