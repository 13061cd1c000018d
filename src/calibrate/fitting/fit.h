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
    const size_t *begins; /* of each point among the terms, where points have as many paths as there are; NULL: each
                             has the model's term_count */
    const float *measured_db;
    const uint32_t *groups; /* of points that share an offset, which is fitted as well; NULL: there are none */
    size_t group_count;
    const uint8_t *folds; /* points whose fold is excluded_fold take no part; NULL: all do */
    uint8_t excluded_fold;
    double ridge;          /* how much more than once the start counts; 0: once */
    double cost_tolerance; /* of the fit, as in rw_least_squares */
} rw_fit_data;

static inline const float *rw_fit_terms(const rw_fit_data *data, size_t point)
{
    return data->terms + (data->begins ? data->begins[point] : point * data->model->term_count);
}

typedef struct rw_fit_result {
    double values[RW_PARAMETERS_MAX];
    double covariance[RW_PARAMETERS_MAX][RW_PARAMETERS_MAX]; /* 0 where held */
    rw_parameter_state states[RW_PARAMETERS_MAX];
    double rmse_db;
    int passes; /* over the data */
} rw_fit_result;

rw_status rw_fit_solve(rw_context *context, const rw_fit_data *data, const rw_unknowns *unknowns,
                       rw_fit_result *result);

/* Root of the mean squared error under these values and the best offsets for them. */
rw_status rw_fit_rmse_db(rw_context *context, const rw_fit_data *data, const double *values, double *rmse_db);

/* Sum of squared errors and number of the points that were left out, under these values. Offsets are those of the
 * points that took part; a group that has none there takes its own. */
rw_status rw_fit_excluded_squares(rw_context *context, const rw_fit_data *data, const double *values, double *squares,
                                  size_t *count);

/* The best offset of each group for these values, from the points that take part, or from its own where none does. */
rw_status rw_fit_offsets(rw_context *context, const rw_fit_data *data, const double *values, double *offsets_db);

#endif
