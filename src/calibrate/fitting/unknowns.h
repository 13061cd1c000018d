/* Which parameters of a model are fitted, and the unknowns that stand for them. */
#ifndef RW_CALIBRATE_FITTING_UNKNOWNS_H
#define RW_CALIBRATE_FITTING_UNKNOWNS_H

#include "calibrate/fitting/constraints.h"
#include "calibrate/fitting/solvers.h"
#include "models/engine/model.h"

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

#endif
