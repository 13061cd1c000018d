#include "models/shadow/database/database.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void rw_street_tables_free(rw_street_tables *tables)
{
    free(tables->outdoor);
    free(tables->link_firsts);
    free(tables->link_to);
    free(tables->link_highest);
    free(tables->entry_firsts);
    free(tables->entry_corner);
    free(tables->heights);
    *tables = (rw_street_tables){0};
}

/* A link or an entry on its way into the tables: of which group, to which corner, from which place. */
typedef struct sort_key {
    uint32_t group, low, corner, index; /* low: least height of an entry */
} sort_key;

static int compare_sort_keys(const void *first, const void *second)
{
    const sort_key *a = first, *b = second;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->corner > b->corner) - (a->corner < b->corner);
}

/* Sorts by group, height and corner, so that the same graph gives the same file, and counts the groups. */
static rw_status sort_keys(rw_context *context, sort_key *keys, size_t count, size_t groups, uint32_t **firsts)
{
    RW_TRY(rw_array_create(context, groups + 1, sizeof **firsts, "the corner database", firsts));
    qsort(keys, count, sizeof *keys, compare_sort_keys);
    for (size_t i = 0; i < count; i++)
        (*firsts)[keys[i].group + 1]++;
    for (size_t i = 0; i < groups; i++)
        (*firsts)[i + 1] += (*firsts)[i];
    return RW_OK;
}

/* Working memory of a fetch. */
typedef struct fetch_memory {
    rw_corner_link *links;
    uint32_t *run_heads, *corners;
    rw_chunk_run *runs;
    uint16_t *heights;
    sort_key *keys;
} fetch_memory;

static rw_status download_table(const rw_street_graph *graph, const void *from, size_t count, size_t size,
                                void *array_out)
{
    void **array = array_out;
    RW_TRY(rw_array_create(graph->context, count ? count : 1, size, "the corner database", array));
    return count ? rw_device_download(graph->context, graph->backend, *array, from, count * size) : RW_OK;
}

static rw_status fetch_links(const rw_street_graph *graph, fetch_memory *memory, rw_street_tables *tables)
{
    rw_context *context = graph->context;
    size_t count = graph->link_count;
    RW_TRY(download_table(graph, graph->view.links, count, sizeof *memory->links, &memory->links));
    RW_TRY(rw_array_create(context, count + 1, sizeof *memory->keys, "the corner database", &memory->keys));
    for (size_t i = 0; i < count; i++)
        memory->keys[i] = (sort_key){memory->links[i].from, 0, memory->links[i].to, (uint32_t)i};
    RW_TRY(sort_keys(context, memory->keys, count, tables->corner_count, &tables->link_firsts));
    RW_TRY(rw_array_create(context, count + 1, sizeof(uint32_t), "the corner database", &tables->link_to));
    RW_TRY(rw_array_create(context, count + 1, sizeof(float), "the corner database", &tables->link_highest));
    for (size_t i = 0; i < count; i++) {
        tables->link_to[i] = memory->keys[i].corner;
        tables->link_highest[i] = memory->links[memory->keys[i].index].highest;
    }
    tables->link_count = count;
    return RW_OK;
}

static uint16_t find_min_height(const uint16_t *heights)
{
    uint16_t low = (uint16_t)RW_HEIGHT_CODE_NEVER;
    for (int i = 0; i < RW_CHUNK; i++)
        low = heights[i] < low ? heights[i] : low;
    return low;
}

/* Keys of all entries, run by run of each chunk. */
static size_t list_entries(const rw_street_graph *graph, const fetch_memory *memory, sort_key *keys)
{
    size_t count = 0;
    for (size_t chunk = 0; chunk < graph->view.chunk_count; chunk++)
        for (uint32_t run = memory->run_heads[chunk]; run != RW_STREET_NONE; run = memory->runs[run].next)
            for (uint32_t i = 0; i < memory->runs[run].count; i++) {
                uint32_t index = memory->runs[run].first + i;
                keys[count++] = (sort_key){(uint32_t)chunk, find_min_height(memory->heights + (size_t)index * RW_CHUNK),
                                           memory->corners[index], index};
            }
    return count;
}

static rw_status fetch_entries(const rw_street_graph *graph, fetch_memory *memory, rw_street_tables *tables)
{
    rw_context *context = graph->context;
    size_t count = graph->entry_count;
    RW_TRY(download_table(graph, graph->view.run_heads, graph->view.chunk_count, sizeof(uint32_t), &memory->run_heads));
    RW_TRY(download_table(graph, graph->view.runs, graph->run_count, sizeof *memory->runs, &memory->runs));
    RW_TRY(download_table(graph, graph->view.entry_corners, count, sizeof *memory->corners, &memory->corners));
    RW_TRY(download_table(graph, graph->view.heights, count * RW_CHUNK, sizeof *memory->heights, &memory->heights));
    free(memory->keys);
    RW_TRY(rw_array_create(context, count + 1, sizeof *memory->keys, "the corner database", &memory->keys));
    count = list_entries(graph, memory, memory->keys);
    RW_TRY(sort_keys(context, memory->keys, count, tables->chunk_count, &tables->entry_firsts));
    RW_TRY(rw_array_create(context, count + 1, sizeof(uint32_t), "the corner database", &tables->entry_corner));
    RW_TRY(rw_array_create(context, (count + 1) * RW_CHUNK, sizeof(uint16_t), "the corner database", &tables->heights));
    for (size_t i = 0; i < count; i++) {
        tables->entry_corner[i] = memory->keys[i].corner;
        memcpy(tables->heights + i * RW_CHUNK, memory->heights + (size_t)memory->keys[i].index * RW_CHUNK,
               RW_CHUNK * sizeof(uint16_t));
    }
    tables->entry_count = count;
    return RW_OK;
}

rw_status rw_street_tables_fetch(const rw_street_graph *graph, rw_street_tables *tables)
{
    fetch_memory memory = {0};
    *tables = (rw_street_tables){.corner_count = graph->view.corners.count, .chunk_count = graph->view.chunk_count};
    rw_status status = fetch_links(graph, &memory, tables);
    if (status == RW_OK)
        status = fetch_entries(graph, &memory, tables);
    free(memory.links);
    free(memory.run_heads);
    free(memory.runs);
    free(memory.corners);
    free(memory.heights);
    free(memory.keys);
    if (status != RW_OK)
        rw_street_tables_free(tables);
    return status;
}

static rw_status upload_links(const rw_street_tables *tables, rw_street_graph *graph)
{
    rw_corner_link *links;
    rw_context *context = graph->context;
    RW_TRY(rw_array_create(context, tables->link_count + 1, sizeof *links, "the corner database", &links));
    for (uint32_t corner = 0; corner < tables->corner_count; corner++)
        for (uint32_t i = tables->link_firsts[corner]; i < tables->link_firsts[corner + 1]; i++)
            links[i] = (rw_corner_link){corner, tables->link_to[i], tables->link_highest[i]};
    rw_status status =
        rw_device_upload(context, graph->backend, graph->view.links, links, tables->link_count * sizeof *links);
    free(links);
    return status;
}

/* One run a chunk. */
static rw_status upload_runs(const rw_street_tables *tables, rw_street_graph *graph)
{
    rw_chunk_run *runs;
    uint32_t *heads;
    rw_context *context = graph->context;
    RW_TRY(rw_array_create(context, tables->chunk_count, sizeof *runs, "the corner database", &runs));
    rw_status status = rw_array_create(context, tables->chunk_count, sizeof *heads, "the corner database", &heads);
    for (uint32_t chunk = 0; status == RW_OK && chunk < tables->chunk_count; chunk++) {
        uint32_t first = tables->entry_firsts[chunk], count = tables->entry_firsts[chunk + 1] - first;
        heads[chunk] = count ? chunk : RW_STREET_NONE;
        runs[chunk] = (rw_chunk_run){first, count, RW_STREET_NONE};
    }
    if (status == RW_OK)
        status = rw_device_upload(context, graph->backend, graph->view.runs, runs, tables->chunk_count * sizeof *runs);
    if (status == RW_OK)
        status = rw_device_upload(context, graph->backend, graph->view.run_heads, heads,
                                  tables->chunk_count * sizeof *heads);
    free(runs);
    free(heads);
    return status;
}

/* Least heights, and whether they rise within each chunk as they should. */
static rw_status upload_entry_lows(const rw_street_tables *tables, rw_street_graph *graph)
{
    uint16_t *lows;
    RW_TRY(rw_array_create(graph->context, tables->entry_count + 1, sizeof *lows, "the corner database", &lows));
    graph->view.sorted = 1;
    for (uint64_t chunk = 0; chunk < tables->chunk_count; chunk++)
        for (uint32_t i = tables->entry_firsts[chunk]; i < tables->entry_firsts[chunk + 1]; i++) {
            lows[i] = find_min_height(tables->heights + (size_t)i * RW_CHUNK);
            if (i > tables->entry_firsts[chunk] && lows[i] < lows[i - 1])
                graph->view.sorted = 0;
        }
    rw_status status = rw_device_upload(graph->context, graph->backend, graph->view.entry_lows, lows,
                                        tables->entry_count * sizeof *lows);
    free(lows);
    return status;
}

static rw_status upload_entries(const rw_street_tables *tables, rw_street_graph *graph)
{
    RW_TRY(upload_runs(tables, graph));
    RW_TRY(upload_entry_lows(tables, graph));
    RW_TRY(rw_device_upload(graph->context, graph->backend, graph->view.entry_corners, tables->entry_corner,
                            tables->entry_count * sizeof *tables->entry_corner));
    return rw_device_upload(graph->context, graph->backend, graph->view.heights, tables->heights,
                            tables->entry_count * RW_CHUNK * sizeof *tables->heights);
}

rw_status rw_street_tables_upload(const rw_street_tables *tables, rw_street_graph *graph)
{
    RW_TRY(rw_street_graph_clear(graph));
    RW_TRY(rw_street_graph_reserve(graph, tables->link_count, tables->entry_count, tables->chunk_count));
    if (tables->link_count)
        RW_TRY(upload_links(tables, graph));
    if (tables->entry_count)
        RW_TRY(upload_entries(tables, graph));
    graph->link_count = graph->view.link_count = tables->link_count;
    graph->entry_count = tables->entry_count;
    graph->run_count = tables->chunk_count;
    return RW_OK;
}
