/* Receivers too near to a transmitter: patterns hold in the far field of an antenna, from 2 D^2 / lambda on for an
 * antenna of largest dimension D (Balanis, Antenna Theory, section 2.2.4). Lu and others (2019, section III.C) leave
 * such tiles out of the prediction. */
#ifndef RW_MODELS_ENGINE_RUN_NEAR_FIELD_H
#define RW_MODELS_ENGINE_RUN_NEAR_FIELD_H

#include "models/engine/model.h"

/* A transmitter, and how far a receiver must be from it to have a value; limit_m 0: no distance is asked for. */
typedef struct rw_near_field {
    const rw_receivers_view *receivers;
    rw_vec3 source; /* in the frame of the wall grid */
    double limit_m;
} rw_near_field;

rw_near_field rw_near_field_of(const rw_prediction *prediction, size_t transmitter);

/* Whether a receiver lies nearer. */
int rw_near_field_holds(const rw_near_field *field, size_t cell);

#endif
