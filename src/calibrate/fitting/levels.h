/* What measurements add to a model, whatever the model: offsets, distance slope, contrast, weight of the median,
 * residuals (mechanisms/measured/correction.h). */
#ifndef RW_CALIBRATE_FITTING_LEVELS_H
#define RW_CALIBRATE_FITTING_LEVELS_H

#include "calibrate/fitting/calibration.h"

typedef struct rw_level_call {
    const rw_sample_points *sample_points; /* those of the fit first; all are predicted from */
    size_t fit_count;
    int folds;       /* of cross-validation; 0: none */
    int fits_weight; /* 1: the weight of the median is fitted as well */
    int follows_fit; /* 1: the model's own parameters were fitted, and the figures before are those of their start */
    int residuals;   /* 1: what remains is stored */
} rw_level_call;

/* Changes the calibration's parameters and fills its figures before and after, offsets and cross-validation. The
 * figures afterwards are those of predictions with the parameters. */
rw_status rw_calibrate_levels(const rw_level_call *call, rw_calibration *calibration);

#endif
