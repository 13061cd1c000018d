/* Diffraction over a terrain profile by Bullington's equivalent edge.
 *
 * From a profile of heights along the path to decibels, after ITU-R P.526-15, section 4.5.4, and P.1812-6,
 * section 4.3.1, eqs. (13) to (21), here in metres throughout. The earth's curvature enters by its effective radius.
 * Valid for terrain seen as edges across the path; over smooth earth and sea it is only part of the answer (P.526 adds
 * a spherical-earth term). */
#ifndef RW_FIELD_EDGES_BULLINGTON_K_H
#define RW_FIELD_EDGES_BULLINGTON_K_H

#include "field/edges/knife_edge.k.h"

/* A path over terrain. distance_m rises from 0 to the path's length; heights are altitudes; the first and last point of
 * the profile are not obstacles. */
typedef struct rw_profile {
    const double *distance_m, *height_m;
    size_t count;
    double first_altitude_m, last_altitude_m; /* of the two antennas */
    double earth_radius_m;                    /* effective; 0 for a flat earth */
} rw_profile;

/* Altitude of a point with the bulge of the earth over the chord. */
RW_FN double rw_profile_height_m(const rw_profile *profile, size_t i)
{
    double length_m = profile->distance_m[profile->count - 1], at_m = profile->distance_m[i];
    double bulge_m = profile->earth_radius_m > 0.0 ? at_m * (length_m - at_m) / (2.0 * profile->earth_radius_m) : 0.0;
    return profile->height_m[i] + bulge_m;
}

/* nu of an edge at a distance and altitude on the path. P.1812-6, eqs. (16) and (19). */
RW_FN double rw_profile_nu(const rw_profile *profile, double at_m, double altitude_m, double wavelength_m)
{
    double length_m = profile->distance_m[profile->count - 1];
    double line_m = (profile->first_altitude_m * (length_m - at_m) + profile->last_altitude_m * at_m) / length_m;
    return rw_knife_edge_nu(altitude_m - line_m, at_m, length_m - at_m, wavelength_m);
}

/* The largest nu of the points between the ends; -infinity for none. P.1812-6, eq. (16). */
RW_FN double rw_profile_largest_nu(const rw_profile *profile, double wavelength_m)
{
    double largest = -INFINITY;
    for (size_t i = 1; i + 1 < profile->count; i++) {
        double nu = rw_profile_nu(profile, profile->distance_m[i], rw_profile_height_m(profile, i), wavelength_m);
        largest = nu > largest ? nu : largest;
    }
    return largest;
}

/* nu of the equivalent edge, where the two horizon rays meet. P.1812-6, eqs. (14) to (19). */
RW_FN double rw_bullington_nu(const rw_profile *profile, double wavelength_m)
{
    double length_m = profile->distance_m[profile->count - 1];
    double slope_first = -INFINITY, slope_last = -INFINITY;
    for (size_t i = 1; i + 1 < profile->count; i++) {
        double at_m = profile->distance_m[i], height_m = rw_profile_height_m(profile, i);
        double up = (height_m - profile->first_altitude_m) / at_m;
        double down = (height_m - profile->last_altitude_m) / (length_m - at_m);
        slope_first = up > slope_first ? up : slope_first;
        slope_last = down > slope_last ? down : slope_last;
    }
    double rise_m = profile->last_altitude_m - profile->first_altitude_m;
    if (slope_first < rise_m / length_m) /* line of sight: the point that is nearest to blocking it */
        return rw_profile_largest_nu(profile, wavelength_m);
    double at_m = (rise_m + slope_last * length_m) / (slope_first + slope_last);
    return rw_profile_nu(profile, at_m, profile->first_altitude_m + slope_first * at_m, wavelength_m);
}

/* P.1812-6, eqs. (20) and (21). */
RW_FN double rw_bullington_loss_db(const rw_profile *profile, double wavelength_m)
{
    if (profile->count < 3)
        return 0.0;
    double edge_db = rw_knife_edge_loss_p526_db(rw_bullington_nu(profile, wavelength_m));
    double length_km = 1e-3 * profile->distance_m[profile->count - 1];
    return edge_db + (1.0 - exp(-edge_db / 6.0)) * (10.0 + 0.02 * length_km);
}

#endif
