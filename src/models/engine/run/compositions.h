/* What link budgets need of losses that a model has not composed itself: of its own paths alone. */
#ifndef RW_MODELS_ENGINE_RUN_COMPOSITIONS_H
#define RW_MODELS_ENGINE_RUN_COMPOSITIONS_H

#include "mechanisms/prediction.h"

/* Records the losses of a transmitter, one per cell, where the model has not. compositions: of that transmitter. */
void rw_compositions_begin(const rw_prediction *prediction, size_t transmitter, const float *loss_db,
                           rw_composition *compositions);

#endif
