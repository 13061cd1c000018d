/* bench: finds the program rasterwave-bench and becomes it. The benchmark is a program of its own, because it loads
 * libraries that only a comparison needs. */
#include "call.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BENCH_PROGRAM "rasterwave-bench"
#define ARGUMENTS_MAX 16

/* Its arguments: the settings in the form that it reads. */
struct arguments {
    char *items[ARGUMENTS_MAX];
    size_t count;
};

static void add_flag(struct arguments *arguments, const char *option, int wanted)
{
    if (wanted)
        arguments->items[arguments->count++] = (char *)option;
}

static void add(struct arguments *arguments, const char *option, const char *value)
{
    add_flag(arguments, option, value != NULL);
    add_flag(arguments, value, value != NULL);
}

/* Becomes the program at FOLDER/path where FOLDER holds this one; returns where there is none. */
static void execute_beside(const char *path, struct arguments *arguments)
{
    char own[PATH_MAX], found[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length < 1)
        return;
    own[length] = 0;
    *strrchr(own, '/') = 0;
    if (snprintf(found, sizeof found, "%s/%s", own, path) < (int)sizeof found)
        execv(found, arguments->items);
}

int command_bench(struct call *call)
{
    static const char *const backends[] = {
        [RW_BACKEND_AUTO] = "auto", [RW_BACKEND_CPU] = "cpu", [RW_BACKEND_CUDA] = "cuda"};
    const struct settings *settings = &call->settings;
    if (check_picture_name("plot", settings->plot) || check_file_place("plot", settings->plot))
        return 2;
    char threads[16];
    snprintf(threads, sizeof threads, "%d", settings->threads);
    struct arguments arguments = {.items = {"rasterwave"}, .count = 1}; /* its messages begin with its name */
    add(&arguments, "--only", settings->only);
    add(&arguments, "--data", settings->data);
    add(&arguments, "--backend", backends[settings->backend]);
    add(&arguments, "--threads", settings->threads > 0 ? threads : NULL);
    add(&arguments, "--plot", settings->plot);
    add_flag(&arguments, "--json", settings->json);
    add_flag(&arguments, "--quiet", settings->quiet);
    execute_beside(BENCH_PROGRAM, &arguments);
    execute_beside("../libexec/rasterwave/" BENCH_PROGRAM, &arguments);
    execvp(BENCH_PROGRAM, arguments.items);
    if (errno != ENOENT)
        return complain(BENCH_PROGRAM " does not start: %s", strerror(errno));
    return complain("the benchmark is a program of its own, " BENCH_PROGRAM ", and is not installed: it is looked for "
                    "beside rasterwave and on PATH; install the package that holds it, or build it from the sources");
}
