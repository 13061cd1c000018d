/* Settling: from what was added to what predictions use; the first half of a commit. Outlines are repaired, heights put
 * on the terrain, the extent taken. */
#include "scene/scene.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double lowest_ground(const rw_scene *scene, const rw_part *part)
{
    double lowest = INFINITY;
    const rw_vec2 *points = rw_ring_points(scene, part->first_ring);
    for (size_t i = 0; i < rw_ring_size(scene, part->first_ring); i++)
        lowest = fmin(lowest, rw_scene_ground_m(scene, points[i]));
    return lowest;
}

static int by_building(const void *a, const void *b)
{
    const rw_part *const *first = a, *const *second = b;
    return (*first)->building < (*second)->building ? -1 : (*first)->building > (*second)->building;
}

/* All parts of a building stand on one ground: the lowest of what the parts say, so that stacked parts stay stacked. */
static rw_status place_on_ground(rw_scene *scene)
{
    size_t count = scene->parts.count;
    rw_part **parts;
    RW_TRY(rw_array_create(scene->context, count, sizeof *parts, "buildings", &parts));
    for (size_t i = 0; i < count; i++) {
        rw_part *part = parts[i] = &scene->parts.items[i];
        if (scene->flat)
            part->ground_m = 0;
        else if (isnan(part->ground_m))
            part->ground_m = lowest_ground(scene, part);
    }
    qsort(parts, count, sizeof *parts, by_building);
    for (size_t first = 0, next; first < count; first = next) {
        double ground = parts[first]->ground_m;
        for (next = first; next < count && parts[next]->building == parts[first]->building; next++)
            ground = fmin(ground, parts[next]->ground_m);
        for (size_t i = first; i < next; i++) {
            parts[i]->ground_m = ground;
            parts[i]->bottom_m = ground + parts[i]->base_height_m;
            parts[i]->top_m = ground + parts[i]->roof_height_m;
        }
    }
    free(parts);
    return RW_OK;
}

static void include(rw_scene *scene, double x, double y)
{
    scene->box_min = rw_vec2_make(fmin(scene->box_min.x, x), fmin(scene->box_min.y, y));
    scene->box_max = rw_vec2_make(fmax(scene->box_max.x, x), fmax(scene->box_max.y, y));
}

/* The extent of what stands in the scene; of the terrain where nothing does. */
static rw_status take_extent(rw_scene *scene)
{
    scene->box_min = rw_vec2_make(INFINITY, INFINITY);
    scene->box_max = rw_vec2_make(-INFINITY, -INFINITY);
    for (size_t i = 0; i < scene->points.count; i++)
        include(scene, scene->points.items[i].x, scene->points.items[i].y);
    for (size_t i = 0; i < scene->panels.count; i++) {
        include(scene, scene->panels.items[i].p0.x, scene->panels.items[i].p0.y);
        include(scene, scene->panels.items[i].p1.x, scene->panels.items[i].p1.y);
    }
    for (size_t i = 0; i < scene->vertices.count; i++)
        include(scene, scene->vertices.items[i].x, scene->vertices.items[i].y);
    const rw_raster *terrain = &scene->terrain;
    if (scene->box_min.x > scene->box_max.x && terrain->values) {
        include(scene, terrain->x0_m, terrain->y0_m);
        include(scene, terrain->x0_m + (double)(terrain->columns - 1) * terrain->dx_m,
                terrain->y0_m + (double)(terrain->rows - 1) * terrain->dy_m);
    }
    if (scene->box_min.x > scene->box_max.x)
        return rw_fail(scene->context, RW_BAD_INPUT, "the scene is empty: no building, wall, mesh or terrain");
    double width = scene->box_max.x - scene->box_min.x, depth = scene->box_max.y - scene->box_min.y;
    if (width > 1e6 || depth > 1e6)
        return rw_fail(scene->context, RW_BAD_INPUT,
                       "the scene is %.0f x %.0f km; one of up to 1000 km is possible: are its coordinates in metres?",
                       width / 1e3, depth / 1e3);
    return RW_OK;
}

rw_status rw_scene_settle(rw_scene *scene)
{
    RW_TRY(rw_scene_validate(scene));
    RW_TRY(place_on_ground(scene));
    return take_extent(scene);
}
