/* What a calibration was of and what it left, for its report. */
#ifndef COMMANDS_CALIBRATE_CALIBRATE_H
#define COMMANDS_CALIBRATE_CALIBRATE_H

#include "command.h"

/* Options. */
struct calibrate_settings {
    struct input_options inputs;
    struct measurement_options measurements;
    const char *fit, *holdout, *constraints, *matrix, *compared, *out, *offsets, *heights, *average, *plot, *bounds;
    int folds, residuals;
    uint64_t seed;
};

#define COMPARED_PARAMS_MAX 8

struct calibration {
    struct request request;
    rw_measurements *measurements;
    rw_calibration *result;
    double seconds;
    rw_params *compared[COMPARED_PARAMS_MAX]; /* other parameters to be compared with */
    const char *compared_names[COMPARED_PARAMS_MAX];
    size_t compared_count;
};

/* audit.c: with --fit site, what the measurements say about the sites themselves. Returns the exit status. */
int audit_sites(struct call *call, const struct calibration *calibration);

/* report.c: the tables or the JSON object on standard output. */
void report_calibration(const struct call *call, const struct calibration *calibration);

#endif
