/* Beam tracing on the host: levels of the tree, in memory that is bounded. */
#include "base/memory.h"
#include "base/progress.h"
#include "device/device.h"
#include "discretise/receivers/receivers.h"
#include "discretise/walls/walls.h"
#include "models/beams/beams.h"

#include <stdlib.h>
#include <string.h>

#define WINDOWS_MIN 4096.0 /* of one beam there are some dozens */

/* What a launch counts. */
enum { BEAM_COUNT, PIECE_COUNT, WINDOW_COUNT, COUNTS };

static rw_status upload_wall_array(rw_beam_tracer *tracer, int slot, const void *host, size_t bytes,
                                   const void **pointer)
{
    rw_context *context = tracer->prediction->scene->context;
    RW_TRY(rw_device_alloc(context, tracer->backend, bytes, "walls", &tracer->wall_arrays[slot]));
    RW_TRY(rw_device_upload(context, tracer->backend, tracer->wall_arrays[slot], host, bytes));
    *pointer = tracer->wall_arrays[slot];
    return RW_OK;
}

static rw_status upload_beam_walls(rw_beam_tracer *tracer)
{
    const rw_scene *scene = tracer->prediction->scene;
    const rw_wall_list *list = &scene->prepared->walls;
    uint32_t *ends = NULL;
    uint8_t *building = NULL;
    size_t count = list->count;
    rw_status status = rw_array_create(scene->context, 2 * count, sizeof *ends, "corners", &ends);
    if (status == RW_OK)
        status = rw_array_create(scene->context, count, 1, "walls", &building);
    if (status == RW_OK) {
        rw_wall_ends(scene, list, ends);
        for (size_t i = 0; i < count; i++)
            building[i] = list->parts[i] != RW_NO_PART;
        status = upload_wall_array(tracer, 0, ends, 2 * count * sizeof *ends, (const void **)&tracer->walls.next);
    }
    if (status == RW_OK)
        status = upload_wall_array(tracer, 1, list->surfaces, count * sizeof *list->surfaces,
                                   (const void **)&tracer->walls.surface);
    if (status == RW_OK)
        status = upload_wall_array(tracer, 2, building, count, (const void **)&tracer->walls.building);
    tracer->walls.exact = tracer->grid.exact;
    free(ends);
    free(building);
    return status;
}

/* The highest receiver of each cell, where all are in the grid. */
static rw_status upload_receiver_tops(rw_beam_tracer *tracer)
{
    rw_context *context = tracer->prediction->scene->context;
    size_t cells = (size_t)tracer->grid.columns * (size_t)tracer->grid.rows;
    uint32_t *tops = NULL;
    RW_TRY(rw_array_create(context, cells, sizeof *tops, "receivers", &tops));
    int found = 0;
    rw_status status = rw_receiver_tops(context, &tracer->grid, &tracer->prediction->receivers.view, tops, &found);
    if (status == RW_OK && found)
        status = upload_wall_array(tracer, 3, tops, cells * sizeof *tops, (const void **)&tracer->receiver_tops);
    free(tops);
    return status;
}

static rw_status upload_edges(rw_beam_tracer *tracer)
{
    rw_edge_grid *host = &tracer->host_edges;
    RW_TRY(rw_edge_grid_create(tracer->prediction->scene, host));
    tracer->edges = host->view;
    if (host->count == 0)
        return RW_OK;
    size_t cells = (size_t)host->view.columns * (size_t)host->view.rows;
    RW_TRY(upload_wall_array(tracer, 6, host->edges, host->count * sizeof *host->edges,
                             (const void **)&tracer->edges.edges));
    return upload_wall_array(tracer, 7, host->first, (cells + 1) * sizeof *host->first,
                             (const void **)&tracer->edges.first);
}

static rw_status upload_wall_quadtree(rw_beam_tracer *tracer)
{
    const rw_scene *scene = tracer->prediction->scene;
    rw_wall_quadtree quadtree;
    if (!tracer->settings->quadtree)
        return RW_OK;
    RW_TRY(rw_wall_quadtree_create(scene->context, &scene->prepared->grid, &quadtree));
    rw_status status = upload_wall_array(tracer, 4, quadtree.nodes, quadtree.node_count * sizeof *quadtree.nodes,
                                         (const void **)&tracer->quadtree.nodes);
    if (status == RW_OK) /* at least one, which there is room for */
        status = upload_wall_array(tracer, 5, quadtree.entries,
                                   (quadtree.entry_count ? quadtree.entry_count : 1) * sizeof *quadtree.entries,
                                   (const void **)&tracer->quadtree.entries);
    rw_wall_quadtree_destroy(&quadtree);
    return status;
}

/* Room for beams and as many pieces: what was asked or a share of what is free, at most half of a budget. */
static rw_status allocate_beam_levels(rw_beam_tracer *tracer)
{
    rw_context *context = tracer->prediction->scene->context;
    double requested = tracer->settings->memory_bytes, default_bytes = fmin(2e9, 0.25 * rw_memory_available());
    double bytes = rw_device_buffer_bytes(tracer->backend, requested > 0 ? requested : default_bytes, 0.5);
    double each = sizeof(rw_beam) + sizeof(rw_beam_piece) + sizeof(rw_beam_window) / 8.0,
           min_count = 4.0 * RW_SOURCE_BEAMS;
    double capacity = fmin(fmax(floor(bytes / each), min_count), 2e9);
    tracer->beam_capacity = tracer->piece_capacity = (uint32_t)capacity;
    RW_TRY(rw_device_alloc(context, tracer->backend, (size_t)capacity * sizeof(rw_beam), "beams", &tracer->beams));
    RW_TRY(rw_device_alloc(context, tracer->backend, (size_t)capacity * sizeof(rw_beam_piece), "pieces of beams",
                           &tracer->pieces));
    tracer->window_capacity = (uint32_t)fmax(capacity / 8, WINDOWS_MIN);
    RW_TRY(rw_device_alloc(context, tracer->backend, tracer->window_capacity * sizeof(rw_beam_window), "windows",
                           &tracer->windows));
    return rw_device_alloc(context, tracer->backend, COUNTS * sizeof(uint32_t), "counts", &tracer->counts);
}

rw_status rw_beam_tracer_create(const rw_prediction *prediction, const rw_beam_settings *settings,
                                rw_beam_tracer *tracer)
{
    *tracer = (rw_beam_tracer){
        .prediction = prediction, .settings = settings, .backend = prediction->scene->context->backend};
    rw_status status = rw_prepared_view(prediction->scene, tracer->backend, &tracer->grid);
    tracer->grid.curve_per_m = rw_prediction_curve_per_m(prediction);
    tracer->grid.ground_curve_per_m = rw_prediction_ground_curve_per_m(prediction);
    if (status == RW_OK)
        status = upload_beam_walls(tracer);
    if (status == RW_OK)
        status = upload_receiver_tops(tracer);
    if (status == RW_OK)
        status = upload_wall_quadtree(tracer);
    if (status == RW_OK)
        status = upload_edges(tracer);
    if (status == RW_OK)
        status = allocate_beam_levels(tracer);
    if (status != RW_OK)
        rw_beam_tracer_destroy(tracer);
    return status;
}

void rw_beam_tracer_destroy(rw_beam_tracer *tracer)
{
    void *arrays[] = {tracer->beams, tracer->pieces, tracer->windows, tracer->counts};
    for (size_t i = 0; i < sizeof tracer->wall_arrays / sizeof *tracer->wall_arrays; i++)
        if (tracer->wall_arrays[i])
            rw_device_free(tracer->backend, tracer->wall_arrays[i]);
    rw_edge_grid_destroy(&tracer->host_edges);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(tracer->backend, arrays[i]);
    *tracer = (rw_beam_tracer){0};
}

/* One tracing of a source: arguments of the kernel, and who gets the pieces. */
typedef struct trace_run {
    rw_beam_tracer *tracer;
    struct rw_trace_beams_args args;
    rw_pieces_fn on_pieces;
    void *user;
} trace_run;

/* Traces beams or windows first to first + count; counts become those after it, filled or not. */
static rw_status launch_trace_beams(trace_run *run, int windowed, size_t first, size_t count, uint32_t counts[COUNTS])
{
    rw_beam_tracer *tracer = run->tracer;
    rw_context *context = tracer->prediction->scene->context;
    run->args.windowed = windowed;
    run->args.first = first;
    RW_TRY(rw_device_launch(context, tracer->backend, RW_KERNEL_trace_beams, &run->args,
                            count * rw_device_lanes(tracer->backend)));
    return rw_device_download(context, tracer->backend, counts, tracer->counts, COUNTS * sizeof *counts);
}

static int beams_fit_memory(const rw_beam_tracer *tracer, const uint32_t counts[COUNTS])
{
    return counts[BEAM_COUNT] <= tracer->beam_capacity && counts[PIECE_COUNT] <= tracer->piece_capacity &&
           counts[WINDOW_COUNT] <= tracer->window_capacity;
}

/* Traces beams first to first + count, then the windows that they were cut into, until none is left to be cut. New
 * beams go behind end. */
static rw_status trace_beam_windows(trace_run *run, size_t first, size_t count, size_t end, uint32_t counts[COUNTS])
{
    rw_beam_tracer *tracer = run->tracer;
    const uint32_t begin[COUNTS] = {[BEAM_COUNT] = (uint32_t)end};
    RW_TRY(rw_device_upload(tracer->prediction->scene->context, tracer->backend, tracer->counts, begin, sizeof begin));
    RW_TRY(launch_trace_beams(run, 0, first, count, counts));
    for (uint32_t done = 0; done < counts[WINDOW_COUNT] && beams_fit_memory(tracer, counts);) {
        uint32_t ready = counts[WINDOW_COUNT];
        RW_TRY(launch_trace_beams(run, 1, done, ready - done, counts));
        done = ready;
    }
    return RW_OK;
}

/* Hands the pieces of a launch over; where time is told, they are waited for. */
static rw_status hand_over(const trace_run *run, size_t beam_count, size_t piece_count, rw_beam_level *level)
{
    rw_beam_tracer *tracer = run->tracer;
    double start_s = rw_seconds();
    RW_TRY(run->on_pieces(run->user, tracer, beam_count, piece_count));
    if (tracer->timed) {
        RW_TRY(rw_device_wait(tracer->prediction->scene->context, tracer->backend));
        level->evaluate_s += rw_seconds() - start_s;
    }
    return RW_OK;
}

/* Beams of a level being followed. New beams go behind end; the room is given back. */
typedef struct beam_batch {
    trace_run *run;
    size_t first, end;
    int depth;
} beam_batch;

static rw_status follow_beams(trace_run *run, size_t first, size_t end, int depth);

/* All that comes of some beams of a batch. Progress is theirs: a third is their own, the rest of what follows. */
static rw_status follow_child_beams(const beam_batch *batch, size_t first, size_t count, size_t end)
{
    rw_context *context = batch->run->tracer->prediction->scene->context;
    const double beams = (double)(batch->end - batch->first), own = 1.0 / 3;
    double from = (double)(first - batch->first) / beams, to = (double)(first + count - batch->first) / beams;
    rw_progress_range full_range = rw_progress_narrow(from, to);
    rw_status status = rw_progress_within(context, own, "predicting");
    rw_progress_narrow(own, 1);
    if (status == RW_OK && end > batch->end)
        status = follow_beams(batch->run, batch->end, end, batch->depth + 1);
    rw_progress_range_set(full_range);
    return status == RW_OK ? rw_progress_within(context, to, "predicting") : status;
}

/* An rw_batch_fn: some beams and all that comes of them. */
static rw_status follow_beam_batch(void *user, size_t first, size_t count, rw_batch_fill_fn *fill)
{
    const beam_batch *batch = user;
    rw_beam_tracer *tracer = batch->run->tracer;
    rw_beam_level *level = &tracer->levels[batch->depth];
    uint32_t counts[COUNTS];
    double start_s = rw_seconds();
    RW_TRY(trace_beam_windows(batch->run, first, count, batch->end, counts));
    level->trace_s += rw_seconds() - start_s;
    level->launches++;
    if (!beams_fit_memory(tracer, counts)) {
        *fill = RW_BATCH_FULL;
        return count > 1 ? RW_OK
                         : rw_fail(tracer->prediction->scene->context, RW_TOO_LARGE,
                                   "one beam leaves more beams than fit into %.3g MB; raise %s",
                                   (double)tracer->beam_capacity * (sizeof(rw_beam) + sizeof(rw_beam_piece)) / 1e6,
                                   tracer->backend == RW_BACKEND_CUDA ? "device-memory" : "memory");
    }
    level->beams += count;
    level->pieces += counts[PIECE_COUNT];
    RW_TRY(hand_over(batch->run, batch->end, counts[PIECE_COUNT], level));
    return follow_child_beams(batch, first, count, counts[BEAM_COUNT]);
}

static rw_status follow_beams(trace_run *run, size_t first, size_t end, int depth)
{
    beam_batch batch = {run, first, end, depth};
    size_t size = end - first;
    return rw_batches_run(first, end, &size, follow_beam_batch, &batch);
}

size_t rw_beam_start(rw_vec3 source, rw_beam *beams)
{
    for (int i = 0; i < RW_SOURCE_BEAMS; i++) {
        double right = 2 * RW_PI * i / RW_SOURCE_BEAMS;
        double left = 2 * RW_PI * ((i + 1) % RW_SOURCE_BEAMS) / RW_SOURCE_BEAMS;
        beams[i] = (rw_beam){.origin = {source.x, source.y},
                             .right = {cos(right), sin(right)},
                             .left = {cos(left), sin(left)},
                             .face = {1, 0},
                             .slope_low = -INFINITY,
                             .slope_high = INFINITY,
                             .parent = RW_NO_BEAM,
                             .wall = RW_NO_WALL,
                             .other_wall = RW_NO_WALL};
    }
    return RW_SOURCE_BEAMS;
}

struct rw_trace_beams_args rw_beam_trace_args(const rw_beam_tracer *tracer, rw_vec3 source,
                                              const rw_beam_losses *losses)
{
    const rw_beam_settings *settings = tracer->settings;
    const rw_receivers_view *receivers = &tracer->prediction->receivers.view;
    struct rw_trace_beams_args args = {.grid = tracer->grid,
                                       .quadtree = tracer->quadtree,
                                       .split_pixels = settings->split_pixels,
                                       .receiver_tops = tracer->receiver_tops,
                                       .walls = tracer->walls,
                                       .losses = *losses,
                                       .beams = tracer->beams,
                                       .beam_count = tracer->counts + BEAM_COUNT,
                                       .beam_capacity = tracer->beam_capacity,
                                       .pieces = tracer->pieces,
                                       .piece_count = tracer->counts + PIECE_COUNT,
                                       .piece_capacity = tracer->piece_capacity,
                                       .windows = tracer->windows,
                                       .window_count = tracer->counts + WINDOW_COUNT,
                                       .window_capacity = tracer->window_capacity};
    args.limits = (rw_beam_limits){.reflections = settings->reflections,
                                   .transmissions = settings->transmissions,
                                   .diffractions = settings->diffractions,
                                   .angle_min_rad = settings->angle_min_rad,
                                   .cut_rad = 2 * RW_PI / RW_SOURCE_BEAMS,
                                   .source_m = source.z,
                                   .receiver_low_m = receivers->low_m,
                                   .receiver_high_m = receivers->high_m};
    return args;
}

rw_status rw_beam_trace(rw_beam_tracer *tracer, rw_vec3 source, const rw_beam_losses *losses, rw_pieces_fn on_pieces,
                        void *user)
{
    rw_context *context = tracer->prediction->scene->context;
    trace_run run = {.tracer = tracer, .on_pieces = on_pieces, .user = user};
    rw_beam beams[RW_SOURCE_BEAMS];
    size_t count = rw_beam_start(source, beams);
    run.args = rw_beam_trace_args(tracer, source, losses);
    memset(tracer->levels, 0, sizeof tracer->levels);
    RW_TRY(rw_device_upload(context, tracer->backend, tracer->beams, beams, count * sizeof *beams));
    return follow_beams(&run, 0, count, 0);
}
