/* Which transmitters interfere: those of the same frequency and the same channel. */
#ifndef RW_MODELS_ENGINE_RECEIVED_CHANNELS_H
#define RW_MODELS_ENGINE_RECEIVED_CHANNELS_H

#include "models/engine/model.h"

/* Numbers the channels of a prediction's transmitters from 0, in the order of their first transmitter; channels
 * receives one for each transmitter. Returns how many there are. */
size_t rw_channels_find(const rw_prediction *prediction, uint32_t *channels);

#endif
