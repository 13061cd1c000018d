/* Diffraction over terrain: delta-Bullington of ITU-R P.1812-6, section 4.3, from a profile to decibels beyond free
 * space.
 *
 * Bullington's equivalent edge over the profile (bullington.k.h), plus what a smooth earth of the same trend costs
 * more by spherical-earth diffraction than by Bullington's edge. One pass over the profile gathers all that is needed,
 * in any order of its points, in a frame in which the straight line between the antennas is level and its length 1:
 * t from the first antenna (0) to the last (1), heights above that line. There the earth bulges by bulge_m t (1 - t).
 *
 * Median conditions: the effective earth radius is that of 50 % of time. 30 MHz to 6 GHz and 250 m to 3000 km in the
 * recommendation; the equations themselves go further. */
#ifndef RW_FIELD_EDGES_DELTA_BULLINGTON_K_H
#define RW_FIELD_EDGES_DELTA_BULLINGTON_K_H

#include "field/edges/bullington.k.h"
#include "base/kernel/qualifiers.h"
#include "base/maths/elementary.h"

/* Diffraction over a smooth spherical earth: from two antennas above it to decibels beyond free space.
 *
 * After ITU-R P.1812-6, sections 4.3.2 and 4.3.3, eqs. (22) to (36), which are those of ITU-R P.526-15, section 3.2:
 * the first term of the residue series beyond the horizon, and interpolation from it to no loss where the line clears
 * the earth by 0.552 of a Fresnel zone. Valid from about 10 MHz; both antennas above the surface. Kilometres and GHz
 * stand where the equations have them. */

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

/* In place of an infinite radius. */
#define RW_FLAT_EARTH_M 6.371e12

/* The largest values over the points between the ends. */
typedef struct rw_terrain_tops {
    float slope_first, slope_last; /* of the rays to the horizons: height / t and height / (1 - t), with the bulge */
    float square, at; /* height * |height| / (t (1 - t)), with the bulge, and where: that is nu squared by a factor */
    float above, above_first, above_last; /* height, height / t and height / (1 - t), without the bulge */
} rw_terrain_tops;

/* The largest of all points, and the trend of the ground: integrals over t of the height and of t times it. */
typedef struct rw_terrain_pass {
    rw_terrain_tops tops;
    double mean_m, moment_m;
    float first_ground_m, last_ground_m; /* below the antennas: heights above the straight line, negative */
} rw_terrain_pass;

RW_FN rw_terrain_tops rw_terrain_tops_none(void)
{
    rw_terrain_tops none = {-1e30f, -1e30f, -1e30f, 0.5f, -1e30f, -1e30f, -1e30f};
    return none;
}

RW_FN void rw_terrain_tops_add(rw_terrain_tops *tops, float t, float height_m, float bulge_m)
{
    float rest = 1.0f - t, over_t = 1.0f / t, over_rest = 1.0f / rest;
    float raised_m = height_m + bulge_m * t * rest, square = raised_m * fabsf(raised_m) * over_t * over_rest;
    float first = raised_m * over_t, last = raised_m * over_rest;
    tops->slope_first = first > tops->slope_first ? first : tops->slope_first;
    tops->slope_last = last > tops->slope_last ? last : tops->slope_last;
    tops->at = square > tops->square ? t : tops->at;
    tops->square = square > tops->square ? square : tops->square;
    first = height_m * over_t;
    last = height_m * over_rest;
    tops->above = height_m > tops->above ? height_m : tops->above;
    tops->above_first = first > tops->above_first ? first : tops->above_first;
    tops->above_last = last > tops->above_last ? last : tops->above_last;
}

/* A link: its length in plan, altitude of its ends above the straight line being 0. */
typedef struct rw_terrain_link {
    double length_m, wavelength_m;
    double earth_radius_m; /* effective; 0 for a flat earth */
    rw_earth_surface over;
} rw_terrain_link;

RW_FN double rw_terrain_radius_m(const rw_terrain_link *link)
{
    return link->earth_radius_m > 0.0 ? link->earth_radius_m : RW_FLAT_EARTH_M;
}

/* Bullington's equivalent edge: where, and how high above the straight line. In sight the point that is nearest to
 * blocking it. */
RW_FN double rw_terrain_edge(const rw_terrain_tops *tops, double *at)
{
    double first = (double)tops->slope_first, last = (double)tops->slope_last;
    *at = (double)tops->at;
    if (first < 0.0 || !(first + last > 0.0)) {
        double root = sqrt(fabs((double)tops->square) * *at * (1.0 - *at));
        return tops->square < 0.0f ? -root : root;
    }
    *at = last / (first + last);
    return first * *at;
}

/* P.1812-6, eqs. (14) to (21). */
RW_FN double rw_terrain_bullington_db(double nu, double length_m)
{
    double edge_db = rw_knife_edge_loss_p526_db(nu);
    return edge_db + (1.0 - exp(-edge_db / 6.0)) * (10.0 + 2e-5 * length_m);
}

RW_FN double rw_terrain_nu(const rw_terrain_tops *tops, const rw_terrain_link *link)
{
    double first = (double)tops->slope_first, last = (double)tops->slope_last, square = (double)tops->square;
    square = first < 0.0 ? square : first * last;
    double nu = sqrt(2.0 * fabs(square) / (link->wavelength_m * link->length_m));
    return square < 0.0 ? -nu : nu;
}

/* Where a level ground comes nearest to the line in Fresnel zones, the line clearing it by first_m and last_m at its
 * ends: between where it would on a flat earth and where the line would touch a round one. */
RW_FN float rw_smooth_nearest(float first_m, float last_m, float bulge_m)
{
    float low = first_m / (first_m + last_m), root = sqrtf(first_m) / (sqrtf(first_m) + sqrtf(last_m)), high = root;
    for (int step = 0; step < 8; step++) {
        float t = 0.5f * (low + high), rest = 1.0f - t, product = t * rest, tilt = rest - t;
        float slope = (2.0f * (last_m - first_m) - bulge_m * tilt) * product - tilt * (first_m * rest + last_m * t);
        int beyond = (slope > 0.0f) == (root > first_m / (first_m + last_m));
        low = beyond ? low : t;
        high = beyond ? t : high;
    }
    return 0.5f * (low + high);
}

/* nu of a smooth earth between two heights above it. Beyond the horizon the rays touch it at sqrt(2 a h); in sight the
 * largest nu of all points. */
RW_FN double rw_smooth_bullington_nu(const rw_terrain_link *link, double first_m, double last_m)
{
    double bulge_m = link->length_m * link->length_m / (2.0 * rw_terrain_radius_m(link));
    double s = sqrt(bulge_m), p = sqrt(first_m), q = sqrt(last_m);
    double scale = sqrt(2.0 / (link->wavelength_m * link->length_m));
    if (s >= p + q)
        return scale * (s - p - q) * sqrt((s - p + q) * (s + p - q));
    double t = (double)rw_smooth_nearest((float)first_m, (float)last_m, (float)bulge_m), rest = 1.0 - t;
    return -scale * (first_m * rest + last_m * t - bulge_m * t * rest) / sqrt(t * rest);
}

/* Heights of the antennas above the smooth earth for diffraction. P.1812-6, eqs. (85) to (90), (37). */
RW_FN void rw_terrain_smooth_heights(const rw_terrain_pass *pass, double *first_m, double *last_m)
{
    const double min_m = 0.01;
    const rw_terrain_tops *tops = &pass->tops;
    double first = 4.0 * pass->mean_m - 6.0 * pass->moment_m, last = 6.0 * pass->moment_m - 2.0 * pass->mean_m;
    if (tops->above > 0.0f) {
        double sum = (double)tops->above_first + (double)tops->above_last;
        first -= (double)tops->above * (double)tops->above_first / sum;
        last -= (double)tops->above * (double)tops->above_last / sum;
    }
    first = first < (double)pass->first_ground_m ? first : (double)pass->first_ground_m;
    last = last < (double)pass->last_ground_m ? last : (double)pass->last_ground_m;
    *first_m = -first > min_m ? -first : min_m;
    *last_m = -last > min_m ? -last : min_m;
}

/* Loss beyond free space, and what of it a smooth earth of the same trend costs: at most all. */
typedef struct rw_delta_bullington {
    double all_db, smooth_db;
} rw_delta_bullington;

/* P.1812-6, eqs. (38) and (39). */
RW_FN rw_delta_bullington rw_delta_bullington_of(const rw_terrain_pass *pass, const rw_terrain_link *link)
{
    rw_delta_bullington loss;
    double first_m, last_m;
    rw_terrain_smooth_heights(pass, &first_m, &last_m);
    loss.all_db = rw_terrain_bullington_db(rw_terrain_nu(&pass->tops, link), link->length_m);
    loss.smooth_db = 0.0;
    double earth_db = rw_smooth_earth_loss_db(link->over, link->length_m, first_m, last_m, rw_terrain_radius_m(link),
                                              link->wavelength_m);
    if (!(earth_db > 0.0))
        return loss;
    double edge_db = rw_terrain_bullington_db(rw_smooth_bullington_nu(link, first_m, last_m), link->length_m);
    loss.all_db += earth_db > edge_db ? earth_db - edge_db : 0.0;
    loss.smooth_db = earth_db > edge_db ? earth_db : edge_db;
    loss.smooth_db = loss.smooth_db < loss.all_db ? loss.smooth_db : loss.all_db;
    return loss;
}

RW_FN double rw_delta_bullington_db(const rw_terrain_pass *pass, const rw_terrain_link *link)
{
    return rw_delta_bullington_of(pass, link).all_db;
}

/* The pass over a profile. ground_m: heights without what stands on the ground, for the trend. */
RW_FN rw_terrain_pass rw_terrain_pass_over(const rw_profile *profile, const double *ground_m)
{
    rw_terrain_pass pass = {rw_terrain_tops_none(), 0.0, 0.0, 0.0f, 0.0f};
    size_t last = profile->count - 1;
    double length_m = profile->distance_m[last], rise_m = profile->last_altitude_m - profile->first_altitude_m;
    double bulge_m = profile->earth_radius_m > 0.0 ? length_m * length_m / (2.0 * profile->earth_radius_m) : 0.0;
    double t_before = 0.0, before_m = ground_m[0] - profile->first_altitude_m;
    rw_terrain_tops bare = rw_terrain_tops_none();
    pass.first_ground_m = (float)before_m;
    for (size_t i = 1; i <= last; i++) {
        double t = profile->distance_m[i] / length_m, line_m = profile->first_altitude_m + t * rise_m;
        double here_m = ground_m[i] - line_m, step = t - t_before;
        pass.mean_m += 0.5 * step * (here_m + before_m);
        pass.moment_m += step * (here_m * (2.0 * t + t_before) + before_m * (t + 2.0 * t_before)) / 6.0;
        t_before = t;
        before_m = here_m;
        if (i == last)
            break;
        rw_terrain_tops_add(&pass.tops, (float)t, (float)(profile->height_m[i] - line_m), (float)bulge_m);
        rw_terrain_tops_add(&bare, (float)t, (float)here_m, (float)bulge_m);
    }
    pass.last_ground_m = (float)before_m;
    pass.tops.above = bare.above;
    pass.tops.above_first = bare.above_first;
    pass.tops.above_last = bare.above_last;
    return pass;
}

/* Loss beyond free space over a profile. ground_m as above; NULL: nothing stands on the ground. */
RW_FN double rw_profile_delta_bullington_db(const rw_profile *profile, const double *ground_m, rw_earth_surface over,
                                            double wavelength_m)
{
    rw_terrain_pass pass = rw_terrain_pass_over(profile, ground_m ? ground_m : profile->height_m);
    rw_terrain_link link = {profile->distance_m[profile->count - 1], wavelength_m, profile->earth_radius_m, over};
    return rw_delta_bullington_db(&pass, &link);
}

#endif
