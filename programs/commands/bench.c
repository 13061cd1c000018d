/* bench, reproduce: finds the program rasterwave-bench and becomes it. The benchmark is a program of its own, because
 * it loads libraries that only a comparison needs. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Options of reproduce. */
struct reproduce_settings {
    const char *data, *out;
    int limit_s, tiny;
};

/* Options of bench. */
struct bench_settings {
    const char *only, *data, *plot;
};

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
static int become_bench(const struct call *call, const char *data, struct arguments *arguments)
{
    static const char *const backends[] = {
        [RW_BACKEND_AUTO] = "auto", [RW_BACKEND_CPU] = "cpu", [RW_BACKEND_CUDA] = "cuda"};
    char threads[16];
    snprintf(threads, sizeof threads, "%d", call->threads);
    add_option_value(arguments, "--data", data);
    add_option_value(arguments, "--backend", backends[call->backend]);
    add_option_value(arguments, "--threads", call->threads > 0 ? threads : NULL);
    add_flag(arguments, "--json", call->json);
    add_flag(arguments, "--quiet", call->quiet);
    execute_sibling(BENCH_PROGRAM, arguments);
    execute_sibling("../libexec/rasterwave/" BENCH_PROGRAM, arguments);
    execvp(BENCH_PROGRAM, arguments->items);
    if (errno != ENOENT)
        return report_error(BENCH_PROGRAM " does not start: %s", strerror(errno));
    return report_error(
        "the benchmark is a program of its own, " BENCH_PROGRAM ", and is not installed: it is looked for "
        "beside rasterwave and on PATH; install the package that holds it, or build it from the sources");
}

static int run_bench(struct call *call)
{
    const struct bench_settings *settings = call->settings;
    if (check_picture_name("plot", settings->plot) || check_output_file("plot", settings->plot))
        return 2;
    struct arguments arguments = {.items = {"rasterwave"}, .count = 1}; /* its messages begin with its name */
    add_option_value(&arguments, "--only", settings->only);
    add_option_value(&arguments, "--plot", settings->plot);
    return become_bench(call, settings->data, &arguments);
}

static int run_reproduce(struct call *call)
{
    const struct reproduce_settings *settings = call->settings;
    char limit[32];
    if (!call->input)
        return report_error("reproduce needs the name of a paper: shadow, images, beams, cubes or tiles");
    if (!settings->out)
        return report_error("reproduce needs --out DIR, the folder that the page and its pictures are written into");
    snprintf(limit, sizeof limit, "%d", settings->limit_s);
    struct arguments arguments = {.items = {"rasterwave"}, .count = 1};
    add_option_value(&arguments, "--reproduce", call->input);
    add_option_value(&arguments, "--out", settings->out);
    add_option_value(&arguments, "--limit", settings->limit_s >= 0 ? limit : NULL);
    add_flag(&arguments, "--tiny", settings->tiny);
    return become_bench(call, settings->data, &arguments);
}

#define AT(member) offsetof(struct bench_settings, member)
static const struct command_option bench_options[] = {{"only", AT(only)},   {"data", AT(data)}, {"backend", OF_CALL},
                                                      {"threads", OF_CALL}, {"json", OF_CALL},  {"quiet", OF_CALL},
                                                      {"+paths", OF_CALL},  {"plot", AT(plot)}, {NULL, 0}};
#undef AT

const struct command bench_command = {
    .name = "bench",
    .summary = "times on this machine; reproduce: tables and figures of the papers",
    .options = bench_options,
    .settings_size = sizeof(struct bench_settings),
    .examples = {"rasterwave bench --only los", "rasterwave bench --only los --threads 1 --json"},
    .run = run_bench};

#define AT(member) offsetof(struct reproduce_settings, member)
static const struct command_option reproduce_options[] = {
    {"data", AT(data)},   {"limit", AT(limit_s)}, {"tiny", AT(tiny)},
    {"backend", OF_CALL}, {"threads", OF_CALL},   {"out", AT(out)},
    {"json", OF_CALL},    {"quiet", OF_CALL},     {NULL, 0}};
#undef AT

static const struct reproduce_settings reproduce_defaults = {.limit_s = -1};

const struct command reproduce_command = {.name = "reproduce",
                                          .summary = "a paper's tables and figures beside its numbers, as a page",
                                          .input = "shadow|images|beams|cubes|tiles",
                                          .input_is_word = 1,
                                          .options = reproduce_options,
                                          .settings_size = sizeof(struct reproduce_settings),
                                          .defaults = &reproduce_defaults,
                                          .examples = {"rasterwave reproduce shadow --tiny --out pages",
                                                       "rasterwave reproduce shadow --data data --out pages"},
                                          .run = run_reproduce};
