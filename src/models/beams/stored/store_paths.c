/* Traces paths to be kept: the valid paths and their beams. */
#include "base/memory.h"
#include "base/progress.h"
#include "device/device.h"
#include "discretise/identity.h"
#include "models/beams/stored.h"

#include <stdlib.h>
#include <string.h>

#define FINDS (1u << 22) /* paths that come in one launch, without a budget */

/* A list that grows. */
typedef struct beam_list {
    rw_beam *beams;
    size_t count, capacity;
} beam_list;

typedef struct find_list {
    rw_beam_find *finds;
    size_t count, capacity;
} find_list;

/* One transmitter being traced. Beams are kept where a path is of them. */
typedef struct storing_run {
    rw_beam_evaluation *evaluation;
    rw_beam_find *finds; /* on the backend */
    uint32_t *find_count;
    uint32_t find_capacity;
    rw_beam_find *batch; /* on the host */
    rw_beam *traced;     /* the tracer's beams, on the host */
    uint32_t *stored_of; /* where each of them is kept; RW_NO_BEAM: nowhere */
    size_t traced_capacity;
    beam_list originals; /* kept beams as they were traced, with the tracer's parents */
    beam_list stored;
    find_list paths;
} storing_run;

static rw_status grow_stored_array(rw_context *context, void *array, size_t *capacity, size_t count, size_t size,
                                   const char *what)
{
    if (count <= *capacity)
        return RW_OK;
    size_t wanted = count + count / 2 + 1024;
    RW_TRY(rw_memory_check(context, (double)wanted * (double)size, what));
    void *grown = realloc(*(void **)array, wanted * size);
    if (!grown)
        return rw_fail(context, RW_OUT_OF_MEMORY,
                       "no memory for %zu %s that would be kept; allow fewer reflections, or give a smaller area",
                       wanted, what);
    *(void **)array = grown;
    *capacity = wanted;
    return RW_OK;
}

static rw_status grow_beams(rw_context *context, beam_list *list)
{
    return grow_stored_array(context, &list->beams, &list->capacity, list->count + 1, sizeof *list->beams, "beams");
}

/* Where a traced beam is kept. A place of the tracer may hold another beam than it did: then it is kept anew. */
static rw_status store_beam(rw_context *context, storing_run *now, uint32_t traced, uint32_t *stored)
{
    const rw_beam *beam = now->traced + traced;
    uint32_t earlier = now->stored_of[traced], parent = RW_NO_BEAM;
    if (earlier != RW_NO_BEAM && memcmp(now->originals.beams + earlier, beam, sizeof *beam) == 0) {
        *stored = earlier;
        return RW_OK;
    }
    if (beam->kind != RW_BEAM_SOURCE)
        RW_TRY(store_beam(context, now, beam->parent, &parent));
    RW_TRY(grow_beams(context, &now->originals));
    RW_TRY(grow_beams(context, &now->stored));
    if (now->stored.count >= RW_NO_BEAM - 1)
        return rw_fail(context, RW_TOO_LARGE, "more than 2^32 beams would be kept; allow fewer reflections");
    now->originals.beams[now->originals.count++] = *beam;
    now->stored.beams[now->stored.count] = *beam;
    now->stored.beams[now->stored.count].parent = parent;
    *stored = now->stored_of[traced] = (uint32_t)now->stored.count++;
    return RW_OK;
}

static rw_status append_found_paths(rw_context *context, storing_run *now, uint32_t count)
{
    RW_TRY(grow_stored_array(context, &now->paths.finds, &now->paths.capacity, now->paths.count + count,
                             sizeof *now->paths.finds, "paths"));
    for (uint32_t i = 0; i < count; i++) {
        rw_beam_find find = now->batch[i];
        RW_TRY(store_beam(context, now, find.beam, &find.beam));
        now->paths.finds[now->paths.count++] = find;
    }
    return RW_OK;
}

static rw_status fetch_beams(const rw_beam_tracer *tracer, storing_run *now, size_t count)
{
    rw_context *context = tracer->prediction->scene->context;
    size_t before = now->traced_capacity, same = before;
    RW_TRY(grow_stored_array(context, &now->traced, &now->traced_capacity, count, sizeof *now->traced, "beams"));
    RW_TRY(grow_stored_array(context, &now->stored_of, &same, now->traced_capacity, sizeof *now->stored_of, "beams"));
    for (size_t i = before; i < now->traced_capacity; i++)
        now->stored_of[i] = RW_NO_BEAM;
    return rw_device_download(context, tracer->backend, now->traced, tracer->beams, count * sizeof *now->traced);
}

/* Pieces of a launch being kept. */
typedef struct piece_batch {
    storing_run *now;
    const rw_beam_tracer *tracer;
    struct rw_evaluate_beams_args args;
} piece_batch;

/* An rw_batch_fn. */
static rw_status store_piece_batch(void *user, size_t first, size_t pieces, rw_batch_fill_fn *fill)
{
    piece_batch *batch = user;
    storing_run *now = batch->now;
    rw_backend backend = batch->tracer->backend;
    rw_context *context = batch->tracer->prediction->scene->context;
    uint32_t count;
    batch->args.first_piece = first;
    RW_TRY(rw_device_clear(context, backend, now->find_count, sizeof count));
    RW_TRY(rw_beam_rasterise(now->evaluation, &batch->args, pieces));
    RW_TRY(rw_device_download(context, backend, &count, now->find_count, sizeof count));
    if (count > now->find_capacity) {
        *fill = RW_BATCH_FULL;
        return pieces > 1 ? RW_OK
                          : rw_fail(context, RW_TOO_LARGE,
                                    "one beam reaches more than %u receivers; give a smaller area or raise memory",
                                    now->find_capacity);
    }
    RW_TRY(rw_device_download(context, backend, now->batch, now->finds, count * sizeof *now->batch));
    return append_found_paths(context, now, count);
}

/* An rw_pieces_fn; user is the keeping. Where there is no room for the paths of all pieces, fewer are taken at once. */
static rw_status store_traced_paths(void *user, const rw_beam_tracer *tracer, size_t beam_count, size_t piece_count)
{
    storing_run *now = user;
    piece_batch batch = {now, tracer, rw_beam_evaluation_args(now->evaluation, tracer)};
    batch.args.medium = (rw_medium){0}; /* it may be another one when they are used */
    batch.args.finds = now->finds;
    batch.args.find_count = now->find_count;
    batch.args.find_capacity = now->find_capacity;
    RW_TRY(fetch_beams(tracer, now, beam_count));
    return rw_batches_run(0, piece_count, &piece_count, store_piece_batch, &batch);
}

/* Puts beams in the order of their levels, so that losses can be renewed level by level. */
static rw_status order_beams(rw_context *context, storing_run *now, rw_stored_paths *stored_paths)
{
    size_t count = now->stored.count, at[RW_STORED_LEVELS] = {0};
    uint32_t *order;
    RW_TRY(rw_array_create(context, count + 1, sizeof *stored_paths->beams, "beams", &stored_paths->beams));
    RW_TRY(rw_array_create(context, count + 1, sizeof *order, "beams", &order));
    for (size_t i = 0; i < count; i++) {
        const rw_beam *beam = now->stored.beams + i;
        at[beam->reflections + beam->transmissions + beam->diffractions + 1]++;
    }
    for (size_t i = 1; i < RW_STORED_LEVELS; i++)
        at[i] += at[i - 1];
    for (size_t i = 0; i < RW_STORED_LEVELS; i++)
        stored_paths->level_firsts[i] = at[i];
    for (size_t i = 0; i < count; i++) {
        rw_beam beam = now->stored.beams[i]; /* its parent is before it in the list */
        order[i] = (uint32_t)at[beam.reflections + beam.transmissions + beam.diffractions]++;
        beam.parent = beam.kind == RW_BEAM_SOURCE ? RW_NO_BEAM : order[beam.parent];
        stored_paths->beams[order[i]] = beam;
    }
    for (size_t i = 0; i < now->paths.count; i++)
        now->paths.finds[i].beam = order[now->paths.finds[i].beam];
    free(order);
    return RW_OK;
}

/* Puts paths in the order of the outdoor receivers. */
static rw_status order_paths(const rw_prediction *prediction, const storing_run *now, rw_stored_paths *stored_paths)
{
    rw_context *context = prediction->scene->context;
    const rw_receivers_view *view = &prediction->receivers.view;
    uint32_t *index;
    stored_paths->path_count = now->paths.count;
    RW_TRY(rw_array_create(context, view->outdoor_count + 2, sizeof *stored_paths->firsts, "paths",
                           &stored_paths->firsts));
    RW_TRY(rw_array_create(context, stored_paths->path_count + 1, sizeof *stored_paths->lasts, "paths",
                           &stored_paths->lasts));
    RW_TRY(rw_array_create(context, view->columns * view->rows, sizeof *index, "receivers", &index));
    for (size_t i = 0; i < view->outdoor_count; i++)
        index[view->outdoor[i]] = (uint32_t)i;
    uint64_t *next = stored_paths->firsts + 1; /* becomes the firsts once every path has its place */
    for (size_t i = 0; i < now->paths.count; i++)
        next[index[now->paths.finds[i].receiver] + 1]++;
    for (size_t i = 0; i < view->outdoor_count; i++)
        next[i + 1] += next[i];
    for (size_t i = 0; i < now->paths.count; i++)
        stored_paths->lasts[next[index[now->paths.finds[i].receiver]]++] = now->paths.finds[i].beam;
    free(index);
    return RW_OK;
}

static rw_status trace_stored_transmitter(rw_beam_tracer *tracer, size_t transmitter, storing_run *now,
                                          rw_stored_paths *stored_paths)
{
    rw_context *context = tracer->prediction->scene->context;
    const rw_beam_losses none = {.exponent = 2, .loss_max_db = INFINITY}; /* nothing costs anything: all is kept */
    now->originals.count = now->stored.count = now->paths.count = 0;
    for (size_t i = 0; i < now->traced_capacity; i++)
        now->stored_of[i] = RW_NO_BEAM;
    RW_TRY(rw_beam_evaluation_begin(now->evaluation, transmitter, &none));
    RW_TRY(rw_beam_trace(tracer, now->evaluation->source, &none, store_traced_paths, now));
    stored_paths->source = now->evaluation->source;
    RW_TRY(order_beams(context, now, stored_paths));
    return order_paths(tracer->prediction, now, stored_paths);
}

static rw_status trace_stored_beams(rw_beam_tracer *tracer, storing_run *now, rw_stored_beams *stored)
{
    rw_context *context = tracer->prediction->scene->context;
    double bytes = rw_device_buffer_bytes(tracer->backend, FINDS * sizeof *now->finds, 0.5);
    now->find_capacity = (uint32_t)(bytes / sizeof *now->finds);
    RW_TRY(rw_device_alloc(context, tracer->backend, now->find_capacity * sizeof *now->finds, "paths", &now->finds));
    RW_TRY(rw_device_alloc(context, tracer->backend, sizeof(uint32_t), "counts", &now->find_count));
    RW_TRY(rw_array_create(context, now->find_capacity, sizeof *now->batch, "paths", &now->batch));
    for (size_t i = 0; i < stored->subject.transmitter_count; i++) {
        double count = (double)stored->subject.transmitter_count;
        rw_progress_range_set((rw_progress_range){(double)i / count, (double)(i + 1) / count});
        RW_TRY(trace_stored_transmitter(tracer, i, now, &stored->transmitters[i]));
    }
    return RW_OK;
}

rw_status rw_stored_beams_trace(const rw_prediction *prediction, const rw_beam_settings *settings,
                                rw_stored_beams *stored)
{
    rw_context *context = prediction->scene->context;
    rw_beam_tracer tracer;
    rw_beam_evaluation evaluation = {0};
    storing_run now = {.evaluation = &evaluation};
    *stored = (rw_stored_beams){.scene = rw_scene_identity(prediction->scene),
                                .subject = rw_stored_beams_subject_of(prediction, settings)};
    RW_TRY(rw_array_create(context, stored->subject.transmitter_count, sizeof *stored->transmitters, "paths",
                           &stored->transmitters));
    rw_status status = rw_beam_tracer_create(prediction, settings, &tracer);
    if (status == RW_OK) {
        status = rw_beam_evaluation_create(prediction, settings, (rw_beam_wants){0}, &evaluation);
        if (status == RW_OK)
            status = trace_stored_beams(&tracer, &now, stored);
        if (now.finds)
            rw_device_free(tracer.backend, now.finds);
        if (now.find_count)
            rw_device_free(tracer.backend, now.find_count);
        rw_beam_evaluation_destroy(&evaluation);
        rw_beam_tracer_destroy(&tracer);
    }
    free(now.batch);
    free(now.traced);
    free(now.stored_of);
    free(now.originals.beams);
    free(now.stored.beams);
    free(now.paths.finds);
    if (status != RW_OK)
        rw_stored_beams_destroy(stored);
    return status;
}

rw_stored_beams_subject rw_stored_beams_subject_of(const rw_prediction *prediction, const rw_beam_settings *settings)
{
    const rw_scene *scene = prediction->scene;
    const rw_wall_grid *grid = &scene->prepared->grid;
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 shift = rw_vec2_add(grid->centre, scene->origin);
    return (rw_stored_beams_subject){.columns = view->columns,
                                     .rows = view->rows,
                                     .outdoor_count = view->outdoor_count,
                                     .x0_m = view->x0_m - view->res_m / 2 + shift.x,
                                     .y0_m = view->y0_m - view->res_m / 2 + shift.y,
                                     .res_m = view->res_m,
                                     .height_m = prediction->options->rx_height_m,
                                     .angle_min_rad = settings->angle_min_rad,
                                     .reflections = (uint32_t)settings->reflections,
                                     .transmissions = (uint32_t)settings->transmissions,
                                     .diffractions = (uint32_t)settings->diffractions,
                                     .transmitter_count = (uint32_t)prediction->options->transmitter_count};
}
