/* Fills the polar buffers of many sources, for the GPU, where all walls go at once: one item is one wall of one source. A wall that
 * spans many bins leaves them as pieces on a list for polar_pieces.k.h, so that no thread is long at it. */
#ifndef RW_VISIBILITY_POLAR_WALLS_K_H
#define RW_VISIBILITY_POLAR_WALLS_K_H

#include "visibility/polar.k.h"

#define RW_POLAR_PIECE 8 /* bins */

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
    size_t index = item / args->all.grid.wall_count, number = item - index * args->all.grid.wall_count;
    const rw_exact_wall *exact = args->all.grid.exact + number;
    rw_polar_source source = rw_polar_source_make(&args->all, index);
    rw_polar_reach reach = rw_polar_reach_make(&source, (float)exact->bottom, (float)exact->top);
    if (reach.most <= 0.0f)
        return;
    rw_polar_wall wall = rw_polar_wall_make(&source, exact);
    rw_polar_bins *bins = args->bins + index;
    rw_polar_enter_ends(&wall, reach, bins);
    int first = rw_polar_first_inner(&wall), last = rw_polar_last_inner(&wall);
    int own_end = first + RW_POLAR_PIECE < last ? first + RW_POLAR_PIECE : last;
    rw_polar_enter_spanned(&wall, reach, first, own_end, bins);
    for (int piece = own_end; piece < last; piece += RW_POLAR_PIECE) {
        uint32_t place = rw_shared_next(args->piece_count);
        int piece_end = piece + RW_POLAR_PIECE < last ? piece + RW_POLAR_PIECE : last;
        if (place < args->piece_capacity) {
            rw_polar_piece entry = {(uint32_t)index, (uint32_t)number, piece};
            args->pieces[place] = entry;
        } else {
            rw_polar_enter_spanned(&wall, reach, piece, piece_end, bins);
        }
    }
}

#endif
