/* A quadratic function of few unknowns in a box: its minimum by an active set, and the inverse of its matrix.
 *
 * Nocedal and Wright, Numerical Optimization, section 16.5, for bounds alone: unknowns that are held at a bound, steps
 * of the others to the minimum or to the first bound on the way, and release of the held one that pulls inwards most.
 * The matrix is scaled to a diagonal of ones first, so that units do not matter. */
#include "calibrate/fitting/solvers.h"

#include <math.h>
#include <string.h>

#define N RW_UNKNOWNS_MAX
#define PIVOT_MIN 1e-14 /* of a diagonal of ones; less is rounding */

/* Lower Cholesky factor of the chosen rows and columns, which are numbered anew. Returns how many, or -1. */
static int factor_chosen(const double matrix[N][N], const int *chosen, size_t count, size_t *index, double factor[N][N])
{
    int n = 0;
    for (size_t i = 0; i < count; i++)
        if (chosen[i])
            index[n++] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = matrix[index[i]][index[j]];
            for (int k = 0; k < j; k++)
                sum -= factor[i][k] * factor[j][k];
            if (i == j && !(sum > PIVOT_MIN * matrix[index[i]][index[i]]))
                return -1;
            factor[i][j] = i == j ? sqrt(sum) : sum / factor[j][j];
        }
    return n;
}

static void solve_factored(const double factor[N][N], int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= factor[i][k] * x[k];
        x[i] /= factor[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= factor[k][i] * x[k];
        x[i] /= factor[i][i];
    }
}

int rw_matrix_inverse(const double matrix[N][N], const int *chosen, size_t count, double inverse[N][N])
{
    double factor[N][N], column[N];
    size_t index[N];
    memset(inverse, 0, N * sizeof *inverse);
    int n = factor_chosen(matrix, chosen, count, index, factor);
    for (int i = 0; i < n; i++) {
        memset(column, 0, sizeof column);
        column[i] = 1;
        solve_factored((const double(*)[N])factor, n, column);
        for (int k = 0; k < n; k++)
            inverse[index[k]][index[i]] = column[k];
    }
    return n >= 0;
}

static double compute_slope(const double matrix[N][N], const double *gradient, size_t count, const double *step,
                            size_t i)
{
    double sum = gradient[i];
    for (size_t k = 0; k < count; k++)
        sum += matrix[i][k] * step[k];
    return sum;
}

/* Moves the free unknowns towards their minimum; the first that meets a bound is held there. Returns whether one did,
 * or -1. */
static int move_free(const double matrix[N][N], const double *gradient, size_t count, const double *low,
                     const double *high, double *step, int *is_free)
{
    double factor[N][N], move[N], fraction = 1;
    size_t index[N], blocking = count;
    int n = factor_chosen(matrix, is_free, count, index, factor);
    if (n < 0)
        return -1;
    for (int i = 0; i < n; i++)
        move[i] = -compute_slope(matrix, gradient, count, step, index[i]);
    solve_factored((const double(*)[N])factor, n, move);
    for (int i = 0; i < n; i++) {
        double margin = (move[i] < 0 ? low[index[i]] : high[index[i]]) - step[index[i]];
        if (fabs(move[i]) * fraction > fabs(margin)) {
            fraction = margin / move[i];
            blocking = index[i];
        }
    }
    for (int i = 0; i < n; i++) {
        size_t k = index[i];
        step[k] = fmin(high[k], fmax(low[k], step[k] + fraction * move[i]));
        if (k != blocking)
            continue;
        step[k] = move[i] < 0 ? low[k] : high[k];
        is_free[k] = 0;
    }
    return blocking < count;
}

/* Frees the held unknown that gains most by going inwards; 0 where none does. */
static int release_one(const double matrix[N][N], const double *gradient, size_t count, const double *low,
                       const double *high, const double *step, int *is_free)
{
    size_t best = count;
    double best_gain = 0;
    for (size_t i = 0; i < count; i++) {
        double s = compute_slope(matrix, gradient, count, step, i), size = fabs(gradient[i]);
        for (size_t k = 0; k < count; k++)
            size += fabs(matrix[i][k] * step[k]);
        int inwards = (step[i] <= low[i] && s < -1e-13 * size) || (step[i] >= high[i] && s > 1e-13 * size);
        double gain = s * s / matrix[i][i];
        if (!is_free[i] && low[i] < high[i] && inwards && gain > best_gain) {
            best_gain = gain;
            best = i;
        }
    }
    if (best < count)
        is_free[best] = 1;
    return best < count;
}

int rw_quadratic_minimum(const double matrix[N][N], const double *gradient, size_t count, const double *low,
                         const double *high, double *step)
{
    int is_free[N];
    memset(step, 0, count * sizeof *step);
    for (size_t i = 0; i < count; i++)
        is_free[i] = !((low[i] >= 0 && gradient[i] >= 0) || (high[i] <= 0 && gradient[i] <= 0));
    /* Each round holds or frees one unknown; the limit only stands against going round for ever on rounding. */
    for (size_t round = 0; round < 8 * count + 8; round++) {
        int met = move_free(matrix, gradient, count, low, high, step, is_free);
        if (met < 0)
            return 0;
        if (!met && !release_one(matrix, gradient, count, low, high, step, is_free))
            break;
    }
    return 1;
}
