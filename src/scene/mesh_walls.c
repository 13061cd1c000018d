/* Free-standing walls from meshes, for models that know no other bodies than buildings and walls: steep planes of
 * triangles that became no building.
 *
 * From triangles of one mesh and one plane that hang together along it to a wall over their plan, from their lowest to
 * their highest point. Of a plane that leans it stands in the middle. */
#include "scene/scene.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define STEEP_NORMAL_MAX 0.7 /* of the vertical part of a normal: 45 degrees and steeper are walls */
#define HEIGHT_MIN_M 0.3     /* lower ones stay as they are */
#define LENGTH_MIN_M 0.1     /* shorter ones too */
#define TOUCH_M 0.01         /* what is nearer hangs together */
#define NORMAL_STEPS 1e4     /* planes that differ by less than a step are one */
#define OFFSET_STEPS_M 100.0 /* the same, in steps of a metre */

/* A triangle by its plane, and its extent: along the plane's level direction, across it and in height. */
typedef struct steep_triangle {
    int64_t plane[4];
    size_t triangle;
    uint32_t mesh;
    rw_vec2 along;
    double low[3], high[3]; /* along, across, up */
} steep_triangle;

static int compare_planes(const steep_triangle *a, const steep_triangle *b)
{
    if (a->mesh != b->mesh)
        return a->mesh < b->mesh ? -1 : 1;
    for (int i = 0; i < 4; i++)
        if (a->plane[i] != b->plane[i])
            return a->plane[i] < b->plane[i] ? -1 : 1;
    return 0;
}

static int compare_triangles(const void *left, const void *right)
{
    const steep_triangle *a = left, *b = right;
    int planes = compare_planes(a, b);
    if (planes)
        return planes;
    if (a->low[0] != b->low[0])
        return a->low[0] < b->low[0] ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* 0 where the triangle is not steep. Both sides of a plane have one normal. */
static int describe_steep_triangle(const rw_scene *scene, size_t triangle, uint32_t mesh, steep_triangle *new_triangle)
{
    rw_vec3 corners[3];
    for (size_t i = 0; i < 3; i++)
        corners[i] = scene->vertices.items[scene->triangles.items[3 * triangle + i]];
    rw_vec3 normal = rw_vec3_cross(rw_vec3_sub(corners[1], corners[0]), rw_vec3_sub(corners[2], corners[0]));
    double length = rw_vec3_length(normal);
    if (!(length > 0) || fabs(normal.z) > STEEP_NORMAL_MAX * length)
        return 0;
    int turned = normal.x < 0 || (normal.x == 0 && normal.y < 0);
    normal = rw_vec3_scale(normal, (turned ? -1 : 1) / length);
    double level = hypot(normal.x, normal.y);
    rw_vec2 across = {normal.x / level, normal.y / level};
    *new_triangle = (steep_triangle){.triangle = triangle,
                                     .mesh = mesh,
                                     .along = {-across.y, across.x},
                                     .plane = {llround(normal.x * NORMAL_STEPS), llround(normal.y * NORMAL_STEPS),
                                               llround(normal.z * NORMAL_STEPS),
                                               llround(rw_vec3_dot(normal, corners[0]) * OFFSET_STEPS_M)},
                                     .low = {INFINITY, INFINITY, INFINITY},
                                     .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < 3; i++) {
        rw_vec2 plan = {corners[i].x, corners[i].y};
        double coordinates[3] = {rw_vec2_dot(plan, new_triangle->along), rw_vec2_dot(plan, across), corners[i].z};
        for (int axis = 0; axis < 3; axis++) {
            new_triangle->low[axis] = fmin(new_triangle->low[axis], coordinates[axis]);
            new_triangle->high[axis] = fmax(new_triangle->high[axis], coordinates[axis]);
        }
    }
    return 1;
}

static size_t list_steep(const rw_scene *scene, const uint8_t *converted, steep_triangle *list)
{
    size_t count = 0;
    for (size_t m = 0; m < scene->meshes.count; m++) {
        const rw_scene_mesh *mesh = &scene->meshes.items[m];
        for (size_t i = mesh->first_triangle; i < mesh->first_triangle + mesh->triangle_count; i++)
            count += !converted[i] && describe_steep_triangle(scene, i, (uint32_t)m, &list[count]);
    }
    return count;
}

/* The wall of some triangles, whose extent the first has now. */
static rw_status add_steep_wall(rw_scene *scene, const steep_triangle *triangles, size_t count, uint8_t *converted)
{
    const steep_triangle *all = &triangles[0];
    const rw_scene_mesh *mesh = &scene->meshes.items[all->mesh];
    if (all->high[2] - all->low[2] < HEIGHT_MIN_M || all->high[0] - all->low[0] < LENGTH_MIN_M)
        return RW_OK;
    double across = 0.5 * (all->low[1] + all->high[1]);
    rw_vec2 foot = {all->along.y * across + scene->origin.x, -all->along.x * across + scene->origin.y};
    rw_panel wall = {.size = sizeof wall,
                     .x0_m = foot.x + all->low[0] * all->along.x,
                     .y0_m = foot.y + all->low[0] * all->along.y,
                     .x1_m = foot.x + all->high[0] * all->along.x,
                     .y1_m = foot.y + all->high[0] * all->along.y,
                     .bottom_m = all->low[2],
                     .top_m = all->high[2],
                     .surface = scene->surfaces.items[mesh->surface],
                     .source = "mesh"};
    for (size_t i = 0; i < count; i++)
        converted[triangles[i].triangle] = 1;
    RW_TRY(rw_scene_note(scene, "steep planes of meshes that are no prisms taken as free-standing walls",
                         scene->surfaces.items[mesh->surface]));
    return rw_scene_add_panel(scene, &wall);
}

rw_status rw_scene_extract_mesh_walls(rw_scene *scene, uint8_t *converted)
{
    steep_triangle *list;
    RW_TRY(rw_array_create(scene->context, scene->triangles.count / 3, sizeof *list, "triangles", &list));
    size_t count = list_steep(scene, converted, list);
    rw_sort(list, count, sizeof *list, compare_triangles);
    rw_status status = RW_OK;
    for (size_t first = 0, next; first < count && status == RW_OK; first = next) {
        for (next = first + 1; next < count && compare_planes(&list[first], &list[next]) == 0 &&
                               list[next].low[0] <= list[first].high[0] + TOUCH_M;
             next++)
            for (int axis = 0; axis < 3; axis++) {
                list[first].low[axis] = fmin(list[first].low[axis], list[next].low[axis]);
                list[first].high[axis] = fmax(list[first].high[axis], list[next].high[axis]);
            }
        status = add_steep_wall(scene, list + first, next - first, converted);
    }
    free(list);
    return status;
}
