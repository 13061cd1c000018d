/* Trees and air of a prediction, for the kernels of a model; and on paths. */
#ifndef RW_MECHANISMS_ATMOSPHERE_MEDIUM_H
#define RW_MECHANISMS_ATMOSPHERE_MEDIUM_H

#include "mechanisms/atmosphere/medium.k.h"
#include "mechanisms/prediction.h"
#include "output/paths/paths.h"
#include "mechanisms/foliage/foliage.h"

typedef struct rw_device_medium {
    const rw_prediction *prediction; /* NULL: nothing is placed */
    rw_device_foliage foliage;
} rw_device_medium;

/* For a map; paths get theirs from the engine (rw_medium_add_to_paths), so that use decides whether there is any. */
rw_status rw_medium_upload(const rw_prediction *prediction, rw_use use, rw_device_medium *device_medium);
void rw_medium_release(rw_device_medium *device_medium);

/* At the frequency of one transmitter; on_host: not on the prediction's backend. */
rw_medium rw_medium_of(const rw_device_medium *device_medium, size_t transmitter, int on_host);

/* Adds trees, gases and rain to the paths from number first on, to what is free space of them. */
rw_status rw_medium_add_to_paths(const rw_prediction *prediction, size_t first, rw_paths *paths);

#endif
