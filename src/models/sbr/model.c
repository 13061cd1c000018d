/* The sbr model: shooting and bouncing rays. */
#include "models/sbr/sbr.h"

static rw_status open_model(const rw_prediction *prediction, rw_use use, void **state)
{
    return rw_rays_open(prediction, use, &rw_sbr_finder, state);
}

const rw_model rw_model_sbr = {.name = "sbr",
                               .layer_kinds = rw_room_layer_kinds,
                               .layers = RW_LAYER_NAMES(RW_ROOM_LAYERS),
                               .default_layers = RW_ROOM_DEFAULT_LAYERS,
                               .options = rw_sbr_options,
                               .open = open_model,
                               .close = rw_rays_close,
                               .solve = rw_rays_solve,
                               .estimate = rw_rays_estimate,
                               .antenna_in_loss = 1,
                               .rooms = 1};
