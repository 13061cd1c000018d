/* Builds the quadtree of walls from the wall grid's exact walls. */
#ifndef RW_DISCRETISE_WALLS_WALL_QUADTREE_H
#define RW_DISCRETISE_WALLS_WALL_QUADTREE_H

#include "discretise/walls/wall_grid.h"
#include "discretise/walls/wall_quadtree.k.h"

typedef struct rw_wall_quadtree {
    rw_quadtree_node *nodes;
    rw_wall_entry *entries;
    size_t node_count, node_capacity, entry_count, entry_capacity;
} rw_wall_quadtree;

/* A node with more than a few walls is divided, as long as that parts them. */
rw_status rw_wall_quadtree_create(rw_context *context, const rw_wall_grid *grid, rw_wall_quadtree *tree);
void rw_wall_quadtree_destroy(rw_wall_quadtree *tree);

#endif
