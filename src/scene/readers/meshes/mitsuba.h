/* Between the files of the Mitsuba reader: the XML document (read_mitsuba.c), its radio materials
 * (mitsuba_materials.c) and the meshes that its shapes stand for (mitsuba_shapes.c). */
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

/* What a bsdf says that matters to radio waves. */
typedef struct rw_mitsuba_material {
    const char *itu_type; /* NULL: constants */
    double permittivity, conductivity_s_per_m, scattering;
    double thickness_m; /* NaN: not told */
} rw_mitsuba_material;

/* A slab of an ITU material; its name is itu_TYPE, with scattering and thickness where that name stands for another. */
rw_status rw_mitsuba_add_itu(rw_scene *scene, const rw_mitsuba_material *material, const char **surface);

/* A slab, and a material, of that name by its constants. */
rw_status rw_mitsuba_add_own(rw_scene *scene, const rw_mitsuba_material *material, const char *name);

/* A surface that only names an ITU material becomes a slab of the usual thickness. */
rw_status rw_mitsuba_add_named(rw_scene *scene, const char *surface);

#endif
