/* The tiles of a few words of a row, side by side, so that the lanes of an item have one each.
 *
 * Words hold anything from one to 32 tiles: lanes that took a word each would wait for the fullest. */
#ifndef RW_MODELS_TILES_TILE_QUEUE_K_H
#define RW_MODELS_TILES_TILE_QUEUE_K_H

#include "base/kernel/lanes.h"
#include "visibility/tiles/tile_sight.k.h"

typedef struct rw_tile_queue {
    uint32_t count;
    uint32_t tiles[RW_GPU_LANES * RW_TILE_BLOCK];
} rw_tile_queue;

/* Each lane gives a word of its own; an empty mask: none. */
RW_FN void rw_tile_queue_push(rw_tile_queue *queue, uint32_t block, uint32_t mask)
{
    uint32_t count = rw_bit_count(mask), at = rw_lanes_before(count);
    rw_lanes_meet(); /* the queue before this one has been read */
    if (rw_lane() == rw_lane_count() - 1)
        queue->count = at + count;
    for (; mask; mask &= mask - 1u)
        queue->tiles[at++] = block * RW_TILE_BLOCK + rw_lowest_bit(mask);
    rw_lanes_meet();
}

/* Keeps the tile of each lane that says yes, behind the kept ones of the rounds before; returns how many are kept then.
 * Rounds go upwards, so that nothing is overwritten that is still wanted. */
RW_FN uint32_t rw_tile_queue_compact(rw_tile_queue *queue, uint32_t remaining, uint32_t tile, int yes)
{
    uint32_t which = rw_lanes_which(yes), before = which & ((1u << rw_lane()) - 1u);
    if (yes)
        queue->tiles[remaining + rw_bit_count(before)] = tile;
    rw_lanes_meet();
    return remaining + rw_bit_count(which);
}

#endif
