/* What the calls for one number share: checks of their inputs and materials by name. */
#ifndef RW_FIELD_CALC_CALC_H
#define RW_FIELD_CALC_CALC_H

#include "base/maths/complex.h"
#include "base/context.h"

#include <rasterwave/calc.h>

/* Fails outside 1 MHz to 1 THz; warns outside 100 MHz to 100 GHz. */
rw_status rw_calc_check_freq(rw_context *context, double freq_hz);

/* Fails where the value is not a finite number in [low, high]; what and unit stand in the sentence. */
rw_status rw_calc_check_range(rw_context *context, double value, double low, double high, const char *what,
                              const char *unit);

/* Fails where the value is not a length between a micrometre and a million kilometres. */
rw_status rw_calc_check_positive(rw_context *context, double value, const char *what);

/* A material at a frequency, as the surface of a wall. */
typedef struct rw_calc_surface {
    rw_complex permittivity;
    int perfect_conductor;
    double freq_min_hz, freq_max_hz;
    double conductivity_s_m;
} rw_calc_surface;

rw_status rw_calc_find_surface(rw_context *context, const char *material, double freq_hz, rw_calc_surface *surface);

static inline rw_field_value rw_field_value_of(rw_complex z)
{
    rw_field_value value = {z.re, z.im};
    return value;
}

#endif
