/* Options: one table for all commands, so that an option means the same everywhere. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "command.h"

enum option_kind {
    OPTION_STRING,
    OPTION_QUANTITY,
    OPTION_PAIR,    /* two quantities */
    OPTION_INTEGER, /* int, not negative */
    OPTION_SEED,
    OPTION_FLAG,
    OPTION_TRANSMITTER,
    OPTION_POINT,
    OPTION_BACKEND,
    OPTION_LEVELS /* with their layers */
};

struct option {
    const char *name;
    enum option_kind kind;
    rw_quantity quantity;
    const char *value, *help; /* help NULL: told in one line with others of its kind (help.c) */
};

extern const struct option option_table[]; /* ended by a name of NULL */

const struct option *find_option(const char *name);
int accepts_option(const struct command *command, const char *name);

/* Where a call stores an option that its command accepts; NULL if it does not. */
void *find_option_target(struct call *call, const char *name);

/* The value of an option that is a string; NULL if it was not given or the command does not accept it. */
const char *find_option_string(const struct call *call, const char *name);
/* The option that an alias stands for: --band for --transmitter. */
const char *canonical_name(const struct command *command, const char *name);
int accepts_two_inputs(const struct command *command);

/* Sets one option from its text. Returns the exit status. */
int apply_option(struct call *call, const struct option *option, void *target, const char *string);

/* Frees the lists of --tx and --at. */
void free_option_lists(struct call *call);

/* Numbers with units and commas between, at most so many. Returns how many there are; 0 where there are more, -1 where
 * one is no such quantity: the context has the sentence. */
int read_quantities(rw_context *context, const char *string, const rw_quantity *quantities, int max_count,
                    double *values);

/* levels.c: "rsrp:-100dBm,sinr:3dB". Returns the exit status. */
int read_levels_option(struct call *call, const char *string, struct level_list *list);

/* A copy of a text that lives as long as the call; NULL where there is no room. */
const char *store_string(struct call *call, const char *string);

/* asked.c: keeps an option of a model for when the model is known. Returns the exit status. */
int store_model_argument(struct call *call, const char *name, const char *string);

/* What an option that went is called now; NULL where it never was. */
const char *new_name(const char *name);

/* Options of models by name; and all of them that a command takes (calls), each once: 0 at the end. */
int find_model_option(const char *model, const char *name, rw_model_option_info *info);
int is_model_option(int calls, const char *name);
struct model_option_search {
    size_t model, option;
};
int next_model_option(int calls, struct model_option_search *search, rw_model_option_info *info);

/* arguments.c: one option by its name, of the program or of models. Returns the exit status. */
int set_option(struct call *call, const char *name, const char *string);

/* "--name=text", "--name text" or "--name" at argv[*at]. Returns the exit status. */
struct option_argument {
    char name[64];
    const char *string; /* NULL: none follows */
    int is_apart;       /* 1: the text is the next argument */
};
int split_option(int argc, char **argv, int *at, struct option_argument *parsed);

/* Reads the arguments after the command's name, a project file among them first. Returns the exit status, 0: go on. */
int read_arguments(struct call *call, int argc, char **argv);

/* Reads a project file into the settings. command_only: only its key "command", copied to name. */
int read_project(struct call *call, const char *path);
int read_project_command(const char *path, char *name, size_t size);
int is_project(const char *argument);

/* project.c: whether the value of an option is the path of a file or folder. */
int option_is_path(const struct call *call, const char *key);

/* The known name nearest to what was typed, or NULL where none is near. */
const char *nearest_name(const char *typed, const char *const *names);

/* help.c */
void print_help(const struct command *command);
void print_model_help(const struct command *command, const char *model, int json);
void print_overview(void);
void print_all_options(void); /* of commands, with the commands that take each */

#endif
