/* The ensemble of a prediction: members solved one after the other on its backend, and their standard deviation. */
#ifndef RW_MODELS_SHADOW_ENSEMBLE_ENSEMBLE_H
#define RW_MODELS_SHADOW_ENSEMBLE_ENSEMBLE_H

#include "mechanisms/rooftop/over_rooftop.h"
#include "models/shadow/ensemble/ensemble.k.h"
#include "models/shadow/ensemble/members.h"

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
