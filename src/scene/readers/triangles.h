/* Triangles on their way from a mesh file to the scene. */
#ifndef RW_SCENE_READERS_TRIANGLES_H
#define RW_SCENE_READERS_TRIANGLES_H

#include "scene/scene.h"

typedef struct rw_triangle_list {
    RW_ARRAY(rw_vec3) vertices;
    RW_ARRAY(uint32_t) corners; /* three vertices a triangle */
    size_t short_faces;         /* faces left out because they had fewer than three corners */
} rw_triangle_list;

void rw_triangle_list_free(rw_triangle_list *list);

rw_status rw_triangle_list_add_vertex(rw_context *context, rw_triangle_list *list, rw_vec3 vertex);
rw_status rw_triangle_list_add(rw_context *context, rw_triangle_list *list, uint32_t a, uint32_t b, uint32_t c);

/* Adds the list to the scene as one mesh; source names the file in notes. */
rw_status rw_scene_add_triangles(rw_scene *scene, const rw_triangle_list *list, const char *name, const char *surface,
                                 const char *source);

/* The surface that a material's name in a mesh file stands for: without the "mat-" of Blender's exporter, and "itu-" as
 * "itu_". The scene keeps the text. */
rw_status rw_surface_from_material(rw_scene *scene, const char *material, const char **surface);

#endif
