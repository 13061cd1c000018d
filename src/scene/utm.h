/* Transverse Mercator of UTM zones on the WGS84 ellipsoid, for builds without GDAL.
 *
 * Krueger's series to the fourth order in the third flattening, after Karney, Transverse Mercator with an accuracy of a
 * few nanometers, J. Geodesy 85 (2011), equations (7) to (11), (35) and (36). Errors are below a micrometre within a
 * zone; valid to 30 degrees from its central meridian. */
#ifndef RW_SCENE_UTM_H
#define RW_SCENE_UTM_H

/* A UTM zone: 1 to 60, north or south of the equator. */
typedef struct rw_utm_zone {
    int number, is_south;
} rw_utm_zone;

/* x, y: longitude and latitude in degrees, to easting and northing in metres; and back. */
void rw_utm_from_degrees(rw_utm_zone zone, double *x, double *y);
void rw_utm_to_degrees(rw_utm_zone zone, double *x, double *y);

/* The zone that a longitude and latitude lie in. */
rw_utm_zone rw_utm_zone_of(double longitude_deg, double latitude_deg);

#endif
