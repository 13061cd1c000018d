/* Trees and air of a prediction, for the kernels of a model; and on paths. */
#ifndef RW_MECHANISMS_ATMOSPHERE_MEDIUM_H
#define RW_MECHANISMS_ATMOSPHERE_MEDIUM_H

#include "mechanisms/atmosphere/medium.k.h"
#include "models/engine/model.h"
#include "mechanisms/foliage/foliage.h"

typedef struct rw_placed_medium {
    const rw_prediction *prediction; /* NULL: nothing is placed */
    rw_placed_trees trees;
} rw_placed_medium;

/* For a map; paths get theirs from the engine (rw_medium_add_to_paths), so that use decides whether there is any. */
rw_status rw_medium_place(const rw_prediction *prediction, rw_use use, rw_placed_medium *placed);
void rw_medium_remove(rw_placed_medium *placed);

/* At the frequency of one transmitter; on_host: not on the prediction's backend. */
rw_medium rw_medium_of(const rw_placed_medium *placed, size_t transmitter, int on_host);

/* Adds trees, gases and rain to the paths from number first on, to what is free space of them. */
rw_status rw_medium_add_to_paths(const rw_prediction *prediction, size_t first, rw_paths *paths);

#endif
