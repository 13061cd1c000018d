#include "visibility/streets/street_graph.h"

#include "base/memory.h"
#include "visibility/streets/chunk_corners.k.h"
#include "visibility/streets/corner_memory.h"
#include "visibility/streets/link_corners.k.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Corners at a time: their horizons take 4 kB each. */
static const size_t slice_corners = 4096;

/* A CPU takes blocks of grid cells as far as something is to be seen; a device, whose threads cannot wait for the
 * nearer ones, cells up to a distance. */
static const int horizon_block = 2;
static const float horizon_reach_m = 500;

/* On slopes receivers may be higher than the corner: what is this much higher than the line hides these too, if they
 * are far behind it. */
static const float slope_margin_m = 1;

/* Numbers that kernels count up. */
enum { FOUND, ENTRIES, RUNS, COUNTS };

static rw_status allocate_graph_array(rw_street_graph *graph, size_t bytes, void *pointer_out)
{
    return rw_device_alloc(graph->context, graph->backend, bytes, "the street graph", pointer_out);
}

static rw_status launch_graph_kernel(rw_street_graph *graph, rw_kernel kernel, const void *args, size_t count)
{
    return rw_device_launch(graph->context, graph->backend, kernel, args, count);
}

static rw_status make_boxes(rw_street_graph *graph)
{
    const rw_street_graph_view *view = &graph->view;
    struct rw_chunk_boxes_args boxes = {*view};
    struct rw_group_boxes_args groups = {*view};
    struct rw_corner_boxes_args corners = {*view};
    RW_TRY(launch_graph_kernel(graph, RW_KERNEL_chunk_boxes, &boxes, view->chunk_count));
    RW_TRY(launch_graph_kernel(graph, RW_KERNEL_group_boxes, &groups, rw_group_count(view->chunk_count)));
    return launch_graph_kernel(graph, RW_KERNEL_corner_boxes, &corners, rw_group_count(view->corners.count));
}

/* Level ground has one kind of horizon, which links and receivers share. */
static void set_horizon_heights(const rw_scene *scene, rw_street_graph_view *view)
{
    const rw_scene_summary *summary = &scene->prepared->summary;
    int level = summary->highest_ground_m == summary->lowest_ground_m;
    view->highest_ground_m = summary->highest_ground_m;
    view->receiver_height_m = fmaxf(view->receivers.high_m - summary->highest_ground_m, 0);
    view->margin_m = level ? 0 : slope_margin_m;
}

static rw_status create_street_graph(const rw_scene *scene, const rw_receivers *receivers, rw_street_graph *graph)
{
    rw_street_graph_view *view = &graph->view;
    RW_TRY(rw_prepared_view(scene, graph->backend, &view->grid));
    RW_TRY(rw_prepared_corners(scene, graph->backend, &view->corners));
    RW_TRY(rw_receivers_upload(graph->context, graph->backend, receivers, &graph->receivers));
    view->receivers = graph->receivers.view;
    view->grid.coordinate_max = fmaxf(view->grid.coordinate_max, (float)view->receivers.reach_m);
    view->base_m = floorf(scene->prepared->summary.lowest_ground_m) - 1.0f;
    set_horizon_heights(scene, view);
    view->lowest_top_m = scene->prepared->summary.lowest_corner_m;
    view->chunk_count = (view->receivers.outdoor_count + RW_CHUNK - 1) / RW_CHUNK;
    size_t corners = view->corners.count, slice = corners < slice_corners ? corners : slice_corners;
    RW_TRY(allocate_graph_array(graph, view->chunk_count * sizeof *view->boxes, &view->boxes));
    RW_TRY(
        allocate_graph_array(graph, rw_group_count(view->chunk_count) * sizeof *view->group_boxes, &view->group_boxes));
    RW_TRY(allocate_graph_array(graph, rw_group_count(corners) * sizeof *view->corner_boxes, &view->corner_boxes));
    RW_TRY(allocate_graph_array(graph, view->chunk_count * sizeof *view->run_heads, &view->run_heads));
    RW_TRY(allocate_graph_array(graph, 2 * view->chunk_count * sizeof *graph->chunk_counts, &graph->chunk_counts));
    RW_TRY(allocate_graph_array(graph, slice * sizeof *graph->corner_slice, &graph->corner_slice));
    RW_TRY(allocate_graph_array(graph, slice * sizeof *graph->slot_slice, &graph->slot_slice));
    RW_TRY(allocate_graph_array(graph, rw_group_count(corners) * sizeof *graph->group_slice, &graph->group_slice));
    RW_TRY(rw_array_create(graph->context, rw_group_count(corners), sizeof *graph->host_groups, "corners",
                           &graph->host_groups));
    graph->corners = &scene->prepared->corners;
    graph->corner_boxes = scene->prepared->summary.corner_boxes;
    RW_TRY(allocate_graph_array(graph, slice * sizeof *graph->horizons, &graph->horizons));
    RW_TRY(allocate_graph_array(graph, COUNTS * sizeof *graph->counts, &graph->counts));
    RW_TRY(rw_array_create(graph->context, corners, 1, "corners", &graph->linked));
    RW_TRY(rw_array_create(graph->context, corners, 1, "corners", &graph->seen));
    RW_TRY(make_boxes(graph));
    return rw_street_graph_clear(graph);
}

rw_status rw_street_graph_create(const rw_scene *scene, const rw_receivers *receivers, float roof_m,
                                 rw_street_graph *graph)
{
    *graph = (rw_street_graph){.context = scene->context, .backend = scene->context->backend};
    graph->view.roof_m = roof_m;
    graph->view.reach_m = graph->view.depth_m = INFINITY;
    graph->view.lowest_source_m = -INFINITY;
    graph->view.longest_m = INFINITY;
    rw_status status = create_street_graph(scene, receivers, graph);
    if (status != RW_OK)
        rw_street_graph_destroy(graph);
    return status;
}

void rw_street_graph_destroy(rw_street_graph *graph)
{
    rw_street_graph_view *view = &graph->view;
    void *owned[] = {view->group_boxes,   view->corner_boxes,  view->boxes,         view->links,
                     view->run_heads,     view->runs,          view->entry_corners, view->entry_lows,
                     view->heights,       graph->corner_slice, graph->horizons,     graph->counts,
                     graph->group_slice,  graph->slot_slice,   graph->candidates,   graph->candidate_heights,
                     graph->chunk_counts, graph->known,        graph->wanted};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        if (owned[i])
            rw_device_free(graph->backend, owned[i]);
    if (graph->context)
        rw_receivers_release(graph->backend, &graph->receivers);
    free(graph->host_groups);
    free(graph->linked);
    free(graph->seen);
    free(graph->requested);
    *graph = (rw_street_graph){0};
}

rw_status rw_street_graph_raise(rw_street_graph *graph, float roof_m)
{
    if (roof_m <= graph->view.roof_m)
        return RW_OK;
    graph->view.roof_m = roof_m;
    return rw_street_graph_clear(graph);
}

/* Sources that are a little lower, and receivers a little farther from them, find the graph as it is. */
static const float bound_slack_m = 5, bound_slack = 1.2f;

rw_status rw_street_graph_bound(rw_street_graph *graph, float lowest_source_m, float longest_m)
{
    rw_street_graph_view *view = &graph->view;
    if (graph->entry_count && lowest_source_m >= view->lowest_source_m && longest_m <= view->longest_m)
        return RW_OK;
    view->lowest_source_m = lowest_source_m - bound_slack_m;
    view->longest_m = longest_m * bound_slack;
    return graph->entry_count ? rw_street_graph_clear(graph) : RW_OK;
}

rw_status rw_street_graph_clear(rw_street_graph *graph)
{
    rw_street_graph_view *view = &graph->view;
    view->sorted = 0;
    graph->link_count = graph->entry_count = graph->run_count = view->link_count = 0;
    memset(graph->linked, 0, view->corners.count);
    memset(graph->seen, 0, view->corners.count);
    if (graph->requested)
        memset(graph->requested, 0, view->chunk_count);
    if (graph->known) /* to NaN */
        RW_TRY(rw_device_set_bytes(graph->context, graph->backend, graph->known, 0xff,
                                   view->corners.count * sizeof *graph->known));
    return rw_device_set_bytes(graph->context, graph->backend, view->run_heads, 0xff,
                               view->chunk_count * sizeof *view->run_heads);
}

static rw_status grow_street_array(rw_street_graph *graph, void **array, size_t used, size_t bytes)
{
    return rw_device_grow(graph->context, graph->backend, array, used, bytes, "the street graph");
}

static rw_status check_graph_size(const rw_street_graph *graph, size_t links, size_t entries)
{
    if (links < RW_STREET_NONE && entries < RW_STREET_NONE / RW_CHUNK)
        return RW_OK;
    return rw_fail(
        graph->context, RW_TOO_LARGE,
        "the street graph has %zu links and %zu entries, more than 2^32; give a larger res or give a smaller area",
        links, entries);
}

/* Room for count elements where there is none: a quarter more, so that growing stays cheap. */
static rw_status enlarge_graph_array(rw_street_graph *graph, void **array, size_t used, size_t count, size_t size)
{
    return grow_street_array(graph, array, used * size, (count + count / 4) * size);
}

static rw_status reserve_entries(rw_street_graph *graph, size_t count)
{
    rw_street_graph_view *view = &graph->view;
    size_t used = graph->entry_count;
    if (count <= graph->entry_capacity)
        return RW_OK;
    graph->entry_capacity = 0; /* until all have room */
    RW_TRY(enlarge_graph_array(graph, (void **)&view->entry_corners, used, count, sizeof *view->entry_corners));
    RW_TRY(enlarge_graph_array(graph, (void **)&view->entry_lows, used, count, sizeof *view->entry_lows));
    RW_TRY(enlarge_graph_array(graph, (void **)&view->heights, used, count, RW_CHUNK * sizeof *view->heights));
    graph->entry_capacity = count + count / 4;
    return RW_OK;
}

rw_status rw_street_graph_reserve(rw_street_graph *graph, size_t links, size_t entries, size_t runs)
{
    rw_street_graph_view *view = &graph->view;
    links += graph->link_count;
    entries += graph->entry_count;
    runs += graph->run_count;
    RW_TRY(check_graph_size(graph, links, entries));
    if (links > graph->link_capacity) {
        RW_TRY(enlarge_graph_array(graph, (void **)&view->links, graph->link_count, links, sizeof *view->links));
        graph->link_capacity = links + links / 4;
    }
    if (runs > graph->run_capacity) {
        RW_TRY(enlarge_graph_array(graph, (void **)&view->runs, graph->run_count, runs, sizeof *view->runs));
        graph->run_capacity = runs + runs / 4;
    }
    return reserve_entries(graph, entries);
}

static int horizon_block_of(const rw_street_graph *graph)
{
    return graph->backend == RW_BACKEND_CPU ? horizon_block : 1;
}

/* Rings of blocks that horizons as far as reach_m are made of; notes how far these know the walls. */
static int count_rings(rw_street_graph *graph, float reach_m)
{
    const rw_wall_grid_view *grid = &graph->view.grid;
    int block = horizon_block_of(graph);
    int all = (grid->columns > grid->rows ? grid->columns : grid->rows) / block + 1;
    if (graph->backend != RW_BACKEND_CPU)
        reach_m = fminf(reach_m, horizon_reach_m);
    int rings = (int)fminf(reach_m * grid->cells_per_m / (float)block + 1.0f, (float)all);
    graph->view.clear_reach_m = rings == all ? INFINITY : (float)(rings * block) * grid->cell_m;
    return rings;
}

/* The horizons of the first corners of the slice on the backend, of so many rings. */
static rw_status search_horizons(rw_street_graph *graph, size_t count, int rings)
{
    RW_TRY(rw_device_set_bytes(graph->context, graph->backend, graph->horizons, 0x7f, count * sizeof *graph->horizons));
    size_t many = (size_t)1 << 18, lane_count = graph->backend == RW_BACKEND_CPU ? 1
                                                : many / count < 128             ? 128
                                                : many / count < 2048            ? many / count
                                                                                 : 2048;
    struct rw_corner_horizons_args args = {graph->view,     graph->corner_slice,     graph->horizons,
                                           (int)lane_count, horizon_block_of(graph), rings};
    return launch_graph_kernel(graph, RW_KERNEL_corner_horizons, &args, count * lane_count);
}

/* Moves the corners whose horizon is not known to the front; returns how many these are. */
static size_t move_unknown_first(const rw_corner_memory *memory, uint32_t *corners, size_t count)
{
    size_t unknown = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t corner = corners[i];
        if (rw_corner_memory_has_horizon(memory, corner))
            continue;
        corners[i] = corners[unknown];
        corners[unknown++] = corner;
    }
    return unknown;
}

/* Sends a slice of the list to the backend and finds its horizons, as far as reach_m; where there is a memory, all
 * of them, since they are of use later, unless they are of links alone. */
static rw_status find_horizons(rw_street_graph *graph, rw_corner_memory *memory, uint32_t *corners, size_t count,
                               float reach_m)
{
    size_t unknown = move_unknown_first(memory, corners, count);
    int rings = count_rings(graph, memory && !graph->view.for_links ? INFINITY : reach_m);
    RW_TRY(rw_device_upload(graph->context, graph->backend, graph->corner_slice, corners, count * sizeof *corners));
    if (unknown)
        RW_TRY(search_horizons(graph, unknown, rings));
    if (memory && graph->backend != RW_BACKEND_CPU)
        return rw_corner_memory_exchange(memory, corners, unknown, count, graph->slot_slice, graph->horizons);
    rw_corner_memory_store_horizons(memory, corners, unknown, graph->horizons);
    for (size_t i = unknown; i < count; i++)
        rw_corner_memory_read_horizon(memory, corners[i], graph->horizons + i);
    return RW_OK;
}

static rw_status clear_count(rw_street_graph *graph)
{
    return rw_device_clear(graph->context, graph->backend, graph->counts, sizeof *graph->counts);
}

static rw_status download_graph_counts(rw_street_graph *graph, uint32_t counts[COUNTS])
{
    return rw_device_download(graph->context, graph->backend, counts, graph->counts, COUNTS * sizeof *counts);
}

static size_t group_lane_count(const rw_street_graph *graph)
{
    return graph->backend == RW_BACKEND_CPU ? 1 : RW_GROUP;
}

/* Groups of corners that are not farther from all corners of a slice than links reach: in a region they are few. */
static rw_status list_groups(rw_street_graph *graph, const uint32_t *corners, size_t count, size_t *found)
{
    double west = INFINITY, south = INFINITY, east = -INFINITY, north = -INFINITY,
           reach = (double)graph->view.reach_m + 1;
    size_t groups = rw_group_count(graph->view.corners.count);
    for (size_t i = 0; i < count; i++) {
        const rw_corner *corner = &graph->corners->items[corners[i]];
        west = fmin(west, corner->x - reach);
        south = fmin(south, corner->y - reach);
        east = fmax(east, corner->x + reach);
        north = fmax(north, corner->y + reach);
    }
    *found = 0;
    for (size_t i = 0; i < groups; i++) {
        const rw_group_box *box = &graph->corner_boxes[i];
        if (box->east >= west && box->west <= east && box->north >= south && box->south <= north)
            graph->host_groups[(*found)++] = (uint32_t)i;
    }
    return rw_device_upload(graph->context, graph->backend, graph->group_slice, graph->host_groups,
                            *found * sizeof *graph->group_slice);
}

/* Links of a slice; asked again where they had no room. */
static rw_status find_links(rw_street_graph *graph, const uint32_t *corners, size_t count)
{
    uint32_t counts[COUNTS] = {(uint32_t)(count * 192)};
    size_t free_count, lane_count = group_lane_count(graph), groups;
    RW_TRY(list_groups(graph, corners, count, &groups));
    do {
        RW_TRY(rw_street_graph_reserve(graph, counts[FOUND], 0, 0));
        free_count = graph->link_capacity - graph->link_count;
        struct rw_link_corners_args args = {
            graph->view,   graph->corner_slice,  graph->horizons, graph->view.links + graph->link_count,
            graph->counts, (uint32_t)free_count, lane_count,      graph->group_slice,
            groups};
        RW_TRY(clear_count(graph));
        RW_TRY(launch_graph_kernel(graph, RW_KERNEL_link_corners, &args, count * groups * lane_count));
        RW_TRY(download_graph_counts(graph, counts));
    } while (counts[FOUND] > free_count);
    graph->link_count += counts[FOUND];
    graph->view.link_count = graph->link_count;
    return RW_OK;
}

#define CANDIDATES_GUESSED 512 /* of a corner */

static rw_status reserve_candidates(rw_street_graph *graph, size_t count)
{
    if (count <= graph->candidate_capacity)
        return RW_OK;
    count += count / 4;
    graph->candidate_capacity = 0; /* until both have room */
    RW_TRY(grow_street_array(graph, (void **)&graph->candidates, 0, count * sizeof *graph->candidates));
    RW_TRY(grow_street_array(graph, (void **)&graph->candidate_heights, 0,
                             count * RW_CHUNK * sizeof *graph->candidate_heights));
    graph->candidate_capacity = count;
    return RW_OK;
}

/* Candidates of a slice; asked again where they had no room. */
static rw_status find_candidates(rw_street_graph *graph, size_t count, size_t *found)
{
    uint32_t counts[COUNTS] = {(uint32_t)(count * CANDIDATES_GUESSED)};
    size_t lane_count = group_lane_count(graph), groups = rw_group_count(graph->view.chunk_count);
    do {
        RW_TRY(reserve_candidates(graph, counts[FOUND]));
        struct rw_chunk_corners_args args = {graph->view,     graph->corner_slice,
                                             graph->horizons, graph->candidates,
                                             graph->counts,   (uint32_t)graph->candidate_capacity,
                                             lane_count};
        RW_TRY(clear_count(graph));
        RW_TRY(launch_graph_kernel(graph, RW_KERNEL_chunk_corners, &args, count * groups * lane_count));
        RW_TRY(download_graph_counts(graph, counts));
    } while (counts[FOUND] > graph->candidate_capacity);
    *found = counts[FOUND];
    return RW_OK;
}

/* Candidates that some receiver sees become entries, chunk by chunk. */
static rw_status see_slice(rw_street_graph *graph, rw_corner_memory *memory, const uint32_t *corners, size_t count)
{
    (void)memory;
    (void)corners;
    size_t found = 0, chunks = graph->view.chunk_count;
    RW_TRY(find_candidates(graph, count, &found));
    RW_TRY(rw_street_graph_reserve(graph, 0, found, chunks));
    uint32_t counts[COUNTS] = {0, (uint32_t)graph->entry_count, (uint32_t)graph->run_count};
    RW_TRY(rw_device_upload(graph->context, graph->backend, graph->counts, counts, sizeof counts));
    RW_TRY(rw_device_clear(graph->context, graph->backend, graph->chunk_counts, chunks * sizeof *graph->chunk_counts));
    rw_chunk_work work = {graph->candidates,
                          graph->horizons,
                          graph->candidate_heights,
                          graph->chunk_counts,
                          graph->chunk_counts + chunks,
                          graph->counts + ENTRIES,
                          graph->counts + RUNS};
    struct rw_see_corners_args see = {graph->view, work};
    struct rw_count_entries_args count_entries = {graph->view, work};
    struct rw_allocate_runs_args allocate_runs = {graph->view, work};
    struct rw_write_entries_args write_entries = {graph->view, work};
    RW_TRY(launch_graph_kernel(graph, RW_KERNEL_see_corners, &see, found * RW_CHUNK));
    RW_TRY(launch_graph_kernel(graph, RW_KERNEL_count_entries, &count_entries, found));
    RW_TRY(launch_graph_kernel(graph, RW_KERNEL_allocate_runs, &allocate_runs, chunks));
    RW_TRY(launch_graph_kernel(graph, RW_KERNEL_write_entries, &write_entries, found));
    RW_TRY(download_graph_counts(graph, counts));
    graph->entry_count = counts[ENTRIES];
    graph->run_count = counts[RUNS];
    return RW_OK;
}

/* Corners of a slice. Of a budget their candidates get a quarter of what is left, beside what they have. */
static size_t slice_size(const rw_street_graph *graph)
{
    const double candidates = 1.25 * CANDIDATES_GUESSED;
    const double each = sizeof *graph->candidates + RW_CHUNK * sizeof *graph->candidate_heights;
    double max_count = fmin((double)graph->view.corners.count, (double)slice_corners);
    double free_count =
        rw_device_buffer_bytes(graph->backend, INFINITY, 0.25) / each + (double)graph->candidate_capacity;
    return (size_t)fmax(fmin(max_count, free_count / candidates), 1);
}

/* What is done with a slice of corners once their horizons are there. */
typedef rw_status slice_fn(rw_street_graph *graph, rw_corner_memory *memory, const uint32_t *corners, size_t count);

/* Links of a slice, and into the memory. */
static rw_status link_slice(rw_street_graph *graph, rw_corner_memory *memory, const uint32_t *corners, size_t count)
{
    size_t before = graph->link_count;
    RW_TRY(find_links(graph, corners, count));
    if (graph->backend != RW_BACKEND_CPU)
        return RW_OK;
    rw_corner_memory_store_links(memory, corners, count, graph->view.links + before, graph->link_count - before);
    return RW_OK;
}

/* Hands those of the list that are not done yet over to solve, slice by slice. */
static rw_status each_slice(rw_street_graph *graph, rw_corner_memory *memory, const uint32_t *corners, size_t count,
                            uint8_t *done, float reach_m, slice_fn *solve)
{
    size_t max_count = slice_size(graph);
    uint32_t *slice;
    RW_TRY(rw_array_create(graph->context, max_count, sizeof *slice, "corners", &slice));
    rw_status status = RW_OK;
    size_t filled = 0;
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        if (!done[corners[i]])
            slice[filled++] = corners[i];
        done[corners[i]] = 1;
        if (filled == 0 || (filled < max_count && i + 1 < count))
            continue;
        status = find_horizons(graph, memory, slice, filled, reach_m);
        if (status == RW_OK)
            status = solve(graph, memory, slice, filled);
        filled = 0;
    }
    free(slice);
    return status;
}

static rw_corner_bounds find_corner_bounds(const rw_street_graph *graph)
{
    const rw_street_graph_view *view = &graph->view;
    return (rw_corner_bounds){.roof_m = view->roof_m,
                              .reach_m = view->reach_m,
                              .depth_m = view->depth_m,
                              .receiver_height_m = view->receiver_height_m,
                              .margin_m = view->margin_m,
                              .taut = view->taut,
                              .for_links = view->for_links};
}

static rw_corner_memory *borrow_memory(const rw_street_graph *graph)
{
    if (!graph->remembered_with)
        return NULL;
    return rw_corner_memory_borrow(graph->remembered_with, find_corner_bounds(graph), graph->view.corners.count);
}

static void return_memory(const rw_street_graph *graph, rw_corner_memory *memory)
{
    if (memory)
        rw_corner_memory_return(graph->remembered_with, find_corner_bounds(graph), memory);
}

rw_status rw_street_graph_copy_links(rw_street_graph *graph, const rw_street_graph *from)
{
    size_t bytes = from->link_count * sizeof *from->view.links;
    void *links;
    RW_TRY(rw_array_create(graph->context, bytes, 1, "links of corners", &links));
    rw_status status = rw_device_download(graph->context, from->backend, links, from->view.links, bytes);
    if (status == RW_OK)
        status = rw_street_graph_reserve(graph, from->link_count, 0, 0);
    if (status == RW_OK)
        status = rw_device_upload(graph->context, graph->backend, graph->view.links + graph->link_count, links, bytes);
    free(links);
    RW_TRY(status);
    graph->link_count += from->link_count;
    graph->view.link_count = graph->link_count;
    memset(graph->linked, 1, graph->view.corners.count);
    return RW_OK;
}

/* Takes over the links that are known already. */
static rw_status copy_cached_links(rw_street_graph *graph, const rw_corner_memory *memory, const uint32_t *corners,
                                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t found;
        const rw_corner_link *links = rw_corner_memory_links(memory, corners[i], &found);
        if (!links || graph->linked[corners[i]])
            continue;
        RW_TRY(rw_street_graph_reserve(graph, found, 0, 0));
        if (found)
            memcpy(graph->view.links + graph->link_count, links, found * sizeof *links);
        graph->link_count += found;
        graph->linked[corners[i]] = 1;
    }
    graph->view.link_count = graph->link_count;
    return RW_OK;
}

rw_status rw_street_graph_link(rw_street_graph *graph, const uint32_t *corners, size_t count)
{
    graph->view.for_links = graph->view.margin_m > 0;
    rw_corner_memory *memory = borrow_memory(graph);
    int has_cached_links = memory && graph->backend == RW_BACKEND_CPU;
    rw_status status = has_cached_links ? copy_cached_links(graph, memory, corners, count) : RW_OK;
    if (status == RW_OK)
        status = each_slice(graph, memory, corners, count, graph->linked, graph->view.reach_m, link_slice);
    return_memory(graph, memory);
    return status;
}

rw_status rw_street_graph_allocate_sectors(rw_street_graph *graph)
{
    size_t bytes = graph->view.corners.count * sizeof *graph->known;
    RW_TRY(allocate_graph_array(graph, bytes, &graph->known));
    RW_TRY(allocate_graph_array(graph, bytes, &graph->wanted));
    return rw_device_set_bytes(graph->context, graph->backend, graph->known, 0xff, bytes);
}

rw_status rw_street_graph_see(rw_street_graph *graph, const uint32_t *corners, size_t count)
{
    graph->view.for_links = 0;
    rw_corner_memory *memory = borrow_memory(graph);
    rw_status status = each_slice(graph, memory, corners, count, graph->seen, INFINITY, see_slice);
    return_memory(graph, memory);
    return status;
}

rw_status rw_street_graph_see_sectors(rw_street_graph *graph, const uint32_t *corners, size_t count)
{
    struct rw_keep_sectors_args args = {graph->corner_slice, graph->wanted, graph->known};
    size_t max_count = slice_size(graph);
    for (size_t i = 0; i < count; i++)
        graph->seen[corners[i]] = 0;
    graph->view.sectors = graph->wanted;
    graph->view.known = graph->known;
    rw_status status = rw_street_graph_see(graph, corners, count);
    graph->view.sectors = graph->view.known = NULL;
    for (size_t first = 0; first < count && status == RW_OK; first += max_count) {
        size_t now = count - first < max_count ? count - first : max_count;
        status = rw_device_upload(graph->context, graph->backend, graph->corner_slice, corners + first,
                                  now * sizeof *corners);
        if (status == RW_OK)
            status = launch_graph_kernel(graph, RW_KERNEL_keep_sectors, &args, now);
    }
    return status;
}

/* Looks for the corners that are known already in the chunks of a list alone. */
static rw_status see_again(rw_street_graph *graph, const uint8_t *chunks)
{
    size_t corners = graph->view.corners.count, count = 0;
    uint32_t *seen_corners;
    RW_TRY(rw_array_create(graph->context, corners, sizeof *seen_corners, "corners", &seen_corners));
    for (size_t i = 0; i < corners; i++)
        if (graph->seen[i])
            seen_corners[count++] = (uint32_t)i;
    memset(graph->seen, 0, corners);
    graph->view.requested_chunks = chunks;
    graph->view.sectors = graph->known;
    rw_status status = count ? rw_street_graph_see(graph, seen_corners, count) : RW_OK;
    graph->view.sectors = NULL;
    free(seen_corners);
    return status;
}

rw_status rw_street_graph_request(rw_street_graph *graph, const uint8_t *requested)
{
    size_t chunks = graph->view.chunk_count, fresh = 0;
    uint8_t *new_ones;
    if (!graph->requested)
        RW_TRY(rw_array_create(graph->context, chunks, 1, "the street graph", &graph->requested));
    RW_TRY(rw_array_create(graph->context, chunks, 1, "the street graph", &new_ones));
    for (size_t i = 0; i < chunks; i++) {
        new_ones[i] = requested[i] && !graph->requested[i];
        fresh += new_ones[i];
        graph->requested[i] |= requested[i];
    }
    rw_status status = fresh ? see_again(graph, new_ones) : RW_OK;
    graph->view.requested_chunks = graph->requested;
    free(new_ones);
    return status;
}
