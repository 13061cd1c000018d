/* From the arguments of a command to its settings. A project file is read first, so that options stand above it. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS_MAX 512

int is_project(const char *argument)
{
    size_t length = strlen(argument);
    return argument[0] != '-' && ((length > 5 && strcmp(argument + length - 5, ".yaml") == 0) ||
                                  (length > 4 && strcmp(argument + length - 4, ".yml") == 0));
}

/* Changes of one letter that lead from one word to the other (Levenshtein). */
static size_t count_edits(const char *a, const char *b)
{
    size_t row[64], length = strlen(b);
    if (length >= 64)
        return 64;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t change = diagonal + (a[i] != b[j]);
            size_t drop = row[j + 1] + 1, insert = row[j] + 1;
            diagonal = row[j + 1];
            row[j + 1] = change < drop ? (change < insert ? change : insert) : (drop < insert ? drop : insert);
        }
    }
    return row[length];
}

const char *nearest_name(const char *typed, const char *const *names)
{
    const char *best = NULL;
    size_t best_distance = strlen(typed) / 2 + 1;
    for (; *names; names++) {
        size_t changes = count_edits(typed, *names);
        if (changes < best_distance && **names != '+') {
            best_distance = changes;
            best = *names;
        }
    }
    return best;
}

static int report_unknown_option(const struct command *command, const char *name)
{
    const char *names[OPTIONS_MAX + 1] = {0};
    size_t count = 0;
    for (const struct command_option *own = command->options; own->name && count < OPTIONS_MAX; own++)
        names[count++] = own->name;
    rw_model_option_info info = {.size = sizeof info};
    for (size_t model = 0; command->calls && rw_model_name(model); model++)
        for (size_t i = 0; count < OPTIONS_MAX && rw_model_option_get(rw_model_name(model), i, &info) == RW_OK; i++)
            if (info.calls & command->calls)
                names[count++] = info.name;
    const char *nearest = nearest_name(name, names);
    if (nearest)
        return report_error("%s has no option --%s; did you mean --%s?", command->name, name, nearest);
    return report_error("%s has no option --%s; see rasterwave %s --help", command->name, name, command->name);
}

int set_option(struct call *call, const char *name, const char *string)
{
    name = canonical_name(call->command, name);
    const char *now = call->command->calls ? new_name(name) : NULL;
    if (now)
        return report_error("--%s is now --%s", name, now);
    int own = accepts_option(call->command, name);
    if (!own && !is_model_option(call->command->calls, name))
        return report_unknown_option(call->command, name);
    int exit_status = record_argument(call, name, string);
    if (exit_status)
        return exit_status;
    return own ? apply_option(call, find_option(name), find_option_target(call, name), string)
               : store_model_argument(call, name, string);
}

int split_option(int argc, char **argv, int *at, struct option_argument *parsed)
{
    const char *string = argv[*at] + 2, *equals = strchr(string, '=');
    size_t length = equals ? (size_t)(equals - string) : strlen(string);
    if (length >= sizeof parsed->name)
        return report_error("%.40s... is no option", argv[*at]);
    memcpy(parsed->name, string, length);
    parsed->name[length] = 0;
    int has_next = *at + 1 < argc && strncmp(argv[*at + 1], "--", 2) != 0;
    parsed->string = equals ? equals + 1 : has_next ? argv[*at + 1] : NULL;
    parsed->is_apart = !equals && has_next;
    return 0;
}

static int read_call_option(struct call *call, int argc, char **argv, int *at)
{
    struct option_argument parsed;
    int exit_status = split_option(argc, argv, at, &parsed);
    if (exit_status)
        return exit_status;
    const char *name = canonical_name(call->command, parsed.name);
    memmove(parsed.name, name, strlen(name) + 1);
    const struct option *option = accepts_option(call->command, parsed.name) ? find_option(parsed.name) : NULL;
    if (option && option->kind == OPTION_FLAG)
        return set_option(call, parsed.name, parsed.string && !parsed.is_apart ? parsed.string : "true");
    if (!parsed.string && (option || is_model_option(call->command->calls, parsed.name)))
        return report_error("--%s needs a value%s%s", parsed.name, option ? ": " : "", option ? option->value : "");
    *at += parsed.is_apart;
    return set_option(call, parsed.name, parsed.string ? parsed.string : "");
}

static int read_input(struct call *call, const char *argument)
{
    if (argument[0] == '-' && argument[1])
        return report_error("%s: options start with two dashes; see rasterwave %s --help", argument,
                            call->command->name);
    if (!call->command->input)
        return report_error("'%s' is one argument too many; see rasterwave %s --help", argument, call->command->name);
    if (call->input && (call->second || !accepts_two_inputs(call->command)))
        return report_error("'%s' is one argument too many after '%s'", argument,
                            call->second ? call->second : call->input);
    *(call->input ? &call->second : &call->input) = argument;
    return 0;
}

int read_arguments(struct call *call, int argc, char **argv)
{
    int status = 0;
    for (int i = 0; i < argc && !status; i++)
        if (is_project(argv[i]))
            status = read_project(call, argv[i]);
    for (int i = 0; i < argc && !status; i++) {
        if (is_project(argv[i]))
            continue;
        if (strncmp(argv[i], "--", 2) == 0)
            status = read_call_option(call, argc, argv, &i);
        else
            status = read_input(call, argv[i]);
    }
    if (!status && call->outside && !call->allow_outside)
        return report_error(
            "the project file names %s, which is outside of its folder; give the path on the command line, or allow "
            "such files (--allow-outside)",
            call->outside);
    return status ? status : check_dependences(call);
}
