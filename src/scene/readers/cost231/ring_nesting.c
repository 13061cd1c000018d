#include "scene/readers/cost231/cost231.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Even-odd; points on the outline may come out either way, callers ask for inner points only. */
static int ring_contains_point(const rw_vec2 *points, size_t count, rw_vec2 at)
{
    int inside = 0;
    for (size_t i = 0, j = count - 1; i < count; j = i++) {
        rw_vec2 a = points[j], b = points[i];
        if ((a.y > at.y) == (b.y > at.y))
            continue;
        inside ^= at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x);
    }
    return inside;
}

static double crossing_x(rw_vec2 a, rw_vec2 b, double y)
{
    return a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
}

/* The level of a horizontal line through the ring that meets no corner: half way between the corner nearest the middle
 * height and the next corner above it. */
static double level_between_corners(const rw_vec2 *points, size_t count)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, points[i].y);
        high = fmax(high, points[i].y);
    }
    double middle = 0.5 * (low + high), below = low, above = high;
    for (size_t i = 0; i < count; i++) {
        if (points[i].y <= middle)
            below = fmax(below, points[i].y);
        else
            above = fmin(above, points[i].y);
    }
    return 0.5 * (below + above);
}

int rw_ring_inner_point(const rw_vec2 *points, size_t count, rw_vec2 *inner)
{
    double level = level_between_corners(points, count);
    double first = INFINITY, second = INFINITY; /* the two leftmost crossings: the interior lies between them */
    for (size_t i = 0, j = count - 1; i < count; j = i++) {
        if ((points[j].y > level) == (points[i].y > level))
            continue;
        double x = crossing_x(points[j], points[i], level);
        second = fmin(second, fmax(first, x));
        first = fmin(first, x);
    }
    *inner = rw_vec2_of(0.5 * (first + second), level);
    return isfinite(second) && second > first;
}

static void measure_ring(rw_ring_nesting *ring)
{
    ring->parent = RW_NO_RING;
    ring->depth = 0;
    ring->area_m2 = fabs(rw_ring_area(ring->points, ring->count));
    ring->box_min = rw_vec2_of(INFINITY, INFINITY);
    ring->box_max = rw_vec2_of(-INFINITY, -INFINITY);
    for (size_t i = 0; i < ring->count; i++) {
        ring->box_min = rw_vec2_of(fmin(ring->box_min.x, ring->points[i].x), fmin(ring->box_min.y, ring->points[i].y));
        ring->box_max = rw_vec2_of(fmax(ring->box_max.x, ring->points[i].x), fmax(ring->box_max.y, ring->points[i].y));
    }
}

static int is_around(const rw_ring_nesting *outer, const rw_ring_nesting *ring, rw_vec2 inner_point)
{
    return outer->area_m2 > ring->area_m2 && outer->box_max.x >= ring->box_max.x &&
           outer->box_min.y <= ring->box_min.y && outer->box_max.y >= ring->box_max.y &&
           ring_contains_point(outer->points, outer->count, inner_point);
}

/* A ring's place in the sweep, in an order that does not depend on the sorting function. */
typedef struct sweep_entry {
    double x_min;
    size_t ring;
} sweep_entry;

static int compare_sweep_entries(const void *left, const void *right)
{
    const sweep_entry *a = left, *b = right;
    if (a->x_min != b->x_min)
        return a->x_min < b->x_min ? -1 : 1;
    return a->ring < b->ring ? -1 : a->ring > b->ring;
}

/* The rings that the sweep line still crosses are active; those left of it are taken out as they are met. */
static size_t nest_ring(rw_ring_nesting *rings, size_t now, double x_min, size_t *active, size_t active_count)
{
    rw_vec2 inner = {0, 0};
    int has_area = rw_ring_inner_point(rings[now].points, rings[now].count, &inner);
    size_t remaining = 0;
    for (size_t i = 0; i < active_count; i++) {
        size_t other = active[i];
        if (rings[other].box_max.x < x_min)
            continue;
        active[remaining++] = other;
        if (!has_area || !is_around(&rings[other], &rings[now], inner))
            continue;
        rings[now].depth++;
        size_t parent = rings[now].parent;
        if (parent == RW_NO_RING || rings[other].area_m2 < rings[parent].area_m2)
            rings[now].parent = other;
    }
    return remaining;
}

static void sweep_rings(rw_ring_nesting *rings, size_t count, const sweep_entry *order, size_t *active)
{
    size_t active_count = 0;
    for (size_t first = 0; first < count;) {
        /* Rings with one leftmost x enter together, as any of them may be around any other. */
        size_t last = first;
        while (last < count && order[last].x_min == order[first].x_min)
            active[active_count++] = order[last++].ring;
        for (size_t i = first; i < last; i++)
            active_count = nest_ring(rings, order[i].ring, order[i].x_min, active, active_count);
        first = last;
    }
}

rw_status rw_nest_rings(rw_context *context, rw_ring_nesting *rings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        measure_ring(&rings[i]);
    if (count < 2)
        return RW_OK;
    sweep_entry *order;
    size_t *active = NULL;
    RW_TRY(rw_array_create(context, count, sizeof *order, "the order of outlines", &order));
    rw_status status = rw_array_create(context, count, sizeof *active, "active outlines", &active);
    if (status == RW_OK) {
        for (size_t i = 0; i < count; i++)
            order[i] = (sweep_entry){rings[i].box_min.x, i};
        qsort(order, count, sizeof *order, compare_sweep_entries);
        sweep_rings(rings, count, order, active);
    }
    free(order);
    free(active);
    return status;
}
