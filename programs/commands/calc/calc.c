/* rasterwave calc: finds the subcommand, reads its options, runs it. */
#include "commands/calc/calc.h"

#include "cli/cli.h"

#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BAD_CALL 2

const struct calc_value *calc_values(const struct calc_call *call, const char *name)
{
    static const struct calc_value nothing;
    for (int i = 0; call->command->options[i].name; i++)
        if (strcmp(call->command->options[i].name, name) == 0)
            return &call->values[i];
    return &nothing;
}

double calc_number(const struct calc_call *call, const char *name, double otherwise)
{
    const struct calc_value *value = calc_values(call, name);
    return value->count ? value->numbers[value->count - 1][0] : otherwise;
}

const char *calc_string(const struct calc_call *call, const char *name, const char *otherwise)
{
    const struct calc_value *value = calc_values(call, name);
    return value->count ? value->strings[value->count - 1] : otherwise;
}

static int print_calc_error(const struct calc_call *call, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "rasterwave: calc%s%s: ", call->command ? " " : "", call->command ? call->command->name : "");
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    return BAD_CALL;
}

rw_status calc_fail(struct calc_call *call, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(call->error_message, sizeof call->error_message, format, values);
    va_end(values);
    return RW_BAD_CALL;
}

static void store_calc_warning(void *user, const char *message)
{
    struct calc_call *call = user;
    fprintf(stderr, "rasterwave: warning: %s\n", message);
    if (call->warning_count < CALC_WARNINGS_MAX)
        snprintf(call->warnings[call->warning_count++], CALC_WARNING_SIZE, "%s", message);
}

static void print_calc_help(const struct calc_command *command)
{
    printf("Usage: rasterwave calc %s [options]: %s\n", command->name, command->summary);
    for (const struct calc_option *option = command->options; option->name; option++) {
        char left[64];
        snprintf(left, sizeof left, "--%s %s", option->name, option->value);
        printf("  %-32s%s\n", left, option->help);
    }
    printf("  %-32s%s\n", "--json", "one JSON object on standard output, nothing else");
    printf("Examples:\n  rasterwave calc %s\n  rasterwave calc %s\n", command->examples[0], command->examples[1]);
}

static void print_calc_overview(void)
{
    puts("Usage: rasterwave calc NAME [options]: one number at a time\n");
    for (const struct calc_command *command = calc_commands; command->name; command++)
        printf("  %-18s%s\n", command->name, command->summary);
    puts("\nNumbers take units: 3.5GHz, 6mm, 1.5km, 30deg. A material is a name of ITU-R P.2040 (itu_glass),");
    puts("pec (a perfect conductor) or EPS,SIGMA in S/m. rasterwave calc NAME --help tells the options.");
    puts("Examples:");
    puts("  rasterwave calc material --name itu_concrete --freq 3.5GHz");
    puts("  rasterwave calc knife-edge --nu 1 --json");
}

/* Reads a point "20m,30deg" or "20m,30deg,5m". */
static rw_status read_point(struct calc_call *call, const char *string, double *numbers)
{
    static const rw_quantity quantities[3] = {RW_QUANTITY_LENGTH_M, RW_QUANTITY_ANGLE_DEG, RW_QUANTITY_LENGTH_M};
    int count = read_quantities(call->context, string, quantities, 3, numbers);
    return count >= 2 ? RW_OK : RW_BAD_CALL;
}

static int read_calc_value(struct calc_call *call, const struct calc_option *option, struct calc_value *value,
                           const char *string)
{
    if (value->count == CALC_REPEAT_MAX)
        return print_calc_error(call, "--%s is given more than %d times", option->name, CALC_REPEAT_MAX);
    value->strings[value->count] = string;
    double *numbers = value->numbers[value->count++];
    if (option->kind == CALC_QUANTITY &&
        rw_parse_quantity(call->context, string, option->quantity, &numbers[0]) != RW_OK)
        return print_calc_error(call, "--%s: %s", option->name, rw_last_error(call->context));
    if (option->kind == CALC_POINT && read_point(call, string, numbers) != RW_OK)
        return print_calc_error(call, "--%s: '%s' is no point; write for example 20m,30deg or 20m,30deg,5m",
                                option->name, string);
    return 0;
}

/* The option at argv[*at]; moves *at to its last argument. */
static int read_calc_option(struct calc_call *call, int argc, char **argv, int *at)
{
    const char *argument = argv[*at];
    struct option_argument parsed;
    if (strncmp(argument, "--", 2) != 0)
        return print_calc_error(call, "'%s' is no option; see rasterwave calc %s --help", argument,
                                call->command->name);
    int status = split_option(argc, argv, at, &parsed);
    for (int i = 0; !status && call->command->options[i].name; i++) {
        const struct calc_option *option = &call->command->options[i];
        if (strcmp(option->name, parsed.name) != 0)
            continue;
        if (!parsed.string)
            return print_calc_error(call, "--%s needs a value: %s", option->name, option->value);
        *at += parsed.is_apart;
        return read_calc_value(call, option, &call->values[i], parsed.string);
    }
    return status ? status
                  : print_calc_error(call, "there is no option '%s'; see rasterwave calc %s --help", argument,
                                     call->command->name);
}

static int read_options(struct calc_call *call, int argc, char **argv)
{
    for (int at = 0; at < argc; at++) {
        if (strcmp(argv[at], "--json") == 0) {
            call->json = 1;
            continue;
        }
        int status = read_calc_option(call, argc, argv, &at);
        if (status)
            return status;
    }
    for (int i = 0; call->command->options[i].name; i++)
        if (call->command->options[i].required && !call->values[i].count)
            return print_calc_error(call, "--%s %s is missing", call->command->options[i].name,
                                    call->command->options[i].value);
    return 0;
}

static const struct calc_command *find_calc_command(const char *name)
{
    for (const struct calc_command *command = calc_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static int run_calc_command(struct calc_call *call, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0) {
            print_calc_help(call->command);
            return 0;
        }
    int status = read_options(call, argc, argv);
    if (status)
        return status;
    rw_status answered = call->command->run(call);
    if (answered != RW_OK) {
        print_calc_error(call, "%s", *call->error_message ? call->error_message : rw_last_error(call->context));
        return exit_code_of(answered);
    }
    return 0;
}

static int run_calc(int argc, char **argv)
{
    struct calc_call call;
    memset(&call, 0, sizeof call);
    if (argc > 0 && strcmp(argv[0], "calc") == 0) {
        argc--;
        argv++;
    }
    if (argc == 0 || strcmp(argv[0], "--help") == 0) {
        print_calc_overview();
        return argc == 0 ? BAD_CALL : 0;
    }
    call.command = find_calc_command(argv[0]);
    if (!call.command)
        return print_calc_error(&call, "there is no '%s'; see rasterwave calc --help", argv[0]);
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = RW_BACKEND_CPU;
    options.threads = 1;
    options.on_warning = store_calc_warning;
    options.user = &call;
    rw_status status = rw_context_create(&options, &call.context);
    int exit_status =
        status == RW_OK ? run_calc_command(&call, argc - 1, argv + 1) : report_out_of_memory("the calculation");
    rw_context_destroy(call.context);
    return exit_status;
}

const struct command calc_command = {.name = "calc",
                                     .summary = "one number: free space, material, slab, knife edge, wedge, two rays",
                                     .run_raw = run_calc};
