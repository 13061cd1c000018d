/* Completing rows: 32 rows of a block times the 32 tiles of another are a square of bits, whose other half is its
 * transpose. Rows below the diagonal so get their words in rising order of blocks. */
#include "visibility/tiles/tiles.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bit i of row k to bit k of row i: halves are exchanged, then quarters, down to bits. */
static void transpose_bits(uint32_t bits[RW_TILE_BLOCK])
{
    uint32_t mask = 0x0000ffffu;
    for (int width = 16; width > 0; width >>= 1, mask ^= mask << width)
        for (int k = 0; k < 32; k = ((k | width) + 1) & ~width) {
            uint32_t swap = (bits[k] >> width ^ bits[k | width]) & mask;
            bits[k] ^= swap << width;
            bits[k | width] ^= swap;
        }
}

/* The squares of one row of blocks that are not empty. */
typedef struct square_row {
    uint32_t (*squares)[RW_TILE_BLOCK]; /* of every block */
    uint32_t *blocks;                   /* those with bits, in any order */
    uint8_t *used;
    size_t count;
} square_row;

static void gather_block_rows(const rw_tile_half *half, uint32_t block, square_row *row)
{
    uint32_t first = block * RW_TILE_BLOCK, rest = half->row_count - first;
    uint32_t rows = rest < RW_TILE_BLOCK ? rest : RW_TILE_BLOCK;
    for (size_t i = 0; i < row->count; i++) {
        memset(row->squares[row->blocks[i]], 0, sizeof *row->squares);
        row->used[row->blocks[i]] = 0;
    }
    row->count = 0;
    for (uint32_t k = 0; k < rows; k++)
        for (uint64_t i = half->firsts.items[first + k]; i < half->firsts.items[first + k + 1]; i++) {
            uint32_t other = half->blocks.items[i];
            row->squares[other][k] = half->masks.items[i];
            if (!row->used[other])
                row->blocks[row->count++] = other;
            row->used[other] = 1;
        }
    for (size_t i = 0; i < row->count; i++)
        transpose_bits(row->squares[row->blocks[i]]);
}

/* While rows are completed. */
typedef struct completion {
    const rw_tile_half *half;
    square_row row;
    uint32_t *diagonal; /* of each tile: bits of its own block from below */
    uint64_t *cursors;  /* of each tile: words so far, or where the next goes */
    uint32_t *blocks, *masks;
} completion;

/* Adds the transposed squares of a row of blocks to the rows of the other blocks; blocks NULL: only counts. */
static void transpose_block_rows(completion *now, uint32_t block)
{
    for (size_t i = 0; i < now->row.count; i++) {
        uint32_t other = now->row.blocks[i];
        for (uint32_t k = 0; k < RW_TILE_BLOCK; k++) {
            uint32_t tile = other * RW_TILE_BLOCK + k, bits = now->row.squares[other][k];
            if (!bits)
                continue;
            if (other == block) {
                now->diagonal[tile] = bits;
                continue;
            }
            uint64_t at = now->cursors[tile]++;
            if (now->blocks) {
                now->blocks[at] = block;
                now->masks[at] = bits;
            }
        }
    }
}

static void spread_all(completion *now)
{
    uint32_t block_count = (now->half->row_count + RW_TILE_BLOCK - 1) / RW_TILE_BLOCK;
    for (uint32_t block = 0; block < block_count; block++) {
        gather_block_rows(now->half, block, &now->row);
        transpose_block_rows(now, block);
    }
}

/* The tile's own block and the upper half, after what came from below; blocks NULL: only counts. */
static void append_upper(completion *now, uint32_t tile)
{
    uint64_t first = now->half->firsts.items[tile], end = now->half->firsts.items[tile + 1];
    uint32_t own = tile / RW_TILE_BLOCK, bits = now->diagonal[tile];
    if (first < end && now->half->blocks.items[first] == own)
        bits |= now->half->masks.items[first++];
    if (!now->blocks) {
        now->cursors[tile] += end - first + (bits != 0);
        return;
    }
    uint64_t at = now->cursors[tile];
    if (bits) {
        now->blocks[at] = own;
        now->masks[at++] = bits;
    }
    if (first == end)
        return;
    memcpy(now->blocks + at, now->half->blocks.items + first, (end - first) * sizeof *now->blocks);
    memcpy(now->masks + at, now->half->masks.items + first, (end - first) * sizeof *now->masks);
}

static rw_status fill_tile_sight(rw_context *context, completion *now, rw_tile_sight *sight)
{
    uint32_t count = now->half->row_count;
    uint64_t *firsts, sum = 0;
    RW_TRY(rw_array_create(context, (size_t)count + 1, sizeof *firsts, "rows of tiles", &firsts));
    sight->view.firsts = firsts;
    spread_all(now);
    for (uint32_t tile = 0; tile < count; tile++) {
        append_upper(now, tile);
        firsts[tile] = sum;
        sum += now->cursors[tile];
    }
    firsts[count] = sight->word_count = sum;
    memcpy(now->cursors, firsts, count * sizeof *firsts);
    RW_TRY(rw_array_create(context, sum, sizeof *now->blocks, "rows of tiles", &now->blocks));
    sight->view.blocks = now->blocks;
    RW_TRY(rw_array_create(context, sum, sizeof *now->masks, "rows of tiles", &now->masks));
    sight->view.masks = now->masks;
    spread_all(now);
    for (uint32_t tile = 0; tile < count; tile++)
        append_upper(now, tile);
    return RW_OK;
}

static rw_status allocate_completion(rw_context *context, completion *now)
{
    size_t count = now->half->row_count, block_count = (count + RW_TILE_BLOCK - 1) / RW_TILE_BLOCK;
    square_row *row = &now->row;
    RW_TRY(rw_array_create(context, block_count, sizeof *row->squares, "blocks of tiles", &row->squares));
    RW_TRY(rw_array_create(context, block_count, sizeof *row->blocks, "blocks of tiles", &row->blocks));
    RW_TRY(rw_array_create(context, block_count, sizeof *row->used, "blocks of tiles", &row->used));
    RW_TRY(
        rw_array_create(context, block_count * RW_TILE_BLOCK, sizeof *now->diagonal, "rows of tiles", &now->diagonal));
    return rw_array_create(context, block_count * RW_TILE_BLOCK, sizeof *now->cursors, "rows of tiles", &now->cursors);
}

rw_status rw_tile_sight_complete(rw_context *context, const rw_tile_half *half, rw_tile_sight *sight)
{
    completion now = {.half = half};
    *sight = (rw_tile_sight){.view = {.tile_count = half->row_count}};
    rw_status status = allocate_completion(context, &now);
    if (status == RW_OK)
        status = fill_tile_sight(context, &now, sight);
    free(now.row.squares);
    free(now.row.blocks);
    free(now.row.used);
    free(now.diagonal);
    free(now.cursors);
    if (status != RW_OK)
        rw_tile_sight_destroy(sight);
    return status;
}

rw_status rw_tile_sight_create(const rw_scene *scene, const rw_tiles *tiles, rw_tile_method method,
                               rw_tile_sight *sight)
{
    rw_tile_scan scan;
    rw_tile_half half = {0};
    *sight = (rw_tile_sight){0};
    RW_TRY(rw_tile_scan_create(scene, tiles, method, 0, &scan));
    rw_status status = rw_tile_scan_all(&scan, &half);
    rw_tile_scan_destroy(&scan);
    if (status == RW_OK)
        status = rw_tile_sight_complete(scene->context, &half, sight);
    rw_tile_half_free(&half);
    return status;
}

void rw_tile_sight_destroy(rw_tile_sight *sight)
{
    free((void *)sight->view.firsts);
    free((void *)sight->view.blocks);
    free((void *)sight->view.masks);
    *sight = (rw_tile_sight){0};
}

uint64_t rw_tile_sight_entries(const rw_tile_sight *sight)
{
    uint64_t entries = 0;
    for (uint64_t i = 0; i < sight->word_count; i++)
        entries += rw_bit_count(sight->view.masks[i]);
    return entries;
}

static rw_status upload_sight_array(rw_context *context, const void *host, size_t bytes, void **copy, const void **view)
{
    RW_TRY(rw_device_alloc(context, RW_BACKEND_CUDA, bytes, "rows of tiles", copy));
    *view = *copy;
    return rw_device_upload(context, RW_BACKEND_CUDA, *copy, host, bytes);
}

rw_status rw_tile_sight_upload(rw_context *context, rw_backend backend, const rw_tile_sight *sight,
                               rw_device_tile_sight *device)
{
    *device = (rw_device_tile_sight){.view = sight->view};
    if (backend == RW_BACKEND_CPU)
        return RW_OK;
    rw_tile_sight_view *view = &device->view;
    rw_status status = upload_sight_array(context, view->firsts, ((size_t)view->tile_count + 1) * sizeof *view->firsts,
                                          &device->copies[0], (const void **)&view->firsts);
    if (status == RW_OK)
        status = upload_sight_array(context, view->blocks, sight->word_count * sizeof *view->blocks, &device->copies[1],
                                    (const void **)&view->blocks);
    if (status == RW_OK)
        status = upload_sight_array(context, view->masks, sight->word_count * sizeof *view->masks, &device->copies[2],
                                    (const void **)&view->masks);
    if (status != RW_OK)
        rw_tile_sight_release(backend, device);
    return status;
}

void rw_tile_sight_release(rw_backend backend, rw_device_tile_sight *device)
{
    for (int i = 0; i < 3; i++)
        if (device->copies[i])
            rw_device_free(backend, device->copies[i]);
    *device = (rw_device_tile_sight){0};
}
