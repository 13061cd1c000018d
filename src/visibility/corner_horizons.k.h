/* What surely hides the surroundings of corners: for each corner and direction, the range behind which nothing sees it.
 *
 * A filter before exact marches: only walls near the corner are entered, and only where they span a whole bin and rise
 * above everything of interest, as in polar.k.h, whose bins are joined here by fours. What it does not hide
 * is asked exactly. One item is a share of the grid cells around one corner; on the CPU a corner has one share, since
 * minima are not shared between threads there. */
#ifndef RW_VISIBILITY_CORNER_HORIZONS_K_H
#define RW_VISIBILITY_CORNER_HORIZONS_K_H

#include "visibility/polar_box.k.h"
#include "visibility/street_graph.k.h"

#define RW_HORIZON_RUN 4 /* polar bins in one of the horizon */
#define RW_HORIZON_BINS (RW_POLAR_BINS / RW_HORIZON_RUN)
#define RW_HORIZON_REACH_M 500.0f

typedef struct rw_corner_horizon {
    uint32_t hidden_bits[RW_HORIZON_BINS]; /* bits of a float, as in rw_polar_bins; cleared to bytes of 0x7f: far */
} rw_corner_horizon;

struct rw_corner_horizons_args {
    rw_street_graph_view graph;
    const uint32_t *corners; /* which */
    rw_corner_horizon *horizons;
    int shares;
};

RW_FN void rw_horizon_enter(const rw_polar_wall *wall, rw_corner_horizon *horizon)
{
    int first = (rw_polar_first_inner(wall) + RW_HORIZON_RUN - 1) / RW_HORIZON_RUN;
    int last = rw_polar_last_inner(wall) / RW_HORIZON_RUN;
    for (int bin = first; bin < last; bin++) {
        float before_error, after_error;
        float before = rw_polar_range(wall, bin * RW_HORIZON_RUN, &before_error);
        float after = rw_polar_range(wall, (bin + 1) * RW_HORIZON_RUN, &after_error);
        before += before_error;
        after += after_error;
        float high = before > after ? before : after;
        if (before > 0.0f && after > 0.0f)
            rw_shared_min(&horizon->hidden_bits[bin & (RW_HORIZON_BINS - 1)], rw_float_bits(high));
    }
}

RW_FN void rw_corner_horizons_item(const struct rw_corner_horizons_args *args, size_t item)
{
    const rw_wall_grid_view *grid = &args->graph.grid;
    size_t index = item / (size_t)args->shares;
    int share = (int)(item - index * (size_t)args->shares);
    const rw_corner *corner = args->graph.corners.items + args->corners[index];
    float hides = rw_corner_cap(&args->graph, corner);
    hides = (hides > args->graph.receivers.high_m ? hides : args->graph.receivers.high_m) + 0.01f;
    rw_polar_source source = {corner->x, corner->y, 0.0f, 0.0f, 0.0f};
    float x = (float)corner->x, y = (float)corner->y;
    int west = rw_grid_column(grid, x - RW_HORIZON_REACH_M), east = rw_grid_column(grid, x + RW_HORIZON_REACH_M);
    int south = rw_grid_row(grid, y - RW_HORIZON_REACH_M), north = rw_grid_row(grid, y + RW_HORIZON_REACH_M);
    int columns = east - west + 1, cells = columns * (north - south + 1);
    for (int i = share; i < cells; i += args->shares) {
        size_t cell = (size_t)(south + i / columns) * (size_t)grid->columns + (size_t)(west + i % columns);
        if (!(grid->cells[cell].top > hides))
            continue;
        for (uint32_t e = grid->cells[cell].first; e < grid->cells[cell + 1].first; e++) {
            if (!(grid->entries[e].top > hides))
                continue;
            rw_polar_wall wall = rw_polar_wall_make(&source, grid->exact + grid->entries[e].wall);
            if (!wall.end_on)
                rw_horizon_enter(&wall, args->horizons + index);
        }
    }
}

/* Whether everything in a box is hidden from the corner. */
RW_FN int rw_horizon_hides(const rw_corner_horizon *horizon, const rw_corner *corner, const rw_chunk_box *box)
{
    rw_polar_box polar;
    if (!rw_polar_box_make((float)((double)box->west - corner->x), (float)((double)box->south - corner->y),
                           (float)((double)box->east - corner->x), (float)((double)box->north - corner->y), &polar))
        return 0;
    float near_range = 0.9999f * polar.near_range;
    int first = polar.first_bin / RW_HORIZON_RUN - (polar.first_bin < 0), last = polar.last_bin / RW_HORIZON_RUN;
    for (int bin = first; bin <= last; bin++)
        if (!(near_range > rw_bits_float(horizon->hidden_bits[bin & (RW_HORIZON_BINS - 1)])))
            return 0;
    return 1;
}

#endif
