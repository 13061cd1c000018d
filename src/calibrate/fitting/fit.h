/* The fit of a model's parameters to measurements, for paths that are fixed. */
#ifndef RW_CALIBRATE_FITTING_FIT_H
#define RW_CALIBRATE_FITTING_FIT_H

#include "calibrate/fitting/unknowns.h"

#include <rasterwave/calibrate.h>

/* One point after another: the terms of its path (see model.h), and what was measured there. */
typedef struct rw_fit_data {
    const rw_model *model;
    size_t count;
    const float *terms;
    const float *measured_db;
} rw_fit_data;

typedef struct rw_fit_result {
    double values[RW_PARAMETERS_MAX];
    double covariance[RW_PARAMETERS_MAX][RW_PARAMETERS_MAX]; /* 0 where held */
    rw_parameter_state states[RW_PARAMETERS_MAX];
    double rmse_db;
    int passes; /* over the data */
} rw_fit_result;

rw_status rw_fit_solve(rw_context *context, const rw_fit_data *data, const rw_unknowns *unknowns,
                       rw_fit_result *result);

/* Root of the mean squared error under these values. */
rw_status rw_fit_rmse_db(rw_context *context, const rw_fit_data *data, const double *values, double *rmse_db);

#endif
