/* The reader of COST 231 files: walls, rings of walls, and buildings of rings. */
#ifndef RW_SCENE_READERS_COST231_COST231_H
#define RW_SCENE_READERS_COST231_COST231_H

#include "scene/scene.h"
#include "scene/readers/readers.h"

/* From loose walls to outlines: segments that share end points are joined to rings. */

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

/* Which ring lies in which: courtyards in outlines, buildings in courtyards. */

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

/* Between the two halves of the COST 231 reader: the file's walls (read_cost231.c) and the buildings that they enclose
 * (cost231_buildings.c). */

typedef struct rw_cost231_wall {
    rw_segment segment;
    double roof_height_m, ground_m;
    uint32_t building;
    size_t line;
} rw_cost231_wall;

typedef struct rw_cost231_reader {
    rw_scene *scene;
    const char *path;
    int flat; /* ground altitudes are not wanted */
    RW_ARRAY(rw_cost231_wall) walls;
    rw_ground_samples grounds; /* one for each outline */
} rw_cost231_reader;

/* Adds what count walls of one building enclose to the scene. Walls that enclose nothing stay as free-standing walls,
 * and every repair is noted. */
rw_status rw_cost231_add_building(rw_cost231_reader *reader, const rw_cost231_wall *walls, size_t count);

#endif
