#include "models/images/views/view_batch.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "models/images/views/cull_view.k.h"

#include <stdlib.h>
#include <string.h>

void rw_drawn_batch_release(const rw_view_walk *walk, rw_drawn_batch *drawn)
{
    void *taken[] = {drawn->views, drawn->steps, drawn->candidates, drawn->taken, drawn->lent ? NULL : drawn->picture};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (taken[i])
            rw_device_free(walk->backend, taken[i]);
    free(drawn->host_candidates);
}

void rw_view_list_release(rw_view_list *list)
{
    free(list->views);
    free(list->steps);
    *list = (rw_view_list){0};
}

static rw_status send(const rw_view_walk *walk, const void *host, size_t bytes, const char *what, void *device_out)
{
    RW_TRY(rw_device_alloc(walk->context, walk->backend, bytes ? bytes : 1, what, device_out));
    return rw_device_upload(walk->context, walk->backend, *(void **)device_out, host, bytes);
}

rw_status rw_drawn_batch_send(const rw_view_walk *walk, const rw_view *views, const uint32_t *steps,
                              rw_drawn_batch *drawn)
{
    size_t count = drawn->batch.count;
    RW_TRY(send(walk, views, count * sizeof *views, "views", &drawn->views));
    RW_TRY(send(walk, steps, count * (size_t)drawn->batch.level * sizeof *steps, "views", &drawn->steps));
    drawn->batch.views = drawn->views;
    drawn->batch.steps = drawn->steps;
    return RW_OK;
}

int rw_view_level_is_drawn(const rw_view_tree_options *options, int level)
{
    return level < options->depth || options->draws_last;
}

/* Finds candidates; where the room guessed was too small, once more with enough. */
static rw_status cull(const rw_view_walk *walk, rw_drawn_batch *drawn)
{
    uint32_t capacity = (uint32_t)(drawn->batch.count * 24 < 4096 ? 4096 : drawn->batch.count * 24), taken = 0;
    RW_TRY(rw_device_alloc(walk->context, walk->backend, sizeof taken, "candidates", &drawn->taken));
    for (int attempt = 0; attempt < 2; attempt++) {
        RW_TRY(rw_device_grow(walk->context, walk->backend, &drawn->candidates, 0, capacity * sizeof *drawn->candidates,
                              "candidates"));
        RW_TRY(rw_device_clear(walk->context, walk->backend, drawn->taken, sizeof taken));
        struct rw_cull_view_args args = {.surfaces = *walk->surfaces,
                                         .views = drawn->views,
                                         .candidates = drawn->candidates,
                                         .capacity = capacity,
                                         .taken = drawn->taken,
                                         .pixels = walk->options->pixels};
        RW_TRY(rw_device_launch(walk->context, walk->backend, RW_KERNEL_cull_view, &args, drawn->batch.count));
        RW_TRY(rw_device_download(walk->context, walk->backend, &taken, drawn->taken, sizeof taken));
        if (taken <= capacity)
            break;
        capacity = taken;
    }
    drawn->candidate_count = taken;
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
static uint32_t choose_strip(const rw_view_walk *walk, const rw_view *views, const rw_drawn_batch *drawn)
{
    const size_t items_wanted = (size_t)1 << 18, rows_least = 128;
    size_t pixels = 0;
    if (walk->options->strip_rows)
        return walk->options->strip_rows;
    if (walk->backend == RW_BACKEND_CPU)
        return RW_VIEW_PIXELS_MAX;
    for (size_t i = 0; i < drawn->batch.count; i++)
        pixels += views[i].candidate_count ? (size_t)(views[i].x1 - views[i].x0) * (views[i].y1 - views[i].y0) : 0;
    size_t rows = pixels / items_wanted < rows_least ? rows_least : pixels / items_wanted;
    rows = (rows + RW_DRAW_CHUNK - 1) / RW_DRAW_CHUNK * RW_DRAW_CHUNK;
    return rows < RW_VIEW_PIXELS_MAX ? (uint32_t)rows : RW_VIEW_PIXELS_MAX;
}

/* Gives each view that may show something its place in the picture. */
static void place_views(rw_view *views, uint32_t strip_rows, rw_drawn_batch *drawn)
{
    for (size_t i = 0; i < drawn->batch.count; i++) {
        rw_view *view = &views[i];
        view->first_column = drawn->column_count;
        view->first_pixel = drawn->pixel_count;
        if (view->candidate_count == 0)
            continue;
        drawn->column_count += (size_t)(view->x1 - view->x0) * rw_view_strips(view, strip_rows);
        drawn->pixel_count += (size_t)(view->x1 - view->x0) * (view->y1 - view->y0);
    }
}

rw_status rw_drawn_batch_paint(const rw_view_walk *walk, const rw_drawn_batch *drawn)
{
    struct rw_draw_view_args args = {.surfaces = *walk->surfaces,
                                     .views = drawn->views,
                                     .view_count = drawn->batch.count,
                                     .candidates = drawn->candidates,
                                     .picture = drawn->picture,
                                     .parents = drawn->batch.parents,
                                     .parent_picture = drawn->batch.parent_picture,
                                     .stencil = drawn->batch.stencil,
                                     .level = drawn->batch.level,
                                     .pixels = walk->options->pixels,
                                     .strip_rows = drawn->strip_rows};
    return rw_device_launch(walk->context, walk->backend, RW_KERNEL_draw_view, &args, drawn->column_count);
}

rw_status rw_drawn_batch_draw(const rw_view_walk *walk, rw_view *views, rw_drawn_batch *drawn)
{
    rw_context *context = walk->context;
    size_t view_bytes = drawn->batch.count * sizeof *views;
    double start_s = rw_seconds();
    RW_TRY(cull(walk, drawn));
    RW_TRY(rw_view_walk_stage_end(walk, RW_VIEW_STAGE_CULL, &start_s));
    RW_TRY(rw_device_download(context, walk->backend, views, drawn->views, view_bytes));
    drawn->strip_rows = choose_strip(walk, views, drawn);
    place_views(views, drawn->strip_rows, drawn);
    RW_TRY(rw_device_upload(context, walk->backend, drawn->views, views, view_bytes));
    if (!drawn->lent)
        RW_TRY(rw_device_alloc(context, walk->backend, (drawn->pixel_count + RW_DRAW_CHUNK) * sizeof *drawn->picture,
                               "pictures", &drawn->picture));
    RW_TRY(rw_view_walk_stage_end(walk, RW_VIEW_STAGE_COPY, &start_s));
    RW_TRY(rw_drawn_batch_paint(walk, drawn));
    RW_TRY(rw_view_walk_stage_end(walk, RW_VIEW_STAGE_DRAW, &start_s));
    drawn->batch.picture = drawn->picture;
    drawn->batch.candidates = drawn->candidates;
    RW_TRY(rw_array_create(context, drawn->candidate_count + 1, sizeof *drawn->host_candidates, "candidates",
                           &drawn->host_candidates));
    RW_TRY(rw_device_download(context, walk->backend, drawn->host_candidates, drawn->candidates,
                              drawn->candidate_count * sizeof *drawn->host_candidates));
    return rw_view_walk_stage_end(walk, RW_VIEW_STAGE_COPY, &start_s);
}

/* Children of one view: a reflection and, where the surface lets anything through, a transmission for each surface that
 * is seen well enough. children NULL: counts only. */
static size_t make_children(const rw_view_walk *walk, const rw_drawn_batch *drawn, const rw_view *views,
                            const uint32_t *steps, size_t index, rw_view *children, uint32_t *child_steps)
{
    const rw_view *view = &views[index];
    int level = drawn->batch.level;
    size_t count = 0;
    for (uint32_t c = 0; c < view->candidate_count; c++) {
        const rw_view_candidate *seen = &drawn->host_candidates[view->first_candidate + c];
        const rw_surface *surface = &walk->host->surfaces[seen->surface];
        if (seen->pixels == 0 || seen->pixels < walk->options->threshold)
            continue;
        for (int through = 0; through <= !walk->slabs[surface->kind].opaque; through++) {
            if (!rw_steps_allow(&walk->options->limits, steps + index * (size_t)level, level, through))
                continue;
            size_t at = count++;
            if (!children)
                continue;
            rw_view *child = &children[at];
            *child = (rw_view){.step = RW_STEP(seen->surface, through),
                               .parent = (uint32_t)index,
                               .mark = c + 1,
                               .x0 = seen->seen_x0,
                               .x1 = ~seen->seen_not_x1,
                               .y0 = seen->seen_y0,
                               .y1 = ~seen->seen_not_y1};
            rw_refractor slab = walk->slabs[surface->kind];
            slab.straight = slab.straight || walk->options->straight;
            rw_view_step(view, surface, &slab, walk->options->pixels, through, child);
            memcpy(child_steps + at * (size_t)(level + 1), steps + index * (size_t)level,
                   (size_t)level * sizeof *steps);
            child_steps[at * (size_t)(level + 1) + (size_t)level] = child->step;
        }
    }
    return count;
}

/* Children of a batch: counted where views is NULL, and then made. */
typedef struct child_lists {
    const rw_view_walk *walk;
    const rw_drawn_batch *drawn;
    const rw_view *views;
    const uint32_t *steps;
    size_t *first;
    const rw_view_list *made;
} child_lists;

static void count_children(void *user, size_t begin, size_t end)
{
    const child_lists *lists = user;
    for (size_t i = begin; i < end; i++)
        lists->first[i + 1] = make_children(lists->walk, lists->drawn, lists->views, lists->steps, i, NULL, NULL);
}

static void fill_children(void *user, size_t begin, size_t end)
{
    const child_lists *lists = user;
    size_t deep = (size_t)lists->drawn->batch.level + 1;
    for (size_t i = begin; i < end; i++)
        make_children(lists->walk, lists->drawn, lists->views, lists->steps, i, lists->made->views + lists->first[i],
                      lists->made->steps + lists->first[i] * deep);
}

rw_status rw_drawn_batch_children(const rw_view_walk *walk, const rw_drawn_batch *drawn, const rw_view *views,
                                  const uint32_t *steps, rw_view_list *children)
{
    size_t count = drawn->batch.count, *first;
    RW_TRY(rw_array_create(walk->context, count + 1, sizeof *first, "views", &first));
    child_lists lists = {walk, drawn, views, steps, first, children};
    rw_parallel(walk->context, count, 64, count_children, &lists);
    for (size_t i = 0; i < count; i++)
        first[i + 1] += first[i];
    children->count = first[count];
    size_t deep = (size_t)drawn->batch.level + 1;
    rw_status status =
        rw_array_create(walk->context, children->count + 1, sizeof *children->views, "views", &children->views);
    if (status == RW_OK)
        status = rw_array_create(walk->context, (children->count + 1) * deep, sizeof *children->steps, "views",
                                 &children->steps);
    if (status == RW_OK)
        rw_parallel(walk->context, count, 64, fill_children, &lists);
    free(first);
    return status;
}
