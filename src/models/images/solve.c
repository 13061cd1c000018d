/* The image tree of one transmitter: each batch of views finds its receivers, and the pairs become paths. */
#include "models/images/images.h"

#include "base/memory.h"
#include "device/device.h"
#include "models/images/image_gains.k.h"

#include <stdlib.h>

struct rw_images_solver {
    rw_ray_scene *scene;
    rw_images_options options;
    rw_device_points points;
    rw_ray_sums *sums; /* of the backend; NULL: paths are listed */
    rw_view_pair *pairs;
    uint32_t capacity;
    uint32_t *used;
    rw_images_pair_fn on_pair; /* NULL: sums */
    void *user;
    rw_view_tree_size *size; /* for what stages take */
    rw_found_pairs *found;   /* that pairs with paths are added to; NULL: none */
};

static rw_status add_gains(const rw_images_solver *solve, const rw_view_batch *batch, uint32_t count)
{
    struct rw_image_gains_args args = {.view = solve->scene->view,
                                       .points = solve->points.view,
                                       .pairs = solve->pairs,
                                       .views = batch->views,
                                       .steps = batch->steps,
                                       .level = batch->level,
                                       .unchecked = solve->options.unchecked,
                                       .direct_apart = solve->options.direct_always && !solve->options.unchecked,
                                       .sums = solve->on_pair ? NULL : solve->sums};
    return rw_device_launch(solve->scene->context, solve->scene->backend, RW_KERNEL_image_gains, &args, count);
}

static int compare_view_pairs(const void *left, const void *right)
{
    const rw_view_pair *a = left, *b = right;
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    return a->view < b->view ? -1 : a->view > b->view;
}

/* Pairs on the host, in an order that does not depend on who found them first. */
static rw_status report_view_pairs(const rw_images_solver *solve, const rw_view_batch *batch, uint32_t count)
{
    rw_context *context = solve->scene->context;
    rw_backend backend = solve->scene->backend;
    rw_view_pair *pairs = NULL;
    uint32_t *steps = NULL;
    rw_view *views = NULL;
    size_t level = (size_t)batch->level;
    rw_status status = rw_array_create(context, count + 1u, sizeof *pairs, "paths", &pairs);
    if (status == RW_OK)
        status = rw_array_create(context, batch->count * level + 1, sizeof *steps, "paths", &steps);
    if (status == RW_OK)
        status = rw_array_create(context, batch->count, sizeof *views, "paths", &views);
    if (status == RW_OK)
        status = rw_device_download(context, backend, pairs, solve->pairs, count * sizeof *pairs);
    if (status == RW_OK)
        status = rw_device_download(context, backend, steps, batch->steps, batch->count * level * sizeof *steps);
    if (status == RW_OK)
        status = rw_device_download(context, backend, views, batch->views, batch->count * sizeof *views);
    if (status == RW_OK)
        qsort(pairs, count, sizeof *pairs, compare_view_pairs);
    for (uint32_t i = 0; status == RW_OK && i < count; i++)
        if (pairs[i].view != RW_NO_VIEW)
            status = solve->on_pair(solve->user, steps + pairs[i].view * level, batch->level, views[pairs[i].view].side,
                                    pairs[i].point);
    free(pairs);
    free(steps);
    free(views);
    return status;
}

/* A batch of views that is being visited. */
typedef struct visited_batch {
    const rw_images_solver *solve;
    const rw_view_batch *batch;
} visited_batch;

/* An rw_batch_fn over the views of the batch. */
static rw_status visit_view_chunk(void *user, size_t first, size_t count, rw_batch_fill_fn *fill)
{
    const rw_images_solver *solve = ((visited_batch *)user)->solve;
    const rw_view_batch *batch = ((visited_batch *)user)->batch;
    rw_context *context = solve->scene->context;
    rw_backend backend = solve->scene->backend;
    struct rw_find_receivers_args args = {.points = solve->points.view,
                                          .views = batch->views + first,
                                          .first_view = (uint32_t)first,
                                          .start_count = solve->points.view.start_count,
                                          .candidates = batch->candidates,
                                          .picture = batch->picture,
                                          .parents = batch->parents,
                                          .parent_picture = batch->parent_picture,
                                          .stencil = batch->stencil,
                                          .level = batch->level,
                                          .decides = solve->options.unchecked,
                                          .pixels = solve->options.pixels,
                                          .pairs = solve->pairs,
                                          .capacity = solve->capacity,
                                          .used = solve->used};
    uint32_t used;
    int checks = !solve->options.unchecked && backend == RW_BACKEND_CPU; /* before pairs are listed or stored */
    if (backend == RW_BACKEND_CPU && count > 64) /* work enough: one item a view spares going down the tree anew */
        args.start_count = 1;
    double start_s = rw_seconds();
    RW_TRY(rw_device_clear(context, backend, solve->used, sizeof used));
    RW_TRY(rw_device_launch(context, backend, RW_KERNEL_find_receivers, &args, count * args.start_count));
    RW_TRY(rw_device_download(context, backend, &used, solve->used, sizeof used));
    if (used > solve->capacity) {
        *fill = RW_BATCH_FULL;
        return count > 1
                   ? RW_OK
                   : rw_fail(context, RW_TOO_LARGE, "%u receivers in one view are more than there is room for", used);
    }
    int timed = solve->options.timed;
    RW_TRY(rw_view_stage_end(context, backend, timed, RW_VIEW_STAGE_FIND, &start_s, solve->size));
    if (!solve->on_pair || checks)
        RW_TRY(add_gains(solve, batch, used));
    if (solve->found)
        RW_TRY(rw_found_pairs_add(context, solve->found, batch, first, count, solve->pairs, used));
    if (solve->on_pair)
        RW_TRY(report_view_pairs(solve, batch, used));
    return rw_view_stage_end(context, backend, timed, RW_VIEW_STAGE_PATHS, &start_s, solve->size);
}

static rw_status visit_view_batch(void *user, const rw_view_batch *batch)
{
    visited_batch visited = {user, batch};
    size_t size = batch->count;
    return rw_batches_run(0, batch->count, &size, visit_view_chunk, &visited);
}

static void release_images_solver(rw_images_solver *solve)
{
    rw_backend backend = solve->scene->backend;
    rw_points_release(backend, &solve->points);
    void *arrays[] = {solve->sums, solve->pairs, solve->used};
    for (int i = 0; i < 3; i++)
        if (arrays[i])
            rw_device_free(backend, arrays[i]);
}

static rw_status allocate_view_pairs(rw_images_solver *solve, const rw_points *points)
{
    rw_context *context = solve->scene->context;
    rw_backend backend = solve->scene->backend;
    size_t min_count = 6 * points->view.count + 1,
           default_count = backend == RW_BACKEND_CUDA ? (size_t)1 << 26 : (size_t)1 << 22;
    size_t capacity = (size_t)(rw_device_buffer_bytes(backend, (double)(default_count * sizeof *solve->pairs), 0.25)) /
                      sizeof *solve->pairs;
    if (points->view.count > UINT32_MAX / 16)
        return rw_fail(context, RW_TOO_LARGE, "%zu receivers are more than this model takes", points->view.count);
    solve->capacity = (uint32_t)(min_count > capacity ? min_count : capacity);
    RW_TRY(rw_points_upload(context, backend, points, &solve->points));
    RW_TRY(rw_device_alloc(context, backend, solve->capacity * sizeof *solve->pairs, "paths", &solve->pairs));
    return rw_device_alloc(context, backend, sizeof *solve->used, "paths", &solve->used);
}

/* Receivers are few: their views are found by windows alone, so that pictures are of no use once the tree is known. */
#define FEW_RECEIVERS 512

typedef struct storing_walk {
    rw_images_solver *solve;
    rw_view_levels *levels;
} storing_walk;

/* An rw_view_visit: finds receivers as a later call does that has the views alone. */
static rw_status visit_and_store(void *user, const rw_view_batch *batch)
{
    storing_walk *walk = user;
    rw_view_batch plain = {.level = batch->level, .views = batch->views, .count = batch->count, .steps = batch->steps};
    RW_TRY(rw_view_levels_add(walk->solve->scene->context, walk->levels, batch));
    return visit_view_batch(walk->solve, &plain);
}

/* The tree of a transmitter that an earlier call walked in this scene, or a walk that stores it. */
static rw_status walk_stored_tree(rw_images_solver *solve, const rw_view_tree_options *tree,
                                  const rw_view_levels_key *key, rw_view_tree_size *size)
{
    rw_ray_scene *scene = solve->scene;
    storing_walk storing = {.solve = solve};
    storing.levels = rw_view_levels_borrow(scene->scene, key);
    rw_status status = RW_OK;
    if (storing.levels) {
        *size = storing.levels->size;
        status = rw_view_levels_visit(storing.levels, visit_view_batch, solve);
    } else {
        status = rw_view_levels_create(scene->context, scene->backend, &storing.levels);
        if (status == RW_OK)
            status = rw_view_tree_walk(scene->context, scene->backend, &scene->view.surfaces, scene->view.slabs, tree,
                                       visit_and_store, &storing, size);
        if (status == RW_OK)
            status = rw_view_levels_complete(scene->context, storing.levels, size);
    }
    rw_view_levels_return(scene->scene, key, storing.levels);
    return status;
}

/* Adds what was found before, or lists it. */
static rw_status repeat_found(rw_images_solver *solve, const rw_found_batch *batch)
{
    size_t level = (size_t)batch->level;
    struct rw_image_gains_args args = {.view = solve->scene->view,
                                       .points = solve->points.view,
                                       .pairs = batch->pairs,
                                       .steps = batch->steps,
                                       .level = batch->level,
                                       .sums = solve->sums};
    if (!solve->on_pair)
        return rw_device_launch(solve->scene->context, solve->scene->backend, RW_KERNEL_image_gains, &args,
                                batch->pair_count);
    rw_sort(batch->pairs, batch->pair_count, sizeof *batch->pairs, compare_view_pairs);
    for (size_t i = 0; i < batch->pair_count; i++)
        RW_TRY(solve->on_pair(solve->user, batch->steps + batch->pairs[i].view * level, batch->level,
                              batch->sides[batch->pairs[i].view], batch->pairs[i].point));
    return RW_OK;
}

/* The paths that an earlier call found to the same receivers in this scene, or a walk that stores them. */
static rw_status walk_tree_once(rw_images_solver *solve, const rw_view_tree_options *tree, rw_view_levels_key *key,
                                rw_view_tree_size *size)
{
    rw_ray_scene *scene = solve->scene;
    RW_TRY(rw_found_pairs_key_add(scene->context, &solve->points.view, &solve->options, key));
    rw_found_pairs *found = rw_found_pairs_borrow(scene->scene, key);
    rw_status status = RW_OK;
    if (found) {
        for (size_t i = 0; status == RW_OK && i < found->batches.count; i++)
            status = repeat_found(solve, &found->batches.items[i]);
        *size = found->size;
    } else {
        status = rw_found_pairs_create(scene->context, &found);
        solve->found = found;
        if (status == RW_OK)
            status = rw_view_tree_walk(scene->context, scene->backend, &scene->view.surfaces, scene->view.slabs, tree,
                                       visit_view_batch, solve, size);
        solve->found = NULL;
        if (status == RW_OK && found->bytes <= found->max_bytes) {
            found->complete = 1;
            found->size = *size;
        }
    }
    rw_found_pairs_return(scene->scene, key, found);
    return status;
}

/* Whether what a walk finds may stay: trees of which all is wanted, and what an exact check has decided. */
static int can_repeat(const rw_images_solver *solve, const rw_view_tree_options *tree)
{
    int few = solve->points.view.count <= FEW_RECEIVERS;
    return !solve->options.anew && !tree->draws_last && !tree->recursion && !tree->timed && !(tree->limit_s > 0) &&
           (few || solve->scene->backend == RW_BACKEND_CPU);
}

static rw_status walk_or_repeat(rw_images_solver *solve, const rw_view_tree_options *tree, rw_view_tree_size *size)
{
    rw_ray_scene *scene = solve->scene;
    rw_view_levels_key key;
    RW_TRY(rw_view_levels_key_create(scene->context, tree, scene->slabs, scene->surfaces.kind_count,
                                     scene->form.coplanar, &key));
    rw_status status = solve->points.view.count <= FEW_RECEIVERS ? walk_stored_tree(solve, tree, &key, size)
                                                                 : walk_tree_once(solve, tree, &key, size);
    free(key.bytes);
    return status;
}

static rw_status walk_image_tree(rw_images_solver *solve, rw_view_tree_size *size)
{
    const rw_images_options *options = &solve->options;
    rw_ray_scene *scene = solve->scene;
    rw_view_tree_options tree = {.source = scene->view.source,
                                 .pixels = options->pixels,
                                 .threshold = options->threshold,
                                 .depth = options->depth,
                                 .limits = options->limits,
                                 .batch_pixels = options->batch_pixels,
                                 .strip_rows = options->strip_rows,
                                 .straight = options->straight,
                                 .draws_last = options->unchecked,
                                 .recursion = options->recursion,
                                 .skips_culling = options->skips_culling,
                                 .limit_s = options->limit_s,
                                 .timed = options->timed};
    solve->size = size;
    if (solve->points.view.count > FEW_RECEIVERS && !tree.draws_last && !tree.recursion)
        tree.crowd = solve->points.view;
    if (can_repeat(solve, &tree))
        return walk_or_repeat(solve, &tree, size);
    return rw_view_tree_walk(scene->context, scene->backend, &scene->view.surfaces, scene->view.slabs, &tree,
                             visit_view_batch, solve, size);
}

static rw_status allocate_image_sums(rw_images_solver *solve)
{
    size_t bytes = (solve->points.view.count + 1) * sizeof *solve->sums;
    return rw_device_alloc(solve->scene->context, solve->scene->backend, bytes, "sums", &solve->sums);
}

rw_status rw_images_open(rw_ray_scene *scene, const rw_points *points, const rw_images_options *options, int sums,
                         rw_images_solver **solver)
{
    rw_images_solver *images_solver;
    RW_TRY(rw_array_create(scene->context, 1, sizeof *images_solver, "the images model", &images_solver));
    images_solver->scene = scene;
    images_solver->options = *options;
    rw_status status = allocate_view_pairs(images_solver, points);
    if (status == RW_OK && sums)
        status = allocate_image_sums(images_solver);
    if (status == RW_OK)
        *solver = images_solver;
    else
        rw_images_close(images_solver);
    return status;
}

void rw_images_close(rw_images_solver *solver)
{
    if (!solver)
        return;
    release_images_solver(solver);
    free(solver);
}

const rw_images_options *rw_images_solver_options(const rw_images_solver *solver)
{
    return &solver->options;
}

rw_status rw_images_run(rw_images_solver *solver, rw_ray_sums *sums, rw_view_tree_size *size)
{
    rw_ray_scene *scene = solver->scene;
    rw_view_tree_size unwanted;
    size_t count = solver->points.view.count;
    RW_TRY(rw_device_clear(scene->context, scene->backend, solver->sums, (count + 1) * sizeof *sums));
    solver->on_pair = NULL;
    RW_TRY(walk_image_tree(solver, size ? size : &unwanted));
    if (solver->options.direct_always)
        RW_TRY(rw_rays_add_straight(scene, &solver->points.view, solver->sums));
    if (solver->options.diffraction)
        RW_TRY(rw_rays_add_edges(scene, &solver->points.view, solver->sums));
    return rw_device_download(scene->context, scene->backend, sums, solver->sums, count * sizeof *sums);
}

rw_status rw_images_solve(rw_ray_scene *scene, const rw_points *points, const rw_images_options *options,
                          rw_ray_sums *sums, rw_view_tree_size *size)
{
    rw_images_solver *solver;
    RW_TRY(rw_images_open(scene, points, options, 1, &solver));
    rw_status status = rw_images_run(solver, sums, size);
    rw_images_close(solver);
    return status;
}

rw_status rw_images_list(rw_images_solver *solver, rw_images_pair_fn on_pair, void *user)
{
    rw_view_tree_size size;
    solver->on_pair = on_pair;
    solver->user = user;
    return walk_image_tree(solver, &size);
}
