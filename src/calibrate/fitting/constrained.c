/* A quadratic function of few unknowns within bounds and linear constraints: its minimum by an active set.
 *
 * Nocedal and Wright, Numerical Optimization, algorithm 16.3: from a place that is allowed, steps to the minimum on the
 * constraints that are met, up to the first that is met on the way; of those that are met, the one that is pulled away
 * from most is let go. Equations are always met. Each step solves one linear system of unknowns and multipliers. */
#include "calibrate/fitting/solvers.h"

#include <math.h>
#include <string.h>

#define N RW_UNKNOWNS_MAX
#define SIDES (2 * N + RW_ROWS_MAX) /* low and high bounds, and rows */
#define SYSTEM (2 * N)              /* no more constraints are met than there are unknowns */

/* All constraints in one form: side.step <= room. */
typedef struct side_list {
    double sides[SIDES][N], slacks[SIDES];
    int equal[SIDES], met[SIDES];
    size_t count, unknowns;
} side_list;

static void add_constraint_side(side_list *list, const double *row, double slack, int equal)
{
    memcpy(list->sides[list->count], row, sizeof list->sides[0]);
    list->slacks[list->count] = equal ? 0 : fmax(0, slack);
    list->equal[list->count] = list->met[list->count] = equal;
    list->count++;
}

static double project_on_side(const side_list *list, size_t side, const double *step)
{
    double sum = 0;
    for (size_t i = 0; i < list->unknowns; i++)
        sum += list->sides[side][i] * step[i];
    return sum;
}

/* Gauss with the largest pivot of a column. Returns 0 where there is none. */
static int solve_system(double matrix[SYSTEM][SYSTEM], double *right, size_t n)
{
    for (size_t column = 0; column < n; column++) {
        size_t best = column;
        for (size_t i = column + 1; i < n; i++)
            best = fabs(matrix[i][column]) > fabs(matrix[best][column]) ? i : best;
        if (!(fabs(matrix[best][column]) > 1e-13))
            return 0;
        for (size_t k = 0; k < n; k++) {
            double swapped = matrix[best][k];
            matrix[best][k] = matrix[column][k];
            matrix[column][k] = swapped;
        }
        double swapped = right[best];
        right[best] = right[column];
        right[column] = swapped;
        for (size_t i = 0; i < n; i++) {
            double factor = i == column ? 0 : matrix[i][column] / matrix[column][column];
            for (size_t k = column; k < n && factor != 0; k++)
                matrix[i][k] -= factor * matrix[column][k];
            right[i] -= factor * right[column];
        }
    }
    for (size_t i = 0; i < n; i++)
        right[i] /= matrix[i][i];
    return 1;
}

/* The move to the minimum on what is met, and the multipliers of that. */
static int find_move(const double matrix[N][N], const double *gradient, const side_list *list, const double *step,
                     double *move, double *multipliers)
{
    double system[SYSTEM][SYSTEM] = {{0}}, right[SYSTEM] = {0};
    size_t n = list->unknowns, at = n;
    for (size_t i = 0; i < n; i++) {
        right[i] = -gradient[i];
        for (size_t k = 0; k < n; k++) {
            system[i][k] = matrix[i][k];
            right[i] -= matrix[i][k] * step[k];
        }
    }
    for (size_t side = 0; side < list->count; side++) {
        if (!list->met[side])
            continue;
        if (at == 2 * n)
            return 0;
        for (size_t i = 0; i < n; i++)
            system[at][i] = system[i][at] = list->sides[side][i];
        at++;
    }
    if (!solve_system(system, right, at))
        return 0;
    for (size_t i = 0; i < n; i++)
        move[i] = at == 2 * n ? 0 : right[i]; /* in a corner nothing but rounding moves */
    memcpy(multipliers, right + n, (at - n) * sizeof *multipliers);
    return 1;
}

/* The side that is pulled away from most, among those met; list->count: none. */
static size_t find_pulled(const side_list *list, const double *multipliers)
{
    size_t worst = list->count, at = 0;
    double min_multiplier = -1e-12;
    for (size_t side = 0; side < list->count; side++) {
        if (!list->met[side])
            continue;
        if (!list->equal[side] && multipliers[at] < min_multiplier) {
            min_multiplier = multipliers[at];
            worst = side;
        }
        at++;
    }
    return worst;
}

/* Moves up to the first side on the way. Returns it, or list->count. */
static size_t move_to_side(side_list *list, const double *move, double *step)
{
    double fraction = 1, longest = 0;
    size_t blocking = list->count;
    for (size_t i = 0; i < list->unknowns; i++)
        longest = fmax(longest, fabs(move[i]));
    for (size_t side = 0; side < list->count; side++) {
        double towards = project_on_side(list, side, move);
        if (list->met[side] || !(towards > fmax(1e-14, 1e-11 * longest))) /* rounding along what is met */
            continue;
        double slack = fmax(0, list->slacks[side] - project_on_side(list, side, step));
        if (slack < fraction * towards) {
            fraction = slack / towards;
            blocking = side;
        }
    }
    for (size_t i = 0; i < list->unknowns; i++)
        step[i] += fraction * move[i];
    return blocking;
}

/* The unknowns in units that make the diagonal 1, so that tolerances mean the same for all. */
static void scale_unknowns(const double matrix[N][N], const double *gradient, size_t count, double scales[N],
                           double scaled[N][N], double scaled_gradient[N])
{
    for (size_t i = 0; i < count; i++)
        scales[i] = matrix[i][i] > 0 ? 1 / sqrt(matrix[i][i]) : 1;
    for (size_t i = 0; i < count; i++) {
        scaled_gradient[i] = gradient[i] * scales[i];
        for (size_t k = 0; k < count; k++)
            scaled[i][k] = matrix[i][k] * scales[i] * scales[k];
    }
}

static void list_constraint_sides(const double *low, const double *high, const rw_linear_rows *rows,
                                  const double *slacks, const double *scales, side_list *list)
{
    double row[N];
    for (size_t i = 0; i < rows->count; i++) {
        double size = 0;
        memset(row, 0, sizeof row);
        for (size_t k = 0; k < list->unknowns; k++) {
            row[k] = rows->rows[i][k] * scales[k];
            size = fmax(size, fabs(row[k]));
        }
        for (size_t k = 0; k < list->unknowns; k++)
            row[k] /= size;
        add_constraint_side(list, row, slacks[i] / size, rows->equal[i]);
    }
    for (size_t i = 0; i < list->unknowns; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            memset(row, 0, sizeof row);
            row[i] = sign;
            add_constraint_side(list, row, (sign < 0 ? -low[i] : high[i]) / scales[i], 0);
        }
}

int rw_constrained_minimum(const double matrix[N][N], const double *gradient, size_t count, const double *low,
                           const double *high, const rw_linear_rows *rows, const double *slacks, double *step)
{
    double scales[N], scaled[N][N] = {{0}}, scaled_gradient[N] = {0}, move[N], multipliers[SYSTEM] = {0};
    side_list list = {.unknowns = count};
    scale_unknowns(matrix, gradient, count, scales, scaled, scaled_gradient);
    list_constraint_sides(low, high, rows, slacks, scales, &list);
    memset(step, 0, count * sizeof *step);
    /* Each round meets or lets go one side; the limit only stands against going round for ever on rounding. */
    for (size_t round = 0; round < 16 * SIDES; round++) {
        if (!find_move((const double(*)[N])scaled, scaled_gradient, &list, step, move, multipliers))
            return 0;
        size_t blocking = move_to_side(&list, move, step);
        if (blocking < list.count) {
            list.met[blocking] = 1;
            continue;
        }
        size_t pulled = find_pulled(&list, multipliers);
        if (pulled == list.count)
            break;
        list.met[pulled] = 0;
    }
    for (size_t i = 0; i < count; i++)
        step[i] *= scales[i];
    return 1;
}

#define MEET_ROUNDS 20000

/* Projections on each in turn come to a place that all allow, where there is one (Bregman 1965). */
int rw_rows_meet(const rw_linear_rows *rows, size_t count, const double *low, const double *high, double *x)
{
    for (int round = 0; round < MEET_ROUNDS; round++) {
        double worst = 0;
        for (size_t i = 0; i < rows->count; i++) {
            double over = -rows->bounds[i], size = 0, max_term = fabs(rows->bounds[i]);
            for (size_t k = 0; k < count; k++) {
                over += rows->rows[i][k] * x[k];
                size += rows->rows[i][k] * rows->rows[i][k];
                max_term = fmax(max_term, fabs(rows->rows[i][k] * x[k]));
            }
            if (size == 0 || (over <= 0 && !rows->equal[i]))
                continue;
            worst = fmax(worst, fabs(over) / fmax(1, max_term));
            for (size_t k = 0; k < count; k++)
                x[k] -= over / size * rows->rows[i][k];
        }
        for (size_t k = 0; k < count; k++) {
            double inside = fmin(high[k], fmax(low[k], x[k]));
            worst = fmax(worst, fabs(inside - x[k]) / fmax(1, fabs(inside)));
            x[k] = inside;
        }
        if (worst < 1e-13)
            return 1;
    }
    return 0;
}
