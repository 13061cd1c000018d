/* Which walls a fan meets, by the quadtree of Schmitz and others (2011), section 4.2.1: the nodes that a beam overlaps
 * are visited, nearer ones first, and the walls of their leaves are taken.
 *
 * What it finds is what fan_walls.k.h finds by the wall grid. It heeds neither the ground nor where receivers are,
 * which the grid's cells know: fans are followed farther than rays get, and each path is asked for the ground in its
 * way. */
#ifndef RW_MODELS_BEAMS_FANS_FAN_QUADTREE_K_H
#define RW_MODELS_BEAMS_FANS_FAN_QUADTREE_K_H

#include "discretise/walls/wall_quadtree.k.h"
#include "models/beams/fans/fan_walls.k.h"

/* A node on hand: where the fan comes to it and leaves it, along the walk's axis in the sense of the walk. */
typedef struct rw_fan_node {
    uint32_t node;
    float in_m, out_m;
} rw_fan_node;

/* Whether the fan overlaps a node: its beginning lies before the node's far side, and the node across between the
 * edges. */
RW_FN int rw_fan_overlaps(const rw_fan_walk *walk, const rw_quadtree_node *node, rw_fan_node *fan_node)
{
    double m0 = (double)(walk->along_x ? node->west : node->south), side = (double)node->side;
    double n0 = (double)(walk->along_x ? node->south : node->west);
    double m_in = walk->sense > 0 ? m0 : m0 + side, m_out = walk->sense > 0 ? m0 + side : m0;
    if (walk->sense * (m_out - walk->m_start) < -1e-6)
        return 0;
    m_in = walk->sense * (m_in - walk->m_start) < 0 ? walk->m_start : m_in;
    double a = walk->n + (m_in - walk->m) * walk->slope_right, b = walk->n + (m_in - walk->m) * walk->slope_left;
    double c = walk->n + (m_out - walk->m) * walk->slope_right, d = walk->n + (m_out - walk->m) * walk->slope_left;
    fan_node->in_m = (float)(walk->sense * m_in) - 0.01f;
    fan_node->out_m = (float)(walk->sense * m_out) + 0.01f;
    return fmin(fmin(a, b), fmin(c, d)) - 1e-3 <= n0 + side && fmax(fmax(a, b), fmax(c, d)) + 1e-3 >= n0;
}

/* Puts the children of a node that the fan overlaps on hand, so that the nearest is taken next. */
RW_FN int rw_fan_push_children(const rw_fan_walk *walk, const rw_quadtree_view *quadtree, uint32_t first,
                               rw_fan_node *hand, int count)
{
    int before = count;
    for (uint32_t i = 0; i < 4; i++) {
        rw_fan_node fan_node;
        fan_node.node = first + i;
        if (!rw_fan_overlaps(walk, quadtree->nodes + first + i, &fan_node))
            continue;
        int at = count++;
        for (; at > before && hand[at - 1].in_m < fan_node.in_m; at--)
            hand[at] = hand[at - 1];
        hand[at] = fan_node;
    }
    return count;
}

/* How far the walk has been: everything nearer along the axis has been looked at. */
RW_FN double rw_fan_walked_m(const rw_fan_node *hand, int count)
{
    float walked_m = INFINITY;
    for (int i = 0; i < count; i++)
        walked_m = hand[i].in_m < walked_m ? hand[i].in_m : walked_m;
    return (double)walked_m;
}

/* The walls of a leaf. Returns whether the search ends. */
RW_FN int rw_fan_search_leaf(rw_fan_search *search, const rw_quadtree_node *leaf, const rw_fan_node *at,
                             rw_fan_walls *found, int *fresh)
{
    const rw_fan_walk *walk = &search->walk;
    double near_m = (double)at->in_m - walk->sense * walk->m, far_m = (double)at->out_m - walk->sense * walk->m;
    near_m = near_m > 0 ? near_m : 0;
    search->heights.slope_low = search->horizon.min_slope;
    double lowest_m = rw_lowest_ray_m(&search->heights, search->heights.before_m + near_m,
                                      search->heights.before_m + far_m * walk->stretch);
    rw_fan_entries entries = {leaf->first, leaf->count, 0, leaf->count, 0};
    if (near_m > found->reach_m || !((double)leaf->top > lowest_m))
        return 0;
    return rw_fan_add_entries(search, &entries, lowest_m, found, fresh);
}

/* All walls that matter to the fan, and some behind them. Lanes share the walls of a leaf, and each gets what all
 * found. */
RW_FN void rw_fan_find_walls_in_quadtree(const rw_wall_grid_view *grid, const rw_quadtree_view *quadtree,
                                         const rw_fan *fan, const rw_fan_question *question,
                                         rw_fan_workspace *workspace, rw_fan_walls *found)
{
    rw_fan_search search;
    rw_fan_node hand[RW_QUADTREE_STACK];
    rw_fan_search_begin(grid, fan, question, workspace, &search, found);
    search.entries = quadtree->entries;
    double reach = INFINITY;
    int count = 0;
    hand[0].node = 0;
    if (rw_fan_overlaps(&search.walk, quadtree->nodes, &hand[0]))
        count = 1;
    while (count) {
        rw_fan_node at = hand[--count];
        const rw_quadtree_node *node = quadtree->nodes + at.node;
        if ((double)at.in_m > reach)
            continue;
        if (node->children) {
            count = rw_fan_push_children(&search.walk, quadtree, node->children, hand, count);
            continue;
        }
        int fresh = 0;
        if (rw_fan_search_leaf(&search, node, &at, found, &fresh))
            break;
        reach = fresh ? rw_fan_reach(fan, &search.walk, found) : reach;
        double walked_m = rw_fan_walked_m(hand, count), along_m = walked_m - search.walk.sense * search.walk.m;
        if (count && along_m > 0 &&
            rw_fan_advance(&search, walked_m, along_m * search.walk.stretch, search.horizon.min_slope, found))
            break;
    }
    rw_lanes_meet();
}

#endif
