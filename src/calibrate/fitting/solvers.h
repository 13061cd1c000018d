/* Least squares with bounds on each unknown, by Levenberg and Marquardt, from the normal equations alone: the number of
 * measurements does not matter here. */
#ifndef RW_CALIBRATE_FITTING_SOLVERS_H
#define RW_CALIBRATE_FITTING_SOLVERS_H

#include "base/context.h"

#define RW_UNKNOWNS_MAX 20
#define RW_ROWS_MAX 16

/* Rows times the unknowns are at most a bound, or equal to it. */
typedef struct rw_linear_rows {
    size_t count;
    double rows[RW_ROWS_MAX][RW_UNKNOWNS_MAX];
    double bounds[RW_ROWS_MAX];
    int equal[RW_ROWS_MAX];
} rw_linear_rows;

/* Of residuals r and their derivatives J at one place: r.r, J^T r and J^T J (whole, not half of it). */
typedef struct rw_normal_equations {
    double cost;
    double gradient[RW_UNKNOWNS_MAX];
    double matrix[RW_UNKNOWNS_MAX][RW_UNKNOWNS_MAX];
} rw_normal_equations;

typedef rw_status (*rw_normal_fn)(void *user, const double *x, rw_normal_equations *equations);

typedef struct rw_least_squares {
    size_t count; /* of unknowns, at most RW_UNKNOWNS_MAX */
    double low[RW_UNKNOWNS_MAX], high[RW_UNKNOWNS_MAX];
    const rw_linear_rows *rows; /* NULL: bounds alone */
    rw_normal_fn evaluate;
    void *user;
    int steps_max;         /* calls of evaluate */
    double cost_tolerance; /* a gain that ends it, of the cost; 0: that of rounding */
} rw_least_squares;

typedef struct rw_least_squares_result {
    rw_normal_equations equations; /* at the solution */
    int steps;
    int converged; /* 0: steps_max came first */
} rw_least_squares_result;

/* From x, which must be within the bounds and rows, to the place of least cost that is downhill of it. Every place that
 * is tried is within the bounds, and the cost never rises. */
rw_status rw_least_squares_solve(const rw_least_squares *problem, double *x, rw_least_squares_result *result);

/* quadratic.c: the step of least gradient.step + step.matrix.step / 2 with low <= step <= high (both hold 0). Returns 0
 * where the matrix is not positive definite by a margin of rounding. */
int rw_quadratic_minimum(const double matrix[RW_UNKNOWNS_MAX][RW_UNKNOWNS_MAX], const double *gradient, size_t count,
                         const double *low, const double *high, double *step);

/* constrained.c: the same with rows, of which each slack (bound - row.x) is not negative, and 0 where it is equal. */
int rw_constrained_minimum(const double matrix[RW_UNKNOWNS_MAX][RW_UNKNOWNS_MAX], const double *gradient, size_t count,
                           const double *low, const double *high, const rw_linear_rows *rows, const double *slacks,
                           double *step);

/* Moves x to the nearest place, or one not much farther, that is within bounds and rows. Returns 0 where there is none.
 */
int rw_rows_meet(const rw_linear_rows *rows, size_t count, const double *low, const double *high, double *x);

/* Inverse of the rows and columns that are chosen; rows of the others are 0. Returns 0 as above. */
int rw_matrix_inverse(const double matrix[RW_UNKNOWNS_MAX][RW_UNKNOWNS_MAX], const int *chosen, size_t count,
                      double inverse[RW_UNKNOWNS_MAX][RW_UNKNOWNS_MAX]);

#endif
