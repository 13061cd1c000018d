/* Which corners see each other: one item is one corner of a list and a share of a group of other corners. A link is
 * kept where the second bends what comes from the first, equations (5) to (8) of Rick and Kuhlen (2010), and the two
 * see each other at least from as high as they are of use. */
#ifndef RW_VISIBILITY_STREETS_LINK_CORNERS_K_H
#define RW_VISIBILITY_STREETS_LINK_CORNERS_K_H

#include "visibility/streets/corner_horizons.k.h"

struct rw_link_corners_args {
    rw_street_graph_view graph;
    const uint32_t *corners; /* the list */
    const rw_corner_horizon *horizons;
    rw_corner_link *links;
    uint32_t *count;        /* of links found, those without a place too */
    uint32_t capacity;      /* links without a place are lost, and the count says so */
    size_t lane_count;      /* items a group, as in chunk_corners.k.h */
    const uint32_t *groups; /* those that links of the list can end in */
    size_t group_count;
};

/* Whether the first corner can be left along the link by a string that lies taut round it, where that is asked. */
RW_FN int rw_link_leaves(const rw_street_graph_view *graph, const rw_corner *first, const rw_corner *second)
{
    return !graph->taut || rw_corner_side(first, second->x - first->x, second->y - first->y) != 0;
}

RW_FN void rw_link_two(const struct rw_link_corners_args *args, size_t index, size_t to)
{
    const rw_corners_view *all = &args->graph.corners;
    size_t from = args->corners[index];
    const rw_corner *first = all->items + from, *second = all->items + to;
    if (from == to || !rw_corner_bends(second, first->x, first->y) || !rw_link_leaves(&args->graph, first, second))
        return;
    double dx = second->x - first->x, dy = second->y - first->y, reach = (double)args->graph.reach_m;
    if (dx * dx + dy * dy > reach * reach)
        return;
    rw_chunk_box point = rw_box_of_point(second->x, second->y);
    rw_horizon_box seen = rw_horizon_box_of(first, &point);
    if (rw_horizon_hides_box(&args->graph, args->horizons + index, first, &seen, -RW_HEIGHT_ANY))
        return;
    rw_vec3 start = rw_vec3_of(first->x, first->y, (double)rw_corner_cap(&args->graph, first));
    rw_sight sight = rw_sight_to_corner(&args->graph, start, second);
    float max_z_m = rw_corner_cap(&args->graph, second),
          tallest_m = rw_link_tallest(args->graph.depth_m, first, second);
    int walls = !rw_horizon_clears_box(&args->graph, args->horizons + index, &seen);
    rw_height_need need = {-RW_HEIGHT_ANY, -RW_HEIGHT_ANY};
    if (walls || args->graph.grid.posts)
        need = rw_height_march_beyond(&args->graph.grid, &sight, max_z_m, tallest_m, walls, need);
    if (!(need.min_z_m <= max_z_m) || need.highest > tallest_m)
        return;
    uint32_t slot = rw_shared_reserve(args->count, 1);
    rw_corner_link link = {(uint32_t)from, (uint32_t)to, need.highest};
    if (slot < args->capacity)
        args->links[slot] = link;
}

RW_FN void rw_link_corners_item(const struct rw_link_corners_args *args, size_t item)
{
    size_t count = args->graph.corners.count;
    size_t lane = item % args->lane_count, pair = item / args->lane_count, index = pair / args->group_count;
    size_t group = args->groups[pair - index * args->group_count], end = (group + 1) * RW_GROUP;
    const rw_corner *corner = args->graph.corners.items + args->corners[index];
    const rw_chunk_box *box = args->graph.corner_boxes + group;
    float x = (float)corner->x, y = (float)corner->y, reach = args->graph.reach_m + 1.0f;
    if (box->west - x > reach || x - box->east > reach || box->south - y > reach || y - box->north > reach ||
        (args->graph.taut && rw_sector_excludes(corner, box->west, box->south, box->east, box->north)) ||
        rw_horizon_hides(&args->graph, args->horizons + index, corner, box))
        return;
    for (size_t to = group * RW_GROUP + lane; to < end && to < count; to += args->lane_count)
        rw_link_two(args, index, to);
}

#endif
