/* Help texts, made from the tables of commands and options; those of models from the library's tables. */
#include "cli/cli.h"

#include "report/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS 100
#define TEXT_COLUMN 30 /* where an option of a model is explained */

/* Models that a command takes: databases are made for those that use them. */
static int accepts_model(const struct command *command, const char *model)
{
    rw_model_option_info info;
    return command->calls != RW_OPTION_OF_PREPROCESS || find_model_option(model, "database", &info);
}

static void list_models(const struct command *command, char *text, size_t size)
{
    text[0] = 0;
    for (size_t i = 0; i < rw_model_count(); i++) {
        size_t length = strlen(text);
        if (accepts_model(command, rw_model_name(i)))
            snprintf(text + length, size - length, "%s%s", length ? ", " : "", rw_model_name(i));
    }
}

/* An option and what it is for; returns the length. A command that not all models know names its own. */
static int format_option_help(const struct command *command, const struct option *option, char *text, size_t size)
{
    char left[48], models[128] = "";
    if (strcmp(option->name, "model") == 0)
        list_models(command, models, sizeof models);
    snprintf(left, sizeof left, "--%s%s%s", option->name, option->value ? " " : "", option->value ? option->value : "");
    return snprintf(text, size, "%-20s %s%s", left, *models ? models : option->help, *models ? " (shadow)" : "");
}

/* Two short options share a line. Returns 1 where the next one shares its line. */
static int print_option(const struct command *command, const struct option *option, const struct option *next,
                        int second)
{
    const int half = 48;
    char text[160], next_text[160];
    int length = format_option_help(command, option, text, sizeof text);
    if (second) {
        printf("%s\n", text);
        return 0;
    }
    int pair = next && length <= half && format_option_help(command, next, next_text, sizeof next_text) <= half;
    printf(pair ? "  %-50s" : "  %s\n", text);
    return pair;
}

/* Names of options that are told elsewhere: those of another command ("+predict"), and those that only the page of all
 * options explains ("+help options"). Returns what comes after them. */
static const struct command_option *print_shared(const struct command_option *shared)
{
    int column = strcmp(shared->name, "+help options") == 0 ? printf("  also, by rasterwave help options:")
                                                            : printf("  as in %s:", shared->name + 1);
    for (shared++; shared->name && *shared->name != '+'; shared++) {
        if (column + 3 + (int)strlen(shared->name) > COLUMNS)
            column = printf("\n ") - 1;
        column += printf(" --%s", shared->name);
    }
    puts("");
    return shared;
}

/* What stands for the value of an option of a model. */
static const char *value_word(const rw_model_option_info *info)
{
    static const char *const words[] = {
        [RW_OPTION_INTEGER] = "N",        [RW_OPTION_QUANTITY] = "X",       [RW_OPTION_STRING] = "TEXT",
        [RW_OPTION_CHOICE] = "NAME",      [RW_OPTION_LIST] = "A,B",         [RW_OPTION_FILE] = "FILE",
        [RW_OPTION_AREA] = "X0,Y0,X1,Y1", [RW_OPTION_PLANE] = "X,Y,Z:U:V",  [RW_OPTION_BINS] = "N,WIDTH",
        [RW_OPTION_DATABASE] = "FILE",    [RW_OPTION_PARAMS] = "FILE.json", [RW_OPTION_STORED_FILE] = "FILE"};
    if (info->type != RW_OPTION_QUANTITY || !*info->unit)
        return words[info->type];
    return info->quantity == RW_QUANTITY_BYTES ? "4GB" : info->unit;
}

/* Values that the option takes, in words; empty where the help says it. */
static void describe_values(const rw_model_option_info *info, char *text, size_t size)
{
    text[0] = 0;
    int is_number = info->type == RW_OPTION_INTEGER || info->type == RW_OPTION_QUANTITY;
    size_t length = 0;
    for (const char *at = info->choices; at && *at && length + 4 < size; at++)
        length += (size_t)snprintf(text + length, size - length, *at == ',' ? ", " : "%c", *at);
    if (info->choices)
        snprintf(text + length, size - length, "; ");
    else if (is_number && info->quantity != RW_QUANTITY_BYTES)
        snprintf(text, size, "%g to %g%s%s; ", info->min, info->max, *info->unit ? " " : "", info->unit);
}

/* A text in lines of words, from a column on; returns the column after it. */
static int print_words(const char *text, int column)
{
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > COLUMNS) {
            printf("\n%*s", TEXT_COLUMN, "");
            column = TEXT_COLUMN;
        } else if (column > TEXT_COLUMN) {
            putchar(' ');
            column++;
        }
        column += printf("%.*s", length, text);
        text += length + (text[length] == ' ');
    }
    return column;
}

static void print_model_option(const rw_model_option_info *info)
{
    char left[64], values[512], right[1024];
    describe_values(info, values, sizeof values);
    snprintf(left, sizeof left, "--%s %s", info->name, value_word(info));
    snprintf(right, sizeof right, "(%s%s%s)", values, *values ? "default " : "",
             info->default_text ? info->default_text : "none");
    int column = printf("  %-*s", TEXT_COLUMN - 2, left);
    if (column > TEXT_COLUMN)
        column = printf("\n%*s", TEXT_COLUMN, "") - 1;
    print_words(right, print_words(info->help, column));
    putchar('\n');
}

/* Whether every model that the command takes has the option for it. */
static int is_common(const struct command *command, const char *name)
{
    rw_model_option_info info;
    for (size_t i = 0; i < rw_model_count(); i++)
        if (accepts_model(command, rw_model_name(i)) &&
            !(find_model_option(rw_model_name(i), name, &info) && info.calls & command->calls))
            return 0;
    return 1;
}

#define IN_FULL 2 /* options of all models that predict explains: layers and freq */

/* A name in lines of COLUMNS; returns the column after it. */
static int print_name(const char *name, int column)
{
    if (column + 3 + (int)strlen(name) > COLUMNS)
        column = printf("\n   ") - 1;
    return column + printf(" --%s", name);
}

/* Options of all models: of predict the first in a line each, all others by name. */
static void print_common(const struct command *command)
{
    rw_model_option_info info = {.size = sizeof info};
    int left_in_full = command->calls == RW_OPTION_OF_PREDICT ? IN_FULL : 0, column = 0;
    for (size_t i = 0; rw_model_option_get("shadow", i, &info) == RW_OK; i++) {
        char left[64];
        if (!info.of_all_models || !is_common(command, info.name))
            continue;
        if (accepts_option(command, info.name)) { /* its own, which means something else */
            left_in_full--;
            continue;
        }
        snprintf(left, sizeof left, "--%s %s", info.name, value_word(&info));
        if (left_in_full-- > 0)
            printf("  %-20s %s\n", left, info.help);
        else if (!column)
            column = print_name(info.name,
                                printf(command->calls == RW_OPTION_OF_PREDICT ? "  all models:" : "  as in predict:"));
        else
            column = print_name(info.name, column);
    }
    printf("%s  these and others: rasterwave %s --model NAME --help\n", column ? "\n" : "", command->name);
}

void print_help(const struct command *command)
{
    printf("rasterwave %s: %s\n", command->name, command->summary);
    printf("Usage: rasterwave %s%s%s [options | FILE.yaml]\n", command->name, command->input ? " " : "",
           command->input ? command->input : "");
    int column = 0;
    const struct command_option *own = command->options;
    for (; own->name && *own->name != '+'; own++)
        column = print_option(command, find_option(own->name),
                              own[1].name && *own[1].name != '+' ? find_option(own[1].name) : NULL, column);
    while (own->name)
        own = print_shared(own);
    if (command->calls)
        print_common(command);
    printf("Examples:\n  %s\n  %s\n", command->examples[0], command->examples[1]);
}

/* Commands that take an option: "[predict paths]". */
static void list_commands(const char *option, char *text, size_t size)
{
    size_t length = 0;
    for (const struct command *const *command = commands; *command && length < size; command++)
        if ((*command)->options && accepts_option(*command, option))
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " " : "[", (*command)->name);
    snprintf(text + (length < size ? length : size), length < size ? size - length : 0, "]");
}

void print_all_options(void)
{
    puts("Options of commands; those of models: rasterwave COMMAND --model NAME --help");
    for (const struct option *option = option_table; option->name; option++) {
        char left[64], right[512];
        list_commands(option->name, right, sizeof right);
        snprintf(left, sizeof left, "--%s%s%s", option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        int column = printf("  %-*s", TEXT_COLUMN - 2, left);
        if (column > TEXT_COLUMN)
            column = printf("\n%*s", TEXT_COLUMN, "") - 1;
        print_words(right, print_words(option->help, column));
        putchar('\n');
    }
}

static void write_option_type(struct json *json, const struct command *command, const char *name, const char *value)
{
    json_object(json, NULL);
    json_string(json, "name", name);
    json_string(json, "type", describe_type(find_value_type(command, name)));
    json_string(json, "value", value ? value : "");
    json_object_end(json);
}

void print_option_types(void)
{
    struct json json;
    json_begin(&json, stdout);
    json_list(&json, "commands");
    for (const struct command *const *command = commands; *command; command++) {
        struct model_option_search search = {0};
        rw_model_option_info info;
        json_object(&json, NULL);
        json_string(&json, "name", (*command)->name);
        json_string(&json, "input", (*command)->input ? (*command)->input : "");
        json_flag(&json, "input_is_path", (*command)->input && !(*command)->input_is_word);
        json_flag(&json, "served", (*command)->is_served);
        json_list(&json, "options");
        for (const struct command_option *own = (*command)->options; own && own->name; own++)
            if (*own->name != '+')
                write_option_type(&json, *command, own->name, find_option(own->name)->value);
        while (next_model_option((*command)->calls, &search, &info))
            if (!accepts_option(*command, info.name))
                write_option_type(&json, *command, info.name, value_word(&info));
        json_list_end(&json);
        json_object_end(&json);
    }
    json_list_end(&json);
    json_end(&json);
}

static void print_option_json(struct json *json, const rw_model_option_info *info)
{
    static const char *const types[] = {[RW_OPTION_INTEGER] = "whole number",
                                        [RW_OPTION_QUANTITY] = "number",
                                        [RW_OPTION_STRING] = "text",
                                        [RW_OPTION_CHOICE] = "choice",
                                        [RW_OPTION_LIST] = "list",
                                        [RW_OPTION_FILE] = "file",
                                        [RW_OPTION_AREA] = "area",
                                        [RW_OPTION_PLANE] = "plane",
                                        [RW_OPTION_BINS] = "bins",
                                        [RW_OPTION_DATABASE] = "database",
                                        [RW_OPTION_PARAMS] = "parameters",
                                        [RW_OPTION_STORED_FILE] = "file"};
    json_object(json, NULL);
    json_string(json, "name", info->name);
    json_string(json, "type", types[info->type]);
    json_string(json, "value", value_word(info));
    json_string(json, "unit", info->unit);
    if (info->type == RW_OPTION_INTEGER || info->type == RW_OPTION_QUANTITY) {
        json_number(json, "least", info->min);
        json_number(json, "most", info->max);
    }
    json_string(json, "choices", info->choices ? info->choices : "");
    json_string(json, "default", info->default_text ? info->default_text : "");
    json_flag(json, "of_all_models", info->of_all_models);
    json_string(json, "help", info->help);
    json_object_end(json);
}

void print_model_help(const struct command *command, const char *model, int json_wanted)
{
    struct json json;
    rw_model_option_info info = {.size = sizeof info};
    if (json_wanted) {
        json_begin(&json, stdout);
        json_string(&json, "command", command->name);
        json_string(&json, "model", model);
        json_list(&json, "options");
    } else {
        printf("rasterwave %s --model %s: options of this model (others: rasterwave %s --help)\n", command->name, model,
               command->name);
    }
    for (size_t i = 0; rw_model_option_get(model, i, &info) == RW_OK; i++)
        if (info.calls & command->calls) {
            if (json_wanted)
                print_option_json(&json, &info);
            else
                print_model_option(&info);
        }
    if (!json_wanted)
        return;
    json_list_end(&json);
    json_end(&json);
}

void print_overview(void)
{
    puts("rasterwave predicts where radio waves go in cities and buildings.");
    puts("Usage: rasterwave COMMAND [options], or rasterwave FILE.yaml");
    for (const struct command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, "merge") != 0 && strcmp((*command)->name, "repeat") != 0 &&
            strcmp((*command)->name, "reproduce") != 0 &&
            strcmp((*command)->name, "share") != 0) /* which are named with network, compare, bench, serve */
            printf("  %-12s%s\n", (*command)->name, (*command)->summary);
    puts("COMMAND --help lists its options, help options all, --version what this has. Units: 1.5km, 43dBm.");
    puts("Examples:");
    puts("  rasterwave predict --scene city:grid:size=600m,600m --tx 300,300,30 --out out/grid");
    puts("  rasterwave info --scene city:european:seed=1");
}
