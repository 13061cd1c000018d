/* rw_network_run: the chunks of one shard that are missing. A chunk is a pure function of the inputs: processes that
 * compute the same one write the same bytes under its name, so none of them has to know of the others. */
#include "base/file.h"
#include "base/options.h"
#include "base/progress.h"
#include "network/network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct shard_work {
    rw_network_call *call;
    rw_chunk_work chunk;
    size_t computed;
} shard_work;

static rw_status compute_chunk(shard_work *work, size_t number, double fraction, double step)
{
    const rw_network_run_state *run = &work->call->run;
    rw_chunk_state state = rw_chunk_state_of(run, number);
    if (state == RW_CHUNK_DONE)
        return RW_OK;
    if (state == RW_CHUNK_OTHER)
        return rw_fail(run->context, RW_BAD_CALL,
                       "chunk %zu in %s/parts was computed from other inputs while this run had begun; remove %s/parts",
                       number + 1, run->options.folder, run->options.folder);
    rw_progress_range outer_range = rw_progress_narrow(fraction, fmin(fraction + step, 1));
    rw_status status = rw_chunk_solve(&work->chunk, number);
    double start_s = rw_seconds();
    if (status == RW_OK)
        status = rw_chunk_write(run, number, work->chunk.cells, &work->chunk.sums);
    work->chunk.write_s += rw_seconds() - start_s;
    rw_progress_range_set(outer_range);
    work->computed += status == RW_OK;
    return status;
}

/* Every shards-th chunk, so that shards are of one size however the sites are spread. */
static rw_status compute_shard(shard_work *work)
{
    const rw_network_run_state *run = &work->call->run;
    size_t step = run->options.shards, count = rw_chunk_count(run);
    for (size_t i = run->options.shard - 1; i < count; i += step)
        RW_TRY(compute_chunk(work, i, (double)i / (double)count, (double)step / (double)count));
    for (size_t i = run->options.shard - 1; i < count; i += step)
        if (rw_chunk_state_of(run, i) != RW_CHUNK_DONE)
            return rw_fail(
                run->context, RW_IO,
                "chunk %zu in %s/parts was removed or changed while this run was writing others; run it again", i + 1,
                run->options.folder);
    return RW_OK;
}

/* By the process that comes first; the others find it in the plan. */
static rw_status measure_region_roof(rw_network_call *call)
{
    rw_network_run_state there = {.context = call->run.context};
    double *mean_m = &call->run.head.region_roof_m;
    if (!rw_plan_file_is_there(call->run.options.folder))
        return rw_region_roof(call, mean_m);
    rw_status status = rw_plan_file_read(call->run.context, call->run.options.folder, &there);
    *mean_m = there.head.region_roof_m;
    rw_network_run_free(&there);
    return status;
}

static rw_status begin_network_run(rw_network_call *call)
{
    const rw_network_run_state *run = &call->run;
    char path[RW_NETWORK_PATH_MAX];
    if (!rw_network_has_folder(&run->options))
        return rw_fail(run->context, RW_BAD_CALL, "a network needs a folder for its parts");
    if (strlen(run->options.folder) > 3800)
        return rw_fail(run->context, RW_BAD_CALL, "the path %.60s... is too long", run->options.folder);
    snprintf(path, sizeof path, "%.3900s/parts", run->options.folder);
    RW_TRY(rw_folder_create(run->context, path));
    snprintf(path, sizeof path, "%.3900s/sites", run->options.folder);
    if (run->options.per_site)
        RW_TRY(rw_folder_create(run->context, path));
    if (run->options.load)
        RW_TRY(measure_region_roof(call));
    return rw_plan_file_write(run);
}

static rw_status run_shard(rw_network_call *call, shard_work *work)
{
    rw_progress_range_set((rw_progress_range){0, 1});
    work->call = call;
    double start_s = rw_seconds();
    RW_TRY(begin_network_run(call));
    RW_TRY(rw_chunk_work_create(call, &work->chunk));
    work->chunk.load_s = rw_seconds() - start_s; /* the mean height of roofs of a region that comes block by block */
    rw_status status = compute_shard(work);
    rw_chunk_work_destroy(&work->chunk);
    return status;
}

static rw_status run_or_estimate(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                                 const rw_network_options *options, int compute_chunks, rw_network_report *report)
{
    rw_network_call call;
    shard_work work = {0};
    rw_network_report network_report = {.size = sizeof network_report};
    rw_status status = rw_network_open(context, scene, prediction, options, &call);
    if (status == RW_OK && compute_chunks)
        status = run_shard(&call, &work);
    if (status == RW_OK)
        status = rw_network_describe(&call, &network_report);
    network_report.load_s = work.chunk.load_s;
    network_report.prepare_s = work.chunk.prepare_s;
    network_report.solve_s = work.chunk.solve_s;
    network_report.reduce_s = work.chunk.reduce_s;
    network_report.write_s = work.chunk.write_s;
    network_report.computed = work.computed;
    rw_network_close(&call);
    RW_TRY(status);
    return report ? RW_ASSIGN(context, &network_report, report) : RW_OK;
}

rw_status rw_network_run(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                         const rw_network_options *options, rw_network_report *report)
{
    return run_or_estimate(context, scene, prediction, options, 1, report);
}

rw_status rw_network_estimate(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                              const rw_network_options *options, rw_network_report *report)
{
    return run_or_estimate(context, scene, prediction, options, 0, report);
}

rw_status rw_network_region_roof(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                                 const rw_network_options *options, double *mean_m)
{
    rw_network_call call;
    *mean_m = 0;
    rw_status status = rw_network_open(context, scene, prediction, options, &call);
    if (status == RW_OK && call.run.options.load)
        status = rw_region_roof(&call, mean_m);
    rw_network_close(&call);
    return status;
}

/* Computes all groups of a block and adds them up. */
static rw_status compute_block(rw_network_call *call, size_t block, rw_sums *sums)
{
    const rw_network_run_state *run = &call->run;
    rw_window window = rw_block_window(run, block);
    rw_chunk_work work;
    RW_TRY(rw_chunk_work_create(call, &work));
    rw_status status = RW_OK;
    for (size_t group = 0; group < run->head.group_count && status == RW_OK; group++) {
        size_t number = block * (size_t)run->head.group_count + group;
        rw_sums_view view = {0};
        if (!run->has_sites[number])
            continue;
        status = rw_chunk_solve(&work, number);
        if (status == RW_OK)
            status = rw_sums_download(&work.sums, &view);
        if (status == RW_OK) {
            size_t row = work.cells.row - window.row, column = work.cells.column - window.column;
            status = rw_sums_join(sums, &view, row * window.columns + column);
            rw_sums_download_free(&work.sums, &view);
        }
    }
    rw_chunk_work_destroy(&work);
    return status;
}

static rw_status solve_block(rw_network_call *call, size_t block, rw_map **map)
{
    const rw_network_run_state *run = &call->run;
    rw_sums sums;
    if (block >= rw_block_count(run))
        return rw_fail(run->context, RW_BAD_CALL, "there is no block %zu: the network has %zu, from 0", block,
                       rw_block_count(run));
    call->run.head.region_roof_m = run->options.region_roof_m;
    if (run->options.load && run->options.region_roof_m == 0)
        RW_TRY(rw_region_roof(call, &call->run.head.region_roof_m));
    RW_TRY(rw_block_sums_create(run, block, &sums));
    rw_status status = compute_block(call, block, &sums);
    if (status == RW_OK)
        status = rw_layers_of_sums(run, block, &sums, map);
    rw_sums_destroy(&sums);
    return status;
}

rw_status rw_network_block(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                           const rw_network_options *options, size_t block, rw_map **map)
{
    rw_network_call call;
    rw_network_options in_memory;
    *map = NULL;
    RW_TRY(rw_network_options_resolve(context, options, &in_memory));
    in_memory.folder = NULL;
    in_memory.per_site = 0;
    rw_progress_range_set((rw_progress_range){0, 1});
    rw_status status = rw_network_open(context, scene, prediction, &in_memory, &call);
    if (status == RW_OK)
        status = solve_block(&call, block, map);
    rw_network_close(&call);
    return status;
}
