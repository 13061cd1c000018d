#include "visibility/tiles/tiles.h"

#include "base/memory.h"
#include "base/progress.h"
#include "visibility/tiles/tile_horizons.k.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rw_tile_half_free(rw_tile_half *half)
{
    free(half->firsts.items);
    free(half->blocks.items);
    free(half->masks.items);
    *half = (rw_tile_half){0};
}

static rw_status allocate_tile_scan(rw_tile_scan *scan, double max_bytes)
{
    rw_context *context = scan->context;
    rw_backend backend = scan->geometry.backend;
    const rw_tile_geometry_view *geometry = &scan->geometry.view;
    double steps = max_bytes / (4.0 * (double)geometry->block_count * RW_TILE_BAND_STEP);
    double all = ceil((double)geometry->tile_count / RW_TILE_BAND_STEP);
    steps = steps > all ? all : steps < 1 ? 1 : floor(steps);
    scan->band_rows = (uint32_t)steps * RW_TILE_BAND_STEP;
    size_t words = (size_t)scan->band_rows * geometry->block_count;
    RW_TRY(rw_device_alloc(context, backend, words * sizeof *scan->words, "a band of tiles", &scan->words));
    RW_TRY(rw_device_alloc(context, backend, scan->band_rows * sizeof *scan->counts, "a band of tiles", &scan->counts));
    RW_TRY(rw_device_alloc(context, backend, scan->band_rows * sizeof *scan->firsts, "a band of tiles", &scan->firsts));
    return rw_array_create(context, scan->band_rows + 1, sizeof *scan->host_counts, "a band of tiles",
                           &scan->host_counts);
}

static rw_status make_horizons(rw_tile_scan *scan)
{
    rw_tile_geometry_view *geometry = &scan->geometry.view;
    size_t count = (size_t)geometry->block_count * RW_TILE_BLOCK; /* whole blocks are read */
    RW_TRY(rw_device_alloc(scan->context, scan->geometry.backend, count * sizeof *scan->horizons, "horizons of tiles",
                           &scan->horizons));
    struct rw_tile_horizons_args args = {*geometry, RW_TILE_HORIZON_REACH_M, scan->horizons};
    geometry->horizons = scan->horizons;
    return rw_device_launch(scan->context, scan->geometry.backend, RW_KERNEL_tile_horizons, &args,
                            geometry->tile_count);
}

rw_status rw_tile_scan_create(const rw_scene *scene, const rw_tiles *tiles, rw_tile_method method, double max_bytes,
                              rw_tile_scan *scan)
{
    rw_context *context = scene->context;
    *scan = (rw_tile_scan){.context = context, .method = method};
    RW_TRY(rw_tile_geometry_upload(scene, tiles, context->backend, &scan->geometry));
    double default_bytes = context->backend == RW_BACKEND_CUDA ? 5e8 : 32e6;
    rw_status status = allocate_tile_scan(
        scan, max_bytes > 0 ? max_bytes : rw_device_buffer_bytes(context->backend, default_bytes, 0.25));
    if (status == RW_OK && method == RW_TILES_FAST)
        status = make_horizons(scan);
    if (status != RW_OK)
        rw_tile_scan_destroy(scan);
    return status;
}

void rw_tile_scan_destroy(rw_tile_scan *scan)
{
    void *const arrays[] = {scan->words,    scan->counts,   scan->firsts, scan->packed,
                            scan->horizons, scan->existing, scan->boxes};
    for (int i = 0; i < 7; i++)
        if (arrays[i])
            rw_device_free(scan->geometry.backend, arrays[i]);
    free(scan->host_counts);
    free(scan->host_words);
    rw_tile_geometry_release(&scan->geometry);
    *scan = (rw_tile_scan){0};
}

rw_status rw_tile_scan_set_change(rw_tile_scan *scan, const rw_tile_change *change)
{
    rw_context *context = scan->context;
    rw_backend backend = scan->geometry.backend;
    size_t existing = scan->geometry.view.block_count * sizeof *scan->existing,
           boxes = change->boxes.count * sizeof *scan->boxes;
    RW_TRY(rw_device_alloc(context, backend, existing, "tiles", &scan->existing));
    RW_TRY(rw_device_upload(context, backend, scan->existing, change->existing, existing));
    RW_TRY(rw_device_alloc(context, backend, boxes + 1, "changes", &scan->boxes));
    if (boxes)
        RW_TRY(rw_device_upload(context, backend, scan->boxes, change->boxes.items, boxes));
    RW_TRY(rw_array_create(context, (size_t)scan->band_rows * scan->geometry.view.block_count, sizeof *scan->host_words,
                           "a band of tiles", &scan->host_words));
    scan->change = change;
    return RW_OK;
}

/* What the rows of a band saw before, as words. */
static rw_status fill_words(rw_tile_scan *scan, uint32_t first_tile, uint32_t row_count, uint32_t first_block)
{
    size_t words = (size_t)(scan->geometry.view.block_count - first_block) * row_count;
    memset(scan->host_words, 0, words * sizeof *scan->host_words);
    for (uint32_t row = 0; row < row_count; row++) {
        uint64_t end = scan->change->firsts[first_tile + row + 1];
        for (uint64_t i = scan->change->firsts[first_tile + row]; i < end; i++) {
            uint32_t other = scan->change->others[i];
            size_t block = other / RW_TILE_BLOCK - first_block;
            scan->host_words[block * row_count + row] |= 1u << other % RW_TILE_BLOCK;
        }
    }
    return rw_device_upload(scan->context, scan->geometry.backend, scan->words, scan->host_words,
                            words * sizeof *scan->words);
}

static rw_status launch_tile_scan(rw_tile_scan *scan, uint32_t first_tile, uint32_t row_count, uint32_t first_block)
{
    rw_backend backend = scan->geometry.backend;
    uint32_t run = backend == RW_BACKEND_CUDA ? 1 : 16;
    rw_tile_band band = {.geometry = scan->geometry.view,
                         .first_tile = first_tile,
                         .row_count = row_count,
                         .first_block = first_block,
                         .run = run,
                         .words = scan->words,
                         .existing = scan->existing,
                         .changes = scan->boxes,
                         .change_count = scan->change ? (uint32_t)scan->change->boxes.count : 0};
    size_t items = rw_band_items(&band);
    struct rw_see_tiles_args fast = {band};
    struct rw_brute_tiles_args brute = {band};
    return scan->method == RW_TILES_BRUTE
               ? rw_device_launch(scan->context, backend, RW_KERNEL_brute_tiles, &brute, items)
               : rw_device_launch(scan->context, backend, RW_KERNEL_see_tiles, &fast, items);
}

/* Counts of the rows become firsts, on the host; returns their sum. */
static rw_status locate_tile_rows(rw_tile_scan *scan, uint32_t row_count, rw_tile_half *half, uint64_t *sum)
{
    rw_context *context = scan->context;
    RW_TRY(RW_ARRAY_RESERVE(context, half->firsts, row_count + 1, "rows of tiles"));
    if (half->firsts.count == 0)
        half->firsts.items[half->firsts.count++] = 0;
    uint64_t before = half->firsts.items[half->firsts.count - 1];
    *sum = 0;
    for (uint32_t i = 0; i < row_count; i++) {
        uint32_t count = scan->host_counts[i];
        scan->host_counts[i] = (uint32_t)*sum;
        *sum += count;
        half->firsts.items[half->firsts.count++] = before + *sum;
    }
    if (*sum > UINT32_MAX)
        return rw_fail(context, RW_TOO_LARGE, "a band of tiles sees too much; give it less memory");
    return rw_device_upload(context, scan->geometry.backend, scan->firsts, scan->host_counts,
                            row_count * sizeof *scan->firsts);
}

static rw_status download_tile_words(rw_tile_scan *scan, uint32_t row_count, uint32_t first_block, uint64_t sum,
                                     rw_tile_half *half)
{
    rw_context *context = scan->context;
    rw_backend backend = scan->geometry.backend;
    if (sum == 0)
        return RW_OK;
    if (sum > scan->packed_capacity) {
        scan->packed_capacity = sum + sum / 4;
        RW_TRY(rw_device_grow(context, backend, &scan->packed, 0, 2 * scan->packed_capacity * sizeof *scan->packed,
                              "rows of tiles"));
    }
    struct rw_compact_tile_words_args args = {
        .words = scan->words,
        .row_count = row_count,
        .block_count = scan->geometry.view.block_count - first_block,
        .first_block = first_block,
        .firsts = scan->firsts,
        .blocks = scan->packed,
        .masks = scan->packed + sum,
    };
    RW_TRY(rw_device_launch(context, backend, RW_KERNEL_compact_tile_words, &args, row_count));
    RW_TRY(RW_ARRAY_RESERVE(context, half->blocks, sum, "rows of tiles"));
    RW_TRY(RW_ARRAY_RESERVE(context, half->masks, sum, "rows of tiles"));
    RW_TRY(rw_device_download(context, backend, half->blocks.items + half->blocks.count, args.blocks, sum * 4));
    RW_TRY(rw_device_download(context, backend, half->masks.items + half->masks.count, args.masks, sum * 4));
    half->blocks.count += sum;
    half->masks.count += sum;
    return RW_OK;
}

rw_status rw_tile_scan_band(rw_tile_scan *scan, uint32_t first_tile, uint32_t row_count, rw_tile_half *half)
{
    rw_context *context = scan->context;
    rw_backend backend = scan->geometry.backend;
    uint32_t first_block = first_tile / RW_TILE_BLOCK;
    uint64_t sum;
    if (scan->change)
        RW_TRY(fill_words(scan, first_tile, row_count, first_block));
    RW_TRY(launch_tile_scan(scan, first_tile, row_count, first_block));
    struct rw_count_tile_words_args args = {scan->words, row_count, scan->geometry.view.block_count - first_block,
                                            scan->counts};
    RW_TRY(rw_device_launch(context, backend, RW_KERNEL_count_tile_words, &args, row_count));
    RW_TRY(rw_device_download(context, backend, scan->host_counts, scan->counts, row_count * sizeof *scan->counts));
    RW_TRY(locate_tile_rows(scan, row_count, half, &sum));
    RW_TRY(download_tile_words(scan, row_count, first_block, sum, half));
    half->row_count += row_count;
    return RW_OK;
}

rw_status rw_tile_scan_all(rw_tile_scan *scan, rw_tile_half *half)
{
    uint32_t count = scan->geometry.view.tile_count;
    for (uint32_t first = 0; first < count; first += scan->band_rows) {
        uint32_t rows = count - first < scan->band_rows ? count - first : scan->band_rows;
        RW_TRY(rw_tile_scan_band(scan, first, rows, half));
        double done = (double)(first + rows) / (double)count;
        RW_TRY(rw_progress(scan->context, 1 - (1 - done) * (1 - done), "tiles"));
    }
    return RW_OK;
}
