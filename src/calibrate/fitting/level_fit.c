#include "calibrate/fitting/fitting.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N RW_LEVEL_TERMS
#define ROUNDS_MAX 40 /* of the error's own estimate, which the weight of the prior depends on */
#define VARIANCE_MIN_DB2 1e-12

/* Sums over a group of points: their number, errors and terms, and products of them. */
typedef struct level_sums {
    double count, error, error2;
    double terms[N], products[N][N], by_error[N];
} level_sums;

static int is_in_fit(const rw_level_data *data, size_t i)
{
    return !data->folds || data->folds[i] != data->excluded_fold;
}

static void add_point(level_sums *sums, double error_db, const double *terms)
{
    sums->count++;
    sums->error += error_db;
    sums->error2 += error_db * error_db;
    for (int i = 0; i < N; i++) {
        sums->terms[i] += terms[i];
        sums->by_error[i] += terms[i] * error_db;
        for (int k = 0; k <= i; k++)
            sums->products[i][k] += terms[i] * terms[k];
    }
}

/* Adds a group to the sums of all, without its mean if it has a constant of its own. */
static void add_level_group(const level_sums *group, int has_constant, level_sums *all)
{
    double per_point = has_constant && group->count > 0 ? 1 / group->count : 0;
    all->count += group->count;
    all->error2 += group->error2 - per_point * group->error * group->error;
    for (int i = 0; i < N; i++) {
        all->by_error[i] += group->by_error[i] - per_point * group->terms[i] * group->error;
        for (int k = 0; k <= i; k++)
            all->products[i][k] += group->products[i][k] - per_point * group->terms[i] * group->terms[k];
    }
}

/* Solves the symmetric system of the free terms by elimination; its inverse's diagonal goes into variances. Terms that
 * are not free have their values already. */
static void solve_level_terms(const level_sums *all, const double *precision, double variance_db2, const int *is_free,
                              double *values, double *variances)
{
    double system[N][N + 1 + N] = {{0}};
    double scale = 1 / (RW_LEVEL_NEIGHBOURS * variance_db2);
    for (int i = 0; i < N; i++) {
        system[i][N + 1 + i] = 1;
        system[i][i] = 1;
        system[i][N] = values[i];
        if (!is_free[i])
            continue;
        system[i][N] = scale * all->by_error[i];
        system[i][i] = precision[i];
        for (int k = 0; k < N; k++)
            system[i][k] += scale * (k <= i ? all->products[i][k] : all->products[k][i]);
    }
    for (int pivot = 0; pivot < N; pivot++)
        for (int row = 0; row < N; row++) {
            double factor = row == pivot ? 0 : system[row][pivot] / system[pivot][pivot];
            for (int column = 0; column < N + 1 + N && factor != 0; column++)
                system[row][column] -= factor * system[pivot][column];
        }
    for (int i = 0; i < N; i++) {
        values[i] = system[i][N] / system[i][i];
        variances[i] = is_free[i] ? system[i][N + 1 + i] / system[i][i] : 0;
    }
}

static double squares_left(const level_sums *all, const double *values)
{
    double sum = all->error2;
    for (int i = 0; i < N; i++) {
        sum -= 2 * values[i] * all->by_error[i];
        for (int k = 0; k < N; k++)
            sum += values[i] * values[k] * (k <= i ? all->products[i][k] : all->products[k][i]);
    }
    return fmax(0, sum);
}

/* A term that leaves its bounds stays at the bound, and the others are fitted again. */
static void solve_within_bounds(const level_sums *all, const rw_level_prior *prior, double variance_db2, double *values,
                                double *variances)
{
    int is_free[N];
    double precision[N];
    for (int i = 0; i < N; i++) {
        is_free[i] = prior->deviations[i] > 0 && isfinite(prior->strength);
        precision[i] = is_free[i] ? prior->strength / (prior->deviations[i] * prior->deviations[i]) : 0;
        values[i] = 0;
    }
    for (int round = 0, moved = 1; round < N && moved; round++) {
        solve_level_terms(all, precision, variance_db2, is_free, values, variances);
        moved = 0;
        for (int i = 0; i < N; i++)
            if (is_free[i] && !(values[i] >= prior->low[i] && values[i] <= prior->high[i])) {
                values[i] = values[i] < prior->low[i] ? prior->low[i] : prior->high[i];
                is_free[i] = 0;
                moved = 1;
            }
    }
}

static void solve_level_rounds(const level_sums *all, const rw_level_prior *prior, rw_level_fit *fit)
{
    double variances[N] = {0}, variance_db2 = fmax(VARIANCE_MIN_DB2, all->error2 / fmax(1, all->count));
    for (int round = 0; round < ROUNDS_MAX; round++) {
        double before_db2 = variance_db2;
        solve_within_bounds(all, prior, variance_db2, fit->values, variances);
        variance_db2 = fmax(VARIANCE_MIN_DB2, squares_left(all, fit->values) / fmax(1, all->count));
        if (fabs(before_db2 - variance_db2) <= 1e-9 * before_db2)
            break;
    }
    for (int i = 0; i < N; i++)
        fit->standard_errors[i] = sqrt(fmax(0, variances[i]));
    fit->rmse_db = sqrt(variance_db2);
}

static void find_level_offsets(const rw_level_data *data, const level_sums *groups, const rw_level_fit *fit,
                               double *offsets_db)
{
    for (size_t g = 0; g < data->group_count; g++) {
        const level_sums *sums = &groups[groups[g].count > 0 ? g : data->group_count + g];
        double sum = sums->error;
        for (int i = 0; i < N; i++)
            sum -= fit->values[i] * sums->terms[i];
        offsets_db[g] = data->groups && sums->count > 0 ? sum / sums->count : 0;
    }
}

rw_status rw_level_solve(rw_context *context, const rw_level_data *data, const rw_level_prior *prior, rw_level_fit *fit,
                         double *offsets_db)
{
    level_sums *groups, all = {0}; /* of points that take part, and behind them of the others */
    size_t group_count = data->groups ? data->group_count : 1;
    RW_TRY(rw_array_create(context, 2 * group_count, sizeof *groups, "offsets", &groups));
    for (size_t i = 0; i < data->count; i++)
        add_point(&groups[(data->groups ? data->groups[i] : 0) + (is_in_fit(data, i) ? 0 : group_count)],
                  data->error_db[i], data->terms[i]);
    for (size_t g = 0; g < group_count; g++)
        add_level_group(&groups[g], data->groups != NULL, &all);
    solve_level_rounds(&all, prior, fit);
    if (offsets_db)
        find_level_offsets(data, groups, fit, offsets_db);
    free(groups);
    return RW_OK;
}

rw_status rw_level_cross_validate(rw_context *context, const rw_level_data *data, int folds, const uint8_t *numbers,
                                  const rw_level_prior *prior, double *rmse_db)
{
    rw_level_data others = *data;
    double *offsets_db, squares = 0;
    size_t points = 0;
    RW_TRY(rw_array_create(context, data->group_count ? data->group_count : 1, sizeof *offsets_db, "offsets",
                           &offsets_db));
    others.folds = numbers;
    rw_status status = RW_OK;
    for (int fold = 0; fold < folds && status == RW_OK; fold++) {
        rw_level_fit fit;
        others.excluded_fold = (uint8_t)fold;
        status = rw_level_solve(context, &others, prior, &fit, offsets_db);
        for (size_t i = 0; i < data->count && status == RW_OK; i++) {
            if (numbers[i] != fold)
                continue;
            double error_db = data->error_db[i] - (data->groups ? offsets_db[data->groups[i]] : 0);
            for (int k = 0; k < N; k++)
                error_db -= fit.values[k] * data->terms[i][k];
            squares += error_db * error_db;
            points++;
        }
    }
    free(offsets_db);
    *rmse_db = points ? sqrt(squares / (double)points) : NAN;
    return status;
}
