/* The program rasterwave-bench: performance of this machine, as a table or as JSON. `rasterwave bench` runs it. */
#include "base/path.h"
#include "bench/report.h"
#include "bench/reproduce/reproduce.h"
#include "programs/report/json.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAD_CALL_EXIT 2

typedef struct arguments {
    const char *only, *data, *plot, *backend, *threads, *reproduce, *out, *limit;
    int tiny, json, quiet, help, version;
} arguments;

/* One option: where its text goes, or which flag it raises. */
typedef struct bench_option {
    const char *name, *value, *help;
    size_t at;
} bench_option;

#define AT(member) offsetof(arguments, member)
static const bench_option options[] = {
    {"only", "NAME", "one group of the benchmark", AT(only)},
    {"data", "DIR", "folder of the papers' data", AT(data)},
    {"backend", "NAME", "auto, cpu or cuda (auto)", AT(backend)},
    {"threads", "N", "CPU threads (all)", AT(threads)},
    {"plot", "FILE.png", "curves as a picture", AT(plot)},
    {"reproduce", "PAPER", "a page of a paper's tables and figures, in place of the benchmark", AT(reproduce)},
    {"out", "DIR", "folder of the page", AT(out)},
    {"limit", "S", "longest time of one measurement of the page (120)", AT(limit)},
    {"tiny", NULL, "a page of a tiny scene, in seconds", AT(tiny)},
    {"json", NULL, "one JSON object on standard output", AT(json)},
    {"quiet", NULL, "no output but errors", AT(quiet)},
    {"help", NULL, "this text", AT(help)},
    {"version", NULL, "version of the library that is measured", AT(version)},
};

static const char *own_name; /* as it was called: `rasterwave bench` speaks as rasterwave */

static int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int complain(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s: ", own_name);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    return BAD_CALL_EXIT;
}

static int print_help(void)
{
    puts("rasterwave-bench: what this machine does, beside the papers' tables\nUsage: rasterwave-bench [options]");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        printf("  --%-9s %-9s %s\n", options[i].name, options[i].value ? options[i].value : "", options[i].help);
    return 0;
}

static const bench_option *find_option(const char *argument)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strncmp(argument, "--", 2) == 0 && strcmp(argument + 2, options[i].name) == 0)
            return &options[i];
    return NULL;
}

static int read_arguments(int argc, char **argv, arguments *given)
{
    for (int i = 1; i < argc; i++) {
        const bench_option *option = find_option(argv[i]);
        if (!option)
            return complain("there is no option '%s'; see rasterwave-bench --help", argv[i]);
        char *member = (char *)given + option->at;
        if (!option->value) {
            *(int *)member = 1;
            continue;
        }
        if (i + 1 == argc)
            return complain("%s needs a value: %s", argv[i], option->value);
        *(const char **)member = argv[++i];
    }
    if (given->data && access(given->data, R_OK | X_OK) != 0)
        return complain("--data %s: the folder cannot be read: %s", given->data, strerror(errno));
    if (given->plot && !rw_path_has_extension(given->plot, ".png"))
        return complain("--plot %s: pictures are written as NAME.png", given->plot);
    return 0;
}

static void print_warning(void *user, const char *message)
{
    const arguments *given = user;
    if (!given->quiet)
        complain("warning: %s", message);
}

/* The context that the arguments ask for. Returns the exit status. */
static int make_context(arguments *given, rw_context **context)
{
    static const char *const backends[] = {"auto", "cpu", "cuda"};
    rw_context_options asked;
    rw_context_options_init(&asked);
    asked.on_warning = print_warning;
    asked.user = given;
    size_t backend = 0;
    while (given->backend && backend < 3 && strcmp(given->backend, backends[backend]) != 0)
        backend++;
    if (backend == 3)
        return complain("--backend %s: use auto, cpu or cuda", given->backend);
    asked.backend = (rw_backend)backend;
    char *end = NULL;
    long threads = given->threads ? strtol(given->threads, &end, 10) : 0;
    if (given->threads && (*end || threads < 1 || threads > 1024))
        return complain("--threads %s: use a whole number from 1 to 1024", given->threads);
    asked.threads = (int)threads;
    if (rw_context_create(&asked, context) == RW_OK)
        return 0;
    complain("%s", rw_last_error(*context));
    return BAD_CALL_EXIT;
}

static int fail(rw_context *context, rw_status status)
{
    const char *sentence = rw_last_error(context);
    complain("%s", *sentence ? sentence : rw_status_text(status));
    return status < RW_IO ? BAD_CALL_EXIT : 1;
}

/* JSON waits for the end: a run that fails prints none. */
static int finish(rw_context *context, const arguments *given, const rw_bench_report *report)
{
    if (!report->count)
        return complain("--only %s: no part of the benchmark has this in its name", given->only);
    if (given->json)
        rw_bench_report_json(report, rw_context_machine(context), stdout);
    if (report->wrong)
        complain("%d of %zu results are wrong, so their times mean nothing", report->wrong, report->count);
    if (report->wrong || report->memory_failed)
        return 1;
    rw_status status = given->plot ? rw_bench_draw(context, report->items, report->count, given->plot) : RW_OK;
    if (status != RW_OK)
        return fail(context, status);
    if (given->plot && !given->json && !given->quiet)
        puts(given->plot);
    return 0;
}

#define LIMIT_S 120.0

/* The command that the page names: as `rasterwave` takes it. */
static void command_text(const arguments *given, char *text, size_t size)
{
    snprintf(text, size, "rasterwave reproduce %s%s%s%.16s --out DIR%s", given->reproduce,
             given->data ? " --data DATA" : "", given->limit ? " --limit " : "", given->limit ? given->limit : "",
             given->tiny ? " --tiny" : "");
}

static int reproduce(rw_context *context, const arguments *given)
{
    const rw_paper *paper = rw_paper_find(given->reproduce);
    char command[256], page[4096], *end = NULL;
    double limit_s = given->limit ? strtod(given->limit, &end) : LIMIT_S;
    if (!paper)
        return complain("there is no paper '%s'; there are %s", given->reproduce, rw_paper_names());
    if (!given->out)
        return complain("reproduce needs --out DIR, the folder that the page and its pictures are written into");
    if (given->limit && (*end || !(limit_s > 0 && limit_s < 1e6)))
        return complain("--limit %s: use seconds, more than 0", given->limit);
    command_text(given, command, sizeof command);
    rw_status status = rw_reproduce(context, paper, given->data, given->out, given->tiny, limit_s, command);
    if (status != RW_OK)
        return fail(context, status);
    snprintf(page, sizeof page, "%s/%s.md", given->out, paper->name);
    if (!given->quiet && !given->json)
        puts(page);
    if (given->json) {
        struct json json;
        json_begin(&json, stdout);
        json_text(&json, "file", page);
        json_text(&json, "version", rw_version());
        json_end(&json);
    }
    return 0;
}

static int run(arguments *given)
{
    rw_context *context = NULL;
    rw_bench_report report = {0};
    int exit_status = make_context(given, &context);
    if (!exit_status && given->reproduce) {
        exit_status = reproduce(context, given);
    } else if (!exit_status) {
        report.machine = given->json || given->quiet ? NULL : rw_context_machine(context);
        rw_status status = rw_bench_run(context, given->data, given->only, rw_bench_report_add, &report);
        exit_status = status == RW_OK ? finish(context, given, &report) : fail(context, status);
    }
    rw_context_destroy(context);
    free(report.items);
    return exit_status;
}

static int run_arguments(arguments *given)
{
    if (given->help)
        return print_help();
    if (given->version)
        return printf("rasterwave-bench %s\n", rw_version()) < 0;
    return run(given);
}

/* Temporary files are removed; then the signal ends the process as usual. */
static void end_interrupted(int number)
{
    rw_remove_unfinished();
    raise(number); /* the handler is gone when it is called */
}

static void catch_interrupts(void)
{
    struct sigaction ours;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = end_interrupted;
    ours.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGINT, &ours, NULL);
    sigaction(SIGTERM, &ours, NULL);
}

int main(int argc, char **argv)
{
    /* A file that grows beyond a limit, or a reader that goes away, is an error of writing. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    catch_interrupts();
    arguments given = {0};
    own_name = rw_path_name(argv[0]);
    int exit_status = read_arguments(argc, argv, &given);
    if (!exit_status)
        exit_status = run_arguments(&given);
    if (!exit_status && (fflush(stdout) != 0 || ferror(stdout))) {
        complain("standard output cannot be written");
        return 1;
    }
    return exit_status;
}
