/* The sbr model: shooting and bouncing rays. */
#include "models/sbr/sbr.h"

#include <math.h>

static rw_status open_sbr_model(const rw_prediction *prediction, rw_use use, void **state)
{
    return rw_rays_open(prediction, use, &rw_sbr_search, state);
}

/* Rays, and receivers that they meet; measured on offices of 300 walls. */
static rw_status estimate_sbr_cost(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    const rw_predict_options *options = prediction->options;
    double surfaces = rw_rays_surface_estimate(prediction->scene), divisions = options->rays;
    double steps = rw_search_limits_of(options).depth / 4.0 * log2(2 + surfaces) / 8;
    rw_estimate_work(prediction, estimate,
                     (double)estimate->transmitters *
                         (1.2e-5 * 10 * divisions * divisions * steps + 7e-5 * (double)estimate->cells));
    return rw_rays_estimate(prediction, cells, estimate);
}

const rw_model rw_model_sbr = {.name = "sbr",
                               .title = "Indoors, rays at random: shooting and bouncing rays",
                               .polarised = 1,
                               .layer_kinds = rw_room_layer_kinds,
                               .layers = RW_LAYER_NAMES(RW_ROOM_LAYERS),
                               .default_layers = RW_ROOM_DEFAULT_LAYERS,
                               .options = rw_sbr_options,
                               .open = open_sbr_model,
                               .close = rw_rays_close,
                               .solve = rw_rays_solve,
                               .estimate = estimate_sbr_cost,
                               .antenna_in_loss = 1,
                               .prior_by_engine = RW_PRIOR_BY_NAME,
                               .rooms = 1};
