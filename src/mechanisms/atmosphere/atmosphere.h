/* What gases and rain take from the waves of an outdoor prediction: so many decibels a metre of the way.
 *
 * The engine adds that of the straight line to every loss of a map; what paths are longer is added by the models, path
 * by path (medium.h). Gases
 * count from RW_AIR_FROM_HZ on unless they are asked for by name. */
#ifndef RW_MECHANISMS_ATMOSPHERE_ATMOSPHERE_H
#define RW_MECHANISMS_ATMOSPHERE_ATMOSPHERE_H

#include "mechanisms/prediction.h"

#define RW_AIR_FROM_HZ 6e9

/* Of the waves of one transmitter, vertically polarised and level; 0 in a model without these options. */
double rw_air_db_per_m(const rw_prediction *prediction, size_t transmitter);

/* Adds it to losses of one transmitter, one a cell, outside buildings; or with sign -1 to powers. */
void rw_air_add(const rw_prediction *prediction, size_t transmitter, int sign, float *values);

#endif
