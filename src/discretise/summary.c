#include "discretise/summary.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void rw_add_built(const rw_scene *scene, const double box_m[4], rw_built *built)
{
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        if (part->base_height_m > 0 || part->ring_count == 0)
            continue;
        const rw_vec2 *points = rw_ring_points(scene, part->first_ring);
        double x = points[0].x + scene->origin.x, y = points[0].y + scene->origin.y;
        if (!(x >= box_m[0] && x < box_m[2] && y >= box_m[1] && y < box_m[3]))
            continue;
        double area = fabs(rw_ring_area(points, rw_ring_size(scene, part->first_ring)));
        built->area_m2 += area;
        built->volume_m3 += area * part->roof_height_m;
    }
}

static rw_part_box find_part_box(const rw_scene *scene, const rw_part *part)
{
    rw_part_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    const rw_vec2 *points = rw_ring_points(scene, part->first_ring);
    for (size_t i = 0; part->ring_count && i < rw_ring_size(scene, part->first_ring); i++) {
        box.west = fmin(box.west, points[i].x);
        box.south = fmin(box.south, points[i].y);
        box.east = fmax(box.east, points[i].x);
        box.north = fmax(box.north, points[i].y);
    }
    return box;
}

static void summarise_part(const rw_scene *scene, size_t index, rw_scene_summary *summary)
{
    const rw_part *part = &scene->parts.items[index];
    const size_t *first = scene->ring_first.items + part->first_ring;
    size_t points = part->ring_count ? first[part->ring_count] - first[0] : 0;
    summary->max_points = points > summary->max_points ? points : summary->max_points;
    summary->lowest_roof_m = fmin(summary->lowest_roof_m, part->top_m);
    summary->has_decks |= part->base_height_m > 0;
    summary->boxes[index] = find_part_box(scene, part);
}

static rw_status summarise_corners(const rw_scene *scene, const rw_corner_list *corners, rw_scene_summary *summary)
{
    size_t groups = (corners->count + RW_CORNER_GROUP - 1) / RW_CORNER_GROUP;
    RW_TRY(rw_array_create(scene->context, groups, sizeof *summary->corner_boxes, "corners", &summary->corner_boxes));
    for (size_t i = 0; i < corners->count; i++) {
        const rw_corner *corner = &corners->items[i];
        rw_group_box *box = &summary->corner_boxes[i / RW_CORNER_GROUP];
        int first = i % RW_CORNER_GROUP == 0;
        box->west = first ? corner->x : fmin(box->west, corner->x);
        box->south = first ? corner->y : fmin(box->south, corner->y);
        box->east = first ? corner->x : fmax(box->east, corner->x);
        box->north = first ? corner->y : fmax(box->north, corner->y);
        summary->lowest_corner_m = fminf(summary->lowest_corner_m, corner->top);
    }
    return RW_OK;
}

static void summarise_ground(const rw_scene *scene, rw_scene_summary *summary)
{
    size_t posts = scene->terrain.values ? scene->terrain.columns * scene->terrain.rows : 0;
    for (size_t i = 0; i < posts; i++) {
        float ground_m = scene->terrain.values[i];
        summary->lowest_ground_m = i ? fminf(summary->lowest_ground_m, ground_m) : ground_m;
        summary->highest_ground_m = i ? fmaxf(summary->highest_ground_m, ground_m) : ground_m;
    }
}

rw_status rw_scene_summary_create(const rw_scene *scene, const rw_corner_list *corners, rw_scene_summary *summary)
{
    const double everywhere_m[4] = {-INFINITY, -INFINITY, INFINITY, INFINITY};
    rw_built built = {0};
    *summary = (rw_scene_summary){.lowest_roof_m = INFINITY, .lowest_corner_m = INFINITY};
    RW_TRY(rw_array_create(scene->context, scene->parts.count, sizeof *summary->boxes, "buildings", &summary->boxes));
    rw_add_built(scene, everywhere_m, &built);
    summary->area_m2 = built.area_m2;
    summary->volume_m3 = built.volume_m3;
    for (size_t i = 0; i < scene->parts.count; i++)
        summarise_part(scene, i, summary);
    summarise_ground(scene, summary);
    return summarise_corners(scene, corners, summary);
}

void rw_scene_summary_destroy(rw_scene_summary *summary)
{
    free(summary->boxes);
    free(summary->corner_boxes);
    *summary = (rw_scene_summary){0};
}
