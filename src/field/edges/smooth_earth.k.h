/* Diffraction over a smooth spherical earth: from two antennas above it to decibels beyond free space.
 *
 * After ITU-R P.1812-6, sections 4.3.2 and 4.3.3, eqs. (22) to (36), which are those of ITU-R P.526-15, section 3.2:
 * the first term of the residue series beyond the horizon, and interpolation from it to no loss where the line clears
 * the earth by 0.552 of a Fresnel zone. Valid from about 10 MHz; both antennas above the surface. Kilometres and GHz
 * stand where the equations have them. */
#ifndef RW_FIELD_EDGES_SMOOTH_EARTH_K_H
#define RW_FIELD_EDGES_SMOOTH_EARTH_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/elementary.h"

/* What the wave passes over, and its polarisation. */
typedef struct rw_earth_surface {
    double sea_fraction; /* of the path */
    int horizontal;      /* polarisation */
} rw_earth_surface;

/* P.1812-6, eq. (35): height gain of an antenna. */
RW_FN double rw_height_gain_db(double height, double beta, double surface)
{
    double b = beta * height;
    double gain_db = b > 2.0 ? 17.6 * sqrt(b - 1.1) - 5.0 * log10(b - 1.1) - 8.0 : 20.0 * log10(b + 0.1 * b * b * b);
    double min_db = 2.0 + 20.0 * log10(surface);
    return gain_db > min_db ? gain_db : min_db;
}

/* P.1812-6, eqs. (29) to (36), over land or sea alone. */
RW_FN double rw_first_term_over_db(double permittivity, double conductivity_s_m, int horizontal, double length_km,
                                   double first_m, double last_m, double radius_km, double freq_ghz)
{
    double loss = 18.0 * conductivity_s_m / freq_ghz;
    double surface = 0.036 * pow(radius_km * freq_ghz, -1.0 / 3.0) *
                     pow((permittivity - 1.0) * (permittivity - 1.0) + loss * loss, -0.25);
    surface *= horizontal ? 1.0 : sqrt(permittivity * permittivity + loss * loss);
    double square = surface * surface;
    double beta = (1.0 + 1.6 * square + 0.67 * square * square) / (1.0 + 4.5 * square + 1.53 * square * square);
    double x = 21.88 * beta * cbrt(freq_ghz / (radius_km * radius_km)) * length_km;
    double unit = 0.9575 * beta * cbrt(freq_ghz * freq_ghz / radius_km);
    double distance_db = x >= 1.6 ? 11.0 + 10.0 * log10(x) - 17.6 * x : -20.0 * log10(x) - 5.6488 * pow(x, 1.425);
    return -distance_db - rw_height_gain_db(unit * first_m, beta, surface) -
           rw_height_gain_db(unit * last_m, beta, surface);
}

/* P.1812-6, eq. (28). */
RW_FN double rw_first_term_db(rw_earth_surface over, double length_km, double first_m, double last_m, double radius_km,
                              double freq_ghz)
{
    double land_db = 0.0, sea_db = 0.0;
    if (over.sea_fraction < 1.0)
        land_db = rw_first_term_over_db(22.0, 0.003, over.horizontal, length_km, first_m, last_m, radius_km, freq_ghz);
    if (over.sea_fraction > 0.0)
        sea_db = rw_first_term_over_db(80.0, 5.0, over.horizontal, length_km, first_m, last_m, radius_km, freq_ghz);
    return over.sea_fraction * sea_db + (1.0 - over.sea_fraction) * land_db;
}

/* Heights are above the smooth earth, and positive. */
RW_FN double rw_smooth_earth_loss_db(rw_earth_surface over, double length_m, double first_m, double last_m,
                                     double radius_m, double wavelength_m)
{
    double d = 1e-3 * length_m, radius_km = 1e-3 * radius_m, freq_ghz = 0.299792458 / wavelength_m;
    double roots = sqrt(first_m) + sqrt(last_m);
    if (length_m >= sqrt(2.0 * radius_m) * roots) /* eq. (22) */
        return rw_first_term_db(over, d, first_m, last_m, radius_km, freq_ghz);
    /* Eqs. (23) to (25): where the line comes nearest to the earth, and how near. */
    double c = (first_m - last_m) / (first_m + last_m), m = 250.0 * d * d / (radius_km * (first_m + last_m));
    double angle = 1.5 * c * sqrt(3.0 * m / ((m + 1.0) * (m + 1.0) * (m + 1.0)));
    angle = angle > 1.0 ? 1.0 : angle < -1.0 ? -1.0 : angle;
    double b = 2.0 * sqrt((m + 1.0) / (3.0 * m)) * cos(RW_PI / 3.0 + acos(angle) / 3.0);
    double d1 = 0.5 * d * (1.0 + b), d2 = d - d1;
    double clearance_m =
        ((first_m - 500.0 * d1 * d1 / radius_km) * d2 + (last_m - 500.0 * d2 * d2 / radius_km) * d1) / d;
    double needed_m = 17.456 * sqrt(d1 * d2 * wavelength_m / d); /* eq. (26) */
    if (clearance_m > needed_m)
        return 0.0;
    double grazing_km = 500.0 * (d / roots) * (d / roots);
    double loss_db = rw_first_term_db(over, d, first_m, last_m, grazing_km, freq_ghz);
    return loss_db > 0.0 ? (1.0 - clearance_m / needed_m) * loss_db : 0.0; /* eq. (27) */
}

#endif
