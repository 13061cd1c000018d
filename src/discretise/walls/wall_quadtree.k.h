/* A quadtree of walls as kernels see it: the clipping structure of Schmitz and others (2011), section 4.2.1. */
#ifndef RW_DISCRETISE_WALLS_WALL_QUADTREE_K_H
#define RW_DISCRETISE_WALLS_WALL_QUADTREE_K_H

#include "discretise/walls/wall_grid.k.h"

#define RW_QUADTREE_DEPTH 14
#define RW_QUADTREE_STACK (3 * RW_QUADTREE_DEPTH + 4) /* nodes on hand in a depth-first walk */

/* A square of the plan, in the wall grid's frame. */
typedef struct rw_quadtree_node {
    float west, south, side;
    float top;             /* nothing in it is higher */
    uint32_t children;     /* the first of four; 0: a leaf */
    uint32_t first, count; /* of a leaf: the walls that touch it, among the entries */
    uint32_t unused;
} rw_quadtree_node;

typedef struct rw_quadtree_view {
    const rw_quadtree_node *nodes; /* the root first; NULL: there is no tree */
    const rw_wall_entry *entries;
} rw_quadtree_view;

#endif
