#include "models/shadow/streets/streets.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static rw_status allocate_street_array(rw_street *street, size_t bytes, void *pointer_out)
{
    return rw_device_alloc(street->graph->context, street->graph->backend, bytes, "paths round corners", pointer_out);
}

static rw_status grow_street_paths(rw_street *street, size_t capacity)
{
    street->view.capacity = capacity;
    return rw_device_grow(street->graph->context, street->graph->backend, &street->view.paths, 0,
                          street->batch * capacity * sizeof(rw_street_path), "paths round corners");
}

static rw_status allocate_street(rw_street *street)
{
    rw_context *context = street->graph->context;
    size_t corners = street->graph->view.corners.count, batch = street->batch;
    RW_TRY(
        allocate_street_array(street, ((size_t)street->order + 2) * batch * sizeof(uint32_t), &street->level_bounds));
    street->view.counts = street->level_bounds + ((size_t)street->order + 1) * batch;
    RW_TRY(allocate_street_array(street, batch * corners * sizeof(rw_street_reached), &street->view.reached));
    RW_TRY(grow_street_paths(street, 1 << 14));
    RW_TRY(rw_array_create(context, 2 * batch, sizeof *street->host_bounds, "paths", &street->host_bounds));
    if (!street->growing)
        return RW_OK;
    RW_TRY(allocate_street_array(street, corners * sizeof(uint32_t), &street->view.wanted));
    RW_TRY(allocate_street_array(street, (corners + 1) * sizeof(uint32_t), &street->view.wanted_count));
    street->view.wanted_list = street->view.wanted_count + 1;
    if (street->growing->known) {
        RW_TRY(allocate_street_array(street, (corners + 1) * sizeof(uint32_t), &street->view.grown_count));
        street->view.grown_list = street->view.grown_count + 1;
    }
    return rw_array_create(context, corners, sizeof(uint32_t), "corners", &street->host_list);
}

rw_status rw_street_create(const rw_street_graph *graph, rw_street_graph *growing, int order, int best_count,
                           size_t batch, rw_street *street)
{
    *street = (rw_street){.graph = graph, .growing = growing, .order = order, .batch = batch};
    street->view.best_count = best_count;
    rw_status status = allocate_street(street);
    if (status != RW_OK)
        rw_street_destroy(street);
    return status;
}

void rw_street_destroy(rw_street *street)
{
    void *arrays[] = {street->view.reached,      street->view.paths,       street->view.wanted,
                      street->view.wanted_count, street->view.grown_count, street->level_bounds};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(street->graph->backend, arrays[i]);
    free(street->host_bounds);
    free(street->host_list);
    *street = (rw_street){0};
}

static rw_status launch_street_kernel(rw_street *street, rw_kernel kernel, const void *args, size_t count)
{
    return rw_device_launch(street->graph->context, street->graph->backend, kernel, args, count);
}

static rw_status fill_street_array(rw_street *street, void *array, int byte, size_t bytes)
{
    return rw_device_set_bytes(street->graph->context, street->graph->backend, array, byte, bytes);
}

/* Whether no path has more corners than those before this level. */
static rw_status none_new(rw_street *street, int level, int *none)
{
    size_t count = street->view.source_count;
    const uint32_t *begin = street->level_bounds + (size_t)(level - 1) * street->batch;
    uint32_t *host = street->host_bounds;
    RW_TRY(rw_device_download(street->graph->context, street->graph->backend, host, begin, count * sizeof *host));
    RW_TRY(rw_device_download(street->graph->context, street->graph->backend, host + street->batch,
                              begin + street->batch, count * sizeof *host));
    *none = memcmp(host, host + street->batch, count * sizeof *host) == 0;
    return RW_OK;
}

static int compare_corner_numbers(const void *a_in, const void *b_in)
{
    uint32_t a = *(const uint32_t *)a_in, b = *(const uint32_t *)b_in;
    return a < b ? -1 : a > b;
}

/* Adds the corners that paths reach since the last call to the list, in an order that is the same on every run. */
static rw_status list_wanted(rw_street *street)
{
    rw_context *context = street->graph->context;
    rw_backend backend = street->graph->backend;
    uint32_t count;
    if (!street->growing) /* with a database there is no list */
        return RW_OK;
    uint32_t *fresh = street->host_list + street->host_count;
    RW_TRY(rw_device_download(context, backend, &count, street->view.wanted_count, sizeof count));
    if (count == street->host_count)
        return RW_OK;
    RW_TRY(rw_device_download(context, backend, fresh, street->view.wanted_list + street->host_count,
                              (count - street->host_count) * sizeof *fresh));
    qsort(fresh, count - street->host_count, sizeof *fresh, compare_corner_numbers);
    street->host_count = count;
    return RW_OK;
}

/* After a level's paths are there: lists, sorted where a corner may have several paths, and dominated paths. */
static rw_status finish_street_level(rw_street *street, int level, size_t slices)
{
    rw_street_view *view = &street->view;
    view->level_firsts = street->level_bounds + (size_t)(level - 1) * street->batch;
    struct rw_street_list_args list = {*view, street->level_bounds + (size_t)level * street->batch, slices};
    RW_TRY(launch_street_kernel(street, RW_KERNEL_street_list, &list, view->source_count * slices));
    RW_TRY(list_wanted(street));
    size_t listed = street->host_count, each = street->growing ? listed : view->graph.corners.count;
    struct rw_street_sort_args sort = {*view, listed};
    struct rw_street_prune_args prune = {*view, slices};
    struct rw_street_drop_args drop = {*view, listed};
    if (level > 1)
        RW_TRY(launch_street_kernel(street, RW_KERNEL_street_sort, &sort, view->source_count * each));
    if (level == 1 || (level == street->order && !street->drop))
        return RW_OK;
    RW_TRY(launch_street_kernel(street, RW_KERNEL_street_prune, &prune, view->source_count * slices));
    return street->drop ? launch_street_kernel(street, RW_KERNEL_street_drop, &drop, view->source_count * each) : RW_OK;
}

static rw_status run_levels(rw_street *street)
{
    rw_street_view *view = &street->view;
    size_t slices = street->graph->backend == RW_BACKEND_CPU ? 64 : 4096;
    size_t corners = street->graph->view.corners.count;
    struct rw_street_start_args start = {*view};
    RW_TRY(launch_street_kernel(street, RW_KERNEL_street_start, &start, view->source_count * corners));
    RW_TRY(finish_street_level(street, 1, slices));
    for (int level = 2, none = 0; level <= street->order && !none; level++) {
        if (street->growing)
            RW_TRY(rw_street_graph_link(street->growing, street->host_list, street->host_count));
        view->graph = street->graph->view;
        struct rw_street_extend_args extend = {*view, street->level_bounds + (size_t)(level - 1) * street->batch};
        RW_TRY(launch_street_kernel(street, RW_KERNEL_street_extend, &extend,
                                    view->source_count * view->graph.link_count));
        RW_TRY(finish_street_level(street, level, slices));
        RW_TRY(none_new(street, level, &none));
    }
    return RW_OK;
}

rw_status rw_street_check(rw_street *street, int *enough)
{
    uint32_t *counts, max_count = 0;
    rw_context *context = street->graph->context;
    RW_TRY(rw_array_create(context, street->view.source_count, sizeof *counts, "paths round corners", &counts));
    rw_status status = rw_device_download(context, street->graph->backend, counts, street->view.counts,
                                          street->view.source_count * sizeof *counts);
    for (size_t i = 0; status == RW_OK && i < street->view.source_count; i++)
        max_count = counts[i] > max_count ? counts[i] : max_count;
    free(counts);
    *enough = max_count <= street->view.capacity;
    if (status != RW_OK || *enough)
        return status;
    if (max_count > UINT32_MAX / 4)
        return rw_fail(context, RW_TOO_LARGE, "there are more than %u paths round corners; lower order", max_count);
    return grow_street_paths(street, (size_t)max_count + max_count / 2);
}

/* Adds receivers to the corners at which paths go on to directions that no path went on to before. */
static rw_status see_sectors(rw_street *street)
{
    rw_street_view *view = &street->view;
    rw_context *context = street->graph->context;
    rw_backend backend = street->graph->backend;
    struct rw_street_sectors_args args = {*view, street->growing->known, street->growing->wanted};
    uint32_t count;
    RW_TRY(fill_street_array(street, view->grown_count, 0, sizeof *view->grown_count));
    RW_TRY(launch_street_kernel(street, RW_KERNEL_street_sectors, &args, street->host_count));
    RW_TRY(rw_device_download(context, backend, &count, view->grown_count, sizeof count));
    if (count == 0)
        return RW_OK;
    RW_TRY(rw_device_download(context, backend, street->host_list, view->grown_list, count * sizeof *view->grown_list));
    qsort(street->host_list, count, sizeof *street->host_list, compare_corner_numbers); /* those nearby together */
    return rw_street_graph_see_sectors(street->growing, street->host_list, count);
}

/* After all paths are there: which receivers see their corners. */
static rw_status see_receivers(rw_street *street)
{
    rw_street_view *view = &street->view;
    if (street->beams) {
        RW_TRY(rw_corner_beams_draw(street->beams, street->host_list, street->host_count));
        view->beams = street->beams->view;
        return RW_OK;
    }
    if (street->growing->known) {
        RW_TRY(see_sectors(street));
    } else {
        qsort(street->host_list, street->host_count, sizeof *street->host_list, compare_corner_numbers);
        RW_TRY(rw_street_graph_see(street->growing, street->host_list, street->host_count));
    }
    view->graph = street->graph->view;
    return RW_OK;
}

static rw_status begin_street_run(rw_street *street)
{
    rw_street_view *view = &street->view;
    size_t corners = street->graph->view.corners.count;
    view->graph = street->graph->view;
    RW_TRY(fill_street_array(street, street->level_bounds, 0,
                             ((size_t)street->order + 2) * street->batch * sizeof(uint32_t)));
    RW_TRY(fill_street_array(street, view->reached, 0xff, view->source_count * corners * sizeof(rw_street_reached)));
    street->host_count = 0;
    if (!view->wanted)
        return RW_OK;
    RW_TRY(fill_street_array(street, view->wanted, 0, corners * sizeof *view->wanted));
    return fill_street_array(street, view->wanted_count, 0, sizeof *view->wanted_count);
}

rw_status rw_street_run(rw_street *street, const rw_shadow_source *sources, size_t count)
{
    int enough = 0;
    street->view.sources = sources;
    street->view.source_count = count;
    while (!enough) {
        RW_TRY(begin_street_run(street));
        RW_TRY(run_levels(street));
        enough = 1;
        if (street->growing) /* receivers of paths that are incomplete would be searched in vain */
            RW_TRY(rw_street_check(street, &enough));
    }
    return street->growing ? see_receivers(street) : RW_OK;
}
