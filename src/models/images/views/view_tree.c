#include "models/images/views/views.h"

#include "base/memory.h"
#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

static rw_status walk_level(const rw_view_walk *walk, const rw_drawn_batch *parent, int level, rw_view_list *list);

static rw_status walk_batch(const rw_view_walk *walk, const rw_drawn_batch *parent, int level, const rw_view_list *list,
                            size_t first, size_t count, int draws)
{
    rw_drawn_batch drawn = rw_drawn_batch_of(list, level, first, count);
    rw_view_list children = {0};
    if (parent) {
        drawn.batch.parents = parent->views;
        drawn.batch.parent_picture = parent->picture;
    }
    rw_status status = RW_OK;
    int last = level == walk->options->depth;
    if (draws)
        status = rw_drawn_batch_draw(walk, &drawn);
    walk->size->views[level] += count;
    walk->size->pixels[level] += drawn.pixel_count;
    walk->size->candidates[level] += drawn.shown_count;
    if (status == RW_OK && walk->visit)
        status = walk->visit(walk->user, &drawn.batch);
    double start_s = rw_seconds();
    if (status == RW_OK && !last)
        status = rw_drawn_batch_children(walk, &drawn, &children);
    if (status == RW_OK)
        status = rw_view_walk_stage_end(walk, RW_VIEW_STAGE_CHILDREN, &start_s);
    /* what is below the view is as much again, level by level */
    double own = 1.0 / (walk->options->depth - level + 1);
    if (status == RW_OK)
        status = rw_progress_within(walk->context, own, "predicting");
    rw_progress_range before = rw_progress_narrow(own, 1);
    if (status == RW_OK && children.count)
        status = walk_level(walk, &drawn, level + 1, &children);
    rw_progress_range_set(before);
    rw_view_list_release(walk, &children);
    rw_drawn_batch_release(walk, &drawn);
    return status;
}

/* Pixels of a batch. A quarter of what is left of a budget: deeper levels need room too. */
static size_t batch_pixel_capacity(const rw_view_walk *walk)
{
    size_t default_pixels =
        walk->backend == RW_BACKEND_CUDA ? (size_t)1 << 30 : (size_t)1 << 23; /* 16 MB: stays in the caches */
    if (walk->options->batch_pixels)
        return walk->options->batch_pixels;
    return (size_t)(rw_device_buffer_bytes(walk->backend, (double)(default_pixels * sizeof(uint16_t)), 0.25) /
                    sizeof(uint16_t));
}

/* Whether the time is over; then the rest of the tree is left out. */
static int is_late(const rw_view_walk *walk)
{
    double limit_s = walk->options->limit_s;
    if (limit_s > 0 && rw_seconds() - walk->started_s > limit_s)
        walk->size->cut = 1;
    return walk->size->cut;
}

/* Writes those views first that count enough receivers. */
static void order_crowded(const uint32_t *counts, size_t level, const rw_view *views, const uint32_t *steps,
                          const uint32_t *pixels, size_t count, rw_view *ordered, uint32_t *ordered_steps,
                          uint32_t *ordered_pixels, size_t *crowded)
{
    size_t to = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < count; i++) {
            if ((counts[i] >= RW_VIEW_CROWD) == turn)
                continue;
            ordered[to] = views[i];
            ordered_pixels[to] = pixels[i];
            memcpy(ordered_steps + to * level, steps + i * level, level * sizeof *steps);
            to++;
        }
        *crowded = turn ? *crowded : to;
    }
}

typedef struct crowd_order {
    uint32_t *device_counts, *counts, *steps, *ordered_steps, *ordered_pixels;
    rw_view *views, *ordered;
} crowd_order;

static rw_status allocate_crowd_order(const rw_view_walk *walk, size_t count, size_t level, crowd_order *order)
{
    rw_context *context = walk->context;
    RW_TRY(rw_device_alloc(context, walk->backend, count * sizeof *order->counts, "views", &order->device_counts));
    RW_TRY(rw_array_create(context, count, sizeof *order->counts, "views", &order->counts));
    RW_TRY(rw_array_create(context, count * level + 1, sizeof *order->steps, "views", &order->steps));
    RW_TRY(rw_array_create(context, count * level + 1, sizeof *order->steps, "views", &order->ordered_steps));
    RW_TRY(rw_array_create(context, count, sizeof *order->ordered_pixels, "views", &order->ordered_pixels));
    RW_TRY(rw_array_create(context, count, sizeof *order->views, "views", &order->views));
    return rw_array_create(context, count, sizeof *order->views, "views", &order->ordered);
}

static void release_crowd_order(const rw_view_walk *walk, crowd_order *order)
{
    rw_device_free(walk->backend, order->device_counts);
    free(order->counts);
    free(order->steps);
    free(order->ordered_steps);
    free(order->ordered_pixels);
    free(order->views);
    free(order->ordered);
}

static rw_status sort_crowded(const rw_view_walk *walk, size_t level, rw_view_list *list, crowd_order *order,
                              size_t *crowded)
{
    rw_context *context = walk->context;
    size_t count = list->count, step_bytes = count * level * sizeof *order->steps;
    struct rw_weigh_views_args args = {walk->options->crowd, list->views, walk->options->pixels, RW_VIEW_CROWD,
                                       order->device_counts};
    RW_TRY(rw_device_launch(context, walk->backend, RW_KERNEL_weigh_views, &args, count));
    RW_TRY(
        rw_device_download(context, walk->backend, order->counts, order->device_counts, count * sizeof *order->counts));
    RW_TRY(rw_device_download(context, walk->backend, order->views, list->views, count * sizeof *order->views));
    RW_TRY(rw_device_download(context, walk->backend, order->steps, list->steps, step_bytes));
    order_crowded(order->counts, level, order->views, order->steps, list->pixels, count, order->ordered,
                  order->ordered_steps, order->ordered_pixels, crowded);
    memcpy(list->pixels, order->ordered_pixels, count * sizeof *list->pixels);
    RW_TRY(rw_device_upload(context, walk->backend, list->views, order->ordered, count * sizeof *order->views));
    return rw_device_upload(context, walk->backend, list->steps, order->ordered_steps, step_bytes);
}

/* How many views at the start of a list are drawn: all, none, or of the last level those with many receivers, which it
 * moves there. */
static rw_status choose_drawn(const rw_view_walk *walk, int level, rw_view_list *list, size_t *drawn)
{
    crowd_order order = {0};
    *drawn = rw_view_level_is_drawn(walk->options, level) ? list->count : 0;
    if (*drawn || !walk->options->crowd.count || !list->count)
        return RW_OK;
    rw_status status = allocate_crowd_order(walk, list->count, (size_t)level, &order);
    if (status == RW_OK)
        status = sort_crowded(walk, (size_t)level, list, &order, drawn);
    release_crowd_order(walk, &order);
    return status;
}

/* Batches whose pictures fit into the room for them. */
static rw_status walk_level(const rw_view_walk *walk, const rw_drawn_batch *parent, int level, rw_view_list *list)
{
    size_t drawn;
    RW_TRY(choose_drawn(walk, level, list, &drawn));
    for (size_t first = 0, next; first < list->count; first = next) {
        size_t pixels = 0, end = first < drawn ? drawn : list->count, capacity = batch_pixel_capacity(walk);
        if (first >= drawn)
            capacity *= 16; /* not drawn: bounded for the sake of the lists alone */
        for (next = first; next < end; next++) {
            size_t more = list->pixels[next];
            if (next > first && (pixels + more > capacity || next - first >= (size_t)1 << 22))
                break;
            pixels += more;
        }
        if (is_late(walk))
            break;
        rw_progress_range before =
            rw_progress_narrow((double)first / (double)list->count, (double)next / (double)list->count);
        RW_TRY(walk_batch(walk, parent, level, list, first, next - first, first < drawn));
        rw_progress_range_set(before);
        if (level == 1 && !walk->size->cut)
            walk->size->done +=
                (double)(next - first) / (double)list->count * (double)parent->batch.count / RW_VIEW_SIDES;
        RW_TRY(rw_progress_within(walk->context, (double)next / (double)list->count, "predicting"));
    }
    return RW_OK;
}

rw_status rw_view_tree_walk(rw_context *context, rw_backend backend, const rw_surfaces_view *surfaces,
                            const rw_refractor *slabs, const rw_view_tree_options *options, rw_view_visit visit,
                            void *user, rw_view_tree_size *size)
{
    rw_view_walk walk = {context, backend, surfaces, slabs, options, visit, user, size, rw_seconds()};
    rw_view sides[RW_VIEW_SIDES];
    rw_view_list list = {0};
    memset(size, 0, sizeof *size);
    for (int i = 0; i < RW_VIEW_SIDES; i++)
        sides[i] = rw_view_baseline(i, options->source, options->pixels);
    RW_TRY(rw_view_list_start(&walk, sides, RW_VIEW_SIDES, &list));
    rw_status status =
        options->recursion ? rw_view_recursion_walk(&walk, sides, &list) : walk_level(&walk, NULL, 0, &list);
    rw_view_list_release(&walk, &list);
    return status;
}
