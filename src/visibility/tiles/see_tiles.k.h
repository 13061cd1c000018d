/* Which tiles of a block a tile sees: one word of bits for each tile of a band of rows and each block. Kernels.
 *
 * Neighbouring items are neighbouring tiles that look at the same block, so on a GPU a warp reads one target at a time
 * and marches side by side. Only pairs whose second number is the higher are asked; the other half is the same.
 *
 * Where a scene has changed, words come filled with what was seen before, and only pairs are asked that are new or
 * whose line comes near what changed.
 *
 * brute_tiles is the oracle: the exact form for every pair that faces. */
#ifndef RW_VISIBILITY_TILES_SEE_TILES_K_H
#define RW_VISIBILITY_TILES_SEE_TILES_K_H

#include "visibility/tiles/tile_pairs.k.h"
#include "visibility/tiles/tile_sight.k.h"

/* Where something was built or taken down: in plan, widened, and up to which altitude. */
typedef struct rw_changed_box {
    double west, south, east, north, top;
} rw_changed_box;

/* Rows first_tile to first_tile + row_count - 1 against blocks first_block to the last. Words are in this order: all
 * rows of one block, then all of the next. An item is run blocks of one row: one on a GPU, where neighbouring items
 * then write side by side; several on a CPU, which keeps what it knows of the row. */
typedef struct rw_tile_band {
    rw_tile_world world;
    uint32_t first_tile, row_count, first_block;
    uint32_t run;
    uint32_t *words;
    const uint32_t *known; /* of each block: its tiles that were there before; NULL: all are new */
    const rw_changed_box *changes;
    uint32_t change_count;
} rw_tile_band;

RW_FN size_t rw_band_items(const rw_tile_band *band)
{
    uint32_t blocks = band->world.block_count - band->first_block;
    return (size_t)((blocks + band->run - 1u) / band->run) * band->row_count;
}

/* What an item asks: a row and blocks from first to end - 1, all counted from the band's first. */
typedef struct rw_band_share {
    uint32_t row, first, end;
} rw_band_share;

RW_FN rw_band_share rw_band_share_of(const rw_tile_band *band, size_t item)
{
    rw_band_share share;
    uint32_t group = (uint32_t)(item / band->row_count), blocks = band->world.block_count - band->first_block;
    share.row = (uint32_t)(item - (size_t)group * band->row_count);
    share.first = group * band->run;
    share.end = share.first + band->run < blocks ? share.first + band->run : blocks;
    return share;
}

/* Whether a line may come into the box: their boxes meet, and not all corners are on one side of the line. */
RW_FN int rw_line_meets_change(rw_vec3 a, rw_vec3 b, const rw_changed_box *box)
{
    if ((a.x < box->west && b.x < box->west) || (a.x > box->east && b.x > box->east) ||
        (a.y < box->south && b.y < box->south) || (a.y > box->north && b.y > box->north) ||
        (a.z > box->top && b.z > box->top))
        return 0;
    double dx = b.x - a.x, dy = b.y - a.y;
    double west = dy * (box->west - a.x), east = dy * (box->east - a.x);
    double south = dx * (box->south - a.y), north = dx * (box->north - a.y);
    int left = (south > west) + (south > east) + (north > west) + (north > east);
    int right = (south < west) + (south < east) + (north < west) + (north < east);
    return left != 4 && right != 4;
}

/* Whether any line from the tile into the block's box may come into the changed one. */
RW_FN int rw_block_meets_change(rw_vec3 at, const rw_tile_block *block, const rw_changed_box *box)
{
    double west = at.x < block->low[0] ? at.x : block->low[0], east = at.x > block->high[0] ? at.x : block->high[0];
    double south = at.y < block->low[1] ? at.y : block->low[1], north = at.y > block->high[1] ? at.y : block->high[1];
    double low = at.z < block->low[2] ? at.z : block->low[2];
    return west <= box->east && east >= box->west && south <= box->north && north >= box->south && low <= box->top;
}

/* Bits of a block whose answers from before still hold. */
RW_FN uint32_t rw_kept_bits(const rw_tile_band *band, uint32_t tile, uint32_t block)
{
    const rw_tile_world *world = &band->world;
    uint32_t kept = band->known[block];
    if (!(band->known[tile / RW_TILE_BLOCK] >> tile % RW_TILE_BLOCK & 1u))
        return 0;
    rw_vec3 from = rw_eye_point(world->eyes + tile);
    for (uint32_t k = 0; k < band->change_count && kept; k++) {
        if (!rw_block_meets_change(from, world->blocks + block, band->changes + k))
            continue;
        for (uint32_t rest = kept; rest; rest &= rest - 1u) {
            uint32_t i = rw_lowest_bit(rest);
            rw_vec3 to = rw_eye_point(world->eyes + block * RW_TILE_BLOCK + i);
            if (rw_line_meets_change(from, to, band->changes + k))
                kept &= ~(1u << i);
        }
    }
    return kept;
}

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

/* Where a block is from a tile, in float. */
typedef struct rw_block_way {
    float x, y, z, normal_x, normal_y, normal_z;
} rw_block_way;

RW_FN rw_block_way rw_block_way_make(const rw_tile_eye *eye, const rw_tile_block *block)
{
    rw_block_way way;
    way.x = (float)(block->middle[0] - eye->centre.x);
    way.y = (float)(block->middle[1] - eye->centre.y);
    way.z = (float)(block->middle[2] - eye->centre.z);
    way.normal_x = (float)eye->normal.x;
    way.normal_y = (float)eye->normal.y;
    way.normal_z = (float)eye->normal.z;
    return way;
}

/* Bits of the tiles that may face this one and be faced: with a margin for the rounding of float. */
RW_FN uint32_t rw_facing_bits(const rw_block_way *way, const rw_tile_block *block)
{
    uint32_t facing = 0;
    RW_SIMD_OR(facing)
    for (uint32_t i = 0; i < RW_TILE_BLOCK; i++) {
        float dx = way->x + block->x[i], dy = way->y + block->y[i], dz = way->z + block->z[i];
        float ahead = way->normal_x * dx + way->normal_y * dy + way->normal_z * dz;
        float back = -(block->normal_x[i] * dx + block->normal_y[i] * dy + block->normal_z[i] * dz);
        float least = (float)RW_TILE_FACING_M - 1e-6f * (fabsf(dx) + fabsf(dy) + fabsf(dz) + 100.0f);
        float lesser = ahead < back ? ahead : back;
        facing |= lesser > least ? 1u << i : 0u;
    }
    return facing;
}

/* Whether a horizon of the two hides the line between the points of a tile and of tile i of a block. */
RW_FN int rw_pair_hidden(const rw_tile_world *world, const rw_block_way *way, uint32_t tile, uint32_t block_number,
                         uint32_t i)
{
    const rw_tile_block *block = world->blocks + block_number;
    const float offset = (float)RW_TILE_OFFSET_M;
    float dx = way->x + block->x[i] + offset * (block->normal_x[i] - way->normal_x);
    float dy = way->y + block->y[i] + offset * (block->normal_y[i] - way->normal_y);
    float dz = way->z + block->z[i] + offset * (block->normal_z[i] - way->normal_z);
    return rw_horizon_hides_point(world->horizons + tile, dx, dy, dz) ||
           rw_horizon_hides_point(world->horizons + block_number * RW_TILE_BLOCK + i, -dx, -dy, -dz);
}

struct rw_brute_tiles_args {
    rw_tile_band band;
};

RW_FN void rw_brute_tiles_item(const struct rw_brute_tiles_args *args, size_t item)
{
    const rw_tile_band *band = &args->band;
    rw_band_share share = rw_band_share_of(band, item);
    uint32_t tile = band->first_tile + share.row;
    for (uint32_t column = share.first; column < share.end; column++) {
        uint32_t block = band->first_block + column, asked = rw_band_asked(band, tile, block), seen = 0;
        for (uint32_t i = 0; i < RW_TILE_BLOCK; i++)
            if (asked >> i & 1u && rw_tiles_see_exact(&band->world, tile, block * RW_TILE_BLOCK + i))
                seen |= 1u << i;
        band->words[(size_t)column * band->row_count + share.row] = seen;
    }
}

struct rw_see_tiles_args {
    rw_tile_band band;
};

/* Which of the tiles asked in a block the tile sees. */
RW_FN uint32_t rw_see_block(const rw_tile_world *world, uint32_t tile, uint32_t block, uint32_t asked, uint32_t *likely)
{
    const rw_tile_eye *eye = world->eyes + tile;
    uint32_t seen = 0;
    if (!asked || !rw_block_may_face(eye, world->blocks + block) ||
        rw_block_hidden(world->horizons + tile, rw_eye_point(eye), world->blocks + block))
        return 0;
    rw_block_way way = rw_block_way_make(eye, world->blocks + block);
    rw_vec3 from = rw_eye_point(eye);
    for (uint32_t rest = rw_facing_bits(&way, world->blocks + block) & asked; rest; rest &= rest - 1u) {
        uint32_t i = rw_lowest_bit(rest);
        const rw_tile_eye *other = world->eyes + block * RW_TILE_BLOCK + i;
        if (!rw_pair_hidden(world, &way, tile, block, i) && rw_eyes_face(eye, other) &&
            rw_line_clear_next(world, from, rw_eye_point(other), likely))
            seen |= 1u << i;
    }
    return seen;
}

RW_FN void rw_see_tiles_item(const struct rw_see_tiles_args *args, size_t item)
{
    const rw_tile_band *band = &args->band;
    rw_band_share share = rw_band_share_of(band, item);
    uint32_t tile = band->first_tile + share.row, likely = RW_NO_TRIANGLE;
    for (uint32_t column = share.first; column < share.end; column++) {
        uint32_t block = band->first_block + column, asked = rw_band_asked(band, tile, block), before = 0;
        uint32_t *word = band->words + (size_t)column * band->row_count + share.row;
        if (band->known && asked) {
            uint32_t kept = rw_kept_bits(band, tile, block);
            before = *word & kept;
            asked &= ~kept;
        }
        *word = before | rw_see_block(&band->world, tile, block, asked, &likely);
    }
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
