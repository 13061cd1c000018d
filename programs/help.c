/* Help texts, made from the tables of commands and options. Each fits a screen. */
#include "options.h"

#include <stdio.h>
#include <string.h>

/* An option and what it is for; returns the length. A command that not all models know names its own. */
static int describe(const struct command *command, const struct option *option, char *text, size_t size)
{
    char left[48];
    const char *models = strcmp(option->name, "model") == 0 ? models_of(command, "model") : NULL;
    snprintf(left, sizeof left, "--%s%s%s", option->name, option->value ? " " : "", option->value ? option->value : "");
    return snprintf(text, size, "%-20s %s%s", left, models ? models : option->help, models ? " (shadow)" : "");
}

/* Two short options share a line. Returns 1 where the next one shares its line. */
static int print_option(const struct command *command, const struct option *option, const struct option *next,
                        int second)
{
    const int half = 48;
    char text[160], next_text[160];
    int length = describe(command, option, text, sizeof text);
    if (second) {
        printf("%s\n", text);
        return 0;
    }
    int pair = next && length <= half && describe(command, next, next_text, sizeof next_text) <= half;
    printf(pair ? "  %-50s" : "  %s\n", text);
    return pair;
}

/* Options of one model ("+of beams"), or that mean what they do in another command ("+predict"), by name. Returns what
 * comes after them. */
static const char *const *print_shared(const char *const *name)
{
    int of_model = strncmp(*name, "+of ", 4) == 0;
    printf(of_model ? "  %s:" : "  as in %s:", *name++ + 1);
    for (; *name && **name != '+'; name++)
        printf(" --%s", *name);
    puts("");
    return name;
}

void print_help(const struct command *command)
{
    printf("rasterwave %s: %s\n", command->name, command->summary);
    printf("Usage: rasterwave %s%s%s [options | FILE.yaml]\n", command->name, command->input ? " " : "",
           command->input ? command->input : "");
    int column = 0;
    const char *const *name = command->options;
    for (; *name && **name != '+'; name++)
        column = print_option(command, find_option(*name), name[1] ? find_option(name[1]) : NULL, column);
    while (*name)
        name = print_shared(name);
    printf("Examples:\n  %s\n  %s\n", command->examples[0], command->examples[1]);
}

void print_overview(void)
{
    puts("rasterwave predicts where radio waves go in cities and buildings.\n");
    puts("Usage: rasterwave COMMAND [options]\n       rasterwave FILE.yaml\n");
    for (const struct command *const *command = commands; *command; command++)
        printf("  %-12s%s\n", (*command)->name, (*command)->summary);
    puts("\nrasterwave COMMAND --help lists its options; rasterwave --version what this build holds.");
    puts("Numbers take units: 947MHz, 1.5km, 43dBm, 30deg.\n");
    puts("Examples:");
    puts("  rasterwave predict --scene city:grid:size=600m,600m --tx 300,300,30 --out out/grid");
    puts("  rasterwave info --scene city:european:seed=1");
}
