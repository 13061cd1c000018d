/* The way over the roofs to every receiver of a prediction, for a batch of transmitters. */
#ifndef RW_MECHANISMS_ROOFTOP_OVER_ROOFTOP_H
#define RW_MECHANISMS_ROOFTOP_OVER_ROOFTOP_H

#include "mechanisms/prediction.h"
#include "visibility/los/los.h"
#include "mechanisms/rooftop/over_rooftop.k.h"
#include "mechanisms/prior/prior.h"

/* The facade behind a receiver without calibration. */
#define RW_FACADE_DB 5.0f

typedef struct rw_over_roofs {
    const rw_prediction *prediction;
    rw_backend backend;
    size_t batch;            /* most transmitters at a time */
    rw_roof_source *sources; /* on the backend */
    rw_roof_source *host;    /* of a batch */
    float facade_db;
    struct rw_over_roofs_args args; /* excess_db and edges: one a cell, transmitter after transmitter */
} rw_over_roofs;

rw_status rw_over_roofs_create(const rw_prediction *prediction, size_t batch, rw_over_roofs *roofs);
void rw_over_roofs_destroy(rw_over_roofs *roofs);

/* Solves count transmitters from first on. sight tells which receivers see them; it must have run. It does not wait. */
/* Of the present range of progress it takes the first RW_ROOFS_PROGRESS_FRACTION. */
#define RW_ROOFS_PROGRESS_FRACTION 0.5
rw_status rw_over_roofs_run(rw_over_roofs *roofs, const rw_los_job *sight, int sight_from_walls, size_t first,
                            size_t count);

/* What another city that looks the same on the map would have. */
typedef struct rw_roof_member {
    const rw_roof_source *sources; /* one of each transmitter, on the host */
    const float *raised_m;         /* on the backend: as in rw_wall_grid_view */
    float raised_max_m;
} rw_roof_member;

/* The same for that city; which receivers see the transmitters stays. */
rw_status rw_over_roofs_run_member(rw_over_roofs *roofs, const rw_los_job *sight, int sight_from_walls,
                                   const rw_roof_member *member, size_t count);

/* Which way over the roofs a model of rays has beside its own paths. */
typedef enum rw_roof_choice { RW_ROOFS_NONE, RW_ROOFS_POLYNOMIAL, RW_ROOFS_VOGLER } rw_roof_choice;

/* From the options: unset, it is there among buildings, in maps and among paths alike. */
rw_status rw_roof_choice_resolve(const rw_prediction *prediction, int by_default, rw_roof_choice *choice);

#endif
