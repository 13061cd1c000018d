/* Paths round street corners for a batch of sources: on the host, levels of kernels (street_paths.k.h). */
#ifndef RW_MODELS_SHADOW_STREETS_STREETS_H
#define RW_MODELS_SHADOW_STREETS_STREETS_H

#include "models/shadow/streets/street_paths.k.h"
#include "visibility/streets/corner_beams.h"
#include "visibility/streets/street_graph.h"

#define RW_STREET_ORDER_MAX 20

typedef struct rw_street {
    const rw_street_graph *graph;
    rw_street_graph *growing; /* the same, to learn what paths need; NULL: it has everything, as a database's */
    rw_corner_beams *beams;   /* where corners lie in the receiver plane: set by the caller; else NULL */
    int order;                /* most corners on a path */
    size_t batch;             /* most sources at a time */
    int drop;                 /* 1: dominated paths are taken out of the lists; set by the caller, as view.few */
    rw_street_view view;      /* its arrays, on the backend, belong to this struct */
    uint32_t *level_bounds;   /* on the backend: where each level's paths begin, level after level, one a source;
                               then the view's counts */
    uint32_t *host_bounds;    /* of two levels */
    uint32_t *host_list;      /* the view's wanted corners as far as they are known on the host, level by level */
    size_t host_count;
} rw_street;

/* growing is the graph again, or NULL where it has everything. best_count: how many of the best paths to each receiver
 * are asked for. */
rw_status rw_street_create(const rw_street_graph *graph, rw_street_graph *growing, int order, int best_count,
                           size_t batch, rw_street *street);
void rw_street_destroy(rw_street *street);

/* Finds the paths of the sources, which are on the backend; at most as many as the batch. With a graph that has
 * everything it does not wait for them. */
rw_status rw_street_run(rw_street *street, const rw_shadow_source *sources, size_t count);

/* Whether there was room for all paths; with a graph that grows there always is. Where not, room is made, and
 * everything is to be run again. */
rw_status rw_street_check(rw_street *street, int *enough);

#endif
