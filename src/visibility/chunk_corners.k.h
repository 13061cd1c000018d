/* Which corners the receivers of a chunk may see: boxes of chunks, then corners against boxes, then receivers. */
#ifndef RW_VISIBILITY_CHUNK_CORNERS_K_H
#define RW_VISIBILITY_CHUNK_CORNERS_K_H

#include "visibility/corner_horizons.k.h"

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

/* One item is one corner of a list and one chunk: an entry where the corner's horizon does not hide the chunk. */
struct rw_chunk_corners_args {
    rw_street_graph_view graph;
    const uint32_t *corners; /* the list */
    const rw_corner_horizon *horizons;
    rw_chunk_corner *entries;
    uint32_t *count;   /* of entries found, those without a place too */
    uint32_t capacity; /* entries without a place are lost, and the count says so */
};

RW_FN void rw_chunk_corners_item(const struct rw_chunk_corners_args *args, size_t item)
{
    size_t index = item / args->graph.chunk_count, chunk = item - index * args->graph.chunk_count;
    const rw_corner *corner = args->graph.corners.items + args->corners[index];
    if (rw_horizon_hides(args->horizons + index, corner, args->graph.boxes + chunk))
        return;
    uint32_t place = rw_shared_take(args->count, 1);
    rw_chunk_corner entry = {(uint32_t)chunk, args->corners[index], RW_STREET_NONE};
    if (place < args->capacity)
        args->entries[place] = entry;
}

/* One item is one receiver of an entry's chunk: from which altitude at the corner it is seen. */
struct rw_see_corners_args {
    rw_street_graph_view graph;
    size_t first; /* entry of item 0 */
};

RW_FN void rw_see_corners_item(const struct rw_see_corners_args *args, size_t item)
{
    const rw_street_graph_view *graph = &args->graph;
    const rw_chunk_corner *entry = graph->entries + args->first + item / RW_CHUNK;
    size_t outdoor = (size_t)entry->chunk * RW_CHUNK + item % RW_CHUNK;
    uint16_t *height = graph->heights + args->first * RW_CHUNK + item;
    *height = (uint16_t)RW_HEIGHT_CODE_NEVER;
    if (outdoor >= graph->receivers.outdoor_count)
        return;
    const rw_corner *corner = graph->corners.items + entry->corner;
    rw_vec3 receiver = rw_receiver_point(&graph->receivers, graph->receivers.outdoor[outdoor]);
    rw_sight sight = rw_sight_to_corner(graph, receiver, corner);
    float most = rw_corner_cap(graph, corner);
    *height = rw_height_encode(graph, rw_height_march(&graph->grid, &sight, most).least, most);
}

/* Hangs entries into the lists of their chunks, those that no receiver sees left out: one item is one entry. */
struct rw_list_entries_args {
    rw_street_graph_view graph;
    size_t first; /* item 0 */
};

RW_FN void rw_list_entries_item(const struct rw_list_entries_args *args, size_t item)
{
    size_t at = args->first + item;
    const uint16_t *heights = args->graph.heights + at * RW_CHUNK;
    rw_chunk_corner *entry = args->graph.entries + at;
    for (int i = 0; i < RW_CHUNK; i++)
        if (heights[i] != RW_HEIGHT_CODE_NEVER) {
            entry->next = rw_shared_exchange(&args->graph.entry_heads[entry->chunk], (uint32_t)at);
            return;
        }
}

#endif
