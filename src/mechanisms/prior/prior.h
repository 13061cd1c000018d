/* The composition of losses as the options choose it, for one transmitter; and the rule applied to losses of models
 * whose own paths end before it. */
#ifndef RW_MECHANISMS_PRIOR_PRIOR_H
#define RW_MECHANISMS_PRIOR_PRIOR_H

#include "field/air/foliage.k.h"
#include "mechanisms/foliage/foliage.h"
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

/* The rule at single receivers, for losses that a model of rays has solved at one transmitter. */
typedef struct rw_ray_prior {
    const rw_prediction *prediction;
    rw_prior_losses losses;
    rw_prior prior;
    rw_vec3 source; /* in the grid's frame */
    rw_wall_grid_view grid;
    rw_device_foliage foliage;
    rw_foliage_law law;
} rw_ray_prior;
rw_status rw_ray_prior_open(const rw_prediction *prediction, const char *name, rw_prior_losses losses,
                            rw_ray_prior *work);
void rw_ray_prior_close(rw_ray_prior *work);

/* What a value is composed of. */
typedef struct rw_prior_split {
    rw_compose_input in; /* between isotropic antennas */
    double foliage_db;   /* of in.other_db; the rest is terrain */
    double gain_db;      /* of the antennas along the straight line, if the value contains them */
    double sent_db;      /* of a loss the gain, of a power also what is sent */
} rw_prior_split;
/* 0: the value is not finite. */
int rw_ray_prior_split(const rw_ray_prior *work, rw_vec3 receiver, double value, rw_prior_split *split);
/* The input of the rule without losses, from another position of the transmitter. */
rw_compose_input rw_ray_prior_input(const rw_ray_prior *work, rw_vec3 source, rw_vec3 receiver);

/* Applies the rule to values, one per cell, outside buildings. Terrain and foliage on the line are no loss by
 * buildings: they stay as they are. */
rw_status rw_prior_add(const rw_prediction *prediction, const char *name, rw_prior_losses losses, float *values);

/* In a floor plan, where the search for paths has a limit: the fraction of the receivers at which the paths found have
 * less power than what leaks through a building, so that the limit cut off stronger ones. values: before the rule. 0 in
 * other scenes. */
rw_status rw_prior_find_cut(const rw_prediction *prediction, rw_prior_losses losses, const float *values,
                            double *fraction);

#endif
