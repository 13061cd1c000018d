/* Algorithm 1 of Novak (2016): a view, then its children, depth first, in one frame buffer whose stencil is the stack.
 * A view that its children have overwritten is drawn again before the next child. */
#include "models/images/views/views.h"
#include "base/memory.h"
#include "base/progress.h"
#include "models/images/views/mark_stencil.k.h"

#include <stdlib.h>

/* The frame buffer. Its depth follows from the numbers in its picture. */
typedef struct frame_buffer {
    const rw_view_walk *walk;
    uint8_t *stencil;
    uint16_t *picture;
    int overwritten; /* 1: the picture is not that of the view whose children are visited */
} frame_buffer;

/* Pushes a child on the stencil, where its parent's picture shows its surface, or pops it. */
static rw_status mark_stencil_child(const frame_buffer *buffer, const rw_view *child, const rw_view *parent, int level,
                                    int pops)
{
    const rw_view_walk *walk = buffer->walk;
    struct rw_mark_stencil_args args = {.stencil = buffer->stencil,
                                        .pixels = walk->options->pixels,
                                        .x0 = child->x0,
                                        .y0 = child->y0,
                                        .y1 = child->y1,
                                        .from = (uint8_t)(level + pops),
                                        .to = (uint8_t)(level + !pops),
                                        .picture = pops ? NULL : buffer->picture + parent->first_pixel,
                                        .picture_x0 = parent->x0,
                                        .picture_y0 = parent->y0,
                                        .picture_rows = parent->y1 - parent->y0,
                                        .mark = (uint16_t)child->mark};
    return rw_device_launch(walk->context, walk->backend, RW_KERNEL_mark_stencil, &args, child->x1 - child->x0);
}

static rw_status step_into_view(frame_buffer *buffer, const rw_view *view, const rw_view_list *list, size_t index,
                                int level);

/* Lines 15 to 19 for every child of a view. children are on the backend, views the same on the host. */
static rw_status step_children(frame_buffer *buffer, const rw_view *view, const rw_drawn_batch *drawn,
                               const rw_view_list *children, const rw_view *views)
{
    int level = drawn->batch.level;
    for (size_t i = 0; i < children->count; i++) {
        const rw_view *child = &views[i];
        if (buffer->overwritten)
            RW_TRY(rw_drawn_batch_paint(buffer->walk, drawn));
        buffer->overwritten = 0;
        RW_TRY(mark_stencil_child(buffer, child, view, level, 0));
        RW_TRY(step_into_view(buffer, child, children, i, level + 1));
        RW_TRY(mark_stencil_child(buffer, child, view, level, 1));
        if (level == 0)
            RW_TRY(rw_progress_within(buffer->walk->context,
                                      ((double)view->side + (double)(i + 1) / (double)children->count) / 6,
                                      "predicting"));
    }
    return RW_OK;
}

static rw_status fetch_and_step(frame_buffer *buffer, const rw_view *view, const rw_drawn_batch *drawn,
                                const rw_view_list *children)
{
    const rw_view_walk *walk = buffer->walk;
    rw_view *views;
    RW_TRY(rw_array_create(walk->context, children->count, sizeof *views, "views", &views));
    rw_status status =
        rw_device_download(walk->context, walk->backend, views, children->views, children->count * sizeof *views);
    if (status == RW_OK)
        status = step_children(buffer, view, drawn, children, views);
    free(views);
    return status;
}

/* The view number index of the list; view is the same on the host. Alone in the frame buffer its picture begins there,
 * at pixel 0. */
static rw_status step_into_view(frame_buffer *buffer, const rw_view *view, const rw_view_list *list, size_t index,
                                int level)
{
    const rw_view_walk *walk = buffer->walk;
    rw_drawn_batch drawn = rw_drawn_batch_of(list, level, index, 1);
    rw_view_list children = {0};
    rw_status status = RW_OK;
    int draws = rw_view_level_is_drawn(walk->options, level);
    drawn.batch.stencil = buffer->stencil;
    drawn.picture = buffer->picture;
    drawn.borrowed = 1;
    if (draws)
        status = rw_drawn_batch_draw(walk, &drawn);
    walk->size->views[level]++;
    walk->size->pixels[level] += drawn.pixel_count;
    walk->size->candidates[level] += drawn.shown_count;
    if (status == RW_OK && walk->visit)
        status = walk->visit(walk->user, &drawn.batch);
    if (status == RW_OK && level < walk->options->depth)
        status = rw_drawn_batch_children(walk, &drawn, &children);
    if (draws)
        buffer->overwritten = 0; /* the picture is its own until a child draws */
    if (status == RW_OK && children.count)
        status = fetch_and_step(buffer, view, &drawn, &children);
    if (draws)
        buffer->overwritten = 1;
    rw_view_list_release(walk, &children);
    rw_drawn_batch_release(walk, &drawn);
    return status;
}

rw_status rw_view_recursion_walk(const rw_view_walk *walk, const rw_view sides[RW_VIEW_SIDES], const rw_view_list *list)
{
    frame_buffer buffer = {.walk = walk};
    size_t pixels = (size_t)walk->options->pixels * walk->options->pixels + RW_DRAW_CHUNK;
    rw_status status =
        rw_device_alloc(walk->context, walk->backend, pixels * sizeof *buffer.picture, "pictures", &buffer.picture);
    if (status == RW_OK)
        status = rw_device_alloc(walk->context, walk->backend, pixels, "the stencil", &buffer.stencil);
    if (status == RW_OK)
        status = rw_device_clear(walk->context, walk->backend, buffer.stencil, pixels);
    for (size_t i = 0; status == RW_OK && i < RW_VIEW_SIDES; i++)
        status = step_into_view(&buffer, &sides[i], list, i, 0);
    if (buffer.picture)
        rw_device_free(walk->backend, buffer.picture);
    if (buffer.stencil)
        rw_device_free(walk->backend, buffer.stencil);
    return status;
}
