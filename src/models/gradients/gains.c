/* rw_gains_create: traces paths, keeps them and lists their parameters. */
#include "models/gradients/gradients.h"

#include "base/memory.h"
#include "base/options.h"
#include "models/engine/calls/calls.h"
#include "models/rays/ray_layers.h"
#include "scene/antennas/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rw_gains_options_init_sized(rw_gains_options *options, size_t size)
{
    const rw_gains_options defaults = {.positions = 1};
    rw_defaults_copy(&defaults, sizeof defaults, options, size);
}

void rw_gains_destroy(rw_gains *gains)
{
    if (!gains)
        return;
    rw_gains_release(gains);
    rw_gain_record_free(&gains->record);
    for (size_t i = 0; i < gains->name_count; i++)
        free(gains->names[i]);
    free(gains->names);
    free(gains->parameters);
    free(gains->firsts);
    free(gains->stretches);
    free(gains->stretch_firsts);
    free(gains->transmitters);
    free(gains->walls);
    free(gains->senders);
    free(gains);
}

static int compare_gain_paths(const void *left, const void *right)
{
    const rw_gain_path *a = left, *b = right;
    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

/* Paths by transmitter and point, and where those of each pair begin. */
static rw_status sort_paths(rw_gains *gains)
{
    rw_gain_record *record = &gains->record;
    size_t pairs = record->transmitter_count * record->point_count;
    RW_TRY(rw_array_create(gains->context, pairs + 1, sizeof *gains->firsts, "kept paths", &gains->firsts));
    rw_sort(record->paths, record->path_count, sizeof *record->paths, compare_gain_paths);
    for (size_t i = 0; i < record->path_count; i++)
        gains->firsts[record->paths[i].pair + 1]++;
    for (size_t i = 0; i < pairs; i++)
        gains->firsts[i + 1] += gains->firsts[i];
    return RW_OK;
}

/* An rw_trace_ready_fn: what the record needs of the prediction before its model is opened. */
static rw_status get_ready(void *user, const rw_prediction *prediction)
{
    rw_gains *gains = user;
    rw_gain_record *record = &gains->record;
    const rw_predict_options *options = prediction->options;
    rw_context *context = gains->context;
    record->scene = prediction->scene;
    record->transmitter_count = options->transmitter_count;
    record->freq_hz = rw_prediction_freq_hz(prediction, 0);
    record->wavelength_m = RW_SPEED_OF_LIGHT_M_S / record->freq_hz;
    for (size_t i = 1; i < options->transmitter_count; i++)
        if (rw_prediction_freq_hz(prediction, i) != record->freq_hz)
            return rw_fail(context, RW_BAD_CALL,
                           "transmitters have %g and %g Hz; gradients are of one frequency: keep the paths of each "
                           "frequency apart",
                           record->freq_hz, rw_prediction_freq_hz(prediction, i));
    if (!prediction->model->records_gains)
        return rw_fail(context, RW_BAD_CALL, "model %s has no gradients; beams, images, shadow and tiles have",
                       prediction->model->name);
    if (options->params)
        return rw_fail(context, RW_BAD_CALL, "gradients are of uncalibrated losses; leave params out");
    if (options->indoor)
        return rw_fail(context, RW_BAD_CALL, "gradients are of receivers outside buildings; leave indoor out");
    gains->sum = RW_RAY_SUM_POWER;
    if (prediction->model->polarised)
        RW_TRY(rw_ray_sum_resolve(prediction, 0, &gains->sum));
    gains->near = rw_prediction_cell(prediction);
    RW_TRY(rw_array_create(context, record->transmitter_count, sizeof *record->senders, "antennas", &record->senders));
    RW_TRY(
        rw_array_create(context, 2 * record->transmitter_count, sizeof *record->curves, "antennas", &record->curves));
    RW_TRY(rw_array_create(context, record->transmitter_count, sizeof *record->tables, "antennas", &record->tables));
    return rw_gains_record_references(prediction, record);
}

/* The transmitters as they were given, with names that stay. */
static rw_status copy_transmitters(rw_gains *gains, const rw_predict_options *options)
{
    const rw_transmitter *resolved;
    rw_transmitter *transmitter_buffer = NULL;
    size_t count = options->transmitter_count;
    RW_TRY(rw_transmitters_resolve(gains->context, options->transmitters, count, &resolved, &transmitter_buffer));
    rw_status status = rw_array_create(gains->context, count, sizeof *resolved, "transmitters", &gains->transmitters);
    if (status == RW_OK)
        memcpy(gains->transmitters, resolved, count * sizeof *resolved);
    free(transmitter_buffer);
    return status;
}

static rw_status build_gains(rw_gains *gains, const rw_predict_options *options, const rw_point *points)
{
    rw_paths *paths = NULL;
    rw_trace_extra extra = {.record = &gains->record, .ready = get_ready, .user = gains};
    rw_status status = rw_trace_with(gains->record.scene, options, points, gains->record.point_count, &extra, &paths);
    rw_paths_destroy(paths);
    RW_TRY(status);
    if (gains->record.skipped)
        rw_warn(gains->context, "%zu paths of more than %d interactions are left out of the gradients",
                gains->record.skipped, RW_GAIN_NODES_MAX);
    RW_TRY(sort_paths(gains));
    RW_TRY(copy_transmitters(gains, options));
    RW_TRY(rw_gains_list_parameters(gains));
    RW_TRY(rw_array_create(gains->context, gains->record.wall_count + 1, sizeof *gains->walls, "constructions",
                           &gains->walls));
    RW_TRY(rw_array_create(gains->context, gains->record.transmitter_count, sizeof *gains->senders, "antennas",
                           &gains->senders));
    rw_gains_link_parameters(gains);
    RW_TRY(rw_gains_list_slots(gains));
    gains->record.scene = NULL; /* it may end before these */
    RW_TRY(rw_gains_upload(gains));
    return rw_gains_apply(gains, NULL);
}

rw_status rw_gains_create(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                          size_t point_count, const rw_gains_options *user_options, rw_gains **gains)
{
    rw_gains *new_gains;
    rw_gains_options chosen = {.size = sizeof chosen, .positions = 1};
    *gains = NULL;
    if (user_options)
        RW_TRY(RW_RESOLVE(scene->context, user_options, &chosen));
    RW_TRY(rw_array_create(scene->context, 1, sizeof *new_gains, "kept paths", &new_gains));
    new_gains->context = scene->context;
    new_gains->backend = scene->context->backend;
    new_gains->record = (rw_gain_record){
        .context = scene->context, .scene = scene, .positions = chosen.positions != 0, .point_count = point_count};
    rw_status status = build_gains(new_gains, options, points);
    if (status == RW_OK)
        *gains = new_gains;
    else
        rw_gains_destroy(new_gains);
    return status;
}

rw_status rw_gains_get_info(const rw_gains *gains, rw_gains_info *info)
{
    const rw_gain_record *record = &gains->record;
    rw_gains_info gains_info = {
        .transmitters = record->transmitter_count,
        .points = record->point_count,
        .paths = record->path_count,
        .parameters = gains->parameter_count,
        .bytes = (double)(record->path_count * sizeof *record->paths +
                          record->node_count * (sizeof *record->nodes + sizeof(rw_gain_state)) +
                          (record->number_count * (record->positions ? 4 : 1) + gains->slot_count) * sizeof(double))};
    return RW_ASSIGN(gains->context, &gains_info, info);
}

rw_status rw_gains_get_parameter(const rw_gains *gains, size_t index, rw_gain_parameter *parameter)
{
    if (index >= gains->parameter_count)
        return rw_fail(gains->context, RW_BAD_CALL, "there is no parameter %zu; there are %zu", index,
                       gains->parameter_count);
    return RW_ASSIGN(gains->context, &gains->parameters[index], parameter);
}

rw_status rw_gains_get_path(const rw_gains *gains, size_t index, size_t *transmitter, size_t *point)
{
    const rw_gain_record *record = &gains->record;
    if (index >= record->path_count)
        return rw_fail(gains->context, RW_BAD_CALL, "there is no path %zu; there are %zu", index, record->path_count);
    *transmitter = record->paths[index].transmitter;
    *point = record->paths[index].pair % record->point_count;
    return RW_OK;
}
