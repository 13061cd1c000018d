#include "mechanisms/prediction.h"

#include "base/options.h"

#include <string.h>

double rw_prediction_freq_hz(const rw_prediction *prediction, size_t transmitter)
{
    double own = prediction->options->transmitters[transmitter].freq_hz;
    return own > 0 ? own : prediction->options->freq_hz;
}

static double effective_curve_per_m(const rw_prediction *prediction)
{
    const double earth_m = 6371e3, default_factor = 4.0 / 3.0;
    return 0.5 / (earth_m * rw_option_or(prediction->options->k_factor, default_factor));
}

double rw_prediction_curve_per_m(const rw_prediction *prediction)
{
    return prediction->scene->terrain.values ? effective_curve_per_m(prediction) : 0;
}

int rw_prediction_has_ground(const rw_prediction *prediction)
{
    const rw_scene *scene = prediction->scene;
    const char *option = prediction->options->ground;
    if (option && strcmp(option, "none") == 0)
        return 0;
    int rooms = scene->parts.count == 0 && (scene->panels.count > 0 || scene->meshes.count > 0);
    return scene->terrain.values != NULL || (!rooms && !scene->no_ground);
}

double rw_prediction_ground_curve_per_m(const rw_prediction *prediction)
{
    return rw_prediction_has_ground(prediction) ? effective_curve_per_m(prediction) : 0;
}

rw_transmitter rw_receiver_orientation(const rw_predict_options *options)
{
    return (rw_transmitter){.size = sizeof(rw_transmitter),
                            .name = "receiver",
                            .azimuth_deg = rw_option_or(options->rx_azimuth_deg, 0),
                            .downtilt_deg = rw_option_or(options->rx_tilt_deg, 0),
                            .roll_deg = rw_option_or(options->rx_roll_deg, 0),
                            .antenna = options->rx_antenna ? options->rx_antenna : "isotropic"};
}

double rw_receiver_gain_dbi(const rw_prediction *prediction, rw_vec3 direction)
{
    rw_transmitter orientation = rw_receiver_orientation(prediction->options);
    return prediction->receiver_antenna
               ? rw_antenna_gain_towards(prediction->receiver_antenna, orientation.azimuth_deg,
                                         orientation.downtilt_deg, orientation.roll_deg, direction)
               : 0;
}
