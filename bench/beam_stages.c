/* Where the beams model's time goes: memory, tables, tracing and evaluation level by level, and the copy of the
 * histogram. Each stage is waited for, so that the sum is more than a prediction takes on a GPU. */
#include "base/memory.h"
#include "bench/groups.h"
#include "models/beams/beams.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stages of one prediction, in seconds. */
typedef struct stages {
    double memory_s, begin_s, fetch_s, histogram_s, release_s;
    rw_beam_level levels[RW_BEAM_LEVELS];
} stages;

static rw_status wait_for_tracer(const rw_beam_tracer *tracer, double start_s, double *elapsed_s)
{
    RW_TRY(rw_device_wait(tracer->prediction->scene->context, tracer->backend));
    *elapsed_s = rw_seconds() - start_s;
    return RW_OK;
}

static rw_status read_back(const rw_prediction *prediction, rw_beam_tracer *tracer, rw_beam_evaluation *evaluation,
                           stages *timing)
{
    rw_context *context = prediction->scene->context;
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    uint32_t *paths = NULL;
    float *values = NULL;
    double start_s = rw_seconds();
    RW_TRY(rw_array_create(context, cells, sizeof *paths, "counts of paths", &paths));
    rw_status status =
        rw_device_download(context, tracer->backend, paths, evaluation->sums.paths, cells * sizeof *paths);
    timing->fetch_s = rw_seconds() - start_s;
    if (status == RW_OK && evaluation->sums.histogram)
        status = rw_array_create(context, cells * (size_t)evaluation->settings->bins, sizeof *values, "bins", &values);
    start_s = rw_seconds();
    if (status == RW_OK && values)
        status = rw_beam_evaluation_read_histogram(evaluation, paths, values);
    timing->histogram_s = rw_seconds() - start_s;
    free(paths);
    free(values);
    return status;
}

static rw_status run_stages(const rw_prediction *prediction, stages *timing)
{
    rw_beam_settings settings;
    rw_beam_tracer tracer;
    rw_beam_evaluation evaluation;
    rw_beam_tables tables = {0};
    double start_s = rw_seconds();
    RW_TRY(rw_beam_settings_resolve(prediction, &settings));
    RW_TRY(rw_beam_tracer_create(prediction, &settings, &tracer));
    rw_status status = rw_beam_evaluation_create(prediction, &settings, (rw_beam_wants){.sums = 1}, &evaluation);
    if (status == RW_OK)
        status = wait_for_tracer(&tracer, start_s, &timing->memory_s);
    start_s = rw_seconds();
    if (status == RW_OK)
        status = rw_beam_tables_create(prediction, &settings, 0, &tables);
    if (status == RW_OK)
        status = rw_beam_evaluation_begin(&evaluation, 0, &tables.losses);
    if (status == RW_OK)
        status = wait_for_tracer(&tracer, start_s, &timing->begin_s);
    tracer.timed = 1;
    if (status == RW_OK)
        status = rw_beam_trace(&tracer, evaluation.source, &tables.losses, rw_beam_evaluate, &evaluation);
    memcpy(timing->levels, tracer.levels, sizeof timing->levels);
    if (status == RW_OK)
        status = read_back(prediction, &tracer, &evaluation, timing);
    start_s = rw_seconds();
    rw_beam_tables_destroy(&tables);
    rw_beam_evaluation_destroy(&evaluation);
    rw_beam_tracer_destroy(&tracer);
    timing->release_s = rw_seconds() - start_s;
    return status;
}

static void report_beam_stage(const rw_bench *bench, const char *name, const char *backend, double seconds,
                              const char *note)
{
    char line[64];
    snprintf(line, sizeof line, "%s, %s", name, backend);
    rw_bench_add_result(bench, "beams_stages", line, 1e3 * seconds, "ms", NAN, NAN, note);
}

rw_status rw_bench_beam_stages(const rw_bench *bench, const rw_scene *scene, const rw_predict_options *options)
{
    rw_prediction *prediction;
    stages timing = {0};
    RW_TRY(rw_prediction_open(scene, options, &prediction));
    rw_status status = run_stages(prediction, &timing); /* once to warm up */
    if (status == RW_OK)
        status = run_stages(prediction, &timing);
    rw_prediction_destroy(prediction);
    RW_TRY(status);
    const char *backend = rw_context_backend(scene->context);
    report_beam_stage(bench, "memory", backend, timing.memory_s, "");
    report_beam_stage(bench, "tables, sums to zero", backend, timing.begin_s, "");
    for (int i = 0; i < RW_BEAM_LEVELS && timing.levels[i].launches; i++) {
        char name[32], note[64];
        snprintf(note, sizeof note, "%zu beams, %zu launches", timing.levels[i].beams, timing.levels[i].launches);
        snprintf(name, sizeof name, "level %d traced", i);
        report_beam_stage(bench, name, backend, timing.levels[i].trace_s, note);
        snprintf(note, sizeof note, "%zu pieces", timing.levels[i].pieces);
        snprintf(name, sizeof name, "level %d evaluated", i);
        report_beam_stage(bench, name, backend, timing.levels[i].evaluate_s, note);
    }
    report_beam_stage(bench, "a layer read", backend, timing.fetch_s, "");
    report_beam_stage(bench, "histogram read", backend, timing.histogram_s, "");
    report_beam_stage(bench, "memory given back", backend, timing.release_s, "");
    return RW_OK;
}
