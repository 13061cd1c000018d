/* The walls of a scene by their constructions, ready for wall_slabs.k.h on a backend. */
#ifndef RW_MECHANISMS_WALL_WALL_SLABS_H
#define RW_MECHANISMS_WALL_WALL_SLABS_H

#include "mechanisms/prediction.h"
#include "visibility/los/los.h"
#include "mechanisms/wall/wall_slabs.k.h"

typedef struct rw_slab_job {
    const rw_prediction *prediction;
    rw_backend backend;
    rw_wall_slabs view, host; /* the same on the backend and on the host; frequency_of is of all transmitters */
    float *walls_db;          /* on the backend, of a batch of transmitters, one a cell */
    void *copies[5];          /* what view points to */
    uint32_t *host_meshes, *host_frequencies;
    rw_wall_loss *host_tables;
    float *host_min_db;
    double *freqs_hz; /* of each table, as many as there are */
    size_t freq_count;
} rw_slab_job;

/* Takes memory for a batch of transmitters; the tables follow. */
rw_status rw_slab_job_create(const rw_prediction *prediction, size_t batch, rw_slab_job *job);
void rw_slab_job_destroy(rw_slab_job *job);

/* Tables for the frequencies of the prediction's transmitters; those that are there stay. */
rw_status rw_slab_job_begin(rw_slab_job *job);

/* Fills walls_db for the transmitters of arrays, of which the first is number first of the prediction. Walls are
 * counted already; those that cost more than counted_above_db in any case are not looked at. */
rw_status rw_slab_job_run(const rw_slab_job *job, const rw_los_arrays *arrays, size_t first, float counted_above_db);

#endif
