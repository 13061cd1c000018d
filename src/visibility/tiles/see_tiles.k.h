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
    rw_tile_geometry_view geometry;
    uint32_t first_tile, row_count, first_block;
    uint32_t run;
    uint32_t *words;
    const uint32_t *existing; /* of each block: its tiles that were there before; NULL: all are new */
    const rw_changed_box *changes;
    uint32_t change_count;
} rw_tile_band;

RW_FN size_t rw_band_items(const rw_tile_band *band)
{
    uint32_t blocks = band->geometry.block_count - band->first_block;
    return (size_t)((blocks + band->run - 1u) / band->run) * band->row_count;
}

/* What an item asks: a row and blocks from first to end - 1, all counted from the band's first. */
typedef struct rw_band_task {
    uint32_t row, first, end;
} rw_band_task;

RW_FN rw_band_task rw_band_task_of(const rw_tile_band *band, size_t item)
{
    rw_band_task task;
    uint32_t group = (uint32_t)(item / band->row_count), blocks = band->geometry.block_count - band->first_block;
    task.row = (uint32_t)(item - (size_t)group * band->row_count);
    task.first = group * band->run;
    task.end = task.first + band->run < blocks ? task.first + band->run : blocks;
    return task;
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
RW_FN uint32_t rw_unchanged_bits(const rw_tile_band *band, uint32_t tile, uint32_t block)
{
    const rw_tile_geometry_view *geometry = &band->geometry;
    uint32_t unchanged = band->existing[block];
    if (!(band->existing[tile / RW_TILE_BLOCK] >> tile % RW_TILE_BLOCK & 1u))
        return 0;
    rw_vec3 from = rw_eye_point(geometry->eyes + tile);
    for (uint32_t k = 0; k < band->change_count && unchanged; k++) {
        if (!rw_block_meets_change(from, geometry->blocks + block, band->changes + k))
            continue;
        for (uint32_t rest = unchanged; rest; rest &= rest - 1u) {
            uint32_t i = rw_lowest_bit(rest);
            rw_vec3 to = rw_eye_point(geometry->eyes + block * RW_TILE_BLOCK + i);
            if (rw_line_meets_change(from, to, band->changes + k))
                unchanged &= ~(1u << i);
        }
    }
    return unchanged;
}

/* Bits of a block whose tiles have a higher number than the tile and exist. */
RW_FN uint32_t rw_band_requested(const rw_tile_band *band, uint32_t tile, uint32_t block)
{
    uint32_t first = block * RW_TILE_BLOCK, rest = band->geometry.tile_count - first, requested = 0xffffffffu;
    if (rest < RW_TILE_BLOCK)
        requested &= (1u << rest) - 1u;
    if (tile >= first + RW_TILE_BLOCK - 1u)
        return 0;
    return tile < first ? requested : requested & 0xfffffffeu << (tile - first);
}

/* Where a block is from a tile, in float. */
typedef struct rw_block_offset {
    float x, y, z, normal_x, normal_y, normal_z;
} rw_block_offset;

RW_FN rw_block_offset rw_block_offset_of(const rw_tile_eye *eye, const rw_tile_block *block)
{
    rw_block_offset to_block;
    to_block.x = (float)(block->middle[0] - eye->centre.x);
    to_block.y = (float)(block->middle[1] - eye->centre.y);
    to_block.z = (float)(block->middle[2] - eye->centre.z);
    to_block.normal_x = (float)eye->normal.x;
    to_block.normal_y = (float)eye->normal.y;
    to_block.normal_z = (float)eye->normal.z;
    return to_block;
}

/* Bits of the tiles that may face this one and be faced: with a margin for the rounding of float. */
RW_FN uint32_t rw_facing_bits(const rw_block_offset *to_block, const rw_tile_block *block)
{
    uint32_t facing = 0;
    RW_SIMD_OR(facing)
    for (uint32_t i = 0; i < RW_TILE_BLOCK; i++) {
        float dx = to_block->x + block->x[i], dy = to_block->y + block->y[i], dz = to_block->z + block->z[i];
        float ahead = to_block->normal_x * dx + to_block->normal_y * dy + to_block->normal_z * dz;
        float back = -(block->normal_x[i] * dx + block->normal_y[i] * dy + block->normal_z[i] * dz);
        float min_facing_m = (float)RW_TILE_FACING_M - 1e-6f * (fabsf(dx) + fabsf(dy) + fabsf(dz) + 100.0f);
        float lesser = ahead < back ? ahead : back;
        facing |= lesser > min_facing_m ? 1u << i : 0u;
    }
    return facing;
}

/* Whether a horizon of the two hides the line between the points of a tile and of tile i of a block. */
RW_FN int rw_pair_hidden(const rw_tile_geometry_view *geometry, const rw_block_offset *to_block, uint32_t tile,
                         uint32_t block_number, uint32_t i)
{
    const rw_tile_block *block = geometry->blocks + block_number;
    const float offset = (float)RW_TILE_OFFSET_M;
    float dx = to_block->x + block->x[i] + offset * (block->normal_x[i] - to_block->normal_x);
    float dy = to_block->y + block->y[i] + offset * (block->normal_y[i] - to_block->normal_y);
    float dz = to_block->z + block->z[i] + offset * (block->normal_z[i] - to_block->normal_z);
    return rw_horizon_hides_point(geometry->horizons + tile, dx, dy, dz) ||
           rw_horizon_hides_point(geometry->horizons + block_number * RW_TILE_BLOCK + i, -dx, -dy, -dz);
}

struct rw_brute_tiles_args {
    rw_tile_band band;
};

RW_FN void rw_brute_tiles_item(const struct rw_brute_tiles_args *args, size_t item)
{
    const rw_tile_band *band = &args->band;
    rw_band_task task = rw_band_task_of(band, item);
    uint32_t tile = band->first_tile + task.row;
    for (uint32_t column = task.first; column < task.end; column++) {
        uint32_t block = band->first_block + column, requested = rw_band_requested(band, tile, block), seen = 0;
        for (uint32_t i = 0; i < RW_TILE_BLOCK; i++)
            if (requested >> i & 1u && rw_tiles_see_exact(&band->geometry, tile, block * RW_TILE_BLOCK + i))
                seen |= 1u << i;
        band->words[(size_t)column * band->row_count + task.row] = seen;
    }
}

struct rw_see_tiles_args {
    rw_tile_band band;
};

/* Which of the tiles asked in a block the tile sees. */
RW_FN uint32_t rw_see_block(const rw_tile_geometry_view *geometry, uint32_t tile, uint32_t block, uint32_t requested,
                            uint32_t *likely)
{
    const rw_tile_eye *eye = geometry->eyes + tile;
    uint32_t seen = 0;
    if (!requested || !rw_block_may_face(eye, geometry->blocks + block) ||
        rw_block_hidden(geometry->horizons + tile, rw_eye_point(eye), geometry->blocks + block))
        return 0;
    rw_block_offset to_block = rw_block_offset_of(eye, geometry->blocks + block);
    rw_vec3 from = rw_eye_point(eye);
    for (uint32_t rest = rw_facing_bits(&to_block, geometry->blocks + block) & requested; rest; rest &= rest - 1u) {
        uint32_t i = rw_lowest_bit(rest);
        const rw_tile_eye *other = geometry->eyes + block * RW_TILE_BLOCK + i;
        if (!rw_pair_hidden(geometry, &to_block, tile, block, i) && rw_eyes_face(eye, other) &&
            rw_line_clear_next(geometry, from, rw_eye_point(other), likely))
            seen |= 1u << i;
    }
    return seen;
}

RW_FN void rw_see_tiles_item(const struct rw_see_tiles_args *args, size_t item)
{
    const rw_tile_band *band = &args->band;
    rw_band_task task = rw_band_task_of(band, item);
    uint32_t tile = band->first_tile + task.row, likely = RW_NO_TRIANGLE;
    for (uint32_t column = task.first; column < task.end; column++) {
        uint32_t block = band->first_block + column, requested = rw_band_requested(band, tile, block), before = 0;
        uint32_t *word = band->words + (size_t)column * band->row_count + task.row;
        if (band->existing && requested) {
            uint32_t unchanged = rw_unchanged_bits(band, tile, block);
            before = *word & unchanged;
            requested &= ~unchanged;
        }
        *word = before | rw_see_block(&band->geometry, tile, block, requested, &likely);
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

struct rw_compact_tile_words_args {
    const uint32_t *words;
    uint32_t row_count, block_count, first_block;
    const uint32_t *firsts; /* of each row in what is written */
    uint32_t *blocks, *masks;
};

RW_FN void rw_compact_tile_words_item(const struct rw_compact_tile_words_args *args, size_t row)
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
