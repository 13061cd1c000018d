/* The plan outline of a set of faces that join along edges. */
#ifndef RW_SCENE_READERS_CITYJSON_FOOTPRINT_H
#define RW_SCENE_READERS_CITYJSON_FOOTPRINT_H

#include "base/context.h"
#include "base/maths/vector.h"

/* A directed edge of a face; the face lies to its left. */
typedef struct rw_face_edge {
    rw_vec2 from, to;
} rw_face_edge;

/* Closed rings, not closed by a repeated point. A counter-clockwise one is an outline, a clockwise one a hole. owner is
 * the outline a hole lies in (its ring number), and the ring itself for an outline. Rings that are neither an outline
 * of its own nor a hole in one (faces above other faces) have owner SIZE_MAX. */
typedef struct rw_footprint {
    rw_vec2 *points;
    size_t *ring_first; /* ring_count + 1 entries */
    size_t *owner;
    size_t ring_count;
} rw_footprint;

/* Edges that run both ways between two points vanish: they join two faces. The rest are chained into rings. edges is
 * sorted and changed. Faces that meet along an edge must have its end points in common. */
rw_status rw_footprint_trace(rw_context *context, rw_face_edge *edges, size_t count, rw_footprint *footprint);
void rw_footprint_free(rw_footprint *footprint);

#endif
