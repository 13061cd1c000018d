/* From the arguments of a command to its settings. A project file is read first, so that options stand above it. */
#include "options.h"

#include <stdio.h>
#include <string.h>

/* Changes of one letter that lead from one word to the other (Levenshtein). */
static size_t distance(const char *a, const char *b)
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
        size_t changes = distance(typed, *names);
        if (changes < best_distance && **names != '+') {
            best_distance = changes;
            best = *names;
        }
    }
    return best;
}

static int complain_unknown_option(const struct command *command, const char *name)
{
    const char *nearest = nearest_name(name, command->options);
    if (nearest)
        return complain("%s has no option --%s; did you mean --%s?", command->name, name, nearest);
    return complain("%s has no option --%s; see rasterwave %s --help", command->name, name, command->name);
}

static int read_option(struct call *call, int argc, char **argv, int *at)
{
    char name[64];
    const char *text = argv[*at] + 2, *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    if (length >= sizeof name)
        return complain("%.40s... is no option of %s", argv[*at], call->command->name);
    memcpy(name, text, length);
    name[length] = 0;
    const struct option *option = find_option(name);
    if (!option || !takes_option(call->command, name))
        return complain_unknown_option(call->command, name);
    if (option->kind == OPTION_FLAG)
        return give_option(call, option, equals ? equals + 1 : "true");
    if (equals)
        return give_option(call, option, equals + 1);
    if (*at + 1 >= argc || strncmp(argv[*at + 1], "--", 2) == 0)
        return complain("--%s needs a value: --%s %s", name, name, option->value);
    return give_option(call, option, argv[++*at]);
}

static int read_input(struct call *call, const char *argument)
{
    if (argument[0] == '-' && argument[1])
        return complain("%s: options start with two dashes; see rasterwave %s --help", argument, call->command->name);
    if (!call->command->input)
        return complain("'%s' is one argument too many; see rasterwave %s --help", argument, call->command->name);
    if (call->settings.input)
        return complain("'%s' is one argument too many after '%s'", argument, call->settings.input);
    call->settings.input = argument;
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
            status = read_option(call, argc, argv, &i);
        else
            status = read_input(call, argv[i]);
    }
    return status;
}
