#include "models/images/views/views.h"

#include <string.h>

static rw_status walk_level(const rw_view_walk *walk, const rw_drawn_batch *parent, int level,
                            const rw_view_list *list);

static rw_status walk_batch(const rw_view_walk *walk, const rw_drawn_batch *parent, int level, const rw_view_list *list,
                            size_t first, size_t count)
{
    rw_drawn_batch drawn = rw_drawn_batch_of(list, level, first, count);
    rw_view_list children = {0};
    if (parent) {
        drawn.batch.parents = parent->views;
        drawn.batch.parent_picture = parent->picture;
    }
    rw_status status = RW_OK;
    int last = level == walk->options->depth;
    if (rw_view_level_is_drawn(walk->options, level))
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

/* Batches whose pictures fit into the room for them. */
static rw_status walk_level(const rw_view_walk *walk, const rw_drawn_batch *parent, int level, const rw_view_list *list)
{
    size_t capacity = batch_pixel_capacity(walk);
    if (!rw_view_level_is_drawn(walk->options, level))
        capacity *= 16; /* not drawn: bounded for the sake of the lists alone */
    for (size_t first = 0, next; first < list->count; first = next) {
        size_t pixels = 0;
        for (next = first; next < list->count; next++) {
            size_t more = list->pixels[next];
            if (next > first && (pixels + more > capacity || next - first >= (size_t)1 << 22))
                break;
            pixels += more;
        }
        if (is_late(walk))
            break;
        rw_progress_range before =
            rw_progress_narrow((double)first / (double)list->count, (double)next / (double)list->count);
        RW_TRY(walk_batch(walk, parent, level, list, first, next - first));
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
