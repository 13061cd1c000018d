/* What gases and rain take from the waves of an outdoor prediction: so many decibels a metre of the way.
 *
 * In maps the way is the straight line from transmitter to receiver; paths of rw_trace have their own lengths. Gases
 * count from RW_AIR_FROM_HZ on unless they are asked for by name. */
#ifndef RW_MODELS_ENGINE_AIR_H
#define RW_MODELS_ENGINE_AIR_H

#include "models/engine/model.h"
#include "output/paths/paths.h"

#define RW_AIR_FROM_HZ 6e9

/* Of the waves of one transmitter, vertically polarised and level; 0 in a model without these options. */
double rw_air_db_per_m(const rw_prediction *prediction, size_t transmitter);

/* Adds it to losses of one transmitter, one a cell, outside buildings; or with sign -1 to powers. */
void rw_air_add(const rw_prediction *prediction, size_t transmitter, int sign, float *values);

/* Adds it to the paths from number first on, to what is free space of them. */
void rw_air_add_to_paths(const rw_prediction *prediction, size_t first, rw_paths *paths);

#endif
