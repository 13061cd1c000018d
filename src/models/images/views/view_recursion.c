/* Algorithm 1 of Novak (2016): a view, then its children, depth first, in one frame buffer whose stencil is the stack.
 * A view that its children have overwritten is drawn again before the next child. */
#include "models/images/views/view_batch.h"
#include "models/images/views/mark_stencil.k.h"

/* The frame buffer. Its depth follows from the numbers in its picture. */
typedef struct frame_buffer {
    const rw_view_walk *walk;
    uint8_t *stencil;
    uint16_t *picture;
    int overwritten; /* 1: the picture is not that of the view whose children are visited */
} frame_buffer;

/* Pushes a child on the stencil, where its parent's picture shows its surface, or pops it. */
static rw_status mark(const frame_buffer *buffer, const rw_view *child, const rw_view *parent, int level, int pops)
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

static rw_status step(frame_buffer *buffer, rw_view *view, const uint32_t *steps, int level);

/* Lines 15 to 19 for every child of a view. */
static rw_status step_children(frame_buffer *buffer, const rw_view *view, const rw_drawn_batch *drawn,
                               const rw_view_list *children)
{
    int level = drawn->batch.level;
    for (size_t i = 0; i < children->count; i++) {
        rw_view *child = &children->views[i];
        if (buffer->overwritten)
            RW_TRY(rw_drawn_batch_paint(buffer->walk, drawn));
        buffer->overwritten = 0;
        RW_TRY(mark(buffer, child, view, level, 0));
        RW_TRY(step(buffer, child, children->steps + i * (size_t)(level + 1), level + 1));
        RW_TRY(mark(buffer, child, view, level, 1));
        if (level == 0)
            RW_TRY(rw_progress_within(buffer->walk->context,
                                      ((double)view->side + (double)(i + 1) / (double)children->count) / 6,
                                      "predicting"));
    }
    return RW_OK;
}

static rw_status step(frame_buffer *buffer, rw_view *view, const uint32_t *steps, int level)
{
    const rw_view_walk *walk = buffer->walk;
    rw_drawn_batch drawn = {
        .batch = {.level = level, .count = 1, .stencil = buffer->stencil}, .picture = buffer->picture, .lent = 1};
    rw_view_list children = {0};
    rw_status status = rw_drawn_batch_send(walk, view, steps, &drawn);
    int draws = rw_view_level_is_drawn(walk->options, level);
    if (status == RW_OK && draws)
        status = rw_drawn_batch_draw(walk, view, &drawn);
    walk->size->views[level]++;
    walk->size->pixels[level] += drawn.pixel_count;
    if (status == RW_OK && walk->visit)
        status = walk->visit(walk->user, &drawn.batch);
    if (status == RW_OK && level < walk->options->depth)
        status = rw_drawn_batch_children(walk, &drawn, view, steps, &children);
    if (draws)
        buffer->overwritten = 0; /* the picture is its own until a child draws */
    if (status == RW_OK && children.count)
        status = step_children(buffer, view, &drawn, &children);
    if (draws)
        buffer->overwritten = 1;
    rw_view_list_release(&children);
    rw_drawn_batch_release(walk, &drawn);
    return status;
}

rw_status rw_view_recursion_walk(const rw_view_walk *walk, const rw_view sides[RW_VIEW_SIDES])
{
    frame_buffer buffer = {.walk = walk};
    size_t pixels = (size_t)walk->options->pixels * walk->options->pixels + RW_DRAW_CHUNK;
    const uint32_t no_steps = 0;
    rw_status status =
        rw_device_alloc(walk->context, walk->backend, pixels * sizeof *buffer.picture, "pictures", &buffer.picture);
    if (status == RW_OK)
        status = rw_device_alloc(walk->context, walk->backend, pixels, "the stencil", &buffer.stencil);
    if (status == RW_OK)
        status = rw_device_clear(walk->context, walk->backend, buffer.stencil, pixels);
    for (int i = 0; status == RW_OK && i < RW_VIEW_SIDES; i++) {
        rw_view view = sides[i];
        status = step(&buffer, &view, &no_steps, 0);
    }
    if (buffer.picture)
        rw_device_free(walk->backend, buffer.picture);
    if (buffer.stencil)
        rw_device_free(walk->backend, buffer.stencil);
    return status;
}
