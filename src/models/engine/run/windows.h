/* Predictions whose transmitters have a range: each position is predicted on the window of cells that its range
 * reaches, as a map of its own, which is copied into the whole one. Best server and interference come from the powers
 * there. */
#ifndef RW_MODELS_ENGINE_RUN_WINDOWS_H
#define RW_MODELS_ENGINE_RUN_WINDOWS_H

#include "models/engine/run/ranges.h"

/* The map of a checked call with ranges (rw_ranges_are_set). The prediction remains the caller's. */
rw_status rw_predict_windows(rw_prediction *prediction, rw_map **map);

#endif
