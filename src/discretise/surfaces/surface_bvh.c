/* The tree over plane surfaces, and the surfaces in the order of its leaves. */
#include "discretise/surfaces/surfaces.h"

#include "base/memory.h"
#include "discretise/bvh/bvh.h"

#include <math.h>
#include <stdlib.h>

#define LEAF_SIZE 2

static void set_surface_bounds(const rw_surfaces *surfaces, const rw_surface *surface, rw_vec3 *low, rw_vec3 *high,
                               rw_vec3 *middle)
{
    float lowest[3] = {INFINITY, INFINITY, INFINITY}, highest[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < surface->edge_count; i++)
        for (int axis = 0; axis < 3; axis++) {
            float at = surfaces->edges[surface->first_edge + i].a[axis];
            lowest[axis] = fminf(lowest[axis], at);
            highest[axis] = fmaxf(highest[axis], at);
        }
    *low = rw_vec3_of(lowest[0], lowest[1], lowest[2]);
    *high = rw_vec3_of(highest[0], highest[1], highest[2]);
    *middle = rw_vec3_of(lowest[0] + highest[0], lowest[1] + highest[1], lowest[2] + highest[2]); /* twice the middle */
}

static rw_status build_surface_bvh(rw_context *context, rw_surfaces *surfaces, rw_box_arrays *arrays, rw_surface *moved)
{
    size_t count = surfaces->view.surface_count, node_count;
    RW_TRY(rw_array_create(context, 2 * count, sizeof *surfaces->nodes, "the surface tree", &surfaces->nodes));
    for (size_t i = 0; i < count; i++)
        set_surface_bounds(surfaces, &surfaces->surfaces[i], &arrays->low[i], &arrays->high[i], &arrays->middles[i]);
    rw_boxes boxes = {.count = count,
                      .low = arrays->low,
                      .high = arrays->high,
                      .middles = arrays->middles,
                      .split = RW_SPLIT_AREA,
                      .leaf_size = LEAF_SIZE,
                      .what = "the surface tree"};
    RW_TRY(rw_bvh_build_nodes(context, &boxes, arrays->order, surfaces->nodes, &node_count));
    for (size_t i = 0; i < count; i++)
        moved[i] = surfaces->surfaces[arrays->order[i]];
    surfaces->view.nodes = surfaces->nodes;
    surfaces->view.node_count = (uint32_t)node_count;
    return RW_OK;
}

rw_status rw_surface_bvh_build(rw_context *context, rw_surfaces *surfaces)
{
    if (surfaces->view.surface_count == 0)
        return RW_OK;
    rw_box_arrays arrays;
    rw_surface *moved;
    size_t count = surfaces->view.surface_count;
    RW_TRY(rw_array_create(context, count, sizeof *moved, "surfaces", &moved));
    rw_status status = rw_box_arrays_create(context, count, "the surface tree", &arrays);
    if (status == RW_OK)
        status = build_surface_bvh(context, surfaces, &arrays, moved);
    rw_box_arrays_destroy(&arrays);
    if (status != RW_OK) {
        free(moved);
        return status;
    }
    free(surfaces->surfaces);
    surfaces->surfaces = moved;
    surfaces->view.surfaces = moved;
    return RW_OK;
}
