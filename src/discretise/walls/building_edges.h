/* Edges at which waves bend: vertical ones at convex corners of buildings, those of flat roofs, and ridges of the
 * ground. */
#ifndef RW_DISCRETISE_WALLS_BUILDING_EDGES_H
#define RW_DISCRETISE_WALLS_BUILDING_EDGES_H

#include "discretise/prepared.h"

/* In the frame of the wall grid. The 0-face is told by a direction in it away from the edge and its outward normal; the
 * other face follows at the exterior angle. edge = zero_along x zero_normal. */
typedef struct rw_building_edge {
    rw_vec3 from, to;
    rw_vec3 edge, zero_along, zero_normal;
    double exterior_over_pi;
    uint32_t part; /* RW_NO_PART: the ground */
    int upright;
} rw_building_edge;

/* The parts of edges that no other building covers. Free with free(). */
rw_status rw_building_edges_find(const rw_scene *scene, rw_building_edge **edges, size_t *count);

/* ground_edges.c: appends the lines where the terrain's triangles fold upwards by a degree or more; none on flat
 * ground.
 */
rw_status rw_ground_edges_add(const rw_scene *scene, rw_building_edge **edges, size_t *count);

#endif
