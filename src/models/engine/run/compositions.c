/* What link budgets need of losses that a model has not composed itself: of its own paths alone. */
#include "models/engine/run/run.h"

#include "field/paths/free_space.k.h"

#include <math.h>

/* Gains of both antennas along the straight line, which such losses have in them. */
static double find_straight_gain_dbi(const rw_prediction *prediction, size_t transmitter, rw_vec3 away)
{
    const rw_transmitter *about = &prediction->options->transmitters[transmitter];
    if (!prediction->model->antenna_in_loss)
        return 0;
    return rw_antenna_gain_towards(prediction->antennas[transmitter], about->azimuth_deg, about->downtilt_deg,
                                   about->roll_deg, away) +
           rw_receiver_gain_dbi(prediction, rw_vec3_scale(away, -1));
}

void rw_compositions_begin(const rw_prediction *prediction, size_t transmitter, const float *loss_db,
                           rw_composition *compositions)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter], source = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z);
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / rw_prediction_freq_hz(prediction, transmitter);
    for (size_t i = 0; i < view->outdoor_count; i++) {
        size_t cell = view->outdoor[i];
        rw_vec3 away = rw_vec3_sub(rw_receiver_point(view, cell), source);
        if (compositions[cell].known)
            continue;
        double gain_db = find_straight_gain_dbi(prediction, transmitter, away);
        rw_compose_input in = {.free_space_db = rw_free_space_loss_db(rw_vec3_length(away), wavelength_m)};
        in.excess_db = (double)loss_db[cell] + gain_db - in.free_space_db;
        in.other_db = -gain_db;
        compositions[cell] = rw_composition_of(RW_COMPOSE_SUM, &in);
        compositions[cell].gain_db = gain_db;
    }
}
