#include "scene/readers/readers.h"

#include "base/memory.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

void rw_triangle_list_free(rw_triangle_list *list)
{
    free(list->vertices.items);
    free(list->corners.items);
    *list = (rw_triangle_list){0};
}

rw_status rw_triangle_list_add_vertex(rw_context *context, rw_triangle_list *list, rw_vec3 vertex)
{
    RW_TRY(RW_ARRAY_RESERVE(context, list->vertices, 1, "mesh vertices"));
    list->vertices.items[list->vertices.count++] = vertex;
    return RW_OK;
}

rw_status rw_triangle_list_add(rw_context *context, rw_triangle_list *list, uint32_t a, uint32_t b, uint32_t c)
{
    RW_TRY(RW_ARRAY_RESERVE(context, list->corners, 3, "mesh triangles"));
    list->corners.items[list->corners.count++] = a;
    list->corners.items[list->corners.count++] = b;
    list->corners.items[list->corners.count++] = c;
    return RW_OK;
}

rw_status rw_scene_add_triangles(rw_scene *scene, const rw_triangle_list *list, const char *name, const char *surface,
                                 const char *source)
{
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = name && *name ? name : "mesh",
                    .xyz = (const double *)list->vertices.items, /* rw_vec3 is three doubles */
                    .vertex_count = list->vertices.count,
                    .triangles = list->corners.items,
                    .triangle_count = list->corners.count / 3,
                    .surface = surface};
    for (size_t i = 0; i < list->short_faces; i++)
        RW_TRY(rw_scene_note(scene, "faces with fewer than three corners left out", rw_path_name(source)));
    return rw_scene_add_mesh(scene, &mesh);
}

rw_status rw_surface_from_material(rw_scene *scene, const char *material, const char **surface)
{
    char *name;
    if (strncmp(material, "mat-", 4) == 0)
        material += 4;
    RW_TRY(rw_array_create(scene->context, strlen(material) + 1, 1, "names", &name));
    strcpy(name, material);
    if (strncmp(name, "itu-", 4) == 0)
        name[3] = '_';
    rw_status status = rw_scene_store_string(scene, name, surface);
    free(name);
    return status;
}
