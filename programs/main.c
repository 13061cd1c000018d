/* The program rasterwave: finds the command, reads its options, runs it. */
#include "cli/cli.h"
#include "commands/network.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct command *const commands[] = {&predict_command,
                                          &network_command,
                                          &merge_command,
                                          &plan_command,
                                          &paths_command,
                                          &link_command,
                                          &preprocess_command,
                                          &generate_command,
                                          &import_command,
                                          &render_command,
                                          &polygons_command,
                                          &statistics_command,
                                          &compare_command,
                                          &evaluate_command,
                                          &calibrate_command,
                                          &info_command,
                                          &bench_command,
                                          &reproduce_command,
                                          &repeat_command,
                                          &calc_command,
                                          &share_command,
                                          &serve_command,
                                          NULL};

const struct command *find_command(const char *name)
{
    for (const struct command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

static int report_unknown_command(const char *name)
{
    const char *names[32] = {0};
    for (size_t i = 0; commands[i]; i++)
        names[i] = commands[i]->name;
    const char *nearest = nearest_name(name, names);
    if (nearest)
        return report_error("there is no command '%s'; did you mean '%s'?", name, nearest);
    return report_error("there is no command '%s'; see rasterwave --help", name);
}

static int print_version(void)
{
    const char *feature = rw_build_features();
    printf("rasterwave %s\n", rw_version());
    if (!*feature)
        puts("  no optional libraries");
    while (*feature) {
        size_t length = strcspn(feature, "|");
        printf("  %.*s\n", (int)length, feature);
        feature += length + (feature[length] != 0);
    }
    return 0;
}

int begin_call(struct call *call, const struct command *command)
{
    *call = (struct call){.command = command, .device = -1};
    call->settings = calloc(1, command->settings_size);
    if (!call->settings)
        return report_out_of_memory("the options");
    if (command->defaults)
        memcpy(call->settings, command->defaults, command->settings_size);
    return 0;
}

void end_call(struct call *call)
{
    rw_inputs_end(call->inputs);
    rw_context_destroy(call->context);
    for (size_t i = 0; i < call->string_count; i++)
        free(call->strings[i]);
    free(call->strings);
    free(call->argument);
    for (size_t i = 0; i < call->warning_count; i++)
        free(call->warnings[i]);
    free(call->skipped);
    if (call->settings)
        free_option_lists(call);
    free(call->settings);
}

/* Options are read with a plain context, because the backend is an option. */
static int start_context(struct call *call)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = call->backend;
    options.threads = call->threads;
    options.allow_outside = call->allow_outside;
    options.on_warning = on_warning;
    options.on_progress = on_progress;
    options.on_estimate = on_estimate;
    options.user = call;
    rw_context_destroy(call->context);
    TRY_RW(call, rw_context_create(&options, &call->context));
    return 0;
}

static int run_call(struct call *call, const struct command *command, int argc, char **argv)
{
    TRY(begin_call(call, command));
    call->backend = RW_BACKEND_CPU;
    TRY(start_context(call));
    call->backend = RW_BACKEND_AUTO;
    TRY(read_arguments(call, argc, argv));
    if (accepts_option(command, "device"))
        choose_device(call);
    if (accepts_option(command, "backend") || call->threads || call->allow_outside)
        TRY(start_context(call));
    TRY_RW(call, rw_inputs_begin(call->context, &call->inputs));
    TRY(set_provenance(call, NULL, NULL));
    TRY(command->run(call));
    if (call->warning_count)
        print_warnings(call);
    return 0;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct call call;
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "--json=true") == 0)
            print_errors_as_json(1);
    int exit_status = run_call(&call, command, argc, argv);
    end_call(&call);
    return exit_status;
}

static int wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

/* --help, with --model NAME the options of that model, as text or JSON. */
static int print_command_help(const struct command *command, int argc, char **argv)
{
    const char *model = NULL;
    int json = 0;
    for (int i = 0; i < argc; i++) {
        struct option_argument parsed;
        if (strncmp(argv[i], "--", 2) != 0 || split_option(argc, argv, &i, &parsed))
            continue;
        if (strcmp(parsed.name, "model") == 0 && parsed.string)
            model = parsed.string;
        json |= strcmp(parsed.name, "json") == 0;
    }
    if (!command->calls || (!model && !json)) {
        print_help(command);
        return 0;
    }
    model = model ? model : "shadow";
    if (rw_model_option_count(model) == 0)
        return report_error("there is no model '%s'; see rasterwave %s --help", model, command->name);
    print_model_help(command, model, json);
    return 0;
}

static int run_project(int argc, char **argv)
{
    char name[64];
    int exit_status = read_project_command(argv[0], name, sizeof name);
    if (exit_status)
        return exit_status;
    const struct command *command = find_command(name);
    if (!command || !command->run)
        return report_unknown_command(name);
    return run_command(command, argc, argv);
}

static int run_command_line(int argc, char **argv)
{
    const char *first = argv[1];
    if (strcmp(first, "--version") == 0)
        return print_version();
    const struct command *command = find_command(strcmp(first, "help") == 0 && argc > 2 ? argv[2] : first);
    if (strcmp(first, "help") == 0 && command && command->options) {
        print_help(command);
        return 0;
    }
    if (strcmp(first, "help") == 0 && argc > 2 && strcmp(argv[2], "options") == 0) {
        if (argc > 3 && strcmp(argv[3], "--json") == 0)
            print_option_types();
        else
            print_all_options();
        return 0;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
        print_overview();
        return 0;
    }
    if (is_project(first))
        return run_project(argc - 1, argv + 1);
    if (!command)
        return report_unknown_command(first);
    if (command->run_raw)
        return command->run_raw(argc - 1, argv + 1);
    if (wants_help(argc - 2, argv + 2))
        return print_command_help(command, argc - 2, argv + 2);
    return run_command(command, argc - 2, argv + 2);
}

/* What was printed must have arrived, also where nothing else failed. */
static int end_output(int exit_status)
{
    int failed = ferror(stdout);
    if (exit_status || (fflush(stdout) == 0 && !failed))
        return exit_status;
    report_error("standard output cannot be written");
    return 1;
}

int main(int argc, char **argv)
{
    /* A file that grows beyond a limit, or a reader that goes away, is an error of writing, not the end of the process.
     */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    catch_interrupts();
    if (argc < 2) {
        report_error("which command? see rasterwave --help");
        return 2;
    }
    return end_output(run_command_line(argc, argv));
}
