/* rw_network_run: the parts of one share, then those of shares whose process has died. */
#include "base/file.h"
#include "base/options.h"
#include "network/claims.h"
#include "network/solve_chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct shard_work {
    rw_network_call *call;
    rw_chunk_work chunk;
    rw_heartbeat *heartbeat;
    size_t computed, adopted;
    double planned; /* parts of this share, for progress */
} shard_work;

/* "share-2.alive" while a process works on share 2. */
static void shard_path(const rw_network_run_state *run, size_t shard, char path[RW_NETWORK_PATH_MAX])
{
    snprintf(path, RW_NETWORK_PATH_MAX, "%.3900s/parts/share-%zu-of-%zu.alive", run->options.folder, shard,
             run->options.shards);
}

static rw_status compute(shard_work *work, size_t number)
{
    RW_TRY(rw_chunk_solve(&work->chunk, number));
    double start_s = rw_seconds();
    RW_TRY(rw_chunk_write(&work->call->run, number, work->chunk.cells, &work->chunk.sums));
    work->chunk.write_s += rw_seconds() - start_s;
    work->computed++;
    return RW_OK;
}

/* Computes a part unless it is done or another process is at it. */
static rw_status claim_chunk(shard_work *work, size_t number)
{
    const rw_network_run_state *run = &work->call->run;
    char path[RW_NETWORK_PATH_MAX], lock[RW_NETWORK_PATH_MAX + 8];
    int is_acquired;
    if (rw_chunk_is_done(run, number))
        return RW_OK;
    rw_chunk_path(run, number, path);
    snprintf(lock, sizeof lock, "%s.lock", path);
    RW_TRY(rw_claim_acquire(run->context, lock, run->options.stale_s, &is_acquired));
    if (!is_acquired)
        return RW_OK;
    rw_heartbeat_set(work->heartbeat, RW_HEARTBEAT_CHUNK, lock);
    double done = (double)work->computed / work->planned;
    rw_progress_range outer_range =
        rw_progress_narrow(done < 1 ? done : 1, done + 1 / work->planned < 1 ? done + 1 / work->planned : 1);
    rw_status status = rw_chunk_is_done(run, number) ? RW_OK : compute(work, number); /* done by now? */
    rw_progress_range_set(outer_range);
    rw_heartbeat_set(work->heartbeat, RW_HEARTBEAT_CHUNK, NULL);
    rw_claim_release(lock);
    return status;
}

static rw_status work_through_shard(shard_work *work, size_t shard)
{
    const rw_network_run_state *run = &work->call->run;
    for (size_t i = shard - 1; i < rw_chunk_count(run); i += run->options.shards)
        RW_TRY(claim_chunk(work, i));
    return RW_OK;
}

/* Shares whose process has died; *others: how many live processes there are beside this one. */
static rw_status adopt_dead(shard_work *work, int unseen_are_dead, size_t *others)
{
    const rw_network_run_state *run = &work->call->run;
    char path[RW_NETWORK_PATH_MAX];
    *others = 0;
    for (size_t shard = 1; shard <= run->options.shards; shard++) {
        if (shard == run->options.shard)
            continue;
        shard_path(run, shard, path);
        rw_claim_state state = rw_claim_look(path, run->options.stale_s);
        *others += state == RW_CLAIM_HELD;
        if (state != RW_CLAIM_DEAD && !(state == RW_CLAIM_FREE && unseen_are_dead))
            continue;
        size_t before = work->computed;
        RW_TRY(work_through_shard(work, shard));
        work->adopted += work->computed - before;
        if (state == RW_CLAIM_DEAD)
            rw_claim_release(path);
    }
    return RW_OK;
}

/* Until all parts are there: shares that are never seen are dead after a while, too. */
static rw_status adopt_until_done(shard_work *work)
{
    const rw_network_run_state *run = &work->call->run;
    double start_s = rw_seconds();
    size_t others;
    RW_TRY(adopt_dead(work, 0, &others));
    while (run->options.wait && rw_chunks_done(run) < rw_chunk_count(run)) {
        const struct timespec pause = {.tv_nsec = 200000000};
        nanosleep(&pause, NULL);
        RW_TRY(adopt_dead(work, rw_seconds() - start_s > run->options.stale_s, &others));
        RW_TRY(rw_progress(run->context, (double)rw_chunks_done(run) / (double)rw_chunk_count(run), "waiting"));
    }
    return RW_OK;
}

static rw_status work_on_own_shard(shard_work *work)
{
    const rw_network_run_state *run = &work->call->run;
    char path[RW_NETWORK_PATH_MAX];
    int is_acquired;
    shard_path(run, run->options.shard, path);
    RW_TRY(rw_claim_acquire(run->context, path, run->options.stale_s, &is_acquired));
    rw_heartbeat_set(work->heartbeat, RW_HEARTBEAT_SHARD, is_acquired ? path : NULL);
    rw_status status = work_through_shard(work, run->options.shard);
    if (is_acquired)
        rw_claim_release(path);
    rw_heartbeat_set(work->heartbeat, RW_HEARTBEAT_SHARD, NULL);
    return status == RW_OK ? adopt_until_done(work) : status;
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
    const rw_network_options *options = &call->run.options;
    rw_progress_range_set((rw_progress_range){0, 1});
    work->call = call;
    work->planned = (double)(rw_chunk_count(&call->run) + options->shards - 1) / (double)options->shards;
    double start_s = rw_seconds();
    RW_TRY(begin_network_run(call));
    RW_TRY(rw_chunk_work_create(call, &work->chunk));
    work->chunk.load_s = rw_seconds() - start_s; /* the mean height of roofs of a region that comes block by block */
    rw_status status = rw_heartbeat_start(call->run.context, options->stale_s / 4, &work->heartbeat);
    if (status == RW_OK)
        status = work_on_own_shard(work);
    rw_heartbeat_stop(work->heartbeat);
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
    network_report.adopted = work.adopted;
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
