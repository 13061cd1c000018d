/* How much memory the process may still take (base/memory.h). */
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- control groups --- */

/* A file of one number; infinite where there is none, or where it says "max". */
static double read_number_file(const char *folder, const char *name)
{
    char path[4200];
    unsigned long long number;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    int found = file && fscanf(file, "%llu", &number) == 1;
    if (file)
        fclose(file);
    return found ? (double)number : INFINITY;
}

/* Memory of the group that holds copies of files, and is given up where it is needed. */
static double read_cache(const char *folder)
{
    static const char *const names[] = {"inactive_file", "active_file", "total_inactive_file", "total_active_file"};
    double found[4] = {0};
    char path[4200], line[256], name[64];
    unsigned long long number;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        for (int i = 0; i < 4; i++)
            if (sscanf(line, "%63s %llu", name, &number) == 2 && strcmp(name, names[i]) == 0)
                found[i] = (double)number;
    if (file)
        fclose(file);
    return fmax(found[0] + found[1], found[2] + found[3]); /* the first version's totals hold the first two */
}

static double measure_group_free(const char *folder)
{
    double limit = fmin(read_number_file(folder, "memory.max"), read_number_file(folder, "memory.limit_in_bytes"));
    double used = fmin(read_number_file(folder, "memory.current"), read_number_file(folder, "memory.usage_in_bytes"));
    if (isinf(limit) || isinf(used))
        return INFINITY;
    return fmax(0, limit - fmax(0, used - read_cache(folder)));
}

double rw_memory_free_in_group(const char *mount, const char *group)
{
    char folder[4096];
    size_t root = strlen(mount);
    double free_bytes = INFINITY;
    if (root + strlen(group) >= sizeof folder)
        return free_bytes;
    strcpy(folder, mount);
    strcpy(folder + root, group);
    for (;;) {
        free_bytes = fmin(free_bytes, measure_group_free(folder));
        char *slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < root)
            return free_bytes;
        *slash = 0;
    }
}

/* The group is named by a line of /proc/self/cgroup: "0::/path" of the second version, "4:memory:/path" of the first.
 */
static double measure_groups_free(void)
{
    char line[4096];
    double free_bytes = INFINITY;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        if (!controllers[1])
            free_bytes = fmin(free_bytes, rw_memory_free_in_group("/sys/fs/cgroup", group));
        else if (strstr(controllers, "memory"))
            free_bytes = fmin(free_bytes, rw_memory_free_in_group("/sys/fs/cgroup/memory", group));
    }
    if (file)
        fclose(file);
    return free_bytes;
}

/* --- the process and the machine --- */

static double read_resource_limit(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (double)limit.rlim_cur : INFINITY;
}

static double measure_process_free(void)
{
    double space = read_resource_limit(RLIMIT_AS), data = read_resource_limit(RLIMIT_DATA);
    unsigned long long pages[6];
    if (isinf(space) && isinf(data))
        return INFINITY;
    FILE *file = fopen("/proc/self/statm", "r");
    int found = file && fscanf(file, "%llu %llu %llu %llu %llu %llu", &pages[0], &pages[1], &pages[2], &pages[3],
                               &pages[4], &pages[5]) == 6;
    if (file)
        fclose(file);
    double page = (double)sysconf(_SC_PAGESIZE);
    return fmax(0, found ? fmin(space - page * (double)pages[0], data - page * (double)pages[5]) : fmin(space, data));
}

static double measure_machine_free(void)
{
    double available = 64e9;
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file)
        return available;
    char line[256];
    unsigned long long kilobytes;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu", &kilobytes) == 1)
            available = 1024.0 * (double)kilobytes;
    fclose(file);
    return available;
}

double rw_memory_available(void)
{
    return fmin(measure_machine_free(), fmin(measure_groups_free(), measure_process_free()));
}

double rw_memory_peak(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return 1024.0 * (double)usage.ru_maxrss;
}
