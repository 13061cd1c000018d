/* What surely hides the surroundings of corners: for each corner and direction, the range behind which nothing sees it.
 *
 * A filter before exact marches: walls are entered only where they span a whole bin and rise above everything of
 * interest, as in polar.k.h, whose bins are joined here by fours. What it does not hide is asked exactly.
 *
 * Walls come in square blocks of grid cells, ring by ring from the corner outwards, and blocks that are hidden already
 * are left out, so that a corner costs what it sees and not the city. One item is a share of the blocks around one
 * corner. On the CPU a corner has one share, since minima are not shared between threads there, and it ends with the
 * first ring that is wholly hidden; on a device shares work side by side, and only near the corner. */
#ifndef RW_VISIBILITY_STREETS_CORNER_HORIZONS_K_H
#define RW_VISIBILITY_STREETS_CORNER_HORIZONS_K_H

#include "visibility/los/polar/polar.k.h"
#include "visibility/streets/street_graph.k.h"

#define RW_HORIZON_RUN 4 /* polar bins in one of the horizon */
#define RW_HORIZON_BINS (RW_POLAR_BINS / RW_HORIZON_RUN)

typedef struct rw_corner_horizon {
    uint32_t hidden_bits[RW_HORIZON_BINS]; /* bits of a float, as in rw_polar_bins; cleared to bytes of 0x7f: far */
} rw_corner_horizon;

struct rw_corner_horizons_args {
    rw_street_graph_view graph;
    const uint32_t *corners; /* which */
    rw_corner_horizon *horizons;
    int lane_count;
    int block; /* grid cells a side of a block */
    int rings; /* of blocks around that of the corner */
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

/* Horizons of a slice of corners to and from those that are kept: one item is one direction of one corner. */
struct rw_copy_horizons_args {
    rw_corner_horizon *slice, *cached;
    const uint32_t *slots; /* of each corner of the slice among those kept; RW_STREET_NONE: it is not */
    size_t fresh;          /* the first so many are kept, the others read */
};

RW_FN void rw_copy_horizons_item(const struct rw_copy_horizons_args *args, size_t item)
{
    size_t index = item / RW_HORIZON_BINS, bin = item - index * RW_HORIZON_BINS;
    uint32_t slot = args->slots[index];
    if (slot == RW_STREET_NONE)
        return;
    if (index < args->fresh)
        args->cached[slot].hidden_bits[bin] = args->slice[index].hidden_bits[bin];
    else
        args->slice[index].hidden_bits[bin] = args->cached[slot].hidden_bits[bin];
}

/* Whether everything in a box is hidden from the corner. */
RW_FN int rw_horizon_hides(const rw_corner_horizon *horizon, const rw_corner *corner, const rw_chunk_box *box)
{
    rw_polar_box polar;
    if (!rw_polar_box_init((float)((double)box->west - corner->x), (float)((double)box->south - corner->y),
                           (float)((double)box->east - corner->x), (float)((double)box->north - corner->y), &polar))
        return 0;
    float near_range = 0.9999f * polar.near_range;
    int first = polar.first_bin / RW_HORIZON_RUN - (polar.first_bin < 0), last = polar.last_bin / RW_HORIZON_RUN;
    for (int bin = first; bin <= last; bin++)
        if (!(near_range > rw_bits_float(horizon->hidden_bits[bin & (RW_HORIZON_BINS - 1)])))
            return 0;
    return 1;
}

/* The walls of one grid cell that rise above hides. */
RW_FN void rw_horizon_enter_cell(const rw_wall_grid_view *grid, const rw_corner *corner, float hides, size_t cell,
                                 rw_corner_horizon *horizon)
{
    rw_polar_source source = {corner->x, corner->y, 0.0f, 0.0f, 0.0f};
    if (!(grid->cells[cell].top > hides))
        return;
    for (uint32_t e = grid->cells[cell].first; e < grid->cells[cell + 1].first; e++) {
        if (!(grid->entries[e].top > hides))
            continue;
        rw_polar_wall wall = rw_polar_wall_of(&source, grid->exact + grid->entries[e].wall);
        if (!wall.end_on)
            rw_horizon_enter(&wall, horizon);
    }
}

/* Where a block lies, counted ring by ring from the middle, each ring from its south-west corner counter-clockwise. */
RW_FN int rw_ring_position(int number, int *column, int *row)
{
    int ring = (int)((sqrtf((float)number) + 1.0f) * 0.5f);
    *column = *row = 0;
    if (ring == 0)
        return 0;
    int rest = number - (2 * ring - 1) * (2 * ring - 1), side = rest / (2 * ring), along = rest - side * 2 * ring;
    *column = side == 0 ? along - ring : side == 1 ? ring : side == 2 ? ring - along : -ring;
    *row = side == 0 ? -ring : side == 1 ? along - ring : side == 2 ? ring : ring - along;
    return ring;
}

/* Enters a block unless it is hidden already; returns whether anything of it was to be seen. */
RW_FN int rw_horizon_enter_block(const struct rw_corner_horizons_args *args, const rw_corner *corner, int column,
                                 int row, rw_corner_horizon *horizon)
{
    const rw_wall_grid_view *grid = &args->graph.grid;
    float west = grid->x0 + (float)column * grid->cell_m, south = grid->y0 + (float)row * grid->cell_m;
    float side = (float)args->block * grid->cell_m, hides = rw_corner_hider(&args->graph, corner);
    rw_chunk_box box = {west, south, west + side, south + side, 0.0f, 0.0f};
    if (column < 0 || row < 0 || column >= grid->columns || row >= grid->rows ||
        rw_horizon_hides(horizon, corner, &box))
        return 0;
    hides = (hides > args->graph.receivers.high_m ? hides : args->graph.receivers.high_m) + 0.01f;
    for (int y = row; y < row + args->block && y < grid->rows; y++)
        for (int x = column; x < column + args->block && x < grid->columns; x++)
            rw_horizon_enter_cell(grid, corner, hides, (size_t)y * (size_t)grid->columns + (size_t)x, horizon);
    return 1;
}

RW_FN void rw_corner_horizons_item(const struct rw_corner_horizons_args *args, size_t item)
{
    size_t index = item / (size_t)args->lane_count;
    const rw_corner *corner = args->graph.corners.items + args->corners[index];
    int column = rw_grid_column(&args->graph.grid, (float)corner->x) / args->block;
    int row = rw_grid_row(&args->graph.grid, (float)corner->y) / args->block;
    int block_count = (2 * args->rings + 1) * (2 * args->rings + 1), last_open = 0;
    for (int i = (int)(item - index * (size_t)args->lane_count); i < block_count; i += args->lane_count) {
        int right, up, ring = rw_ring_position(i, &right, &up);
        if (ring > last_open + 1 && args->lane_count == 1)
            return;
        if (rw_horizon_enter_block(args, corner, (column + right) * args->block, (row + up) * args->block,
                                   args->horizons + index))
            last_open = ring;
    }
}

#endif
