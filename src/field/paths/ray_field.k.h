/* The field along a ray that meets walls: from the vector an antenna sends to the complex gain at the receiver.
 *
 * From directions of the legs, normals and coefficients of the walls between them to sqrt(P_r/P_t) with phase: dyadic
 * reflection and transmission one after the other (dyad.k.h), spreading as from the last image, phase reduced in
 * double. Valid in the far field of antennas and walls. */
#ifndef RW_FIELD_PATHS_RAY_FIELD_K_H
#define RW_FIELD_PATHS_RAY_FIELD_K_H

#include "field/surfaces/construction.k.h"
#include "field/paths/phases.k.h"
#include "field/paths/polarisation.k.h"

/* An antenna as rays see it: its axes, its polarisation, and amplitude over its own sphere. */
#define RW_PATTERN_COLUMNS 361 /* phi from -180 to 180 in degrees */
#define RW_PATTERN_ROWS 181    /* theta from 0 to 180 */

typedef enum rw_pattern_kind { RW_PATTERN_ISOTROPIC, RW_PATTERN_DIPOLE, RW_PATTERN_TABLE } rw_pattern_kind;

typedef struct rw_pattern {
    rw_pattern_kind kind;
    rw_antenna_axes axes;
    rw_polarisation polarisation;
    double peak_amplitude;   /* square root of the peak gain */
    const float *amplitudes; /* of RW_PATTERN_TABLE: rows of theta, relative to the peak */
    int dual;                /* 1: of a receiver with a second port across the first, whose powers add */
} rw_pattern;

/* Half a wavelength: cos(pi/2 cos theta) / sin theta. Balanis, Antenna Theory, eq. (4-84). */
RW_FN double rw_dipole_amplitude(double cosine)
{
    double sine2 = 1.0 - cosine * cosine;
    return sine2 < 1e-12 ? 0.0 : cos(0.5 * RW_PI * cosine) / sqrt(sine2);
}

RW_FN double rw_pattern_read(const rw_pattern *pattern, rw_vec3 direction)
{
    double x = rw_vec3_dot(direction, pattern->axes.forward), y = rw_vec3_dot(direction, pattern->axes.left);
    double z = rw_vec3_dot(direction, pattern->axes.up);
    double theta = acos(z > 1.0 ? 1.0 : z < -1.0 ? -1.0 : z) * 180.0 / RW_PI, phi = atan2(y, x) * 180.0 / RW_PI + 180.0;
    int row = (int)theta, column = (int)phi;
    row = row > RW_PATTERN_ROWS - 2 ? RW_PATTERN_ROWS - 2 : row;
    column = column > RW_PATTERN_COLUMNS - 2 ? RW_PATTERN_COLUMNS - 2 : column;
    double down = theta - row, along = phi - column;
    const float *at = pattern->amplitudes + row * RW_PATTERN_COLUMNS + column;
    double upper = (1.0 - along) * (double)at[0] + along * (double)at[1];
    double lower = (1.0 - along) * (double)at[RW_PATTERN_COLUMNS] + along * (double)at[RW_PATTERN_COLUMNS + 1];
    return (1.0 - down) * upper + down * lower;
}

/* Square root of the gain in a direction (unit, away from the antenna). */
RW_FN double rw_pattern_amplitude(const rw_pattern *pattern, rw_vec3 direction)
{
    double shape = 1.0;
    if (pattern->kind == RW_PATTERN_TABLE)
        shape = rw_pattern_read(pattern, direction);
    else if (pattern->kind == RW_PATTERN_DIPOLE)
        shape = rw_dipole_amplitude(rw_vec3_dot(direction, pattern->axes.up));
    return pattern->peak_amplitude * shape;
}

/* The field vector of an antenna in a direction (unit, away from it), with its gain. */
RW_FN rw_vec3c rw_pattern_vector(const rw_pattern *pattern, rw_vec3 direction)
{
    return rw_vec3c_scale(rw_polarisation_vector(&pattern->axes, pattern->polarisation, direction),
                          rw_complex_of(rw_pattern_amplitude(pattern, direction), 0.0));
}

/* What a receiver takes of a field from a direction (unit, away from it). Of two ports the root of both powers, with
 * the phase of the field alone: such gains are for sums of power. */
RW_FN rw_complex rw_pattern_voltage(const rw_pattern *pattern, rw_vec3 direction, rw_vec3c field)
{
    rw_complex first = rw_received_voltage(rw_pattern_vector(pattern, direction), field);
    if (!pattern->dual)
        return first;
    rw_pattern across = *pattern;
    across.polarisation.theta = rw_complex_of(-pattern->polarisation.phi.re, pattern->polarisation.phi.im);
    across.polarisation.phi = rw_complex_of(pattern->polarisation.theta.re, -pattern->polarisation.theta.im);
    rw_complex second = rw_received_voltage(rw_pattern_vector(&across, direction), field);
    return rw_complex_of(sqrt(rw_complex_abs2(first) + rw_complex_abs2(second)), 0.0);
}

/* What one wall makes of the field. from_back: the ray comes from the side of the last layer. */
RW_FN rw_vec3c rw_meet_wall(rw_vec3c field, rw_vec3 direction, rw_vec3 normal, const rw_wall_response *wall,
                            int through, int from_back)
{
    if (through)
        return rw_transmit_field(field, direction, normal, wall->through);
    return rw_reflect_field(field, direction, normal, from_back ? wall->back : wall->front);
}

/* Gain of a path whose field at one metre, walls included, is given. */
RW_FN rw_complex rw_ray_gain(rw_vec3c field, const rw_pattern *receiver, rw_vec3 arrival, double spreading_m,
                             double phase_m, double wavelength_m)
{
    rw_complex voltage = rw_pattern_voltage(receiver, rw_vec3_scale(arrival, -1.0), field);
    rw_complex phase = rw_path_phasor(phase_m, wavelength_m);
    double scale = wavelength_m / (4.0 * RW_PI) / spreading_m;
    return rw_complex_scale(rw_complex_mul(voltage, phase), scale);
}

#endif
