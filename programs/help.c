/* Help texts, made from the tables of commands and options. Each fits a screen. */
#include "options.h"

#include <stdio.h>
#include <string.h>

/* Options of single models share a line, so that the rest stays on one screen. */
static void print_model_options(const struct command *command)
{
    int any = 0;
    for (const char *const *name = command->options; *name; name++) {
        const struct option *option = find_option(*name);
        if (!option->help)
            printf("%s --%s %s", any++ ? "" : "  of single models:", option->name, option->value);
    }
    if (any)
        putchar('\n');
}

void print_help(const struct command *command)
{
    printf("rasterwave %s%s%s [options | FILE.yaml]: %s\n", command->name, command->input ? " " : "",
           command->input ? command->input : "", command->summary);
    for (const char *const *name = command->options; *name; name++) {
        const struct option *option = find_option(*name);
        if (!option->help)
            continue;
        char left[48];
        snprintf(left, sizeof left, "--%s%s%s", option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        printf("  %-25s%s\n", left, option->help);
    }
    print_model_options(command);
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
