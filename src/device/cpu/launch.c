#include "device/device.h"

#include "base/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *best_isa(void)
{
#ifdef RW_ISA_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw"))
        return "avx512";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "avx2";
#endif
    return "baseline";
}

const char *rw_cpu_isa(void)
{
    const char *best = best_isa();
    const char *requested = getenv("RASTERWAVE_ISA");
    if (requested && strcmp(requested, "baseline") == 0)
        return "baseline";
    if (requested && strcmp(requested, "avx2") == 0 && strcmp(best, "avx512") == 0)
        return "avx2";
    return best;
}

static const rw_cpu_loop *find_cpu_loops(const rw_kernel_list *list)
{
    const char *isa = rw_cpu_isa();
    if (strcmp(isa, "avx512") == 0)
        return list->avx512;
    if (strcmp(isa, "avx2") == 0)
        return list->avx2;
    return list->baseline;
}

typedef struct launched {
    rw_cpu_loop loop;
    const void *args;
} launched;

static void run_items(void *user, size_t begin, size_t end)
{
    const launched *kernel = user;
    kernel->loop(kernel->args, begin, end);
}

rw_status rw_cpu_launch(rw_context *context, const rw_kernel_list *list, int kernel, const void *args, size_t count)
{
    launched chosen = {find_cpu_loops(list)[kernel], args};
    return rw_parallel_as(context, (uintptr_t)chosen.loop, list->names[kernel], count, list->grains[kernel], run_items,
                          &chosen);
}

void rw_cpu_describe(char *description, size_t size)
{
    snprintf(description, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            colon[strcspn(colon, "\n")] = 0;
            snprintf(description, size, "%s", colon + 2);
            break;
        }
    }
    fclose(file);
}

int rw_cpu_thread_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (int)count;
}
