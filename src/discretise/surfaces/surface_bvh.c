/* The tree over plane surfaces, and the surfaces in the order of its leaves. */
#include "discretise/surfaces/surfaces.h"

#include "base/memory.h"
#include "discretise/bvh/box_bvh.h"

#include <math.h>
#include <stdlib.h>

#define LEAF_SIZE 2

static void set_box(const rw_surfaces *surfaces, const rw_surface *surface, rw_vec3 *low, rw_vec3 *high,
                    rw_vec3 *middle)
{
    float least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < surface->edge_count; i++)
        for (int axis = 0; axis < 3; axis++) {
            float at = surfaces->edges[surface->first_edge + i].a[axis];
            least[axis] = fminf(least[axis], at);
            most[axis] = fmaxf(most[axis], at);
        }
    *low = rw_vec3_make(least[0], least[1], least[2]);
    *high = rw_vec3_make(most[0], most[1], most[2]);
    *middle = rw_vec3_make(least[0] + most[0], least[1] + most[1], least[2] + most[2]); /* twice the middle */
}

static rw_status build(rw_context *context, rw_surfaces *surfaces, rw_box_arrays *arrays, rw_surface *moved)
{
    size_t count = surfaces->view.surface_count, node_count;
    RW_TRY(rw_array_create(context, 2 * count, sizeof *surfaces->nodes, "the surface tree", &surfaces->nodes));
    for (size_t i = 0; i < count; i++)
        set_box(surfaces, &surfaces->surfaces[i], &arrays->low[i], &arrays->high[i], &arrays->middles[i]);
    rw_boxes boxes = {.count = count,
                      .low = arrays->low,
                      .high = arrays->high,
                      .middles = arrays->middles,
                      .split = RW_SPLIT_MIDDLES,
                      .leaf_size = LEAF_SIZE,
                      .what = "the surface tree"};
    RW_TRY(rw_box_tree_build(context, &boxes, arrays->order, surfaces->nodes, &node_count));
    for (size_t i = 0; i < count; i++)
        moved[i] = surfaces->surfaces[arrays->order[i]];
    surfaces->view.nodes = surfaces->nodes;
    surfaces->view.node_count = (uint32_t)node_count;
    return RW_OK;
}

rw_status rw_surface_tree_build(rw_context *context, rw_surfaces *surfaces)
{
    if (surfaces->view.surface_count == 0)
        return RW_OK;
    rw_box_arrays arrays;
    rw_surface *moved;
    size_t count = surfaces->view.surface_count;
    RW_TRY(rw_array_create(context, count, sizeof *moved, "surfaces", &moved));
    rw_status status = rw_box_arrays_create(context, count, "the surface tree", &arrays);
    if (status == RW_OK)
        status = build(context, surfaces, &arrays, moved);
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
