/* The stencil of one frame buffer that serves a whole branch of the tree: pushes a view's surface on it, or pops it.
 *
 * Novak (2016), Algorithm 1, lines 3 and 19: pixels whose stencil has the value from get the value to; where a picture
 * is given, only those that show the mark. Kernel: one item a column of the window. */
#ifndef RW_MODELS_IMAGES_VIEWS_MARK_STENCIL_K_H
#define RW_MODELS_IMAGES_VIEWS_MARK_STENCIL_K_H

#include "models/images/views/view.k.h"

struct rw_mark_stencil_args {
    uint8_t *stencil;
    uint32_t pixels;
    uint32_t x0, y0, y1; /* window */
    uint8_t from, to;
    const uint16_t *picture; /* NULL: all pixels of the window */
    uint32_t picture_x0, picture_y0, picture_rows;
    uint16_t mark;
};

RW_FN void rw_mark_stencil_item(const struct rw_mark_stencil_args *args, size_t item)
{
    uint32_t x = args->x0 + (uint32_t)item;
    uint8_t *column = args->stencil + (size_t)x * args->pixels;
    const uint16_t *shown = args->picture;
    if (shown)
        shown += (size_t)(x - args->picture_x0) * args->picture_rows;
    for (uint32_t y = args->y0; y < args->y1; y++)
        if (column[y] == args->from && (!shown || shown[y - args->picture_y0] == args->mark))
            column[y] = args->to;
}

#endif
