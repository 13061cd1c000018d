/* Which shard of the work a process has: said by hand (--shard I/N), or by what has started it: srun, mpirun, a Slurm
 * array, a Kubernetes indexed job, GNU parallel. */
#include "commands/network.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A whole number of the environment; -1 where there is none. */
static long read_environment_number(const char *name)
{
    const char *string = getenv(name);
    char *end;
    if (!string || !*string)
        return -1;
    errno = 0;
    long number = strtol(string, &end, 10);
    return *end || errno || number < 0 ? -1 : number;
}

static int parse_shard_option(const char *string, struct shard *shard)
{
    char *slash, *end;
    errno = 0;
    unsigned long number = strtoul(string, &slash, 10);
    unsigned long count = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;
    if (*slash != '/' || *end || errno || string[0] < '0' || string[0] > '9' || slash[1] < '0' || slash[1] > '9' ||
        number < 1 || number > count || count > 1000000)
        return report_error("--shard %s: expected the shard and their number, from 1, such as 2/8", string);
    *shard = (struct shard){number, count, "--shard"};
    return 0;
}

/* Processes that are started together: rank and number. */
static const struct {
    const char *rank, *count, *from;
} together[] = {{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun"},
                {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpirun"},
                {"PMI_RANK", "PMI_SIZE", "mpirun"},
                {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "mpirun"}};

static void split_by_ranks(struct shard *shard)
{
    for (size_t i = 0; i < sizeof together / sizeof *together && shard->count == 1; i++) {
        long rank = read_environment_number(together[i].rank), count = read_environment_number(together[i].count);
        if (rank >= 0 && count > 1 && rank < count)
            *shard = (struct shard){(size_t)rank + 1, (size_t)count, together[i].from};
    }
}

/* One of several jobs, each of which may have several processes. */
static void split_by_job(long index, long count, const char *from, struct shard *shard)
{
    if (index < 0 || count < 2 || index >= count)
        return;
    shard->number += (size_t)index * shard->count;
    shard->count *= (size_t)count;
    shard->from = from;
}

static void split_by_job_array(struct shard *shard)
{
    long first_task = read_environment_number("SLURM_ARRAY_TASK_MIN"),
         step = read_environment_number("SLURM_ARRAY_TASK_STEP");
    long task = read_environment_number("SLURM_ARRAY_TASK_ID"), shards = read_environment_number("RASTERWAVE_SHARDS");
    size_t before = shard->count;
    if (task >= 0 && first_task >= 0)
        split_by_job((task - first_task) / (step > 0 ? step : 1), read_environment_number("SLURM_ARRAY_TASK_COUNT"),
                     "Slurm array", shard);
    if (shard->count == before)
        split_by_job(read_environment_number("JOB_COMPLETION_INDEX"),
                     shards > 0 ? shards : read_environment_number("JOB_COMPLETIONS"), "Kubernetes job", shard);
    if (shard->count == before)
        split_by_job(read_environment_number("PARALLEL_SEQ") - 1, shards, "GNU parallel", shard);
}

int find_shard(const char *option, struct shard *shard)
{
    *shard = (struct shard){1, 1, "one process"};
    if (option)
        return parse_shard_option(option, shard);
    split_by_ranks(shard);
    split_by_job_array(shard);
    return 0;
}

void choose_device(const struct call *call)
{
    char string[24];
    long local = read_environment_number("SLURM_LOCALID");
    if (local < 0)
        local = read_environment_number("OMPI_COMM_WORLD_LOCAL_RANK");
    if (local < 0)
        local = read_environment_number("MPI_LOCALRANKID");
    if (call->device >= 0)
        snprintf(string, sizeof string, "%d", call->device);
    else if (local > 0 && !getenv("CUDA_VISIBLE_DEVICES") && access("/proc/driver/nvidia/gpus", F_OK) == 0)
        snprintf(string, sizeof string, "%ld", local);
    else
        return;
    setenv("CUDA_VISIBLE_DEVICES", string, 1);
}
