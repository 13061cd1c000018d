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

/* Whether tile a sees tile b: a search in its row. */
RW_FN int rw_tile_sees(const rw_tile_sight_view *sight, uint32_t a, uint32_t b)
{
    uint64_t low = sight->firsts[a], high = sight->firsts[a + 1];
    uint32_t block = b / RW_TILE_BLOCK;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (sight->blocks[middle] < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sight->firsts[a + 1] && sight->blocks[low] == block && sight->masks[low] >> b % RW_TILE_BLOCK & 1u;
}

#endif
