#include "models/images/views/view_tree.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "models/images/views/cull_view.k.h"

#include <stdlib.h>
#include <string.h>

/* What every level needs. */
typedef struct walker {
    rw_context *context;
    rw_backend backend;
    const rw_surfaces *host;
    const rw_surfaces_view *surfaces;
    const rw_refractor *slabs;
    const rw_view_tree_options *options;
    rw_view_visit visit;
    void *user;
    rw_view_tree_size *size;
} walker;

/* Views on the host, and their steps. */
typedef struct view_list {
    rw_view *views;
    uint32_t *steps;
    size_t count;
} view_list;

/* A batch being worked on. */
typedef struct drawn_batch {
    rw_view_batch batch;
    rw_view *views; /* of the backend */
    uint32_t *steps;
    rw_view_candidate *candidates;
    uint16_t *picture;
    uint32_t *taken;
    rw_view_candidate *host_candidates;
    size_t candidate_count, column_count, pixel_count;
} drawn_batch;

static void release(const walker *walk, drawn_batch *drawn)
{
    void *taken[] = {drawn->views, drawn->steps, drawn->candidates, drawn->picture, drawn->taken};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (taken[i])
            rw_device_free(walk->backend, taken[i]);
    free(drawn->host_candidates);
}

static void release_list(view_list *list)
{
    free(list->views);
    free(list->steps);
    *list = (view_list){0};
}

static rw_status send(const walker *walk, const void *host, size_t bytes, const char *what, void *device_out)
{
    RW_TRY(rw_device_alloc(walk->context, walk->backend, bytes ? bytes : 1, what, device_out));
    return rw_device_upload(walk->context, walk->backend, *(void **)device_out, host, bytes);
}

/* Finds candidates; where the room guessed was too small, once more with enough. */
static rw_status cull(const walker *walk, drawn_batch *drawn)
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

static rw_status end_stage(const walker *walk, rw_view_stage stage, double *start_s)
{
    return rw_view_stage_end(walk->context, walk->backend, walk->options->timed, stage, start_s, walk->size);
}

/* Whole columns on the CPU; on a GPU strips short enough that there are items for all of it. */
static uint32_t choose_strip(const walker *walk, const rw_view *views, const drawn_batch *drawn)
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
static void place_views(rw_view *views, uint32_t strip_rows, drawn_batch *drawn)
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

static rw_status draw(const walker *walk, rw_view *views, drawn_batch *drawn)
{
    rw_context *context = walk->context;
    size_t view_bytes = drawn->batch.count * sizeof *views;
    double start_s = rw_seconds();
    RW_TRY(cull(walk, drawn));
    RW_TRY(end_stage(walk, RW_VIEW_STAGE_CULL, &start_s));
    RW_TRY(rw_device_download(context, walk->backend, views, drawn->views, view_bytes));
    uint32_t strip_rows = choose_strip(walk, views, drawn);
    place_views(views, strip_rows, drawn);
    RW_TRY(rw_device_upload(context, walk->backend, drawn->views, views, view_bytes));
    RW_TRY(rw_device_alloc(context, walk->backend, (drawn->pixel_count + RW_DRAW_CHUNK) * sizeof *drawn->picture,
                           "pictures", &drawn->picture));
    struct rw_draw_view_args args = {.surfaces = *walk->surfaces,
                                     .views = drawn->views,
                                     .view_count = drawn->batch.count,
                                     .candidates = drawn->candidates,
                                     .picture = drawn->picture,
                                     .parents = drawn->batch.parents,
                                     .parent_picture = drawn->batch.parent_picture,
                                     .pixels = walk->options->pixels,
                                     .strip_rows = strip_rows};
    RW_TRY(end_stage(walk, RW_VIEW_STAGE_COPY, &start_s));
    RW_TRY(rw_device_launch(context, walk->backend, RW_KERNEL_draw_view, &args, drawn->column_count));
    RW_TRY(end_stage(walk, RW_VIEW_STAGE_DRAW, &start_s));
    drawn->batch.picture = drawn->picture;
    drawn->batch.candidates = drawn->candidates;
    RW_TRY(rw_array_create(context, drawn->candidate_count + 1, sizeof *drawn->host_candidates, "candidates",
                           &drawn->host_candidates));
    RW_TRY(rw_device_download(context, walk->backend, drawn->host_candidates, drawn->candidates,
                              drawn->candidate_count * sizeof *drawn->host_candidates));
    return end_stage(walk, RW_VIEW_STAGE_COPY, &start_s);
}

/* Children of one view: a reflection and, where the surface lets anything through, a transmission for each surface that
 * is seen well enough. children NULL: counts only. */
static size_t make_children(const walker *walk, const drawn_batch *drawn, const rw_view *views, const uint32_t *steps,
                            size_t index, rw_view *children, uint32_t *child_steps)
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
            rw_view_step(view, surface, &walk->slabs[surface->kind], walk->options->pixels, through, child);
            memcpy(child_steps + at * (size_t)(level + 1), steps + index * (size_t)level,
                   (size_t)level * sizeof *steps);
            child_steps[at * (size_t)(level + 1) + (size_t)level] = child->step;
        }
    }
    return count;
}

/* Children of a batch: counted where views is NULL, and then made. */
typedef struct child_lists {
    const walker *walk;
    const drawn_batch *drawn;
    const rw_view *views;
    const uint32_t *steps;
    size_t *first;
    const view_list *made;
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

static rw_status list_children(const walker *walk, const drawn_batch *drawn, const rw_view *views,
                               const uint32_t *steps, view_list *children)
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

static rw_status walk_level(const walker *walk, const drawn_batch *parent, int level, view_list *list);

static rw_status walk_batch(const walker *walk, const drawn_batch *parent, int level, rw_view *views, uint32_t *steps,
                            size_t count)
{
    drawn_batch drawn = {.batch = {.level = level, .count = count}};
    view_list children = {0};
    if (parent) {
        drawn.batch.parents = parent->views;
        drawn.batch.parent_picture = parent->picture;
    }
    double start_s = rw_seconds();
    rw_status status = send(walk, views, count * sizeof *views, "views", &drawn.views);
    if (status == RW_OK)
        status = send(walk, steps, count * (size_t)level * sizeof *steps, "views", &drawn.steps);
    drawn.batch.views = drawn.views;
    drawn.batch.steps = drawn.steps;
    int last = level == walk->options->depth;
    if (status == RW_OK)
        status = end_stage(walk, RW_VIEW_STAGE_COPY, &start_s);
    if (status == RW_OK && !last)
        status = draw(walk, views, &drawn);
    walk->size->views[level] += count;
    walk->size->pixels[level] += drawn.pixel_count;
    if (status == RW_OK && walk->visit)
        status = walk->visit(walk->user, &drawn.batch);
    start_s = rw_seconds();
    if (status == RW_OK && !last)
        status = list_children(walk, &drawn, views, steps, &children);
    if (status == RW_OK)
        status = end_stage(walk, RW_VIEW_STAGE_CHILDREN, &start_s);
    if (status == RW_OK && children.count)
        status = walk_level(walk, &drawn, level + 1, &children);
    release_list(&children);
    release(walk, &drawn);
    return status;
}

/* Pixels of a batch. A quarter of what is left of a budget: deeper levels need room too. */
static size_t batch_room(const walker *walk)
{
    size_t usual =
        walk->backend == RW_BACKEND_CUDA ? (size_t)1 << 30 : (size_t)1 << 23; /* 16 MB: stays in the caches */
    if (walk->options->batch_pixels)
        return walk->options->batch_pixels;
    return (size_t)(rw_device_room(walk->backend, (double)(usual * sizeof(uint16_t)), 0.25) / sizeof(uint16_t));
}

/* Batches whose pictures fit into the room for them. */
static rw_status walk_level(const walker *walk, const drawn_batch *parent, int level, view_list *list)
{
    size_t room = batch_room(walk);
    if (level == walk->options->depth)
        room *= 16; /* not drawn: bounded for the sake of the lists alone */
    for (size_t first = 0, next; first < list->count; first = next) {
        size_t pixels = 0;
        for (next = first; next < list->count; next++) {
            const rw_view *view = &list->views[next];
            size_t more = (size_t)(view->x1 - view->x0) * (view->y1 - view->y0);
            if (next > first && (pixels + more > room || next - first >= (size_t)1 << 22))
                break;
            pixels += more;
        }
        RW_TRY(walk_batch(walk, parent, level, list->views + first, list->steps + first * (size_t)level, next - first));
        RW_TRY(rw_progress(walk->context, level == 1 ? (double)next / (double)list->count : 0, "predicting"));
    }
    return RW_OK;
}

rw_status rw_view_tree_walk(rw_context *context, rw_backend backend, const rw_surfaces *host,
                            const rw_surfaces_view *surfaces, const rw_refractor *slabs,
                            const rw_view_tree_options *options, rw_view_visit visit, void *user,
                            rw_view_tree_size *size)
{
    walker walk = {context, backend, host, surfaces, slabs, options, visit, user, size};
    rw_view sides[RW_VIEW_SIDES];
    uint32_t no_steps = 0;
    memset(size, 0, sizeof *size);
    for (int i = 0; i < RW_VIEW_SIDES; i++)
        sides[i] = rw_view_baseline(i, options->source, options->pixels);
    view_list list = {sides, &no_steps, RW_VIEW_SIDES};
    return walk_level(&walk, NULL, 0, &list);
}
