/* What a calibration was of and what it left, for its report. */
#ifndef PROGRAMS_CALIBRATE_H
#define PROGRAMS_CALIBRATE_H

#include "call.h"

struct calibration {
    struct request request;
    rw_measurements *measurements;
    rw_calibration *result;
    double seconds;
};

/* calibrate_report.c: the tables or the JSON object on standard output. */
void report_calibration(const struct call *call, const struct calibration *calibration);

#endif
