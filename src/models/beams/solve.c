/* One transmitter of the beams model: sums over the paths to every receiver, and the layers made of them. */
#include "models/beams/state.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdlib.h>

static rw_status allocate_host_sum(const rw_beams_state *state, int wanted, size_t element_size, void *host)
{
    size_t cells = state->prediction->receivers.view.columns * state->prediction->receivers.view.rows;
    return wanted ? rw_array_create(state->prediction->scene->context, cells, element_size, "sums over paths", host)
                  : RW_OK;
}

/* Only what a layer asks for. */
rw_status rw_beams_allocate_sums(rw_beams_state *state, int received)
{
    const char *layers = state->prediction->layers;
    int spread = rw_list_contains(layers, "delay_spread"), mean = rw_list_contains(layers, "mean_delay");
    rw_beam_host_sums *host = &state->host;
    RW_TRY(allocate_host_sum(state, 1, sizeof(uint64_t), &host->power));
    RW_TRY(allocate_host_sum(state, 1, sizeof(uint32_t), &host->paths));
    RW_TRY(allocate_host_sum(state, spread || mean, sizeof(uint64_t), &host->delay));
    RW_TRY(allocate_host_sum(state, spread, sizeof(uint64_t), &host->delay_square));
    RW_TRY(
        allocate_host_sum(state, state->evaluation.sums.antenna_power != NULL, sizeof(uint64_t), &host->antenna_power));
    RW_TRY(allocate_host_sum(state, rw_list_contains(layers, "k_factor"), sizeof(uint64_t), &host->strongest));
    RW_TRY(allocate_host_sum(state, rw_list_contains(layers, "first_arrival"), sizeof(uint32_t), &host->first));
    return allocate_host_sum(state, received, sizeof(float), &state->power_dbm);
}

static rw_status fetch_sum(const rw_beams_state *state, const void *device, size_t element_size, void *host)
{
    size_t cells = state->prediction->receivers.view.columns * state->prediction->receivers.view.rows;
    return host ? rw_device_download(state->prediction->scene->context, state->evaluation.backend, host, device,
                                     cells * element_size)
                : RW_OK;
}

static rw_status fetch_beam_sums(const rw_beams_state *state)
{
    const rw_beam_sums *sums = &state->evaluation.sums;
    const rw_beam_host_sums *host = &state->host;
    RW_TRY(fetch_sum(state, sums->power, sizeof(uint64_t), host->power));
    RW_TRY(fetch_sum(state, sums->paths, sizeof(uint32_t), host->paths));
    RW_TRY(fetch_sum(state, sums->delay, sizeof(uint64_t), host->delay));
    RW_TRY(fetch_sum(state, sums->delay_square, sizeof(uint64_t), host->delay_square));
    RW_TRY(fetch_sum(state, sums->antenna_power, sizeof(uint64_t), host->antenna_power));
    RW_TRY(fetch_sum(state, sums->strongest, sizeof(uint64_t), host->strongest));
    return fetch_sum(state, sums->first, sizeof(uint32_t), host->first);
}

void rw_beams_free_sums(rw_beam_host_sums *host)
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

static void store_layer_value(float *layer, size_t at, double value)
{
    if (layer)
        layer[at] = (float)value;
}

/* Delays and spreads of ITU-R P.1407: power-weighted mean, and the square root of the second central moment; of the
 * delays after the straight line's, which leaves the spread as it is. */
static void store_delays(const rw_beam_evaluation *evaluation, const rw_beam_host_sums *host, size_t cell,
                         const beam_layers *layers)
{
    const rw_receivers_view *view = &evaluation->prediction->receivers.view;
    rw_vec3 away = rw_vec3_sub(rw_receiver_point(view, cell), evaluation->source);
    double straight_ns = 1e9 * rw_vec3_length(away) / RW_SPEED_OF_LIGHT_M_S, unit_ns = 1e9 * evaluation->excess_s;
    double power = (double)host->power[cell];
    double mean = host->delay ? (double)host->delay[cell] / (power * RW_DELAY_FINER) : 0;
    store_layer_value(layers->mean_delay, cell, straight_ns + unit_ns * mean);
    if (layers->delay_spread) {
        double variance = (double)host->delay_square[cell] / power - mean * mean;
        /* of one path there is none */
        store_layer_value(layers->delay_spread, cell, host->paths[cell] > 1 ? unit_ns * sqrt(fmax(variance, 0)) : NAN);
    }
    if (layers->first_arrival)
        store_layer_value(layers->first_arrival, cell, straight_ns + 1e9 * (double)rw_bits_float(~host->first[cell]));
}

/* Of paths next to which the others vanish: infinity would be no value in rasters, as where there is no path. */
#define K_FACTOR_MAX_DB 100.0

/* What the paths of one receiver come to. */
static void store_beams_receiver(const rw_beams_state *state, double own_dbm, size_t cell, const beam_layers *layers)
{
    const rw_beam_evaluation *evaluation = &state->evaluation;
    const rw_beam_host_sums *host = &state->host;
    double power = (double)host->power[cell];
    store_layer_value(layers->paths, cell, host->paths[cell]);
    store_layer_value(layers->power_dbm, cell, -INFINITY);
    if (power == 0) {
        store_layer_value(layers->path_loss, cell, INFINITY);
        return;
    }
    store_layer_value(layers->path_loss, cell, -10 * log10(power * evaluation->quantum));
    if (host->antenna_power)
        store_layer_value(layers->power_dbm, cell,
                          own_dbm + 10 * log10((double)host->antenna_power[cell] * evaluation->quantum));
    store_delays(evaluation, host, cell, layers);
    if (layers->k_factor) {
        double rest = (double)(host->power[cell] - host->strongest[cell]);
        double k_db = rest > 0 ? 10 * log10((double)host->strongest[cell] / rest) : K_FACTOR_MAX_DB;
        store_layer_value(layers->k_factor, cell, host->paths[cell] > 1 ? fmin(k_db, K_FACTOR_MAX_DB) : NAN);
    }
}

typedef struct storing {
    const rw_beams_state *state;
    const beam_layers *layers;
    double own_dbm;
} storing;

static void store_beams_receivers(void *user, size_t begin, size_t end)
{
    const storing *to = user;
    const uint32_t *outdoor = to->state->prediction->receivers.view.outdoor;
    for (size_t i = begin; i < end; i++)
        store_beams_receiver(to->state, to->own_dbm, outdoor[i], to->layers);
}

static rw_status store_beams_layers(const rw_beams_state *state, const rw_run *run, size_t transmitter)
{
    const rw_receivers_view *view = &state->prediction->receivers.view;
    beam_layers layers = {.path_loss = rw_run_layer(run, LAYER_PATH_LOSS, transmitter),
                          .delay_spread = rw_run_layer(run, LAYER_DELAY_SPREAD, transmitter),
                          .mean_delay = rw_run_layer(run, LAYER_MEAN_DELAY, transmitter),
                          .first_arrival = rw_run_layer(run, LAYER_FIRST_ARRIVAL, transmitter),
                          .k_factor = rw_run_layer(run, LAYER_K_FACTOR, transmitter),
                          .paths = rw_run_layer(run, LAYER_PATHS, transmitter),
                          .power_dbm = state->power_dbm};
    storing to = {state, &layers, state->prediction->options->transmitters[transmitter].power_dbm};
    return rw_parallel(state->prediction->scene->context, view->outdoor_count, 1024, store_beams_receivers, &to);
}

/* Fills the sums: from kept paths where there are any, by tracing otherwise. */
static rw_status sum_beam_paths(rw_beam_tracer *tracer, rw_beam_evaluation *evaluation, rw_stored_paths *stored,
                                const rw_beam_tables *tables)
{
    return stored ? rw_stored_paths_evaluate(stored, evaluation, tracer)
                  : rw_beam_trace(tracer, evaluation->source, &tables->losses, rw_beam_evaluate, evaluation);
}

static rw_status find_sums(rw_beams_state *state, size_t transmitter)
{
    const rw_prediction *prediction = state->prediction;
    rw_beam_tables tables;
    rw_stored_paths *stored = state->stored.transmitters ? &state->stored.transmitters[transmitter] : NULL;
    RW_TRY(rw_beam_tables_create(prediction, &state->settings, transmitter, &tables));
    rw_status status = rw_beam_evaluation_begin(&state->evaluation, transmitter, &tables.losses);
    if (status == RW_OK)
        status = sum_beam_paths(&state->tracer, &state->evaluation, stored, &tables);
    if (status == RW_OK && (state->settings.roofs || state->evaluation.sums.mechanism))
        status = rw_beam_evaluate_roofs(&state->evaluation, &state->tracer, state->settings.roofs,
                                        rw_prediction_freq_hz(prediction, transmitter));
    if (status == RW_OK)
        status = fetch_beam_sums(state);
    rw_beam_tables_destroy(&tables);
    return status;
}

static rw_status solve_beams_transmitter(rw_beams_state *state, rw_run *run, size_t transmitter)
{
    const rw_receivers_view *view = &state->prediction->receivers.view;
    size_t values = view->columns * view->rows * (size_t)state->settings.bins;
    RW_TRY(find_sums(state, transmitter));
    RW_TRY(store_beams_layers(state, run, transmitter));
    RW_TRY(rw_run_fetch(run, LAYER_MECHANISM, transmitter, state->evaluation.backend, state->evaluation.sums.mechanism,
                        0, RW_VALUE_BYTE));
    if (state->histogram)
        RW_TRY(rw_beam_evaluation_read_histogram(&state->evaluation, state->host.paths,
                                                 state->histogram + transmitter * values));
    return rw_received_add_power(&run->received, transmitter, state->power_dbm);
}

rw_status rw_beams_solve(void *state, rw_run *run, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        RW_TRY(solve_beams_transmitter(state, run, i));
    return RW_OK;
}
