#include "network/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t blocks_of(uint64_t cells, uint64_t block)
{
    return (size_t)((cells + block - 1) / block);
}

size_t rw_sum_count(const rw_network_run_state *run)
{
    return (size_t)(run->head.channel_count * (1 + run->head.own_loads));
}

int rw_network_has_folder(const rw_network_options *options)
{
    return options->folder && *options->folder;
}

uint64_t rw_run_identity_start(const rw_network_run_state *run)
{
    uint64_t start;
    memcpy(&start, run->head.identity, sizeof start);
    return start;
}

static size_t count_block_columns(const rw_network_run_state *run)
{
    return blocks_of(run->head.columns, run->head.block);
}

size_t rw_block_count(const rw_network_run_state *run)
{
    return count_block_columns(run) * blocks_of(run->head.rows, run->head.block);
}

size_t rw_chunk_count(const rw_network_run_state *run)
{
    return rw_block_count(run) * (size_t)run->head.group_count;
}

rw_window rw_block_window(const rw_network_run_state *run, size_t block)
{
    size_t side = (size_t)run->head.block, across = count_block_columns(run);
    rw_window window = {.column = block % across * side, .row = block / across * side};
    size_t columns = (size_t)run->head.columns - window.column, rows = (size_t)run->head.rows - window.row;
    window.columns = columns < side ? columns : side;
    window.rows = rows < side ? rows : side;
    return window;
}

rw_network_chunk rw_chunk_at(const rw_network_run_state *run, size_t number)
{
    size_t groups = (size_t)run->head.group_count;
    rw_network_chunk chunk = {.block = number / groups, .group = number % groups};
    chunk.window = rw_block_window(run, chunk.block);
    return chunk;
}

/* Cells of one axis that both have. */
static void intersect_ranges(size_t first, size_t count, size_t other, size_t other_count, size_t *from, size_t *cells)
{
    size_t low = first > other ? first : other;
    size_t end = first + count < other + other_count ? first + count : other + other_count;
    *from = low;
    *cells = low < end ? end - low : 0;
}

rw_window rw_site_window(const rw_network_run_state *run, rw_window block, const rw_transmitter *site, double range_m)
{
    rw_window reached = rw_window_around(&run->cells, site->x_m, site->y_m, range_m), common = {0};
    intersect_ranges(block.column, block.columns, reached.column, reached.columns, &common.column, &common.columns);
    intersect_ranges(block.row, block.rows, reached.row, reached.rows, &common.row, &common.rows);
    return common.columns && common.rows ? common : (rw_window){0};
}

void rw_chunk_path(const rw_network_run_state *run, size_t number, char path[RW_NETWORK_PATH_MAX])
{
    rw_network_chunk chunk = rw_chunk_at(run, number);
    snprintf(path, RW_NETWORK_PATH_MAX, "%.3900s/parts/block%zu-group%zu.part", run->options.folder, chunk.block + 1,
             chunk.group + 1);
}

size_t rw_chunks_done(const rw_network_run_state *run)
{
    size_t done = 0;
    for (size_t i = 0; i < rw_chunk_count(run); i++)
        done += rw_chunk_state_of(run, i) == RW_CHUNK_DONE;
    return done;
}

void rw_network_run_free(rw_network_run_state *run)
{
    free(run->channels);
    free(run->order);
    free(run->groups);
    free(run->has_sites);
    free(run->positions_m);
    free(run->names);
    free(run->crs);
    free(run->provenance);
    free(run->loads);
    free(run->carriers);
    free(run->ranges_m);
    *run = (rw_network_run_state){0};
}
