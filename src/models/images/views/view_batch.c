#include "models/images/views/views.h"

#include "base/memory.h"
#include "models/images/views/cull_view.k.h"
#include "models/images/views/list_children.k.h"

#include <stdlib.h>

void rw_drawn_batch_release(const rw_view_walk *walk, rw_drawn_batch *drawn)
{
    void *arrays[] = {drawn->candidates, drawn->edges, drawn->used, drawn->borrowed ? NULL : drawn->picture};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(walk->backend, arrays[i]);
}

void rw_view_list_release(const rw_view_walk *walk, rw_view_list *list)
{
    void *arrays[] = {list->views, list->steps};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(walk->backend, arrays[i]);
    free(list->pixels);
    *list = (rw_view_list){0};
}

static rw_status allocate_view_list(const rw_view_walk *walk, size_t count, size_t level, rw_view_list *list)
{
    list->count = count;
    RW_TRY(rw_array_create(walk->context, count + 1, sizeof *list->pixels, "views", &list->pixels));
    RW_TRY(rw_device_alloc(walk->context, walk->backend, (count + 1) * sizeof *list->views, "views", &list->views));
    return rw_device_alloc(walk->context, walk->backend, (count * level + 1) * sizeof *list->steps, "views",
                           &list->steps);
}

rw_status rw_view_list_start(const rw_view_walk *walk, const rw_view *views, size_t count, rw_view_list *list)
{
    rw_status status = allocate_view_list(walk, count, 0, list);
    for (size_t i = 0; status == RW_OK && i < count; i++)
        list->pixels[i] = (views[i].x1 - views[i].x0) * (views[i].y1 - views[i].y0);
    if (status == RW_OK)
        status = rw_device_upload(walk->context, walk->backend, list->views, views, count * sizeof *views);
    if (status != RW_OK)
        rw_view_list_release(walk, list);
    return status;
}

rw_drawn_batch rw_drawn_batch_of(const rw_view_list *list, int level, size_t first, size_t count)
{
    rw_drawn_batch drawn = {.batch = {.level = level, .count = count}};
    drawn.views = list->views + first;
    drawn.steps = list->steps + first * (size_t)level;
    drawn.batch.views = drawn.views;
    drawn.batch.steps = drawn.steps;
    return drawn;
}

int rw_view_level_is_drawn(const rw_view_tree_options *options, int level)
{
    return level < options->depth || options->draws_last;
}

/* Finds candidates and their edges; where the capacities guessed were too small, once more with enough: how many edges
 * there are is seen once all candidates have found room. */
static rw_status cull_batch(const rw_view_walk *walk, rw_drawn_batch *drawn)
{
    uint32_t capacity = (uint32_t)(drawn->batch.count * 16 < 1024 ? 1024 : drawn->batch.count * 16), used[2];
    uint32_t edge_capacity = 4 * capacity;
    RW_TRY(rw_device_alloc(walk->context, walk->backend, sizeof used, "candidates", &drawn->used));
    for (int attempt = 0; attempt < 3; attempt++) {
        RW_TRY(rw_device_grow(walk->context, walk->backend, &drawn->candidates, 0, capacity * sizeof *drawn->candidates,
                              "candidates"));
        RW_TRY(rw_device_grow(walk->context, walk->backend, &drawn->edges, 0, edge_capacity * sizeof *drawn->edges,
                              "candidates"));
        RW_TRY(rw_device_clear(walk->context, walk->backend, drawn->used, sizeof used));
        struct rw_cull_view_args args = {.surfaces = *walk->surfaces,
                                         .views = drawn->views,
                                         .candidates = drawn->candidates,
                                         .edges = drawn->edges,
                                         .capacity = capacity,
                                         .edge_capacity = edge_capacity,
                                         .used = drawn->used,
                                         .pixels = walk->options->pixels,
                                         .occlusion = !walk->options->skips_culling};
        RW_TRY(rw_device_launch(walk->context, walk->backend, RW_KERNEL_cull_view, &args, drawn->batch.count));
        RW_TRY(rw_device_download(walk->context, walk->backend, used, drawn->used, sizeof used));
        if (used[0] <= capacity && used[1] <= edge_capacity)
            break;
        capacity = used[0] > capacity ? used[0] : capacity;
        edge_capacity = used[1] > edge_capacity ? used[1] : edge_capacity;
    }
    drawn->candidate_count = used[0];
    return RW_OK;
}

rw_status rw_view_stage_end(rw_context *context, rw_backend backend, int timed, rw_view_stage stage, double *start_s,
                            rw_view_tree_size *size)
{
    if (!timed)
        return RW_OK;
    RW_TRY(rw_device_wait(context, backend));
    double now_s = rw_seconds();
    size->seconds[stage] += now_s - *start_s;
    *start_s = now_s;
    return RW_OK;
}

rw_status rw_view_walk_stage_end(const rw_view_walk *walk, rw_view_stage stage, double *start_s)
{
    return rw_view_stage_end(walk->context, walk->backend, walk->options->timed, stage, start_s, walk->size);
}

/* Whole columns on the CPU; on a GPU strips short enough that there are items for all of it. */
static uint32_t choose_strip(const rw_view_walk *walk, const rw_view_extent *extents, size_t count)
{
    const size_t items_wanted = (size_t)1 << 18, rows_min = 128;
    size_t pixels = 0;
    if (walk->options->strip_rows)
        return walk->options->strip_rows;
    if (walk->backend == RW_BACKEND_CPU)
        return RW_VIEW_PIXELS_MAX;
    for (size_t i = 0; i < count; i++)
        pixels += (size_t)extents[i].columns * extents[i].rows;
    size_t rows = pixels / items_wanted < rows_min ? rows_min : pixels / items_wanted;
    rows = (rows + RW_DRAW_CHUNK - 1) / RW_DRAW_CHUNK * RW_DRAW_CHUNK;
    return rows < RW_VIEW_PIXELS_MAX ? (uint32_t)rows : RW_VIEW_PIXELS_MAX;
}

/* Gives each view that may show something its place in the picture. */
static void choose_view_offsets(const rw_view_extent *extents, rw_view_offset *offsets, rw_drawn_batch *drawn)
{
    for (size_t i = 0; i < drawn->batch.count; i++) {
        offsets[i] = (rw_view_offset){drawn->column_count, drawn->pixel_count};
        drawn->column_count += (size_t)extents[i].columns * rw_row_strips(extents[i].rows, drawn->strip_rows);
        drawn->pixel_count += (size_t)extents[i].columns * extents[i].rows;
        drawn->shown_count += extents[i].candidates;
    }
}

/* Pixels are numbers of a view's own surfaces, in 16 bits. */
static rw_status check_candidates(rw_context *context, const rw_view_extent *extents, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (extents[i].candidates >= UINT16_MAX)
            return rw_fail(context, RW_TOO_LARGE,
                           "one view of the scene has %u plane surfaces and a picture takes %d: take a part of the "
                           "scene, or a lower transmitter; curved or very fine meshes are not for this model",
                           (unsigned)extents[i].candidates, UINT16_MAX - 1);
    return RW_OK;
}

/* Sums run on the host, over two numbers a view; the views stay where they are. */
static rw_status locate_views_in_picture(const rw_view_walk *walk, rw_drawn_batch *drawn)
{
    rw_context *context = walk->context;
    size_t count = drawn->batch.count;
    rw_view_extent *extents = NULL, *measured = NULL;
    rw_view_offset *offsets = NULL, *device_offsets = NULL;
    rw_status status = rw_array_create(context, count, sizeof *extents, "views", &extents);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *offsets, "views", &offsets);
    if (status == RW_OK)
        status = rw_device_alloc(context, walk->backend, count * sizeof *measured, "views", &measured);
    if (status == RW_OK)
        status = rw_device_alloc(context, walk->backend, count * sizeof *device_offsets, "views", &device_offsets);
    struct rw_measure_views_args measure = {drawn->views, measured};
    struct rw_locate_views_args locating = {drawn->views, device_offsets};
    if (status == RW_OK)
        status = rw_device_launch(context, walk->backend, RW_KERNEL_measure_views, &measure, count);
    if (status == RW_OK)
        status = rw_device_download(context, walk->backend, extents, measured, count * sizeof *extents);
    if (status == RW_OK)
        status = check_candidates(context, extents, count);
    if (status == RW_OK) {
        drawn->strip_rows = choose_strip(walk, extents, count);
        choose_view_offsets(extents, offsets, drawn);
        status = rw_device_upload(context, walk->backend, device_offsets, offsets, count * sizeof *offsets);
    }
    if (status == RW_OK)
        status = rw_device_launch(context, walk->backend, RW_KERNEL_locate_views, &locating, count);
    if (measured)
        rw_device_free(walk->backend, measured);
    if (device_offsets)
        rw_device_free(walk->backend, device_offsets);
    free(extents);
    free(offsets);
    return status;
}

rw_status rw_drawn_batch_paint(const rw_view_walk *walk, const rw_drawn_batch *drawn)
{
    struct rw_draw_view_args args = {.views = drawn->views,
                                     .view_count = drawn->batch.count,
                                     .candidates = drawn->candidates,
                                     .edges = drawn->edges,
                                     .picture = drawn->picture,
                                     .parents = drawn->batch.parents,
                                     .parent_picture = drawn->batch.parent_picture,
                                     .stencil = drawn->batch.stencil,
                                     .level = drawn->batch.level,
                                     .pixels = walk->options->pixels,
                                     .strip_rows = drawn->strip_rows};
    return rw_device_launch(walk->context, walk->backend, RW_KERNEL_draw_view, &args, drawn->column_count);
}

rw_status rw_drawn_batch_draw(const rw_view_walk *walk, rw_drawn_batch *drawn)
{
    rw_context *context = walk->context;
    double start_s = rw_seconds();
    RW_TRY(cull_batch(walk, drawn));
    RW_TRY(rw_view_walk_stage_end(walk, RW_VIEW_STAGE_CULL, &start_s));
    RW_TRY(locate_views_in_picture(walk, drawn));
    if (!drawn->borrowed)
        RW_TRY(rw_device_alloc(context, walk->backend, (drawn->pixel_count + RW_DRAW_CHUNK) * sizeof *drawn->picture,
                               "pictures", &drawn->picture));
    RW_TRY(rw_view_walk_stage_end(walk, RW_VIEW_STAGE_COPY, &start_s));
    RW_TRY(rw_drawn_batch_paint(walk, drawn));
    RW_TRY(rw_view_walk_stage_end(walk, RW_VIEW_STAGE_DRAW, &start_s));
    drawn->batch.picture = drawn->picture;
    drawn->batch.candidates = drawn->candidates;
    return RW_OK;
}

/* Where the children of each view go, from how many each has: firsts become sums of those before. */
static rw_status sum_counts(const rw_view_walk *walk, const rw_view_child_rules *rules, size_t count, uint32_t *device,
                            size_t *total)
{
    rw_context *context = walk->context;
    struct rw_count_children_args args = {*rules, device};
    uint32_t *counts;
    RW_TRY(rw_array_create(context, count, sizeof *counts, "views", &counts));
    rw_status status = rw_device_launch(context, walk->backend, RW_KERNEL_count_children, &args, count);
    if (status == RW_OK)
        status = rw_device_download(context, walk->backend, counts, device, count * sizeof *counts);
    *total = 0;
    for (size_t i = 0; status == RW_OK && i < count; i++) {
        uint32_t own = counts[i];
        counts[i] = (uint32_t)*total;
        *total += own;
    }
    if (status == RW_OK && *total > UINT32_MAX)
        status = rw_fail(context, RW_TOO_LARGE, "%zu views of one level are more than this model takes", *total);
    if (status == RW_OK)
        status = rw_device_upload(context, walk->backend, device, counts, count * sizeof *counts);
    free(counts);
    return status;
}

static rw_status fill_children(const rw_view_walk *walk, const rw_view_child_rules *rules, size_t parents,
                               const uint32_t *firsts, rw_view_list *children)
{
    uint32_t *pixels;
    RW_TRY(rw_device_alloc(walk->context, walk->backend, (children->count + 1) * sizeof *pixels, "views", &pixels));
    struct rw_list_children_args args = {*rules, firsts, children->views, children->steps, pixels};
    rw_status status = rw_device_launch(walk->context, walk->backend, RW_KERNEL_list_children, &args, parents);
    if (status == RW_OK)
        status = rw_device_download(walk->context, walk->backend, children->pixels, pixels,
                                    children->count * sizeof *pixels);
    rw_device_free(walk->backend, pixels);
    return status;
}

rw_status rw_drawn_batch_children(const rw_view_walk *walk, const rw_drawn_batch *drawn, rw_view_list *children)
{
    const rw_view_tree_options *options = walk->options;
    rw_view_child_rules rules = {.surfaces = *walk->surfaces,
                                 .slabs = walk->slabs,
                                 .views = drawn->views,
                                 .steps = drawn->steps,
                                 .candidates = drawn->candidates,
                                 .limits = options->limits,
                                 .threshold = options->threshold,
                                 .pixels = options->pixels,
                                 .level = drawn->batch.level,
                                 .straight = options->straight};
    size_t count = drawn->batch.count, total = 0;
    uint32_t *firsts;
    RW_TRY(rw_device_alloc(walk->context, walk->backend, count * sizeof *firsts, "views", &firsts));
    rw_status status = sum_counts(walk, &rules, count, firsts, &total);
    if (status == RW_OK && total)
        status = allocate_view_list(walk, total, (size_t)drawn->batch.level + 1, children);
    if (status == RW_OK && total)
        status = fill_children(walk, &rules, count, firsts, children);
    rw_device_free(walk->backend, firsts);
    if (status != RW_OK)
        rw_view_list_release(walk, children);
    return status;
}
