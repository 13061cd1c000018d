/* Computes one part: the sites of a group on the cells of a block that they reach. */
#ifndef RW_NETWORK_SOLVE_CHUNK_H
#define RW_NETWORK_SOLVE_CHUNK_H

#include "network/open.h"

typedef struct rw_chunk_work {
    rw_network_call *call;
    const rw_scene *scene; /* at hand */
    rw_scene *loaded;      /* where it comes block by block: that of the block below */
    size_t loaded_block;   /* SIZE_MAX: none */
    rw_sums sums;          /* of the part at hand */
    rw_window cells;       /* of these, in the region */
    float *power;          /* of a window, where each site is asked for */
    size_t power_capacity;
    rw_transmitter *distinct; /* sites of one place that differ in height or frequency */
    size_t *distinct_of;      /* of each site of the place: its number among those */
    size_t distinct_capacity;
    uint8_t *skipped;                                     /* of each site: 1 where it is bad and has been told */
    double load_s, prepare_s, solve_s, reduce_s, write_s; /* as of rw_network_report */
} rw_chunk_work;

rw_status rw_chunk_work_create(rw_network_call *call, rw_chunk_work *work);
void rw_chunk_work_destroy(rw_chunk_work *work);

/* The mean height of roofs of a region whose scene comes block by block: one pass over all of it. */
rw_status rw_region_roof(const rw_network_call *call, double *mean_m);

/* Leaves the sums of the part in work->sums. */
rw_status rw_chunk_solve(rw_chunk_work *work, size_t number);

#endif
