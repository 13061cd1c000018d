#include "discretise/walls/walls.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAF_WALLS 8

/* What is beside a node by less touches it: more than a fan's march and floats round by. */
static double margin_of(const rw_wall_grid *grid)
{
    return 1e-5 * (double)grid->view.coordinate_max + 1e-3;
}

/* Whether a wall touches a square that is wider by the margin: its box does, and not all corners are on one side. */
static int wall_touches_node(const rw_exact_wall *wall, const rw_quadtree_node *node, double margin)
{
    double west = (double)node->west - margin, east = (double)node->west + (double)node->side + margin;
    double south = (double)node->south - margin, north = (double)node->south + (double)node->side + margin;
    if (fmax(wall->x0, wall->x1) < west || fmin(wall->x0, wall->x1) > east || fmax(wall->y0, wall->y1) < south ||
        fmin(wall->y0, wall->y1) > north)
        return 0;
    double dx = wall->x1 - wall->x0, dy = wall->y1 - wall->y0;
    int left = 0;
    for (int corner = 0; corner < 4; corner++) {
        double x = corner & 1 ? east : west, y = corner & 2 ? north : south;
        left += dx * (y - wall->y0) - dy * (x - wall->x0) > 0;
    }
    return left > 0 && left < 4;
}

static rw_status grow_quadtree_array(rw_context *context, void *array, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return RW_OK;
    size_t wanted = 2 * count + 64;
    RW_TRY(rw_memory_check(context, (double)wanted * (double)size, "the quadtree of walls"));
    void *grown = realloc(*(void **)array, wanted * size);
    if (!grown)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory for the quadtree of walls");
    *(void **)array = grown;
    *capacity = wanted;
    return RW_OK;
}

/* The walls of a leaf. */
static rw_status fill_leaf(rw_context *context, const rw_wall_grid *grid, const uint32_t *walls, size_t count,
                           size_t node, rw_wall_quadtree *tree)
{
    RW_TRY(grow_quadtree_array(context, &tree->entries, &tree->entry_capacity, tree->entry_count + count,
                               sizeof *tree->entries));
    tree->nodes[node].first = (uint32_t)tree->entry_count;
    tree->nodes[node].count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        const rw_exact_wall *wall = &grid->exact[walls[i]];
        tree->entries[tree->entry_count++] = (rw_wall_entry){.x0 = (float)wall->x0,
                                                             .y0 = (float)wall->y0,
                                                             .x1 = (float)wall->x1,
                                                             .y1 = (float)wall->y1,
                                                             .bottom = (float)wall->bottom,
                                                             .top = (float)wall->top,
                                                             .wall = walls[i],
                                                             .part = RW_NO_WALL_PART};
    }
    return RW_OK;
}

static rw_quadtree_node child_of(const rw_quadtree_node *node, int index)
{
    float half = 0.5f * node->side;
    return (rw_quadtree_node){
        .west = node->west + (index & 1 ? half : 0.0f), .south = node->south + (index & 2 ? half : 0.0f), .side = half};
}

static rw_status divide_node(rw_context *context, const rw_wall_grid *grid, const uint32_t *walls, size_t count,
                             size_t node, int depth, rw_wall_quadtree *tree);

/* The walls of one child, and what comes of it. */
static rw_status divide_child(rw_context *context, const rw_wall_grid *grid, const uint32_t *walls, size_t count,
                              size_t child, int depth, rw_wall_quadtree *tree)
{
    uint32_t *own;
    size_t own_count = 0;
    RW_TRY(rw_array_create(context, count, sizeof *own, "the quadtree of walls", &own));
    for (size_t i = 0; i < count; i++)
        if (wall_touches_node(&grid->exact[walls[i]], &tree->nodes[child], margin_of(grid)))
            own[own_count++] = walls[i];
    rw_status status = divide_node(context, grid, own, own_count, child, depth + 1, tree);
    free(own);
    return status;
}

static rw_status divide_node(rw_context *context, const rw_wall_grid *grid, const uint32_t *walls, size_t count,
                             size_t node, int depth, rw_wall_quadtree *tree)
{
    float top = -INFINITY;
    for (size_t i = 0; i < count; i++)
        top = fmaxf(top, nextafterf((float)grid->exact[walls[i]].top, INFINITY));
    tree->nodes[node].top = top;
    if (count <= LEAF_WALLS || depth == RW_QUADTREE_DEPTH)
        return fill_leaf(context, grid, walls, count, node, tree);
    size_t first = tree->node_count;
    RW_TRY(grow_quadtree_array(context, &tree->nodes, &tree->node_capacity, first + 4, sizeof *tree->nodes));
    tree->nodes[node].children = (uint32_t)first;
    tree->node_count += 4;
    for (int i = 0; i < 4; i++)
        tree->nodes[first + (size_t)i] = child_of(&tree->nodes[node], i);
    for (size_t i = 0; i < 4; i++)
        RW_TRY(divide_child(context, grid, walls, count, first + i, depth, tree));
    return RW_OK;
}

rw_status rw_wall_quadtree_create(rw_context *context, const rw_wall_grid *grid, rw_wall_quadtree *tree)
{
    const rw_wall_grid_view *view = &grid->view;
    size_t count = view->wall_count;
    uint32_t *all = NULL;
    *tree = (rw_wall_quadtree){0};
    rw_status status = rw_array_create(context, count, sizeof *all, "the quadtree of walls", &all);
    if (status == RW_OK)
        status = grow_quadtree_array(context, &tree->nodes, &tree->node_capacity, 1, sizeof *tree->nodes);
    if (status == RW_OK)
        status = grow_quadtree_array(context, &tree->entries, &tree->entry_capacity, 1, sizeof *tree->entries);
    for (size_t i = 0; i < count && status == RW_OK; i++)
        all[i] = (uint32_t)i;
    if (status == RW_OK) {
        int cells = view->columns > view->rows ? view->columns : view->rows;
        tree->nodes[0] = (rw_quadtree_node){.west = view->x0, .south = view->y0, .side = (float)cells * view->cell_m};
        tree->node_count = 1;
        status = divide_node(context, grid, all, count, 0, 0, tree);
    }
    free(all);
    if (status != RW_OK)
        rw_wall_quadtree_destroy(tree);
    return status;
}

void rw_wall_quadtree_destroy(rw_wall_quadtree *tree)
{
    free(tree->nodes);
    free(tree->entries);
    *tree = (rw_wall_quadtree){0};
}
