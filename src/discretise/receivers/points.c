#include "discretise/receivers/points.h"

#include "base/memory.h"
#include "discretise/bvh/box_bvh.h"

#include <stdlib.h>

#define LEAF_SIZE 16

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

static rw_status build(rw_context *context, const rw_vec3 *places, const uint32_t *cells, size_t count,
                       rw_points *points, uint32_t *order)
{
    rw_boxes boxes = {.count = count,
                      .low = places,
                      .high = places,
                      .middles = places,
                      .tie_break = cells,
                      .split = RW_SPLIT_EXTENT,
                      .leaf_size = LEAF_SIZE,
                      .what = "receivers"};
    RW_TRY(rw_array_create(context, count + 1, sizeof *points->places, "receivers", &points->places));
    RW_TRY(rw_array_create(context, count + 1, sizeof *points->cells, "receivers", &points->cells));
    RW_TRY(rw_array_create(context, 2 * count + 1, sizeof *points->nodes, "receivers", &points->nodes));
    RW_TRY(rw_box_tree_build(context, &boxes, order, points->nodes, &points->view.node_count));
    for (size_t i = 0; i < count; i++) {
        points->places[i] = places[order[i]];
        points->cells[i] = cells[order[i]];
    }
    points->view.count = count;
    points->view.places = points->places;
    points->view.nodes = points->nodes;
    choose_starts(&points->view);
    return RW_OK;
}

rw_status rw_points_create(rw_context *context, const rw_vec3 *places, const uint32_t *cells, size_t count,
                           rw_points *points)
{
    *points = (rw_points){0};
    uint32_t *order;
    RW_TRY(rw_array_create(context, count + 1, sizeof *order, "receivers", &order));
    rw_status status = build(context, places, cells, count, points, order);
    free(order);
    if (status != RW_OK)
        rw_points_destroy(points);
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
