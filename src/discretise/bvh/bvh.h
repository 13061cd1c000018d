/* Builds the bounding volume hierarchy over a scene's mesh triangles: median split by sorted Morton codes, n log n. */
#ifndef RW_DISCRETISE_BVH_BVH_H
#define RW_DISCRETISE_BVH_BVH_H

#include "discretise/bvh/bvh.k.h"
#include "scene/scene.h"
#include "base/context.h"
#include "base/maths/vector.h"

typedef struct rw_bvh {
    size_t node_count, triangle_count;
    rw_bvh_node *nodes;
    rw_bvh_triangle *triangles;
} rw_bvh;

/* Triangles of no area are left out. centre is that of the wall grid. */
rw_status rw_bvh_create(const rw_scene *scene, rw_vec2 centre, rw_bvh *bvh);
void rw_bvh_destroy(rw_bvh *bvh);

/* The tree over boxes that triangles, surfaces and receivers share: halves a list of boxes until few are left, in
 * n log^2 n. The order is total, so the same boxes give the same tree on every machine. */

typedef enum rw_box_split {
    RW_SPLIT_ALONG_CURVE, /* sorted once along a space-filling curve (Morton order): fastest to build */
    RW_SPLIT_MIDDLES,     /* at the median along the axis on which the middles are spread most */
    RW_SPLIT_EXTENT,      /* at the median along the longest side of the node's box */
    RW_SPLIT_AREA,        /* where the areas of both boxes, each times its items, are least: fewest boxes are entered */
} rw_box_split;

/* Any of the three arrays may be the same one: points are their own box. */
typedef struct rw_boxes {
    size_t count;
    const rw_vec3 *low, *high;
    const rw_vec3 *middles;    /* where each is sorted; any scale, the same for all */
    const uint32_t *tie_break; /* decides between equal middles; NULL: the index */
    rw_box_split split;
    uint32_t leaf_size;
    const char *what; /* for the message where memory runs out */
} rw_boxes;

/* Arrays for boxes that their owner computes, and for the order of the leaves. */
typedef struct rw_box_arrays {
    rw_vec3 *low, *high, *middles;
    uint32_t *order;
} rw_box_arrays;

rw_status rw_box_arrays_create(rw_context *context, size_t count, const char *what, rw_box_arrays *arrays);
void rw_box_arrays_destroy(rw_box_arrays *arrays);

/* order[i]: which box stands at place i of the leaves; count of them. nodes: room for 2 count + 1. */
rw_status rw_bvh_build_nodes(rw_context *context, const rw_boxes *boxes, uint32_t *order, rw_bvh_node *nodes,
                             size_t *node_count);

#endif
