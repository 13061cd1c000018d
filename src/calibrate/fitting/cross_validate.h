/* Whether a fit is better than its start at points that it has not seen, and how much weight the start should have. */
#ifndef RW_CALIBRATE_FITTING_CROSS_VALIDATE_H
#define RW_CALIBRATE_FITTING_CROSS_VALIDATE_H

#include "calibrate/fitting/fit.h"
#include "calibrate/measurements/samples.h"

typedef struct rw_cross_validation {
    double ridge; /* weight of the start that predicts best */
    double rmse_start_db, rmse_fitted_db;
    int better; /* 0: keep the start */
} rw_cross_validation;

/* The fold of each of the first count places: by site, by route or in strips. folds becomes smaller where there are
 * fewer sites or routes. */
rw_status rw_folds_cut(const rw_sample_points *sample_points, size_t count, int *folds, uint8_t *numbers);

rw_status rw_cross_validate(rw_context *context, const rw_fit_data *data, int folds, const uint8_t *numbers,
                            const rw_unknowns *unknowns, const double *start, rw_cross_validation *found);

#endif
