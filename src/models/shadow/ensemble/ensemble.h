/* The ensemble of sigma: its members, and the solver that computes them. */
#ifndef RW_MODELS_SHADOW_ENSEMBLE_ENSEMBLE_H
#define RW_MODELS_SHADOW_ENSEMBLE_ENSEMBLE_H

#include "models/engine/model.h"
#include "mechanisms/rooftop/over_rooftop.h"
#include "models/shadow/ensemble/ensemble.k.h"

/* Members of an ensemble: what a scene, its transmitters and the model's parameters might be in place of what they are
 * said to be, drawn from normal distributions cut off at three standard deviations.
 *
 * Every number is drawn from the member's number and from what it is of, by integer arithmetic: members are the same on
 * every run, machine and backend, whatever else is predicted with them. */

#define RW_DRAW_MAX 3.0 /* standard deviations */

/* Standard deviations. */
typedef struct rw_spreads {
    double height_m;         /* of each building; of low ones a fifth of the height */
    double mast_xy_m;        /* of a transmitter to the east, and to the north */
    double mast_z_m;         /* of its height; one on a roof moves with the roof as well */
    double wall_fraction;    /* of the loss of all walls */
    double foliage_fraction; /* of the loss of the scene's trees */
    double facade_db;        /* of the facade behind a receiver */
    double street_fraction;  /* of the loss of streets beyond free space */
    double prior_weight;     /* of the factor of the median's weight */
} rw_spreads;

rw_spreads rw_spreads_default(void);

/* What a member has in common for all receivers, over what is said: factors and differences. */
typedef struct rw_member {
    double wall_factor, street_factor, foliage_factor, facade_db, prior_weight;
} rw_member;

rw_member rw_member_draw(const rw_spreads *spreads, size_t member);

/* By how much each part of the scene is higher; returns the most of these, at least 0. */
double rw_member_heights(const rw_spreads *spreads, const rw_scene *scene, size_t member, float *raised_m);

/* Where a transmitter is that is said to be at source (local frame, altitude). It is in no building. */
rw_vec3 rw_member_mast(const rw_spreads *spreads, const rw_scene *scene, size_t member, const float *raised_m,
                       rw_vec3 source);

/* The ensemble of a prediction: members solved one after the other on its backend, and their standard deviation. */

typedef struct rw_shadow_job rw_shadow_job; /* shadow.h */

typedef struct rw_ensemble {
    size_t member_count; /* 0: there is none */
    rw_spreads spreads;
    double open_fraction; /* how much of what no map has stands here: 0 to 1 */
    rw_member *members;
    float *host_raised_m, *raised_m; /* of all parts, member after member; the second on the backend */
    float *raised_max_m;             /* of each member */
    float *street_db;                /* on the backend, as the rest: a batch of transmitters, one a cell */
    float *sum_db, *square_db;
    rw_shadow_source *sources; /* a batch */
    rw_shadow_source *host_sources;
    rw_roof_source *host_roof_sources;
} rw_ensemble;

/* Draws the members and takes memory for batches of the job, which must be complete but for this. */
rw_status rw_ensemble_create(const rw_shadow_job *job, size_t member_count, const rw_spreads *spreads,
                             rw_ensemble *ensemble);
void rw_ensemble_destroy(rw_ensemble *ensemble, rw_backend backend);

/* Standard deviations of count transmitters from first on, which the job has just solved, into sum_db. The job's losses
 * over roofs are lost. */
rw_status rw_ensemble_run(rw_ensemble *ensemble, rw_shadow_job *job, size_t first, size_t count);

#endif
