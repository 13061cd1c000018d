/* Looks for outlines that cross themselves and for buildings that overlap, with the wall grid as index.
 *
 * Walls that share a cell are tested in pairs: buildings overlap where two walls cross, and where one runs along the
 * other with the interior on the same side. A building wholly inside another, which does neither, is found by asking
 * which parts contain a point just inside its first wall. Buildings that only touch do not overlap. */
#include "discretise/prepared.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* More walls than this in a cell are not tested in pairs, so that no input makes validation quadratic. */
static const uint32_t max_walls_in_pairs = 2048;

static double find_wall_side(const rw_exact_wall *wall, double x, double y)
{
    return (wall->x1 - wall->x0) * (y - wall->y0) - (wall->y1 - wall->y0) * (x - wall->x0);
}

/* Walls that come closer than this touch and do not cross. */
static const double touch_m = 1e-3;

/* Two walls cross where each has one end on either side of the other, by more than rounding. Along one line, they run
 * together where they have the same direction, hence the same interior side, and a stretch in common. */
static void compare_wall_pair(const rw_exact_wall *a, const rw_exact_wall *b, int *cross, int *run_together)
{
    double ax = a->x1 - a->x0, ay = a->y1 - a->y0, bx = b->x1 - b->x0, by = b->y1 - b->y0;
    double length_a = hypot(ax, ay), length_b = hypot(bx, by);
    double a0 = find_wall_side(a, b->x0, b->y0) / length_a, a1 = find_wall_side(a, b->x1, b->y1) / length_a;
    double b0 = find_wall_side(b, a->x0, a->y0) / length_b, b1 = find_wall_side(b, a->x1, a->y1) / length_b;
    *cross = fmin(a0, a1) < -touch_m && fmax(a0, a1) > touch_m && fmin(b0, b1) < -touch_m && fmax(b0, b1) > touch_m;
    double start = ((b->x0 - a->x0) * ax + (b->y0 - a->y0) * ay) / length_a;
    double end = ((b->x1 - a->x0) * ax + (b->y1 - a->y0) * ay) / length_a;
    double common = fmin(end, length_a) - fmax(start, 0);
    int on_one_line = fabs(a0) < touch_m && fabs(a1) < touch_m && fabs(b0) < touch_m && fabs(b1) < touch_m;
    *run_together = on_one_line && ax * bx + ay * by > 0 && common > 10 * touch_m;
}

static int heights_overlap(const rw_part *a, const rw_part *b)
{
    return a->bottom_m < b->top_m && b->bottom_m < a->top_m;
}

typedef struct overlap_search {
    rw_scene *scene;
    const rw_prepared *prepared;
    uint8_t *noted; /* for each part: 1 its outline crosses itself, 2 it overlaps another */
} overlap_search;

enum { CROSSES_ITSELF = 1, OVERLAPS = 2 };

static rw_status note_crossing(overlap_search *search, uint32_t part)
{
    search->noted[part] |= CROSSES_ITSELF;
    return rw_scene_note(search->scene, "outlines that cross themselves, kept as drawn",
                         search->scene->part_sources.items[part]);
}

/* Counts each part once, whichever of the two it is. */
static rw_status note_overlap(overlap_search *search, uint32_t a, uint32_t b)
{
    char example[256];
    snprintf(example, sizeof example, "%.100s and %.100s", search->scene->part_sources.items[a],
             search->scene->part_sources.items[b]);
    const uint32_t pair[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (search->noted[pair[i]] & OVERLAPS)
            continue;
        search->noted[pair[i]] |= OVERLAPS;
        RW_TRY(rw_scene_note(search->scene, "buildings that overlap another, both kept", example));
    }
    return RW_OK;
}

static int may_overlap(const overlap_search *search, uint32_t a, uint32_t b)
{
    const rw_part *part_a = &search->scene->parts.items[a], *part_b = &search->scene->parts.items[b];
    return part_a->building != part_b->building && heights_overlap(part_a, part_b) &&
           !(search->noted[a] & search->noted[b] & OVERLAPS);
}

static rw_status test_pair(overlap_search *search, uint32_t wall_a, uint32_t wall_b)
{
    const rw_wall_list *walls = &search->prepared->walls;
    const rw_exact_wall *exact = search->prepared->grid.exact;
    uint32_t a = walls->parts[wall_a], b = walls->parts[wall_b];
    if (wall_a == wall_b || a == RW_NO_PART || b == RW_NO_PART)
        return RW_OK;
    if (a == b ? search->noted[a] & CROSSES_ITSELF : !may_overlap(search, a, b))
        return RW_OK;
    int cross, run_together;
    compare_wall_pair(&exact[wall_a], &exact[wall_b], &cross, &run_together);
    if (a == b)
        return cross ? note_crossing(search, a) : RW_OK;
    return cross || run_together ? note_overlap(search, a, b) : RW_OK;
}

static rw_status test_cell(overlap_search *search, size_t cell)
{
    const rw_wall_grid *grid = &search->prepared->grid;
    uint32_t first = grid->cells[cell].first, end = grid->cells[cell + 1].first;
    if (end - first > max_walls_in_pairs)
        return rw_scene_note(search->scene, "places with too many walls to look for crossings", "");
    for (uint32_t i = first; i < end; i++)
        for (uint32_t j = i + 1; j < end; j++)
            RW_TRY(test_pair(search, grid->entries[i].wall, grid->entries[j].wall));
    return RW_OK;
}

static rw_status test_contained(overlap_search *search, uint32_t part, uint32_t first_wall)
{
    const rw_wall_list *walls = &search->prepared->walls;
    const rw_wall *wall = &walls->walls[first_wall];
    rw_vec2 normal = walls->normals[first_wall];
    rw_vec2 inside = {0.5 * (wall->p0.x + wall->p1.x) - 2 * touch_m * normal.x,
                      0.5 * (wall->p0.y + wall->p1.y) - 2 * touch_m * normal.y};
    uint32_t parts[256];
    size_t count = rw_parts_over(search->scene, search->prepared, inside, parts, sizeof parts / sizeof *parts);
    for (size_t i = 0; i < count; i++)
        if (may_overlap(search, part, parts[i]))
            RW_TRY(note_overlap(search, part, parts[i]));
    return RW_OK;
}

static rw_status search_overlaps(overlap_search *search)
{
    const rw_wall_grid_view *view = &search->prepared->grid.view;
    const rw_wall_list *walls = &search->prepared->walls;
    for (size_t cell = 0; cell < (size_t)view->columns * (size_t)view->rows; cell++)
        RW_TRY(test_cell(search, cell));
    for (uint32_t i = 0; i < walls->count; i++)
        if (walls->parts[i] != RW_NO_PART && (i == 0 || walls->parts[i] != walls->parts[i - 1]))
            RW_TRY(test_contained(search, walls->parts[i], i));
    return RW_OK;
}

rw_status rw_note_overlaps(rw_scene *scene, const rw_prepared *prepared)
{
    overlap_search search = {scene, prepared, NULL};
    RW_TRY(rw_array_create(scene->context, scene->parts.count, 1, "overlap marks", &search.noted));
    rw_status status = search_overlaps(&search);
    free(search.noted);
    return status;
}
