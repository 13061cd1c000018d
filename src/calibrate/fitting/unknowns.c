/* From parameters to unknowns that need no more than bounds.
 *
 * A parameter that stands alone is its own unknown. A curve f(x) = a0 + a1 x + a2 x^2 + a3 x^3 must not be negative and
 * must not fall between 0 and pi; signs of the coefficients do not say that. In Bernstein form, f is the mean of four
 * control points b0 .. b3 with weights that are never negative, and its slope is that of their differences: b0 >= 0 and
 * rising control points are enough. So the unknowns are d0 = b0 and the three rises d1 .. d3, all >= 0. Every physical
 * curve of degree 2 can be written so, and of degree 3 all but some that are nearly flat in the middle. */
#include "calibrate/fitting/fitting.h"

#include "field/paths/free_space.k.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_alone(rw_unknowns *unknowns, size_t parameter, double value)
{
    const rw_parameter_kind *kind = &unknowns->model->parameters[parameter];
    size_t at = unknowns->count++;
    unknowns->map[parameter][at] = 1;
    unknowns->held[parameter] = 0;
    unknowns->low[at] = kind->low;
    unknowns->high[at] = kind->high;
    unknowns->start[at] = fmin(kind->high, fmax(kind->low, value));
}

/* With c_k = a_k pi^k: c0 = d0, c1 = 3 d1, c2 = 3 (d2 - d1), c3 = d3 - 2 d2 + d1. */
static void add_curve(rw_unknowns *unknowns, size_t parameter, const double *a)
{
    static const double power_of_rise[4][4] = {{1, 0, 0, 0}, {0, 3, 0, 0}, {0, -3, 3, 0}, {0, 1, -2, 1}};
    static const double rise_of_power[4][4] = {
        {1, 0, 0, 0}, {0, 1.0 / 3, 0, 0}, {0, 1.0 / 3, 1.0 / 3, 0}, {0, 1.0 / 3, 2.0 / 3, 1}};
    size_t first = unknowns->count;
    unknowns->count += 4;
    for (int i = 0; i < 4; i++) {
        double rise = 0;
        for (int k = 0; k < 4; k++) {
            rise += rise_of_power[i][k] * a[k] * pow(RW_PI, k);
            unknowns->map[parameter + (size_t)i][first + (size_t)k] = power_of_rise[i][k] / pow(RW_PI, i);
        }
        unknowns->held[parameter + (size_t)i] = 0;
        unknowns->low[first + (size_t)i] = 0;
        unknowns->high[first + (size_t)i] = RW_CURVE_STEP_DB;
        unknowns->start[first + (size_t)i] = fmin(RW_CURVE_STEP_DB, fmax(0, rise));
    }
}

static rw_status check_groups(rw_context *context, const rw_model *model, const char *groups)
{
    char groups_found[512] = "";
    for (size_t i = 0; i < model->parameter_count; i++) {
        size_t length = strlen(groups_found);
        if (!rw_list_contains(groups_found, model->parameters[i].group))
            snprintf(groups_found + length, sizeof groups_found - length, "%s%s", length ? "," : "",
                     model->parameters[i].group);
    }
    return rw_list_check(context, groups, groups_found, "group of parameters");
}

rw_status rw_unknowns_choose(rw_context *context, const rw_model *model, const char *groups, const double *values,
                             rw_unknowns *unknowns)
{
    memset(unknowns, 0, sizeof *unknowns);
    unknowns->model = model;
    if (groups)
        RW_TRY(check_groups(context, model, groups));
    for (size_t i = 0; i < model->parameter_count; i++)
        unknowns->held[i] = unknowns->start_values[i] = values[i];
    for (size_t i = 0; i < model->parameter_count; i++) {
        const rw_parameter_kind *kind = &model->parameters[i];
        int chosen = groups ? rw_list_contains(groups, kind->group) : !kind->held;
        if (chosen && kind->power == RW_ALONE)
            add_alone(unknowns, i, values[i]);
        else if (chosen && kind->power == 0)
            add_curve(unknowns, i, &values[i]);
    }
    return unknowns->count ? RW_OK : rw_fail(context, RW_BAD_CALL, "no group of parameters is to be fitted");
}

_Static_assert(RW_CONSTRAINTS_MAX <= RW_ROWS_MAX, "room for the constraints");

/* Constraint i in the unknowns: row.values <= bound with values = held + map x. Returns the largest factor. */
static double tie_one(const rw_constraints *constraints, size_t i, rw_unknowns *unknowns, double *bound)
{
    double largest = 0, *row = unknowns->rows.rows[unknowns->rows.count];
    *bound = constraints->bounds[i];
    memset(row, 0, sizeof unknowns->rows.rows[0]);
    for (size_t p = 0; p < unknowns->model->parameter_count; p++) {
        *bound -= constraints->rows[i][p] * unknowns->held[p];
        for (size_t u = 0; u < unknowns->count; u++)
            row[u] += constraints->rows[i][p] * unknowns->map[p][u];
    }
    for (size_t u = 0; u < unknowns->count; u++)
        largest = fmax(largest, fabs(row[u]));
    return largest;
}

/* Whether equations before it say the same already, by elimination. */
static int is_row_redundant(const rw_linear_rows *rows, size_t count, const double *row)
{
    double reduced[RW_ROWS_MAX + 1][RW_UNKNOWNS_MAX];
    size_t row_count = 0, pivots[RW_ROWS_MAX + 1];
    for (size_t i = 0; i <= rows->count; i++) {
        if (i < rows->count && !rows->equal[i])
            continue;
        double *own = reduced[row_count];
        memcpy(own, i < rows->count ? rows->rows[i] : row, sizeof reduced[0]);
        for (size_t k = 0; k < row_count; k++) {
            double factor = own[pivots[k]] / reduced[k][pivots[k]];
            for (size_t u = 0; u < count; u++)
                own[u] -= factor * reduced[k][u];
        }
        size_t pivot = 0;
        for (size_t u = 1; u < count; u++)
            pivot = fabs(own[u]) > fabs(own[pivot]) ? u : pivot;
        if (!(fabs(own[pivot]) > 1e-9))
            return 1;
        pivots[row_count++] = pivot;
    }
    return 0;
}

rw_status rw_unknowns_tie(rw_context *context, const rw_constraints *constraints, rw_unknowns *unknowns)
{
    rw_linear_rows *rows = &unknowns->rows, all = {0};
    for (size_t i = 0; i < constraints->count; i++) {
        double bound, largest = tie_one(constraints, i, unknowns, &bound);
        int equal = constraints->equal[i];
        if (largest == 0 && (equal ? fabs(bound) > 1e-9 : bound < -1e-9))
            return rw_fail(context, RW_BAD_CALL,
                           "constraint %zu does not hold, and none of its parameters is fitted; add their group to "
                           "fit",
                           i + 1);
        if (largest == 0)
            continue;
        memcpy(all.rows[all.count], rows->rows[rows->count], sizeof all.rows[0]);
        all.bounds[all.count] = bound;
        all.equal[all.count++] = equal;
        if (equal && is_row_redundant(rows, unknowns->count, rows->rows[rows->count]))
            continue; /* it is checked with all of them below */
        rows->bounds[rows->count] = bound;
        rows->equal[rows->count++] = equal;
    }
    if (!constraints->count)
        return RW_OK;
    if (rw_rows_meet(&all, unknowns->count, unknowns->low, unknowns->high, unknowns->start)) {
        rw_unknowns_values(unknowns, unknowns->start, unknowns->start_values);
        return RW_OK;
    }
    return rw_fail(context, RW_BAD_CALL, "the constraints contradict each other or the bounds of the parameters");
}

int rw_unknowns_tied(const rw_unknowns *unknowns, size_t unknown)
{
    for (size_t i = 0; i < unknowns->rows.count; i++)
        if (unknowns->rows.rows[i][unknown] != 0)
            return 1;
    return 0;
}

void rw_unknowns_values(const rw_unknowns *unknowns, const double *x, double *values)
{
    for (size_t i = 0; i < unknowns->model->parameter_count; i++) {
        values[i] = unknowns->held[i];
        for (size_t k = 0; k < unknowns->count; k++)
            values[i] += unknowns->map[i][k] * x[k];
    }
}

int rw_unknowns_fits(const rw_unknowns *unknowns, size_t parameter)
{
    for (size_t k = 0; k < unknowns->count; k++)
        if (unknowns->map[parameter][k] != 0)
            return 1;
    return 0;
}
