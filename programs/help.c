/* Help texts, made from the tables of commands and options. Each fits a screen. */
#include "options.h"

#include <stdio.h>
#include <string.h>

/* Switches that follow each other share a line, so that the help fits a screen. */
static const char *const *print_option(const char *const *name)
{
    const struct option *option = find_option(name[0]), *next = name[1] ? find_option(name[1]) : NULL;
    char left[48];
    int two = next && option->kind == OPTION_FLAG && next->kind == OPTION_FLAG;
    snprintf(left, sizeof left, "--%s%s%s%s%s", option->name, option->value ? " " : "",
             option->value ? option->value : "", two ? " --" : "", two ? next->name : "");
    printf("  %-25s%s%s%s\n", left, option->help, two ? "; " : "", two ? next->help : "");
    return name + (two ? 2 : 1);
}

/* Options that mean what they do in another command, by name. */
static const char *const *print_shared(const char *const *name)
{
    printf("  as in %s:", *name++ + 1);
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
    for (const char *const *name = command->options; *name;)
        name = **name == '+' ? print_shared(name) : print_option(name);
    printf("Examples:\n  %s\n  %s\n", command->examples[0], command->examples[1]);
}

void print_overview(void)
{
    puts("rasterwave predicts where radio waves go in cities and buildings.\n");
    puts("Usage: rasterwave COMMAND [options]\n       rasterwave FILE.yaml\n");
    for (const struct command *const *command = commands; *command; command++)
        printf("  %-10s%s\n", (*command)->name, (*command)->summary);
    puts("\nrasterwave COMMAND --help tells its options; rasterwave --version what this build holds.");
    puts("Numbers take units: 947MHz, 1.5km, 43dBm, 30deg.\n");
    puts("Examples:");
    puts("  rasterwave predict --scene city:grid:size=600m,600m --tx 300,300,30 --out out/grid");
    puts("  rasterwave info --scene city:european:seed=1");
}
