/* The antenna of the receivers: the same at every receiver, with one orientation. Without one, receivers are isotropic
 * and vertically polarised. */
#ifndef RW_MODELS_ENGINE_PREDICTION_RECEIVER_ANTENNA_H
#define RW_MODELS_ENGINE_PREDICTION_RECEIVER_ANTENNA_H

#include "field/paths/pattern.h"
#include "models/engine/model.h"

/* Reads the antenna that the options name, and refuses what maps could not hold. */
rw_status rw_prediction_load_receiver_antenna(rw_prediction *prediction);

/* The antenna as kernels read it on the host and on the backend. */
rw_status rw_receiver_pattern_upload(const rw_prediction *prediction, rw_backend backend,
                                     rw_device_pattern *table_buffer, rw_pattern *host, rw_pattern *device_pattern);

#endif
