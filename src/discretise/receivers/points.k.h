/* Receivers anywhere in space and the tree over them, as kernels see them. */
#ifndef RW_DISCRETISE_RECEIVERS_POINTS_K_H
#define RW_DISCRETISE_RECEIVERS_POINTS_K_H

#include "base/maths/vector.h"
#include "discretise/bvh/bvh.k.h"

#define RW_POINT_STARTS 64 /* subtrees that are worth a work item of their own on a GPU */

typedef struct rw_points_view {
    const rw_vec3 *positions; /* in the order of the tree's leaves */
    const rw_bvh_node *nodes; /* leaves hold points */
    size_t count, node_count;
    uint32_t starts[RW_POINT_STARTS]; /* nodes whose subtrees are all points, each once */
    uint32_t start_count;
} rw_points_view;

#endif
