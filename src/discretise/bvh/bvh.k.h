/* Bounding volume hierarchy over mesh triangles, as kernels see it. */
#ifndef RW_DISCRETISE_BVH_BVH_K_H
#define RW_DISCRETISE_BVH_BVH_K_H

#include "base/kernel/qualifiers.h"
#include <stddef.h>

/* Inner node (count 0): children first and first + 1. Leaf: triangles first to first + count - 1. */
typedef struct rw_bvh_node {
    float low[3], high[3];
    uint32_t first, count;
} rw_bvh_node;

/* Corners in the wall grid's frame. */
typedef struct rw_bvh_triangle {
    double a[3], b[3], c[3];
    uint32_t triangle; /* of the scene */
    uint32_t mesh;
} rw_bvh_triangle;

#endif
