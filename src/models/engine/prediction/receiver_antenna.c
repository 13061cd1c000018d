#include "models/engine/prediction/receiver_antenna.h"

#include <math.h>
#include <string.h>

/* Sums of paths hold 51 dB beyond isotropic antennas in free space; some of it is for reflections. */
#define GAINS_MAX_DBI 45

static rw_status check_gains(const rw_prediction *prediction)
{
    for (size_t i = 0; i < prediction->located_count; i++)
        if (prediction->antennas[i]->peak_gain_dbi + prediction->receiver_antenna->peak_gain_dbi > GAINS_MAX_DBI)
            return rw_fail(prediction->scene->context, RW_BAD_CALL,
                           "the antennas of transmitter %s and of the receivers have %.1f and %.1f dBi, more than %d "
                           "dBi together",
                           prediction->options->transmitters[i].name, prediction->antennas[i]->peak_gain_dbi,
                           prediction->receiver_antenna->peak_gain_dbi, GAINS_MAX_DBI);
    return RW_OK;
}

rw_status rw_prediction_load_receiver_antenna(rw_prediction *prediction)
{
    const rw_predict_options *options = prediction->options;
    rw_context *context = prediction->scene->context;
    rw_antenna_destroy(prediction->receiver_antenna); /* its file may have changed since the last call */
    prediction->receiver_antenna = NULL;
    if (!options->rx_antenna)
        return RW_OK;
    if (rw_list_contains(prediction->layers, "field_strength"))
        return rw_fail(context, RW_BAD_CALL,
                       "field_strength is of the wave, not of what an antenna receives: leave rx-antenna out");
    RW_TRY(rw_antenna_create(context, options->rx_antenna, &prediction->receiver_antenna));
    return check_gains(prediction);
}

rw_status rw_receiver_pattern_upload(const rw_prediction *prediction, rw_backend backend,
                                     rw_device_pattern *table_buffer, rw_pattern *host, rw_pattern *device_pattern)
{
    const rw_predict_options *options = prediction->options;
    const rw_antenna isotropic = {.kind = RW_ANTENNA_ISOTROPIC};
    const rw_antenna *antenna = prediction->receiver_antenna ? prediction->receiver_antenna : &isotropic;
    rw_transmitter orientation = rw_receiver_orientation(options);
    RW_TRY(rw_pattern_upload(prediction->scene->context, backend, antenna, &orientation, table_buffer, host,
                             device_pattern));
    device_pattern->polarisation = host->polarisation = rw_polarisation_slanted(rw_option_or(options->rx_slant_deg, 0));
    return RW_OK;
}
