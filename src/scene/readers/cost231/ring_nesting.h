/* Which ring lies in which: courtyards in outlines, buildings in courtyards. */
#ifndef RW_SCENE_READERS_COST231_RING_NESTING_H
#define RW_SCENE_READERS_COST231_RING_NESTING_H

#include "scene/scene.h"

#define RW_NO_RING ((size_t)-1)

typedef struct rw_ring_nesting {
    const rw_vec2 *points;
    size_t count;
    size_t parent; /* the smallest ring around this one, RW_NO_RING for none */
    size_t depth;  /* how many rings are around it */
    double area_m2;
    rw_vec2 box_min, box_max;
} rw_ring_nesting;

/* Fills parent, depth, area and box from the points. Rings may touch but should not cross; of rings with one outline,
 * none is inside another. Sweeps over x, so that a town costs little more than its rings. */
rw_status rw_nest_rings(rw_context *context, rw_ring_nesting *rings, size_t count);

/* A point in the interior of the ring, on none of its walls; 0 where it encloses no area. */
int rw_ring_inner_point(const rw_vec2 *points, size_t count, rw_vec2 *inner);

#endif
