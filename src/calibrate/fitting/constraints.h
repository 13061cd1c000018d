/* Linear constraints on a model's parameters: sums that are equal to a number, or no more than it. */
#ifndef RW_CALIBRATE_FITTING_CONSTRAINTS_H
#define RW_CALIBRATE_FITTING_CONSTRAINTS_H

#include "models/engine/model.h"

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

#endif
