/* The radio system behind the layers of a network: bandwidth, resource elements, noise, load. */
#ifndef RW_MODELS_ENGINE_RECEIVED_SINR_H
#define RW_MODELS_ENGINE_RECEIVED_SINR_H

#include "models/engine/model.h"
#include "models/engine/received/sinr.k.h"

/* From the options of a prediction. */
rw_status rw_network_plan_init(const rw_prediction *prediction, rw_network_plan *plan);

/* The same where there is no scene yet; the options are settled. */
rw_status rw_network_plan_of(rw_context *context, const rw_predict_options *options, rw_network_plan *plan);

#endif
