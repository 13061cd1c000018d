#include "field/paths/pattern.h"

#include "base/memory.h"
#include "device/device.h"

#include <math.h>
#include <stdlib.h>

void rw_pattern_init(const rw_antenna *antenna, const rw_transmitter *transmitter, float *amplitudes,
                     rw_pattern *pattern)
{
    *pattern = (rw_pattern){
        .kind = RW_PATTERN_ISOTROPIC,
        .axes = rw_antenna_axes_of(transmitter->azimuth_deg, transmitter->downtilt_deg, transmitter->roll_deg),
        .polarisation = rw_polarisation_slanted(transmitter->slant_deg),
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
                (float)pow(10, (rw_antenna_gain_dbi(antenna, row, column - 180) - antenna->peak_gain_dbi) / 20);
}

rw_status rw_pattern_upload(rw_context *context, rw_backend backend, const rw_antenna *antenna,
                            const rw_transmitter *transmitter, rw_device_pattern *buffers, rw_pattern *host,
                            rw_pattern *device)
{
    size_t values = (size_t)RW_PATTERN_ROWS * RW_PATTERN_COLUMNS;
    if (!buffers->amplitudes)
        RW_TRY(rw_array_create(context, values, sizeof *buffers->amplitudes, "an antenna", &buffers->amplitudes));
    rw_pattern_init(antenna, transmitter, buffers->amplitudes, host);
    *device = *host;
    if (host->kind != RW_PATTERN_TABLE)
        return RW_OK;
    if (!buffers->copy)
        RW_TRY(rw_device_alloc(context, backend, values * sizeof *buffers->amplitudes, "an antenna", &buffers->copy));
    device->amplitudes = buffers->copy;
    return rw_device_upload(context, backend, buffers->copy, buffers->amplitudes, values * sizeof *buffers->amplitudes);
}

void rw_pattern_release(rw_backend backend, rw_device_pattern *buffers)
{
    if (buffers->copy)
        rw_device_free(backend, buffers->copy);
    free(buffers->amplitudes);
    *buffers = (rw_device_pattern){0};
}

rw_pattern rw_pattern_receiver(void)
{
    rw_pattern pattern = {.kind = RW_PATTERN_ISOTROPIC,
                          .axes = rw_antenna_axes_of(0, 0, 0),
                          .polarisation = rw_polarisation_slanted(0),
                          .peak_amplitude = 1};
    return pattern;
}
