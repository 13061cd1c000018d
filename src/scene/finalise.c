/* Settling: from what was added to what predictions use; the first half of a commit. Outlines are repaired, heights put
 * on the terrain, the extent taken. */
#include "scene/scene.h"

#include "base/memory.h"
#include "base/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The terrain is flat between the lines of its grid and the diagonals of its cells, so that along a side it is lowest
 * at an end or where the side crosses one of these: at whole numbers of a value that goes from one end to the other. */
static double lowest_at_crossings(const rw_scene *scene, rw_vec2 from, rw_vec2 to, double first, double last,
                                  double max_lines)
{
    double lowest = INFINITY, low = fmax(ceil(fmin(first, last)), -max_lines),
           high = fmin(floor(fmax(first, last)), max_lines);
    for (double line = low; line <= high && last != first; line++) {
        double fraction = (line - first) / (last - first);
        rw_vec2 at = rw_vec2_of(from.x + fraction * (to.x - from.x), from.y + fraction * (to.y - from.y));
        lowest = fmin(lowest, rw_scene_ground_m(scene, at));
    }
    return lowest;
}

static double lowest_on_side(const rw_scene *scene, rw_vec2 from, rw_vec2 to)
{
    const rw_raster *terrain = &scene->terrain;
    double lowest = rw_scene_ground_m(scene, from), max_lines = (double)(terrain->columns + terrain->rows);
    if (!terrain->values)
        return lowest;
    double u0 = (from.x - terrain->x0_m) / terrain->dx_m, u1 = (to.x - terrain->x0_m) / terrain->dx_m;
    double v0 = (from.y - terrain->y0_m) / terrain->dy_m, v1 = (to.y - terrain->y0_m) / terrain->dy_m;
    lowest = fmin(lowest, lowest_at_crossings(scene, from, to, u0, u1, max_lines));
    lowest = fmin(lowest, lowest_at_crossings(scene, from, to, v0, v1, max_lines));
    return fmin(lowest, lowest_at_crossings(scene, from, to, u0 - v0, u1 - v1, max_lines));
}

/* First and last post of a row or column between two places. */
static void posts_between(double low_m, double high_m, double origin_m, double step_m, size_t count, double posts[2])
{
    posts[0] = fmax(ceil((low_m - origin_m) / step_m), 0);
    posts[1] = fmin(floor((high_m - origin_m) / step_m), (double)count - 1);
}

static double lowest_post(const rw_scene *scene, const rw_part *part, rw_vec2 low, rw_vec2 high)
{
    const rw_raster *terrain = &scene->terrain;
    double lowest = INFINITY, columns[2], rows[2];
    if (!terrain->values)
        return lowest;
    posts_between(low.x, high.x, terrain->x0_m, terrain->dx_m, terrain->columns, columns);
    posts_between(low.y, high.y, terrain->y0_m, terrain->dy_m, terrain->rows, rows);
    for (double row = rows[0]; row <= rows[1]; row++)
        for (double column = columns[0]; column <= columns[1]; column++) {
            rw_vec2 at = rw_vec2_of(terrain->x0_m + column * terrain->dx_m, terrain->y0_m + row * terrain->dy_m);
            double height_m = (double)terrain->values[(size_t)row * terrain->columns + (size_t)column];
            if (height_m < lowest && rw_part_contains(scene, part, at))
                lowest = height_m;
        }
    return lowest;
}

/* The lowest ground under an outline: on its sides, or at a post inside it. */
static double lowest_ground(const rw_scene *scene, const rw_part *part)
{
    double lowest = INFINITY;
    rw_vec2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (size_t ring = part->first_ring; ring < part->first_ring + part->ring_count; ring++) {
        const rw_vec2 *points = rw_ring_points(scene, ring);
        size_t count = rw_ring_size(scene, ring);
        for (size_t i = 0; i < count; i++) {
            lowest = fmin(lowest, lowest_on_side(scene, points[i], points[(i + 1) % count]));
            low = rw_vec2_of(fmin(low.x, points[i].x), fmin(low.y, points[i].y));
            high = rw_vec2_of(fmax(high.x, points[i].x), fmax(high.y, points[i].y));
        }
    }
    return fmin(lowest, lowest_post(scene, part, low, high));
}

static int by_building(const void *a, const void *b)
{
    const rw_part *const *first = a, *const *second = b;
    return (*first)->building < (*second)->building ? -1 : (*first)->building > (*second)->building;
}

/* A roof that lies below the terrain is taken to be this high: the outline is of the ground. */
#define ROOF_MIN_M 3.0

/* From a roof's altitude to its height. */
static rw_status find_roof_height(rw_scene *scene, rw_part *part)
{
    const char *source = scene->part_sources.items[part - scene->parts.items];
    double height_m = part->roof_height_m - part->ground_m;
    part->roof_is_altitude = 0;
    part->roof_height_m = fmax(height_m, part->base_height_m + ROOF_MIN_M);
    if (height_m < part->roof_height_m)
        return rw_scene_note(scene, "outlines whose z is not above the ground given a height of 3 m", source);
    if (height_m > RW_BUILDING_HEIGHT_MAX_M)
        return rw_fail(
            scene->context, RW_BAD_INPUT,
            "%s: its roof at %g m is %g m above the ground, higher than any building; give the terrain under "
            "it, or its height",
            source, part->ground_m + height_m, height_m);
    return scene->terrain.values
               ? RW_OK
               : rw_scene_note(scene, "heights by z of outlines, above 0 for want of a terrain", source);
}

/* All parts of a building stand on one ground: the lowest of what the parts say, so that stacked parts stay stacked. */
static rw_status set_building_grounds(rw_scene *scene)
{
    size_t count = scene->parts.count;
    rw_part **parts;
    RW_TRY(rw_array_create(scene->context, count, sizeof *parts, "buildings", &parts));
    for (size_t i = 0; i < count; i++) {
        rw_part *part = parts[i] = &scene->parts.items[i];
        /* a roof's altitude was already turned into a height above 0 */
        part->ground_is_assumed =
            isnan(part->ground_m) && !scene->terrain.values && !scene->flat && !part->roof_is_altitude;
        if (scene->flat)
            part->ground_m = 0;
        else if (isnan(part->ground_m))
            part->ground_m = lowest_ground(scene, part);
    }
    qsort(parts, count, sizeof *parts, by_building);
    rw_status status = RW_OK;
    for (size_t first = 0, next; first < count; first = next) {
        double ground = parts[first]->ground_m;
        int is_assumed = 1;
        for (next = first; next < count && parts[next]->building == parts[first]->building; next++) {
            ground = fmin(ground, parts[next]->ground_m);
            is_assumed &= parts[next]->ground_is_assumed;
        }
        for (size_t i = first; i < next; i++) {
            parts[i]->ground_m = ground;
            parts[i]->ground_is_assumed = is_assumed;
            if (parts[i]->roof_is_altitude && status == RW_OK)
                status = find_roof_height(scene, parts[i]);
            parts[i]->bottom_m = ground + parts[i]->base_height_m;
            parts[i]->top_m = ground + parts[i]->roof_height_m;
        }
    }
    free(parts);
    return status;
}

static void include_point(rw_scene *scene, double x, double y)
{
    scene->box_min = rw_vec2_of(fmin(scene->box_min.x, x), fmin(scene->box_min.y, y));
    scene->box_max = rw_vec2_of(fmax(scene->box_max.x, x), fmax(scene->box_max.y, y));
}

/* The extent of what stands in the scene; of the terrain where nothing does, or of the part of a file that was read. */
rw_status rw_scene_find_extent(rw_scene *scene)
{
    scene->box_min = rw_vec2_of(INFINITY, INFINITY);
    scene->box_max = rw_vec2_of(-INFINITY, -INFINITY);
    for (size_t i = 0; i < scene->points.count; i++)
        include_point(scene, scene->points.items[i].x, scene->points.items[i].y);
    for (size_t i = 0; i < scene->panels.count; i++) {
        include_point(scene, scene->panels.items[i].p0.x, scene->panels.items[i].p0.y);
        include_point(scene, scene->panels.items[i].p1.x, scene->panels.items[i].p1.y);
    }
    for (size_t i = 0; i < scene->vertices.count; i++)
        include_point(scene, scene->vertices.items[i].x, scene->vertices.items[i].y);
    const rw_raster *terrain = &scene->terrain;
    if (scene->box_min.x > scene->box_max.x && terrain->values) {
        include_point(scene, terrain->x0_m, terrain->y0_m);
        include_point(scene, terrain->x0_m + (double)(terrain->columns - 1) * terrain->dx_m,
                      terrain->y0_m + (double)(terrain->rows - 1) * terrain->dy_m);
    }
    const double *requested_m = scene->read_area_m;
    if (scene->box_min.x > scene->box_max.x && requested_m[0] < requested_m[2]) {
        include_point(scene, requested_m[0] - scene->origin.x, requested_m[1] - scene->origin.y);
        include_point(scene, requested_m[2] - scene->origin.x, requested_m[3] - scene->origin.y);
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

rw_status rw_scene_finalise(rw_scene *scene)
{
    RW_TRY(rw_scene_validate(scene));
    RW_TRY(set_building_grounds(scene));
    RW_TRY(rw_scene_find_extent(scene));
    return rw_scene_find_floor(scene);
}

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
