/* rw_predict_many: one layer of many transmitters into memory of the caller.
 *
 * Values go there straight where the model writes them so: layers in main memory, line of sight as bytes on either
 * backend, and layers that are whole and final on the GPU. All else passes through main memory, a part of the
 * transmitters at a time. */
#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "models/engine/calls/calls.h"
#include "models/engine/run/run.h"
#include "models/engine/run/session.h"
#include "models/engine/prediction/prediction.h"

#include <rasterwave/device_maps.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most of an array that passes through main memory at a time. */
static const size_t staged_bytes = (size_t)64 << 20;

/* Transmitters whose line of sight is found at a time: while a GPU works on some, the next are checked and placed. */
static const size_t sight_batch_size = 512;

typedef struct many_call {
    const rw_scene *scene;
    rw_context *context;
    rw_prediction *prediction;
    const rw_predict_options *options; /* its */
    const rw_model *model;
    rw_map_array array;
    rw_map_info cells_info;
    size_t cells;          /* of one map */
    int layer;             /* its number in the model's list */
    int on_gpu;            /* the array lies there */
    int sees;              /* the model answers in bytes */
    float *staged;         /* layers of one part, in main memory; NULL: they go straight into the array */
    uint8_t *staged_sight; /* line of sight of one part: in main memory, or on the GPU where it sees */
} many_call;

void rw_map_array_init_sized(rw_map_array *array, size_t size)
{
    const rw_map_array defaults = {.memory = RW_MEMORY_HOST, .type = RW_ELEMENT_FLOAT32};
    rw_defaults_copy(&defaults, sizeof defaults, array, size);
}

static size_t element_bytes(const many_call *call)
{
    return call->array.type == RW_ELEMENT_UINT8 ? sizeof(uint8_t) : sizeof(float);
}

/* The layer that is asked for: one, of each transmitter by itself. */
static rw_status find_single_layer(many_call *call, const char *name)
{
    const rw_layer_kind *kinds = call->model->layer_kinds;
    if (strchr(name, ','))
        return rw_fail(call->context, RW_BAD_CALL, "many maps are of one layer, and layers is '%s'", name);
    while (strcmp(kinds[call->layer].name, name) != 0) /* the options are checked: it is one of the model's */
        call->layer++;
    if (rw_layer_is_combined(name))
        return rw_fail(call->context, RW_BAD_CALL,
                       "layer %s is of all transmitters together, and many maps are of one each: use rw_predict", name);
    if (kinds[call->layer].bands)
        return rw_fail(call->context, RW_BAD_CALL, "layer %s has several bands of a transmitter: use rw_predict", name);
    return RW_OK;
}

static rw_status open_many_call(many_call *call, const rw_predict_options *user_options, int cells_alone)
{
    const rw_target target = {.use = RW_USE_MAP, .in_caller_memory = 1, .cells_alone = cells_alone};
    rw_predict_options options;
    rw_predict_options_init(&options);
    RW_TRY(RW_RESOLVE(call->context, user_options, &options));
    options.layers = options.layers ? options.layers : "path_loss";
    RW_TRY(rw_prediction_create(call->scene, &options, &target, &call->prediction));
    call->options = call->prediction->options;
    call->model = call->prediction->model;
    call->cells_info = call->prediction->grid.cells;
    call->cells_info.layers = 1;
    call->cells = call->cells_info.columns * call->cells_info.rows;
    return find_single_layer(call, call->options->layers);
}

static rw_status check_map_array(const many_call *call)
{
    const rw_map_array *array = &call->array;
    const char *layer = call->model->layer_kinds[call->layer].name;
    double needed = (double)call->options->transmitter_count * (double)call->cells * (double)element_bytes(call);
    if (array->type != RW_ELEMENT_UINT8 && array->type != RW_ELEMENT_FLOAT32)
        return rw_fail(call->context, RW_BAD_CALL, "there is no element type %d", (int)array->type);
    if (array->memory != RW_MEMORY_HOST && array->memory != RW_MEMORY_BACKEND)
        return rw_fail(call->context, RW_BAD_CALL, "there is no place of memory %d", (int)array->memory);
    if (array->type == RW_ELEMENT_UINT8 && strcmp(layer, "los") != 0)
        return rw_fail(call->context, RW_BAD_CALL, "bytes are for layer los; layer %s needs floats", layer);
    if (!array->values || needed > (double)array->bytes)
        return rw_fail(call->context, RW_BAD_CALL,
                       "%zu maps of %zu x %zu cells need %.0f bytes, and the array has room for %zu",
                       call->options->transmitter_count, call->cells_info.rows, call->cells_info.columns, needed,
                       array->values ? array->bytes : 0);
    if ((uintptr_t)array->values % element_bytes(call))
        return rw_fail(call->context, RW_BAD_CALL, "the array does not begin at a multiple of its element's size");
    if (call->on_gpu && !rw_device_reaches(call->context->backend, array->values))
        return rw_fail(call->context, RW_BAD_CALL, "the array does not lie in memory of the GPU");
    return RW_OK;
}

/* Memory for parts of the array that do not go there straight, and how many transmitters a part has. */
static rw_status allocate_staging(many_call *call, size_t *batch_size)
{
    size_t count = call->options->transmitter_count, fits = staged_bytes / (call->cells * sizeof(float));
    int bytes = call->array.type == RW_ELEMENT_UINT8, cuda = call->context->backend == RW_BACKEND_CUDA;
    int staged = call->sees ? cuda && !call->on_gpu : bytes || call->on_gpu;
    size_t max_count = staged ? (fits > 0 ? fits : 1) : call->sees ? sight_batch_size : count;
    *batch_size = count < max_count ? count : max_count;
    size_t values = *batch_size * call->cells;
    if (!staged)
        return RW_OK;
    if (!call->sees)
        RW_TRY(rw_array_create(call->context, values, sizeof(float), "maps of a part", &call->staged));
    if (call->sees || (bytes && call->on_gpu))
        return rw_device_alloc(call->context, call->sees ? RW_BACKEND_CUDA : RW_BACKEND_CPU, values, "maps of a part",
                               &call->staged_sight);
    return RW_OK;
}

static void free_staging(many_call *call)
{
    rw_device_free(call->sees ? call->context->backend : RW_BACKEND_CPU, call->staged_sight);
    free(call->staged);
    call->staged_sight = NULL;
    call->staged = NULL;
}

/* Values of the array from a transmitter on. */
static void *values_at(const many_call *call, size_t first)
{
    return (char *)call->array.values + first * call->cells * element_bytes(call);
}

/* A float of layer los as a byte. */
typedef struct sight_values {
    const float *from;
    uint8_t *to;
} sight_values;

static void convert_sight(void *user, size_t begin, size_t end)
{
    const sight_values *values = user;
    for (size_t i = begin; i < end; i++)
        values->to[i] = isnan(values->from[i]) ? RW_LOS_NO_RECEIVER : values->from[i] > 0;
}

/* What a part has left in main memory on to the array. */
static rw_status store_staged(const many_call *call, size_t first, size_t count)
{
    size_t values = count * call->cells;
    if (call->array.type == RW_ELEMENT_FLOAT32)
        return rw_device_upload(call->context, call->context->backend, values_at(call, first), call->staged,
                                values * sizeof(float));
    sight_values sight = {call->staged, call->on_gpu ? call->staged_sight : values_at(call, first)};
    RW_TRY(rw_parallel(call->context, values, (size_t)1 << 16, convert_sight, &sight));
    return call->on_gpu
               ? rw_device_upload(call->context, call->context->backend, values_at(call, first), sight.to, values)
               : RW_OK;
}

/* Whether the model's values on the GPU are final: the engine adds nothing to them in main memory. */
static int stays_on_gpu(const many_call *call, const rw_run *run)
{
    const rw_prediction *prediction = run->prediction;
    int added = run->prior || run->indoor.prediction || prediction->options->reference ||
                (prediction->options->params && prediction->options->params->correction) ||
                rw_layer_is_received(call->model->layer_kinds[call->layer].name);
    for (size_t i = 0; i < prediction->options->transmitter_count && !added; i++)
        added = rw_near_field_of(prediction, i).limit_m > 0 || rw_air_db_per_m(prediction, i) != 0;
    return call->on_gpu && call->array.type == RW_ELEMENT_FLOAT32 && call->model->writes_all_cells && !added;
}

static rw_status upload_indoor_mask(const many_call *call, rw_session *session)
{
    if (session->device_indoor)
        return RW_OK;
    RW_TRY(rw_device_alloc(call->context, call->context->backend, call->cells, "the receiver grid",
                           &session->device_indoor));
    return rw_device_upload(call->context, call->context->backend, session->device_indoor,
                            session->prediction->receivers.view.indoor, call->cells);
}

/* A part by the layers of the model. */
static rw_status solve_layer(const many_call *call, rw_run *run, rw_session *session, size_t first, size_t count)
{
    RW_TRY(rw_run_open(run, &session->received));
    int stays = stays_on_gpu(call, run);
    if (stays) {
        RW_TRY(upload_indoor_mask(call, session));
        run->device_indoor = session->device_indoor;
    }
    RW_TRY(rw_run_set_layer(run, call->layer, call->staged && !stays ? call->staged : values_at(call, first)));
    RW_TRY(rw_received_begin(&run->received));
    RW_TRY(rw_run_solve(run, session->state));
    return call->staged && !stays ? store_staged(call, first, count) : RW_OK;
}

/* A part as bytes, where the model has them so. */
static rw_status solve_sight(const many_call *call, rw_session *session, size_t first, size_t count, int *done)
{
    uint8_t *los = call->staged_sight ? call->staged_sight : values_at(call, first);
    RW_TRY(call->model->see(session->state, 0, count, los, done));
    if (*done && call->staged_sight)
        RW_TRY(rw_device_download(call->context, call->context->backend, values_at(call, first), los,
                                  count * call->cells));
    return *done ? rw_prediction_progress(session->prediction, (double)count) : RW_OK;
}

static rw_status solve_opened_batch(const many_call *call, rw_session *session, size_t first, size_t count, int *done)
{
    rw_run run = {.prediction = session->prediction};
    *done = 1;
    if (session->prediction->receivers_from_database && call->options->zone)
        return rw_fail(call->context, RW_BAD_CALL,
                       "a database is of all receivers of its area; leave out the polygons of %s or the database",
                       call->options->zone);
    if (call->sees)
        return solve_sight(call, session, first, count, done);
    RW_TRY(rw_map_create(call->context, &session->prediction->grid.cells, "", &run.map));
    rw_progress_range outer_range = rw_progress_narrow(0, 1);
    rw_status status = solve_layer(call, &run, session, first, count);
    rw_progress_range_set(outer_range);
    rw_indoor_destroy(&run.indoor);
    rw_map_destroy(run.map);
    return status;
}

static rw_status solve_map_batch(const many_call *call, size_t first, size_t count, int *done)
{
    rw_prediction *prediction;
    rw_session *session;
    const rw_prediction_part part = {.first = first, .count = count, .in_caller_memory = 1};
    RW_TRY(rw_prediction_create_part(call->prediction, &part, &prediction));
    RW_TRY(rw_session_open(prediction, &session));
    session->prediction->transmitters_before = first;
    session->prediction->transmitters_in_all = call->options->transmitter_count;
    rw_account *before = rw_account_enter(session->account);
    rw_status status = solve_opened_batch(call, session, first, count, done);
    rw_account_enter(before);
    rw_session_close(session, status == RW_OK);
    return status;
}

static rw_status solve_map_batches(many_call *call)
{
    size_t count = call->options->transmitter_count, batch_size = 0;
    int done = 0;
    rw_progress_range_set((rw_progress_range){0, 1});
    RW_TRY(allocate_staging(call, &batch_size));
    for (size_t first = 0; first < count; first += batch_size) {
        RW_TRY(solve_map_batch(call, first, count - first < batch_size ? count - first : batch_size, &done));
        if (done)
            continue;
        free_staging(call); /* bytes only by its layer: from the beginning */
        call->sees = 0;
        return solve_map_batches(call);
    }
    return call->on_gpu ? rw_device_wait(call->context, call->context->backend) : RW_OK;
}

static rw_status solve_many_call(many_call *call)
{
    const rw_predict_options *options = call->options;
    call->on_gpu = call->array.memory == RW_MEMORY_BACKEND && call->context->backend == RW_BACKEND_CUDA;
    RW_TRY(check_map_array(call));
    rw_warn_of_missing_terrain(call->scene, &call->cells_info);
    call->sees = call->array.type == RW_ELEMENT_UINT8 && call->model->see &&
                 !(rw_option_or(options->exclude_within_m, 0) > 0) && !(rw_option_or(options->antenna_size_m, 0) > 0);
    if (call->on_gpu)
        RW_TRY(rw_device_wait(call->context, call->context->backend));
    rw_status status = solve_map_batches(call);
    free_staging(call);
    return status;
}

rw_status rw_predict_many(const rw_scene *scene, const rw_predict_options *options, const rw_map_array *array)
{
    many_call call = {.scene = scene, .context = scene->context};
    RW_TRY(RW_RESOLVE(scene->context, array, &call.array));
    rw_status status = open_many_call(&call, options, 0);
    if (status == RW_OK)
        status = rw_ranges_are_set(call.options)
                     ? rw_fail(scene->context, RW_BAD_CALL,
                               "maps into memory of the caller have all cells: leave out radius and range-level")
                     : solve_many_call(&call);
    rw_prediction_destroy(call.prediction);
    return status;
}

rw_status rw_predict_many_grid(const rw_scene *scene, const rw_predict_options *options, rw_map_info *grid)
{
    many_call call = {.scene = scene, .context = scene->context};
    rw_status status = open_many_call(&call, options, 1);
    if (status == RW_OK) {
        call.cells_info.model = call.model->name;
        call.cells_info.backend = rw_context_backend(scene->context);
        status = RW_ASSIGN(scene->context, &call.cells_info, grid);
    }
    rw_prediction_destroy(call.prediction);
    return status;
}
