/* Draws the pictures of views, column by column, and counts what is seen: a histogram with the extent of each surface.
 *
 * The plane of a column cuts a surface in segments; along the column the reciprocal depth of a plane surface is linear.
 * Each pixel shows the surface whose reciprocal depth is largest there, so the ID buffer is written once and the depth
 * buffer is never stored: it follows from the ID. Pixels outside the view's stencil stay 0. Kernel: one item for a
 * strip of a column of a view; the strips of one height follow each other, so that neighbouring items are neighbouring
 * columns. Whole columns are the least work, since each strip cuts the surfaces anew; a GPU wants more items than six
 * views have columns. */
#ifndef RW_MODELS_IMAGES_VIEWS_DRAW_VIEW_K_H
#define RW_MODELS_IMAGES_VIEWS_DRAW_VIEW_K_H

#include "models/images/views/view.k.h"

#define RW_DRAW_SPANS 64     /* held at a time; more are drawn in turns */
#define RW_DRAW_CROSSINGS 32 /* of one surface with one column, held at a time; more are found in turns */
#define RW_DRAW_CHUNK 32     /* pixels that are drawn together */

struct rw_draw_view_args {
    const rw_view *views;
    size_t view_count;
    rw_view_candidate *candidates;
    const rw_view_edge *edges; /* of the candidates */
    uint16_t *picture;         /* 1 + number of the candidate in its view; 0: nothing, or outside the stencil */
    const rw_view *parents;
    const uint16_t *parent_picture; /* NULL for the views from the transmitter */
    const uint8_t *stencil;         /* of one frame buffer, which is level inside a view; NULL: parents tell */
    int level;
    uint32_t pixels;
    uint32_t strip_rows; /* at most, of a strip */
};

/* Rows first to end - 1 of a column show a candidate, of reciprocal depth at + step * row. */
typedef struct rw_view_span {
    int first, end;
    float at, step;
    uint16_t mark;
} rw_view_span;

/* A column as a plane: p - eye = a up + w (forward + slope right). */
typedef struct rw_view_column {
    const rw_view *view;
    uint32_t x;
    uint32_t y0, y1; /* rows of the strip, end not included */
    float slope, half;
} rw_view_column;

typedef struct rw_column_crossing {
    float key, a, w, clip;
    int sense;
    uint32_t edge;
} rw_column_crossing;

/* How far a column's candidates are drawn: all before this one, and of it the pieces up to a crossing. */
typedef struct rw_column_cursor {
    uint32_t candidate;
    int begun;   /* 0: none of its crossings is behind */
    int winding; /* behind the last one */
    rw_column_crossing last;
} rw_column_cursor;

/* Strips of a column of so many rows. */
RW_FN uint32_t rw_row_strips(uint32_t rows, uint32_t strip_rows)
{
    return rows / strip_rows + (rows % strip_rows > 0u);
}

RW_FN rw_view_column rw_view_column_of(const rw_view *view, uint32_t x, uint32_t strip, uint32_t strip_rows,
                                       uint32_t pixels)
{
    rw_view_column column;
    column.view = view;
    column.x = x;
    column.y0 = view->y0 + strip * strip_rows;
    column.y1 = view->y1 - column.y0 < strip_rows ? view->y1 : column.y0 + strip_rows;
    column.half = 0.5f * (float)pixels;
    column.slope = ((float)x + 0.5f) / column.half - 1.0f;
    return column;
}

/* Crossings in order along the cut; where two lie at one place, in that of their edges. */
RW_FN int rw_crossing_is_after(const rw_column_crossing *one, const rw_column_crossing *other)
{
    return one->key > other->key || (one->key == other->key && one->edge > other->edge);
}

/* Puts a crossing into the list of the first ones, which is in order. Returns how many there are. */
RW_FN int rw_crossing_insert(rw_column_crossing *crossings, int count, rw_column_crossing column_crossing)
{
    if (count == RW_DRAW_CROSSINGS && !rw_crossing_is_after(&crossings[count - 1], &column_crossing))
        return count;
    int at = count < RW_DRAW_CROSSINGS ? count++ : count - 1;
    for (; at > 0 && rw_crossing_is_after(&crossings[at - 1], &column_crossing); at--)
        crossings[at] = crossings[at - 1];
    crossings[at] = column_crossing;
    return count;
}

/* Where the edges of a candidate cross the column's plane, in order along the cut: the first ones behind the cursor.
 * Returns how many. */
RW_FN int rw_column_crossings(const rw_view_edge *edges, uint32_t edge_count, const rw_view_column *column,
                              float plane_up, float plane_ahead, const rw_column_cursor *cursor,
                              rw_column_crossing *crossings)
{
    int count = 0;
    for (uint32_t i = 0; i < edge_count; i++) {
        const rw_view_edge *edge = &edges[i];
        float before = edge->right[0] - column->slope * edge->forward[0];
        float after = edge->right[1] - column->slope * edge->forward[1];
        if ((before < 0.0f) == (after < 0.0f))
            continue;
        float fraction = before / (before - after);
        rw_column_crossing column_crossing;
        column_crossing.a = edge->up[0] + fraction * (edge->up[1] - edge->up[0]);
        column_crossing.w = edge->forward[0] + fraction * (edge->forward[1] - edge->forward[0]);
        column_crossing.clip = edge->clip[0] + fraction * (edge->clip[1] - edge->clip[0]);
        column_crossing.key = column_crossing.a * plane_ahead - column_crossing.w * plane_up;
        column_crossing.sense = before < 0.0f ? 1 : -1;
        column_crossing.edge = i;
        if (!cursor->begun || rw_crossing_is_after(&column_crossing, &cursor->last))
            count = rw_crossing_insert(crossings, count, column_crossing);
    }
    return count;
}

/* The rows that a piece of the cut covers, behind the viewpoint and the clipping plane cut off; 0 where none. */
RW_FN int rw_column_rows(const rw_column_crossing *one, const rw_column_crossing *other, const rw_view_column *column,
                         rw_view_span *span)
{
    const float near_w = 1e-4f;
    float from = 0.0f, to = 1.0f;
    float starts[2] = {one->w - near_w, one->clip}, ends[2] = {other->w - near_w, other->clip};
    for (int i = 0; i < 2; i++) {
        if (!(starts[i] > 0.0f) && !(ends[i] > 0.0f))
            return 0;
        float fraction = starts[i] / (starts[i] - ends[i]);
        if (!(starts[i] > 0.0f))
            from = fraction > from ? fraction : from;
        if (!(ends[i] > 0.0f))
            to = fraction < to ? fraction : to;
    }
    if (!(from < to))
        return 0;
    float a0 = one->a + from * (other->a - one->a), a1 = to < 1.0f ? one->a + to * (other->a - one->a) : other->a;
    float w0 = one->w + from * (other->w - one->w), w1 = to < 1.0f ? one->w + to * (other->w - one->w) : other->w;
    float y0 = (a0 / w0 + 1.0f) * column->half, y1 = (a1 / w1 + 1.0f) * column->half;
    float low = y0 < y1 ? y0 : y1, high = y0 < y1 ? y1 : y0;
    float bottom = (float)column->y0, top = (float)column->y1;
    low = low < bottom ? bottom : low > top ? top : low;
    high = high < bottom ? bottom : high > top ? top : high;
    span->first = (int)ceilf(low - 0.5f);
    span->end = (int)ceilf(high - 0.5f);
    return span->end > span->first;
}

/* A surface as a column sees it: in the column's plane it is plane_up a + plane_ahead w = height. */
typedef struct rw_column_surface {
    float plane_up, plane_ahead, height;
} rw_column_surface;

RW_FN rw_column_surface rw_column_surface_of(const rw_view_column *column, const rw_view_candidate *candidate)
{
    rw_column_surface cut;
    cut.plane_up = candidate->plane_up;
    cut.plane_ahead = candidate->plane_forward + column->slope * candidate->plane_right;
    cut.height = candidate->height_m;
    return cut;
}

/* Adds the span between the place's last crossing and the next; 0 where there is no room for it. */
RW_FN int rw_column_add_piece(const rw_view_column *column, const rw_column_surface *cut,
                              const rw_column_cursor *cursor, const rw_column_crossing *next, rw_view_span *spans,
                              int *count)
{
    rw_view_span span;
    if (!cursor->begun || cursor->winding == 0 || !rw_column_rows(&cursor->last, next, column, &span))
        return 1;
    if (*count == RW_DRAW_SPANS)
        return 0;
    /* 1/w = (plane_up y + plane_ahead) / height with y = (row + 0.5) / half - 1 */
    span.step = cut->plane_up / (column->half * cut->height);
    span.at = (cut->plane_ahead + cut->plane_up * (0.5f / column->half - 1.0f)) / cut->height;
    span.mark = (uint16_t)(cursor->candidate + 1);
    spans[(*count)++] = span;
    return 1;
}

/* Moves the cursor to the next candidate that may touch the column; 0 where there is none. */
RW_FN int rw_column_next(const struct rw_draw_view_args *args, const rw_view_column *column, rw_column_cursor *cursor)
{
    const rw_view_candidate *candidates = args->candidates + column->view->first_candidate;
    uint32_t count = column->view->candidate_count, at = cursor->candidate;
    while (at < count && (column->x < candidates[at].x0 || column->x >= candidates[at].x1))
        at++;
    cursor->candidate = at;
    return at < count;
}

/* Adds the spans of the place's candidate in a column, from the place on, and moves the place to the next candidate;
 * 0 where there was no room for all of them: then the place is behind the last that had. */
RW_FN int rw_column_add(const struct rw_draw_view_args *args, const rw_view_column *column, rw_column_cursor *cursor,
                        rw_view_span *spans, int *count)
{
    const rw_view_candidate *candidate = &args->candidates[column->view->first_candidate + cursor->candidate];
    int found = RW_DRAW_CROSSINGS;
    rw_column_surface cut = rw_column_surface_of(column, candidate);
    rw_column_crossing crossings[RW_DRAW_CROSSINGS];
    while (found == RW_DRAW_CROSSINGS) {
        found = rw_column_crossings(args->edges + candidate->first_edge, candidate->edge_count, column, cut.plane_up,
                                    cut.plane_ahead, cursor, crossings);
        for (int i = 0; i < found; i++) {
            if (!rw_column_add_piece(column, &cut, cursor, &crossings[i], spans, count))
                return 0;
            cursor->winding += crossings[i].sense;
            cursor->last = crossings[i];
            cursor->begun = 1;
        }
    }
    cursor->candidate++;
    cursor->begun = cursor->winding = 0;
    return 1;
}

RW_FN float rw_column_reciprocal(const struct rw_draw_view_args *args, const rw_view_column *column, uint16_t mark,
                                 int row)
{
    rw_column_surface cut = rw_column_surface_of(column, &args->candidates[column->view->first_candidate + mark - 1u]);
    float y = ((float)row + 0.5f) / column->half - 1.0f;
    return (cut.plane_ahead + y * cut.plane_up) / cut.height;
}

/* Draws spans into a chunk of a column. */
RW_FN void rw_column_chunk(const rw_view_span *spans, int count, int row, float best[RW_DRAW_CHUNK],
                           int marks[RW_DRAW_CHUNK])
{
    for (int s = 0; s < count; s++) {
        int first = spans[s].first - row, end = spans[s].end - row, mark = spans[s].mark;
        if (first >= RW_DRAW_CHUNK || end <= 0)
            continue;
        float at = spans[s].at + spans[s].step * (float)row, step = spans[s].step;
        RW_SIMD for (int i = 0; i < RW_DRAW_CHUNK; i++)
        {
            float reciprocal = at + step * (float)i;
            int nearer = (i >= first) & (i < end) & (reciprocal > best[i]);
            best[i] = nearer ? reciprocal : best[i];
            marks[i] = nearer ? mark : marks[i];
        }
    }
}

/* The stencil of a chunk: where the frame buffer says so, or the parent's picture shows the view's surface. Returns
 * whether it is anywhere. Reads a whole chunk: pictures and the frame buffer have room for one more behind their end.
 */
RW_FN int rw_column_stencil(const struct rw_draw_view_args *args, const rw_view *view, uint32_t x, int row, int rows,
                            int stencil[RW_DRAW_CHUNK])
{
    int any = 0;
    if (args->stencil) {
        const uint8_t *values = args->stencil + (size_t)x * args->pixels + (size_t)row;
        for (int i = 0; i < RW_DRAW_CHUNK; i++) {
            stencil[i] = (i < rows) & (values[i] == args->level);
            any |= stencil[i];
        }
        return any;
    }
    if (!args->parent_picture) {
        RW_SIMD for (int i = 0; i < RW_DRAW_CHUNK; i++) stencil[i] = i < rows;
        return 1;
    }
    const rw_view *parent = &args->parents[view->parent];
    const uint16_t *shown = args->parent_picture + parent->first_pixel +
                            (size_t)(x - parent->x0) * (parent->y1 - parent->y0) + (size_t)(row - (int)parent->y0);
    uint16_t mark = (uint16_t)view->mark;
    for (int i = 0; i < RW_DRAW_CHUNK; i++) {
        stencil[i] = (i < rows) & (shown[i] == mark);
        any |= stencil[i];
    }
    return any;
}

RW_FN void rw_column_count(rw_view_candidate *candidate, uint32_t x, uint32_t first, uint32_t end)
{
    rw_shared_add(&candidate->pixels, end - first);
    rw_shared_lower(&candidate->seen_x0, x);
    rw_shared_lower(&candidate->seen_not_x1, ~(x + 1u));
    rw_shared_lower(&candidate->seen_y0, first);
    rw_shared_lower(&candidate->seen_not_y1, ~end);
}

/* Whether a whole chunk shows one mark. */
RW_FN int rw_column_even(const uint16_t *shown, uint16_t mark)
{
    unsigned other = 0;
    for (int i = 0; i < RW_DRAW_CHUNK; i++)
        other |= (unsigned)(shown[i] ^ mark);
    return other == 0;
}

/* Runs of one mark go to the histogram as one. */
RW_FN void rw_column_histogram(const struct rw_draw_view_args *args, const rw_view_column *column,
                               const uint16_t *shown)
{
    uint32_t rows = column->y1 - column->y0, first = 0;
    for (uint32_t i = 1; i <= rows; i++) {
        while (i + RW_DRAW_CHUNK <= rows && rw_column_even(shown + i, shown[first]))
            i += RW_DRAW_CHUNK;
        if (i < rows && shown[i] == shown[first])
            continue;
        if (shown[first])
            rw_column_count(&args->candidates[column->view->first_candidate + shown[first] - 1u], column->x,
                            column->y0 + first, column->y0 + i);
        first = i;
    }
}

/* Where a chunk starts from: nothing, or what earlier turns have drawn. */
RW_FN void rw_column_begin(const struct rw_draw_view_args *args, const rw_view_column *column, const uint16_t *out,
                           int row, int rows, float best[RW_DRAW_CHUNK], int marks[RW_DRAW_CHUNK])
{
    RW_SIMD for (int i = 0; i < RW_DRAW_CHUNK; i++)
    {
        best[i] = 0.0f;
        marks[i] = 0;
    }
    for (int i = 0; out && i < rows; i++) {
        marks[i] = out[i];
        best[i] = out[i] ? rw_column_reciprocal(args, column, out[i], row + i) : 0.0f;
    }
}

RW_FN void rw_column_write(const int stencil[RW_DRAW_CHUNK], const int marks[RW_DRAW_CHUNK], int rows, uint16_t *out)
{
    if (rows == RW_DRAW_CHUNK) {
        RW_SIMD for (int i = 0; i < RW_DRAW_CHUNK; i++) out[i] = (uint16_t)(stencil[i] ? marks[i] : 0);
        return;
    }
    for (int i = 0; i < rows; i++)
        out[i] = (uint16_t)(stencil[i] ? marks[i] : 0);
}

/* One turn: as many spans as there is room for, over those already drawn where it is not the first. */
RW_FN void rw_column_draw_pass(const struct rw_draw_view_args *args, const rw_view_column *column,
                               rw_column_cursor *cursor, int first, uint16_t *shown)
{
    const rw_view *view = column->view;
    rw_view_span spans[RW_DRAW_SPANS];
    int count = 0;
    while (rw_column_next(args, column, cursor) && rw_column_add(args, column, cursor, spans, &count)) {
    }
    for (int row = (int)column->y0; row < (int)column->y1; row += RW_DRAW_CHUNK) {
        float best[RW_DRAW_CHUNK];
        int marks[RW_DRAW_CHUNK], stencil[RW_DRAW_CHUNK];
        int rows = (int)column->y1 - row < RW_DRAW_CHUNK ? (int)column->y1 - row : RW_DRAW_CHUNK;
        uint16_t *out = shown + (row - (int)column->y0);
        rw_column_begin(args, column, first ? (uint16_t *)0 : out, row, rows, best, marks);
        if (rw_column_stencil(args, view, column->x, row, rows, stencil))
            rw_column_chunk(spans, count, row, best, marks);
        rw_column_write(stencil, marks, rows, out);
    }
}

RW_FN size_t rw_view_of_column(const rw_view *views, size_t count, size_t column)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (views[middle].first_column <= column)
            low = middle;
        else
            high = middle;
    }
    return low;
}

RW_FN void rw_draw_view_item(const struct rw_draw_view_args *args, size_t item)
{
    const rw_view *view = &args->views[rw_view_of_column(args->views, args->view_count, item)];
    uint32_t within = (uint32_t)(item - view->first_column), width = view->x1 - view->x0;
    uint32_t strip = within / width, x = view->x0 + within % width;
    rw_view_column column = rw_view_column_of(view, x, strip, args->strip_rows, args->pixels);
    uint16_t *shown = args->picture + view->first_pixel + (size_t)(x - view->x0) * (view->y1 - view->y0) +
                      (size_t)(column.y0 - view->y0);
    rw_column_cursor cursor;
    cursor.candidate = 0;
    cursor.begun = cursor.winding = 0;
    rw_column_draw_pass(args, &column, &cursor, 1, shown);
    while (rw_column_next(args, &column, &cursor))
        rw_column_draw_pass(args, &column, &cursor, 0, shown);
    rw_column_histogram(args, &column, shown);
}

#endif
