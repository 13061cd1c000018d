/* The beams model after Schmitz and others (2011): every path by reflections, transmissions and diffractions, with its
 * power and delay, for every receiver. */

#include "base/memory.h"
#include "models/beams/state.h"

#include <math.h>
#include <stdlib.h>

static const rw_layer_kind layer_kinds[] = {RW_BEAM_LAYERS(RW_LAYER_KIND){NULL, NULL, NULL}};

static rw_status begin_beams_run(void *state_in, rw_run *run)
{
    rw_beams_state *state = state_in;
    const rw_beam_settings *settings = &state->settings;
    size_t count = state->prediction->options->transmitter_count;
    state->histogram = NULL;
    if (settings->bins)
        RW_TRY(rw_map_add_histogram(run->map, count, (size_t)settings->bins, settings->delay_first_s, settings->bin_s,
                                    &state->histogram));
    return state->prediction->options->reuse ? rw_stored_beams_open(state->prediction, settings, &state->stored)
                                             : RW_OK;
}

static rw_status end_beams_run(void *state_in, rw_run *run, rw_status status)
{
    rw_beams_state *state = state_in;
    (void)run;
    rw_stored_beams_destroy(&state->stored);
    state->stored = (rw_stored_beams){0};
    return status;
}

static void close_beams_model(void *state_in)
{
    rw_beams_state *state = state_in;
    if (state->finding)
        rw_beam_finding_destroy(state->finding);
    rw_beam_evaluation_destroy(&state->evaluation);
    rw_beam_tracer_destroy(&state->tracer);
    rw_beams_free_sums(&state->host);
    free(state->power_dbm);
    free(state);
}

static rw_status open_for_map(rw_beams_state *state)
{
    const rw_prediction *prediction = state->prediction;
    int several = prediction->options->transmitter_count > 1 && !prediction->options->layers;
    int received = several || rw_layers_need_power(prediction->layers);
    rw_beam_wants wants = {
        .sums = 1, .antennas = received, .mechanisms = rw_list_contains(prediction->layers, "mechanism")};
    rw_beam_settings tracing = state->settings;
    if (prediction->options->reuse)
        tracing.memory_bytes = 1; /* the least: no beam is traced */
    RW_TRY(rw_beam_tracer_create(prediction, &tracing, &state->tracer));
    state->tracer.settings = &state->settings;
    RW_TRY(rw_beam_evaluation_create(prediction, &state->settings, wants, &state->evaluation));
    return rw_beams_allocate_sums(state, received);
}

static rw_status open_for_paths(rw_beams_state *state)
{
    const rw_prediction *prediction = state->prediction;
    state->settings.bins = 0;
    rw_beam_settings tracing = state->settings;
    if (prediction->options->reuse)
        tracing.memory_bytes = 1; /* the least: no beam is traced */
    RW_TRY(rw_beam_tracer_create(prediction, &tracing, &state->tracer));
    state->tracer.settings = &state->settings;
    RW_TRY(rw_beam_evaluation_create(prediction, &state->settings, (rw_beam_wants){0}, &state->evaluation));
    return rw_beam_finding_create(&state->evaluation, &state->finding);
}

static rw_status open_beams_model(const rw_prediction *prediction, rw_use use, void **state_out)
{
    rw_beams_state *state;
    RW_TRY(rw_array_create(prediction->scene->context, 1, sizeof *state, "the beams model", &state));
    state->prediction = prediction;
    rw_status status = rw_beam_settings_resolve(prediction, &state->settings);
    if (status == RW_OK)
        status = use == RW_USE_MAP ? open_for_map(state) : open_for_paths(state);
    if (status == RW_OK)
        *state_out = state;
    else
        close_beams_model(state);
    return status;
}

static rw_status trace_beams_paths(void *state_in, size_t first, size_t count, rw_paths *paths)
{
    rw_beams_state *state = state_in;
    for (size_t i = first; i < first + count; i++)
        RW_TRY(rw_beam_trace_points(&state->tracer, state->finding, i, paths));
    return RW_OK;
}

/* Sums of 52 bytes a cell on the backend and on the host, the histogram, and beams on their way. */
static rw_status estimate_beams_cost(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    const rw_predict_options *options = prediction->options;
    double bins = options->delay_bins, walls = (double)prediction->scene->prepared->walls.count;
    /* measured on generated cities of 0.5 to 4 km2 */
    double depth =
        pow((1 + options->reflections + options->transmissions) / 6.0, 1.3) * (0.3 + 0.7 * options->diffractions);
    (void)cells;
    rw_estimate_work(prediction, estimate, 7.4e-4 * walls * depth * (double)estimate->transmitters);
    rw_estimate_add(prediction, estimate, 52 + 4 * bins, 52 + 8 * bins);
    return RW_OK;
}

const rw_model rw_model_beams = {.name = "beams",
                                 .title = "City, all paths: reflections and diffractions in two dimensions",
                                 .layer_kinds = layer_kinds,
                                 .layers = RW_LAYER_NAMES(RW_BEAM_LAYERS),
                                 .default_layers = "path_loss,delay_spread,paths",
                                 .options = rw_beam_options,
                                 .open = open_beams_model,
                                 .close = close_beams_model,
                                 .begin = begin_beams_run,
                                 .end = end_beams_run,
                                 .solve = rw_beams_solve,
                                 .diffraction_sources = rw_beam_diffraction_sources,
                                 .diffraction_sources_lead = "beams",
                                 .trace = trace_beams_paths,
                                 .estimate = estimate_beams_cost,
                                 .parameters = rw_beam_parameters,
                                 .parameter_count = RW_BEAM_PARAMETERS,
                                 .parameter_defaults = rw_beam_parameter_defaults,
                                 .term_count = RW_BEAM_TERMS,
                                 .antenna_in_power = 1,
                                 .path_terms = rw_beam_path_terms,
                                 .terms_loss_db = rw_beam_terms_loss_db,
                                 .buildings_only = 1,
                                 .records_gains = 1,
                                 .prior_by_engine = RW_PRIOR_AMONG_BUILDINGS,
                                 .all_paths = 1,
                                 .path_term_count = RW_BEAM_PATH_TERMS};
