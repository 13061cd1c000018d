#include "models/engine/run/run.h"

#include "base/parallel.h"
#include "base/progress.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "models/engine/run/store_layer.k.h"
#include "mechanisms/prior/prior.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* What the options bring where no layers are chosen. */
static int comes_along(const rw_predict_options *options, const char *name)
{
    int sigma = options->sigma != NULL;
    int of_several = strcmp(name, "best") == 0 || strcmp(name, "ci") == 0;
    return (options->transmitter_count > 1 && of_several) || (options->indoor && strcmp(name, "indoor") == 0) ||
           (sigma && strcmp(name, "sigma") == 0) ||
           (sigma && !isnan(options->level_dbm) && strcmp(name, "coverage_probability") == 0);
}

int rw_layer_is_wanted(const rw_prediction *prediction, const char *name)
{
    return rw_list_contains(prediction->layers, name) ||
           (!prediction->options->layers && comes_along(prediction->options, name));
}

/* Whether every cell of a layer is written, so that it need not be cleared. */
static int writes_every_cell(const rw_prediction *prediction, const char *name)
{
    return prediction->model->writes_all_cells && prediction->receivers.view.outdoor_count &&
           !rw_layer_is_received(name) && strcmp(name, "indoor") != 0 && strcmp(name, "benefit") != 0;
}

rw_status rw_run_add_layers(rw_run *run, const void *state)
{
    const rw_prediction *prediction = run->prediction;
    const rw_layer_kind *kinds = prediction->model->layer_kinds;
    size_t transmitters = prediction->options->transmitter_count;
    for (size_t i = 0; kinds[i].name; i++) {
        if (!rw_layer_is_wanted(prediction, kinds[i].name))
            continue;
        run->bands[i] = kinds[i].bands && state ? kinds[i].bands(state) : 1;
        size_t bands = rw_layer_is_combined(kinds[i].name) ? 1 : run->bands[i] * transmitters;
        RW_TRY((writes_every_cell(prediction, kinds[i].name) ? rw_map_add_layer_unset : rw_map_add_layer)(
            run->map, kinds[i].name, kinds[i].unit, bands, &run->layers[i]));
        rw_layer_data *layer = &run->map->layers[run->map->info.layers - 1];
        if (kinds[i].bands && state && prediction->model->band_levels) {
            layer->levels = run->bands[i];
            prediction->model->band_levels(state, &layer->first_level_m, &layer->level_step_m);
        }
        rw_received_set_layer(&run->received, kinds[i].name, run->layers[i]);
    }
    return RW_OK;
}

static size_t count_run_cells(const rw_run *run)
{
    return run->prediction->receivers.view.columns * run->prediction->receivers.view.rows;
}

static void fill_nan_values(void *user, size_t begin, size_t end)
{
    float *values = user;
    for (size_t i = begin; i < end; i++)
        values[i] = NAN;
}

rw_status rw_run_set_layer(rw_run *run, int layer, float *values)
{
    const rw_prediction *prediction = run->prediction;
    const char *name = prediction->model->layer_kinds[layer].name;
    run->layers[layer] = values;
    run->bands[layer] = 1;
    rw_received_set_layer(&run->received, name, values);
    if (writes_every_cell(prediction, name))
        return RW_OK;
    return rw_parallel(prediction->scene->context, prediction->options->transmitter_count * count_run_cells(run),
                       (size_t)1 << 18, fill_nan_values, values);
}

float *rw_run_layer(const rw_run *run, int layer, size_t transmitter)
{
    return run->layers[layer] ? run->layers[layer] + transmitter * run->bands[layer] * count_run_cells(run) : NULL;
}

float *rw_run_layer_named(const rw_run *run, const char *name, size_t transmitter)
{
    const rw_layer_kind *kinds = run->prediction->model->layer_kinds;
    for (int i = 0; kinds[i].name; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return rw_run_layer(run, i, transmitter);
    return NULL;
}

/* Path loss as EIRP or ERP over the received power, of models whose losses have the antenna in them: they count from
 * its input, to which its peak gain is added. ERP is by the gain over a half-wave dipole. */
static void refer_losses(const rw_run *run, size_t transmitter, float *loss_db)
{
    const double dipole_dbi = 2.15; /* as ITU-R V.573 has it */
    const char *reference = run->prediction->options->reference;
    if (!reference)
        return;
    float more_db = (float)(run->prediction->antennas[transmitter]->peak_gain_dbi -
                            (strcmp(reference, "erp") == 0 ? dipole_dbi : 0));
    for (size_t i = 0; i < count_run_cells(run); i++)
        loss_db[i] += more_db;
}

/* What a step has changed, for link budgets. compositions NULL: none is recorded. */
#define RECORD_RULE SIZE_MAX /* the step has recorded itself */
static void record_step(const rw_run *run, rw_composition *compositions, const float *loss_db, size_t member)
{
    for (size_t i = 0; compositions && i < count_run_cells(run); i++) {
        rw_composition *composition = &compositions[i];
        if (member != RECORD_RULE)
            *(double *)(void *)((char *)composition + member) = (double)loss_db[i] - composition->loss_db;
        composition->loss_db = (double)loss_db[i];
    }
}

/* Below this fraction of the cells nothing is reported. */
#define RW_CUT_REPORTED 0.05

/* Of floor plans, once in a map: where the limit of the search cut off stronger paths than those found. */
static rw_status report_cut_paths(rw_run *run, rw_prior_losses losses, const float *loss_db)
{
    const rw_prediction *prediction = run->prediction;
    const rw_transmitter *from = &prediction->options->transmitters[losses.transmitter];
    double cut;
    if (run->cut_reported || !rw_model_option_find(prediction->model, "depth"))
        return RW_OK;
    RW_TRY(rw_prior_find_cut(prediction, losses, loss_db, &cut));
    if (!(cut >= RW_CUT_REPORTED))
        return RW_OK;
    run->cut_reported = 1;
    rw_warn(
        prediction->scene->context,
        "at %.0f %% of the receivers less arrives on the paths found from %s than leaks through a building by stairs, "
        "shafts and facades (ITU-R P.1238 and 20 dB): the limit of interactions (--depth) cut off stronger paths; %s",
        100 * cut, from->name ? from->name : "the transmitter",
        run->prior ? "the map contains what leaks" : "--prior 3gpp adds what leaks");
    return RW_OK;
}

static rw_status finish_path_loss(rw_run *run, size_t transmitter, float *loss_db)
{
    rw_prior_losses losses = {transmitter, 1, run->prediction->model->antenna_in_loss};
    RW_TRY(report_cut_paths(run, losses, loss_db));
    rw_composition *compositions = run->prediction->compositions;
    if (compositions)
        compositions += transmitter * count_run_cells(run);
    if (compositions)
        rw_compositions_begin(run->prediction, transmitter, loss_db, compositions);
    RW_TRY(run->prior ? rw_prior_add(run->prediction, run->prior, losses, loss_db) : RW_OK);
    record_step(run, compositions, loss_db, RECORD_RULE);
    RW_TRY(rw_air_add(run->prediction, transmitter, 1, loss_db));
    record_step(run, compositions, loss_db, offsetof(rw_composition, air_db));
    rw_prediction_correct(run->prediction, transmitter, 1, loss_db);
    record_step(run, compositions, loss_db, offsetof(rw_composition, measured_db));
    if (run->indoor.prediction)
        RW_TRY(rw_indoor_predict(&run->indoor, transmitter, 1, loss_db, rw_run_layer_named(run, "indoor", transmitter),
                                 compositions));
    record_step(run, compositions, loss_db, offsetof(rw_composition, entry_db));
    refer_losses(run, transmitter, loss_db);
    record_step(run, compositions, loss_db, offsetof(rw_composition, reference_db));
    return RW_OK;
}

/* Receivers too near to the transmitter have no value in any of its layers. */
static void exclude_near(const rw_run *run, size_t transmitter)
{
    const rw_layer_kind *kinds = run->prediction->model->layer_kinds;
    rw_near_field near = rw_near_field_of(run->prediction, transmitter);
    for (size_t cell = 0; near.limit_m > 0 && cell < count_run_cells(run); cell++) {
        if (!rw_near_field_holds(&near, cell))
            continue;
        for (int i = 0; kinds[i].name; i++) {
            float *values = rw_layer_is_combined(kinds[i].name) ? NULL : rw_run_layer(run, i, transmitter);
            for (size_t band = 0; values && band < run->bands[i]; band++)
                values[band * count_run_cells(run) + cell] = NAN;
        }
    }
}

/* Nothing arrives by any mechanism where there is no path. */
static void clear_unreached(const rw_run *run, size_t transmitter, const float *loss_db)
{
    float *mechanism = rw_run_layer_named(run, "mechanism", transmitter);
    for (size_t i = 0; mechanism && i < count_run_cells(run); i++)
        if (isinf(loss_db[i]))
            mechanism[i] = NAN;
}

rw_status rw_run_finish_losses(rw_run *run, size_t transmitter)
{
    float *loss_db = rw_run_layer_named(run, "path_loss", transmitter);
    if (run->device_indoor) /* where nothing is to be added */
        return RW_OK;
    RW_TRY(loss_db ? finish_path_loss(run, transmitter, loss_db) : RW_OK);
    rw_run_finish_sigma(run, transmitter);
    if (loss_db)
        clear_unreached(run, transmitter, loss_db);
    exclude_near(run, transmitter);
    return RW_OK;
}

rw_status rw_run_open(rw_run *run, rw_received_memory *memory)
{
    run->prior = rw_prior_by_engine(run->prediction);
    run->map->info.prior = rw_prior_name(run->prediction->scene, run->prior);
    run->received = (rw_received){.prediction = run->prediction, .memory = memory, .prior = run->prior};
    if (run->prediction->options->indoor || rw_list_contains(run->prediction->layers, "indoor"))
        RW_TRY(rw_indoor_create(run->prediction, &run->indoor));
    run->received.indoor = run->indoor.prediction ? &run->indoor : NULL;
    return rw_run_solve_facades(run);
}

/* All transmitters, a batch at a time. */
static rw_status solve_batches(rw_run *run, void *state)
{
    const rw_model *model = run->prediction->model;
    size_t count = run->prediction->options->transmitter_count, batch = model->batch ? model->batch(state) : 1;
    for (size_t first = 0; first < count; first += batch) {
        size_t now = count - first < batch ? count - first : batch;
        rw_progress_range outer_range =
            rw_progress_narrow(rw_prediction_done_fraction(run->prediction, (double)first),
                               rw_prediction_done_fraction(run->prediction, (double)(first + now)));
        rw_status status = rw_run_find_corrections(run, first, now);
        if (status == RW_OK)
            status = model->solve(state, run, first, now);
        rw_progress_range_set(outer_range);
        RW_TRY(status);
        for (size_t i = first; i < first + now; i++)
            RW_TRY(rw_run_finish_losses(run, i));
        RW_TRY(rw_progress_within(run->prediction->scene->context,
                                  rw_prediction_done_fraction(run->prediction, (double)(first + now)), "predicting"));
    }
    return rw_received_finish(&run->received);
}

/* Receivers inside buildings without any outside. */
static rw_status solve_inside_alone(rw_run *run)
{
    for (size_t i = 0; i < run->prediction->options->transmitter_count; i++) {
        RW_TRY(rw_received_add_inside(&run->received, i));
        RW_TRY(rw_run_finish_losses(run, i));
    }
    return rw_received_finish(&run->received);
}

rw_status rw_run_solve(rw_run *run, void *state)
{
    const rw_model *model = run->prediction->model;
    if (!state)
        return solve_inside_alone(run);
    rw_status status = model->begin ? model->begin(state, run) : RW_OK;
    if (status == RW_OK)
        status = solve_batches(run, state);
    rw_corrections_free(run->prediction);
    return model->end ? model->end(state, run, status) : status;
}

/* Values of one layer on their way from a backend. */
typedef struct layer_reader {
    float *to;
    const uint8_t *indoor;
    rw_value_type type;
    rw_context *context;
} layer_reader;

/* One loop for each type, in the order of the cells: memory is read and written once. */
#define STORE(type)                                                                                                    \
    for (long long i = 0; i < count; i++)                                                                              \
    to[i] = indoor[i] ? NAN : (float)((const type *)from)[i]

static void store_layer_values(const layer_reader *reader, size_t first, const void *from, long long count)
{
    float *to = reader->to + first;
    const uint8_t *indoor = reader->indoor + first;
    if (reader->type == RW_VALUE_BYTE)
        STORE(uint8_t);
    else if (reader->type == RW_VALUE_COUNT)
        STORE(uint32_t);
    else
        STORE(float);
}

static const size_t value_bytes[] = {sizeof(uint8_t), sizeof(uint32_t), sizeof(float)};

/* A part of the values, shared by threads where it is worth waking them. */
typedef struct value_chunk {
    const layer_reader *reader;
    const char *values;
    size_t first;
} value_chunk;

static void store_slice(void *user, size_t begin, size_t end)
{
    const value_chunk *chunk = user;
    store_layer_values(chunk->reader, chunk->first + begin, chunk->values + begin * value_bytes[chunk->reader->type],
                       (long long)(end - begin));
}

static void store_value_chunk(void *user, const void *chunk, size_t offset, size_t bytes)
{
    const layer_reader *reader = user;
    size_t size = value_bytes[reader->type];
    value_chunk values = {reader, chunk, offset / size};
    rw_parallel_whole(reader->context, bytes / size, (size_t)1 << 16, store_slice, &values);
}

rw_status rw_run_fetch(const rw_run *run, int layer, size_t transmitter, rw_backend backend, const void *values,
                       size_t in_batch, rw_value_type type)
{
    rw_context *context = run->map->context;
    layer_reader reader = {rw_run_layer(run, layer, transmitter), run->prediction->receivers.view.indoor, type,
                           context};
    size_t size = value_bytes[type];
    if (!reader.to)
        return RW_OK;
    size_t bytes = count_run_cells(run) * size;
    if (run->device_indoor) {
        struct rw_store_layer_args args = {(const char *)values + in_batch * bytes, (int)type, run->device_indoor,
                                           reader.to};
        return rw_device_launch(context, backend, RW_KERNEL_store_layer, &args, count_run_cells(run));
    }
    return rw_device_read(context, backend, (const char *)values + in_batch * bytes, bytes, size, store_value_chunk,
                          &reader);
}

rw_near_field rw_near_field_of(const rw_prediction *prediction, size_t transmitter)
{
    const rw_predict_options *options = prediction->options;
    double antenna_m = rw_option_or(options->antenna_size_m, 0);
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / rw_prediction_freq_hz(prediction, transmitter);
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter];
    return (rw_near_field){
        .receivers = &prediction->receivers.view,
        .source = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z),
        .limit_m = fmax(rw_option_or(options->exclude_within_m, 0), 2 * antenna_m * antenna_m / wavelength_m)};
}

int rw_near_field_holds(const rw_near_field *field, size_t cell)
{
    rw_vec3 away = rw_vec3_sub(rw_receiver_point(field->receivers, cell), field->source);
    return rw_vec3_length(away) < field->limit_m;
}
