/* The prior by its name in the options, and what it does to losses of models whose own paths end before it. */
#ifndef RW_MECHANISMS_PRIOR_PRIOR_H
#define RW_MECHANISMS_PRIOR_PRIOR_H

#include "mechanisms/prediction.h"
#include "mechanisms/prior/prior.k.h"

/* Mean height of the scene's roofs above ground, larger buildings counting for more; 0 where there are none. */
double rw_mean_roof_m(const rw_scene *scene);

/* A prior by its name in the options (NULL: none), at one transmitter. */
rw_prior rw_prior_of(const rw_prediction *prediction, const char *name, size_t transmitter);

/* The name that a map tells: that of the options, or "none". The text stays. */
const char *rw_prior_name(const char *requested);

/* Whether the options ask for a prior that the engine is to add (prior_by_engine of the model); refuses it beside
 * calibrated parameters, which have what no path explains in them. */
rw_status rw_prior_by_engine_check(const rw_prediction *prediction, int *requested);

/* Losses of one transmitter, one a cell, drawn towards the prior of the options outside buildings; or with sign -1 its
 * powers. with_antenna: they have the gain of its antenna in them, which the prior then gets too, towards the receiver.
 */
void rw_prior_add(const rw_prediction *prediction, size_t transmitter, int sign, int with_antenna, float *values);

#endif
