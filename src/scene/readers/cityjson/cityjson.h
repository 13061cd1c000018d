/* The plan outline of a set of faces that join along edges. */
#ifndef RW_SCENE_READERS_CITYJSON_CITYJSON_H
#define RW_SCENE_READERS_CITYJSON_CITYJSON_H

#include "base/context.h"
#include "base/maths/vector.h"
#include "base/text/json.h"

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

/* One city object's geometry to its plan outline and height range. */

typedef struct rw_cityjson_vertices {
    double *xy; /* pairs, world coordinates */
    double *z;
    size_t count;
} rw_cityjson_vertices;

typedef enum rw_outline_origin {
    RW_OUTLINE_NONE,
    RW_OUTLINE_GROUND, /* its ground surfaces */
    RW_OUTLINE_LOWEST, /* the lowest faces that lie near flat */
    RW_OUTLINE_ROOF    /* its roof from above */
} rw_outline_origin;

typedef struct rw_cityjson_shape {
    rw_outline_origin origin;
    rw_footprint footprint;
    double z_min_m, z_max_m; /* of all faces */
} rw_cityjson_shape;

/* geometry is one of the object's geometries; where names file and object for errors. The shape has no outline (origin
 * RW_OUTLINE_NONE) where its faces give none. Free its footprint. */
rw_status rw_cityjson_shape_build(rw_context *context, const rw_json *json, const rw_json_value *geometry,
                                  const rw_cityjson_vertices *vertices, const char *where, rw_cityjson_shape *shape);

#endif
