/* The program rasterwave-bench: performance of this machine, as a table or as JSON. `rasterwave bench` runs it. */
#include "base/path.h"
#include "bench/bench.h"
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

static int print_bench_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int print_bench_error(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s: ", own_name);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    return BAD_CALL_EXIT;
}

static int print_bench_help(void)
{
    puts("rasterwave-bench: what this machine does, beside the papers' tables\nUsage: rasterwave-bench [options]");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        printf("  --%-9s %-9s %s\n", options[i].name, options[i].value ? options[i].value : "", options[i].help);
    return 0;
}

static const bench_option *find_bench_option(const char *argument)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strncmp(argument, "--", 2) == 0 && strcmp(argument + 2, options[i].name) == 0)
            return &options[i];
    return NULL;
}

static int read_bench_arguments(int argc, char **argv, arguments *parsed)
{
    for (int i = 1; i < argc; i++) {
        const bench_option *option = find_bench_option(argv[i]);
        if (!option)
            return print_bench_error("there is no option '%s'; see rasterwave-bench --help", argv[i]);
        char *member = (char *)parsed + option->at;
        if (!option->value) {
            *(int *)member = 1;
            continue;
        }
        if (i + 1 == argc)
            return print_bench_error("%s needs a value: %s", argv[i], option->value);
        *(const char **)member = argv[++i];
    }
    if (parsed->data && access(parsed->data, R_OK | X_OK) != 0)
        return print_bench_error("--data %s: the folder cannot be read: %s", parsed->data, strerror(errno));
    if (parsed->plot && !rw_path_has_extension(parsed->plot, ".png"))
        return print_bench_error("--plot %s: pictures are written as NAME.png", parsed->plot);
    return 0;
}

static void print_bench_message(const char *message)
{
    print_bench_error("%s", message);
}

/* The context that the arguments ask for. Returns the exit status. */
static int make_context(const arguments *parsed, rw_bench_watch *watch, rw_context **context)
{
    static const char *const backends[] = {"auto", "cpu", "cuda"};
    rw_context_options context_options;
    rw_context_options_init(&context_options);
    context_options.on_warning = rw_bench_watch_warn;
    context_options.on_progress = rw_bench_watch_progress;
    context_options.user = watch;
    size_t backend = 0;
    while (parsed->backend && backend < 3 && strcmp(parsed->backend, backends[backend]) != 0)
        backend++;
    if (backend == 3)
        return print_bench_error("--backend %s: use auto, cpu or cuda", parsed->backend);
    context_options.backend = (rw_backend)backend;
    char *end = NULL;
    long threads = parsed->threads ? strtol(parsed->threads, &end, 10) : 0;
    if (parsed->threads && (*end || threads < 1 || threads > 1024))
        return print_bench_error("--threads %s: use a whole number from 1 to 1024", parsed->threads);
    context_options.threads = (int)threads;
    if (rw_context_create(&context_options, context) == RW_OK)
        return 0;
    print_bench_error("%s", rw_last_error(*context));
    return BAD_CALL_EXIT;
}

static int report_library_error(rw_context *context, rw_status status)
{
    const char *message = rw_last_error(context);
    print_bench_error("%s", *message ? message : rw_status_message(status));
    return status < RW_IO ? BAD_CALL_EXIT : 1;
}

/* JSON waits for the end: a run that fails prints none. */
static int finish_bench_report(rw_context *context, const arguments *parsed, const rw_bench_report *report)
{
    if (!report->count)
        return print_bench_error("--only %s: no part of the benchmark has this in its name", parsed->only);
    if (parsed->json)
        rw_bench_report_json(report, rw_context_machine(context), stdout);
    if (report->wrong)
        print_bench_error("%d of %zu results are wrong, so their times mean nothing", report->wrong, report->count);
    if (report->wrong || report->memory_failed)
        return 1;
    rw_status status = parsed->plot ? rw_bench_draw(context, report->items, report->count, parsed->plot) : RW_OK;
    if (status != RW_OK)
        return report_library_error(context, status);
    if (parsed->plot && !parsed->json && !parsed->quiet)
        puts(parsed->plot);
    return 0;
}

#define LIMIT_S 120.0

/* The command that the page names: as `rasterwave` takes it. */
static void format_reproduce_command(const arguments *parsed, char *command, size_t size)
{
    snprintf(command, size, "rasterwave reproduce %s%s%s%.16s --out DIR%s", parsed->reproduce,
             parsed->data ? " --data DATA" : "", parsed->limit ? " --limit " : "", parsed->limit ? parsed->limit : "",
             parsed->tiny ? " --tiny" : "");
}

static int reproduce_paper(rw_context *context, const arguments *parsed, rw_bench_watch *watch)
{
    const rw_paper *paper = rw_paper_find(parsed->reproduce);
    char command[256], page[4096], *end = NULL;
    double limit_s = parsed->limit ? strtod(parsed->limit, &end) : LIMIT_S;
    if (!paper)
        return print_bench_error("there is no paper '%s'; there are %s", parsed->reproduce, rw_paper_names());
    if (!parsed->out)
        return print_bench_error(
            "reproduce needs --out DIR, the folder that the page and its pictures are written into");
    if (parsed->limit && (*end || !(limit_s > 0 && limit_s < 1e6)))
        return print_bench_error("--limit %s: use seconds, more than 0", parsed->limit);
    format_reproduce_command(parsed, command, sizeof command);
    rw_status status = rw_reproduce(context, paper, parsed->data, parsed->out, parsed->tiny, limit_s, command, watch);
    if (status != RW_OK)
        return report_library_error(context, status);
    snprintf(page, sizeof page, "%s/%s.md", parsed->out, paper->name);
    if (!parsed->quiet && !parsed->json)
        puts(page);
    if (parsed->json) {
        struct json json;
        json_begin(&json, stdout);
        json_string(&json, "file", page);
        json_string(&json, "version", rw_version());
        json_end(&json);
    }
    return 0;
}

static int run_bench_program(const arguments *parsed)
{
    rw_bench_watch watch = {.print = parsed->quiet ? NULL : print_bench_message};
    rw_context *context = NULL;
    rw_bench_report report = {0};
    int exit_status = make_context(parsed, &watch, &context);
    if (!exit_status && parsed->reproduce) {
        exit_status = reproduce_paper(context, parsed, &watch);
    } else if (!exit_status) {
        report.machine = parsed->json || parsed->quiet ? NULL : rw_context_machine(context);
        rw_status status = rw_bench_run(context, parsed->data, parsed->only, rw_bench_report_add, &report);
        exit_status =
            status == RW_OK ? finish_bench_report(context, parsed, &report) : report_library_error(context, status);
    }
    rw_context_destroy(context);
    free(report.items);
    return exit_status;
}

static int run_bench_arguments(const arguments *parsed)
{
    if (parsed->help)
        return print_bench_help();
    if (parsed->version)
        return printf("rasterwave-bench %s\n", rw_version()) < 0;
    return run_bench_program(parsed);
}

/* Temporary files are removed; then the signal ends the process as usual. */
static void end_interrupted_bench(int number)
{
    rw_remove_unfinished();
    raise(number); /* the handler is gone when it is called */
}

static void catch_bench_interrupts(void)
{
    struct sigaction ours;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = end_interrupted_bench;
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
    catch_bench_interrupts();
    arguments parsed = {0};
    own_name = rw_path_name(argv[0]);
    int exit_status = read_bench_arguments(argc, argv, &parsed);
    if (!exit_status)
        exit_status = run_bench_arguments(&parsed);
    if (!exit_status && (fflush(stdout) != 0 || ferror(stdout))) {
        print_bench_error("standard output cannot be written");
        return 1;
    }
    return exit_status;
}
