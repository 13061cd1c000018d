/* Builds the bounding volume hierarchy over a scene's mesh triangles: median split by sorted Morton codes, n log n. */
#ifndef RW_DISCRETISE_BVH_BVH_H
#define RW_DISCRETISE_BVH_BVH_H

#include "discretise/bvh/bvh.k.h"
#include "scene/scene.h"

typedef struct rw_bvh {
    size_t node_count, triangle_count;
    rw_bvh_node *nodes;
    rw_bvh_triangle *triangles;
} rw_bvh;

/* Triangles of no area are left out. centre is that of the wall grid. */
rw_status rw_bvh_create(const rw_scene *scene, rw_vec2 centre, rw_bvh *bvh);
void rw_bvh_destroy(rw_bvh *bvh);

#endif
