/* What an evaluation was of and what it left, for its report. */
#ifndef COMMANDS_EVALUATE_EVALUATE_H
#define COMMANDS_EVALUATE_EVALUATE_H

#include "command.h"

#include <stdio.h>

/* Options. */
struct evaluate_settings {
    struct input_options inputs;
    struct measurement_options measurements;
    const char *map, *average, *heights, *out, *offsets, *layer;
    double ground_level_m;
    int transmitter;
};

#define EVALUATION_PICTURES 4

struct evaluation {
    rw_map *map;            /* NULL: a model is evaluated */
    struct request request; /* of the model */
    rw_measurements *measurements;
    rw_evaluation *result;
    size_t layer;
    struct map_choice choice;
    char pictures[EVALUATION_PICTURES][4096];
    char json_path[4096], points_path[4096];
    int written; /* of the pictures */
};

/* evaluate.c: the errors, of a map or a model with its measurements. Returns the exit status. */
int compare_evaluation(struct call *call, struct evaluation *evaluation);

/* report.c: the JSON object on a stream. */
void print_evaluation_json(const struct call *call, const struct evaluation *evaluation, FILE *stream);

/* report.c: the table or the JSON object on standard output. */
void report_evaluation(const struct call *call, const struct evaluation *evaluation);

/* The same object as the file json_path, written beside and renamed. Returns the exit status. */
int write_evaluation_json(struct call *call, const struct evaluation *evaluation);

/* points.c: the points as points_path: where, what was measured and predicted. Returns the exit status. */
int write_evaluation_points(struct call *call, const struct evaluation *evaluation);

#endif
