/* Calibration: which parameters are fitted, the fit for fixed paths, whether it holds elsewhere, and what is added to
 * any model. In the order in which a calibration uses them. */
#ifndef RW_CALIBRATE_FITTING_FITTING_H
#define RW_CALIBRATE_FITTING_FITTING_H

#include "base/context.h"
#include "calibrate/fitting/solvers.h"
#include "calibrate/measurements/samples.h"
#include "models/engine/model.h"

#include <rasterwave/calibrate.h>

/* Linear constraints on a model's parameters: sums that are equal to a number, or no more than it. */
#define RW_CONSTRAINTS_MAX 16

/* Equations (8) and (9) of Schmitz and others (2011): each row times the parameters' values is at most its bound, or
 * equal to it. */
typedef struct rw_constraints {
    size_t count;
    double rows[RW_CONSTRAINTS_MAX][RW_PARAMETERS_MAX];
    double bounds[RW_CONSTRAINTS_MAX];
    int equal[RW_CONSTRAINTS_MAX];
} rw_constraints;

/* From a text such as "reflection2_db=reflection1_db,2*reflection1_db+diffraction1_db<=40,exponent>=2". NULL: none. */
rw_status rw_constraints_parse(rw_context *context, const rw_model *model, const char *string,
                               rw_constraints *constraints);

/* Which parameters of a model are fitted, and the unknowns that stand for them. */

/* values = held + map x */
typedef struct rw_unknowns {
    const rw_model *model;
    size_t count;
    double low[RW_UNKNOWNS_MAX], high[RW_UNKNOWNS_MAX];
    double held[RW_PARAMETERS_MAX]; /* 0 for what is fitted */
    double map[RW_PARAMETERS_MAX][RW_UNKNOWNS_MAX];
    double start[RW_UNKNOWNS_MAX], start_values[RW_PARAMETERS_MAX];
    rw_linear_rows rows; /* that tie the unknowns */
} rw_unknowns;

/* groups: comma-separated, of the model's; NULL: all that are not held unless asked for. */
rw_status rw_unknowns_choose(rw_context *context, const rw_model *model, const char *groups, const double *values,
                             rw_unknowns *unknowns);

/* Ties the unknowns by constraints on the values, and moves the start to where they hold. */
rw_status rw_unknowns_tie(rw_context *context, const rw_constraints *constraints, rw_unknowns *unknowns);

/* Whether an unknown is in any of the constraints. */
int rw_unknowns_tied(const rw_unknowns *unknowns, size_t unknown);

void rw_unknowns_values(const rw_unknowns *unknowns, const double *x, double *values);

/* Whether a parameter depends on any unknown. */
int rw_unknowns_fits(const rw_unknowns *unknowns, size_t parameter);

/* The fit of a model's parameters to measurements, for paths that are fixed. */

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

/* What is kept out of a fit, to see how good the fit is elsewhere. */
typedef enum rw_holdout_kind { RW_HOLDOUT_NONE, RW_HOLDOUT_ROUTE, RW_HOLDOUT_SITE, RW_HOLDOUT_RANDOM } rw_holdout_kind;

typedef struct rw_holdout {
    rw_holdout_kind kind;
    const char *name; /* of the route or site */
    double fraction;
} rw_holdout;

/* "route=NAME", "site=NAME" or "random=0.3"; NULL: nothing. The name stays in the text. */
rw_status rw_holdout_parse(rw_context *context, const char *string, rw_holdout *holdout);

/* Samples of the route or site; NULL where none is marked (nothing is held out, or it is drawn). To be freed. */
rw_status rw_holdout_samples(const rw_holdout *holdout, const rw_measurements *measurements, uint8_t **held_out);

/* Draws places where that is asked for, and puts those that are held out behind the others. */
rw_status rw_holdout_divide(const rw_holdout *holdout, uint64_t seed, rw_sample_points *sample_points);

/* How many places come before those. Fails where one side is empty. */
rw_status rw_holdout_count(const rw_holdout *holdout, const rw_sample_points *sample_points, size_t *fit_count);

/* Whether a fit is better than its start at points that it has not seen, and how much weight the start should have. */
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

/* The fit of a few terms that are added to a prediction, with a constant for each group of points.
 *
 * Maximum a posteriori: each term is held to 0 with a standard deviation, and neighbours are alike, so that
 * RW_LEVEL_NEIGHBOURS points count as one measurement. The constants are free; with the mean of each group taken from
 * errors and terms, the rest of the fit does not see them (Frisch and Waugh 1933). */
#define RW_LEVEL_TERMS 3
#define RW_LEVEL_NEIGHBOURS 20.0

/* Points one after another. */
typedef struct rw_level_data {
    size_t count;
    const double *error_db;                /* measured - predicted */
    const double (*terms)[RW_LEVEL_TERMS]; /* what a unit of each term adds to the prediction */
    const uint32_t *groups;                /* of points that share a constant; NULL: there are none */
    size_t group_count;
    const uint8_t *folds; /* points whose fold is excluded_fold take no part; NULL: all do */
    uint8_t excluded_fold;
} rw_level_data;

typedef struct rw_level_prior {
    double deviations[RW_LEVEL_TERMS]; /* 0: the term is not fitted */
    double low[RW_LEVEL_TERMS], high[RW_LEVEL_TERMS];
    double strength; /* factor of the prior's weight; infinite: no term is fitted */
} rw_level_prior;

typedef struct rw_level_fit {
    double values[RW_LEVEL_TERMS], standard_errors[RW_LEVEL_TERMS];
    double rmse_db; /* of the points that took part */
} rw_level_fit;

/* offsets_db: of each group, NULL if not needed; a group without points that took part has the mean of its own. */
rw_status rw_level_solve(rw_context *context, const rw_level_data *data, const rw_level_prior *prior, rw_level_fit *fit,
                         double *offsets_db);

/* Root mean square error of points in folds, each by a fit to the other folds. */
rw_status rw_level_cross_validate(rw_context *context, const rw_level_data *data, int folds, const uint8_t *numbers,
                                  const rw_level_prior *prior, double *rmse_db);

/* A calibration in memory: what was found, and how good it is. */
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

/* What measurements add to a model, whatever the model: offsets, distance slope, contrast, weight of the median,
 * residuals (mechanisms/measured/correction.h). */
typedef struct rw_level_call {
    const rw_sample_points *sample_points; /* those of the fit first; all are predicted from */
    size_t fit_count;
    int folds;       /* of cross-validation; 0: none */
    int fits_weight; /* 1: the weight of the median is fitted as well */
    int follows_fit; /* 1: the model's own parameters were fitted before, without offsets */
    int residuals;   /* 1: what remains is stored */
} rw_level_call;

/* Changes the calibration's parameters and fills its figures before and after, offsets and cross-validation. The
 * figures afterwards are those of predictions with the parameters. */
rw_status rw_calibrate_levels(const rw_level_call *call, rw_calibration *calibration);

/* Fills the figures of a fit without levels before and after, each group of offsets with its constant: those of
 * predictions with the values it started from and with those it found. */
rw_status rw_calibrate_report(const rw_level_call *call, rw_calibration *calibration);

/* What remains between measurements and a calibrated model, as a field that predictions follow. */

/* error_db: of each point, measured minus predicted, without the constant of its group. The points of the fit become
 * the residuals of the calibration's parameters; the info's figures of them are filled. */
rw_status rw_calibrate_residuals(const rw_sample_points *sample_points, size_t fit_count, const double *error_db,
                                 rw_calibration *calibration);

#endif
