/* Corners that send waves on: what models tell of them, and the file of them (diffraction_edges.c). */
#ifndef RW_MODELS_ENGINE_CALLS_DIFFRACTION_EDGES_H
#define RW_MODELS_ENGINE_CALLS_DIFFRACTION_EDGES_H

#include "base/maths/vector.h"

#include <stddef.h>

typedef struct rw_diffraction_source {
    rw_vec2 at;          /* local frame */
    double low_m, top_m; /* altitudes of the edge */
    int order;           /* fewest corners of a path up to this one, itself among them */
    double loss_db;      /* least loss up to it: free space and what lies before it, its own turn not */
    size_t count;        /* what leads round it: cells whose strongest path does, or beams */
} rw_diffraction_source;

#endif
