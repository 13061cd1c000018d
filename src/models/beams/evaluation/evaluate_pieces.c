/* Sums over paths on the host: memory of the backend, one launch for each batch of pieces. */
#include "base/memory.h"
#include "base/parallel.h"
#include "field/edges/deflection.h"
#include "device/device.h"
#include "models/beams/evaluation/collect_paths.k.h"
#include "models/beams/evaluation/query_receivers.k.h"
#include "models/beams/beams.h"
#include "models/beams/evaluation/gather_histogram.k.h"
#include "models/beams/evaluation/list_receivers.k.h"
#include "models/beams/rooftop_paths.k.h"
#include "models/engine/prediction/prediction.h"

#include <stdlib.h>
#include <string.h>

/* Receivers that are listed before they are asked: 128 MB of a GPU's memory. */
#define LISTED_RECEIVERS_MAX ((uint32_t)1 << 24)

/* Pieces that are prepared for the paper's rasterisers before they are drawn: some 20 MB. */
#define POLYGONS ((size_t)1 << 15)

/* Of an antenna: room for cuts of a value per degree. */
#define ANTENNA_BYTES (sizeof(rw_beam_antenna) + 2160 * sizeof(double))

/* Weakest paths are stored to a ten-thousandth of their power; sums reach 180 dB below free space at a metre, so that
 * the way over the roofs has its loss where that is far beyond loss-max, and four times free space there. */
static double choose_power_quantum(const rw_beam_losses *losses)
{
    return pow(10, -fmax(fmin((double)losses->loss_max_db, 170) + 40, losses->constant_db + 180) / 10);
}

/* The unit of excess delays: as fine as leaves room for thousands of paths. A path that is late by t is at least c t
 * long, so that its power times t^2 has a bound, which the length of the shortest or of the longest path gives. */
static double choose_excess_unit_s(const rw_beam_losses *losses, double quantum)
{
    const double sum_max = 0x1p50, nearest_m = 0.1;
    double max_db = (double)losses->loss_max_db - losses->constant_db;
    double farthest_m = fmin(pow(10, max_db / (10 * losses->exponent)), 1e7), max_sum = 0;
    for (int i = 0; i < 2; i++) {
        double length_m = i ? fmax(farthest_m, nearest_m) : nearest_m;
        double gain = exp(-RW_NEPER_PER_DB * rw_length_loss_db(losses, length_m));
        max_sum = fmax(max_sum, gain / quantum * pow(length_m / RW_SPEED_OF_LIGHT_M_S, 2));
    }
    return sqrt(max_sum / sum_max);
}

static size_t count_evaluation_cells(const rw_beam_evaluation *evaluation)
{
    return evaluation->prediction->receivers.view.columns * evaluation->prediction->receivers.view.rows;
}

static rw_status allocate_evaluation(rw_beam_evaluation *evaluation, rw_beam_wants wants)
{
    rw_context *context = evaluation->prediction->scene->context;
    rw_backend backend = evaluation->backend;
    rw_beam_sums *sums = &evaluation->sums;
    size_t cells = count_evaluation_cells(evaluation), long_bytes = cells * sizeof(uint64_t),
           bytes = cells * sizeof(uint32_t);
    RW_TRY(rw_receivers_upload(context, backend, &evaluation->prediction->receivers, &evaluation->receivers));
    if (evaluation->settings->raster != RW_BEAM_SPANS)
        RW_TRY(rw_device_alloc(context, backend, POLYGONS * sizeof *evaluation->polygons, "pieces as polygons",
                               &evaluation->polygons));
    if (!wants.sums)
        return RW_OK;
    RW_TRY(rw_medium_upload(evaluation->prediction, RW_USE_MAP, &evaluation->device_medium));
    RW_TRY(rw_device_alloc(context, backend, long_bytes, "sums of power", &sums->power));
    RW_TRY(rw_device_alloc(context, backend, long_bytes, "sums of delay", &sums->delay));
    RW_TRY(rw_device_alloc(context, backend, long_bytes, "sums of delay", &sums->delay_square));
    RW_TRY(rw_device_alloc(context, backend, long_bytes, "strongest paths", &sums->strongest));
    RW_TRY(rw_device_alloc(context, backend, bytes, "first arrivals", &sums->first));
    RW_TRY(rw_device_alloc(context, backend, bytes, "counts of paths", &sums->paths));
    if (wants.mechanisms)
        RW_TRY(rw_device_alloc(context, backend, cells, "mechanisms", &sums->mechanism));
    if (wants.antennas) {
        RW_TRY(rw_device_alloc(context, backend, long_bytes, "sums of power", &sums->antenna_power));
        evaluation->antenna_bytes = evaluation->receiver_antenna_bytes = ANTENNA_BYTES;
        RW_TRY(rw_device_alloc(context, backend, ANTENNA_BYTES, "an antenna", &evaluation->antenna));
        if (evaluation->prediction->receiver_antenna)
            RW_TRY(rw_device_alloc(context, backend, ANTENNA_BYTES, "an antenna", &evaluation->receiver_antenna));
    }
    if (evaluation->settings->raster == RW_BEAM_SPANS && backend == RW_BACKEND_CUDA) {
        size_t each = sizeof *evaluation->listed_receivers;
        evaluation->listed_capacity =
            (uint32_t)(rw_device_buffer_bytes(backend, (double)(LISTED_RECEIVERS_MAX * each), 0.25) / (double)each);
        RW_TRY(rw_device_alloc(context, backend, evaluation->listed_capacity * each, "receivers to be asked",
                               &evaluation->listed_receivers));
        RW_TRY(rw_device_alloc(context, backend, sizeof(uint32_t), "counts", &evaluation->listed_count));
    }
    if (evaluation->settings->bins)
        RW_TRY(rw_device_alloc(context, backend, long_bytes * (size_t)evaluation->settings->bins,
                               "the histogram of delays", &sums->histogram));
    return RW_OK;
}

rw_status rw_beam_evaluation_create(const rw_prediction *prediction, const rw_beam_settings *settings,
                                    rw_beam_wants wants, rw_beam_evaluation *evaluation)
{
    *evaluation = (rw_beam_evaluation){.prediction = prediction,
                                       .settings = settings,
                                       .backend = prediction->scene->context->backend,
                                       .fresh = prediction->scene->context->backend == RW_BACKEND_CPU};
    rw_status status = allocate_evaluation(evaluation, wants);
    if (status != RW_OK)
        rw_beam_evaluation_destroy(evaluation);
    return status;
}

void rw_beam_evaluation_destroy(rw_beam_evaluation *evaluation)
{
    rw_receivers_release(evaluation->backend, &evaluation->receivers);
    rw_beam_sums *sums = &evaluation->sums;
    void *arrays[] = {sums->power,
                      sums->delay,
                      sums->delay_square,
                      sums->antenna_power,
                      sums->strongest,
                      sums->first,
                      sums->paths,
                      sums->histogram,
                      sums->mechanism,
                      evaluation->antenna,
                      evaluation->listed_receivers,
                      evaluation->listed_count,
                      evaluation->polygons,
                      evaluation->receiver_antenna};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(evaluation->backend, arrays[i]);
    rw_medium_release(&evaluation->device_medium);
    *evaluation = (rw_beam_evaluation){0};
}

/* A cut behind what is in a buffer, whose copy on the backend begins at there. */
static rw_antenna_cut append_cut(const rw_antenna_cut *cut, char *buffer, char *there, size_t *used)
{
    const double *from[] = {cut->angle_deg, cut->loss_db, cut->slope_db_per_deg};
    rw_antenna_cut moved = {.count = cut->count};
    double **to[] = {&moved.angle_deg, &moved.loss_db, &moved.slope_db_per_deg};
    for (int i = 0; i < 3; i++, *used += cut->count * sizeof(double)) {
        *to[i] = (double *)(void *)(there + *used);
        if (cut->count)
            memcpy(buffer + *used, from[i], cut->count * sizeof(double));
    }
    return moved;
}

static rw_status upload_antenna(const rw_beam_evaluation *evaluation, const rw_antenna *antenna,
                                const rw_transmitter *about, rw_beam_antenna **there, size_t *capacity)
{
    rw_context *context = evaluation->prediction->scene->context;
    rw_beam_antenna placed = {rw_antenna_shape_of(antenna),
                              rw_mounting_of(about->azimuth_deg, about->downtilt_deg, about->roll_deg)};
    size_t used = sizeof placed,
           bytes = used + 3 * sizeof(double) * (placed.shape.horizontal.count + placed.shape.vertical.count);
    char *buffer;
    if (bytes > *capacity) {
        rw_device_free(evaluation->backend, *there);
        *there = NULL;
        *capacity = 0;
        RW_TRY(rw_device_alloc(context, evaluation->backend, bytes, "an antenna", there));
        *capacity = bytes;
    }
    RW_TRY(rw_array_create(context, bytes, 1, "an antenna", &buffer));
    placed.shape.horizontal = append_cut(&placed.shape.horizontal, buffer, (char *)*there, &used);
    placed.shape.vertical = append_cut(&placed.shape.vertical, buffer, (char *)*there, &used);
    memcpy(buffer, &placed, sizeof placed);
    rw_status status = rw_device_upload(context, evaluation->backend, *there, buffer, bytes);
    free(buffer);
    return status;
}

static rw_status upload_antennas(rw_beam_evaluation *evaluation, size_t transmitter)
{
    const rw_prediction *prediction = evaluation->prediction;
    rw_transmitter receiver = rw_receiver_orientation(prediction->options);
    RW_TRY(upload_antenna(evaluation, prediction->antennas[transmitter],
                          &prediction->options->transmitters[transmitter], &evaluation->antenna,
                          &evaluation->antenna_bytes));
    return evaluation->receiver_antenna
               ? upload_antenna(evaluation, prediction->receiver_antenna, &receiver, &evaluation->receiver_antenna,
                                &evaluation->receiver_antenna_bytes)
               : RW_OK;
}

/* A receiver straight below or above the source lies in no direction from it: the source stands aside by less than a
 * path length is printed to, wherever receivers are, so that points and cells have the same rays. */
rw_vec3 rw_beam_source(const rw_prediction *prediction, size_t transmitter)
{
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 source = prediction->sources[transmitter];
    source = rw_vec3_of(source.x - centre.x + 1e-7, source.y - centre.y + 1e-8, source.z);
    if (prediction->options->dimensions == 2)
        source.z = rw_receiver_point(&prediction->receivers.view, 0).z;
    return source;
}

rw_status rw_beam_evaluation_begin(rw_beam_evaluation *evaluation, size_t transmitter, const rw_beam_losses *losses)
{
    rw_context *context = evaluation->prediction->scene->context;
    rw_backend backend = evaluation->backend;
    rw_beam_sums *sums = &evaluation->sums;
    size_t cells = count_evaluation_cells(evaluation), long_bytes = cells * sizeof(uint64_t),
           bytes = cells * sizeof(uint32_t);
    evaluation->source = rw_beam_source(evaluation->prediction, transmitter);
    evaluation->ground_m =
        evaluation->settings->ground
            ? (float)(RW_SPEED_OF_LIGHT_M_S / rw_prediction_freq_hz(evaluation->prediction, transmitter))
            : 0.0f;
    evaluation->medium = rw_medium_of(&evaluation->device_medium, transmitter, 0);
    evaluation->losses = losses;
    evaluation->quantum = choose_power_quantum(losses);
    evaluation->excess_s = choose_excess_unit_s(losses, evaluation->quantum);
    uint64_t *longs[] = {sums->power, sums->delay, sums->delay_square, sums->strongest, sums->antenna_power};
    uint32_t *shorts[] = {sums->first, sums->paths};
    /* Memory of the CPU comes as zeros, and pages that are never written need not even be taken from the system. */
    for (int i = 0; i < 5 && !evaluation->fresh; i++)
        if (longs[i])
            RW_TRY(rw_device_clear(context, backend, longs[i], long_bytes));
    for (int i = 0; i < 2 && !evaluation->fresh; i++)
        if (shorts[i])
            RW_TRY(rw_device_clear(context, backend, shorts[i], bytes));
    if (sums->histogram && !evaluation->fresh)
        RW_TRY(rw_device_clear(context, backend, sums->histogram, long_bytes * (size_t)evaluation->settings->bins));
    evaluation->fresh = 0;
    return evaluation->antenna ? upload_antennas(evaluation, transmitter) : RW_OK;
}

struct rw_evaluate_beams_args rw_beam_evaluation_args(const rw_beam_evaluation *evaluation,
                                                      const rw_beam_tracer *tracer)
{
    struct rw_evaluate_beams_args args = {.beams = tracer->beams,
                                          .pieces = tracer->pieces,
                                          .grid = tracer->grid,
                                          .walls = tracer->walls,
                                          .losses = *evaluation->losses,
                                          .edges = evaluation->losses->theory ? tracer->edges : (rw_edge_grid_view){0},
                                          .receivers = evaluation->receivers.view,
                                          .source = evaluation->source,
                                          .ground_m = evaluation->ground_m,
                                          .roofs = evaluation->settings->roofs == RW_ROOFS_VOGLER,
                                          .facade_db = RW_FACADE_DB,
                                          .quantum = evaluation->quantum,
                                          .excess_s = evaluation->excess_s,
                                          .min_gain = exp(-RW_NEPER_PER_DB * (double)evaluation->losses->loss_max_db),
                                          .sums = evaluation->sums,
                                          .bins = evaluation->settings->bins,
                                          .bin_s = evaluation->settings->bin_s,
                                          .delay_first_s = evaluation->settings->delay_first_s,
                                          .antenna = evaluation->antenna,
                                          .receiver_antenna = evaluation->receiver_antenna,
                                          .medium = evaluation->medium,
                                          .verify = evaluation->settings->verify};
    rw_grid_widen(&args.grid, &args.receivers, args.source);
    return args;
}

/* Lists the receivers of pieces first to first + *count that are to be asked, of fewer pieces where there is no room
 * for all; then asks them. */
static rw_status evaluate_some(const rw_beam_evaluation *evaluation, const struct rw_evaluate_beams_args *args,
                               size_t first, size_t *count)
{
    rw_context *context = evaluation->prediction->scene->context;
    rw_backend backend = evaluation->backend;
    struct rw_query_receivers_args testing = {.all = *args, .listed_receivers = evaluation->listed_receivers};
    struct rw_list_receivers_args listing = {.all = *args};
    uint32_t listed;
    listing.all.first_piece = first;
    listing.all.finds = evaluation->listed_receivers;
    listing.all.find_count = evaluation->listed_count;
    listing.all.find_capacity = evaluation->listed_capacity;
    for (;;) {
        RW_TRY(rw_device_clear(context, backend, evaluation->listed_count, sizeof listed));
        RW_TRY(
            rw_device_launch(context, backend, RW_KERNEL_list_receivers, &listing, *count * rw_device_lanes(backend)));
        RW_TRY(rw_device_download(context, backend, &listed, evaluation->listed_count, sizeof listed));
        if (listed <= evaluation->listed_capacity)
            return rw_device_launch(context, backend, RW_KERNEL_query_receivers, &testing, listed);
        if (*count == 1)
            return rw_fail(context, RW_TOO_LARGE, "one beam reaches more than %u receivers; give a smaller area",
                           evaluation->listed_capacity);
        size_t fewer = (size_t)(0.9 * (double)*count * evaluation->listed_capacity / listed);
        *count = fewer ? fewer : 1;
    }
}

rw_status rw_beam_rasterise(const rw_beam_evaluation *evaluation, const struct rw_evaluate_beams_args *args,
                            size_t count)
{
    rw_context *context = evaluation->prediction->scene->context;
    rw_backend backend = evaluation->backend;
    const rw_beam_settings *settings = evaluation->settings;
    size_t lanes = rw_device_lanes(backend);
    if (!evaluation->polygons)
        return rw_device_launch(context, backend, RW_KERNEL_evaluate_beams, args, count * lanes);
    struct rw_raster_pieces_args raster = {.all = *args,
                                           .method = settings->raster == RW_BEAM_SCANLINES ? RW_RASTER_SCANLINE
                                                                                           : RW_RASTER_HALF_SPACE,
                                           .tiling = settings->tiling,
                                           .polygons = evaluation->polygons};
    size_t blocks = (size_t)settings->tiling.grid_columns * (size_t)settings->tiling.grid_rows;
    for (size_t at = 0; at < count; at += POLYGONS) {
        size_t some = count - at < POLYGONS ? count - at : POLYGONS;
        raster.all.first_piece = args->first_piece + at;
        struct rw_prepare_pieces_args prepare = {raster};
        RW_TRY(rw_device_launch(context, backend, RW_KERNEL_prepare_pieces, &prepare, some));
        RW_TRY(rw_device_launch(context, backend, RW_KERNEL_raster_pieces, &raster, some * blocks * lanes));
    }
    return RW_OK;
}

rw_status rw_beam_evaluate(void *user, const rw_beam_tracer *tracer, size_t beam_count, size_t piece_count)
{
    rw_beam_evaluation *evaluation = user;
    struct rw_evaluate_beams_args args = rw_beam_evaluation_args(evaluation, tracer);
    (void)beam_count;
    if (args.receivers.points) {
        struct rw_collect_paths_args at_points = {.all = args};
        return rw_device_launch(evaluation->prediction->scene->context, evaluation->backend, RW_KERNEL_collect_paths,
                                &at_points, piece_count);
    }
    if (!evaluation->listed_receivers)
        return rw_beam_rasterise(evaluation, &args, piece_count);
    for (size_t at = 0, batch = piece_count, count; at < piece_count; at += count) {
        count = piece_count - at < batch ? piece_count - at : batch;
        RW_TRY(evaluate_some(evaluation, &args, at, &count));
        batch = count;
    }
    return RW_OK;
}

/* Histograms of some receivers on their way to those of all. */
typedef struct histogram_rows {
    const uint32_t *list; /* receivers, in the order of the rows */
    size_t bins;
    float *values; /* of all */
    rw_context *context;
} histogram_rows;

/* A part of the rows, with the receivers that they are of. */
typedef struct histogram_chunk {
    const histogram_rows *rows;
    const uint32_t *list;
    const char *chunk;
} histogram_chunk;

static void copy_rows(void *user, size_t begin, size_t end)
{
    const histogram_chunk *from = user;
    size_t bins = from->rows->bins, row_bytes = bins * sizeof(float);
    for (size_t i = begin; i < end; i++)
        memcpy(from->rows->values + from->list[i] * bins, from->chunk + i * row_bytes, row_bytes);
}

static void store_histogram_rows(void *user, const void *chunk, size_t offset, size_t bytes)
{
    const histogram_rows *rows = user;
    size_t row_bytes = rows->bins * sizeof(float);
    histogram_chunk from = {rows, rows->list + offset / row_bytes, chunk};
    rw_parallel_whole(rows->context, bytes / row_bytes, 1024, copy_rows, &from);
}

/* Bins of the receivers listed, as gains, to those of all on the host. */
static rw_status gather_histogram_rows(const rw_beam_evaluation *evaluation, uint32_t *list, size_t count,
                                       float *values)
{
    rw_context *context = evaluation->prediction->scene->context;
    rw_backend backend = evaluation->backend;
    size_t bins = (size_t)evaluation->settings->bins, bytes = count * bins * sizeof *values;
    struct rw_gather_histogram_args args = {
        .histogram = evaluation->sums.histogram, .bins = (int)bins, .quantum = evaluation->quantum};
    histogram_rows rows = {list, bins, values, context};
    rw_kernel_array column = {&args.receivers, list, count * sizeof *list, 0, NULL};
    rw_status status = rw_kernel_arrays_upload(context, backend, &column, 1);
    if (status == RW_OK)
        status = rw_device_alloc(context, backend, bytes, "histograms", &args.gains);
    if (status == RW_OK)
        status = rw_device_launch(context, backend, RW_KERNEL_gather_histogram, &args, count * bins);
    if (status == RW_OK)
        status =
            rw_device_read(context, backend, args.gains, bytes, bins * sizeof *values, store_histogram_rows, &rows);
    if (args.gains)
        rw_device_free(backend, args.gains);
    rw_kernel_arrays_release(backend, &column, 1);
    return status;
}

rw_status rw_beam_evaluation_read_histogram(const rw_beam_evaluation *evaluation, const uint32_t *paths, float *values)
{
    rw_context *context = evaluation->prediction->scene->context;
    const rw_receivers_view *view = &evaluation->prediction->receivers.view;
    size_t count = 0;
    uint32_t *list = NULL;
    RW_TRY(rw_array_create(context, view->outdoor_count, sizeof *list, "receivers", &list));
    for (size_t i = 0; i < view->outdoor_count; i++)
        if (paths[view->outdoor[i]])
            list[count++] = view->outdoor[i];
    rw_status status = count ? gather_histogram_rows(evaluation, list, count, values) : RW_OK;
    free(list);
    return status;
}

rw_status rw_beam_evaluate_roofs(rw_beam_evaluation *evaluation, const rw_beam_tracer *tracer, rw_roof_choice roofs,
                                 double freq_hz)
{
    rw_context *context = evaluation->prediction->scene->context;
    struct rw_roof_paths_args args = {.all = rw_beam_evaluation_args(evaluation, tracer),
                                      .polynomial = roofs == RW_ROOFS_POLYNOMIAL,
                                      .vogler = roofs == RW_ROOFS_VOGLER,
                                      .mechanism = evaluation->sums.mechanism};
    rw_deflection_setting setting = rw_deflection_setting_default(RW_DEFLECTION_ROOF, freq_hz);
    args.source = (rw_roof_source){evaluation->source, (float)(RW_SPEED_OF_LIGHT_M_S / freq_hz), RW_FACADE_DB};
    if (args.polynomial)
        RW_TRY(rw_deflection_fit(context, RW_DEFLECTION_ROOF, &setting, &args.roof, NULL));
    return rw_device_launch(context, evaluation->backend, RW_KERNEL_roof_paths, &args,
                            args.all.receivers.outdoor_count);
}
