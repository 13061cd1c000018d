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

typedef struct share_work {
    rw_network_call *call;
    rw_part_work part;
    rw_heartbeat *heartbeat;
    size_t computed, adopted;
    double planned; /* parts of this share, for progress */
} share_work;

/* "share-2.alive" while a process works on share 2. */
static void share_path(const rw_network_run_state *run, size_t share, char path[RW_NETWORK_PATH_MAX])
{
    snprintf(path, RW_NETWORK_PATH_MAX, "%.3900s/parts/share-%zu-of-%zu.alive", run->options.folder, share,
             run->options.shards);
}

static rw_status compute(share_work *work, size_t number)
{
    RW_TRY(rw_part_solve(&work->part, number));
    double start_s = rw_seconds();
    RW_TRY(rw_part_write(&work->call->run, number, work->part.cells, &work->part.sums));
    work->part.write_s += rw_seconds() - start_s;
    work->computed++;
    return RW_OK;
}

/* Computes a part unless it is done or another process is at it. */
static rw_status take_part(share_work *work, size_t number)
{
    const rw_network_run_state *run = &work->call->run;
    char path[RW_NETWORK_PATH_MAX], lock[RW_NETWORK_PATH_MAX + 8];
    int taken;
    if (rw_part_is_done(run, number))
        return RW_OK;
    rw_part_path(run, number, path);
    snprintf(lock, sizeof lock, "%s.lock", path);
    RW_TRY(rw_claim_take(run->context, lock, run->options.stale_s, &taken));
    if (!taken)
        return RW_OK;
    rw_heartbeat_set(work->heartbeat, RW_HEARTBEAT_PART, lock);
    double done = (double)work->computed / work->planned;
    rw_progress_range whole =
        rw_progress_narrow(done < 1 ? done : 1, done + 1 / work->planned < 1 ? done + 1 / work->planned : 1);
    rw_status status = rw_part_is_done(run, number) ? RW_OK : compute(work, number); /* done by now? */
    rw_progress_range_set(whole);
    rw_heartbeat_set(work->heartbeat, RW_HEARTBEAT_PART, NULL);
    rw_claim_release(lock);
    return status;
}

static rw_status take_share(share_work *work, size_t share)
{
    const rw_network_run_state *run = &work->call->run;
    for (size_t i = share - 1; i < rw_part_count(run); i += run->options.shards)
        RW_TRY(take_part(work, i));
    return RW_OK;
}

/* Shares whose process has died; *others: how many live processes there are beside this one. */
static rw_status adopt_dead(share_work *work, int unseen_are_dead, size_t *others)
{
    const rw_network_run_state *run = &work->call->run;
    char path[RW_NETWORK_PATH_MAX];
    *others = 0;
    for (size_t share = 1; share <= run->options.shards; share++) {
        if (share == run->options.shard)
            continue;
        share_path(run, share, path);
        rw_claim_state state = rw_claim_look(path, run->options.stale_s);
        *others += state == RW_CLAIM_HELD;
        if (state != RW_CLAIM_DEAD && !(state == RW_CLAIM_FREE && unseen_are_dead))
            continue;
        size_t before = work->computed;
        RW_TRY(take_share(work, share));
        work->adopted += work->computed - before;
        if (state == RW_CLAIM_DEAD)
            rw_claim_release(path);
    }
    return RW_OK;
}

/* Until all parts are there: shares that are never seen are dead after a while, too. */
static rw_status adopt_until_done(share_work *work)
{
    const rw_network_run_state *run = &work->call->run;
    double start_s = rw_seconds();
    size_t others;
    RW_TRY(adopt_dead(work, 0, &others));
    while (run->options.wait && rw_parts_done(run) < rw_part_count(run)) {
        const struct timespec pause = {.tv_nsec = 200000000};
        nanosleep(&pause, NULL);
        RW_TRY(adopt_dead(work, rw_seconds() - start_s > run->options.stale_s, &others));
        RW_TRY(rw_progress(run->context, (double)rw_parts_done(run) / (double)rw_part_count(run), "waiting"));
    }
    return RW_OK;
}

static rw_status work_on_share(share_work *work)
{
    const rw_network_run_state *run = &work->call->run;
    char path[RW_NETWORK_PATH_MAX];
    int taken;
    share_path(run, run->options.shard, path);
    RW_TRY(rw_claim_take(run->context, path, run->options.stale_s, &taken));
    rw_heartbeat_set(work->heartbeat, RW_HEARTBEAT_SHARE, taken ? path : NULL);
    rw_status status = take_share(work, run->options.shard);
    if (taken)
        rw_claim_release(path);
    rw_heartbeat_set(work->heartbeat, RW_HEARTBEAT_SHARE, NULL);
    return status == RW_OK ? adopt_until_done(work) : status;
}

/* By the process that comes first; the others find it in the plan. */
static rw_status take_region_roof(rw_network_call *call)
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

static rw_status begin(rw_network_call *call)
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
        RW_TRY(take_region_roof(call));
    return rw_plan_file_write(run);
}

static rw_status run_share(rw_network_call *call, share_work *work)
{
    const rw_network_options *options = &call->run.options;
    rw_progress_range_set((rw_progress_range){0, 1});
    work->call = call;
    work->planned = (double)(rw_part_count(&call->run) + options->shards - 1) / (double)options->shards;
    double start_s = rw_seconds();
    RW_TRY(begin(call));
    RW_TRY(rw_part_work_create(call, &work->part));
    work->part.load_s = rw_seconds() - start_s; /* the mean height of roofs of a region that comes block by block */
    rw_status status = rw_heartbeat_start(call->run.context, options->stale_s / 4, &work->heartbeat);
    if (status == RW_OK)
        status = work_on_share(work);
    rw_heartbeat_stop(work->heartbeat);
    rw_part_work_destroy(&work->part);
    return status;
}

static rw_status run_or_estimate(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                                 const rw_network_options *options, int compute_parts, rw_network_report *report)
{
    rw_network_call call;
    share_work work = {0};
    rw_network_report made = {.size = sizeof made};
    rw_status status = rw_network_open(context, scene, prediction, options, &call);
    if (status == RW_OK && compute_parts)
        status = run_share(&call, &work);
    if (status == RW_OK)
        status = rw_network_describe(&call, &made);
    made.load_s = work.part.load_s;
    made.prepare_s = work.part.prepare_s;
    made.solve_s = work.part.solve_s;
    made.reduce_s = work.part.reduce_s;
    made.write_s = work.part.write_s;
    made.computed = work.computed;
    made.adopted = work.adopted;
    rw_network_close(&call);
    RW_TRY(status);
    return report ? RW_GIVE(context, &made, report) : RW_OK;
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
