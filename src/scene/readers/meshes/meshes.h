/* The <transform> of a Mitsuba scene: translate, scale, rotate and matrix, one after the other. */
#ifndef RW_SCENE_READERS_MESHES_MESHES_H
#define RW_SCENE_READERS_MESHES_MESHES_H

#include "base/maths/vector.h"
#include "base/text/xml.h"
#include "scene/scene.h"
#include "scene/readers/readers.h"

/* Rows of the upper three of a 4 x 4 matrix; the last row is 0 0 0 1. */
typedef struct rw_affine {
    double rows[3][4];
} rw_affine;

rw_affine rw_affine_identity(void);
rw_vec3 rw_affine_apply(const rw_affine *transform, rw_vec3 point);

/* After the opening of a <transform>: reads to its closing. Each step is done after those before it. */
rw_status rw_mitsuba_read_transform(rw_xml *xml, rw_affine *transform);

/* Between the files of the Mitsuba reader: the XML document (read_mitsuba.c), its radio materials
 * (mitsuba_materials.c) and the meshes that its shapes stand for (mitsuba_shapes.c). */

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

/* OBJ meshes (Wavefront): corners and faces; normals, textures and curves are stepped over. z is up. */

/* The whole file as one list, without regard to its groups. The list is to be freed where the call succeeds. */
rw_status rw_obj_read(rw_context *context, const char *path, rw_triangle_list *list);

/* PLY meshes (Stanford polygon format): ASCII, binary little and big endian. */

/* The file's faces as triangles: polygons become fans, elements other than vertex and face are stepped over. The list
 * is to be freed where the call succeeds. */
rw_status rw_ply_read(rw_context *context, const char *path, rw_triangle_list *list);

#endif
