/* Evaluating again: kept paths from a file, or traced and kept where there is none yet. */
#include "device/columns.h"
#include "models/beams/evaluate_kept.k.h"
#include "models/beams/kept.h"
#include "models/beams/renew_losses.k.h"

#include <unistd.h>

/* Where the transmitters stand decides on paths: they must be where they were. */
static rw_status check_sources(const rw_prediction *prediction, const char *path, const rw_kept *kept)
{
    for (size_t i = 0; i < kept->subject.transmitter_count; i++) {
        rw_vec3 source = rw_beam_source(prediction, i), was = kept->transmitters[i].source;
        if (source.x != was.x || source.y != was.y || source.z != was.z)
            return rw_fail(prediction->scene->context, RW_BAD_CALL,
                           "transmitter %zu stands elsewhere than in %s, by %.3g m; give --reuse another file", i + 1,
                           path, rw_vec3_length(rw_vec3_sub(source, was)));
    }
    return RW_OK;
}

static rw_status load(const rw_prediction *prediction, const rw_beam_settings *settings, rw_kept *kept)
{
    rw_context *context = prediction->scene->context;
    const char *path = prediction->options->reuse;
    rw_kept_subject wanted = rw_kept_subject_of(prediction, settings);
    RW_TRY(rw_kept_read(context, path, prediction->scene->prepared->walls.count, kept));
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
    RW_TRY(rw_kept_trace(prediction, settings, kept));
    rw_status status = rw_kept_write(prediction->scene->context, path, kept);
    if (status != RW_OK)
        rw_kept_destroy(kept);
    return status;
}

/* Losses of all beams, level by level, then the receivers. */
static rw_status launch(const rw_kept_paths *paths, const rw_beam_evaluation *evaluation, const rw_beam_tracer *tracer,
                        struct rw_evaluate_kept_args *args, rw_beam *beams)
{
    rw_context *context = evaluation->prediction->scene->context;
    struct rw_renew_losses_args renewal = {.beams = beams, .walls = tracer->walls, .losses = *evaluation->losses};
    for (size_t level = 1; level + 1 < RW_KEPT_LEVELS; level++) {
        size_t count = paths->level_firsts[level + 1] - paths->level_firsts[level];
        renewal.first = paths->level_firsts[level];
        if (count)
            RW_TRY(rw_device_launch(context, evaluation->backend, RW_KERNEL_renew_losses, &renewal, count));
    }
    args->all.beams = beams;
    return rw_device_launch(context, evaluation->backend, RW_KERNEL_evaluate_kept, args,
                            args->all.receivers.outdoor_count);
}

rw_status rw_kept_evaluate(const rw_kept_paths *paths, rw_beam_evaluation *evaluation, const rw_beam_tracer *tracer)
{
    rw_context *context = evaluation->prediction->scene->context;
    struct rw_evaluate_kept_args args = {.all = rw_beam_evaluation_args(evaluation, tracer)};
    rw_beam *beams = NULL;
    size_t beam_count = paths->level_firsts[RW_KEPT_LEVELS - 1];
    rw_column columns[] = {
        {&beams, paths->beams, (beam_count + 1) * sizeof *beams, 0, NULL},
        {&args.firsts, paths->firsts, (args.all.receivers.outdoor_count + 1) * sizeof *paths->firsts, 0, NULL},
        {&args.lasts, paths->lasts, (paths->path_count + 1) * sizeof *paths->lasts, 0, NULL}};
    rw_status status = rw_columns_place(context, evaluation->backend, columns, 3);
    if (status == RW_OK)
        status = launch(paths, evaluation, tracer, &args, beams);
    if (status == RW_OK)
        status = rw_device_wait(context, evaluation->backend);
    rw_columns_release(evaluation->backend, columns, 3);
    return status;
}
