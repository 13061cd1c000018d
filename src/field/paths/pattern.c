#include "field/paths/pattern.h"

#include <math.h>

void rw_pattern_make(const rw_antenna *antenna, const rw_transmitter *place, float *amplitudes, rw_pattern *pattern)
{
    *pattern = (rw_pattern){.kind = RW_PATTERN_ISOTROPIC,
                            .axes = rw_antenna_axes_of(place->azimuth_deg, place->downtilt_deg, place->roll_deg),
                            .polarisation = rw_polarisation_slanted(0),
                            .peak_amplitude = pow(10, antenna->peak_gain_dbi / 20)};
    if (antenna->kind == RW_ANTENNA_DIPOLE)
        pattern->kind = RW_PATTERN_DIPOLE;
    if (antenna->kind == RW_ANTENNA_ISOTROPIC || antenna->kind == RW_ANTENNA_DIPOLE)
        return;
    pattern->kind = RW_PATTERN_TABLE;
    pattern->amplitudes = amplitudes;
    for (int row = 0; row < RW_PATTERN_ROWS; row++)
        for (int column = 0; column < RW_PATTERN_COLUMNS; column++)
            amplitudes[row * RW_PATTERN_COLUMNS + column] =
                (float)pow(10, rw_antenna_gain_dbi(antenna, row, column - 180) / 20);
}

rw_pattern rw_pattern_receiver(void)
{
    rw_pattern pattern = {.kind = RW_PATTERN_ISOTROPIC,
                          .axes = rw_antenna_axes_of(0, 0, 0),
                          .polarisation = rw_polarisation_slanted(0),
                          .peak_amplitude = 1};
    return pattern;
}
