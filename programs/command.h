/* A command of the program, and one call of it. A command's file holds its table of options, the struct that they fill,
 * what it does and its report. */
#ifndef COMMAND_H
#define COMMAND_H

#include <rasterwave/calibrate.h>
#include <rasterwave/plan.h>
#include <rasterwave/rasterwave.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define WARNINGS_MAX 32
#define MODEL_ARGUMENTS_MAX 64

struct call;
struct scene_options; /* inputs/inputs.h */

/* An option that a command accepts, and where its struct of settings stores it. */
struct command_option {
    const char *name; /* of option_table, or "+COMMAND" before those that work as they do there */
    size_t at;        /* OF_CALL: a member of struct call */
};
#define OF_CALL ((size_t)-1)

struct command {
    const char *name, *summary;
    const char *input;                    /* name of the argument without a dash, or of two; NULL: none */
    int input_is_word;                    /* 1: no path */
    const struct command_option *options; /* ended by a name of NULL */
    size_t settings_size;                 /* of the struct that the options fill, */
    const void *defaults;                 /* and how it begins; NULL: with zeros */
    int calls;                            /* 0, or which options of models it takes: RW_OPTION_OF_PREDICT and so on */
    const char *project_of; /* another command whose project files it reads, without options it lacks; NULL: none */
    const char *examples[2];
    int is_served;           /* 1: serve runs it in a job */
    const char *default_out; /* of such a job; NULL: it writes no file */
    int (*run)(struct call *call);
    int (*run_raw)(int argc, char **argv); /* reads its arguments itself */
};

extern const struct command *const commands[]; /* main.c, ended by NULL */
const struct command *find_command(const char *name);

extern const struct command predict_command, network_command, merge_command, plan_command, paths_command, link_command,
    preprocess_command, generate_command, import_command, render_command, polygons_command, statistics_command,
    compare_command, evaluate_command, calibrate_command, info_command, bench_command, reproduce_command,
    repeat_command, calc_command, share_command, serve_command;

/* Ends the function with the exit status of a step that failed, whose error has been printed. */
#define TRY(step)                                                                                                      \
    do {                                                                                                               \
        int step_status = (step);                                                                                      \
        if (step_status)                                                                                               \
            return step_status;                                                                                        \
    } while (0)

/* The same of a call of the library. */
#define TRY_RW(call, step)                                                                                             \
    do {                                                                                                               \
        rw_status library_status = (step);                                                                             \
        if (library_status != RW_OK)                                                                                   \
            return report_status(call, library_status);                                                                \
    } while (0)

/* An option of a model, as it was given. */
struct model_argument {
    const char *name, *text;
};

/* An option as it was given, and its number. */
struct argument {
    const char *name, *text;
    size_t index;
};

struct progress {
    double start_s, shown_s, last_report_s;
    int shown;         /* a bar is on the screen and must be wiped */
    int announces_run; /* the next estimate of a long run is printed */
};

struct call {
    const struct command *command;
    void *settings;             /* the command's own struct */
    const char *input, *second; /* the arguments without a dash */
    /* Options that mean the same in every command: */
    const char *model, *points_crs;
    rw_backend backend;
    int threads, device; /* device -1: not given */
    int json, quiet, allow_outside, dry_run, time_stamp;
    struct model_argument model_argument[MODEL_ARGUMENTS_MAX];
    size_t model_argument_count;
    rw_context *context;
    rw_inputs *inputs; /* files that the call has read; NULL: of a request of serve */
    struct progress progress;
    const struct scene_options *own_scene; /* of serve: requests may name its files, wherever they are; NULL: none */
    const char *outside; /* what the project file names outside of its folder and the current one; NULL: nothing */
    char **strings;      /* copies that settings point to */
    size_t string_count;
    struct argument *argument; /* options as they were given, for the provenance of results */
    size_t argument_count;
    const char **skipped; /* sites that --skip-bad left out, and why */
    size_t skipped_count;
    char *warnings[WARNINGS_MAX];
    size_t warning_count;
};

/* main.c: the struct of settings of a command, with its defaults. Returns the exit status. */
int begin_call(struct call *call, const struct command *command);

/* Frees what a call has allocated, its context included. */
void end_call(struct call *call);

#include "cli/cli.h"
#include "inputs/inputs.h"
#include "report/report.h"

#endif
