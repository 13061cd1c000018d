/* The tree halves the points at their median along the longer side of their box, n log^2 n. */
#include "discretise/receivers/points.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define LEAF_SIZE 16

typedef struct keyed_point {
    rw_vec3 place;
    uint32_t cell;
} keyed_point;

static double along(const keyed_point *point, int axis)
{
    return axis == 0 ? point->place.x : axis == 1 ? point->place.y : point->place.z;
}

#define COMPARE(name, axis)                                                                                            \
    static int name(const void *left, const void *right)                                                               \
    {                                                                                                                  \
        double a = along(left, axis), b = along(right, axis);                                                          \
        uint32_t first = ((const keyed_point *)left)->cell, second = ((const keyed_point *)right)->cell;               \
        return a != b ? (a < b ? -1 : 1) : (first > second) - (first < second);                                        \
    }
COMPARE(compare_x, 0)
COMPARE(compare_y, 1)
COMPARE(compare_z, 2)
#undef COMPARE

static int set_box(const keyed_point *keys, size_t count, rw_bvh_node *node)
{
    int longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, along(&keys[i], axis));
            high = fmax(high, along(&keys[i], axis));
        }
        double margin = 1e-4 + 2e-6 * fmax(fabs(low), fabs(high));
        node->low[axis] = (float)(low - margin);
        node->high[axis] = (float)(high + margin);
        if (node->high[axis] - node->low[axis] > node->high[longest] - node->low[longest])
            longest = axis;
    }
    return longest;
}

static void build(rw_points *points, keyed_point *keys, size_t at, size_t first, size_t count)
{
    static int (*const compare[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    rw_bvh_node *node = &points->nodes[at];
    int axis = set_box(keys + first, count, node);
    if (count <= LEAF_SIZE) {
        node->first = (uint32_t)first;
        node->count = (uint32_t)count;
        return;
    }
    qsort(keys + first, count, sizeof *keys, compare[axis]);
    size_t left = points->view.node_count, half = count / 2;
    points->view.node_count += 2;
    node->first = (uint32_t)left;
    node->count = 0;
    build(points, keys, left, first, half);
    build(points, keys, left + 1, first + half, count - half);
}

/* Opens subtrees level by level while there is room for both halves of each. */
static void choose_starts(rw_points_view *view)
{
    view->starts[0] = 0;
    view->start_count = 1;
    for (uint32_t before = 0; before != view->start_count;) {
        before = view->start_count;
        for (uint32_t i = 0; i < before && view->start_count < RW_POINT_STARTS; i++) {
            const rw_bvh_node *node = &view->nodes[view->starts[i]];
            if (node->count || view->count <= LEAF_SIZE)
                continue;
            view->starts[i] = node->first;
            view->starts[view->start_count++] = node->first + 1;
        }
    }
}

rw_status rw_points_create(rw_context *context, const rw_vec3 *places, const uint32_t *cells, size_t count,
                           rw_points *points)
{
    *points = (rw_points){0};
    keyed_point *keys = NULL;
    rw_status status = rw_array_create(context, count + 1, sizeof *points->places, "receivers", &points->places);
    if (status == RW_OK)
        status = rw_array_create(context, count + 1, sizeof *points->cells, "receivers", &points->cells);
    if (status == RW_OK)
        status = rw_array_create(context, 2 * count + 1, sizeof *points->nodes, "receivers", &points->nodes);
    if (status == RW_OK)
        status = rw_array_create(context, count + 1, sizeof *keys, "receivers", &keys);
    if (status != RW_OK) {
        rw_points_destroy(points);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        keys[i] = (keyed_point){places[i], cells[i]};
    points->view.node_count = 1;
    build(points, keys, 0, 0, count);
    for (size_t i = 0; i < count; i++) {
        points->places[i] = keys[i].place;
        points->cells[i] = keys[i].cell;
    }
    free(keys);
    points->view.count = count;
    points->view.places = points->places;
    points->view.nodes = points->nodes;
    choose_starts(&points->view);
    return RW_OK;
}

rw_status rw_points_of_receivers(rw_context *context, const rw_receivers_view *receivers, rw_points *points)
{
    rw_vec3 *places;
    RW_TRY(rw_array_create(context, receivers->outdoor_count + 1, sizeof *places, "receivers", &places));
    for (size_t i = 0; i < receivers->outdoor_count; i++)
        places[i] = rw_receiver_point(receivers, receivers->outdoor[i]);
    rw_status status = rw_points_create(context, places, receivers->outdoor, receivers->outdoor_count, points);
    free(places);
    return status;
}

void rw_points_destroy(rw_points *points)
{
    free(points->places);
    free(points->cells);
    free(points->nodes);
    *points = (rw_points){0};
}

rw_status rw_points_place(rw_context *context, rw_backend backend, const rw_points *points, rw_placed_points *placed)
{
    *placed = (rw_placed_points){.view = points->view};
    if (backend == RW_BACKEND_CPU)
        return RW_OK;
    const void *hosts[2] = {points->places, points->nodes};
    size_t bytes[2] = {(points->view.count + 1) * sizeof *points->places,
                       points->view.node_count * sizeof *points->nodes};
    rw_status status = RW_OK;
    for (int i = 0; i < 2 && status == RW_OK; i++) {
        status = rw_device_alloc(context, backend, bytes[i], "receivers", &placed->copies[i]);
        if (status == RW_OK)
            status = rw_device_upload(context, backend, placed->copies[i], hosts[i], bytes[i]);
    }
    placed->view.places = placed->copies[0];
    placed->view.nodes = placed->copies[1];
    if (status != RW_OK)
        rw_points_remove(backend, placed);
    return status;
}

void rw_points_remove(rw_backend backend, rw_placed_points *placed)
{
    for (int i = 0; i < 2; i++)
        if (placed->copies[i])
            rw_device_free(backend, placed->copies[i]);
    *placed = (rw_placed_points){0};
}
