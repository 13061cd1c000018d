/* From loose walls to outlines: segments that share end points are joined to rings. */
#ifndef RW_SCENE_READERS_COST231_JOIN_WALLS_H
#define RW_SCENE_READERS_COST231_JOIN_WALLS_H

#include "scene/scene.h"

typedef struct rw_segment {
    rw_vec2 from, to;
} rw_segment;

/* Rings over one set of segments. Corner i of a ring is where the segment of its corner i starts (or, for a segment
 * walked against its direction, ends); it runs to corner i + 1. */
typedef struct rw_wall_loops {
    RW_ARRAY(rw_vec2) corners;
    RW_ARRAY(size_t) segments; /* of each corner, into the input */
    RW_ARRAY(size_t) first;    /* first corner of each ring, and one more entry at the end */
    RW_ARRAY(int) closed;      /* of each ring: whether it came back to its first corner by itself */
} rw_wall_loops;

/* Joins the segments in their order where one starts at the end of the one before, and looks for any other that meets
 * the end where not, walked against its direction if need be. Every segment is in exactly one ring. An open chain gets
 * one corner more than it has segments, its last end; that corner's segment is its last one again. Time n log n. */
rw_status rw_join_walls(rw_context *context, const rw_segment *segments, size_t count, rw_wall_loops *chains);
void rw_wall_loops_free(rw_wall_loops *chains);

static inline size_t rw_wall_loop_count(const rw_wall_loops *chains)
{
    return chains->closed.count;
}

#endif
