/* The beams model after Schmitz and others (2011): every path by reflections, transmissions and diffractions, with its
 * power and delay, for every receiver. */
#include "models/beams/beams.h"

#include "base/memory.h"
#include "models/beams/kept.h"
#include "models/beams/parameters.h"
#include "models/engine/run.h"

#include <stdlib.h>

#define LAYERS(X)                                                                                                      \
    X(LAYER_PATH_LOSS, "path_loss", "dB", NULL)                                                                        \
    X(LAYER_DELAY_SPREAD, "delay_spread", "ns", NULL)                                                                  \
    X(LAYER_MEAN_DELAY, "mean_delay", "ns", NULL)                                                                      \
    X(LAYER_FIRST_ARRIVAL, "first_arrival", "ns", NULL)                                                                \
    X(LAYER_K_FACTOR, "k_factor", "dB", NULL)                                                                          \
    X(LAYER_PATHS, "paths", "paths", NULL)                                                                             \
    RW_RECEIVED_LAYERS(X)

enum { LAYERS(RW_LAYER_INDEX) };
static const rw_layer_kind layer_kinds[] = {LAYERS(RW_LAYER_KIND){NULL, NULL, NULL}};

/* Sums of one transmitter on the host. */
typedef struct host_sums {
    uint64_t *power, *delay, *delay_square, *antenna_power, *strongest;
    uint32_t *first, *paths;
} host_sums;

/* The open model. */
typedef struct beams_state {
    const rw_prediction *prediction;
    rw_beam_settings settings;
    rw_beam_tracer tracer;
    rw_beam_evaluation evaluation;
    host_sums host;           /* those that the layers need; the others are NULL */
    float *power_dbm;         /* of the transmitter at hand; NULL: not asked for */
    float *histogram;         /* of all transmitters of the call; NULL: not asked for */
    rw_kept kept;             /* of the call, where paths are reused */
    rw_beam_finding *finding; /* for paths; NULL: for maps */
} beams_state;

static rw_status take_sum(const beams_state *state, int wanted, size_t element_size, void *host)
{
    size_t cells = state->prediction->receivers.view.columns * state->prediction->receivers.view.rows;
    return wanted ? rw_array_create(state->prediction->scene->context, cells, element_size, "sums over paths", host)
                  : RW_OK;
}

/* Only what a layer asks for. */
static rw_status take_sums(beams_state *state, int received)
{
    const char *layers = state->prediction->layers;
    int spread = rw_list_contains(layers, "delay_spread"), mean = rw_list_contains(layers, "mean_delay");
    host_sums *host = &state->host;
    RW_TRY(take_sum(state, 1, sizeof(uint64_t), &host->power));
    RW_TRY(take_sum(state, 1, sizeof(uint32_t), &host->paths));
    RW_TRY(take_sum(state, spread || mean, sizeof(uint64_t), &host->delay));
    RW_TRY(take_sum(state, spread, sizeof(uint64_t), &host->delay_square));
    RW_TRY(take_sum(state, state->evaluation.sums.antenna_power != NULL, sizeof(uint64_t), &host->antenna_power));
    RW_TRY(take_sum(state, rw_list_contains(layers, "k_factor"), sizeof(uint64_t), &host->strongest));
    RW_TRY(take_sum(state, rw_list_contains(layers, "first_arrival"), sizeof(uint32_t), &host->first));
    return take_sum(state, received, sizeof(float), &state->power_dbm);
}

static rw_status fetch_sum(const beams_state *state, const void *device, size_t element_size, void *host)
{
    size_t cells = state->prediction->receivers.view.columns * state->prediction->receivers.view.rows;
    return host ? rw_device_download(state->prediction->scene->context, state->evaluation.backend, host, device,
                                     cells * element_size)
                : RW_OK;
}

static rw_status fetch(const beams_state *state)
{
    const rw_beam_sums *sums = &state->evaluation.sums;
    const host_sums *host = &state->host;
    RW_TRY(fetch_sum(state, sums->power, sizeof(uint64_t), host->power));
    RW_TRY(fetch_sum(state, sums->paths, sizeof(uint32_t), host->paths));
    RW_TRY(fetch_sum(state, sums->delay, sizeof(uint64_t), host->delay));
    RW_TRY(fetch_sum(state, sums->delay_square, sizeof(uint64_t), host->delay_square));
    RW_TRY(fetch_sum(state, sums->antenna_power, sizeof(uint64_t), host->antenna_power));
    RW_TRY(fetch_sum(state, sums->strongest, sizeof(uint64_t), host->strongest));
    return fetch_sum(state, sums->first, sizeof(uint32_t), host->first);
}

static void free_sums(host_sums *host)
{
    free(host->power);
    free(host->delay);
    free(host->delay_square);
    free(host->antenna_power);
    free(host->strongest);
    free(host->first);
    free(host->paths);
}

/* The layers of one transmitter; NULL: not asked for. */
typedef struct beam_layers {
    float *path_loss, *delay_spread, *mean_delay, *first_arrival, *k_factor, *paths;
    float *power_dbm;
} beam_layers;

static void put(float *layer, size_t at, double value)
{
    if (layer)
        layer[at] = (float)value;
}

/* Delays and spreads of ITU-R P.1407: power-weighted mean, and the square root of the second central moment; of the
 * delays after the straight line's, which leaves the spread as it is. */
static void store_delays(const rw_beam_evaluation *evaluation, const host_sums *host, size_t cell,
                         const beam_layers *layers)
{
    const rw_receivers_view *view = &evaluation->prediction->receivers.view;
    rw_vec3 away = rw_vec3_sub(rw_receiver_point(view, cell), evaluation->source);
    double straight_ns = 1e9 * rw_vec3_length(away) / RW_SPEED_OF_LIGHT_M_S, unit_ns = 1e9 * RW_EXCESS_UNIT_S;
    double power = (double)host->power[cell], mean = host->delay ? (double)host->delay[cell] / power : 0;
    put(layers->mean_delay, cell, straight_ns + unit_ns * mean);
    if (layers->delay_spread) {
        double variance = (double)host->delay_square[cell] / power - mean * mean;
        put(layers->delay_spread, cell, host->paths[cell] > 1 ? unit_ns * sqrt(fmax(variance, 0)) : 0);
    }
    if (layers->first_arrival)
        put(layers->first_arrival, cell, straight_ns + 1e9 * (double)rw_bits_float(~host->first[cell]));
}

/* What the paths of one receiver come to. */
static void store_receiver(const beams_state *state, double own_dbm, size_t cell, const beam_layers *layers)
{
    const rw_beam_evaluation *evaluation = &state->evaluation;
    const host_sums *host = &state->host;
    double power = (double)host->power[cell];
    put(layers->paths, cell, host->paths[cell]);
    put(layers->power_dbm, cell, -INFINITY);
    if (power == 0) {
        put(layers->path_loss, cell, INFINITY);
        return;
    }
    put(layers->path_loss, cell, -10 * log10(power * evaluation->quantum));
    if (host->antenna_power)
        put(layers->power_dbm, cell, own_dbm + 10 * log10((double)host->antenna_power[cell] * evaluation->quantum));
    store_delays(evaluation, host, cell, layers);
    if (layers->k_factor) {
        double rest = (double)(host->power[cell] - host->strongest[cell]);
        put(layers->k_factor, cell, rest > 0 ? 10 * log10((double)host->strongest[cell] / rest) : INFINITY);
    }
}

static void store(const beams_state *state, const rw_run *run, size_t transmitter)
{
    const rw_receivers_view *view = &state->prediction->receivers.view;
    beam_layers layers = {.path_loss = rw_run_layer(run, LAYER_PATH_LOSS, transmitter),
                          .delay_spread = rw_run_layer(run, LAYER_DELAY_SPREAD, transmitter),
                          .mean_delay = rw_run_layer(run, LAYER_MEAN_DELAY, transmitter),
                          .first_arrival = rw_run_layer(run, LAYER_FIRST_ARRIVAL, transmitter),
                          .k_factor = rw_run_layer(run, LAYER_K_FACTOR, transmitter),
                          .paths = rw_run_layer(run, LAYER_PATHS, transmitter),
                          .power_dbm = state->power_dbm};
    double own_dbm = state->prediction->options->transmitters[transmitter].power_dbm;
    long long count = (long long)view->outdoor_count;
#pragma omp parallel for schedule(static) num_threads(state->prediction->scene->context->threads)
    for (long long i = 0; i < count; i++)
        store_receiver(state, own_dbm, view->outdoor[i], &layers);
}

/* Fills the sums: from kept paths where there are any, by tracing otherwise. */
static rw_status sum_up(rw_beam_tracer *tracer, rw_beam_evaluation *evaluation, rw_kept_paths *kept,
                        const rw_beam_tables *tables)
{
    return kept ? rw_kept_evaluate(kept, evaluation, tracer)
                : rw_beam_trace(tracer, evaluation->source, &tables->losses, rw_beam_evaluate, evaluation);
}

static rw_status find_sums(beams_state *state, size_t transmitter)
{
    const rw_prediction *prediction = state->prediction;
    rw_beam_tables tables;
    rw_kept_paths *kept = state->kept.transmitters ? &state->kept.transmitters[transmitter] : NULL;
    RW_TRY(rw_beam_tables_create(prediction, &state->settings, transmitter, &tables));
    rw_status status = rw_beam_evaluation_begin(&state->evaluation, transmitter, &tables.losses);
    if (status == RW_OK)
        status = sum_up(&state->tracer, &state->evaluation, kept, &tables);
    if (status == RW_OK && state->settings.roofs)
        status =
            rw_beam_evaluate_roofs(&state->evaluation, &state->tracer, rw_prediction_freq_hz(prediction, transmitter));
    if (status == RW_OK)
        status = fetch(state);
    rw_beam_tables_destroy(&tables);
    return status;
}

static rw_status solve_one(beams_state *state, rw_run *run, size_t transmitter)
{
    const rw_receivers_view *view = &state->prediction->receivers.view;
    size_t values = view->columns * view->rows * (size_t)state->settings.bins;
    state->tracer.transmitters_done = (double)transmitter;
    RW_TRY(find_sums(state, transmitter));
    store(state, run, transmitter);
    if (state->histogram)
        RW_TRY(rw_beam_evaluation_read_histogram(&state->evaluation, state->host.paths,
                                                 state->histogram + transmitter * values));
    rw_received_add_power(&run->received, transmitter, state->power_dbm);
    return RW_OK;
}

static rw_status solve(void *state, rw_run *run, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        RW_TRY(solve_one(state, run, i));
    return RW_OK;
}

static rw_status begin(void *state_in, rw_run *run)
{
    beams_state *state = state_in;
    const rw_beam_settings *settings = &state->settings;
    size_t count = state->prediction->options->transmitter_count;
    state->histogram = NULL;
    if (settings->bins)
        RW_TRY(rw_map_add_histogram(run->map, count, (size_t)settings->bins, settings->delay_first_s, settings->bin_s,
                                    &state->histogram));
    return state->prediction->options->reuse ? rw_kept_open(state->prediction, settings, &state->kept) : RW_OK;
}

static rw_status end(void *state_in, rw_run *run, rw_status status)
{
    beams_state *state = state_in;
    (void)run;
    rw_kept_destroy(&state->kept);
    state->kept = (rw_kept){0};
    return status;
}

static void close_model(void *state_in)
{
    beams_state *state = state_in;
    if (state->finding)
        rw_beam_finding_destroy(state->finding);
    rw_beam_evaluation_destroy(&state->evaluation);
    rw_beam_tracer_destroy(&state->tracer);
    free_sums(&state->host);
    free(state->power_dbm);
    free(state);
}

static rw_status open_for_map(beams_state *state)
{
    const rw_prediction *prediction = state->prediction;
    int several = prediction->options->transmitter_count > 1 && !prediction->options->layers;
    int received = several || rw_list_contains(prediction->layers, "power") ||
                   rw_list_contains(prediction->layers, "best") || rw_list_contains(prediction->layers, "ci");
    rw_beam_wants wants = {.sums = 1, .antennas = received};
    rw_beam_settings tracing = state->settings;
    if (prediction->options->reuse)
        tracing.memory_bytes = 1; /* the least: no beam is traced */
    RW_TRY(rw_beam_tracer_create(prediction, &tracing, &state->tracer));
    state->tracer.settings = &state->settings;
    RW_TRY(rw_beam_evaluation_create(prediction, &state->settings, wants, &state->evaluation));
    return take_sums(state, received);
}

static rw_status open_for_paths(beams_state *state)
{
    const rw_prediction *prediction = state->prediction;
    if (prediction->options->reuse)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "reuse is for maps; paths to points are traced: leave it out");
    state->settings.bins = 0;
    RW_TRY(rw_beam_tracer_create(prediction, &state->settings, &state->tracer));
    RW_TRY(rw_beam_evaluation_create(prediction, &state->settings, (rw_beam_wants){0}, &state->evaluation));
    return rw_beam_finding_create(&state->evaluation, &state->finding);
}

static rw_status open_model(const rw_prediction *prediction, rw_use use, void **state_out)
{
    beams_state *state;
    RW_TRY(rw_array_create(prediction->scene->context, 1, sizeof *state, "the beams model", &state));
    state->prediction = prediction;
    rw_status status = rw_beam_settings_take(prediction, &state->settings);
    if (status == RW_OK)
        status = use == RW_USE_MAP ? open_for_map(state) : open_for_paths(state);
    if (status == RW_OK)
        *state_out = state;
    else
        close_model(state);
    return status;
}

static rw_status trace(void *state_in, size_t first, size_t count, rw_paths *paths)
{
    beams_state *state = state_in;
    for (size_t i = first; i < first + count; i++)
        RW_TRY(rw_beam_trace_points(&state->tracer, state->finding, i, paths));
    return RW_OK;
}

/* Sums of 52 bytes a cell on the backend and on the host, the histogram, and beams on their way. */
static rw_status estimate(const rw_prediction *prediction, rw_estimate *estimate)
{
    double bins = prediction->options->delay_bins;
    rw_estimate_add(prediction, estimate, 52 + 4 * bins, 52 + 8 * bins);
    return RW_OK;
}

const rw_model rw_model_beams = {.name = "beams",
                                 .layer_kinds = layer_kinds,
                                 .layers = RW_LAYER_NAMES(LAYERS),
                                 .default_layers = "path_loss,delay_spread,paths",
                                 .options = rw_beam_options,
                                 .open = open_model,
                                 .close = close_model,
                                 .begin = begin,
                                 .end = end,
                                 .solve = solve,
                                 .trace = trace,
                                 .estimate = estimate,
                                 .best_everywhere = 1,
                                 .parameters = rw_beam_parameters,
                                 .parameter_count = RW_BEAM_PARAMETERS,
                                 .parameter_defaults = rw_beam_parameter_defaults,
                                 .term_count = RW_BEAM_TERMS,
                                 .path_terms = rw_beam_path_terms,
                                 .terms_loss_db = rw_beam_terms_loss_db,
                                 .all_paths = 1};
