/* Free space: distance to loss and complex gain.
 *
 * After Friis (shadow paper, eq. (16)): P_r/P_t = G (lambda / 4 pi d)^2. Valid in the far field of both antennas; a
 * distance under lambda / 4 pi, where the formula would give gain, counts as lambda / 4 pi. */
#ifndef RW_FIELD_PATHS_FREE_SPACE_K_H
#define RW_FIELD_PATHS_FREE_SPACE_K_H

#include "field/paths/phases.k.h"

/* lambda / (4 pi d), at most 1. */
RW_FN double rw_free_space_amplitude(double distance_m, double wavelength_m)
{
    double amplitude = wavelength_m / (4.0 * RW_PI * distance_m);
    return amplitude < 1.0 ? amplitude : 1.0;
}

RW_FN double rw_free_space_loss_db(double distance_m, double wavelength_m)
{
    return -20.0 * log10(rw_free_space_amplitude(distance_m, wavelength_m));
}

/* Amplitude and phase between isotropic antennas. */
RW_FN rw_complex rw_free_space_gain(double distance_m, double wavelength_m)
{
    return rw_complex_scale(rw_path_phasor(distance_m, wavelength_m),
                            rw_free_space_amplitude(distance_m, wavelength_m));
}

#endif
