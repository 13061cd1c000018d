/* The composition of losses as the options choose it, for one transmitter; and the rule applied to losses of models
 * whose own paths end before it. */
#ifndef RW_MECHANISMS_PRIOR_PRIOR_H
#define RW_MECHANISMS_PRIOR_PRIOR_H

#include "mechanisms/prediction.h"
#include "mechanisms/prior/median.k.h"

/* The largest factor of w: with it w is 0.98 at most. */
#define RW_PRIOR_WEIGHT_MAX 1.15

/* Mean height of the scene's roofs above ground, weighted by area; 0 without buildings. */
double rw_mean_roof_m(const rw_scene *scene);

/* The rule and the median by the name in the options (NULL: none), at one transmitter, for kernels of that backend. A
 * scene of meshes alone has the sum of its mechanisms, a floor plan the median of rooms. */
rw_status rw_prior_create(const rw_prediction *prediction, const char *name, size_t transmitter, rw_backend backend,
                          rw_prior *prior);

/* The median that a map reports: that of the options as the scene has it, or "none". The string is constant. */
const char *rw_prior_name(const rw_scene *scene, const char *requested);
const char *rw_prior_name_find(const char *name); /* the constant of that name */

/* The prior that the engine applies to losses of the prediction's model; NULL: none, or the model does. */
const char *rw_prior_by_engine(const rw_prediction *prediction);

/* Losses that a model of rays has solved, which the engine composes: which of the prediction, and what they contain. */
typedef struct rw_prior_losses {
    size_t transmitter;
    int sign;         /* 1: values are losses; -1: received powers */
    int with_antenna; /* 1: they contain the gain of the transmitter's antenna, and of the receiver's */
} rw_prior_losses;

/* Applies the rule to values, one per cell, outside buildings. Terrain and foliage on the line are no loss by
 * buildings: they stay as they are. */
rw_status rw_prior_add(const rw_prediction *prediction, const char *name, rw_prior_losses losses, float *values);

#endif
