/* A calibration in memory: what was found, and how good it is. */
#ifndef RW_CALIBRATE_FITTING_CALIBRATION_H
#define RW_CALIBRATE_FITTING_CALIBRATION_H

#include "calibrate/fitting/fit.h"
#include "calibrate/measurements/samples.h"

#include <rasterwave/calibrate.h>

struct rw_calibration {
    rw_context *context;
    rw_calibration_info info;
    double before[RW_PARAMETERS_MAX];
    rw_fit_result fit; /* the last one: states and covariance */
    struct {           /* distance slope, contrast, weight of the median */
        double after[3], standard_errors[3];
        int is_fitted[3];
    } levels;
    rw_params *params;
    rw_offset *offsets; /* info.offsets of them */

    /* Points of the fit and, behind them, those held out: where they are, and the terms of their paths. */
    size_t point_count;
    double *sample_points; /* x, y of each */
    float *terms, *measured_db;
    rw_sample_point_terms all;
};

/* The points as a fit takes them. */
rw_fit_data rw_calibration_data(const rw_calibration *calibration);

/* alternate.c: fitting and tracing in turns. terms are those of the places of the fit and, behind them, of those held
 * out, for the values of calibration->params. On return that holds again, and the info's turns, settled, before and
 * after are filled. */
typedef struct rw_alternation {
    rw_sample_points *sample_points;
    size_t fit_count;
    const rw_unknowns *unknowns;
    int iterations_max;
    float *terms, *measured_db;
    rw_sample_point_terms all; /* in place of terms, of a model with path_term_count */
    uint8_t *reached;
    uint32_t *groups;     /* of each place; NULL: no offsets are fitted */
    double ridge;         /* weight of the start */
    const uint8_t *folds; /* points whose fold is excluded_fold take no part in the fit; NULL: all do */
    uint8_t excluded_fold;
} rw_alternation;

rw_status rw_alternate_run(const rw_alternation *alternation, rw_calibration *calibration);

/* The points of the fit, for these terms. */
rw_fit_data rw_alternation_data(const rw_alternation *alternation, const rw_model *model);

/* Error figures of both sides with these values, whose terms are at hand; offsets are those of the fit. */
rw_status rw_alternation_figures(const rw_alternation *alternation, const rw_params *params, rw_error_statistics *fit,
                                 rw_error_statistics *holdout);

#endif
