/* The floor that meshes bring with them, and whether a model lays level ground under a scene.
 *
 * Scenes of meshes often have a plane as their ground. A second one at altitude 0, on it or a little above it, would
 * reflect and block as well, so that every ray by the ground would be there twice or not at all. */
#include "scene/scene.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define LEVEL_NORMAL_MIN 0.999 /* vertical component of the normal of what is level */
#define SAME_LEVEL_M 0.01      /* triangles of one floor */
#define LOWEST_M 1.0           /* a floor is not higher over the lowest point of the scene */
#define FLOOR_FRACTION_MIN 0.5 /* of the scene's extent that a floor covers */
#define BELOW_GROUND_M 0.5     /* meshes that reach deeper stand in no ground at altitude 0 */

typedef struct level_triangle {
    double z_m, area_m2;
} level_triangle;

static int by_altitude(const void *a, const void *b)
{
    const level_triangle *first = a, *second = b;
    return first->z_m < second->z_m ? -1 : first->z_m > second->z_m;
}

static double lowest_m(const rw_scene *scene)
{
    double lowest = INFINITY;
    for (size_t i = 0; i < scene->vertices.count; i++)
        lowest = fmin(lowest, scene->vertices.items[i].z);
    for (size_t i = 0; i < scene->parts.count; i++)
        lowest = fmin(lowest, scene->parts.items[i].bottom_m);
    for (size_t i = 0; i < scene->panels.count; i++)
        lowest = fmin(lowest, scene->panels.items[i].bottom_m);
    return lowest;
}

static size_t list_level(const rw_scene *scene, double highest_m, level_triangle *list)
{
    size_t count = 0;
    for (size_t i = 0; i + 2 < scene->triangles.count; i += 3) {
        const uint32_t *corner = scene->triangles.items + i;
        rw_vec3 a = scene->vertices.items[corner[0]];
        rw_vec3 normal = rw_vec3_cross(rw_vec3_sub(scene->vertices.items[corner[1]], a),
                                       rw_vec3_sub(scene->vertices.items[corner[2]], a));
        double twice_m2 = rw_vec3_length(normal);
        if (a.z <= highest_m && twice_m2 > 0 && fabs(normal.z) > LEVEL_NORMAL_MIN * twice_m2)
            list[count++] = (level_triangle){a.z, 0.5 * twice_m2};
    }
    return count;
}

rw_status rw_scene_find_floor(rw_scene *scene)
{
    size_t max_count = scene->triangles.count / 3;
    level_triangle *list;
    scene->has_floor = 0;
    if (max_count == 0)
        return RW_OK;
    RW_TRY(rw_array_create(scene->context, max_count, sizeof *list, "triangles", &list));
    size_t count = list_level(scene, lowest_m(scene) + LOWEST_M, list);
    qsort(list, count, sizeof *list, by_altitude);
    double area_m2 = 0, largest_m2 = 0;
    for (size_t first = 0, next = 0; next < count; next++) {
        area_m2 += list[next].area_m2;
        for (; list[next].z_m - list[first].z_m > SAME_LEVEL_M; first++)
            area_m2 -= list[first].area_m2;
        if (area_m2 > largest_m2) {
            largest_m2 = area_m2;
            scene->floor_m = list[first].z_m;
        }
    }
    free(list);
    double extent_m2 = (scene->box_max.x - scene->box_min.x) * (scene->box_max.y - scene->box_min.y);
    scene->has_floor = largest_m2 > 0 && largest_m2 >= FLOOR_FRACTION_MIN * extent_m2;
    return RW_OK;
}

int rw_scene_lays_ground(const rw_scene *scene)
{
    if (scene->no_ground)
        return 0;
    if (scene->terrain.values || rw_scene_find_slab(scene, "ground") || rw_scene_find_material(scene, "ground"))
        return 1;
    int meshes_alone = scene->meshes.count > 0 && scene->parts.count == 0 && scene->panels.count == 0;
    return !scene->has_floor && !(meshes_alone && lowest_m(scene) < -BELOW_GROUND_M);
}
