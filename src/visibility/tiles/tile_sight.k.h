/* Visibility of tiles as kernels read it: for each tile the blocks in which it sees something, and which tiles there.
 *
 * Row t has words firsts[t] to firsts[t + 1] - 1, by rising block; bit i of masks[k] is tile blocks[k] * RW_TILE_BLOCK
 * + i. Rows are complete (both halves of the symmetric matrix). A word is one look at 32 tiles: a natural share of work
 * for a thread. */
#ifndef RW_VISIBILITY_TILES_TILE_SIGHT_K_H
#define RW_VISIBILITY_TILES_TILE_SIGHT_K_H

#include "discretise/tiles/tiles.k.h"

typedef struct rw_tile_sight_view {
    const uint64_t *firsts; /* tile_count + 1 */
    const uint32_t *blocks, *masks;
    uint32_t tile_count;
} rw_tile_sight_view;

/* Tiles of a block that a tile sees. */
RW_FN uint32_t rw_tile_row_word(const rw_tile_sight_view *sight, uint32_t tile, uint32_t block)
{
    uint64_t low = sight->firsts[tile], end = sight->firsts[tile + 1], high = end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (sight->blocks[middle] < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && sight->blocks[low] == block ? sight->masks[low] : 0u;
}

/* Whether tile a sees tile b: a search in its row. */
RW_FN int rw_tile_sees(const rw_tile_sight_view *sight, uint32_t a, uint32_t b)
{
    return (int)(rw_tile_row_word(sight, a, b / RW_TILE_BLOCK) >> b % RW_TILE_BLOCK & 1u);
}

#endif
