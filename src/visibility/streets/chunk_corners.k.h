/* Which corners the receivers of a chunk may see: boxes of chunks, then corners against boxes, then receivers. */
#ifndef RW_VISIBILITY_STREETS_CHUNK_CORNERS_K_H
#define RW_VISIBILITY_STREETS_CHUNK_CORNERS_K_H

#include "visibility/streets/corner_horizons.k.h"

/* One item is the box of one chunk. */
struct rw_chunk_boxes_args {
    rw_street_graph_view graph;
};

RW_FN void rw_chunk_boxes_item(const struct rw_chunk_boxes_args *args, size_t item)
{
    const rw_receivers_view *receivers = &args->graph.receivers;
    size_t first = item * RW_CHUNK, end = first + RW_CHUNK;
    end = end < receivers->outdoor_count ? end : receivers->outdoor_count;
    rw_chunk_box box = {1e30f, 1e30f, -1e30f, -1e30f, 1e30f, -1e30f};
    for (size_t i = first; i < end; i++) {
        rw_vec3 point = rw_receiver_point(receivers, receivers->outdoor[i]);
        float x = (float)point.x, y = (float)point.y, z = (float)point.z;
        box.west = x < box.west ? x : box.west;
        box.east = x > box.east ? x : box.east;
        box.south = y < box.south ? y : box.south;
        box.north = y > box.north ? y : box.north;
        box.low = z < box.low ? z : box.low;
        box.high = z > box.high ? z : box.high;
    }
    args->graph.boxes[item] = box;
}

RW_FN float rw_lower_of(float a, float b)
{
    return a < b ? a : b;
}

RW_FN float rw_higher_of(float a, float b)
{
    return a > b ? a : b;
}

/* One item is the box of one group of chunks, once their own are there. */
struct rw_group_boxes_args {
    rw_street_graph_view graph;
};

RW_FN void rw_group_boxes_item(const struct rw_group_boxes_args *args, size_t item)
{
    size_t first = item * RW_GROUP, end = first + RW_GROUP;
    end = end < args->graph.chunk_count ? end : args->graph.chunk_count;
    rw_chunk_box all = args->graph.boxes[first];
    for (size_t i = first + 1; i < end; i++) {
        rw_chunk_box box = args->graph.boxes[i];
        all.west = rw_lower_of(all.west, box.west);
        all.south = rw_lower_of(all.south, box.south);
        all.east = rw_higher_of(all.east, box.east);
        all.north = rw_higher_of(all.north, box.north);
        all.low = rw_lower_of(all.low, box.low);
        all.high = rw_higher_of(all.high, box.high);
    }
    args->graph.group_boxes[item] = all;
}

/* One item is the box of one group of corners, a little larger than they are. */
struct rw_corner_boxes_args {
    rw_street_graph_view graph;
};

RW_FN void rw_corner_boxes_item(const struct rw_corner_boxes_args *args, size_t item)
{
    size_t first = item * RW_GROUP, end = first + RW_GROUP;
    end = end < args->graph.corners.count ? end : args->graph.corners.count;
    rw_chunk_box all = {1e30f, 1e30f, -1e30f, -1e30f, -RW_HEIGHT_ANY, -RW_HEIGHT_ANY};
    for (size_t i = first; i < end; i++) {
        float x = (float)args->graph.corners.items[i].x, y = (float)args->graph.corners.items[i].y;
        all.west = rw_lower_of(all.west, x - 0.02f);
        all.south = rw_lower_of(all.south, y - 0.02f);
        all.east = rw_higher_of(all.east, x + 0.02f);
        all.north = rw_higher_of(all.north, y + 0.02f);
    }
    args->graph.corner_boxes[item] = all;
}

/* Whether no string that is known leaves a corner towards a box, so far as it is not searched yet. */
RW_FN int rw_corner_misses(const rw_street_graph_view *graph, uint32_t number, const rw_chunk_box *box)
{
    rw_corner_sector none = rw_sector_empty();
    return graph->sectors &&
           rw_sector_misses(graph->corners.items + number, graph->sectors + number,
                            graph->known ? graph->known + number : &none, box->west, box->south, box->east, box->north);
}

/* One item is one corner of a list: what is wanted of its sector is known from now on. */
struct rw_keep_sectors_args {
    const uint32_t *corners;
    const rw_corner_sector *wanted;
    rw_corner_sector *known;
};

RW_FN void rw_keep_sectors_item(const struct rw_keep_sectors_args *args, size_t item)
{
    args->known[args->corners[item]] = args->wanted[args->corners[item]];
}

/* A corner that receivers of a chunk may see. */
typedef struct rw_chunk_candidate {
    uint32_t chunk, corner;
    uint32_t index; /* of the corner in its list */
} rw_chunk_candidate;

/* One item is one corner of a list and a share of a group of chunks: candidates where the corner's horizon does not
 * hide the chunk. */
struct rw_chunk_corners_args {
    rw_street_graph_view graph;
    const uint32_t *corners; /* the list */
    const rw_corner_horizon *horizons;
    rw_chunk_candidate *candidates;
    uint32_t *count;   /* of candidates found, those without a place too */
    uint32_t capacity; /* candidates without a place are lost, and the count says so */
    size_t lane_count; /* items a group; RW_GROUP on a device, so that a warp has one group */
};

RW_FN void rw_chunk_corners_item(const struct rw_chunk_corners_args *args, size_t item)
{
    size_t groups = rw_group_count(args->graph.chunk_count), lane = item % args->lane_count,
           pair = item / args->lane_count;
    size_t index = pair / groups, group = pair - index * groups, end = (group + 1) * RW_GROUP;
    const rw_corner *corner = args->graph.corners.items + args->corners[index];
    const rw_chunk_box *box = args->graph.group_boxes + group;
    if (rw_corner_misses(&args->graph, args->corners[index], box) ||
        rw_horizon_hides(&args->graph, args->horizons + index, corner, box))
        return;
    end = end < args->graph.chunk_count ? end : args->graph.chunk_count;
    for (size_t chunk = group * RW_GROUP + lane; chunk < end; chunk += args->lane_count) {
        if ((args->graph.requested_chunks && !args->graph.requested_chunks[chunk]) ||
            rw_corner_misses(&args->graph, args->corners[index], args->graph.boxes + chunk) ||
            rw_horizon_hides(&args->graph, args->horizons + index, corner, args->graph.boxes + chunk))
            continue;
        uint32_t slot = rw_shared_reserve(args->count, 1);
        rw_chunk_candidate candidate = {(uint32_t)chunk, args->corners[index], (uint32_t)index};
        if (slot < args->capacity)
            args->candidates[slot] = candidate;
    }
}

/* What follows works on the candidates of one list. */
typedef struct rw_chunk_work {
    const rw_chunk_candidate *candidates;
    const rw_corner_horizon *horizons; /* of the corners of the list */
    uint16_t *heights;                 /* RW_CHUNK a candidate */
    uint32_t *counts;                  /* of each chunk: candidates that some receiver sees; cleared before */
    uint32_t *cursors;                 /* of each chunk: where its next entry goes */
    uint32_t *entry_count, *run_count; /* of the graph */
} rw_chunk_work;

/* One item is one receiver of a candidate's chunk: from which altitude at the corner it is seen. */
struct rw_see_corners_args {
    rw_street_graph_view graph;
    rw_chunk_work work;
};

/* Whether a taut string can leave the corner towards the receiver, if only such strings count, and is not searched yet;
 * the same floats as in rw_street_try_berg, which skips the others. Half of the marches are saved. */
RW_FN int rw_corner_leads_to(const rw_street_graph_view *graph, uint32_t number, rw_vec3 receiver)
{
    const rw_corner *corner = graph->corners.items + number;
    float dx = (float)(receiver.x - corner->x), dy = (float)(receiver.y - corner->y);
    if (!graph->sectors)
        return !graph->taut || rw_corner_side(corner, (double)dx, (double)dy) != 0;
    return rw_sector_has(corner, graph->sectors + number, dx, dy) &&
           !(graph->known && rw_sector_has(corner, graph->known + number, dx, dy));
}

/* Whether a receiver sees a corner from below this altitude makes no difference: it has the code 0, or no path meets
 * the edge so low. It is below the ground, so that what the depth allows does not depend on it. */
RW_FN float rw_lowest_use_m(const rw_street_graph_view *graph, const rw_corner *corner, float max_z_m)
{
    float edge_m = rw_lower_of(rw_lower_of(corner->bottom, corner->ground), max_z_m) - 2.0f / RW_HEIGHT_STEPS_PER_M;
    return graph->grid.posts ? rw_higher_of(edge_m, graph->base_m) : graph->base_m;
}

/* No path from a source to the receiver is lower at the corner: its heights are those of a straight line along it. What
 * hides the corner from below is of no interest, so that neither ground nor low walls are searched in most cells. */
RW_FN float rw_lowest_path_m(const rw_street_graph_view *graph, const rw_corner *corner, rw_vec3 receiver,
                             float max_z_m)
{
    float rise_m = graph->lowest_source_m - (float)receiver.z;
    if (!(rise_m > 0.0f))
        return -RW_HEIGHT_ANY;
    float dx = (float)(receiver.x - corner->x), dy = (float)(receiver.y - corner->y);
    float z_m = (float)receiver.z + rise_m * sqrtf(dx * dx + dy * dy) / graph->longest_m - 0.05f;
    return rw_lower_of(z_m, max_z_m - 2.0f / RW_HEIGHT_STEPS_PER_M);
}

RW_FN void rw_see_corners_item(const struct rw_see_corners_args *args, size_t item)
{
    const rw_street_graph_view *graph = &args->graph;
    rw_chunk_candidate candidate = args->work.candidates[item / RW_CHUNK];
    size_t outdoor = (size_t)candidate.chunk * RW_CHUNK + item % RW_CHUNK;
    args->work.heights[item] = (uint16_t)RW_HEIGHT_CODE_NEVER;
    if (outdoor >= graph->receivers.outdoor_count)
        return;
    const rw_corner *corner = graph->corners.items + candidate.corner;
    rw_vec3 receiver = rw_receiver_point(&graph->receivers, graph->receivers.outdoor[outdoor]);
    if (!rw_corner_leads_to(graph, candidate.corner, receiver))
        return;
    const rw_corner_horizon *horizon = args->work.horizons + candidate.index;
    rw_chunk_box point = rw_box_of_point(receiver.x, receiver.y);
    rw_horizon_box seen = rw_horizon_box_of(corner, &point);
    if (rw_horizon_hides_box(graph, horizon, corner, &seen, (float)receiver.z))
        return;
    float max_z_m = rw_corner_hider(graph, corner);
    float low_m =
        rw_higher_of(rw_lowest_use_m(graph, corner, max_z_m), rw_lowest_path_m(graph, corner, receiver, max_z_m));
    rw_height_need need = {low_m, RW_HEIGHT_ANY}; /* only the altitude counts */
    int walls = !rw_horizon_clears_box(graph, horizon, &seen);
    if (walls || graph->grid.posts) {
        rw_sight sight = rw_sight_to_corner(graph, receiver, corner);
        need = rw_height_march_beyond(&graph->grid, &sight, max_z_m, RW_HEIGHT_ANY, walls, need);
    }
    args->work.heights[item] = rw_height_encode(graph, need.min_z_m, max_z_m);
}

RW_FN int rw_anybody_sees(const uint16_t *heights)
{
    for (int i = 0; i < RW_CHUNK; i++)
        if (heights[i] != RW_HEIGHT_CODE_NEVER)
            return 1;
    return 0;
}

/* One item is one candidate: counted where a receiver sees it. */
struct rw_count_entries_args {
    rw_street_graph_view graph;
    rw_chunk_work work;
};

RW_FN void rw_count_entries_item(const struct rw_count_entries_args *args, size_t item)
{
    if (rw_anybody_sees(args->work.heights + item * RW_CHUNK))
        rw_shared_add(&args->work.counts[args->work.candidates[item].chunk], 1);
}

/* One item is one chunk: a run for what was counted. */
struct rw_allocate_runs_args {
    rw_street_graph_view graph;
    rw_chunk_work work;
};

RW_FN void rw_allocate_runs_item(const struct rw_allocate_runs_args *args, size_t item)
{
    uint32_t count = args->work.counts[item];
    if (count == 0)
        return;
    uint32_t run = rw_shared_reserve(args->work.run_count, 1);
    rw_chunk_run chunk_run = {rw_shared_reserve(args->work.entry_count, count), count, args->graph.run_heads[item]};
    args->graph.runs[run] = chunk_run;
    args->graph.run_heads[item] = run;
    args->work.cursors[item] = chunk_run.first;
}

/* One item is one candidate: into its chunk's run. */
struct rw_write_entries_args {
    rw_street_graph_view graph;
    rw_chunk_work work;
};

RW_FN void rw_write_entries_item(const struct rw_write_entries_args *args, size_t item)
{
    const uint16_t *heights = args->work.heights + item * RW_CHUNK;
    rw_chunk_candidate candidate = args->work.candidates[item];
    if (!rw_anybody_sees(heights))
        return;
    size_t slot = rw_shared_reserve_of(&args->work.cursors[candidate.chunk], 1);
    uint16_t low = (uint16_t)RW_HEIGHT_CODE_NEVER;
    for (int i = 0; i < RW_CHUNK; i++) {
        args->graph.heights[slot * RW_CHUNK + (size_t)i] = heights[i];
        low = heights[i] < low ? heights[i] : low;
    }
    args->graph.entry_corners[slot] = candidate.corner;
    args->graph.entry_lows[slot] = low;
}

#endif
