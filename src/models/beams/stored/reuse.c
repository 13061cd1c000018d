/* Evaluating again: kept paths from a file, or traced and kept where there is none yet. */
#include "base/file.h"
#include "base/memory.h"
#include "device/device.h"
#include "models/beams/stored/evaluate_stored.k.h"
#include "models/beams/stored.h"
#include "models/beams/stored/renew_losses.k.h"

#include <stdlib.h>
#include <unistd.h>

/* Where the transmitters stand decides on paths: they must be where they were. */
static rw_status check_stored_sources(const rw_prediction *prediction, const char *path, const rw_stored_beams *stored)
{
    for (size_t i = 0; i < stored->subject.transmitter_count; i++) {
        rw_vec3 source = rw_beam_source(prediction, i), was = stored->transmitters[i].source;
        if (source.x != was.x || source.y != was.y || source.z != was.z)
            return rw_fail(prediction->scene->context, RW_BAD_CALL,
                           "transmitter %zu stands elsewhere than in %s, by %.3g m; choose another file for reuse",
                           i + 1, path, rw_vec3_length(rw_vec3_sub(source, was)));
    }
    return RW_OK;
}

static rw_status load_stored_beams(const rw_prediction *prediction, const rw_beam_settings *settings,
                                   rw_stored_beams *stored)
{
    rw_context *context = prediction->scene->context;
    const char *path = prediction->options->reuse;
    rw_stored_beams_subject wanted = rw_stored_beams_subject_of(prediction, settings);
    RW_TRY(rw_stored_beams_read(context, path, prediction->scene, prediction->scene->prepared->walls.count, stored));
    rw_status status = rw_stored_beams_check(context, path, stored, &wanted);
    if (status == RW_OK)
        status = check_stored_sources(prediction, path, stored);
    if (status != RW_OK)
        rw_stored_beams_destroy(stored);
    return status;
}

rw_status rw_stored_beams_open(const rw_prediction *prediction, const rw_beam_settings *settings,
                               rw_stored_beams *stored)
{
    const char *path = prediction->options->reuse;
    if (access(path, F_OK) == 0)
        return load_stored_beams(prediction, settings, stored);
    RW_TRY(rw_file_check_writable(prediction->scene->context, path)); /* before the work */
    RW_TRY(rw_stored_beams_trace(prediction, settings, stored));
    rw_status status = rw_stored_beams_write(prediction->scene->context, path, stored);
    if (status != RW_OK)
        rw_stored_beams_destroy(stored);
    return status;
}

/* The map that a file is of, with the options of a call for points: of the scene's extent, or of a part of it. */
static rw_status open_map(const rw_prediction *points, const rw_stored_beams_subject *subject, int cropped,
                          rw_prediction **cells)
{
    rw_predict_options options = *points->options;
    options.res_m = subject->res_m;
    if (cropped) {
        options.area_m[0] = subject->x0_m;
        options.area_m[1] = subject->y0_m;
        options.area_m[2] = subject->x0_m + (double)subject->columns * subject->res_m;
        options.area_m[3] = subject->y0_m + (double)subject->rows * subject->res_m;
    }
    return rw_prediction_open(points->scene, &options, cells);
}

static rw_status check_stored_cells(const rw_prediction *cells, const rw_beam_settings *settings,
                                    const rw_stored_beams *stored)
{
    rw_stored_beams_subject wanted = rw_stored_beams_subject_of(cells, settings);
    const char *path = cells->options->reuse;
    RW_TRY(rw_stored_beams_check(cells->scene->context, path, stored, &wanted));
    return check_stored_sources(cells, path, stored);
}

rw_status rw_stored_beams_open_cells(const rw_prediction *points, const rw_beam_settings *settings,
                                     rw_prediction **cells, rw_stored_beams *stored)
{
    const rw_scene *scene = points->scene;
    rw_context *context = scene->context;
    const char *path = points->options->reuse;
    if (access(path, F_OK) != 0)
        return rw_fail(context, RW_NOT_FOUND, "%s: there is no such file; a prediction with reuse makes it", path);
    RW_TRY(rw_stored_beams_read(context, path, scene, scene->prepared->walls.count, stored));
    rw_status status = RW_OK;
    for (int cropped = 0; cropped < 2; cropped++) {
        status = open_map(points, &stored->subject, cropped, cells);
        if (status != RW_OK)
            break;
        status = check_stored_cells(*cells, settings, stored);
        if (status == RW_OK)
            return RW_OK;
        rw_prediction_destroy(*cells);
        *cells = NULL;
    }
    rw_stored_beams_destroy(stored);
    *stored = (rw_stored_beams){0};
    return status;
}

/* The paths of each outdoor receiver in groups of few. */
static rw_status group_stored_paths(rw_context *context, const rw_stored_paths *paths, const rw_receivers_view *view,
                                    rw_stored_group **groups_out, size_t *count_out)
{
    size_t capacity = view->outdoor_count + (size_t)paths->path_count / RW_STORED_GROUP, count = 0;
    rw_stored_group *groups;
    RW_TRY(rw_array_create(context, capacity + 1, sizeof *groups, "paths", &groups));
    for (size_t i = 0; i < view->outdoor_count; i++)
        for (uint64_t at = paths->firsts[i], end = paths->firsts[i + 1]; at < end; at += RW_STORED_GROUP) {
            uint64_t left = end - at;
            groups[count++] = (rw_stored_group){at, view->outdoor[i],
                                                left < RW_STORED_GROUP ? (uint32_t)left : (uint32_t)RW_STORED_GROUP};
        }
    *groups_out = groups;
    *count_out = count;
    return RW_OK;
}

/* Beams and paths to the backend; they stay there. */
static rw_status upload_stored_paths(const rw_beam_evaluation *evaluation, rw_stored_paths *paths)
{
    rw_context *context = evaluation->prediction->scene->context;
    rw_stored_device_paths *on_device = &paths->on_device;
    rw_stored_group *groups = NULL;
    size_t beam_count = paths->level_firsts[RW_STORED_LEVELS - 1];
    if (on_device->lasts)
        return RW_OK;
    on_device->backend = evaluation->backend;
    RW_TRY(
        group_stored_paths(context, paths, &evaluation->prediction->receivers.view, &groups, &on_device->group_count));
    rw_kernel_array columns[] = {
        {&on_device->beams, paths->beams, (beam_count + 1) * sizeof *on_device->beams, 0, NULL},
        {&on_device->groups, groups, (on_device->group_count + 1) * sizeof *groups, 0, NULL},
        {&on_device->lasts, paths->lasts, (paths->path_count + 1) * sizeof *on_device->lasts, 0, NULL}};
    rw_status status = rw_kernel_arrays_upload(context, evaluation->backend, columns, 3);
    free(groups);
    return status;
}

void rw_stored_paths_release(rw_stored_paths *paths)
{
    void *arrays[] = {paths->on_device.beams, paths->on_device.groups, paths->on_device.lasts};
    for (int i = 0; i < 3; i++)
        if (arrays[i])
            rw_device_free(paths->on_device.backend, arrays[i]);
    paths->on_device = (rw_stored_device_paths){0};
}

/* Losses of all beams, level by level, then the receivers. */
rw_status rw_stored_paths_evaluate(rw_stored_paths *paths, rw_beam_evaluation *evaluation, const rw_beam_tracer *tracer)
{
    rw_context *context = evaluation->prediction->scene->context;
    RW_TRY(upload_stored_paths(evaluation, paths));
    struct rw_renew_losses_args renewal = {
        .beams = paths->on_device.beams, .walls = tracer->walls, .losses = *evaluation->losses};
    struct rw_evaluate_stored_args args = {.all = rw_beam_evaluation_args(evaluation, tracer),
                                           .groups = paths->on_device.groups,
                                           .lasts = paths->on_device.lasts};
    for (size_t level = 1; level + 1 < RW_STORED_LEVELS; level++) {
        size_t count = paths->level_firsts[level + 1] - paths->level_firsts[level];
        renewal.first = paths->level_firsts[level];
        if (count)
            RW_TRY(rw_device_launch(context, evaluation->backend, RW_KERNEL_renew_losses, &renewal, count));
    }
    args.all.beams = paths->on_device.beams;
    return rw_device_launch(context, evaluation->backend, RW_KERNEL_evaluate_stored, &args,
                            paths->on_device.group_count);
}
