/* Which share of the work a process has: said by hand (--shard I/N), or by what has started it: srun, mpirun, a Slurm
 * array, a Kubernetes indexed job, GNU parallel. */
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A whole number of the environment; -1 where there is none. */
static long number_of(const char *name)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return -1;
    errno = 0;
    long number = strtol(text, &end, 10);
    return *end || errno || number < 0 ? -1 : number;
}

static int take_text(const char *text, struct share *share)
{
    char *slash, *end;
    errno = 0;
    unsigned long number = strtoul(text, &slash, 10);
    unsigned long count = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;
    if (*slash != '/' || *end || errno || text[0] < '0' || text[0] > '9' || slash[1] < '0' || slash[1] > '9' ||
        number < 1 || number > count || count > 1000000)
        return complain("--shard %s: expected the share and their number, from 1, such as 2/8", text);
    *share = (struct share){number, count, 0, "--shard"};
    return 0;
}

/* Processes that are started together: rank and number. */
static const struct {
    const char *rank, *count, *from;
} together[] = {{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun"},
                {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpirun"},
                {"PMI_RANK", "PMI_SIZE", "mpirun"},
                {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "mpirun"}};

static void take_ranks(struct share *share)
{
    for (size_t i = 0; i < sizeof together / sizeof *together && share->count == 1; i++) {
        long rank = number_of(together[i].rank), count = number_of(together[i].count);
        if (rank >= 0 && count > 1 && rank < count)
            *share = (struct share){(size_t)rank + 1, (size_t)count, 1, together[i].from};
    }
}

/* One of several jobs, each of which may have several processes. */
static void take_job(long index, long count, const char *from, struct share *share)
{
    if (index < 0 || count < 2 || index >= count)
        return;
    share->number += (size_t)index * share->count;
    share->wait = share->wait && share->count > 1;
    share->count *= (size_t)count;
    share->from = from;
}

static void take_jobs(struct share *share)
{
    long least = number_of("SLURM_ARRAY_TASK_MIN"), step = number_of("SLURM_ARRAY_TASK_STEP");
    long task = number_of("SLURM_ARRAY_TASK_ID"), shards = number_of("RASTERWAVE_SHARDS");
    size_t before = share->count;
    if (task >= 0 && least >= 0)
        take_job((task - least) / (step > 0 ? step : 1), number_of("SLURM_ARRAY_TASK_COUNT"), "Slurm array", share);
    if (share->count == before)
        take_job(number_of("JOB_COMPLETION_INDEX"), shards > 0 ? shards : number_of("JOB_COMPLETIONS"),
                 "Kubernetes job", share);
    if (share->count == before)
        take_job(number_of("PARALLEL_SEQ") - 1, shards, "GNU parallel", share);
}

int find_share(const struct call *call, struct share *share)
{
    *share = (struct share){1, 1, 0, "one process"};
    if (call->settings.shard)
        return take_text(call->settings.shard, share);
    take_ranks(share);
    take_jobs(share);
    return 0;
}

void choose_device(const struct call *call)
{
    char text[24];
    long local = number_of("SLURM_LOCALID");
    if (local < 0)
        local = number_of("OMPI_COMM_WORLD_LOCAL_RANK");
    if (local < 0)
        local = number_of("MPI_LOCALRANKID");
    if (call->settings.device >= 0)
        snprintf(text, sizeof text, "%d", call->settings.device);
    else if (local > 0 && !getenv("CUDA_VISIBLE_DEVICES") && access("/proc/driver/nvidia/gpus", F_OK) == 0)
        snprintf(text, sizeof text, "%ld", local);
    else
        return;
    setenv("CUDA_VISIBLE_DEVICES", text, 1);
}
