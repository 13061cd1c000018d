#include "discretise/receivers/receivers.h"

#include "base/memory.h"
#include "discretise/bvh/bvh.h"

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

static rw_status build_point_bvh(rw_context *context, const rw_vec3 *positions, const uint32_t *cells, size_t count,
                                 rw_points *points, uint32_t *order)
{
    rw_boxes boxes = {.count = count,
                      .low = positions,
                      .high = positions,
                      .middles = positions,
                      .tie_break = cells,
                      .split = RW_SPLIT_ALONG_CURVE,
                      .leaf_size = LEAF_SIZE,
                      .what = "receivers"};
    RW_TRY(rw_array_create(context, count + 1, sizeof *points->positions, "receivers", &points->positions));
    RW_TRY(rw_array_create(context, count + 1, sizeof *points->cells, "receivers", &points->cells));
    RW_TRY(rw_array_create(context, 2 * count + 1, sizeof *points->nodes, "receivers", &points->nodes));
    RW_TRY(rw_bvh_build_nodes(context, &boxes, order, points->nodes, &points->view.node_count));
    for (size_t i = 0; i < count; i++) {
        points->positions[i] = positions[order[i]];
        points->cells[i] = cells[order[i]];
    }
    points->view.count = count;
    points->view.positions = points->positions;
    points->view.nodes = points->nodes;
    choose_starts(&points->view);
    return RW_OK;
}

rw_status rw_points_create(rw_context *context, const rw_vec3 *positions, const uint32_t *cells, size_t count,
                           rw_points *points)
{
    *points = (rw_points){0};
    uint32_t *order;
    RW_TRY(rw_array_create(context, count + 1, sizeof *order, "receivers", &order));
    rw_status status = build_point_bvh(context, positions, cells, count, points, order);
    free(order);
    if (status != RW_OK)
        rw_points_destroy(points);
    return status;
}

void rw_points_destroy(rw_points *points)
{
    free(points->positions);
    free(points->cells);
    free(points->nodes);
    *points = (rw_points){0};
}

rw_status rw_points_upload(rw_context *context, rw_backend backend, const rw_points *points, rw_device_points *device)
{
    *device = (rw_device_points){.view = points->view};
    if (backend == RW_BACKEND_CPU)
        return RW_OK;
    const void *hosts[2] = {points->positions, points->nodes};
    size_t bytes[2] = {(points->view.count + 1) * sizeof *points->positions,
                       points->view.node_count * sizeof *points->nodes};
    rw_status status = RW_OK;
    for (int i = 0; i < 2 && status == RW_OK; i++) {
        status = rw_device_alloc(context, backend, bytes[i], "receivers", &device->copies[i]);
        if (status == RW_OK)
            status = rw_device_upload(context, backend, device->copies[i], hosts[i], bytes[i]);
    }
    device->view.positions = device->copies[0];
    device->view.nodes = device->copies[1];
    if (status != RW_OK)
        rw_points_release(backend, device);
    return status;
}

void rw_points_release(rw_backend backend, rw_device_points *device)
{
    for (int i = 0; i < 2; i++)
        if (device->copies[i])
            rw_device_free(backend, device->copies[i]);
    *device = (rw_device_points){0};
}
