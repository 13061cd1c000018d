/* Antennas as fields see them: orientation, polarisation and effective length.
 *
 * From where an antenna points and how it is polarised to the unit vector of the field it sends or receives in a
 * direction, after 3GPP TR 38.901, section 7.3.2 (model 2): a slant angle zeta gives cos(zeta) theta + sin(zeta) phi in
 * the antenna's own frame everywhere. The gain over the sphere comes from the antenna's pattern. Valid in the far
 * field. */
#ifndef RW_FIELD_PATHS_POLARISATION_K_H
#define RW_FIELD_PATHS_POLARISATION_K_H

#include "base/maths/elementary.h"
#include "field/paths/dyad.k.h"

/* The antenna's own axes in the scene's frame. */
typedef struct rw_antenna_axes {
    rw_vec3 forward, left, up;
} rw_antenna_axes;

/* Jones components on theta and phi of the antenna's frame; |theta|^2 + |phi|^2 = 1. */
typedef struct rw_polarisation {
    rw_complex theta, phi;
} rw_polarisation;

#define RW_IMPEDANCE_OF_SPACE_OHM 376.730313668

/* azimuth: compass bearing, clockwise from north (+y); a positive downtilt lowers the boresight; a positive roll turns
 * the antenna clockwise as seen from behind it. */
RW_FN rw_antenna_axes rw_antenna_axes_of(double azimuth_deg, double downtilt_deg, double roll_deg)
{
    double azimuth = azimuth_deg * RW_PI / 180.0, tilt = downtilt_deg * RW_PI / 180.0, roll = roll_deg * RW_PI / 180.0;
    rw_antenna_axes axes;
    axes.forward = rw_vec3_of(sin(azimuth) * cos(tilt), cos(azimuth) * cos(tilt), -sin(tilt));
    rw_vec3 left = rw_vec3_of(-cos(azimuth), sin(azimuth), 0.0);
    rw_vec3 up = rw_vec3_cross(axes.forward, left);
    axes.up = rw_vec3_sub(rw_vec3_scale(up, cos(roll)), rw_vec3_scale(left, sin(roll)));
    axes.left = rw_vec3_add(rw_vec3_scale(left, cos(roll)), rw_vec3_scale(up, sin(roll)));
    return axes;
}

/* 0 deg: vertical; 90 deg: horizontal; +-45 deg: slanted. */
RW_FN rw_polarisation rw_polarisation_slanted(double slant_deg)
{
    double slant = slant_deg * RW_PI / 180.0;
    rw_polarisation result = {{cos(slant), 0.0}, {sin(slant), 0.0}};
    return result;
}

/* Circular, right-handed (IEEE: thumb along the ray) or left-handed. */
RW_FN rw_polarisation rw_polarisation_circular(int right_handed)
{
    rw_polarisation result = {{sqrt(0.5), 0.0}, {0.0, right_handed ? -sqrt(0.5) : sqrt(0.5)}};
    return result;
}

/* The antenna's theta and phi vectors at a direction (unit, away from the antenna); phi of its zenith is its left. */
RW_FN void rw_antenna_basis(const rw_antenna_axes *axes, rw_vec3 direction, rw_vec3 *theta, rw_vec3 *phi)
{
    rw_vec3 across = rw_vec3_cross(axes->up, direction);
    *phi = rw_vec3_length(across) > 1e-12 ? rw_vec3_unit(across) : axes->left;
    *theta = rw_vec3_cross(*phi, direction);
}

/* Unit vector of the field sent in a direction; for receiving, the direction from the antenna to where the wave comes
 * from. */
RW_FN rw_vec3c rw_polarisation_vector(const rw_antenna_axes *axes, rw_polarisation polarisation, rw_vec3 direction)
{
    rw_vec3 theta, phi;
    rw_antenna_basis(axes, direction, &theta, &phi);
    return rw_vec3c_add(rw_vec3c_along(polarisation.theta, theta), rw_vec3c_along(polarisation.phi, phi));
}

/* What a receiving antenna takes of a field: the product without conjugate, as reciprocity has it (Collin, Antennas and
 * Radiowave Propagation, section 5.2). */
RW_FN rw_complex rw_received_voltage(rw_vec3c antenna, rw_vec3c field)
{
    return rw_complex_add(rw_complex_add(rw_complex_mul(antenna.x, field.x), rw_complex_mul(antenna.y, field.y)),
                          rw_complex_mul(antenna.z, field.z));
}

/* Open-circuit volts for a field of 1 V/m: lambda sqrt(G R / (pi eta0)); Balanis, Antenna Theory, section 2.15. */
RW_FN double rw_effective_length_m(double gain, double wavelength_m, double resistance_ohm)
{
    return wavelength_m * sqrt(gain * resistance_ohm / (RW_PI * RW_IMPEDANCE_OF_SPACE_OHM));
}

/* Complex gain sqrt(P_r/P_t) of a path: field at the receiver per unit field at 1 m, taken by the receiver. */
RW_FN rw_complex rw_path_gain(rw_vec3c receiver, rw_vec3c field_times_m, double transmit_gain, double receive_gain,
                              double wavelength_m)
{
    double scale = wavelength_m / (4.0 * RW_PI) * sqrt(transmit_gain * receive_gain);
    return rw_complex_scale(rw_received_voltage(receiver, field_times_m), scale);
}

#endif
