/* What surely hides the surroundings of corners, and what surely does not: for each corner and direction, the range
 * behind which nothing sees it, and the range before which there is no wall.
 *
 * A filter before exact marches. Walls hide only where they span a whole bin and rise above everything of interest, as
 * in polar.k.h, whose bins are joined here by fours; walls of any height end what is clear. Between the two ranges the
 * answer is found exactly.
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
    uint32_t clear_bits[RW_HORIZON_BINS];  /* no wall is nearer, in bins that are not hidden before */
} rw_corner_horizon;

struct rw_corner_horizons_args {
    rw_street_graph_view graph;
    const uint32_t *corners; /* which */
    rw_corner_horizon *horizons;
    int lane_count;
    int block; /* grid cells a side of a block */
    int rings; /* of blocks around that of the corner */
};

/* Ranges of a wall at the edge of a bin: no less than low, no more than high; found 0 where it may end before. */
typedef struct rw_horizon_edge {
    float low, high;
    int found;
} rw_horizon_edge;

RW_FN rw_horizon_edge rw_horizon_edge_of(const rw_polar_wall *wall, int bin)
{
    int edge = bin * RW_HORIZON_RUN;
    rw_horizon_edge at = {0.0f, 0.0f, edge >= rw_polar_first_inner(wall) && edge <= rw_polar_last_inner(wall)};
    if (at.found) {
        float error, range = rw_polar_range(wall, edge, &error);
        at.low = range - error;
        at.high = range + error;
    }
    return at;
}

/* Whether a wall is behind what hides already, in all bins that it touches. */
RW_FN int rw_horizon_covers(const rw_corner_horizon *horizon, const rw_polar_wall *wall, int first, int last)
{
    int whole =
        !wall->end_on && wall->first_bin >= 0 &&
        wall->first_bin / RW_POLAR_QUARTER == wall->last_bin / RW_POLAR_QUARTER; /* ranges are linear along it */
    float nearest = whole ? rw_polar_end_range(wall, 0, 0.0f, 0, 0.0f) : rw_polar_min_range(wall);
    for (int bin = first; bin <= last; bin++)
        if (!(nearest > rw_bits_float(horizon->hidden_bits[bin & (RW_HORIZON_BINS - 1)])))
            return 0;
    return 1;
}

/* Enters a wall; hides: it is high enough to hide what is behind it. */
RW_FN void rw_horizon_enter(const rw_polar_wall *wall, int hides, rw_corner_horizon *horizon)
{
    int first = wall->first_bin / RW_HORIZON_RUN - (wall->first_bin < 0), last = wall->last_bin / RW_HORIZON_RUN;
    if (rw_horizon_covers(horizon, wall, first, last))
        return;
    rw_horizon_edge before = rw_horizon_edge_of(wall, first), after;
    for (int bin = first; bin <= last; bin++, before = after) {
        int at = bin & (RW_HORIZON_BINS - 1);
        after = rw_horizon_edge_of(wall, bin + 1);
        int spans = before.found && after.found && !wall->end_on;
        float low = spans ? (before.low < after.low ? before.low : after.low)
                          : rw_polar_end_range(wall, before.found, before.low, after.found, after.low);
        rw_shared_min(&horizon->clear_bits[at], rw_float_bits(low > 0.0f ? low : 0.0f));
        if (hides && spans && before.high > 0.0f && after.high > 0.0f)
            rw_shared_min(&horizon->hidden_bits[at],
                          rw_float_bits(before.high > after.high ? before.high : after.high));
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
    rw_corner_horizon *from = index < args->fresh ? args->slice + index : args->cached + slot;
    rw_corner_horizon *to = index < args->fresh ? args->cached + slot : args->slice + index;
    to->hidden_bits[bin] = from->hidden_bits[bin];
    to->clear_bits[bin] = from->clear_bits[bin];
}

/* What is higher than this, and the margin, makes the horizon of a corner. */
RW_FN float rw_horizon_hider(const rw_street_graph_view *graph, const rw_corner *corner)
{
    float ground = !graph->for_links                          ? corner->ground
                   : graph->reach_m > (float)RW_CORNER_NEAR_M ? graph->highest_ground_m
                                                              : corner->near_ground;
    float cap = rw_corner_cap(graph, corner), tallest = ground + graph->depth_m;
    float hider = cap < tallest ? cap : tallest, receivers = ground + graph->receiver_height_m;
    return hider > receivers ? hider : receivers;
}

/* A box as the corner sees it. */
typedef struct rw_horizon_box {
    int bounded; /* 0: the corner is in it, or too near */
    int first_bin, last_bin;
    float near_range, far_range;
} rw_horizon_box;

RW_FN rw_horizon_box rw_horizon_box_of(const rw_corner *corner, const rw_chunk_box *box)
{
    rw_polar_box polar;
    float west = (float)((double)box->west - corner->x), east = (float)((double)box->east - corner->x);
    float south = (float)((double)box->south - corner->y), north = (float)((double)box->north - corner->y);
    rw_horizon_box seen = {rw_polar_box_init(west, south, east, north, &polar), 0, -1, 0.0f, 0.0f};
    if (!seen.bounded)
        return seen;
    seen.first_bin = polar.first_bin / RW_HORIZON_RUN - (polar.first_bin < 0);
    seen.last_bin = polar.last_bin / RW_HORIZON_RUN;
    seen.near_range = 0.9999f * polar.near_range;
    seen.far_range = 1.0001f * (polar.near_range + (east - west) + (north - south));
    return seen;
}

/* Whether everything in a box that is no higher than high_m is hidden from the corner. What is higher than the hider
 * may be seen over the horizon, unless it is so much farther away that the line is still below the margin there. */
RW_FN int rw_horizon_hides_box(const rw_street_graph_view *graph, const rw_corner_horizon *horizon,
                               const rw_corner *corner, const rw_horizon_box *box, float high_m)
{
    float above = high_m - rw_horizon_hider(graph, corner);
    float farthest = above > 0.0f ? box->near_range * graph->margin_m / above : box->near_range;
    farthest = farthest < box->near_range ? farthest : box->near_range;
    for (int bin = box->first_bin; bin <= box->last_bin; bin++)
        if (!(farthest > rw_bits_float(horizon->hidden_bits[bin & (RW_HORIZON_BINS - 1)])))
            return 0;
    return box->bounded;
}

RW_FN int rw_horizon_hides(const rw_street_graph_view *graph, const rw_corner_horizon *horizon, const rw_corner *corner,
                           const rw_chunk_box *box)
{
    rw_horizon_box seen = rw_horizon_box_of(corner, box);
    return rw_horizon_hides_box(graph, horizon, corner, &seen, box->high);
}

/* Whether no wall is between the corner and a box that is not hidden from it; 0 where that is not certain. */
RW_FN int rw_horizon_clears_box(const rw_street_graph_view *graph, const rw_corner_horizon *horizon,
                                const rw_horizon_box *box)
{
    if (!(box->far_range < graph->clear_reach_m))
        return 0;
    for (int bin = box->first_bin; bin <= box->last_bin; bin++)
        if (!(box->far_range < rw_bits_float(horizon->clear_bits[bin & (RW_HORIZON_BINS - 1)])))
            return 0;
    return box->bounded;
}

/* A point of the plane with what single precision may have cost it. */
RW_FN rw_chunk_box rw_box_of_point(double x, double y)
{
    rw_chunk_box box = {(float)x - 0.01f, (float)y - 0.01f, (float)x + 0.01f,
                        (float)y + 0.01f, -RW_HEIGHT_ANY,   -RW_HEIGHT_ANY};
    return box;
}

/* Walls that were entered lately: most lie in several cells. */
#define RW_HORIZON_RECENT 64

/* The walls of one grid cell; those that rise above hides hide. */
RW_FN void rw_horizon_enter_cell(const rw_wall_grid_view *grid, const rw_corner *corner, float hides, size_t cell,
                                 uint32_t *recent, rw_corner_horizon *horizon)
{
    rw_polar_source source = {corner->x, corner->y, 0.0f, 0.0f, 0.0f};
    for (uint32_t e = grid->cells[cell].first; e < grid->cells[cell + 1].first; e++) {
        uint32_t number = grid->entries[e].wall;
        if (recent[number % RW_HORIZON_RECENT] == number)
            continue;
        recent[number % RW_HORIZON_RECENT] = number;
        rw_polar_wall wall = rw_polar_wall_of(&source, grid->exact + number);
        rw_horizon_enter(&wall, grid->entries[e].top > hides, horizon);
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
                                 int row, uint32_t *recent, rw_corner_horizon *horizon)
{
    const rw_wall_grid_view *grid = &args->graph.grid;
    float west = grid->x0 + (float)column * grid->cell_m, south = grid->y0 + (float)row * grid->cell_m;
    float side = (float)args->block * grid->cell_m;
    rw_chunk_box box = {west, south, west + side, south + side, -RW_HEIGHT_ANY, -RW_HEIGHT_ANY};
    if (column < 0 || row < 0 || column >= grid->columns || row >= grid->rows ||
        (args->graph.taut && rw_sector_excludes(corner, west, south, west + side, south + side)) ||
        rw_horizon_hides(&args->graph, horizon, corner, &box))
        return 0;
    float hides = rw_horizon_hider(&args->graph, corner) + args->graph.margin_m + 0.01f;
    for (int y = row; y < row + args->block && y < grid->rows; y++)
        for (int x = column; x < column + args->block && x < grid->columns; x++)
            rw_horizon_enter_cell(grid, corner, hides, (size_t)y * (size_t)grid->columns + (size_t)x, recent, horizon);
    return 1;
}

/* Whether no taut string leaves the corner through a bin, nor close to it: a bin is at most 0.008 rad wide. */
RW_FN int rw_horizon_is_unused(const rw_corner *corner, int bin)
{
    const double wider = 0.01;
    float x, y;
    rw_polar_edge(bin * RW_HORIZON_RUN, &x, &y);
    double length = sqrt((double)(x * x + y * y));
    double slack_a =
        length * (3 * RW_CORNER_OFFSET_M + wider * sqrt(corner->ax * corner->ax + corner->ay * corner->ay));
    double slack_b =
        length * (3 * RW_CORNER_OFFSET_M + wider * sqrt(corner->bx * corner->bx + corner->by * corner->by));
    double a = (double)x * corner->ay - (double)y * corner->ax, b = (double)x * corner->by - (double)y * corner->bx;
    return !((a >= -slack_a && b >= -slack_b) || (a <= slack_a && b <= slack_b));
}

/* Where only taut strings count, nothing has to be entered in the directions that none takes: they count as hidden, and
 * as not clear, from the corner on. */
RW_FN void rw_horizon_skip_unused(const struct rw_corner_horizons_args *args, const rw_corner *corner, int lane,
                                  rw_corner_horizon *horizon)
{
    for (int bin = lane; args->graph.taut && bin < RW_HORIZON_BINS; bin += args->lane_count)
        if (rw_horizon_is_unused(corner, bin) && rw_horizon_is_unused(corner, bin + 1)) {
            rw_shared_min(&horizon->hidden_bits[bin], 0u);
            rw_shared_min(&horizon->clear_bits[bin], 0u);
        }
}

RW_FN void rw_corner_horizons_item(const struct rw_corner_horizons_args *args, size_t item)
{
    size_t index = item / (size_t)args->lane_count;
    const rw_corner *corner = args->graph.corners.items + args->corners[index];
    int column = rw_grid_column(&args->graph.grid, (float)corner->x) / args->block;
    int row = rw_grid_row(&args->graph.grid, (float)corner->y) / args->block;
    uint32_t recent[RW_HORIZON_RECENT];
    for (int i = 0; i < RW_HORIZON_RECENT; i++)
        recent[i] = RW_STREET_NONE;
    int block_count = (2 * args->rings + 1) * (2 * args->rings + 1), last_open = 0;
    int lane = (int)(item - index * (size_t)args->lane_count);
    rw_horizon_skip_unused(args, corner, lane, args->horizons + index);
    for (int i = lane; i < block_count; i += args->lane_count) {
        int right, up, ring = rw_ring_position(i, &right, &up);
        if (ring > last_open + 1 && args->lane_count == 1)
            return;
        if (rw_horizon_enter_block(args, corner, (column + right) * args->block, (row + up) * args->block, recent,
                                   args->horizons + index))
            last_open = ring;
    }
}

#endif
