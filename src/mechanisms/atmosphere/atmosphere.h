/* What gases and rain take from the waves of an outdoor prediction: so many decibels a metre of the way.
 *
 * The engine adds that of the straight line to every loss of a map; what paths are longer is added by the models, path
 * by path (medium.c). Gases
 * count from RW_AIR_FROM_HZ on unless they are asked for by name. */
#ifndef RW_MECHANISMS_ATMOSPHERE_ATMOSPHERE_H
#define RW_MECHANISMS_ATMOSPHERE_ATMOSPHERE_H

#include "mechanisms/prediction.h"
#include "mechanisms/atmosphere/medium.k.h"
#include "output/paths/paths.h"
#include "mechanisms/foliage/foliage.h"

#define RW_AIR_FROM_HZ 6e9

/* Of the waves of one transmitter, vertically polarised and level; 0 in a model without these options. */
double rw_air_db_per_m(const rw_prediction *prediction, size_t transmitter);

/* Of that, the rain's. */
double rw_rain_db_per_m(const rw_prediction *prediction, size_t transmitter);

/* Adds it to losses of one transmitter, one a cell, outside buildings; or with sign -1 to powers. */
rw_status rw_air_add(const rw_prediction *prediction, size_t transmitter, int sign, float *values);

/* Trees and air of a prediction, for the kernels of a model; and on paths. */

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
