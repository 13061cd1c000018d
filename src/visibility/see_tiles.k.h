/* Which tiles of a block a tile sees: one word of bits for each tile of a band of rows and each block. Kernels.
 *
 * Neighbouring items are neighbouring tiles that look at the same block, so on a GPU a warp reads one target at a time
 * and marches side by side. Only pairs whose second number is the higher are asked; the other half is the same.
 *
 * brute_tiles is the oracle: the exact form for every pair that faces. */
#ifndef RW_VISIBILITY_SEE_TILES_K_H
#define RW_VISIBILITY_SEE_TILES_K_H

#include "visibility/tile_pairs.k.h"

/* Rows first_tile to first_tile + row_count - 1 against blocks first_block to the last, in this order: all rows of one
 * block, then all of the next. */
typedef struct rw_tile_band {
    rw_tile_world world;
    uint32_t first_tile, row_count, first_block;
    uint32_t *words;
} rw_tile_band;

/* Bits of a block whose tiles have a higher number than the tile and exist. */
RW_FN uint32_t rw_band_asked(const rw_tile_band *band, uint32_t tile, uint32_t block)
{
    uint32_t first = block * RW_TILE_BLOCK, rest = band->world.tile_count - first, asked = 0xffffffffu;
    if (rest < RW_TILE_BLOCK)
        asked &= (1u << rest) - 1u;
    if (tile >= first + RW_TILE_BLOCK - 1u)
        return 0;
    return tile < first ? asked : asked & 0xfffffffeu << (tile - first);
}

/* Bits of the tiles that face this one and are faced. */
RW_FN uint32_t rw_facing_bits(const rw_tile_world *world, const rw_tile_eye *eye, uint32_t first, uint32_t asked)
{
    uint32_t facing = 0;
    for (uint32_t i = 0; i < RW_TILE_BLOCK; i++)
        if (asked >> i & 1u && rw_eyes_face(eye, world->eyes + first + i))
            facing |= 1u << i;
    return facing;
}

struct rw_brute_tiles_args {
    rw_tile_band band;
};

RW_FN void rw_brute_tiles_item(const struct rw_brute_tiles_args *args, size_t item)
{
    const rw_tile_band *band = &args->band;
    uint32_t block = band->first_block + (uint32_t)(item / band->row_count);
    uint32_t tile = band->first_tile + (uint32_t)(item % band->row_count), seen = 0;
    uint32_t asked = rw_band_asked(band, tile, block);
    for (uint32_t i = 0; i < RW_TILE_BLOCK; i++)
        if (asked >> i & 1u && rw_tiles_see_exact(&band->world, tile, block * RW_TILE_BLOCK + i))
            seen |= 1u << i;
    band->words[item] = seen;
}

struct rw_see_tiles_args {
    rw_tile_band band;
};

RW_FN void rw_see_tiles_item(const struct rw_see_tiles_args *args, size_t item)
{
    const rw_tile_band *band = &args->band;
    const rw_tile_world *world = &band->world;
    uint32_t block = band->first_block + (uint32_t)(item / band->row_count), first = block * RW_TILE_BLOCK;
    uint32_t tile = band->first_tile + (uint32_t)(item % band->row_count), seen = 0;
    const rw_tile_eye *eye = world->eyes + tile;
    uint32_t asked = rw_band_asked(band, tile, block);
    if (asked && rw_block_may_face(eye, world->blocks + block)) {
        uint32_t facing = rw_facing_bits(world, eye, first, asked);
        rw_vec3 from = rw_eye_point(eye);
        for (uint32_t i = 0; i < RW_TILE_BLOCK; i++)
            if (facing >> i & 1u && rw_line_clear(world, from, rw_eye_point(world->eyes + first + i)))
                seen |= 1u << i;
    }
    band->words[item] = seen;
}

/* Counts the words of each row that are not empty, then puts them side by side. */
struct rw_count_tile_words_args {
    const uint32_t *words;
    uint32_t row_count, block_count;
    uint32_t *counts;
};

RW_FN void rw_count_tile_words_item(const struct rw_count_tile_words_args *args, size_t row)
{
    uint32_t count = 0;
    for (size_t block = 0; block < args->block_count; block++)
        count += args->words[block * args->row_count + row] != 0;
    args->counts[row] = count;
}

struct rw_take_tile_words_args {
    const uint32_t *words;
    uint32_t row_count, block_count, first_block;
    const uint32_t *firsts; /* of each row in what is written */
    uint32_t *blocks, *masks;
};

RW_FN void rw_take_tile_words_item(const struct rw_take_tile_words_args *args, size_t row)
{
    uint32_t at = args->firsts[row];
    for (size_t block = 0; block < args->block_count; block++) {
        uint32_t word = args->words[block * args->row_count + row];
        if (word) {
            args->blocks[at] = args->first_block + (uint32_t)block;
            args->masks[at++] = word;
        }
    }
}

#endif
