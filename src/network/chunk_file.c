/* The sums of one part as a file. */
#include "base/container.h"
#include "base/memory.h"
#include "base/path.h"
#include "network/network.h"

#include <stdio.h>
#include <stdlib.h>

static const rw_container_kind chunk_kind = {.name = "network part",
                                             .model = "network",
                                             .version = 2,
                                             .again = "remove it and run rasterwave network again",
                                             .other = "rasterwave network makes one"};

static size_t element_count(const rw_sums *sums, const rw_sums_array *array)
{
    return sums->view.cells * (array->of_channels ? sums->channel_count : 1);
}

static rw_status write_arrays(const rw_sums *sums, rw_container_writer *writer)
{
    rw_sums_view view;
    RW_TRY(rw_sums_download(sums, &view));
    rw_status status = RW_OK;
    for (size_t i = 0; i < RW_SUMS_ARRAYS && status == RW_OK; i++) {
        const rw_sums_array *array = &rw_sums_arrays[i];
        status = rw_container_write(writer, array->name, 0, array->element_bytes, element_count(sums, array),
                                    *rw_sums_array_of(&view, array));
    }
    rw_sums_download_free(sums, &view);
    return status;
}

rw_status rw_chunk_write(const rw_network_run_state *run, size_t number, rw_window cells, rw_sums *sums)
{
    const uint64_t window[4] = {cells.column, cells.row, cells.columns, cells.rows};
    char path[RW_NETWORK_PATH_MAX];
    rw_container_writer writer;
    rw_chunk_path(run, number, path);
    RW_TRY(rw_container_begin(run->context, path, &chunk_kind, rw_run_identity_start(run), 0, &writer));
    rw_status status = rw_container_write(&writer, "window", 0, sizeof *window, 4, window);
    if (status == RW_OK)
        status = write_arrays(sums, &writer);
    if (status == RW_OK)
        return rw_container_commit(&writer);
    rw_container_abandon(&writer);
    return status;
}

rw_chunk_state rw_chunk_state_of(const rw_network_run_state *run, size_t number)
{
    char path[RW_NETWORK_PATH_MAX];
    rw_container container;
    if (!run->has_sites[number])
        return RW_CHUNK_DONE;
    rw_chunk_path(run, number, path);
    if (!rw_path_is_regular_file(path) || rw_container_open(run->context, path, &chunk_kind, &container) != RW_OK)
        return RW_CHUNK_MISSING;
    int is_own = container.header.scene == rw_run_identity_start(run);
    rw_container_close(&container);
    return is_own ? RW_CHUNK_DONE : RW_CHUNK_OTHER;
}

/* Where the cells of the part lie in its block, which they do not leave. */
static rw_status read_window(rw_container *container, rw_window block, rw_window *cells)
{
    uint64_t *window = NULL;
    size_t count;
    rw_status status = rw_container_copy(container, "window", 0, sizeof *window, &window, &count);
    if (status == RW_OK &&
        !(count == 4 && window[0] >= block.column && window[1] >= block.row && window[2] > 0 && window[3] > 0 &&
          window[2] <= block.columns && window[3] <= block.rows &&
          window[0] - block.column <= block.columns - window[2] && window[1] - block.row <= block.rows - window[3]))
        status = rw_container_damaged(container, "window");
    if (status == RW_OK)
        *cells = (rw_window){(size_t)window[0], (size_t)window[1], (size_t)window[2], (size_t)window[3]};
    free(window);
    return status;
}

static rw_status read_arrays(rw_container *container, const rw_sums *sums, rw_window cells, rw_sums_view *view)
{
    *view = (rw_sums_view){.columns = cells.columns, .cells = cells.columns * cells.rows};
    for (size_t i = 0; i < RW_SUMS_ARRAYS; i++) {
        const rw_sums_array *array = &rw_sums_arrays[i];
        size_t count;
        RW_TRY(
            rw_container_copy(container, array->name, 0, array->element_bytes, rw_sums_array_of(view, array), &count));
        if (count != view->cells * (array->of_channels ? sums->channel_count : 1))
            return rw_container_damaged(container, array->name);
    }
    return RW_OK;
}

/* Sites that do not exist would be looked up among the channels. */
static int sites_hold(const rw_network_run_state *run, const rw_sums_view *view)
{
    int holds = view->best_site && view->second_site; /* which a part always has */
    for (size_t i = 0; i < view->cells && holds; i++)
        holds = (view->best_site[i] == RW_NO_SERVER || view->best_site[i] < run->head.site_count) &&
                (view->second_site[i] == RW_NO_SERVER || view->second_site[i] < run->head.site_count);
    return holds;
}

rw_status rw_chunk_join(const rw_network_run_state *run, size_t number, rw_sums *sums)
{
    char path[RW_NETWORK_PATH_MAX];
    rw_container container;
    rw_sums_view view = {0};
    rw_window block = rw_chunk_at(run, number).window, cells = {0};
    rw_chunk_path(run, number, path);
    RW_TRY(rw_container_open(run->context, path, &chunk_kind, &container));
    rw_status status = rw_container_check_scene(&container, rw_run_identity_start(run));
    if (status == RW_OK)
        status = read_window(&container, block, &cells);
    if (status == RW_OK)
        status = read_arrays(&container, sums, cells, &view);
    if (status == RW_OK && !sites_hold(run, &view))
        status = rw_container_damaged(&container, "best site");
    if (status == RW_OK)
        status = rw_sums_join(sums, &view, (cells.row - block.row) * block.columns + cells.column - block.column);
    for (size_t i = 0; i < RW_SUMS_ARRAYS; i++)
        free(*rw_sums_array_of(&view, &rw_sums_arrays[i]));
    rw_container_close(&container);
    return status;
}
