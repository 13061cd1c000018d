/* Sums over the paths of a receiver in fixed point, so that they do not depend on the order in which paths are found.
 *
 * From complex gains, delays and directions of arrival to the moments that field strength, delay spread (ITU-R P.1407)
 * and angular spread (3GPP TR 38.901, annex A) are made of. Gains are taken relative to free space over the straight
 * line; one unit of amplitude is 2^-46 of that, which keeps nine digits of a path 120 dB below it. Powers have a second
 * number of 2^-46 of their unit for what is below it, so that they also reach 270 dB down. */
#ifndef RW_FIELD_PATHS_RAY_SUMS_K_H
#define RW_FIELD_PATHS_RAY_SUMS_K_H

#include "base/maths/vector.h"
#include "field/paths/path_sums.k.h"

#define RW_RAY_AMPLITUDE_UNITS 70368744177664.0          /* 2^46 */
#define RW_RAY_FINE_UNITS 4951760157141521099596496896.0 /* 2^92: of powers, beyond their units of amplitude */
#define RW_RAY_POWER_UNITS 1099511627776.0               /* 2^40 */
#define RW_RAY_SPREAD_POINTS 16                          /* places that a local mean is taken over */

typedef struct rw_ray_sums {
    int64_t re, im;
    int64_t power;
    int64_t diffuse;                  /* the part of power whose phase is unknown */
    int64_t joint;                    /* what the fields of waves that belong together add to power */
    int64_t power_fine, diffuse_fine; /* what these leave over, in finer units */
    int64_t joint_fine;
    int64_t delay, delay_squared; /* beyond the straight line, in nanoseconds, times power */
    int64_t azimuth_x, azimuth_y; /* of directions of arrival, times power */
    int64_t elevation_x, elevation_y;
    int64_t count;
    int64_t sight;             /* of the paths: those that meet nothing */
    int64_t straight;          /* those that are nowhere reflected or bent */
    int64_t walled;            /* those that go through a wall at least once */
    int64_t over_roofs;        /* the part of power that comes over the roofs */
    double straight_excess_db; /* loss of the direct path beyond free space, where it was asked for by itself */
    int64_t near_re[RW_RAY_SPREAD_POINTS], near_im[RW_RAY_SPREAD_POINTS]; /* the field at places round the receiver */
} rw_ray_sums;

/* One path as it arrives. */
typedef struct rw_ray_arrival {
    rw_complex gain;
    double delay_s;
    rw_vec3 direction; /* of travel, of length 1 */
    int diffuse;       /* 1: scattered on its way, so that it adds to a coherent sum by its power */
} rw_ray_arrival;

RW_FN int64_t rw_ray_fixed(double value, double units)
{
    double limit = 9e18, scaled = value * units;
    return (int64_t)rint(scaled > limit ? limit : scaled < -limit ? -limit : scaled);
}

/* A square round each receiver that a local mean is taken over; side_m 0: none. */
typedef struct rw_near_square {
    double side_m;
    rw_vec3 along_u, along_v; /* its sides, of length 1 */
} rw_near_square;

/* Positions of a local mean: one in each sixteenth of the square, and no two on one line along a side, so that they
 * project to 16 equal distances, but in no lattice. In a lattice whose spacing is a wavelength all positions have the
 * same phases. */
RW_FN rw_vec3 rw_ray_near(const rw_near_square *near, int index)
{
    int column = (int)((0xF850EA43DB71C962u >> (4 * index)) & 15u);
    int row = (int)((0xCFDEB98A56740213u >> (4 * index)) & 15u);
    return rw_vec3_add(rw_vec3_scale(near->along_u, (0.0625 * column - 0.46875) * near->side_m),
                       rw_vec3_scale(near->along_v, (0.0625 * row - 0.46875) * near->side_m));
}

/* The same moments as plain numbers, of one path or of several that one work item has added up. */
typedef struct rw_ray_moments {
    double re, im, power, diffuse, delay, delay_squared;
    double azimuth_x, azimuth_y, elevation_x, elevation_y, count;
} rw_ray_moments;

/* Adds one path. free_gain is that of free space over the straight line, which takes straight_s. Returns its gain
 * relative to that. */
RW_FN rw_complex rw_ray_moments_add(rw_ray_moments *moments, const rw_ray_arrival *ray, double free_gain,
                                    double straight_s)
{
    rw_complex gain = rw_complex_scale(ray->gain, 1.0 / free_gain);
    double power = rw_complex_abs2(gain), late_ns = (ray->delay_s - straight_s) * 1e9;
    if (power <= 0.0) /* in a null of an antenna, or behind what lets nothing through: no path */
        return gain;
    /* Azimuth and elevation of where the ray comes from. */
    double across = sqrt(ray->direction.x * ray->direction.x + ray->direction.y * ray->direction.y);
    double cosine = across > 1e-12 ? -ray->direction.x / across : 1.0,
           sine = across > 1e-12 ? -ray->direction.y / across : 0.0;
    moments->re += ray->diffuse ? 0.0 : gain.re;
    moments->im += ray->diffuse ? 0.0 : gain.im;
    moments->power += power;
    moments->diffuse += ray->diffuse ? power : 0.0;
    moments->delay += power * late_ns;
    moments->delay_squared += power * late_ns * late_ns;
    moments->azimuth_x += power * cosine;
    moments->azimuth_y += power * sine;
    moments->elevation_x += power * across;
    moments->elevation_y += -power * ray->direction.z;
    moments->count += 1.0;
    return gain;
}

/* What rounding to units of amplitude leaves over of a power, in finer units. */
RW_FN int64_t rw_ray_fixed_rest(double power)
{
    return rw_ray_fixed(power - (double)rw_ray_fixed(power, RW_RAY_AMPLITUDE_UNITS) / RW_RAY_AMPLITUDE_UNITS,
                        RW_RAY_FINE_UNITS);
}

RW_FN double rw_ray_power_of(int64_t coarse, int64_t fine)
{
    return (double)coarse / RW_RAY_AMPLITUDE_UNITS + (double)fine / RW_RAY_FINE_UNITS;
}

RW_FN void rw_ray_sums_add_moments(rw_ray_sums *sums, const rw_ray_moments *moments)
{
    rw_shared_add_wide(&sums->re, rw_ray_fixed(moments->re, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&sums->im, rw_ray_fixed(moments->im, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&sums->power, rw_ray_fixed(moments->power, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&sums->power_fine, rw_ray_fixed_rest(moments->power));
    if (moments->diffuse > 0.0) {
        rw_shared_add_wide(&sums->diffuse, rw_ray_fixed(moments->diffuse, RW_RAY_AMPLITUDE_UNITS));
        rw_shared_add_wide(&sums->diffuse_fine, rw_ray_fixed_rest(moments->diffuse));
    }
    rw_shared_add_wide(&sums->delay, rw_ray_fixed(moments->delay, RW_RAY_POWER_UNITS));
    rw_shared_add_wide(&sums->delay_squared, rw_ray_fixed(moments->delay_squared, RW_RAY_POWER_UNITS));
    rw_shared_add_wide(&sums->azimuth_x, rw_ray_fixed(moments->azimuth_x, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&sums->azimuth_y, rw_ray_fixed(moments->azimuth_y, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&sums->elevation_x, rw_ray_fixed(moments->elevation_x, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&sums->elevation_y, rw_ray_fixed(moments->elevation_y, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&sums->count, (int64_t)moments->count);
}

/* All but the count times a share. */
RW_FN rw_ray_moments rw_ray_moments_scale(rw_ray_moments moments, double fraction)
{
    moments.re *= fraction;
    moments.im *= fraction;
    moments.power *= fraction;
    moments.diffuse *= fraction;
    moments.delay *= fraction;
    moments.delay_squared *= fraction;
    moments.azimuth_x *= fraction;
    moments.azimuth_y *= fraction;
    moments.elevation_x *= fraction;
    moments.elevation_y *= fraction;
    return moments;
}

/* One of several rays that stand for one path: share is the part of its field and of its power that this one has. near:
 * the square that a local mean is taken over; NULL: none. */
RW_FN void rw_ray_sums_add_fraction(rw_ray_sums *sums, const rw_ray_arrival *ray, double fraction, double free_gain,
                                    double straight_s, const rw_near_square *near, double wavelength_m)
{
    rw_ray_moments moments = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    rw_complex gain = rw_complex_scale(rw_ray_moments_add(&moments, ray, free_gain, straight_s), fraction);
    moments = rw_ray_moments_scale(moments, fraction);
    rw_ray_sums_add_moments(sums, &moments);
    for (int i = 0; near && near->side_m > 0.0 && !ray->diffuse && i < RW_RAY_SPREAD_POINTS; i++) {
        double cycles = rw_vec3_dot(rw_ray_near(near, i), ray->direction) / wavelength_m;
        rw_complex there = rw_complex_mul(gain, rw_complex_polar(1.0, -2.0 * RW_PI * cycles));
        rw_shared_add_wide(&sums->near_re[i], rw_ray_fixed(there.re, RW_RAY_AMPLITUDE_UNITS));
        rw_shared_add_wide(&sums->near_im[i], rw_ray_fixed(there.im, RW_RAY_AMPLITUDE_UNITS));
    }
}

/* A whole path. */
RW_FN void rw_ray_sums_add(rw_ray_sums *sums, const rw_ray_arrival *ray, double free_gain, double straight_s,
                           const rw_near_square *near, double wavelength_m)
{
    rw_ray_sums_add_fraction(sums, ray, 1.0, free_gain, straight_s, near, wavelength_m);
}

/* What the fields of waves that belong together add to their powers, relative to free space. */
RW_FN void rw_ray_sums_add_joint(rw_ray_sums *sums, double joint)
{
    rw_shared_add_wide(&sums->joint, rw_ray_fixed(joint, RW_RAY_AMPLITUDE_UNITS));
    rw_shared_add_wide(&sums->joint_fine, rw_ray_fixed_rest(joint));
}

/* Waves that extinguish each other leave at least this fraction of their powers. */
#define RW_RAY_JOINT_MIN 1e-4

RW_FN double rw_ray_sums_joint_power(const rw_ray_sums *sums)
{
    double power = rw_ray_power_of(sums->power, sums->power_fine);
    return fmax(power + rw_ray_power_of(sums->joint, sums->joint_fine), RW_RAY_JOINT_MIN * power);
}

/* Counts a path of so many interactions by what it meets: walls of them are transmissions. */
RW_FN void rw_ray_sums_count_path(rw_ray_sums *sums, int interactions, int walls)
{
    if (interactions == 0)
        rw_shared_add_wide(&sums->sight, 1);
    if (interactions == walls)
        rw_shared_add_wide(&sums->straight, 1);
    if (walls > 0)
        rw_shared_add_wide(&sums->walled, 1);
}

/* Power of the sums relative to free space. */
typedef enum rw_ray_sum_kind { RW_RAY_SUM_COHERENT, RW_RAY_SUM_POWER, RW_RAY_SUM_LOCAL } rw_ray_sum_kind;

RW_FN double rw_ray_sums_power(const rw_ray_sums *sums, rw_ray_sum_kind kind)
{
    double unit = 1.0 / RW_RAY_AMPLITUDE_UNITS, sum = 0.0;
    double diffuse = rw_ray_power_of(sums->diffuse, sums->diffuse_fine);
    if (kind == RW_RAY_SUM_POWER)
        return rw_ray_sums_joint_power(sums);
    if (kind == RW_RAY_SUM_COHERENT)
        return rw_complex_abs2(rw_complex_of((double)sums->re * unit, (double)sums->im * unit)) + diffuse;
    for (int i = 0; i < RW_RAY_SPREAD_POINTS; i++)
        sum += rw_complex_abs2(rw_complex_of((double)sums->near_re[i] * unit, (double)sums->near_im[i] * unit));
    return sum / RW_RAY_SPREAD_POINTS + diffuse;
}

/* Root mean square of the delay, in seconds. */
RW_FN double rw_ray_sums_delay_spread_s(const rw_ray_sums *sums)
{
    double power = (double)sums->power / RW_RAY_AMPLITUDE_UNITS;
    if (!(power > 0.0))
        return 0.0;
    double mean = (double)sums->delay / RW_RAY_POWER_UNITS / power;
    double square = (double)sums->delay_squared / RW_RAY_POWER_UNITS / power - mean * mean;
    return square > 0.0 ? sqrt(square) * 1e-9 : 0.0;
}

/* Mean delay beyond the straight line, in seconds. */
RW_FN double rw_ray_sums_delay_s(const rw_ray_sums *sums)
{
    double power = (double)sums->power / RW_RAY_AMPLITUDE_UNITS;
    return power > 0.0 ? (double)sums->delay / RW_RAY_POWER_UNITS / power * 1e-9 : 0.0;
}

/* Circular spread in radians of angles whose unit vectors, weighed by power, add up to (x, y). 3GPP TR 38.901, annex
 * A.1. */
RW_FN double rw_circular_spread(double x, double y, double power)
{
    double length = power > 0.0 ? sqrt(x * x + y * y) / power : 1.0;
    return length >= 1.0 ? 0.0 : sqrt(-2.0 * log(length > 1e-12 ? length : 1e-12));
}

/* Of azimuth or elevation of arrival. */
RW_FN double rw_ray_sums_angular_spread(const rw_ray_sums *sums, int azimuth)
{
    double x = (double)(azimuth ? sums->azimuth_x : sums->elevation_x);
    double y = (double)(azimuth ? sums->azimuth_y : sums->elevation_y);
    return rw_circular_spread(x, y, (double)sums->power);
}

#endif
