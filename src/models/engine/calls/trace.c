/* rw_trace: checks the call, places points and transmitters, and hands over to the model. */
#include "base/memory.h"
#include "base/options.h"
#include "base/range.h"
#include "mechanisms/atmosphere/medium.h"
#include "models/engine/prediction/receiver_antenna.h"
#include "models/engine/calls/trace.h"
#include "models/engine/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static rw_status check_trace_point(const rw_scene *scene, const rw_point *point, size_t index)
{
    int has_position = rw_is_coordinate(point->x_m) && rw_is_coordinate(point->y_m);
    int above = isnan(point->height_m) || (point->height_m > 0 && point->height_m < RW_HEIGHT_MAX_M);
    char what[40];
    snprintf(what, sizeof what, "point %zu", index + 1);
    if (has_position && above)
        return rw_check_near_scene(scene, point->x_m, point->y_m, what);
    return rw_fail(scene->context, RW_BAD_CALL,
                   "point %zu at %g,%g,%g: position and height must be finite, the height above 0 and below 100 km",
                   index + 1, point->x_m, point->y_m, point->height_m);
}

static void widen_area(double area_m[4], const rw_point *point)
{
    area_m[0] = fmin(area_m[0], point->x_m);
    area_m[1] = fmin(area_m[1], point->y_m);
    area_m[2] = fmax(area_m[2], point->x_m);
    area_m[3] = fmax(area_m[3], point->y_m);
}

rw_status rw_prediction_locate_points(rw_prediction *prediction, const rw_point *points, size_t count, double area_m[4])
{
    const rw_scene *scene = prediction->scene;
    rw_vec3 *local;
    RW_TRY(rw_array_create(scene->context, count, sizeof *local, "points", &local));
    rw_status status = RW_OK;
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        status = check_trace_point(scene, &points[i], i);
        widen_area(area_m, &points[i]);
        double height_m = isnan(points[i].height_m) ? prediction->options->rx_height_m : points[i].height_m;
        local[i] = rw_vec3_of(points[i].x_m - scene->origin.x, points[i].y_m - scene->origin.y, height_m);
    }
    rw_prepared prepared = *scene->prepared;
    if (prediction->model->rooms) /* no mesh makes a point indoor */
        prepared.grid.view.node_count = 0;
    if (status == RW_OK)
        status = rw_receivers_create_at(scene, &prepared, local, count, &prediction->receivers);
    free(local);
    return status;
}

/* The points with their heights, and the transmitters with their frequencies, for those who write paths. */
static rw_status store_path_ends(const rw_prediction *prediction, const rw_point *points, size_t count, rw_paths *paths)
{
    const rw_predict_options *options = prediction->options;
    rw_paths_ends ends = {.points = points,
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

static rw_status trace_prediction(rw_prediction *prediction, const rw_point *points, size_t count,
                                  const rw_trace_extra *extra, rw_paths *paths)
{
    double area_m[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    RW_TRY(rw_prediction_locate_points(prediction, points, count, area_m));
    RW_TRY(rw_prediction_locate_transmitters(prediction, area_m));
    RW_TRY(store_path_ends(prediction, points, count, paths));
    if (extra) {
        paths->record = extra->record;
        prediction->records_gains = 1;
        RW_TRY(extra->ready(extra->user, prediction));
    }
    return prediction->receivers.view.outdoor_count ? trace_batches(prediction, paths) : RW_OK;
}

static rw_status trace_resolved_call(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                     size_t point_count, const rw_trace_extra *extra, rw_paths **paths)
{
    rw_prediction prediction;
    rw_paths *found;
    RW_TRY(rw_prediction_begin(scene, options, &prediction));
    if (!prediction.model->trace)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "model %s gives maps and no paths; choose another model, indoors images",
                       prediction.model->name);
    if (point_count == 0)
        return rw_fail(scene->context, RW_BAD_CALL, "there is no point to find paths to; give at least one");
    RW_TRY(rw_prediction_check_budgets_of_points(&prediction, point_count));
    RW_TRY(rw_paths_create(scene->context, &found));
    rw_account *account = NULL;
    rw_status status = rw_prediction_open_account(&prediction, &account);
    rw_account *before = rw_account_enter(account);
    if (status == RW_OK)
        status = trace_prediction(&prediction, points, point_count, extra, found);
    rw_account_enter(before);
    rw_account_close(account);
    rw_prediction_release(&prediction);
    if (status != RW_OK) {
        rw_paths_destroy(found);
        return status;
    }
    *paths = found;
    return RW_OK;
}

rw_status rw_trace_with(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                        size_t point_count, const rw_trace_extra *extra, rw_paths **paths)
{
    rw_predict_options resolved;
    rw_transmitter *transmitters;
    const rw_point *resolved_points;
    rw_point *point_buffer = NULL;
    *paths = NULL;
    RW_TRY(rw_predict_options_resolve(scene->context, options, &resolved, &transmitters));
    rw_status status = RW_RESOLVE_ARRAY(scene->context, points, point_count, &(rw_point){.height_m = NAN},
                                        &resolved_points, &point_buffer);
    int own = status == RW_OK && rw_points_have_antennas(&resolved, resolved_points, point_count);
    if (own && extra)
        status = rw_fail(scene->context, RW_BAD_CALL, "points with antennas of their own have no derivatives");
    else if (own)
        status = rw_trace_by_antenna(scene, &resolved, resolved_points, point_count, paths);
    else if (status == RW_OK)
        status = trace_resolved_call(scene, &resolved, resolved_points, point_count, extra, paths);
    free(point_buffer);
    free(transmitters);
    return status;
}

rw_status rw_trace(const rw_scene *scene, const rw_predict_options *options, const rw_point *points, size_t point_count,
                   rw_paths **paths)
{
    return rw_trace_with(scene, options, points, point_count, NULL, paths);
}
