/* The gain of an antenna towards a direction, as kernels and the host compute it: isotropic, half-wave dipole, a
 * sector given by its beamwidths (that of 3GPP TR 38.901 among them), or the two cuts of a file. */
#ifndef RW_SCENE_ANTENNAS_ANTENNA_SHAPE_K_H
#define RW_SCENE_ANTENNAS_ANTENNA_SHAPE_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/vector.h"
#include <math.h>
#include <stddef.h>

/* A closed curve of attenuation over an angle: samples at rising angles in [0, 360), with the slope at each. Between
 * them a cubic that stays between its two samples (Fritsch and Butland 1984), so that nulls and side lobes do not
 * overshoot. */
typedef struct rw_antenna_cut {
    size_t count;
    double *angle_deg, *loss_db, *slope_db_per_deg;
} rw_antenna_cut;

typedef enum rw_antenna_kind {
    RW_ANTENNA_ISOTROPIC,
    RW_ANTENNA_DIPOLE,
    RW_ANTENNA_SECTOR,
    RW_ANTENNA_CUTS
} rw_antenna_kind;

/* A sector by its widths at 3 dB. An infinite horizontal width is that of an antenna that radiates all round. An
 * electrical tilt lowers the beam in every direction, as a cone. */
typedef struct rw_sector_widths {
    double horizontal_deg, vertical_deg, electrical_tilt_deg;
} rw_sector_widths;

/* The least gain that is ever told, so that a null is a number. */
#define RW_ANTENNA_NULL_DBI (-100.0)

typedef struct rw_antenna_shape {
    rw_antenna_kind kind;
    double peak_gain_dbi, deepest_loss_db;
    rw_sector_widths sector;   /* of RW_ANTENNA_SECTOR */
    rw_antenna_cut horizontal; /* clockwise from boresight, seen from above */
    rw_antenna_cut vertical;   /* from boresight downwards: 90 is straight down, 180 behind */
} rw_antenna_shape;

/* How it is mounted: the directions of its boresight, its left and its top, of length 1. */
typedef struct rw_mounting {
    rw_vec3 boresight, left, up;
} rw_mounting;

#define RW_DEGREES_PER_RADIAN 57.29577951308232

RW_FN size_t rw_cut_sample_before(const rw_antenna_cut *cut, double angle_deg)
{
    size_t low = 0, high = cut->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (cut->angle_deg[middle] <= angle_deg)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : cut->count - 1;
}

RW_FN double rw_cut_step_after(const rw_antenna_cut *cut, size_t index)
{
    size_t next = index + 1 < cut->count ? index + 1 : 0;
    double step = cut->angle_deg[next] - cut->angle_deg[index];
    return next == 0 ? step + 360 : step;
}

RW_FN double rw_cut_loss_db(const rw_antenna_cut *cut, double angle_deg)
{
    angle_deg -= 360 * floor(angle_deg / 360);
    size_t before = rw_cut_sample_before(cut, angle_deg), after = before + 1 < cut->count ? before + 1 : 0;
    double step = rw_cut_step_after(cut, before);
    double offset = angle_deg - cut->angle_deg[before];
    double t = (offset < 0 ? offset + 360 : offset) / step, u = 1 - t;
    double start = cut->loss_db[before], end = cut->loss_db[after];
    return u * u * (1 + 2 * t) * start + t * t * (1 + 2 * u) * end +
           t * u * step * (u * cut->slope_db_per_deg[before] - t * cut->slope_db_per_deg[after]);
}

/* E = cos(pi/2 cos theta) / sin theta */
RW_FN double rw_dipole_loss_db(double theta_deg)
{
    double theta = theta_deg / RW_DEGREES_PER_RADIAN, sine = fabs(sin(theta));
    if (sine < 1e-9)
        return INFINITY;
    double field = fabs(cos(0.5 * 3.14159265358979323846 * cos(theta))) / sine;
    return -20 * log10(field);
}

/* 3GPP TR 38.901 table 7.3-1, whose widths are 65 degrees and whose deepest loss is 30 dB; TR 36.814 table A.2.1.1-2
 * has the same form for panels of base stations, with the electrical tilt. */
RW_FN double rw_sector_loss_db(const rw_sector_widths *widths, double deepest_loss_db, double theta_deg, double phi_deg)
{
    double down = (theta_deg - 90 - widths->electrical_tilt_deg) / widths->vertical_deg;
    double aside = phi_deg / widths->horizontal_deg;
    double vertical = fmin(12 * (down * down), deepest_loss_db);
    double horizontal = fmin(12 * (aside * aside), deepest_loss_db);
    return fmin(vertical + horizontal, deepest_loss_db);
}

/* A Coons patch over each quarter of the sphere, in decibels: the front and back halves of the vertical cut, blended
 * over azimuth, plus what the horizontal cut has beyond such a blend, fading towards the poles. Exact on the vertical
 * cut, and on the horizontal one where the two agree where they cross; smooth, and with one value at each pole. */
RW_FN double rw_cuts_loss_db(const rw_antenna_shape *pattern, double theta_deg, double phi_deg)
{
    double below_deg = theta_deg - 90;
    double back = 0.5 * (1 - cos(phi_deg / RW_DEGREES_PER_RADIAN)), level = sin(theta_deg / RW_DEGREES_PER_RADIAN);
    double front_loss = rw_cut_loss_db(&pattern->vertical, below_deg);
    double back_loss = rw_cut_loss_db(&pattern->vertical, 180 - below_deg);
    double beyond = rw_cut_loss_db(&pattern->horizontal, -phi_deg) -
                    (1 - back) * rw_cut_loss_db(&pattern->horizontal, 0) -
                    back * rw_cut_loss_db(&pattern->horizontal, 180);
    double loss = (1 - back) * front_loss + back * back_loss + level * beyond;
    return fmin(fmax(loss, 0.0), pattern->deepest_loss_db);
}

/* theta from the top, in [0, 180]; phi from the boresight to the left, in [-180, 180]. */
RW_FN double rw_shape_gain_dbi(const rw_antenna_shape *pattern, double theta_deg, double phi_deg)
{
    double loss_db = pattern->kind == RW_ANTENNA_DIPOLE ? rw_dipole_loss_db(theta_deg)
                     : pattern->kind == RW_ANTENNA_SECTOR
                         ? rw_sector_loss_db(&pattern->sector, pattern->deepest_loss_db, theta_deg, phi_deg)
                     : pattern->kind == RW_ANTENNA_CUTS ? rw_cuts_loss_db(pattern, theta_deg, phi_deg)
                                                        : 0.0;
    double gain_dbi = pattern->peak_gain_dbi - loss_db;
    return gain_dbi < RW_ANTENNA_NULL_DBI ? RW_ANTENNA_NULL_DBI : gain_dbi;
}

/* Towards a direction of any length but zero. */
RW_FN double rw_shape_gain_towards(const rw_antenna_shape *pattern, const rw_mounting *mounting, rw_vec3 direction)
{
    double forward = rw_vec3_dot(direction, mounting->boresight), aside = rw_vec3_dot(direction, mounting->left);
    double above = rw_vec3_dot(direction, mounting->up);
    double theta_deg = atan2(sqrt(forward * forward + aside * aside), above) * RW_DEGREES_PER_RADIAN;
    return rw_shape_gain_dbi(pattern, theta_deg, atan2(aside, forward) * RW_DEGREES_PER_RADIAN);
}

#endif
