/* Validation and repair of outlines, part by part: repeated points, spikes and rings of no area, orientation,
 * duplicates.
 *
 * Nothing goes silently: every repair and every omission is a note with its count and its first case. Crossings and
 * overlaps between walls need a spatial index and are looked for in discretise/walls/overlaps.c. */
#include "scene/scene.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Walls shorter than this are artefacts of rounding in the source. */
static const double shortest_wall_m = 1e-4;

static int are_near(rw_vec2 a, rw_vec2 b)
{
    return fabs(a.x - b.x) < shortest_wall_m && fabs(a.y - b.y) < shortest_wall_m;
}

/* Whether the outline goes from a to b and straight back: a wall of no thickness. */
static int is_spike(rw_vec2 a, rw_vec2 b, rw_vec2 c)
{
    rw_vec2 forth = rw_vec2_sub(b, a), back = rw_vec2_sub(c, b);
    double longer_m = sqrt(fmax(rw_vec2_dot(forth, forth), rw_vec2_dot(back, back)));
    return rw_vec2_dot(forth, back) < 0 && fabs(rw_vec2_cross(forth, back)) < shortest_wall_m * longer_m;
}

typedef struct repair_counts {
    size_t repeated, spikes;
} repair_counts;

/* Repeated points and spikes where the ring's end meets its start: shortens the ring from both ends. Returns its first
 * point. */
static size_t clean_seam(const rw_vec2 *points, size_t *count, repair_counts *counts)
{
    size_t first = 0, end = *count;
    for (; end - first >= 3;) {
        if (are_near(points[first], points[end - 1])) {
            counts->repeated++;
            end--;
        } else if (is_spike(points[end - 2], points[end - 1], points[first])) {
            counts->spikes++;
            end--;
        } else if (is_spike(points[end - 1], points[first], points[first + 1])) {
            counts->spikes++;
            first++;
        } else {
            break;
        }
    }
    *count = end - first;
    return first;
}

/* Removes repeated points and spikes in place, in linear time: the points kept so far are a stack, and removing the tip
 * of a spike looks at the one below again. Returns the points left. */
static size_t clean_ring(rw_vec2 *points, size_t count, repair_counts *counts)
{
    size_t remaining = 0;
    for (size_t i = 0; i < count; i++) {
        while (remaining >= 2 && !are_near(points[i], points[remaining - 1]) &&
               is_spike(points[remaining - 2], points[remaining - 1], points[i])) {
            counts->spikes++;
            remaining--;
        }
        if (remaining && are_near(points[i], points[remaining - 1]))
            counts->repeated++;
        else
            points[remaining++] = points[i];
    }
    size_t first = clean_seam(points, &remaining, counts);
    memmove(points, points + first, remaining * sizeof *points);
    return remaining;
}

static void reverse_ring(rw_vec2 *points, size_t count)
{
    for (size_t i = 0, j = count - 1; i < j; i++, j--) {
        rw_vec2 swapped = points[i];
        points[i] = points[j];
        points[j] = swapped;
    }
}

/* Rewrites the rings of one part behind the write positions; returns how many rings stay. Outer rings run
 * counter-clockwise, holes clockwise, so that the outward normal is always to the right. */
static rw_status repair_rings(rw_scene *scene, rw_part *part, const char *source, size_t *ring_at, size_t *point_at)
{
    size_t first_ring = *ring_at;
    repair_counts counts = {0, 0};
    for (size_t i = 0; i < part->ring_count; i++) {
        size_t ring = part->first_ring + i, count = rw_ring_size(scene, ring);
        rw_vec2 *points = scene->points.items + scene->ring_first.items[ring];
        repair_counts own = {0, 0};
        count = clean_ring(points, count, &own);
        double area = count < 3 ? 0 : rw_ring_area(points, count);
        if (!(fabs(area) > 1e-4)) {
            RW_TRY(rw_scene_note(scene, i ? "holes of no area left out" : "buildings of no area left out", source));
            if (i == 0)
                break;
            continue;
        }
        counts.repeated += own.repeated;
        counts.spikes += own.spikes;
        if ((area > 0) != (i == 0))
            reverse_ring(points, count);
        memmove(scene->points.items + *point_at, points, count * sizeof *points);
        scene->ring_first.items[*ring_at] = *point_at;
        *point_at += count;
        ++*ring_at;
    }
    part->ring_count = *ring_at - first_ring;
    part->first_ring = first_ring;
    if (counts.repeated)
        RW_TRY(rw_scene_note(scene, "buildings with walls of no length, walls removed", source));
    if (counts.spikes)
        RW_TRY(rw_scene_note(scene, "buildings with spikes, spikes removed", source));
    return RW_OK;
}

static rw_status repair_parts(rw_scene *scene)
{
    size_t ring_at = 0, point_at = 0, part_at = 0;
    for (size_t i = 0; i < scene->parts.count; i++) {
        rw_part part = scene->parts.items[i];
        char *source = scene->part_sources.items[i];
        rw_status status = repair_rings(scene, &part, source, &ring_at, &point_at);
        if (status == RW_OK && part.ring_count == 0) {
            free(source);
            scene->part_sources.items[i] = NULL;
            continue;
        }
        scene->part_sources.items[i] = NULL;
        scene->parts.items[part_at] = part;
        scene->part_sources.items[part_at++] = source;
        RW_TRY(status);
    }
    scene->parts.count = scene->part_sources.count = part_at;
    if (scene->ring_first.count)
        scene->ring_first.items[ring_at] = point_at;
    scene->ring_first.count = scene->ring_first.count ? ring_at + 1 : 0;
    scene->points.count = point_at;
    return RW_OK;
}

static uint64_t mix_hash_pair(double first, double second)
{
    uint64_t x, y;
    memcpy(&x, &first, sizeof x);
    memcpy(&y, &second, sizeof y);
    uint64_t mixed = (x ^ (y << 21 | y >> 43)) * 0x9e3779b97f4a7c15u;
    return mixed ^ mixed >> 29;
}

/* A sum over all points that does not depend on where the rings start; equal prisms have equal keys. */
static uint64_t outline_key(const rw_scene *scene, const rw_part *part)
{
    uint64_t key = mix_hash_pair(part->base_height_m, part->roof_height_m);
    const size_t *first = scene->ring_first.items + part->first_ring;
    for (size_t i = first[0]; i < first[part->ring_count]; i++)
        key += mix_hash_pair(scene->points.items[i].x, scene->points.items[i].y);
    return key;
}

typedef struct outline {
    uint64_t key;
    size_t part;
} outline;

static int compare_outline_keys(const void *a, const void *b)
{
    const outline *first = a, *second = b;
    if (first->key != second->key)
        return first->key < second->key ? -1 : 1;
    return first->part < second->part ? -1 : first->part > second->part;
}

static int same_ring(const rw_scene *scene, size_t ring, size_t other)
{
    size_t count = rw_ring_size(scene, ring);
    if (count != rw_ring_size(scene, other))
        return 0;
    const rw_vec2 *first = rw_ring_points(scene, ring), *second = rw_ring_points(scene, other);
    for (size_t shift = 0; shift < count; shift++) {
        size_t equal = 0;
        while (equal < count && first[equal].x == second[(equal + shift) % count].x &&
               first[equal].y == second[(equal + shift) % count].y)
            equal++;
        if (equal == count)
            return 1;
    }
    return 0;
}

static int same_prism(const rw_scene *scene, const rw_part *a, const rw_part *b)
{
    int same_ground = a->ground_m == b->ground_m || (isnan(a->ground_m) && isnan(b->ground_m));
    if (a->ring_count != b->ring_count || !same_ground || a->base_height_m != b->base_height_m ||
        a->roof_height_m != b->roof_height_m)
        return 0;
    for (size_t i = 0; i < a->ring_count; i++)
        if (!same_ring(scene, a->first_ring + i, b->first_ring + i))
            return 0;
    return 1;
}

/* Leaves out the later of two parts with the same rings and heights. */
static rw_status remove_duplicates(rw_scene *scene)
{
    size_t count = scene->parts.count;
    outline *outlines;
    RW_TRY(rw_array_create(scene->context, count, sizeof *outlines, "outline keys", &outlines));
    for (size_t i = 0; i < count; i++)
        outlines[i] = (outline){outline_key(scene, &scene->parts.items[i]), i};
    qsort(outlines, count, sizeof *outlines, compare_outline_keys);
    rw_status status = RW_OK;
    for (size_t i = 1; i < count && status == RW_OK; i++) {
        rw_part *part = &scene->parts.items[outlines[i].part], *earlier = &scene->parts.items[outlines[i - 1].part];
        if (outlines[i].key != outlines[i - 1].key || !same_prism(scene, earlier, part))
            continue;
        status = rw_scene_note(scene, "duplicate buildings left out", scene->part_sources.items[outlines[i].part]);
        outlines[i].part = outlines[i - 1].part; /* the next one is compared with the one that stays */
        part->ring_count = 0;
    }
    free(outlines);
    size_t remaining = 0;
    for (size_t i = 0; i < count; i++) {
        char *source = scene->part_sources.items[i];
        scene->part_sources.items[i] = NULL;
        if (scene->parts.items[i].ring_count == 0) {
            free(source);
            continue;
        }
        scene->parts.items[remaining] = scene->parts.items[i];
        scene->part_sources.items[remaining++] = source;
    }
    scene->parts.count = scene->part_sources.count = remaining;
    return status;
}

rw_status rw_scene_validate(rw_scene *scene)
{
    RW_TRY(repair_parts(scene));
    return remove_duplicates(scene);
}
