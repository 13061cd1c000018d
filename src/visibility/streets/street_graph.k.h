/* The street graph as kernels see it: which corners see each other, and which corners each receiver sees.
 *
 * None of it depends on a transmitter, but for the altitude above which no path is looked for. Receivers go in chunks
 * of 32 neighbours that share a list of corners, each entry with the least altitude at the corner from which each of
 * the 32 is seen. Heights are kept in steps of 1/64 m, rounded up, so that a graph from a file and one made for a
 * single prediction are the same: up to 1 km above the lowest ground. */
#ifndef RW_VISIBILITY_STREETS_STREET_GRAPH_K_H
#define RW_VISIBILITY_STREETS_STREET_GRAPH_K_H

#include "discretise/walls/corners.k.h"
#include "discretise/receivers/receivers.k.h"
#include "visibility/los/height_march.k.h"
#include "visibility/streets/corner_sectors.k.h"

#define RW_CHUNK 32
#define RW_GROUP                                                                                                       \
    RW_CORNER_GROUP /* chunks, or corners, that share a box: most are far from a corner, and hidden together */
#define RW_STREET_NONE UINT32_MAX

#define RW_HEIGHT_CODE_NEVER 0xffffu
#define RW_HEIGHT_STEPS_PER_M 64.0f

/* From one corner to another that bends what comes from it. */
typedef struct rw_corner_link {
    uint32_t from, to;
    float highest; /* top of the highest thing between */
} rw_corner_link;

/* Corners that receivers of a chunk see lie side by side in entries; a graph that grows adds runs. */
typedef struct rw_chunk_run {
    uint32_t first, count; /* entries */
    uint32_t next;         /* run of the same chunk */
} rw_chunk_run;

/* In plan, around the receivers of a chunk, or around several of them, or around corners. */
typedef struct rw_chunk_box {
    float west, south, east, north;
    float low, high; /* altitudes */
} rw_chunk_box;

typedef struct rw_street_graph_view {
    rw_wall_grid_view grid;
    rw_corners_view corners;
    rw_receivers_view receivers;
    float base_m;       /* altitude of height code 0: at or below everything */
    float roof_m;       /* no path is looked for above */
    float lowest_top_m; /* no corner's top is lower */
    float reach_m;      /* no link is longer */
    float depth_m;      /* nothing on a link is higher above the ground of its higher end, and no receiver sees a corner
                           from higher above the corner's ground only; infinite: not limited */
    float highest_ground_m;
    float receiver_height_m; /* of receivers above the ground: horizons are made for it; higher ones are tested too */
    float lowest_source_m; /* no source is lower, and no path to a receiver longer than longest_m; -infinite: perhaps */
    float longest_m;
    float margin_m;                  /* what horizons count is higher by this: 0 on level ground */
    int for_links;                   /* horizons are those of links */
    float clear_reach_m;             /* horizons know the walls as far as this, by |x| + |y| */
    int taut;                        /* only links that a taut string can take at their beginning; 0: all */
    const rw_corner_sector *sectors; /* of each corner: receivers elsewhere are skipped; NULL: all are searched */
    const rw_corner_sector *known;   /* the part of these in which receivers are there already; NULL: none */
    size_t chunk_count;
    rw_chunk_box *boxes;
    rw_chunk_box *group_boxes;  /* of RW_GROUP chunks each */
    rw_chunk_box *corner_boxes; /* of RW_GROUP corners each */

    rw_corner_link *links;
    size_t link_count;
    uint32_t *run_heads; /* one a chunk */
    rw_chunk_run *runs;
    uint32_t *entry_corners;
    uint16_t *entry_lows; /* least of the entry's heights; rising within a run where sorted */
    int sorted;
    const uint8_t *requested_chunks; /* 1 for each chunk that corners are looked for; NULL: all */
    uint16_t *heights;               /* RW_CHUNK an entry */
} rw_street_graph_view;

RW_FN size_t rw_group_count(size_t members)
{
    return (members + RW_GROUP - 1) / RW_GROUP;
}

/* The altitude up to which a corner is of use. */
RW_FN float rw_corner_cap(const rw_street_graph_view *graph, const rw_corner *corner)
{
    return corner->top < graph->roof_m ? corner->top : graph->roof_m;
}

/* A receiver that sees the corner only from above this altitude does not count. */
RW_FN float rw_corner_hider(const rw_street_graph_view *graph, const rw_corner *corner)
{
    float cap = rw_corner_cap(graph, corner), tallest = corner->ground + graph->depth_m;
    return cap < tallest ? cap : tallest;
}

/* What is higher than this is on no link between two corners: both have the same limit. */
RW_FN float rw_link_tallest(float depth_m, const rw_corner *first, const rw_corner *second)
{
    return (first->ground > second->ground ? first->ground : second->ground) + depth_m;
}

RW_FN uint16_t rw_height_encode(const rw_street_graph_view *graph, float min_z_m, float max_z_m)
{
    float steps = ceilf((min_z_m - graph->base_m) * RW_HEIGHT_STEPS_PER_M);
    if (!(min_z_m <= max_z_m) || steps >= (float)RW_HEIGHT_CODE_NEVER)
        return (uint16_t)RW_HEIGHT_CODE_NEVER;
    return (uint16_t)(steps > 0.0f ? steps : 0.0f);
}

RW_FN float rw_height_decode(const rw_street_graph_view *graph, uint16_t code)
{
    return graph->base_m + (float)code * (1.0f / RW_HEIGHT_STEPS_PER_M);
}

/* The sight from a point at its altitude to a corner. */
RW_FN rw_sight rw_sight_to_corner(const rw_street_graph_view *graph, rw_vec3 from, const rw_corner *corner)
{
    return rw_sight_of(&graph->grid, from, rw_vec3_of(corner->x, corner->y, from.z));
}

#endif
