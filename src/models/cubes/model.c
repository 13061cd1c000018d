/* The cubes model after Catrein, Reyer and Rick (2007): cube-oriented ray launching, the dominant path to every
 * receiver; and in a map the way over the roofs and the prior. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "models/cubes/cubes.h"
#include "models/engine/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t cube_bands_of(const void *state);

#define LAYERS(X)                                                                                                      \
    X(LAYER_PATH_LOSS, "path_loss", "dB", NULL)                                                                        \
    X(LAYER_LOS, "los", "", NULL)                                                                                      \
    X(LAYER_MECHANISM, "mechanism", "", NULL)                                                                          \
    X(LAYER_DEFLECTIONS, "deflections", "deflections", NULL)                                                           \
    X(LAYER_VOLUME, "volume", "dB", cube_bands_of)                                                                     \
    X(LAYER_VISIBLE, "visible", "", cube_bands_of)                                                                     \
    X(LAYER_FILLED, "filled", "", cube_bands_of)                                                                       \
    X(LAYER_SOURCES, "sources", "", cube_bands_of)                                                                     \
    X(LAYER_SUPERCUBES, "supercubes", "pass", cube_bands_of)                                                           \
    RW_RECEIVED_LAYERS(X)

enum { LAYERS(RW_LAYER_INDEX) };
static const rw_layer_kind layer_kinds[] = {LAYERS(RW_LAYER_KIND){NULL, NULL, NULL}};

/* The open model. */
typedef struct cubes_state {
    const rw_prediction *prediction;
    rw_cubes_open_job open;
    rw_cubes_extras extras;
    rw_cubes_total total;
    size_t cube_bands; /* layers of cubes, of each transmitter; 0: not asked for */
    int volume;        /* they have path losses too */
    float *power_dbm;  /* received of the transmitter at hand, one a cell */
} cubes_state;

static size_t cube_bands_of(const void *state)
{
    return ((const cubes_state *)state)->cube_bands;
}

/* An rw_model's band_levels. */
static void cube_levels(const void *state, double *first_m, double *step_m)
{
    const rw_receivers_view *view = &((const cubes_state *)state)->prediction->receivers.view;
    *first_m = (double)view->low_m;
    *step_m = view->res_m;
}

/* Layers of cubes whose path loss is wanted. */
static size_t volume_bands(const cubes_state *state)
{
    return state->volume ? state->cube_bands : 0;
}

static void store_cubes_receiver(const rw_run *run, size_t transmitter, size_t cell, const rw_cubes_answer *answer)
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

static void store_cubes_receivers(void *user, size_t begin, size_t end)
{
    const storing *to = user;
    const uint32_t *outdoor = to->state->prediction->receivers.view.outdoor;
    const rw_cubes_answer *answers = to->state->open.answers;
    float own_dbm = (float)to->state->prediction->options->transmitters[to->transmitter].power_dbm;
    for (size_t i = begin; i < end; i++) {
        to->state->power_dbm[outdoor[i]] = own_dbm - answers[i].path_loss_db;
        store_cubes_receiver(to->run, to->transmitter, outdoor[i], &answers[i]);
    }
}

/* Losses have the antenna in them. */
static rw_status store_cubes_answers(cubes_state *state, rw_run *run, size_t transmitter)
{
    storing to = {state, run, transmitter};
    RW_TRY(rw_parallel(run->map->context, state->prediction->receivers.view.outdoor_count, 2048, store_cubes_receivers,
                       &to));
    return rw_received_add_power(&run->received, transmitter, state->power_dbm);
}

/* Answers of the cubes after those of the receivers; filled cubes keep no value. */
static void store_volume(const cubes_state *state, const rw_run *run, size_t transmitter)
{
    const rw_receivers_view *view = &state->prediction->receivers.view;
    size_t count = view->columns * view->rows * volume_bands(state);
    const rw_cubes_answer *volume = state->open.answers + view->outdoor_count;
    float *layer = rw_run_layer(run, LAYER_VOLUME, transmitter);
    for (size_t i = 0; layer && i < count; i++)
        if (!rw_cubes_job_filled(&state->open.job, view->outdoor_count + i))
            layer[i] = volume[i].path_loss_db;
}

static rw_status store_cube_layers(const cubes_state *state, const rw_run *run, size_t transmitter)
{
    const rw_cubes_layers layers = {
        rw_run_layer(run, LAYER_VISIBLE, transmitter), rw_run_layer(run, LAYER_FILLED, transmitter),
        rw_run_layer(run, LAYER_SOURCES, transmitter), rw_run_layer(run, LAYER_SUPERCUBES, transmitter)};
    return rw_cubes_layers_store(state->prediction, &state->open.job, state->cube_bands, &layers);
}

static rw_status solve_cubes_transmitters(void *state_in, rw_run *run, size_t first, size_t count)
{
    cubes_state *state = state_in;
    for (size_t i = first; i < first + count; i++) {
        rw_cubes_costs costs;
        RW_TRY(rw_cubes_costs_find(state->prediction, i, &costs));
        RW_TRY(rw_cubes_job_upload_antenna(&state->open.job, state->prediction->antennas[i],
                                           &state->prediction->options->transmitters[i]));
        rw_progress_range full_range = rw_progress_narrow(0, 0.8);
        RW_TRY(rw_cubes_job_run(&state->open.job, state->prediction->sources[i],
                                rw_prediction_freq_hz(state->prediction, i), &costs));
        RW_TRY(rw_cubes_job_read(&state->open.job, state->open.answers));
        rw_progress_range_set(full_range);
        rw_progress_narrow(0.8, 1); /* the ways over the roofs */
        RW_TRY(rw_cubes_total_add(&state->total, i));
        rw_progress_range_set(full_range);
        RW_TRY(store_cubes_answers(state, run, i));
        store_volume(state, run, i);
        RW_TRY(store_cube_layers(state, run, i));
    }
    return RW_OK;
}

/* Receivers outdoors, then, of a volume, the centres of all cubes above the map. */
static void locate_band_points(const rw_prediction *prediction, size_t bands, rw_vec3 *points)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    size_t cells = view->columns * view->rows;
    for (size_t i = 0; i < view->outdoor_count; i++)
        points[i] = rw_receiver_point(view, view->outdoor[i]);
    for (size_t i = 0; i < view->outdoor_count; i++) {
        points[i].x += centre.x;
        points[i].y += centre.y;
    }
    for (size_t i = 0; i < bands * cells; i++)
        points[view->outdoor_count + i] = rw_cubes_band_point(prediction, i % cells, i / cells);
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
        locate_band_points(prediction, bands, open->points);
        int exact = rw_cubes_sight_line(prediction->options).method == RW_SIGHT_EXACT;
        status =
            rw_cubes_job_create(prediction->scene, &frame, &receivers, limits, exact, context->backend, &open->job);
    }
    if (status == RW_OK)
        status = rw_cubes_job_see(&open->job, rw_cubes_sight_line(prediction->options),
                                  rw_list_contains(prediction->layers, "visible"));
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
    RW_TRY(rw_cubes_open(state->prediction, volume_bands(state), &state->open));
    return state->power_dbm ? rw_cubes_total_create(state->prediction, state->extras, &state->open, &state->total)
                            : RW_OK; /* paths are the model's own */
}

static void close_job(cubes_state *state)
{
    rw_cubes_total_destroy(&state->total);
    rw_cubes_close(&state->open);
}

static void close_cubes_model(void *state_in)
{
    cubes_state *state = state_in;
    close_job(state);
    free(state->power_dbm);
    free(state);
}

static int wants_cubes(const rw_prediction *prediction)
{
    int wanted = 0;
    for (int layer = 0; layer_kinds[layer].name; layer++)
        wanted |= layer_kinds[layer].bands && rw_list_contains(prediction->layers, layer_kinds[layer].name);
    return wanted;
}

static rw_status open_cubes_state(const rw_prediction *prediction, rw_use use, cubes_state *state)
{
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    if (use == RW_USE_MAP && wants_cubes(prediction))
        state->cube_bands = rw_cubes_bands(prediction);
    state->volume = rw_list_contains(prediction->layers, "volume");
    if (use == RW_USE_MAP)
        RW_TRY(rw_cubes_extras_resolve(prediction, &state->extras)); /* paths are the model's own */
    if (use == RW_USE_MAP)
        RW_TRY(rw_array_create(prediction->scene->context, cells, sizeof(float), "received power", &state->power_dbm));
    return open_job(state);
}

static rw_status open_cubes_model(const rw_prediction *prediction, rw_use use, void **state_out)
{
    cubes_state *state;
    RW_TRY(rw_array_create(prediction->scene->context, 1, sizeof *state, "the cubes model", &state));
    state->prediction = prediction;
    rw_status status = open_cubes_state(prediction, use, state);
    if (status == RW_OK)
        *state_out = state;
    else
        close_cubes_model(state);
    return status;
}

/* Where the transmitters of this call need other cubes, as beyond the scene or above it, they are laid anew. */
static rw_status begin_cubes_run(void *state_in, rw_run *run)
{
    cubes_state *state = state_in;
    rw_cube_frame frame;
    run->map->info.prior = rw_prior_name(run->prediction->scene, state->extras.prior);
    rw_cubes_frame_find(state->prediction, &frame);
    if (memcmp(&frame, &state->open.job.cubes.frame, sizeof frame) == 0)
        return RW_OK;
    close_job(state);
    if (state->cube_bands)
        state->cube_bands = rw_cubes_bands(state->prediction);
    return open_job(state);
}

static rw_status trace_cubes_paths(void *state_in, size_t first, size_t count, rw_paths *paths)
{
    cubes_state *state = state_in;
    return rw_cubes_trace(state->prediction, &state->open, first, count, paths);
}

/* Cubes of three bits and lists, and an answer, points and losses a receiver. */
static rw_status estimate_cubes_cost(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    const rw_scene *scene = prediction->scene;
    double width = scene->box_max.x - scene->box_min.x, depth = scene->box_max.y - scene->box_min.y;
    double res = cells ? cells->res_m : rw_option_or(prediction->options->res_m, 5);
    double columns = width * depth / (res * res); /* cubes are laid over the scene */
    /* measured on generated cities of 0.25 to 4 km2 */
    rw_estimate_work(prediction, estimate,
                     5.8e-5 * columns * pow(columns / 4e4, 0.25) * (double)estimate->transmitters);
    estimate->table_bytes += 1800 * columns;
    rw_estimate_add(prediction, estimate, 100, 80);
    return RW_OK;
}

const rw_model rw_model_cubes = {.name = "cubes",
                                 .title = "City, dominant paths: through a grid of cubes",
                                 .layer_kinds = layer_kinds,
                                 .layers = RW_LAYER_NAMES(LAYERS),
                                 .default_layers = "path_loss,los,mechanism",
                                 .options = rw_cubes_options,
                                 .one_material = 1,
                                 .flat_earth = 1,
                                 .open = open_cubes_model,
                                 .close = close_cubes_model,
                                 .begin = begin_cubes_run,
                                 .solve = solve_cubes_transmitters,
                                 .trace = trace_cubes_paths,
                                 .band_levels = cube_levels,
                                 .estimate = estimate_cubes_cost,
                                 .antenna_in_loss = 1,
                                 .parameters = rw_cubes_parameters,
                                 .parameter_count = RW_CUBES_PARAMETERS,
                                 .parameter_defaults = rw_cubes_parameter_defaults,
                                 .term_count = RW_CUBES_PARAMETERS,
                                 .path_terms = rw_cubes_path_terms,
                                 .terms_loss_db = rw_cubes_terms_loss_db};
