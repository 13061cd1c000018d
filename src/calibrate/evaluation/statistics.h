/* Figures of a prediction's errors, and the fit that a prediction must beat. Numbers in, numbers out. */
#ifndef RW_CALIBRATE_EVALUATION_STATISTICS_H
#define RW_CALIBRATE_EVALUATION_STATISTICS_H

#include "base/context.h"

#include <rasterwave/calibrate.h>

/* All figures of count pairs; every value must be finite. count 0 gives NaN throughout. */
rw_status rw_error_figures(rw_context *context, const double *measured_db, const double *predicted_db, size_t count,
                           rw_error_statistics *figures);

/* Bins of a round width (1, 2 or 5 times a power of ten, at least 1 dB), so that at most RW_HISTOGRAM_BINS_MAX hold all
 * errors. */
void rw_error_histogram(const double *measured_db, const double *predicted_db, size_t count, rw_histogram *histogram);

/* The line y = intercept + slope x of least squares. 0 where there is none: fewer than two points, or all x the same.
 */
int rw_fit_line(const double *x, const double *y, size_t count, double *intercept, double *slope);

#endif
