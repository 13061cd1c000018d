/* The cubes model after Catrein, Reyer and Rick (2007): cube-oriented ray launching, the dominant path to every
 * receiver; and in a map the way over the roofs and the prior. */
#include "base/memory.h"
#include "base/parallel.h"
#include "models/cubes/total_loss.h"
#include "models/engine/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t volume_bands_of(const void *state);

#define LAYERS(X)                                                                                                      \
    X(LAYER_PATH_LOSS, "path_loss", "dB", NULL)                                                                        \
    X(LAYER_LOS, "los", "", NULL)                                                                                      \
    X(LAYER_MECHANISM, "mechanism", "", NULL)                                                                          \
    X(LAYER_DEFLECTIONS, "deflections", "deflections", NULL)                                                           \
    X(LAYER_VOLUME, "volume", "dB", volume_bands_of)                                                                   \
    RW_RECEIVED_LAYERS(X)

enum { LAYERS(RW_LAYER_INDEX) };
static const rw_layer_kind layer_kinds[] = {LAYERS(RW_LAYER_KIND){NULL, NULL, NULL}};

/* The open model. */
typedef struct cubes_state {
    const rw_prediction *prediction;
    rw_cubes_open_job open;
    rw_cubes_extras extras;
    rw_cubes_total total;
    size_t volume_bands; /* layers of cubes, of each transmitter; 0: not asked for */
    float *loss_db;      /* of the transmitter at hand, one a cell */
} cubes_state;

/* From the lowest receiver's layer of cubes upwards, all but the free ones on top. */
static size_t volume_bands(const rw_prediction *prediction)
{
    rw_cube_frame frame;
    rw_cubes_frame_find(prediction, &frame);
    double below = ((double)prediction->receivers.view.low_m - frame.z0_m) / frame.res_m;
    return frame.layers - (size_t)below - 1;
}

static size_t volume_bands_of(const void *state)
{
    return ((const cubes_state *)state)->volume_bands;
}

static void store_receiver(const rw_run *run, size_t transmitter, size_t cell, const rw_cubes_answer *answer)
{
    int reached = isfinite(answer->path_loss_db);
    const struct {
        int layer;
        float value;
    } values[] = {{LAYER_PATH_LOSS, answer->path_loss_db},
                  {LAYER_LOS, (float)answer->sight},
                  {LAYER_MECHANISM, reached ? (float)answer->mechanism : INFINITY},
                  {LAYER_DEFLECTIONS, reached ? (float)answer->deflections : INFINITY}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        float *layer = rw_run_layer(run, values[i].layer, transmitter);
        if (layer)
            layer[cell] = values[i].value;
    }
}

typedef struct storing {
    cubes_state *state;
    rw_run *run;
    size_t transmitter;
} storing;

static void store_receivers(void *user, size_t begin, size_t end)
{
    const storing *to = user;
    const uint32_t *outdoor = to->state->prediction->receivers.view.outdoor;
    const rw_cubes_answer *answers = to->state->open.answers;
    for (size_t i = begin; i < end; i++) {
        to->state->loss_db[outdoor[i]] = answers[i].path_loss_db;
        store_receiver(to->run, to->transmitter, outdoor[i], &answers[i]);
    }
}

static void store(cubes_state *state, rw_run *run, size_t transmitter)
{
    storing to = {state, run, transmitter};
    rw_parallel(run->map->context, state->prediction->receivers.view.outdoor_count, 2048, store_receivers, &to);
    rw_received_add(&run->received, transmitter, state->loss_db);
}

/* Answers of the cubes after those of the receivers; filled cubes keep no value. */
static void store_volume(const cubes_state *state, const rw_run *run, size_t transmitter)
{
    const rw_receivers_view *view = &state->prediction->receivers.view;
    size_t count = view->columns * view->rows * state->volume_bands;
    const rw_cubes_answer *volume = state->open.answers + view->outdoor_count;
    float *layer = rw_run_layer(run, LAYER_VOLUME, transmitter);
    for (size_t i = 0; layer && i < count; i++)
        if (!rw_cubes_job_filled(&state->open.job, view->outdoor_count + i))
            layer[i] = volume[i].path_loss_db;
}

static rw_status solve(void *state_in, rw_run *run, size_t first, size_t count)
{
    cubes_state *state = state_in;
    for (size_t i = first; i < first + count; i++) {
        rw_cubes_costs costs;
        RW_TRY(rw_cubes_costs_find(state->prediction, i, &costs));
        RW_TRY(rw_cubes_job_run(&state->open.job, state->prediction->sources[i],
                                rw_prediction_freq_hz(state->prediction, i), &costs));
        RW_TRY(rw_cubes_job_read(&state->open.job, state->open.answers));
        RW_TRY(rw_cubes_total_add(&state->total, i));
        store(state, run, i);
        store_volume(state, run, i);
    }
    return RW_OK;
}

/* Receivers outdoors, then, of a volume, the centres of all cubes above the map. */
static void place_points(const rw_prediction *prediction, size_t bands, rw_vec3 *points)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    size_t cells = view->columns * view->rows;
    for (size_t i = 0; i < view->outdoor_count; i++)
        points[i] = rw_receiver_point(view, view->outdoor[i]);
    for (size_t band = 0; band < bands; band++)
        for (size_t cell = 0; cell < cells; cell++) {
            rw_vec3 *point = &points[view->outdoor_count + band * cells + cell];
            *point = rw_receiver_point(view, cell);
            point->z = (double)view->low_m + (double)band * view->res_m;
        }
    for (size_t i = 0; i < view->outdoor_count + bands * cells; i++) {
        points[i].x += centre.x;
        points[i].y += centre.y;
    }
}

rw_status rw_cubes_open(const rw_prediction *prediction, size_t bands, rw_cubes_open_job *open)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_context *context = prediction->scene->context;
    rw_cube_frame frame;
    int limits[RW_CUBE_KINDS];
    *open = (rw_cubes_open_job){.count = view->outdoor_count + view->columns * view->rows * bands};
    rw_cubes_limits(prediction->options, limits);
    RW_TRY(rw_array_create(context, open->count, sizeof *open->points, "receivers", &open->points));
    rw_status status = rw_array_create(context, open->count, sizeof *open->answers, "answers", &open->answers);
    if (status == RW_OK) {
        rw_cubes_points receivers = {open->count, open->points};
        rw_cubes_frame_find(prediction, &frame);
        place_points(prediction, bands, open->points);
        status = rw_cubes_job_create(prediction->scene, &frame, &receivers, limits, context->backend, &open->job);
    }
    if (status != RW_OK)
        rw_cubes_close(open);
    return status;
}

void rw_cubes_close(rw_cubes_open_job *open)
{
    rw_cubes_job_destroy(&open->job);
    free(open->points);
    free(open->answers);
    *open = (rw_cubes_open_job){0};
}

static rw_status open_job(cubes_state *state)
{
    RW_TRY(rw_cubes_open(state->prediction, state->volume_bands, &state->open));
    return rw_cubes_total_create(state->prediction, state->extras, &state->open, &state->total);
}

static void close_job(cubes_state *state)
{
    rw_cubes_total_destroy(&state->total);
    rw_cubes_close(&state->open);
}

static void close_model(void *state_in)
{
    cubes_state *state = state_in;
    close_job(state);
    free(state->loss_db);
    free(state);
}

static rw_status open_state(const rw_prediction *prediction, rw_use use, cubes_state *state)
{
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    if (use == RW_USE_MAP && rw_list_contains(prediction->layers, "volume"))
        state->volume_bands = volume_bands(prediction);
    if (use == RW_USE_MAP)
        RW_TRY(rw_cubes_extras_settle(prediction, &state->extras)); /* paths are the model's own */
    if (use == RW_USE_MAP)
        RW_TRY(rw_array_create(prediction->scene->context, cells, sizeof(float), "path loss", &state->loss_db));
    return open_job(state);
}

static rw_status open_model(const rw_prediction *prediction, rw_use use, void **state_out)
{
    cubes_state *state;
    RW_TRY(rw_array_create(prediction->scene->context, 1, sizeof *state, "the cubes model", &state));
    state->prediction = prediction;
    rw_status status = open_state(prediction, use, state);
    if (status == RW_OK)
        *state_out = state;
    else
        close_model(state);
    return status;
}

/* Where the transmitters of this call need other cubes, as beyond the scene or above it, they are laid anew. */
static rw_status begin(void *state_in, rw_run *run)
{
    cubes_state *state = state_in;
    rw_cube_frame frame;
    run->map->info.prior = rw_prior_name(state->extras.prior);
    rw_cubes_frame_find(state->prediction, &frame);
    if (memcmp(&frame, &state->open.job.cubes.frame, sizeof frame) == 0)
        return RW_OK;
    close_job(state);
    if (state->volume_bands)
        state->volume_bands = volume_bands(state->prediction);
    return open_job(state);
}

static rw_status trace(void *state_in, size_t first, size_t count, rw_paths *paths)
{
    cubes_state *state = state_in;
    return rw_cubes_trace(state->prediction, &state->open, first, count, paths);
}

/* Cubes of three bits and lists, and an answer, points and losses a receiver. */
static rw_status estimate(const rw_prediction *prediction, rw_estimate *estimate)
{
    rw_estimate_add(prediction, estimate, 100, 80);
    return RW_OK;
}

const rw_model rw_model_cubes = {.name = "cubes",
                                 .layer_kinds = layer_kinds,
                                 .layers = RW_LAYER_NAMES(LAYERS),
                                 .default_layers = "path_loss,los,mechanism",
                                 .options = rw_cubes_options,
                                 .open = open_model,
                                 .close = close_model,
                                 .begin = begin,
                                 .solve = solve,
                                 .trace = trace,
                                 .estimate = estimate,
                                 .solves_points = 1,
                                 .parameters = rw_cubes_parameters,
                                 .parameter_count = RW_CUBES_PARAMETERS,
                                 .parameter_defaults = rw_cubes_parameter_defaults,
                                 .term_count = RW_CUBES_PARAMETERS,
                                 .path_terms = rw_cubes_path_terms,
                                 .terms_loss_db = rw_cubes_terms_loss_db};
