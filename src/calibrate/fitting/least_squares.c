/* Levenberg-Marquardt with bounds: from a start to the nearest place of least sum of squares.
 *
 * Levenberg 1944 and Marquardt 1963: each step minimises the linearised sum of squares plus damping times the step's
 * scaled length; damping falls when the cost does and rises when not. Here the step is the minimum within the bounds
 * (quadratic.c), not a free step that is cut off, so that a bound is left again where that pays. Finds a local minimum;
 * for the linear losses of deflections there is no other. */
#include "calibrate/fitting/solvers.h"

#include <math.h>
#include <string.h>

#define N RW_UNKNOWNS_MAX
#define DAMPING_START 1e-3
#define DAMPING_MIN 1e-13
#define DAMPING_MAX 1e13
#define COST_TOLERANCE 1e-14 /* relative; what is gained below it is rounding */
#define STEP_TOLERANCE 1e-13 /* of the way between the bounds */

/* The damped step within the bounds; 0 where the matrix is singular at this damping. */
static int find_step(const rw_least_squares *problem, const rw_normal_equations *at, const double *x, double damping,
                     double *step)
{
    double matrix[N][N], low[N], high[N];
    memcpy(matrix, at->matrix, sizeof matrix);
    for (size_t i = 0; i < problem->count; i++) {
        /* An unknown that nothing depends on gets a step of 0. */
        double scale = at->matrix[i][i] > 0 ? at->matrix[i][i] : 1;
        matrix[i][i] += (at->matrix[i][i] > 0 ? damping : 1) * scale;
        low[i] = problem->low[i] - x[i];
        high[i] = problem->high[i] - x[i];
    }
    if (!problem->rows || !problem->rows->count)
        return rw_quadratic_minimum((const double(*)[N])matrix, at->gradient, problem->count, low, high, step);
    double slacks[RW_ROWS_MAX];
    for (size_t i = 0; i < problem->rows->count; i++) {
        slacks[i] = problem->rows->bounds[i];
        for (size_t k = 0; k < problem->count; k++)
            slacks[i] -= problem->rows->rows[i][k] * x[k];
    }
    return rw_constrained_minimum((const double(*)[N])matrix, at->gradient, problem->count, low, high, problem->rows,
                                  slacks, step);
}

static double predicted_gain(const rw_normal_equations *at, size_t count, const double *step)
{
    double gain = 0;
    for (size_t i = 0; i < count; i++) {
        double row = 0;
        for (size_t k = 0; k < count; k++)
            row += at->matrix[i][k] * step[k];
        gain -= step[i] * (2 * at->gradient[i] + row);
    }
    return gain;
}

static int has_step(const rw_least_squares *problem, const double *step)
{
    for (size_t i = 0; i < problem->count; i++)
        if (fabs(step[i]) > STEP_TOLERANCE * (problem->high[i] - problem->low[i]))
            return 1;
    return 0;
}

rw_status rw_least_squares_solve(const rw_least_squares *problem, double *x, rw_least_squares_result *result)
{
    rw_normal_equations *at = &result->equations, next;
    double damping = DAMPING_START, step[N], trial[N], tolerance = fmax(problem->cost_tolerance, COST_TOLERANCE);
    result->converged = 0;
    RW_TRY(problem->evaluate(problem->user, x, at));
    for (result->steps = 1; result->steps < problem->steps_max && !result->converged;) {
        int solved = find_step(problem, at, x, damping, step);
        if (solved && !(has_step(problem, step) && predicted_gain(at, problem->count, step) > tolerance * at->cost)) {
            result->converged = 1;
            break;
        }
        double gained = -1;
        if (solved) {
            for (size_t i = 0; i < problem->count; i++)
                trial[i] = fmin(problem->high[i], fmax(problem->low[i], x[i] + step[i]));
            RW_TRY(problem->evaluate(problem->user, trial, &next));
            result->steps++;
            gained = at->cost - next.cost;
        }
        if (gained >= 0) { /* NaN is no gain */
            memcpy(x, trial, problem->count * sizeof *x);
            result->converged = gained <= tolerance * at->cost;
            *at = next;
            damping = fmax(DAMPING_MIN, 0.1 * damping);
        } else {
            damping *= 10;
            result->converged = damping > DAMPING_MAX;
        }
    }
    return RW_OK;
}
