/* bench, reproduce: finds the program rasterwave-bench and becomes it. The benchmark is a program of its own, because
 * it loads libraries that only a comparison needs. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BENCH_PROGRAM "rasterwave-bench"
#define ARGUMENTS_MAX 24

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

static void add_option_value(struct arguments *arguments, const char *option, const char *value)
{
    add_flag(arguments, option, value != NULL);
    add_flag(arguments, value, value != NULL);
}

/* Becomes the program at FOLDER/path where FOLDER holds this one; returns where there is none. */
static void execute_sibling(const char *path, struct arguments *arguments)
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

/* What both commands say: data, machine, and how to answer. Becomes the program; returns the exit status where there is
 * none. */
static int become_bench(const struct settings *settings, struct arguments *arguments)
{
    static const char *const backends[] = {
        [RW_BACKEND_AUTO] = "auto", [RW_BACKEND_CPU] = "cpu", [RW_BACKEND_CUDA] = "cuda"};
    char threads[16];
    snprintf(threads, sizeof threads, "%d", settings->threads);
    add_option_value(arguments, "--data", settings->data);
    add_option_value(arguments, "--backend", backends[settings->backend]);
    add_option_value(arguments, "--threads", settings->threads > 0 ? threads : NULL);
    add_flag(arguments, "--json", settings->json);
    add_flag(arguments, "--quiet", settings->quiet);
    execute_sibling(BENCH_PROGRAM, arguments);
    execute_sibling("../libexec/rasterwave/" BENCH_PROGRAM, arguments);
    execvp(BENCH_PROGRAM, arguments->items);
    if (errno != ENOENT)
        return report_error(BENCH_PROGRAM " does not start: %s", strerror(errno));
    return report_error(
        "the benchmark is a program of its own, " BENCH_PROGRAM ", and is not installed: it is looked for "
        "beside rasterwave and on PATH; install the package that holds it, or build it from the sources");
}

int command_bench(struct call *call)
{
    const struct settings *settings = &call->settings;
    if (check_picture_name("plot", settings->plot) || check_output_file("plot", settings->plot))
        return 2;
    struct arguments arguments = {.items = {"rasterwave"}, .count = 1}; /* its messages begin with its name */
    add_option_value(&arguments, "--only", settings->only);
    add_option_value(&arguments, "--plot", settings->plot);
    return become_bench(settings, &arguments);
}

int command_reproduce(struct call *call)
{
    const struct settings *settings = &call->settings;
    char limit[32];
    if (!settings->input)
        return report_error("reproduce needs the name of a paper: shadow, images, beams, cubes or tiles");
    if (!settings->out)
        return report_error("reproduce needs --out DIR, the folder that the page and its pictures are written into");
    snprintf(limit, sizeof limit, "%d", settings->limit_s);
    struct arguments arguments = {.items = {"rasterwave"}, .count = 1};
    add_option_value(&arguments, "--reproduce", settings->input);
    add_option_value(&arguments, "--out", settings->out);
    add_option_value(&arguments, "--limit", settings->limit_s >= 0 ? limit : NULL);
    add_flag(&arguments, "--tiny", settings->tiny);
    return become_bench(settings, &arguments);
}
