/* One city object's geometry to its plan outline and height range. */
#ifndef RW_SCENE_READERS_CITYJSON_CITYJSON_SHAPE_H
#define RW_SCENE_READERS_CITYJSON_CITYJSON_SHAPE_H

#include "base/text/json.h"
#include "scene/readers/cityjson/footprint.h"

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
