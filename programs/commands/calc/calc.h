/* rasterwave calc: one number at a time. Options of a subcommand are read by its table, its answer printed as text or
 * JSON. */
#ifndef COMMANDS_CALC_CALC_H
#define COMMANDS_CALC_CALC_H

#include "report/report.h"

#include <rasterwave/calc.h>

#define CALC_REPEAT_MAX 16
#define CALC_OPTIONS_MAX 16
#define CALC_WARNINGS_MAX 16
#define CALC_WARNING_SIZE 256

enum calc_kind {
    CALC_STRING,
    CALC_QUANTITY, /* one number with a unit */
    CALC_POINT     /* length,angle[,length]: from an edge, round it, along it */
};

struct calc_option {
    const char *name;
    enum calc_kind kind;
    rw_quantity quantity;
    int required;
    const char *value, *help;
};

/* What was given for an option, each time it was. */
struct calc_value {
    int count;
    const char *strings[CALC_REPEAT_MAX];
    double numbers[CALC_REPEAT_MAX][3];
};

struct calc_call {
    const struct calc_command *command;
    rw_context *context;
    struct calc_value values[CALC_OPTIONS_MAX]; /* in the order of the command's table */
    int json;
    struct report report;
    char warnings[CALC_WARNINGS_MAX][CALC_WARNING_SIZE];
    int warning_count;
    char error_message[CALC_WARNING_SIZE]; /* what a subcommand itself finds wrong; empty: the library's sentence */
};

struct calc_command {
    const char *name, *summary;
    const struct calc_option *options; /* ended by a name of NULL */
    const char *examples[2];
    rw_status (*run)(struct calc_call *call);
};

extern const struct calc_command calc_commands[]; /* ended by a name of NULL */

/* calc_terrain.c: a subcommand of its own file. */
extern const struct calc_option calc_terrain_options[];
rw_status calc_run_terrain(struct calc_call *call);

/* The values of an option by name; count is 0 where it was not given. */
const struct calc_value *calc_values(const struct calc_call *call, const char *name);

/* The first number or text of an option, or what stands for it where it was not given. */
double calc_number(const struct calc_call *call, const char *name, double otherwise);
const char *calc_string(const struct calc_call *call, const char *name, const char *otherwise);

/* Keeps the sentence and returns RW_BAD_CALL, so that a subcommand may end in it. */
rw_status calc_fail(struct calc_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* answer.c: one entry of the answer. key is that of JSON; label and unit are for people. */
void answer_begin(struct calc_call *call);
void answer_number(struct calc_call *call, const char *key, const char *label, double value, const char *unit);
void answer_complex(struct calc_call *call, const char *key, const char *label, rw_field_value value, const char *unit);
void answer_string(struct calc_call *call, const char *key, const char *label, const char *string);
void answer_flag(struct calc_call *call, const char *key, const char *label, int value);
void answer_end(struct calc_call *call);

#endif
