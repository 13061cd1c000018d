/* What remains between measurements and a calibrated model, as a field that predictions follow. */
#ifndef RW_CALIBRATE_FITTING_RESIDUALS_H
#define RW_CALIBRATE_FITTING_RESIDUALS_H

#include "calibrate/fitting/calibration.h"

/* error_db: of each point, measured minus predicted, without the constant of its group. The points of the fit become
 * the residuals of the calibration's parameters; the info's figures of them are filled. */
rw_status rw_calibrate_residuals(const rw_sample_points *sample_points, size_t fit_count, const double *error_db,
                                 rw_calibration *calibration);

#endif
