/* The shadow model after Rick and Kuhlen (2010): from walls to line of sight, wall count and path loss for every
 * receiver. */
#include "models/shadow/shadow.h"

#include "base/memory.h"
#include "models/engine/run/run.h"
#include "models/shadow/database/database.h"
#include "models/shadow/parameters.h"
#include "models/shadow/solved.h"

#include <math.h>
#include <stdlib.h>

#define LAYERS(X)                                                                                                      \
    X(LAYER_PATH_LOSS, "path_loss", "dB", NULL)                                                                        \
    X(LAYER_LOS, "los", "", NULL)                                                                                      \
    X(LAYER_WALLS, "walls", "walls", NULL)                                                                             \
    X(LAYER_MECHANISM, "mechanism", "", NULL)                                                                          \
    X(LAYER_DEFLECTIONS, "deflections", "edges", NULL)                                                                 \
    X(LAYER_SIGMA, "sigma", "dB", NULL)                                                                                \
    RW_RECEIVED_LAYERS(X)                                                                                              \
    X(LAYER_COVERAGE_PROBABILITY, "coverage_probability", "", NULL)

enum { LAYERS(RW_LAYER_INDEX) };
static const rw_layer_kind layer_kinds[] = {LAYERS(RW_LAYER_KIND){NULL, NULL, NULL}};

/* The open model. */
typedef struct shadow_state {
    rw_shadow_job job;
    rw_shadow_solved *solved;
    float *loss_db; /* of the transmitter at hand, one a cell */
    float *sigma_db;
} shadow_state;

static int wants_sigma(const rw_prediction *prediction)
{
    return prediction->options->sigma || rw_list_contains(prediction->layers, "sigma") ||
           rw_list_contains(prediction->layers, "coverage_probability");
}

/* What the layers asked for need; best server and interference are made by default with several transmitters. */
static rw_shadow_needs needs_of(const rw_prediction *prediction)
{
    const char *layers = prediction->layers;
    static const char *const of_loss[] = {"path_loss", "mechanism", "deflections", "sigma"};
    int members = rw_shadow_members(prediction);
    int loss = wants_sigma(prediction) || rw_layers_need_power(layers) ||
               (prediction->options->transmitter_count > 1 && !prediction->options->layers);
    for (size_t i = 0; i < sizeof of_loss / sizeof *of_loss; i++)
        loss |= rw_list_contains(layers, of_loss[i]);
    return (rw_shadow_needs){.sight = rw_list_contains(layers, "los"),
                             .walls = rw_list_contains(layers, "walls"),
                             .no_loss = !loss,
                             .members = members};
}

static void close_shadow_model(void *state_in)
{
    shadow_state *state = state_in;
    rw_shadow_solved_destroy(state->solved);
    rw_shadow_job_destroy(&state->job);
    free(state->loss_db);
    free(state->sigma_db);
    free(state);
}

static rw_status open_shadow_state(const rw_prediction *prediction, rw_use use, shadow_state *state)
{
    rw_shadow_effects effects;
    RW_TRY(rw_shadow_effects_resolve(prediction, &effects));
    if (use == RW_USE_MAP) {
        RW_TRY(rw_shadow_job_create(prediction, effects, needs_of(prediction), &state->job));
        RW_TRY(rw_shadow_solved_create(&state->job, &state->solved));
        size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
        if (wants_sigma(prediction))
            RW_TRY(rw_array_create(prediction->scene->context, cells, sizeof(float), "standard deviations",
                                   &state->sigma_db));
        return rw_array_create(prediction->scene->context, cells, sizeof(float), "path loss", &state->loss_db);
    }
    if (prediction->records_gains) { /* all that a map has */
        RW_TRY(rw_shadow_job_create(prediction, effects, (rw_shadow_needs){.paths = 1, .strongest = 1}, &state->job));
        state->job.args.strongest_in_sight = 1;
        return rw_shadow_check_record(&state->job);
    }
    int several = prediction->options->best != RW_UNSET && prediction->options->best > 1;
    if (!several)
        effects.best_count = 1; /* the loss of a path is its own, not that of a sum */
    effects.prior = NULL;
    return rw_shadow_job_create(prediction, effects, (rw_shadow_needs){.paths = 1, .strongest = several}, &state->job);
}

static rw_status open_shadow_model(const rw_prediction *prediction, rw_use use, void **state_out)
{
    shadow_state *state;
    RW_TRY(rw_array_create(prediction->scene->context, 1, sizeof *state, "the shadow model", &state));
    rw_status status = open_shadow_state(prediction, use, state);
    if (status == RW_OK)
        *state_out = state;
    else
        close_shadow_model(state);
    return status;
}

static size_t get_shadow_batch(const void *state)
{
    return ((const shadow_state *)state)->job.batch;
}

static rw_status begin_shadow_run(void *state, rw_run *run)
{
    rw_shadow_job *job = &((shadow_state *)state)->job;
    run->map->info.prior = rw_prior_name(job->prediction->scene, job->effects.prior);
    return rw_shadow_job_begin(job);
}

static rw_status fetch_loss(shadow_state *state, rw_run *run, const rw_shadow_values *values, size_t in_batch,
                            size_t transmitter)
{
    const rw_shadow_job *job = &state->job;
    size_t cells = job->prediction->receivers.view.columns * job->prediction->receivers.view.rows;
    const float *losses = values->path_loss_db;
    if (!rw_received_wanted(&run->received))
        return rw_run_fetch(run, LAYER_PATH_LOSS, transmitter, job->backend, losses, in_batch, RW_VALUE_FLOAT);
    RW_TRY(rw_device_download(job->prediction->scene->context, job->backend, state->loss_db, losses + in_batch * cells,
                              cells * sizeof(float)));
    RW_TRY(rw_received_add(&run->received, transmitter, state->loss_db));
    return rw_run_fetch(run, LAYER_PATH_LOSS, transmitter, RW_BACKEND_CPU, state->loss_db, 0, RW_VALUE_FLOAT);
}

/* The error of a prediction without measurements: what the rule of composition left on measured places that it was not
 * fitted to (docs/explanation/uncertainty.md). */
#define SIGMA_DB 8.0f

static rw_status fetch_constant_sigma(shadow_state *state, rw_run *run, const rw_shadow_values *values, size_t in_batch,
                                      size_t transmitter)
{
    const rw_shadow_job *job = &state->job;
    size_t cells = job->prediction->receivers.view.columns * job->prediction->receivers.view.rows;
    if (!state->sigma_db)
        return RW_OK;
    RW_TRY(rw_device_download(job->prediction->scene->context, job->backend, state->sigma_db,
                              values->path_loss_db + in_batch * cells, cells * sizeof(float)));
    for (size_t i = 0; i < cells; i++)
        state->sigma_db[i] = isfinite(state->sigma_db[i]) ? SIGMA_DB : NAN;
    if (run->received.coverage_probability)
        RW_TRY(rw_received_find_probability(&run->received, transmitter, state->sigma_db));
    return rw_run_fetch(run, LAYER_SIGMA, transmitter, RW_BACKEND_CPU, state->sigma_db, 0, RW_VALUE_FLOAT);
}

/* After fetch_loss, which has the received power. */
static rw_status fetch_sigma(shadow_state *state, rw_run *run, const rw_shadow_values *values, size_t in_batch,
                             size_t transmitter)
{
    const rw_shadow_job *job = &state->job;
    size_t cells = job->prediction->receivers.view.columns * job->prediction->receivers.view.rows;
    if (!job->ensemble.member_count)
        return fetch_constant_sigma(state, run, values, in_batch, transmitter);
    if (!run->received.coverage_probability)
        return rw_run_fetch(run, LAYER_SIGMA, transmitter, job->backend, values->sigma_db, in_batch, RW_VALUE_FLOAT);
    RW_TRY(rw_device_download(job->prediction->scene->context, job->backend, state->sigma_db,
                              values->sigma_db + in_batch * cells, cells * sizeof(float)));
    RW_TRY(rw_received_find_probability(&run->received, transmitter, state->sigma_db));
    return rw_run_fetch(run, LAYER_SIGMA, transmitter, RW_BACKEND_CPU, state->sigma_db, 0, RW_VALUE_FLOAT);
}

static rw_status fetch_shadow_layers(shadow_state *state, rw_run *run, const rw_shadow_values *values, size_t in_batch,
                                     size_t transmitter)
{
    const struct {
        int layer;
        const void *values;
        rw_value_type type;
    } fetched[] = {{LAYER_LOS, values->los, RW_VALUE_BYTE},
                   {LAYER_WALLS, values->walls, RW_VALUE_COUNT},
                   {LAYER_MECHANISM, values->mechanism, RW_VALUE_BYTE},
                   {LAYER_DEFLECTIONS, values->deflections, RW_VALUE_BYTE}};
    for (size_t i = 0; i < sizeof fetched / sizeof *fetched; i++)
        RW_TRY(rw_run_fetch(run, fetched[i].layer, transmitter, state->job.backend, fetched[i].values, in_batch,
                            fetched[i].type));
    RW_TRY(fetch_loss(state, run, values, in_batch, transmitter));
    return fetch_sigma(state, run, values, in_batch, transmitter);
}

/* For link budgets: memory on the backend for one batch. */
static rw_status prepare_compositions(rw_shadow_job *job, size_t *bytes)
{
    const rw_prediction *prediction = job->prediction;
    *bytes = prediction->receivers.view.columns * prediction->receivers.view.rows * sizeof *prediction->compositions;
    job->args.compositions = prediction->compositions ? job->compositions : NULL;
    if (!prediction->compositions)
        return RW_OK;
    if (!job->compositions)
        RW_TRY(rw_device_alloc(prediction->scene->context, job->backend, job->batch * *bytes, "link budgets",
                               &job->compositions));
    job->args.compositions = job->compositions;
    return rw_device_clear(prediction->scene->context, job->backend, job->compositions, job->batch * *bytes);
}

static rw_status solve_shadow_batch(void *state_in, rw_run *run, size_t first, size_t count)
{
    shadow_state *state = state_in;
    rw_shadow_job *job = &state->job;
    const rw_prediction *prediction = job->prediction;
    size_t bytes, cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    for (size_t end = first + count, now; first < end; first += now) {
        rw_shadow_values values;
        RW_TRY(prepare_compositions(job, &bytes));
        RW_TRY(rw_shadow_solved_run(state->solved, first, end - first, &now, &values));
        if (prediction->compositions && !job->no_loss)
            RW_TRY(rw_device_download(prediction->scene->context, job->backend,
                                      prediction->compositions + first * cells, job->compositions, now * bytes));
        for (size_t i = 0; i < now; i++)
            RW_TRY(fetch_shadow_layers(state, run, &values, i, first + i));
    }
    return RW_OK;
}

static size_t count_new_positions(const void *state, const rw_prediction *prediction)
{
    return rw_shadow_solved_count_new(state ? ((const shadow_state *)state)->solved : NULL, prediction);
}

/* An rw_model's see. */
static rw_status find_shadow_sight(void *state_in, size_t first, size_t count, uint8_t *los, int *done)
{
    rw_shadow_job *job = &((shadow_state *)state_in)->job;
    *done = job->no_loss && !job->sight.arrays.walls;
    return *done ? rw_los_job_see(&job->sight, job->prediction->sources + first, count, los) : RW_OK;
}

static rw_status trace_shadow_batch(void *state, size_t first, size_t count, rw_paths *paths)
{
    return rw_shadow_job_trace(&((shadow_state *)state)->job, first, count, paths);
}

const rw_model rw_model_shadow = {.name = "shadow",
                                  .title = "City, fast: dominant path by streets, roofs and walls",
                                  .options = rw_shadow_options,
                                  .layer_kinds = layer_kinds,
                                  .layers = RW_LAYER_NAMES(LAYERS),
                                  .default_layers = "path_loss,los,walls",
                                  .open = open_shadow_model,
                                  .close = close_shadow_model,
                                  .batch = get_shadow_batch,
                                  .begin = begin_shadow_run,
                                  .solve = solve_shadow_batch,
                                  .see = find_shadow_sight,
                                  .trace = trace_shadow_batch,
                                  .estimate = rw_shadow_estimate,
                                  .count_new = count_new_positions,
                                  .database = &rw_corner_database_calls,
                                  .buildings_only = 1,
                                  .diffraction_sources = rw_shadow_diffraction_sources,
                                  .diffraction_sources_lead = "cells",
                                  .foliage_in_paths = 1,
                                  .records_gains = 1,
                                  .writes_all_cells = 1,
                                  .parameters = rw_shadow_parameters,
                                  .parameter_count = RW_SHADOW_PARAMETERS,
                                  .parameter_defaults = rw_shadow_parameter_defaults,
                                  .term_count = RW_SHADOW_TERMS,
                                  .path_terms = rw_shadow_path_terms,
                                  .point_terms = rw_shadow_point_terms,
                                  .terms_loss_db = rw_shadow_terms_loss_db};
