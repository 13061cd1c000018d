#include "discretise/walls/walls.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "discretise/prepared.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* A wall that turns by less is straight: 1 degree. */
static const double min_corner_sine = 0.0175;

typedef struct corner_search {
    const rw_scene *scene;
    const rw_prepared *prepared;
    rw_corner_list *list;
} corner_search;

static double plan_length(rw_vec2 v)
{
    return sqrt(rw_vec2_dot(v, v));
}

/* Up to where buildings, one on another, fill the place from z upwards; z where it is free. */
static double filled_up_to(const corner_search *search, rw_vec2 at, double z_m)
{
    uint32_t parts[8];
    for (;;) {
        size_t count = rw_parts_at(search->scene, search->prepared, at, z_m, parts, 8);
        double top_m = z_m;
        for (size_t i = 0; i < count; i++)
            top_m = fmax(top_m, search->scene->parts.items[parts[i]].top_m);
        if (top_m <= z_m)
            return z_m;
        z_m = top_m;
    }
}

/* A place before a wall, half a metre or half the wall away from the corner. */
static rw_vec2 before_wall(rw_vec2 corner, rw_vec2 along, rw_vec2 normal)
{
    double length = plan_length(along), step = fmin(0.5, 0.5 * length) / length;
    return rw_vec2_of(corner.x + step * along.x + RW_CORNER_OFFSET_M * normal.x,
                      corner.y + step * along.y + RW_CORNER_OFFSET_M * normal.y);
}

/* Keeps the part of the edge that no neighbour covers: a house in a row has no corner on the street, but one above a
 * lower neighbour's roof. */
static rw_status add_free_edge(const corner_search *search, rw_vec2 point, rw_vec2 a, rw_vec2 b, double bottom_m,
                               double top_m)
{
    rw_vec2 normal_a = rw_vec2_of(-a.y / plan_length(a), a.x / plan_length(a));
    rw_vec2 normal_b = rw_vec2_of(b.y / plan_length(b), -b.x / plan_length(b));
    rw_vec2 out = rw_vec2_add(normal_a, normal_b);
    if (plan_length(out) < 1e-6) /* the end of a thin wall */
        out = rw_vec2_of(-a.x, -a.y);
    double scale = RW_CORNER_OFFSET_M / plan_length(out);
    rw_vec2 stands = rw_vec2_of(point.x + scale * out.x, point.y + scale * out.y);
    double free_m = filled_up_to(search, stands, bottom_m);
    free_m = fmax(free_m, filled_up_to(search, before_wall(point, a, normal_a), bottom_m));
    free_m = fmax(free_m, filled_up_to(search, before_wall(point, b, normal_b), bottom_m));
    if (search->scene->terrain.values) /* on a slope a building starts below the ground of most of its corners */
        free_m = fmax(free_m, rw_scene_ground_m(search->scene, stands));
    if (free_m >= top_m)
        return RW_OK;
    rw_corner_list *list = search->list;
    RW_TRY(rw_array_reserve(search->scene->context, &list->items, &list->capacity, list->count + 1, sizeof(rw_corner),
                            "corners"));
    rw_vec2 centre = search->prepared->grid.centre;
    list->items[list->count++] = (rw_corner){.x = stands.x - centre.x,
                                             .y = stands.y - centre.y,
                                             .ax = a.x,
                                             .ay = a.y,
                                             .bx = b.x,
                                             .by = b.y,
                                             .bottom = (float)free_m,
                                             .top = (float)top_m,
                                             .ground = (float)rw_scene_ground_m(search->scene, stands)};
    return RW_OK;
}

/* A ring has its building on the left: a convex corner turns left. */
static rw_status add_ring_corners(const corner_search *search, const rw_part *part, size_t ring)
{
    const rw_vec2 *points = rw_ring_points(search->scene, ring);
    size_t count = rw_ring_size(search->scene, ring);
    for (size_t i = 0; i < count; i++) {
        rw_vec2 a = rw_vec2_sub(points[(i + count - 1) % count], points[i]);
        rw_vec2 b = rw_vec2_sub(points[(i + 1) % count], points[i]);
        if (-rw_vec2_cross(a, b) < min_corner_sine * plan_length(a) * plan_length(b))
            continue;
        RW_TRY(add_free_edge(search, points[i], a, b, part->bottom_m, part->top_m));
    }
    return RW_OK;
}

/* A corner of an outline by its place, for those that two buildings share. */
typedef struct outline_corner {
    int64_t x, y;
    uint32_t part;
    size_t ring, index;
} outline_corner;

#define SAME_PLACE_PER_M 100.0 /* corners within a centimetre are one */

static int compare_outline_corners(const void *first, const void *second)
{
    const outline_corner *a = first, *b = second;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    if (a->ring != b->ring)
        return a->ring < b->ring ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* From a corner along its outline: to the corner before it, or to the next. */
static rw_vec2 along_outline(const rw_scene *scene, const outline_corner *corner, int onwards)
{
    const rw_vec2 *points = rw_ring_points(scene, corner->ring);
    size_t count = rw_ring_size(scene, corner->ring);
    size_t other = onwards ? (corner->index + 1) % count : (corner->index + count - 1) % count;
    return rw_vec2_sub(points[other], points[corner->index]);
}

/* The edge between the wall of one building that ends at a corner and that of another that begins there. */
static rw_status add_between(const corner_search *search, const outline_corner *ends, const outline_corner *begins)
{
    const rw_scene *scene = search->scene;
    rw_vec2 a = along_outline(scene, ends, 0), b = along_outline(scene, begins, 1);
    const rw_part *first = &scene->parts.items[ends->part], *second = &scene->parts.items[begins->part];
    double bottom_m = fmax(first->bottom_m, second->bottom_m), top_m = fmin(first->top_m, second->top_m);
    if (bottom_m >= top_m || -rw_vec2_cross(a, b) < min_corner_sine * plan_length(a) * plan_length(b))
        return RW_OK;
    return add_free_edge(search, rw_ring_points(scene, ends->ring)[ends->index], a, b, bottom_m, top_m);
}

/* Convex corners that two buildings share: neither has it alone, since the other covers one of its walls. */
static rw_status add_shared(const corner_search *search)
{
    const rw_scene *scene = search->scene;
    outline_corner *list;
    size_t count = 0;
    RW_TRY(rw_array_create(scene->context, scene->points.count, sizeof *list, "corners", &list));
    for (size_t p = 0; p < scene->parts.count; p++)
        for (size_t r = 0; r < scene->parts.items[p].ring_count; r++) {
            size_t ring = scene->parts.items[p].first_ring + r;
            for (size_t i = 0; i < rw_ring_size(scene, ring); i++) {
                rw_vec2 at = rw_ring_points(scene, ring)[i];
                list[count++] = (outline_corner){llround(at.x * SAME_PLACE_PER_M), llround(at.y * SAME_PLACE_PER_M),
                                                 (uint32_t)p, ring, i};
            }
        }
    rw_sort(list, count, sizeof *list, compare_outline_corners);
    rw_status status = RW_OK;
    for (size_t first = 0, next; first < count && status == RW_OK; first = next) {
        for (next = first; next < count && list[next].x == list[first].x && list[next].y == list[first].y;)
            next++;
        for (size_t i = first; i < next; i++)
            for (size_t k = first; k < next && status == RW_OK; k++)
                if (list[i].part != list[k].part)
                    status = add_between(search, &list[i], &list[k]);
    }
    free(list);
    return status;
}

/* Distance of a point from a wall in plan; both in the grid's frame. */
static double distance_m(const rw_exact_wall *wall, rw_vec2 at)
{
    rw_vec2 along = rw_vec2_of(wall->x1 - wall->x0, wall->y1 - wall->y0);
    rw_vec2 off = rw_vec2_of(at.x - wall->x0, at.y - wall->y0);
    double fraction = fmin(1, fmax(0, rw_vec2_dot(off, along) / rw_vec2_dot(along, along)));
    return plan_length(rw_vec2_of(off.x - fraction * along.x, off.y - fraction * along.y));
}

/* Whether a free wall's end meets another wall, so that nothing passes between them. */
static int end_meets(const corner_search *search, size_t wall, rw_vec2 end)
{
    const double meets_m = 0.05;
    const rw_wall_grid *grid = &search->prepared->grid;
    rw_vec2 at = rw_vec2_sub(end, grid->centre);
    int column = rw_grid_column(&grid->view, (float)at.x), row = rw_grid_row(&grid->view, (float)at.y);
    size_t cell = (size_t)row * (size_t)grid->view.columns + (size_t)column;
    for (uint32_t i = grid->view.cells[cell].first; i < grid->view.cells[cell + 1].first; i++) {
        uint32_t other = grid->view.entries[i].wall;
        if (other != wall && distance_m(&grid->view.exact[other], at) < meets_m)
            return 1;
    }
    return 0;
}

static rw_status add_panel_ends(const corner_search *search, size_t index)
{
    const rw_scene_panel *panel = &search->scene->panels.items[index];
    size_t wall = search->prepared->walls.count - search->scene->panels.count + index; /* panels come last */
    rw_vec2 along = rw_vec2_sub(panel->p1, panel->p0), back = rw_vec2_sub(panel->p0, panel->p1);
    if (!end_meets(search, wall, panel->p0))
        RW_TRY(add_free_edge(search, panel->p0, along, along, panel->bottom_m, panel->top_m));
    if (!end_meets(search, wall, panel->p1))
        RW_TRY(add_free_edge(search, panel->p1, back, back, panel->bottom_m, panel->top_m));
    return RW_OK;
}

static int compare_corner_positions(const rw_corner *a, const rw_corner *b)
{
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->y != b->y ? (a->y < b->y ? -1 : 1) : 0;
}

static int compare_corner_keys(const void *first, const void *second)
{
    const rw_corner *a = first, *b = second;
    int by_position = compare_corner_positions(a, b);
    return by_position ? by_position : (a->top > b->top) - (a->top < b->top);
}

/* Parts one on another share their corners: one edge remains, from the lowest bottom to the highest top. */
static void join_stacked(rw_corner_list *list)
{
    size_t joined_count = 0;
    if (list->count == 0) /* no list at all */
        return;
    qsort(list->items, list->count, sizeof *list->items, compare_corner_keys);
    for (size_t i = 0; i < list->count; i++) {
        rw_corner *last = joined_count ? &list->items[joined_count - 1] : NULL, here = list->items[i];
        if (last && compare_corner_positions(last, &here) == 0) {
            last->bottom = fminf(last->bottom, here.bottom);
            last->top = fmaxf(last->top, here.top);
        } else {
            list->items[joined_count++] = here;
        }
    }
    list->count = joined_count;
}

/* A corner and where it comes in the list. */
typedef struct strip_corner {
    rw_corner corner;
    double strip;
} strip_corner;

static int compare_strip_corners(const void *first, const void *second)
{
    const strip_corner *a = first, *b = second;
    if (a->strip != b->strip)
        return a->strip < b->strip ? -1 : 1;
    if (a->corner.y != b->corner.y)
        return a->corner.y < b->corner.y ? -1 : 1;
    return compare_corner_keys(&a->corner, &b->corner);
}

/* Lists the corners in strips from west to east, each from south to north: a few dozen side by side in the list then
 * stand on a small area, which is hidden or seen as one. */
static rw_status list_in_strips(rw_context *context, rw_corner_list *list)
{
    const double corners_together = 32;
    strip_corner *in_strips;
    if (list->count == 0)
        return RW_OK;
    double west = list->items[0].x, width = list->items[list->count - 1].x - west; /* they come from west to east */
    double strips = ceil(sqrt((double)list->count / corners_together));
    RW_TRY(rw_array_create(context, list->count, sizeof *in_strips, "corners", &in_strips));
    for (size_t i = 0; i < list->count; i++)
        in_strips[i] = (strip_corner){list->items[i], floor((list->items[i].x - west) / (width + 1) * strips)};
    qsort(in_strips, list->count, sizeof *in_strips, compare_strip_corners);
    for (size_t i = 0; i < list->count; i++)
        list->items[i] = in_strips[i].corner;
    free(in_strips);
    return RW_OK;
}

/* Parts of buildings in blocks, each with a list of its own, so that threads share them and the order stays. */
#define PARTS_PER_BLOCK 1024

typedef struct corner_blocks {
    const corner_search *search;
    rw_corner_list *lists;
    rw_failure failure;
    pthread_mutex_t lock; /* of the failure */
} corner_blocks;

static rw_status find_in_block(const corner_search *search, size_t block)
{
    const rw_scene *scene = search->scene;
    size_t first = block * PARTS_PER_BLOCK, count = scene->parts.count;
    for (size_t i = first; i < first + PARTS_PER_BLOCK && i < count; i++)
        for (size_t ring = 0; ring < scene->parts.items[i].ring_count; ring++)
            RW_TRY(add_ring_corners(search, &scene->parts.items[i], scene->parts.items[i].first_ring + ring));
    return RW_OK;
}

static void find_in_blocks(void *user, size_t begin, size_t end)
{
    corner_blocks *blocks = user;
    for (size_t i = begin; i < end; i++) {
        corner_search search = *blocks->search;
        search.list = &blocks->lists[i];
        rw_status status = find_in_block(&search, i);
        if (status == RW_OK)
            continue;
        pthread_mutex_lock(&blocks->lock);
        rw_failure_store(search.scene->context, status, &blocks->failure);
        pthread_mutex_unlock(&blocks->lock);
    }
}

static rw_status join_blocks(rw_context *context, const rw_corner_list *lists, size_t count, rw_corner_list *list)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += lists[i].count;
    RW_TRY(rw_array_reserve(context, &list->items, &list->capacity, all, sizeof(rw_corner), "corners"));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < lists[i].count; k++)
            list->items[list->count++] = lists[i].items[k];
    return RW_OK;
}

static rw_status find_of_buildings(const corner_search *search)
{
    rw_context *context = search->scene->context;
    size_t count = (search->scene->parts.count + PARTS_PER_BLOCK - 1) / PARTS_PER_BLOCK;
    corner_blocks blocks = {.search = search, .lock = PTHREAD_MUTEX_INITIALIZER};
    RW_TRY(rw_array_create(context, count, sizeof *blocks.lists, "corners", &blocks.lists));
    rw_status status = rw_parallel(context, count, 1, find_in_blocks, &blocks);
    if (status == RW_OK)
        status = rw_failure_report(context, &blocks.failure);
    if (status == RW_OK)
        status = join_blocks(context, blocks.lists, count, search->list);
    for (size_t i = 0; i < count; i++)
        free(blocks.lists[i].items);
    free(blocks.lists);
    return status;
}

static rw_status find_corners(const corner_search *search)
{
    const rw_scene *scene = search->scene;
    RW_TRY(find_of_buildings(search));
    RW_TRY(add_shared(search));
    for (size_t i = 0; i < scene->panels.count; i++)
        RW_TRY(add_panel_ends(search, i));
    join_stacked(search->list);
    return list_in_strips(scene->context, search->list);
}

rw_status rw_corner_list_create(const rw_scene *scene, const struct rw_prepared *prepared, rw_corner_list *list)
{
    *list = (rw_corner_list){0};
    corner_search search = {scene, prepared, list};
    rw_status status = find_corners(&search);
    if (status == RW_OK && scene->terrain.values)
        status = rw_find_near_ground(scene, prepared, RW_CORNER_NEAR_M, list);
    if (status != RW_OK)
        rw_corner_list_destroy(list);
    return status;
}

void rw_corner_list_destroy(rw_corner_list *list)
{
    free(list->items);
    *list = (rw_corner_list){0};
}
