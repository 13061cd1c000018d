/* The beams model after Schmitz and others (2011): every path by reflections, transmissions and diffractions, with its
 * power and delay, for every receiver. */
#include "models/beams/beams.h"

#include "base/memory.h"
#include "models/beams/kept.h"
#include "models/beams/parameters.h"
#include "models/engine/received.h"

#include <stdlib.h>

/* Values of the layers being filled; NULL: not asked for. */
typedef struct beam_layers {
    float *path_loss, *delay_spread, *mean_delay, *first_arrival, *k_factor, *paths;
    rw_received received;
    float *power_dbm; /* of the transmitter at hand; NULL: not asked for */
    float *histogram; /* of all transmitters; NULL: not asked for */
} beam_layers;

static rw_status add_layers(const rw_prediction *prediction, rw_map *map, beam_layers *layers)
{
    RW_TRY(rw_prediction_add_layer(prediction, map, "path_loss", "dB", &layers->path_loss));
    RW_TRY(rw_prediction_add_layer(prediction, map, "delay_spread", "ns", &layers->delay_spread));
    RW_TRY(rw_prediction_add_layer(prediction, map, "mean_delay", "ns", &layers->mean_delay));
    RW_TRY(rw_prediction_add_layer(prediction, map, "first_arrival", "ns", &layers->first_arrival));
    RW_TRY(rw_prediction_add_layer(prediction, map, "k_factor", "dB", &layers->k_factor));
    RW_TRY(rw_prediction_add_layer(prediction, map, "paths", "paths", &layers->paths));
    RW_TRY(rw_received_create(prediction, map, &layers->received));
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    if (!rw_received_wanted(&layers->received))
        return RW_OK;
    return rw_array_create(prediction->scene->context, cells, sizeof(float), "received power", &layers->power_dbm);
}

/* Sums of one transmitter on the host. */
typedef struct host_sums {
    uint64_t *power, *delay, *delay_square, *antenna_power, *strongest;
    uint32_t *first, *paths;
} host_sums;

static rw_status fetch_one(const rw_beam_evaluation *evaluation, const void *device, size_t element_size, void *host)
{
    rw_context *context = evaluation->prediction->scene->context;
    size_t cells = evaluation->prediction->receivers.view.columns * evaluation->prediction->receivers.view.rows;
    RW_TRY(rw_array_create(context, cells, element_size, "sums over paths", host));
    return rw_device_download(context, evaluation->backend, *(void **)host, device, cells * element_size);
}

/* Only what a layer asks for. */
static rw_status fetch(const rw_beam_evaluation *evaluation, const beam_layers *layers, host_sums *host)
{
    const rw_beam_sums *sums = &evaluation->sums;
    RW_TRY(fetch_one(evaluation, sums->power, sizeof(uint64_t), &host->power));
    RW_TRY(fetch_one(evaluation, sums->paths, sizeof(uint32_t), &host->paths));
    if (layers->delay_spread || layers->mean_delay)
        RW_TRY(fetch_one(evaluation, sums->delay, sizeof(uint64_t), &host->delay));
    if (layers->delay_spread)
        RW_TRY(fetch_one(evaluation, sums->delay_square, sizeof(uint64_t), &host->delay_square));
    if (sums->antenna_power)
        RW_TRY(fetch_one(evaluation, sums->antenna_power, sizeof(uint64_t), &host->antenna_power));
    if (layers->k_factor)
        RW_TRY(fetch_one(evaluation, sums->strongest, sizeof(uint64_t), &host->strongest));
    return layers->first_arrival ? fetch_one(evaluation, sums->first, sizeof(uint32_t), &host->first) : RW_OK;
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

static void put(float *layer, size_t at, double value)
{
    if (layer)
        layer[at] = (float)value;
}

/* Delays and spreads of ITU-R P.1407: power-weighted mean, and the square root of the second central moment; of the
 * delays after the straight line's, which leaves the spread as it is. */
static void store_delays(const rw_beam_evaluation *evaluation, const host_sums *host, size_t cell, size_t at,
                         const beam_layers *layers)
{
    const rw_receivers_view *view = &evaluation->prediction->receivers.view;
    rw_vec3 away = rw_vec3_sub(rw_receiver_point(view, cell), evaluation->source);
    double straight_ns = 1e9 * rw_vec3_length(away) / RW_SPEED_OF_LIGHT_M_S, unit_ns = 1e9 * RW_EXCESS_UNIT_S;
    double power = (double)host->power[cell], mean = host->delay ? (double)host->delay[cell] / power : 0;
    put(layers->mean_delay, at, straight_ns + unit_ns * mean);
    if (layers->delay_spread) {
        double variance = (double)host->delay_square[cell] / power - mean * mean;
        put(layers->delay_spread, at, host->paths[cell] > 1 ? unit_ns * sqrt(fmax(variance, 0)) : 0);
    }
    if (layers->first_arrival)
        put(layers->first_arrival, at, straight_ns + 1e9 * (double)rw_bits_float(~host->first[cell]));
}

/* What the paths of one receiver come to. */
static void store_receiver(const rw_beam_evaluation *evaluation, const host_sums *host, size_t transmitter, size_t cell,
                           const beam_layers *layers)
{
    const rw_prediction *prediction = evaluation->prediction;
    const rw_receivers_view *view = &prediction->receivers.view;
    size_t at = transmitter * view->columns * view->rows + cell;
    double power = (double)host->power[cell];
    put(layers->paths, at, host->paths[cell]);
    put(layers->power_dbm, cell, -INFINITY);
    if (power == 0) {
        put(layers->path_loss, at, INFINITY);
        return;
    }
    put(layers->path_loss, at, -10 * log10(power * evaluation->quantum));
    double own_dbm = prediction->options->transmitters[transmitter].power_dbm;
    if (host->antenna_power)
        put(layers->power_dbm, cell, own_dbm + 10 * log10((double)host->antenna_power[cell] * evaluation->quantum));
    store_delays(evaluation, host, cell, at, layers);
    if (layers->k_factor) {
        double rest = (double)(host->power[cell] - host->strongest[cell]);
        put(layers->k_factor, at, rest > 0 ? 10 * log10((double)host->strongest[cell] / rest) : INFINITY);
    }
}

static void store(const rw_beam_evaluation *evaluation, const host_sums *host, size_t transmitter,
                  const beam_layers *layers)
{
    const rw_receivers_view *view = &evaluation->prediction->receivers.view;
    long long count = (long long)view->outdoor_count;
#pragma omp parallel for schedule(static) num_threads(evaluation->prediction->scene->context->threads)
    for (long long i = 0; i < count; i++)
        store_receiver(evaluation, host, transmitter, view->outdoor[i], layers);
}

/* Fills the sums: from kept paths where there are any, by tracing otherwise. */
static rw_status sum_up(rw_beam_tracer *tracer, rw_beam_evaluation *evaluation, rw_kept_paths *kept,
                        const rw_beam_tables *tables)
{
    return kept ? rw_kept_evaluate(kept, evaluation, tracer)
                : rw_beam_trace(tracer, evaluation->source, &tables->losses, rw_beam_evaluate, evaluation);
}

static rw_status solve_one(const rw_prediction *prediction, const rw_beam_settings *settings, size_t transmitter,
                           rw_kept_paths *kept, rw_beam_tracer *tracer, rw_beam_evaluation *evaluation,
                           beam_layers *layers)
{
    rw_beam_tables tables;
    RW_TRY(rw_beam_tables_create(prediction, settings, transmitter, &tables));
    rw_status status = rw_beam_evaluation_begin(evaluation, transmitter, &tables.losses);
    if (status == RW_OK)
        status = sum_up(tracer, evaluation, kept, &tables);
    if (status == RW_OK && settings->roofs)
        status = rw_beam_evaluate_roofs(evaluation, tracer, rw_prediction_freq_hz(prediction, transmitter));
    host_sums host = {0};
    if (status == RW_OK)
        status = fetch(evaluation, layers, &host);
    const rw_receivers_view *view = &prediction->receivers.view;
    if (status == RW_OK)
        store(evaluation, &host, transmitter, layers);
    if (status == RW_OK && layers->histogram)
        status = rw_beam_evaluation_read_histogram(evaluation, host.paths,
                                                   layers->histogram + transmitter * view->columns * view->rows *
                                                                           (size_t)settings->bins);
    if (status == RW_OK)
        rw_received_add_power(&layers->received, transmitter, layers->power_dbm);
    free_sums(&host);
    rw_beam_tables_destroy(&tables);
    return status;
}

/* kept NULL: paths are traced. */
static rw_status solve_all(const rw_prediction *prediction, const rw_beam_settings *settings, rw_kept *kept,
                           beam_layers *layers)
{
    size_t count = prediction->options->transmitter_count;
    rw_beam_tracer tracer;
    rw_beam_evaluation evaluation;
    rw_beam_wants wants = {.sums = 1, .antennas = rw_received_wanted(&layers->received)};
    RW_TRY(rw_beam_tracer_create(prediction, settings, &tracer));
    rw_status status = rw_beam_evaluation_create(prediction, settings, wants, &evaluation);
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        tracer.share_done = (double)i / (double)count;
        status = solve_one(prediction, settings, i, kept ? &kept->transmitters[i] : NULL, &tracer, &evaluation, layers);
        if (status == RW_OK)
            status = rw_progress(prediction->scene->context, (double)(i + 1) / (double)count, "predicting");
    }
    rw_received_finish(&layers->received);
    rw_beam_evaluation_destroy(&evaluation);
    rw_beam_tracer_destroy(&tracer);
    return status;
}

/* With paths that are kept in a file. */
static rw_status solve_again(const rw_prediction *prediction, const rw_beam_settings *settings, beam_layers *layers)
{
    rw_kept kept;
    rw_beam_settings untraced = *settings;
    RW_TRY(rw_kept_open(prediction, settings, &kept));
    untraced.memory_bytes = 1; /* the least: no beam is traced */
    rw_status status = solve_all(prediction, &untraced, &kept, layers);
    rw_kept_destroy(&kept);
    return status;
}

static rw_status solve(const rw_prediction *prediction, rw_map *map)
{
    beam_layers layers = {0};
    rw_beam_settings settings;
    RW_TRY(rw_beam_settings_take(prediction, &settings));
    rw_status status = add_layers(prediction, map, &layers);
    if (status == RW_OK && settings.bins)
        status = rw_map_add_histogram(map, prediction->options->transmitter_count, (size_t)settings.bins,
                                      settings.delay_first_s, settings.bin_s, &layers.histogram);
    if (status == RW_OK)
        status = prediction->options->reuse ? solve_again(prediction, &settings, &layers)
                                            : solve_all(prediction, &settings, NULL, &layers);
    rw_received_destroy(&layers.received);
    free(layers.power_dbm);
    return status;
}

const rw_model rw_model_beams = {
    .name = "beams",
    .layers = "path_loss,delay_spread,mean_delay,first_arrival,k_factor,paths," RW_RECEIVED_LAYERS,
    .default_layers = "path_loss,delay_spread,paths",
    .solve = solve,
    .trace = rw_beam_trace_points,
    .reuses = 1,
    .parameters = rw_beam_parameters,
    .parameter_count = RW_BEAM_PARAMETERS,
    .parameter_defaults = rw_beam_parameter_defaults,
    .term_count = RW_BEAM_TERMS,
    .path_terms = rw_beam_path_terms,
    .terms_loss_db = rw_beam_terms_loss_db,
    .all_paths = 1};
