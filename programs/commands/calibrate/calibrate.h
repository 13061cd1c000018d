/* What a calibration was of and what it left, for its report. */
#ifndef COMMANDS_CALIBRATE_CALIBRATE_H
#define COMMANDS_CALIBRATE_CALIBRATE_H

#include "command.h"

#define BESIDE_MOST 8

struct calibration {
    struct request request;
    rw_measurements *measurements;
    rw_calibration *result;
    double seconds;
    rw_params *beside[BESIDE_MOST]; /* other parameters to be compared with */
    const char *beside_names[BESIDE_MOST];
    size_t beside_count;
};

/* calibrate_report.c: the tables or the JSON object on standard output. */
void report_calibration(const struct call *call, const struct calibration *calibration);

#endif
