/* Calibration without tracing: the fit of the shadow model's parameters to a million measurements that are made here.
 *
 * A pass over the data costs some 30 + 2 x 66 operations and 48 bytes a point; a fit takes a few passes. The limit that
 * is told is that of reading the data once a pass. The values that made the data are found again before anything is
 * timed. */
#include "bench/bench.h"

#include "base/memory.h"
#include "base/maths/hash.h"
#include "base/parallel.h"
#include "calibrate/fitting/fitting.h"
#include "models/shadow/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define POINTS ((size_t)1000000)
#define REPEATS 3
#define NOISE_DB 6.0

/* Paths in sight, round corners, over roofs and through walls, in equal parts. */
static void make_terms(rw_random *random, float *terms)
{
    static const int first[] = {RW_SHADOW_TERM_STREET, RW_SHADOW_TERM_ROOF};
    int kind = rw_random_index(random, 4);
    terms[RW_SHADOW_TERM_FREE_SPACE] = (float)rw_random_range(random, 70, 110);
    if (kind == 3)
        terms[RW_SHADOW_TERM_WALLS] = (float)(1 + rw_random_index(random, 8));
    for (int i = 0; (kind == 1 || kind == 2) && i <= rw_random_index(random, 3); i++) {
        double angle = rw_random_range(random, 0, kind == 1 ? 3 : 1), power = 1;
        for (int k = 0; k < 4; k++, power *= angle)
            terms[first[kind - 1] + k] += (float)power;
    }
}

/* Measurements by the given values with evenly spread noise. */
static void make_data(const rw_model *model, const double *values, float *terms, float *measured_db)
{
    rw_random random = rw_random_of(1, 0);
    double derivatives[RW_PARAMETERS_MAX], half_width = NOISE_DB * sqrt(3.0);
    for (size_t i = 0; i < POINTS; i++) {
        make_terms(&random, terms + i * model->term_count);
        double noise_db = rw_random_range(&random, -half_width, half_width);
        measured_db[i] = (float)(model->terms_loss_db(terms + i * model->term_count, values, derivatives) + noise_db);
    }
}

static rw_status check_fitted_values(rw_context *context, const rw_model *model, const double *values,
                                     const rw_fit_result *result)
{
    for (size_t i = 0; i < model->parameter_count; i++)
        if (!(fabs(result->values[i] - values[i]) <= 5 * sqrt(result->covariance[i][i]) + 1e-9))
            return rw_fail(context, RW_INTERNAL, "%s is found as %g instead of %g", model->parameters[i].name,
                           result->values[i], values[i]);
    return RW_OK;
}

typedef struct reading {
    const float *terms;
} reading;

static void read_terms(void *user, size_t begin, size_t end)
{
    const reading *from = user;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = begin; i < end; i++)
        sum += (double)from->terms[i];
    volatile double sink = sum;
    (void)sink;
}

/* Seconds that it takes to read the data once. */
static double time_reading(rw_context *context, const rw_fit_data *data)
{
    double best = INFINITY;
    reading from = {data->terms};
    for (int i = 0; i < REPEATS; i++) {
        double start_s = rw_seconds();
        rw_parallel_whole(context, data->count * data->model->term_count, (size_t)1 << 18, read_terms, &from);
        best = fmin(best, rw_seconds() - start_s);
    }
    return best;
}

static rw_status time_fit(const rw_bench *bench, const rw_fit_data *data, const double *values)
{
    rw_context *context = bench->context;
    double start[RW_PARAMETERS_MAX], seconds = INFINITY;
    rw_unknowns unknowns;
    rw_fit_result result = {0};
    RW_TRY(data->model->parameter_defaults(context, 947e6, start));
    RW_TRY(rw_unknowns_choose(context, data->model, NULL, start, &unknowns));
    for (int i = 0; i < REPEATS; i++) {
        double start_s = rw_seconds();
        RW_TRY(rw_fit_solve(context, data, &unknowns, &result));
        seconds = fmin(seconds, rw_seconds() - start_s);
        if (i == 0)
            RW_TRY(check_fitted_values(context, data->model, values, &result));
    }
    double passes = (double)result.passes;
    char note[160];
    snprintf(note, sizeof note, "%d passes over %zu points in %.2f s, %zu parameters", result.passes, POINTS, seconds,
             unknowns.count);
    const rw_bench checked =
        rw_bench_checked(bench, (rw_bench_check){"the noise of the data", fabs(result.rmse_db - NOISE_DB), 0.02, "dB"});
    rw_bench_add_result(&checked, "calibrate", "fit, one pass", passes * (double)POINTS / seconds, "points/s",
                        (double)POINTS / time_reading(context, data), NAN, note);
    return RW_OK;
}

rw_status rw_bench_calibrate(const rw_bench *bench)
{
    static const double values[RW_SHADOW_PARAMETERS] = {0, 4, 11, -2, 0.3, 6, 9, 0, 0.5, 0, 9, 0.8};
    rw_context *context = bench->context;
    rw_fit_data data = {.count = POINTS};
    double wanted[RW_SHADOW_PARAMETERS], defaults[RW_PARAMETERS_MAX];
    float *terms = NULL, *measured_db = NULL;
    if (!rw_bench_wants(bench, "calibrate", "fit"))
        return RW_OK;
    RW_TRY(rw_model_find(context, "shadow", &data.model));
    RW_TRY(data.model->parameter_defaults(context, 947e6, defaults));
    for (int i = 0; i < RW_SHADOW_PARAMETERS; i++) /* roofs that are only counted are not in the data */
        wanted[i] = i == RW_SHADOW_ROOF_COUNT ? defaults[i] : values[i];
    rw_status status = rw_array_create(context, POINTS * data.model->term_count, sizeof *terms, "terms", &terms);
    if (status == RW_OK)
        status = rw_array_create(context, POINTS, sizeof *measured_db, "measurements", &measured_db);
    if (status == RW_OK) {
        make_data(data.model, wanted, terms, measured_db);
        data.terms = terms;
        data.measured_db = measured_db;
        status = time_fit(bench, &data, wanted);
    }
    free(terms);
    free(measured_db);
    return status;
}
