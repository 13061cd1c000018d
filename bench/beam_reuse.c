/* Kept paths evaluated again, beside tracing them: the sums are the same, and no beam is traced.
 *
 * Count first: Munich keeps 0.8 million paths of 50 000 beams. Each path reads its beam (128 bytes, mostly in the
 * cache) and costs a length, a corner's diffraction (some 500 operations) and six sums: 0.1 ms of an H200's arithmetic,
 * 0.1 s of a CPU core. Tracing asks ten times as many receivers, and lines of sight for those that are left. */
#include "base/memory.h"
#include "bench/groups.h"
#include "models/beams/stored.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 3

typedef struct reuse_run {
    const rw_prediction *prediction;
    rw_beam_settings settings;
    rw_beam_tracer tracer;
    rw_beam_evaluation evaluation;
    rw_beam_tables tables;
    rw_stored_beams cached;
} reuse_run;

/* Fills the sums once, by kept paths or by tracing, and tells how long it took, emptying the sums included. */
static rw_status evaluate_beam_paths(reuse_run *run, int again, double *seconds)
{
    double start_s = rw_seconds();
    RW_TRY(rw_beam_evaluation_begin(&run->evaluation, 0, &run->tables.losses));
    if (again)
        RW_TRY(rw_stored_paths_evaluate(&run->cached.transmitters[0], &run->evaluation, &run->tracer));
    else
        RW_TRY(rw_beam_trace(&run->tracer, run->evaluation.source, &run->tables.losses, rw_beam_evaluate,
                             &run->evaluation));
    RW_TRY(rw_device_wait(run->prediction->scene->context, run->tracer.backend));
    *seconds = fmin(*seconds, rw_seconds() - start_s);
    return RW_OK;
}

static rw_status read_powers(const reuse_run *run, uint64_t *powers)
{
    const rw_receivers_view *view = &run->prediction->receivers.view;
    return rw_device_download(run->prediction->scene->context, run->tracer.backend, powers, run->evaluation.sums.power,
                              view->columns * view->rows * sizeof *powers);
}

static rw_status compare_reused_powers(reuse_run *run, double seconds[2])
{
    rw_context *context = run->prediction->scene->context;
    size_t cells = run->prediction->receivers.view.columns * run->prediction->receivers.view.rows;
    uint64_t *powers[2] = {NULL, NULL};
    rw_status status = RW_OK;
    for (int again = 0; again < 2 && status == RW_OK; again++) {
        seconds[again] = INFINITY;
        for (int i = 0; i < REPEATS && status == RW_OK; i++)
            status = evaluate_beam_paths(run, again, &seconds[again]);
        if (status == RW_OK)
            status = rw_array_create(context, cells, sizeof *powers[again], "sums", &powers[again]);
        if (status == RW_OK)
            status = read_powers(run, powers[again]);
    }
    if (status == RW_OK && memcmp(powers[0], powers[1], cells * sizeof *powers[0]) != 0)
        status = rw_fail(context, RW_INTERNAL, "kept paths give other sums than traced ones");
    free(powers[0]);
    free(powers[1]);
    return status;
}

static rw_status run_all(reuse_run *run, double seconds[2])
{
    const rw_prediction *prediction = run->prediction;
    RW_TRY(rw_beam_settings_resolve(prediction, &run->settings));
    RW_TRY(rw_stored_beams_trace(prediction, &run->settings, &run->cached));
    rw_status status = rw_beam_tracer_create(prediction, &run->settings, &run->tracer);
    if (status == RW_OK)
        status = rw_beam_evaluation_create(prediction, &run->settings, (rw_beam_wants){.sums = 1}, &run->evaluation);
    if (status == RW_OK)
        status = rw_beam_tables_create(prediction, &run->settings, 0, &run->tables);
    if (status == RW_OK)
        status = compare_reused_powers(run, seconds);
    rw_beam_tables_destroy(&run->tables);
    if (run->evaluation.prediction)
        rw_beam_evaluation_destroy(&run->evaluation);
    rw_beam_tracer_destroy(&run->tracer);
    return status;
}

rw_status rw_bench_beam_reuse(const rw_bench *bench, const rw_scene *scene, const rw_predict_options *options)
{
    rw_prediction *prediction;
    double seconds[2];
    char name[64], note[96];
    RW_TRY(rw_prediction_open(scene, options, &prediction));
    reuse_run run = {.prediction = prediction};
    rw_status status = run_all(&run, seconds);
    if (status == RW_OK) {
        snprintf(name, sizeof name, "kept paths evaluated again%s, %s", options->losses ? ", constants" : "",
                 rw_context_backend(scene->context));
        snprintf(note, sizeof note, "%.0f times as fast as tracing (%.3g ms); %llu paths", seconds[0] / seconds[1],
                 1e3 * seconds[0], (unsigned long long)run.cached.transmitters[0].path_count);
        const rw_bench checked = rw_bench_checked(bench, (rw_bench_check){"sums of traced paths", 0, 0, "receivers"});
        rw_bench_add_result(&checked, "beams_reuse", name, 1e3 * seconds[1], "ms", NAN, 1e3 * seconds[0] / 50, note);
    }
    rw_stored_beams_destroy(&run.cached);
    rw_prediction_destroy(prediction);
    return status;
}
