/* rw_trace: checks the call, places points and transmitters, and hands over to the model. */
#include "base/memory.h"
#include "base/progress.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "models/engine/prediction/prediction.h"
#include "models/engine/calls/calls.h"
#include "models/engine/record.h"

#include <math.h>
#include <stdlib.h>

rw_status rw_paths_store_ends(const rw_prediction *prediction, rw_paths *paths)
{
    size_t count = prediction->point_count;
    const rw_predict_options *options = prediction->options;
    rw_paths_ends ends = {.points = prediction->points,
                          .point_count = count,
                          .indoor = prediction->receivers.view.indoor,
                          .transmitters = options->transmitters,
                          .transmitter_count = options->transmitter_count,
                          .crs = rw_scene_crs(prediction->scene)};
    RW_TRY(rw_paths_set_ends(paths, &ends));
    rw_transmitter receiver = rw_receiver_orientation(options);
    paths->rx_azimuth_deg = receiver.azimuth_deg;
    paths->rx_tilt_deg = receiver.downtilt_deg;
    paths->rx_roll_deg = receiver.roll_deg;
    for (size_t i = 0; i < count; i++)
        if (isnan(paths->points[i].height_m))
            paths->points[i].height_m = options->rx_height_m;
    for (size_t i = 0; i < options->transmitter_count; i++)
        paths->transmitters[i].freq_hz = rw_prediction_freq_hz(prediction, i);
    return RW_OK;
}

/* Trees and air, on paths and on what a record has of them. */
static rw_status add_medium(const rw_prediction *prediction, size_t first, rw_paths *paths)
{
    double *before_db;
    if (!paths->record)
        return rw_medium_add_to_paths(prediction, first, paths);
    RW_TRY(rw_array_create(paths->context, paths->count - first + 1, sizeof *before_db, "paths", &before_db));
    for (size_t i = first; i < paths->count; i++)
        before_db[i - first] = paths->entries[i].loss_db;
    rw_status status = rw_medium_add_to_paths(prediction, first, paths);
    for (size_t i = first; status == RW_OK && i < paths->count; i++)
        if (paths->entries[i].stored)
            rw_gain_record_attenuate(paths->record, paths->entries[i].stored - 1,
                                     paths->entries[i].loss_db - before_db[i - first]);
    free(before_db);
    return status;
}

/* All transmitters, a batch at a time. */
static rw_status trace_batches(const rw_prediction *prediction, rw_paths *paths)
{
    const rw_model *model = prediction->model;
    size_t count = prediction->options->transmitter_count;
    void *state;
    RW_TRY(model->open(prediction, RW_USE_PATHS, &state));
    size_t batch = model->batch ? model->batch(state) : 1;
    rw_status status = RW_OK;
    for (size_t first = 0; first < count && status == RW_OK; first += batch) {
        size_t now = count - first < batch ? count - first : batch;
        size_t traced = paths->count;
        rw_progress_range_set(
            (rw_progress_range){(double)first / (double)count, (double)(first + now) / (double)count});
        status = model->trace(state, first, now, paths);
        if (status == RW_OK)
            status = add_medium(prediction, traced, paths);
        if (status == RW_OK)
            status = rw_prediction_progress(prediction, (double)(first + now));
    }
    rw_progress_range_set((rw_progress_range){0, 1});
    model->close(state);
    return status;
}

static rw_status trace_prediction(rw_prediction *prediction, const rw_trace_extra *extra, rw_paths *paths)
{
    RW_TRY(rw_prediction_locate(prediction));
    RW_TRY(rw_paths_store_ends(prediction, paths));
    if (extra) {
        paths->record = extra->record;
        prediction->records_gains = 1;
        RW_TRY(extra->ready(extra->user, prediction));
    }
    return prediction->receivers.view.outdoor_count ? trace_batches(prediction, paths) : RW_OK;
}

static rw_status trace_in_account(rw_prediction *prediction, const rw_trace_extra *extra, rw_paths *paths)
{
    rw_account *account = NULL;
    RW_TRY(rw_prediction_open_account(prediction, &account));
    rw_account *before = rw_account_enter(account);
    rw_status status = trace_prediction(prediction, extra, paths);
    rw_account_enter(before);
    rw_account_close(account);
    return status;
}

static rw_status trace_call(rw_prediction *prediction, const rw_trace_extra *extra, rw_paths **paths)
{
    rw_context *context = prediction->scene->context;
    const rw_model *model = prediction->model;
    rw_paths *found;
    if (!model->trace)
        return rw_fail(context, RW_BAD_CALL, "model %s gives maps and no paths; choose another model, indoors images",
                       model->name);
    if (prediction->point_count == 0)
        return rw_fail(context, RW_BAD_CALL, "there is no point to find paths to; give at least one");
    RW_TRY(rw_prediction_check_budgets(prediction));
    RW_TRY(rw_paths_create(context, &found));
    rw_status status = trace_in_account(prediction, extra, found);
    if (status == RW_OK)
        *paths = found;
    else
        rw_paths_destroy(found);
    return status;
}

rw_status rw_trace_with(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                        size_t point_count, const rw_trace_extra *extra, rw_paths **paths)
{
    const rw_target target = {.use = RW_USE_PATHS, .points = points, .point_count = point_count};
    rw_prediction *prediction;
    *paths = NULL;
    RW_TRY(rw_prediction_create(scene, options, &target, &prediction));
    int own = rw_points_have_antennas(prediction->options, prediction->points, point_count);
    rw_status status;
    if (own && extra)
        status = rw_fail(scene->context, RW_BAD_CALL, "points with antennas of their own have no derivatives");
    else if (own)
        status = rw_trace_by_antenna(prediction, paths);
    else
        status = trace_call(prediction, extra, paths);
    rw_prediction_destroy(prediction);
    return status;
}

rw_status rw_trace(const rw_scene *scene, const rw_predict_options *options, const rw_point *points, size_t point_count,
                   rw_paths **paths)
{
    return rw_trace_with(scene, options, points, point_count, NULL, paths);
}
