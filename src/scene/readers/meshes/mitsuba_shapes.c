/* Shapes of Mitsuba scenes to meshes: files (ply, obj) and the two primitives that are made of planes (rectangle,
 * cube). */
#include "scene/readers/meshes/meshes.h"

#include "base/path.h"
#include "base/range.h"

#include <stdio.h>
#include <string.h>

/* Mitsuba's rectangle and cube reach from -1 to 1 on each axis. */
static rw_status make_rectangle(rw_context *context, rw_triangle_list *list)
{
    for (int i = 0; i < 4; i++)
        RW_TRY(rw_triangle_list_add_vertex(context, list, rw_vec3_of(i & 1 ? 1 : -1, i & 2 ? 1 : -1, 0)));
    RW_TRY(rw_triangle_list_add(context, list, 0, 1, 3));
    return rw_triangle_list_add(context, list, 0, 3, 2);
}

static rw_status make_cube(rw_context *context, rw_triangle_list *list)
{
    static const uint8_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 8; i++)
        RW_TRY(rw_triangle_list_add_vertex(context, list, rw_vec3_of(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    for (int i = 0; i < 6; i++) {
        RW_TRY(rw_triangle_list_add(context, list, sides[i][0], sides[i][1], sides[i][2]));
        RW_TRY(rw_triangle_list_add(context, list, sides[i][0], sides[i][2], sides[i][3]));
    }
    return RW_OK;
}

static rw_status read_shape_file(rw_scene *scene, const char *path, const rw_mitsuba_shape *shape,
                                 rw_triangle_list *list)
{
    char file[RW_PATH_MAX];
    if (!shape->filename)
        return rw_fail(scene->context, RW_BAD_INPUT,
                       "%s, line %zu: a shape of type %s has no <string name=\"filename\">", path, shape->line,
                       shape->type);
    RW_TRY(rw_path_next_to(scene->context, path, shape->filename, file));
    if (!rw_path_is_regular_file(file))
        return rw_fail(scene->context, RW_NOT_FOUND, "%s, line %zu: there is no file %.400s", path, shape->line, file);
    return strcmp(shape->type, "ply") == 0 ? rw_ply_read(scene->context, file, list)
                                           : rw_obj_read(scene->context, file, list);
}

static rw_status transform_shape_vertices(rw_scene *scene, const char *path, const rw_mitsuba_shape *shape,
                                          rw_triangle_list *list)
{
    for (size_t i = 0; i < list->vertices.count; i++) {
        rw_vec3 moved = rw_affine_apply(&shape->to_world, list->vertices.items[i]);
        if (!rw_is_coordinate(moved.x) || !rw_is_coordinate(moved.y) || !rw_is_coordinate(moved.z))
            return rw_fail(scene->context, RW_BAD_INPUT,
                           "%s, line %zu: to_world takes a vertex of the shape out of bounds", path, shape->line);
        list->vertices.items[i] = moved;
    }
    return RW_OK;
}

static rw_status make_triangles(rw_scene *scene, const char *path, const rw_mitsuba_shape *shape,
                                rw_triangle_list *list)
{
    if (strcmp(shape->type, "rectangle") == 0)
        return make_rectangle(scene->context, list);
    if (strcmp(shape->type, "cube") == 0)
        return make_cube(scene->context, list);
    return read_shape_file(scene, path, shape, list);
}

static int shape_is_supported(const char *type)
{
    static const char *const types[] = {"ply", "obj", "rectangle", "cube"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i], type) == 0)
            return 1;
    return 0;
}

rw_status rw_mitsuba_add_shape(rw_scene *scene, const char *path, const rw_mitsuba_shape *shape)
{
    char source[RW_MESSAGE_MAX];
    snprintf(source, sizeof source, "%s, line %zu: %.60s", path, shape->line, shape->type);
    if (!shape_is_supported(shape->type))
        return rw_scene_note(scene, "Mitsuba shapes other than ply, obj, rectangle and cube left out", source);
    rw_triangle_list list = {0};
    rw_status status = make_triangles(scene, path, shape, &list);
    if (status == RW_OK)
        status = transform_shape_vertices(scene, path, shape, &list);
    if (status == RW_OK && list.corners.count == 0)
        status = rw_scene_note(scene, "meshes without faces left out", source);
    else if (status == RW_OK)
        status = rw_scene_add_triangles(scene, &list, shape->id ? shape->id : shape->type,
                                        shape->surface[0] ? shape->surface : NULL, source);
    rw_triangle_list_free(&list);
    return status;
}
