/* Evaluating again: kept paths from a file, or traced and kept where there is none yet. */
#include "base/file.h"
#include "base/memory.h"
#include "device/kernel_arrays.h"
#include "models/beams/stored/evaluate_stored.k.h"
#include "models/beams/stored.h"
#include "models/beams/stored/renew_losses.k.h"

#include <stdlib.h>
#include <unistd.h>

/* Where the transmitters stand decides on paths: they must be where they were. */
static rw_status check_sources(const rw_prediction *prediction, const char *path, const rw_kept *kept)
{
    for (size_t i = 0; i < kept->subject.transmitter_count; i++) {
        rw_vec3 source = rw_beam_source(prediction, i), was = kept->transmitters[i].source;
        if (source.x != was.x || source.y != was.y || source.z != was.z)
            return rw_fail(prediction->scene->context, RW_BAD_CALL,
                           "transmitter %zu stands elsewhere than in %s, by %.3g m; choose another file for reuse",
                           i + 1, path, rw_vec3_length(rw_vec3_sub(source, was)));
    }
    return RW_OK;
}

static rw_status load(const rw_prediction *prediction, const rw_beam_settings *settings, rw_kept *kept)
{
    rw_context *context = prediction->scene->context;
    const char *path = prediction->options->reuse;
    rw_kept_subject wanted = rw_kept_subject_of(prediction, settings);
    RW_TRY(rw_kept_read(context, path, prediction->scene, prediction->scene->prepared->walls.count, kept));
    rw_status status = rw_kept_check(context, path, kept, &wanted);
    if (status == RW_OK)
        status = check_sources(prediction, path, kept);
    if (status != RW_OK)
        rw_kept_destroy(kept);
    return status;
}

rw_status rw_kept_open(const rw_prediction *prediction, const rw_beam_settings *settings, rw_kept *kept)
{
    const char *path = prediction->options->reuse;
    if (access(path, F_OK) == 0)
        return load(prediction, settings, kept);
    RW_TRY(rw_file_check_place(prediction->scene->context, path)); /* before the work */
    RW_TRY(rw_kept_trace(prediction, settings, kept));
    rw_status status = rw_kept_write(prediction->scene->context, path, kept);
    if (status != RW_OK)
        rw_kept_destroy(kept);
    return status;
}

/* The map that a file is of, with the options of a call for points: of the scene's extent, or of a part of it. */
static rw_status open_map(const rw_prediction *points, const rw_kept_subject *subject, int part, rw_prediction *cells)
{
    rw_predict_options options = *points->options;
    rw_map_info info = {.size = sizeof info};
    options.res_m = subject->res_m;
    if (part) {
        options.area_m[0] = subject->x0_m;
        options.area_m[1] = subject->y0_m;
        options.area_m[2] = subject->x0_m + (double)subject->columns * subject->res_m;
        options.area_m[3] = subject->y0_m + (double)subject->rows * subject->res_m;
    }
    return rw_prediction_open(points->scene, &options, &info, cells);
}

static rw_status check_cells(const rw_prediction *cells, const rw_beam_settings *settings, const rw_kept *kept)
{
    rw_kept_subject wanted = rw_kept_subject_of(cells, settings);
    const char *path = cells->options->reuse;
    RW_TRY(rw_kept_check(cells->scene->context, path, kept, &wanted));
    return check_sources(cells, path, kept);
}

rw_status rw_kept_open_cells(const rw_prediction *points, const rw_beam_settings *settings, rw_prediction *cells,
                             rw_kept *kept)
{
    const rw_scene *scene = points->scene;
    rw_context *context = scene->context;
    const char *path = points->options->reuse;
    if (access(path, F_OK) != 0)
        return rw_fail(context, RW_NOT_FOUND, "%s: there is no such file; a prediction with reuse makes it", path);
    RW_TRY(rw_kept_read(context, path, scene, scene->prepared->walls.count, kept));
    rw_status status = RW_OK;
    for (int part = 0; part < 2; part++) {
        status = open_map(points, &kept->subject, part, cells);
        if (status != RW_OK)
            break;
        status = check_cells(cells, settings, kept);
        if (status == RW_OK)
            return RW_OK;
        rw_prediction_release(cells);
    }
    rw_kept_destroy(kept);
    *kept = (rw_kept){0};
    return status;
}

/* The paths of each outdoor receiver in groups of few. */
static rw_status make_groups(rw_context *context, const rw_kept_paths *paths, const rw_receivers_view *view,
                             rw_kept_group **groups_out, size_t *count_out)
{
    size_t most = view->outdoor_count + (size_t)paths->path_count / RW_KEPT_GROUP, count = 0;
    rw_kept_group *groups;
    RW_TRY(rw_array_create(context, most + 1, sizeof *groups, "paths", &groups));
    for (size_t i = 0; i < view->outdoor_count; i++)
        for (uint64_t at = paths->firsts[i], end = paths->firsts[i + 1]; at < end; at += RW_KEPT_GROUP) {
            uint64_t left = end - at;
            groups[count++] =
                (rw_kept_group){at, view->outdoor[i], left < RW_KEPT_GROUP ? (uint32_t)left : (uint32_t)RW_KEPT_GROUP};
        }
    *groups_out = groups;
    *count_out = count;
    return RW_OK;
}

/* Beams and paths to the backend; they stay there. */
static rw_status place(const rw_beam_evaluation *evaluation, rw_kept_paths *paths)
{
    rw_context *context = evaluation->prediction->scene->context;
    rw_kept_placed *placed = &paths->placed;
    rw_kept_group *groups = NULL;
    size_t beam_count = paths->level_firsts[RW_KEPT_LEVELS - 1];
    if (placed->lasts)
        return RW_OK;
    placed->backend = evaluation->backend;
    RW_TRY(make_groups(context, paths, &evaluation->prediction->receivers.view, &groups, &placed->group_count));
    rw_kernel_array columns[] = {
        {&placed->beams, paths->beams, (beam_count + 1) * sizeof *placed->beams, 0, NULL},
        {&placed->groups, groups, (placed->group_count + 1) * sizeof *groups, 0, NULL},
        {&placed->lasts, paths->lasts, (paths->path_count + 1) * sizeof *placed->lasts, 0, NULL}};
    rw_status status = rw_kernel_arrays_place(context, evaluation->backend, columns, 3);
    free(groups);
    return status;
}

void rw_kept_remove(rw_kept_paths *paths)
{
    void *taken[] = {paths->placed.beams, paths->placed.groups, paths->placed.lasts};
    for (int i = 0; i < 3; i++)
        if (taken[i])
            rw_device_free(paths->placed.backend, taken[i]);
    paths->placed = (rw_kept_placed){0};
}

/* Losses of all beams, level by level, then the receivers. */
rw_status rw_kept_evaluate(rw_kept_paths *paths, rw_beam_evaluation *evaluation, const rw_beam_tracer *tracer)
{
    rw_context *context = evaluation->prediction->scene->context;
    RW_TRY(place(evaluation, paths));
    struct rw_renew_losses_args renewal = {
        .beams = paths->placed.beams, .walls = tracer->walls, .losses = *evaluation->losses};
    struct rw_evaluate_kept_args args = {.all = rw_beam_evaluation_args(evaluation, tracer),
                                         .groups = paths->placed.groups,
                                         .lasts = paths->placed.lasts};
    for (size_t level = 1; level + 1 < RW_KEPT_LEVELS; level++) {
        size_t count = paths->level_firsts[level + 1] - paths->level_firsts[level];
        renewal.first = paths->level_firsts[level];
        if (count)
            RW_TRY(rw_device_launch(context, evaluation->backend, RW_KERNEL_renew_losses, &renewal, count));
    }
    args.all.beams = paths->placed.beams;
    return rw_device_launch(context, evaluation->backend, RW_KERNEL_evaluate_kept, &args, paths->placed.group_count);
}
