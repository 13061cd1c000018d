/* Between the two halves of the Mitsuba reader: the XML document (read_mitsuba.c) and the meshes that its shapes stand
 * for (mitsuba_shapes.c). */
#ifndef RW_SCENE_READERS_MESHES_MITSUBA_H
#define RW_SCENE_READERS_MESHES_MITSUBA_H

#include "scene/readers/meshes/mitsuba_transform.h"
#include "scene/scene.h"

typedef struct rw_mitsuba_shape {
    const char *type, *id, *filename; /* NULL where not given */
    const char *material_id;          /* of a reference to a bsdf; NULL for none */
    const char *surface;              /* of a bsdf inside the shape, or once the reference is resolved; "" for none */
    rw_affine to_world;
    size_t line;
} rw_mitsuba_shape;

/* Adds the shape to the scene of the file at path. Types without triangles of their own are noted and left out. */
rw_status rw_mitsuba_add_shape(rw_scene *scene, const char *path, const rw_mitsuba_shape *shape);

#endif
