/* What every command uses of the command line: errors, warnings, progress, coordinates, options of models, provenance.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "command.h"

#include <stddef.h>

/* message.c: one line on standard error; returns the exit status for a bad call. */
int report_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
#ifdef __clang_analyzer__ /* which does not look into other files: the exit status is never 0 */
#define report_error(...) ((void)(report_error)(__VA_ARGS__), 2)
#endif

/* From here on the first error is a JSON object on standard output, in addition to its line on standard error. */
void print_errors_as_json(int wanted);

/* From here on errors of this thread are stored in the buffer, the first one alone, and nothing is printed; NULL:
 * printed again. */
void capture_errors(char *message, size_t size);

/* Exit status of the program for a status of the library. */
int exit_code_of(rw_status status);

/* If the program itself has no memory for something; returns the exit status. */
int report_out_of_memory(const char *what);

/* The library's message for a call that failed in this thread; returns its exit status. */
int report_status(struct call *call, rw_status status);
#ifdef __clang_analyzer__
#define report_status(...) ((void)(report_status)(__VA_ARGS__), 2)
#endif

/* The same with a message that another thread has read. */
int report_status_message(struct call *call, rw_status status, const char *message);
void print_warnings(const struct call *call);

/* progress.c: callbacks of the context. */
int on_progress(void *user, double fraction, const char *stage);
/* One line before a long prediction. */
void on_estimate(void *user, size_t cells, size_t transmitters, double seconds, double bytes);
void on_warning(void *user, const char *message);
void wipe_progress(struct call *call);
double now_s(void);

/* model_options.c: options of models. Those that were given, NULL if not; and set, checked, with the model's own values
 * for the others. Databases and parameters are loaded by inputs.c. Both return the exit status. */
const char *model_of(const struct call *call);
const char *model_argument_value(const struct call *call, const char *name);
int apply_model_arguments(struct call *call, rw_predict_options *options);
int apply_preprocess_arguments(struct call *call, rw_preprocess_options *options);

/* coordinates.c: points of the command line in --points-crs, transformed into the system of a scene or map. what names
 * them in an error. Both return the exit status. */
int transform_points(struct call *call, const char *crs, const char *what, double *xy, size_t count);
int transform_area(struct call *call, const char *crs, double area_m[4]);

/* levels.c: the layer of a level that names none: the first of layers (may be NULL) in its unit, the default layer
 * before others. Returns the exit status. */
struct level;
struct level_list;
int resolve_level(struct level *level, const char *layers, const char *default_layer);

/* The level of a layer, NaN if it has none; the one level of commands that have only received power (exit status); and
 * in words: "power of -90 dBm or more". */
double find_level(const struct level_list *list, const char *layer);
int resolve_power_level(const struct call *call, struct level_list *list, double *level_dbm);
void describe_level(const struct level *level, char *text, size_t size);

/* provenance.c: stores an option as it was given; sets the provenance of all files that are written from
 * then on: of a call, or, if scene and options are not NULL, of a prediction. Both return the exit status. */
int record_argument(struct call *call, const char *name, const char *text);

/* Whether the option was given, on the command line or in a project file. */
int is_option_given(const struct call *call, const char *name);
int set_provenance(struct call *call, const rw_scene *scene, const rw_predict_options *options);

/* progress.c: from here on SIGINT, SIGTERM and SIGHUP end the process without leaving temporary files. */
void catch_interrupts(void);

/* Options: one table for all commands, so that an option means the same everywhere. */

enum option_kind {
    OPTION_STRING,
    OPTION_READ,      /* path to read */
    OPTION_WRITE,     /* path to write */
    OPTION_LIST,      /* words or numbers with commas between them */
    OPTION_READ_LIST, /* paths to read with commas between them */
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

/* What an option is about, for those who handle options without their names. */
enum option_role {
    OF_SCENE = 1,  /* which scene is read, and how */
    OF_RUN = 2,    /* how the call runs and reports: no file that it writes depends on it */
    OF_SHARD = 4,  /* of a network: who computes which block of it */
    OF_REPORT = 8, /* what a report on a map counts: the map itself does not depend on it */
    OF_SERVER = 16 /* decided by the server for its requests */
};

struct option {
    const char *name;
    enum option_kind kind;
    rw_quantity quantity;
    const char *value, *help; /* help NULL: told in one line with others of its kind (help.c) */
    unsigned roles;           /* enum option_role */
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

/* model_options.c: keeps an option of a model for when the model is known. Returns the exit status. */
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

/* dependences.c: options that are of other options which were not given. Returns the exit status. */
int check_dependences(const struct call *call);

/* Reads a project file into the settings. command_only: only its key "command", copied to name. */
int read_project(struct call *call, const char *path);
int read_project_command(const char *path, char *name, size_t size);
int is_project(const char *argument);

/* What the value of an option is, of the program, of a model, or of the arguments without a dash
 * ("input", "second"). Confinement, the locations of outputs, provenance, project files and JSON follow from it. */
enum value_type {
    VALUE_NONE, /* the command has no such option */
    VALUE_FLAG,
    VALUE_NUMBER,
    VALUE_STRING,
    VALUE_LIST,
    VALUE_READ,
    VALUE_WRITE,
    VALUE_READ_LIST,
    VALUE_REPEATED
};
/* command NULL: of any command. */
enum value_type find_value_type(const struct command *command, const char *name);
int is_path_type(enum value_type type);
const char *describe_type(enum value_type type); /* "a path to read" */
unsigned find_roles(const char *name);           /* of an option of the program; 0 of others */

/* project.c: the first path in the value of an option that is neither in the folder ("": the current one) nor below it;
 * NULL: there is none. Returns the exit status. */
int find_path_outside(struct call *call, const char *name, const char *string, const char *folder,
                      const char **outside);

/* The known name nearest to what was typed, or NULL where none is near. */
const char *nearest_name(const char *typed, const char *const *names);

/* help.c */
void print_help(const struct command *command);
void print_model_help(const struct command *command, const char *model, int json);
void print_overview(void);
void print_all_options(void);  /* of commands, with the commands that take each */
void print_option_types(void); /* of every command, as JSON */

/* Project files as YAML: keys and their values. project_yaml.c reads them with libcyaml; project_yaml_stub.c replaces
 * it where the build has none. */

enum key_kind {
    KEY_SCALAR,
    KEY_LIST,     /* one value, or a list whose entries are joined by commas */
    KEY_REPEATED, /* each entry of a list is a value */
    KEY_SKIPPED   /* its value is for others */
};

/* A key that the file may hold. */
struct project_key {
    const char *name;
    enum key_kind kind;
};

/* Takes a value; returns the exit status, and anything but 0 ends the reading. */
typedef int (*project_value_fn)(void *user, const char *key, const char *value);

/* Calls on_value for each value, in the order of the keys. Returns the exit status; what is wrong has been said. Keys
 * that are not listed are refused. */
int read_project_values(const char *path, const struct project_key *keys, size_t key_count, project_value_fn on_value,
                        void *user);

/* project.c: the same with the keys of all commands and models. */
int read_any_project(const char *path, project_value_fn on_value, void *user);

/* recorded_call.c: the call that made a file, from its provenance. */

/* The rest of the line that begins with the key, up to size characters; "" if there is none. */
void read_provenance_line(const char *provenance, const char *key, char *value, size_t size);

/* The words of a command line; ended by NULL. */
#define RECORDED_WORDS_MAX 256
struct recorded_words {
    char *words[RECORDED_WORDS_MAX];
    size_t count;
};
int add_recorded_word(struct recorded_words *recorded, char *word);
/* The line "options" of a provenance, whose words end where a blank was, without options that write other files. */
int split_recorded_options(struct recorded_words *recorded, char *options);

#endif
