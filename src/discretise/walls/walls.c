#include "discretise/walls/walls.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static void append_wall(rw_wall_list *list, rw_wall wall, uint32_t part, uint32_t surface)
{
    rw_vec2 along = rw_vec2_sub(wall.p1, wall.p0);
    double length = sqrt(rw_vec2_dot(along, along));
    size_t at = list->count++;
    list->walls[at] = wall;
    list->normals[at] = rw_vec2_of(along.y / length, -along.x / length);
    list->parts[at] = part;
    list->surfaces[at] = surface;
    list->longest_m = fmax(list->longest_m, length);
}

static void append_part(const rw_scene *scene, size_t part_index, rw_wall_list *list)
{
    const rw_part *part = &scene->parts.items[part_index];
    for (size_t r = 0; r < part->ring_count; r++) {
        const rw_vec2 *points = rw_ring_points(scene, part->first_ring + r);
        size_t count = rw_ring_size(scene, part->first_ring + r);
        for (size_t i = 0; i < count; i++) {
            rw_wall wall = {points[i], points[(i + 1) % count], part->bottom_m, part->top_m};
            append_wall(list, wall, (uint32_t)part_index, part->surface);
        }
    }
}

static size_t count_walls(const rw_scene *scene)
{
    size_t count = scene->panels.count;
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        for (size_t r = 0; r < part->ring_count; r++)
            count += rw_ring_size(scene, part->first_ring + r);
    }
    return count;
}

static rw_status allocate_wall_list(rw_context *context, size_t count, rw_wall_list *list)
{
    if (count > UINT32_MAX)
        return rw_fail(context, RW_TOO_LARGE, "%zu walls; up to 2^32 are possible", count);
    RW_TRY(rw_array_create(context, count, sizeof *list->walls, "the wall list", &list->walls));
    RW_TRY(rw_array_create(context, count, sizeof *list->normals, "the wall list", &list->normals));
    RW_TRY(rw_array_create(context, count, sizeof *list->parts, "the wall list", &list->parts));
    return rw_array_create(context, count, sizeof *list->surfaces, "the wall list", &list->surfaces);
}

rw_status rw_wall_list_create(const rw_scene *scene, rw_wall_list *list)
{
    *list = (rw_wall_list){0};
    rw_status status = allocate_wall_list(scene->context, count_walls(scene), list);
    if (status != RW_OK) {
        rw_wall_list_destroy(list);
        return status;
    }
    for (size_t i = 0; i < scene->parts.count; i++)
        append_part(scene, i, list);
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        rw_wall wall = {panel->p0, panel->p1, panel->bottom_m, panel->top_m};
        append_wall(list, wall, RW_NO_PART, panel->surface);
    }
    return RW_OK;
}

void rw_wall_list_destroy(rw_wall_list *list)
{
    free(list->walls);
    free(list->normals);
    free(list->parts);
    free(list->surfaces);
    *list = (rw_wall_list){0};
}
