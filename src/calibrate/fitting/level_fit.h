/* The fit of a few terms that are added to a prediction, with a constant for each group of points.
 *
 * Maximum a posteriori: each term is held to 0 with a standard deviation, and neighbours are alike, so that
 * RW_LEVEL_NEIGHBOURS points count as one measurement. The constants are free; with the mean of each group taken from
 * errors and terms, the rest of the fit does not see them (Frisch and Waugh 1933). */
#ifndef RW_CALIBRATE_FITTING_LEVEL_FIT_H
#define RW_CALIBRATE_FITTING_LEVEL_FIT_H

#include "base/context.h"

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

#endif
