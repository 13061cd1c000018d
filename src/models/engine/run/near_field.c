#include "models/engine/run/near_field.h"

#include <math.h>

rw_near_field rw_near_field_of(const rw_prediction *prediction, size_t transmitter)
{
    const rw_predict_options *options = prediction->options;
    double antenna_m = rw_option_or(options->antenna_size_m, 0);
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / rw_prediction_freq_hz(prediction, transmitter);
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter];
    return (rw_near_field){
        .receivers = &prediction->receivers.view,
        .source = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z),
        .limit_m = fmax(rw_option_or(options->exclude_within_m, 0), 2 * antenna_m * antenna_m / wavelength_m)};
}

int rw_near_field_holds(const rw_near_field *field, size_t cell)
{
    rw_vec3 away = rw_vec3_sub(rw_receiver_point(field->receivers, cell), field->source);
    return rw_vec3_length(away) < field->limit_m;
}
