/* The tree over plane surfaces: halves the surfaces at the median of their middles along the longer side of their box,
 * in n log^2 n. */
#include "discretise/surfaces/surfaces.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define LEAF_SIZE 2

typedef struct tree_maker {
    rw_surfaces *surfaces;
    float (*boxes)[6]; /* low and high of each surface; moves with it */
    uint32_t *order;
    size_t node_count;
} tree_maker;

static void box_of(const rw_surfaces *surfaces, const rw_surface *surface, float box[6])
{
    for (int axis = 0; axis < 3; axis++) {
        box[axis] = INFINITY;
        box[axis + 3] = -INFINITY;
    }
    for (uint32_t i = 0; i < surface->edge_count; i++)
        for (int axis = 0; axis < 3; axis++) {
            float at = surfaces->edges[surface->first_edge + i].a[axis];
            box[axis] = fminf(box[axis], at);
            box[axis + 3] = fmaxf(box[axis + 3], at);
        }
}

typedef struct sort_key {
    float at;
    uint32_t surface;
} sort_key;

static int compare_keys(const void *left, const void *right)
{
    const sort_key *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->surface < b->surface ? -1 : a->surface > b->surface;
}

static int longest_axis(const tree_maker *make, size_t first, size_t count)
{
    int longest = 0;
    float most = -1;
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = first; i < first + count; i++) {
            const float *box = make->boxes[make->order[i]];
            low = fminf(low, box[axis] + box[axis + 3]);
            high = fmaxf(high, box[axis] + box[axis + 3]);
        }
        if (high - low > most) {
            most = high - low;
            longest = axis;
        }
    }
    return longest;
}

static rw_status sort_along(rw_context *context, tree_maker *make, size_t first, size_t count, int axis)
{
    sort_key *keys;
    RW_TRY(rw_array_create(context, count, sizeof *keys, "the surface tree", &keys));
    for (size_t i = 0; i < count; i++) {
        uint32_t surface = make->order[first + i];
        keys[i] = (sort_key){make->boxes[surface][axis] + make->boxes[surface][axis + 3], surface};
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++)
        make->order[first + i] = keys[i].surface;
    free(keys);
    return RW_OK;
}

/* A margin beyond the rounding of float coordinates and slopes in the box test. */
static void set_box(const tree_maker *make, rw_bvh_node *node, size_t first, size_t count)
{
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = first; i < first + count; i++) {
            low = fminf(low, make->boxes[make->order[i]][axis]);
            high = fmaxf(high, make->boxes[make->order[i]][axis + 3]);
        }
        float margin = 1e-4f + 2e-6f * fmaxf(fabsf(low), fabsf(high));
        node->low[axis] = low - margin;
        node->high[axis] = high + margin;
    }
}

static rw_status build_node(rw_context *context, tree_maker *make, size_t at, size_t first, size_t count)
{
    rw_bvh_node *node = &make->surfaces->nodes[at];
    set_box(make, node, first, count);
    if (count <= LEAF_SIZE) {
        node->first = (uint32_t)first;
        node->count = (uint32_t)count;
        return RW_OK;
    }
    size_t left = make->node_count, half = count / 2;
    make->node_count += 2;
    node->first = (uint32_t)left;
    node->count = 0;
    RW_TRY(sort_along(context, make, first, count, longest_axis(make, first, count)));
    RW_TRY(build_node(context, make, left, first, half));
    return build_node(context, make, left + 1, first + half, count - half);
}

static rw_status reorder(rw_context *context, const tree_maker *make)
{
    rw_surfaces *surfaces = make->surfaces;
    size_t count = surfaces->view.surface_count;
    rw_surface *moved;
    RW_TRY(rw_array_create(context, count, sizeof *moved, "surfaces", &moved));
    for (size_t i = 0; i < count; i++)
        moved[i] = surfaces->surfaces[make->order[i]];
    free(surfaces->surfaces);
    surfaces->surfaces = moved;
    surfaces->view.surfaces = moved;
    return RW_OK;
}

rw_status rw_surface_tree_build(rw_context *context, rw_surfaces *surfaces)
{
    size_t count = surfaces->view.surface_count;
    tree_maker make = {.surfaces = surfaces, .node_count = 1};
    if (count == 0)
        return RW_OK;
    RW_TRY(rw_array_create(context, 2 * count, sizeof *surfaces->nodes, "the surface tree", &surfaces->nodes));
    rw_status status = rw_array_create(context, count, sizeof *make.boxes, "the surface tree", &make.boxes);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *make.order, "the surface tree", &make.order);
    for (size_t i = 0; status == RW_OK && i < count; i++) {
        make.order[i] = (uint32_t)i;
        box_of(surfaces, &surfaces->surfaces[i], make.boxes[i]);
    }
    if (status == RW_OK)
        status = build_node(context, &make, 0, 0, count);
    if (status == RW_OK)
        status = reorder(context, &make);
    surfaces->view.nodes = surfaces->nodes;
    surfaces->view.node_count = (uint32_t)make.node_count;
    free(make.boxes);
    free(make.order);
    return status;
}
