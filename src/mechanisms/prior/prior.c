#include "mechanisms/prior/prior.h"

#include "base/parallel.h"
#include "field/paths/free_space.k.h"

#include <math.h>
#include <string.h>

double rw_mean_roof_m(const rw_scene *scene)
{
    const rw_scene_summary *all = &scene->prepared->summary;
    if (scene->region_roof_m > 0)
        return scene->region_roof_m;
    return all->area_m2 > 0 ? all->volume_m3 / all->area_m2 : 0;
}

rw_prior rw_prior_of(const rw_prediction *prediction, const char *name, size_t transmitter)
{
    const rw_predict_options *options = prediction->options;
    int kind = !name || strcmp(name, "none") == 0 ? 0
               : strcmp(name, "p1411") == 0       ? RW_SITE_GENERAL_P1411
                                                  : RW_SITE_GENERAL_3GPP;
    return (rw_prior){.kind = kind,
                      .weight = RW_PRIOR_WEIGHT,
                      .base_height_m = options->transmitters[transmitter].height_m,
                      .mobile_height_m = options->rx_height_m > 0 ? options->rx_height_m : 1.5,
                      .mean_roof_m = kind ? rw_mean_roof_m(prediction->scene) : 0,
                      .freq_hz = rw_prediction_freq_hz(prediction, transmitter)};
}

const char *rw_prior_name(const char *requested)
{
    static const char *const names[] = {"3gpp", "p1411"};
    for (size_t i = 0; requested && i < sizeof names / sizeof *names; i++)
        if (strcmp(requested, names[i]) == 0)
            return names[i];
    return "none";
}

rw_status rw_prior_by_engine_check(const rw_prediction *prediction, int *requested)
{
    const char *name = prediction->options->prior;
    *requested = prediction->prior_by_engine && name && strcmp(name, "none") != 0;
    if (*requested && prediction->options->params)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "prior = %s is for predictions without calibration: leave out prior or params", name);
    return RW_OK;
}

typedef struct prior_work {
    const rw_prediction *prediction;
    size_t transmitter;
    rw_prior prior;
    rw_vec3 source;
    int sign, with_antenna;
    float *values;
} prior_work;

/* The loss between isotropic antennas is what the prior is about. */
static void shrink_cells(void *user, size_t begin, size_t end)
{
    const prior_work *work = user;
    const rw_prediction *prediction = work->prediction;
    const rw_receivers_view *view = &prediction->receivers.view;
    const rw_transmitter *about = &prediction->options->transmitters[work->transmitter];
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / work->prior.freq_hz;
    for (size_t i = begin; i < end; i++) {
        float *value = work->values + view->outdoor[i];
        rw_vec3 away = rw_vec3_sub(rw_receiver_point(view, view->outdoor[i]), work->source);
        double gain_db = work->with_antenna
                             ? rw_antenna_gain_towards(prediction->antennas[work->transmitter], about->azimuth_deg,
                                                       about->downtilt_deg, about->roll_deg, away) +
                                   rw_receiver_gain_dbi(prediction, rw_vec3_scale(away, -1))
                             : 0;
        double sent_db = gain_db + (work->sign < 0 ? about->power_dbm : 0);
        double paths_db = sent_db + work->sign * (double)*value;
        double loss_db = rw_prior_loss_db(
            &work->prior, paths_db, rw_free_space_loss_db(rw_vec3_length(away), wavelength_m), hypot(away.x, away.y));
        *value = (float)(work->sign * (loss_db - sent_db));
    }
}

void rw_prior_add(const rw_prediction *prediction, size_t transmitter, int sign, int with_antenna, float *values)
{
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter];
    prior_work work = {prediction,
                       transmitter,
                       rw_prior_of(prediction, prediction->options->prior, transmitter),
                       rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z),
                       sign,
                       with_antenna,
                       values};
    rw_parallel(prediction->scene->context, prediction->receivers.view.outdoor_count, 512, shrink_cells, &work);
}
