/* Path lengths to phasors e^{-j k r}.
 *
 * From metres (double) to cosine and sine (float): the number of wavelengths is reduced to its fraction in double, so
 * that the error stays below 1e-6 rad for paths of up to 1e8 wavelengths. */
#ifndef RW_FIELD_PATHS_PHASES_K_H
#define RW_FIELD_PATHS_PHASES_K_H

#include "base/maths/complex.h"
#include "base/maths/elementary.h"
#include <stddef.h>

/* e^{-j 2 pi length / wavelength} in double. */
RW_FN rw_complex rw_path_phasor(double length_m, double wavelength_m)
{
    double cycles = length_m / wavelength_m;
    return rw_complex_polar(1.0, -2.0 * RW_PI * (cycles - rw_round_nearest(cycles)));
}

#endif
