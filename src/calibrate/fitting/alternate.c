/* Tracing and fitting in turns: which path is the strongest hangs on the parameters, and the best parameters hang on
 * the paths.
 *
 * A turn traces with the values at hand and fits to those paths. The error that counts is that of values with their own
 * paths. Where a fit makes it larger, because other paths became the strongest, half the way is tried, then a quarter:
 * bounds hold on the whole way, since they are convex. Where a model's terms are those of all paths that geometry
 * gives, nothing is traced again. It has settled when no value moves by more than a hundredth of
 * its standard error, or when the error falls no further. The best values seen are kept, so going round in circles does
 * no harm. */
#include "calibrate/fitting/fitting.h"

#include "calibrate/evaluation/evaluation.h"

#include "base/memory.h"
#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOVE_OF_ERROR 0.01 /* a move that matters, in standard errors */
#define MOVE_OF_RANGE 1e-6 /* and between the bounds */
#define GAIN_DB 1e-4       /* a gain that matters, */
#define GAIN_OF_RMSE 1e-3  /* and of the error that is left */
#define HALVINGS 3
#define FIT_TOLERANCE 1e-10 /* of the squared error: far below what the next turn changes */

rw_fit_data rw_alternation_data(const rw_alternation *alternation, const rw_model *model)
{
    return (rw_fit_data){.model = model,
                         .count = alternation->fit_count,
                         .terms = alternation->all.begins ? alternation->all.values : alternation->terms,
                         .begins = alternation->all.begins,
                         .measured_db = alternation->measured_db,
                         .groups = alternation->groups,
                         .group_count = alternation->groups ? alternation->sample_points->group_count : 0,
                         .folds = alternation->folds,
                         .excluded_fold = alternation->excluded_fold,
                         .ridge = alternation->ridge,
                         .cost_tolerance = FIT_TOLERANCE};
}

static rw_status trace_with_parameters(const rw_alternation *alternation, const rw_params *params, double *rmse_db)
{
    rw_context *context = alternation->sample_points->scene->context;
    rw_fit_data data = rw_alternation_data(alternation, params->model);
    if (!alternation->all.begins)
        RW_TRY(
            rw_sample_points_trace(alternation->sample_points, params, alternation->terms, NULL, alternation->reached));
    return rw_fit_rmse_db(context, &data, params->values, rmse_db);
}

static int has_moved(const rw_model *model, const double *from, const rw_fit_result *to)
{
    for (size_t i = 0; i < model->parameter_count; i++) {
        double range = model->parameters[i].high - model->parameters[i].low;
        double matters = MOVE_OF_ERROR * sqrt(to->covariance[i][i]) + MOVE_OF_RANGE * range;
        if (!(fabs(to->values[i] - from[i]) <= matters))
            return 1;
    }
    return 0;
}

/* From the best values towards those of the fit: all the way or, where the error grows, half of it and so on. Returns
 * in gained whether the error fell; params and terms are then those of the place that was found. */
static rw_status step_towards_fit(const rw_alternation *alternation, const double *best, const double *wanted,
                                  double best_rmse_db, rw_params *params, double *rmse_db, int *gained)
{
    double fraction = 1;
    *gained = 0;
    for (int i = 0; i <= HALVINGS && !*gained; i++, fraction *= 0.5) {
        for (size_t k = 0; k < params->model->parameter_count; k++)
            params->values[k] = fraction == 1 ? wanted[k] : best[k] + fraction * (wanted[k] - best[k]);
        RW_TRY(trace_with_parameters(alternation, params, rmse_db));
        *gained = *rmse_db < best_rmse_db;
    }
    return RW_OK;
}

/* Turns until it has settled; params holds the best values at the end. */
static rw_status iterate_until_converged(const rw_alternation *alternation, rw_calibration *calibration, double rmse_db)
{
    rw_params *params = calibration->params;
    rw_calibration_info *info = &calibration->info;
    rw_context *context = calibration->context;
    double best[RW_PARAMETERS_MAX];
    memcpy(best, params->values, sizeof best);
    for (info->iterations = 1;; info->iterations++) {
        rw_fit_data data = rw_alternation_data(alternation, params->model);
        double before_db = rmse_db;
        int gained;
        RW_TRY(rw_fit_solve(context, &data, alternation->unknowns, &calibration->fit));
        info->converged = !has_moved(params->model, best, &calibration->fit) ||
                          (info->iterations > 1 && rmse_db - calibration->fit.rmse_db < GAIN_OF_RMSE * rmse_db);
        if (info->converged || info->iterations == alternation->iterations_max)
            return RW_OK;
        RW_TRY(step_towards_fit(alternation, best, calibration->fit.values, rmse_db, params, &rmse_db, &gained));
        if (!gained) { /* back to the best */
            memcpy(params->values, best, sizeof best);
            info->converged = 1;
            return trace_with_parameters(alternation, params, &rmse_db);
        }
        memcpy(best, params->values, sizeof best);
        if (before_db - rmse_db < fmax(GAIN_DB, GAIN_OF_RMSE * rmse_db)) {
            info->converged = 1;
            return RW_OK;
        }
        RW_TRY(rw_progress(context, (double)info->iterations / alternation->iterations_max, "calibrating"));
    }
}

rw_status rw_alternate_run(const rw_alternation *alternation, rw_calibration *calibration)
{
    rw_fit_data data = rw_alternation_data(alternation, calibration->params->model);
    double rmse_db;
    RW_TRY(rw_fit_rmse_db(calibration->context, &data, calibration->params->values, &rmse_db));
    return iterate_until_converged(alternation, calibration, rmse_db);
}
