/* Options: one table for all commands, so that an option means the same everywhere. */
#ifndef PROGRAMS_OPTIONS_H
#define PROGRAMS_OPTIONS_H

#include "call.h"

enum option_kind {
    OPTION_TEXT,
    OPTION_QUANTITY,
    OPTION_PAIR,  /* two quantities */
    OPTION_AREA,  /* four quantities */
    OPTION_PLANE, /* nine quantities: a corner and two sides */
    OPTION_WHOLE, /* int, not negative */
    OPTION_SEED,
    OPTION_FLAG,
    OPTION_TRANSMITTER,
    OPTION_POINT,
    OPTION_BACKEND
};

struct option {
    const char *name;
    enum option_kind kind;
    rw_quantity quantity;
    size_t at;                /* in struct settings */
    const char *value, *help; /* help NULL: told in one line with others of its kind (help.c) */
};

extern const struct option option_table[]; /* ended by a name of NULL */

const struct option *find_option(const char *name);
int takes_option(const struct command *command, const char *name);

void settings_init(struct settings *settings);

/* Sets one option from its text. On failure the sentence has been printed. */
int apply_option(struct call *call, const struct option *option, const char *text);

/* The same of an option of the table that the caller has given. */
int give_option(struct call *call, const struct option *option, const char *text);

/* model_options.c: refuses options that the chosen model does not use, and values that they do not take. Returns the
 * exit status. */
int check_model_options(const struct call *call);
const char *models_of(const struct command *command, const char *option); /* that use it; NULL: all */

/* Reads the arguments after the command's name, a project file among them first. Returns the exit status, 0: go on. */
int read_arguments(struct call *call, int argc, char **argv);

/* Reads a project file into the settings. command_only: only its key "command", copied to name. */
int read_project(struct call *call, const char *path);
int read_project_command(const char *path, char *name, size_t size);
int is_project(const char *argument);

/* The known name nearest to what was typed, or NULL where none is near. */
const char *nearest_name(const char *typed, const char *const *names);

/* help.c */
void print_help(const struct command *command);
void print_overview(void);

#endif
