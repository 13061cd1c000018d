/* From terms of paths and measured losses to parameters, their covariance and what can be said of each.
 *
 * One pass over the data gives the normal equations of all parameters that are fitted: per point the model's loss and
 * its derivatives (some 30 operations for the shadow model), and n (n + 1) / 2 multiply-adds, 66 for n = 11; 48 bytes
 * are read. Sums run over blocks of fixed size that are added in order, so that the number of threads does not matter.
 *
 * Offsets of groups (a site's unknown power, a phone) are no unknowns here: for any values the best offset of a group
 * is the mean of its errors, and with the group's mean taken from errors and derivatives the rest of the fit does not
 * see it (Frisch and Waugh 1933). The sums of each group are enough for that.
 *
 * What the data leave open stays at its start: each unknown is also held to where it started, as if that had been
 * measured once with a standard deviation of half the way between its bounds. Beside a hundred measurements this weighs
 * nothing; for an unknown that no path depends on it decides. */
#include "calibrate/fitting/fitting.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define P RW_PARAMETERS_MAX
#define N RW_UNKNOWNS_MAX
#define BLOCK 4096
#define STEPS_MAX 200
#define ROUNDS 3              /* of the error's own estimate */
#define ERROR_FLOOR_DB2 1e-12 /* of numbers kept as float */
#define WEIGHT_FLOOR 1e-11    /* of the data's: what rounding leaves of a singular matrix must not decide */

typedef struct fit_sums {
    double cost;
    double gradient[P];
    double matrix[P][P]; /* of which the lower half */
    size_t count;        /* of points */
} fit_sums;

/* Of the points of one group. */
typedef struct group_sums {
    double count, error;
    double derivatives[P];
} group_sums;

typedef struct fit_problem {
    rw_context *context;
    const rw_fit_data *data;
    const rw_unknowns *unknowns;
    double weights[N]; /* of the start */
    size_t fitted[P], fitted_count;
    fit_sums *blocks;
    group_sums *groups; /* of each block, group after group; NULL: there are none */
    size_t block_count;
    int passes;
} fit_problem;

static int is_point_included(const rw_fit_data *data, size_t point)
{
    return !data->folds || data->folds[point] != data->excluded_fold;
}

static void add_point_to_sums(const fit_problem *problem, size_t point, const double *values, fit_sums *sums,
                              group_sums *groups)
{
    const rw_fit_data *data = problem->data;
    const rw_model *model = data->model;
    double derivatives[P];
    if (!is_point_included(data, point))
        return;
    double error =
        model->terms_loss_db(rw_fit_terms(data, point), values, derivatives) - (double)data->measured_db[point];
    sums->cost += error * error;
    sums->count++;
    group_sums *group = groups ? &groups[data->groups[point]] : NULL;
    if (group) {
        group->count++;
        group->error += error;
        for (size_t i = 0; i < problem->fitted_count; i++)
            group->derivatives[i] += derivatives[problem->fitted[i]];
    }
    for (size_t i = 0; i < problem->fitted_count; i++) {
        double own = derivatives[problem->fitted[i]];
        if (own == 0)
            continue;
        sums->gradient[i] += own * error;
        for (size_t k = 0; k <= i; k++)
            sums->matrix[i][k] += own * derivatives[problem->fitted[k]];
    }
}

/* Takes the mean of each group from errors and derivatives. */
static void centre_groups(const fit_problem *problem, fit_sums *sums)
{
    size_t group_count = problem->data->group_count;
    for (size_t g = 0; problem->groups && g < group_count; g++) {
        group_sums all = {0};
        for (size_t b = 0; b < problem->block_count; b++) {
            const group_sums *block_sums = &problem->groups[b * group_count + g];
            all.count += block_sums->count;
            all.error += block_sums->error;
            for (size_t i = 0; i < problem->fitted_count && block_sums->count > 0; i++)
                all.derivatives[i] += block_sums->derivatives[i];
        }
        if (all.count == 0)
            continue;
        sums->cost -= all.error * all.error / all.count;
        for (size_t i = 0; i < problem->fitted_count; i++) {
            sums->gradient[i] -= all.derivatives[i] * all.error / all.count;
            for (size_t k = 0; k <= i; k++)
                sums->matrix[i][k] -= all.derivatives[i] * all.derivatives[k] / all.count;
        }
    }
    sums->cost = fmax(0, sums->cost);
    for (size_t i = 0; i < problem->fitted_count; i++) /* what rounding leaves of a constant */
        if (problem->groups && sums->matrix[i][i] < 1e-12 * (double)sums->count)
            sums->gradient[i] = sums->matrix[i][i] = 0;
}

typedef struct block_sums {
    fit_problem *problem;
    const double *values;
} block_sums;

static void sum_blocks(void *user, size_t begin, size_t end)
{
    const block_sums *of = user;
    fit_problem *problem = of->problem;
    size_t group_count = problem->groups ? problem->data->group_count : 0;
    for (size_t b = begin; b < end; b++) {
        size_t first = b * BLOCK, behind = first + BLOCK < problem->data->count ? first + BLOCK : problem->data->count;
        group_sums *groups = problem->groups ? &problem->groups[b * group_count] : NULL;
        memset(&problem->blocks[b], 0, sizeof *problem->blocks);
        if (groups)
            memset(groups, 0, group_count * sizeof *groups);
        for (size_t i = first; i < behind; i++)
            add_point_to_sums(problem, i, of->values, &problem->blocks[b], groups);
    }
}

static rw_status add_blocks(fit_problem *problem, const double *values, fit_sums *sums)
{
    block_sums of = {problem, values};
    RW_TRY(rw_parallel(problem->context, problem->block_count, 1, sum_blocks, &of));
    memset(sums, 0, sizeof *sums);
    for (size_t b = 0; b < problem->block_count; b++) {
        sums->cost += problem->blocks[b].cost;
        sums->count += problem->blocks[b].count;
        for (size_t i = 0; i < problem->fitted_count; i++) {
            sums->gradient[i] += problem->blocks[b].gradient[i];
            for (size_t k = 0; k <= i; k++)
                sums->matrix[i][k] += problem->blocks[b].matrix[i][k];
        }
    }
    centre_groups(problem, sums);
    problem->passes++;
    return RW_OK;
}

/* From sums over parameters to those over unknowns: values = held + map x. */
static void change_to_unknowns(const fit_problem *problem, const fit_sums *sums, rw_normal_equations *equations)
{
    const rw_unknowns *unknowns = problem->unknowns;
    memset(equations, 0, sizeof *equations);
    equations->cost = sums->cost;
    for (size_t i = 0; i < problem->fitted_count; i++) {
        const double *row = unknowns->map[problem->fitted[i]];
        for (size_t u = 0; u < unknowns->count; u++)
            equations->gradient[u] += row[u] * sums->gradient[i];
        for (size_t k = 0; k < problem->fitted_count; k++) {
            const double *other = unknowns->map[problem->fitted[k]];
            double entry = k <= i ? sums->matrix[i][k] : sums->matrix[k][i];
            for (size_t u = 0; u < unknowns->count && entry != 0; u++)
                for (size_t v = 0; v < unknowns->count; v++)
                    equations->matrix[u][v] += row[u] * entry * other[v];
        }
    }
}

static rw_status evaluate_fit_equations(void *user, const double *x, rw_normal_equations *equations)
{
    fit_problem *problem = user;
    double values[P];
    fit_sums sums;
    rw_unknowns_values(problem->unknowns, x, values);
    RW_TRY(add_blocks(problem, values, &sums));
    change_to_unknowns(problem, &sums, equations);
    for (size_t u = 0; u < problem->unknowns->count; u++) {
        double away = x[u] - problem->unknowns->start[u];
        equations->cost += problem->weights[u] * away * away;
        equations->gradient[u] += problem->weights[u] * away;
        equations->matrix[u][u] += problem->weights[u];
    }
    return RW_OK;
}

static double spread_of(const rw_unknowns *unknowns, size_t u)
{
    return 0.5 * (unknowns->high[u] - unknowns->low[u]);
}

/* What the unknowns are: free, at a bound, used by no path, or left open by the data. */
static void judge_unknowns(const fit_problem *problem, const rw_normal_equations *at, const double *x,
                           const double covariance[N][N], rw_parameter_state *states)
{
    const rw_unknowns *unknowns = problem->unknowns;
    for (size_t u = 0; u < unknowns->count; u++) {
        double used = at->matrix[u][u] - problem->weights[u], left_open = covariance[u][u] * problem->weights[u];
        int bound = x[u] <= unknowns->low[u] || x[u] >= unknowns->high[u];
        states[u] = RW_PARAMETER_FITTED;
        if (!(used > 1e-9 * problem->weights[u]) && !rw_unknowns_tied(unknowns, u))
            states[u] = RW_PARAMETER_UNUSED;
        else if (bound)
            states[u] = RW_PARAMETER_AT_BOUND;
        else if (!(left_open < 0.25)) /* of the variance that the start alone would leave */
            states[u] = RW_PARAMETER_OPEN;
    }
}

/* A parameter is what the unknowns that it depends on are: open where one of them is, at a bound where all are. */
static rw_parameter_state judge_parameter(const rw_unknowns *unknowns, size_t parameter,
                                          const rw_parameter_state *states)
{
    size_t dependent = 0, unused = 0, bound = 0, open = 0;
    for (size_t u = 0; u < unknowns->count; u++) {
        int depends = unknowns->map[parameter][u] != 0;
        dependent += (size_t)depends;
        unused += (size_t)(depends && states[u] == RW_PARAMETER_UNUSED);
        bound += (size_t)(depends && states[u] == RW_PARAMETER_AT_BOUND);
        open += (size_t)(depends && states[u] == RW_PARAMETER_OPEN);
    }
    if (dependent == 0)
        return RW_PARAMETER_HELD;
    if (unused == dependent)
        return RW_PARAMETER_UNUSED;
    if (open + unused > 0)
        return RW_PARAMETER_OPEN;
    return bound == dependent ? RW_PARAMETER_AT_BOUND : RW_PARAMETER_FITTED;
}

/* What equations tie is known: the covariance of the rest, given that each holds. */
static void condition_covariance(const rw_linear_rows *rows, size_t count, double covariance[N][N])
{
    for (size_t i = 0; i < rows->count; i++) {
        double along[N] = {0}, variance = 0;
        for (size_t u = 0; u < count; u++) {
            for (size_t v = 0; v < count; v++)
                along[u] += covariance[u][v] * rows->rows[i][v];
            variance += along[u] * rows->rows[i][u];
        }
        for (size_t u = 0; u < count && rows->equal[i] && variance > 0; u++)
            for (size_t v = 0; v < count; v++)
                covariance[u][v] -= along[u] * along[v] / variance;
    }
}

/* Bounds are left aside: where one is met, the fit would have gone beyond it, and its distance from the truth is at
 * most that of the fit without bounds. So the covariance is that of the latter; to take what is at a bound as known
 * would make the others look far better than they are. */
static rw_status find_covariance(const fit_problem *problem, const rw_normal_equations *at, const double *x,
                                 double variance_db2, rw_fit_result *result)
{
    const rw_unknowns *unknowns = problem->unknowns;
    double covariance[N][N];
    int chosen[N];
    rw_parameter_state states[N];
    for (size_t u = 0; u < unknowns->count; u++)
        chosen[u] = 1;
    if (!rw_matrix_inverse((const double(*)[N])at->matrix, chosen, unknowns->count, covariance))
        return rw_fail(problem->context, RW_INTERNAL, "the normal equations of the fit are singular");
    condition_covariance(&unknowns->rows, unknowns->count, covariance);
    judge_unknowns(problem, at, x, (const double(*)[N])covariance, states);
    memset(result->covariance, 0, sizeof result->covariance);
    for (size_t i = 0; i < unknowns->model->parameter_count; i++) {
        result->states[i] = judge_parameter(unknowns, i, states);
        for (size_t k = 0; k < unknowns->model->parameter_count; k++)
            for (size_t u = 0; u < unknowns->count; u++)
                for (size_t v = 0; v < unknowns->count && unknowns->map[i][u] != 0; v++)
                    result->covariance[i][k] +=
                        unknowns->map[i][u] * variance_db2 * covariance[u][v] * unknowns->map[k][v];
    }
    return RW_OK;
}

static rw_status begin_fit(rw_context *context, const rw_fit_data *data, const rw_unknowns *unknowns,
                           fit_problem *problem)
{
    *problem = (fit_problem){.context = context, .data = data, .unknowns = unknowns};
    for (size_t i = 0; unknowns && i < data->model->parameter_count; i++)
        if (rw_unknowns_fits(unknowns, i))
            problem->fitted[problem->fitted_count++] = i;
    problem->block_count = (data->count + BLOCK - 1) / BLOCK;
    RW_TRY(rw_array_create(context, problem->block_count, sizeof *problem->blocks, "sums of a fit", &problem->blocks));
    if (!data->groups)
        return RW_OK;
    rw_status status = rw_array_create(context, problem->block_count * data->group_count, sizeof *problem->groups,
                                       "sums of a fit", &problem->groups);
    if (status != RW_OK)
        free(problem->blocks);
    return status;
}

static void end_fit(fit_problem *problem)
{
    free(problem->blocks);
    free(problem->groups);
}

static size_t count_included_points(const rw_fit_data *data)
{
    size_t count = 0;
    for (size_t i = 0; i < data->count; i++)
        count += (size_t)is_point_included(data, i);
    return count;
}

/* Sum of squared errors without the start's share. */
static double data_cost(const fit_problem *problem, const rw_normal_equations *at, const double *x)
{
    double cost = at->cost;
    for (size_t u = 0; u < problem->unknowns->count; u++)
        cost -= problem->weights[u] * pow(x[u] - problem->unknowns->start[u], 2);
    return fmax(0, cost);
}

/* The weight of the start hangs on the error's variance, which the fit itself tells: a few rounds settle both. */
static rw_status solve_rounds(fit_problem *problem, double *x, rw_fit_result *result)
{
    const rw_unknowns *unknowns = problem->unknowns;
    rw_least_squares least_squares = {
        .count = unknowns->count, .evaluate = evaluate_fit_equations, .user = problem, .steps_max = STEPS_MAX};
    rw_least_squares_result solved;
    memcpy(least_squares.low, unknowns->low, sizeof least_squares.low);
    memcpy(least_squares.high, unknowns->high, sizeof least_squares.high);
    least_squares.rows = &unknowns->rows;
    least_squares.cost_tolerance = problem->data->cost_tolerance;
    double count = (double)count_included_points(problem->data), variance_db2 = result->rmse_db * result->rmse_db;
    rw_normal_equations first;
    RW_TRY(evaluate_fit_equations(problem, x, &first));
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t u = 0; u < unknowns->count; u++)
            problem->weights[u] = fmax(fmax(1, problem->data->ridge) * fmax(ERROR_FLOOR_DB2, variance_db2) /
                                           pow(spread_of(unknowns, u), 2),
                                       WEIGHT_FLOOR * first.matrix[u][u]);
        RW_TRY(rw_least_squares_solve(&least_squares, x, &solved));
        variance_db2 = data_cost(problem, &solved.equations, x) / count;
    }
    result->rmse_db = sqrt(variance_db2);
    double freedom = fmax(1, count - (double)unknowns->count - (double)problem->data->group_count);
    return find_covariance(problem, &solved.equations, x, variance_db2 * count / freedom, result);
}

rw_status rw_fit_solve(rw_context *context, const rw_fit_data *data, const rw_unknowns *unknowns, rw_fit_result *result)
{
    fit_problem problem;
    double x[N];
    RW_TRY(rw_fit_rmse_db(context, data, unknowns->start_values, &result->rmse_db));
    RW_TRY(begin_fit(context, data, unknowns, &problem));
    memcpy(x, unknowns->start, sizeof x); /* NOLINT: an array of the struct is never NULL */
    rw_status status = solve_rounds(&problem, x, result);
    end_fit(&problem);
    rw_unknowns_values(unknowns, x, result->values);
    for (size_t i = 0; i < data->model->parameter_count; i++)
        if (result->states[i] == RW_PARAMETER_UNUSED) /* not even by rounding */
            result->values[i] = unknowns->start_values[i];
    result->passes = problem.passes;
    return status;
}

rw_status rw_fit_rmse_db(rw_context *context, const rw_fit_data *data, const double *values, double *rmse_db)
{
    fit_problem problem;
    fit_sums sums;
    RW_TRY(begin_fit(context, data, NULL, &problem));
    rw_status status = add_blocks(&problem, values, &sums);
    end_fit(&problem);
    RW_TRY(status);
    *rmse_db = sums.count ? sqrt(sums.cost / (double)sums.count) : NAN;
    return RW_OK;
}

static double error_at(const rw_fit_data *data, size_t point, const double *values)
{
    double derivatives[P];
    return (double)data->measured_db[point] -
           data->model->terms_loss_db(rw_fit_terms(data, point), values, derivatives);
}

rw_status rw_fit_offsets(rw_context *context, const rw_fit_data *data, const double *values, double *offsets_db)
{
    size_t groups = data->group_count;
    double *sums; /* of points that take part, and of all: errors and numbers */
    RW_TRY(rw_array_create(context, 4 * groups, sizeof *sums, "offsets", &sums));
    for (size_t i = 0; i < data->count; i++) {
        double error = error_at(data, i, values), *sum = sums + 4 * data->groups[i],
               weight = is_point_included(data, i);
        sum[0] += weight * error;
        sum[1] += weight;
        sum[2] += error;
        sum[3] += 1;
    }
    for (size_t g = 0; g < groups; g++) {
        const double *sum = sums + 4 * g;
        offsets_db[g] = sum[1] > 0 ? sum[0] / sum[1] : sum[3] > 0 ? sum[2] / sum[3] : 0;
    }
    free(sums);
    return RW_OK;
}

rw_status rw_fit_excluded_squares(rw_context *context, const rw_fit_data *data, const double *values, double *squares,
                                  size_t *count)
{
    double *offsets_db = NULL;
    if (data->groups) {
        RW_TRY(rw_array_create(context, data->group_count, sizeof *offsets_db, "offsets", &offsets_db));
        rw_status status = rw_fit_offsets(context, data, values, offsets_db);
        if (status != RW_OK) {
            free(offsets_db);
            return status;
        }
    }
    *squares = 0;
    *count = 0;
    for (size_t i = 0; i < data->count; i++) {
        if (is_point_included(data, i))
            continue;
        double error = error_at(data, i, values) - (offsets_db ? offsets_db[data->groups[i]] : 0);
        *squares += error * error;
        ++*count;
    }
    free(offsets_db);
    return RW_OK;
}
