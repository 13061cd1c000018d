/* Enters the pieces of walls that span many bins of a polar buffer: item i takes bins i, i + stride and so on, counted
 * through all pieces, so that neighbouring items work on neighbouring bins. Pieces that found no place were entered by
 * their wall. */
#ifndef RW_VISIBILITY_LOS_POLAR_POLAR_PIECES_K_H
#define RW_VISIBILITY_LOS_POLAR_POLAR_PIECES_K_H

#include "visibility/los/polar/polar_walls.k.h"

struct rw_polar_pieces_args {
    struct rw_polar_walls_args walls;
    size_t stride;
};

RW_FN void rw_polar_pieces_item(const struct rw_polar_pieces_args *args, size_t item)
{
    const struct rw_polar_walls_args *walls = &args->walls;
    uint32_t count = *walls->piece_count < walls->piece_capacity ? *walls->piece_count : walls->piece_capacity;
    for (size_t i = item; i < (size_t)count * RW_POLAR_PIECE; i += args->stride) {
        rw_polar_piece piece = walls->pieces[i / RW_POLAR_PIECE];
        int bin = piece.first + (int)(i % RW_POLAR_PIECE);
        const rw_exact_wall *exact = walls->all.grid.exact + piece.wall;
        rw_polar_source source = rw_polar_source_of(&walls->all, piece.source);
        rw_polar_wall wall = rw_polar_wall_of(&source, exact);
        if (bin >= rw_polar_last_inner(&wall))
            continue;
        rw_polar_reach reach = rw_polar_reach_of(&source, (float)exact->bottom, (float)exact->top);
        rw_polar_enter_spanned(&wall, reach, bin, bin + 1, walls->bins + piece.source);
    }
}

#endif
