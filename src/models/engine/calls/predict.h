/* Maps of a checked call. */
#ifndef RW_MODELS_ENGINE_CALLS_PREDICT_H
#define RW_MODELS_ENGINE_CALLS_PREDICT_H

#include "models/engine/model.h"

/* The map of a checked call, which is destroyed or cached; tiles not NULL: receives values on tiles from the same
 * rays. */
rw_status rw_prediction_run(rw_prediction *prediction, rw_tile_map **tiles, rw_map **map);

#endif
