/* Fills the polar buffers of many sources, for the GPU, where all walls go at once: one item is one wall of one source.
 * A wall that spans many bins leaves them as pieces on a list for polar_pieces.k.h, so that no thread is long at it. */
#ifndef RW_VISIBILITY_LOS_POLAR_POLAR_WALLS_K_H
#define RW_VISIBILITY_LOS_POLAR_POLAR_WALLS_K_H

#include "visibility/los/polar/polar.k.h"

#define RW_POLAR_OWN 2   /* bins that a wall's own item enters */
#define RW_POLAR_PIECE 8 /* bins of a piece */

/* One piece of a wall: RW_POLAR_PIECE bins from first on, or fewer at the wall's end. */
typedef struct rw_polar_piece {
    uint32_t source, wall;
    int32_t first;
} rw_polar_piece;

struct rw_polar_walls_args {
    rw_los_arrays all;
    rw_polar_bins *bins; /* one a source, cleared before */
    rw_polar_piece *pieces;
    uint32_t *piece_count;
    uint32_t piece_capacity;
};

RW_FN void rw_polar_walls_item(const struct rw_polar_walls_args *args, size_t item)
{
    size_t index = item / args->all.near_count;
    size_t number = rw_los_wall(&args->all, item - index * args->all.near_count);
    const rw_exact_wall *exact = args->all.grid.exact + number;
    rw_polar_source source = rw_polar_source_of(&args->all, index);
    rw_polar_reach reach = rw_polar_reach_of(&source, (float)exact->bottom, (float)exact->top);
    if (reach.max <= 0.0f)
        return;
    rw_polar_wall wall = rw_polar_wall_of(&source, exact);
    rw_polar_bins *bins = args->bins + index;
    rw_polar_enter_ends(&wall, reach, bins);
    int first = rw_polar_first_inner(&wall), last = rw_polar_last_inner(&wall);
    int own_end = first + RW_POLAR_OWN < last ? first + RW_POLAR_OWN : last;
    rw_polar_enter_spanned(&wall, reach, first, own_end, bins);
    if (own_end >= last)
        return;
    uint32_t pieces = (uint32_t)(last - own_end + RW_POLAR_PIECE - 1) / RW_POLAR_PIECE;
    uint32_t first_slot = rw_shared_reserve(args->piece_count, pieces);
    int fits = first_slot < args->piece_capacity && pieces <= args->piece_capacity - first_slot;
    if (!fits)
        rw_polar_enter_spanned(&wall, reach, own_end, last, bins);
    for (uint32_t i = 0; i < pieces && first_slot + i < args->piece_capacity; i++) {
        /* Where not all of them fit, the places taken hold pieces beyond the wall's end, which enter nothing. */
        rw_polar_piece piece = {(uint32_t)index, (uint32_t)number,
                                fits ? own_end + (int32_t)i * RW_POLAR_PIECE : 2 * RW_POLAR_BINS};
        args->pieces[first_slot + i] = piece;
    }
}

#endif
