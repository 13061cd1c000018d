/* From points of measured and predicted path loss to an evaluation: the way along them, the figures of the prediction,
 * and the same figures of the one-slope model L = a + 10 n log10(d) fitted to the very same points. A prediction that
 * does not beat that fit has learnt nothing from the buildings. */
#include "calibrate/evaluation/evaluation.h"

#include "base/memory.h"
#include "base/options.h"
#include "calibrate/evaluation/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The intercept is the loss at 1 m, and nearer than that the logarithm would run away. */
#define NEAREST_M 1.0

static rw_status create_columns(rw_evaluation *made, size_t capacity)
{
    double **columns[] = {&made->x_m,         &made->y_m,          &made->along_m,
                          &made->measured_db, &made->predicted_db, &made->one_slope_db};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        RW_TRY(rw_array_create(made->context, capacity, sizeof **columns[i], "an evaluation", columns[i]));
    RW_TRY(rw_array_create(made->context, capacity, sizeof *made->samples, "an evaluation", &made->samples));
    return rw_array_create(made->context, capacity, sizeof *made->routes, "an evaluation", &made->routes);
}

rw_status rw_evaluation_create(rw_context *context, size_t capacity, rw_evaluation **evaluation)
{
    rw_evaluation *made;
    *evaluation = NULL;
    RW_TRY(rw_array_create(context, 1, sizeof *made, "an evaluation", &made));
    made->context = context;
    made->info.size = sizeof made->info;
    rw_status status = create_columns(made, capacity);
    if (status != RW_OK) {
        rw_evaluation_destroy(made);
        return status;
    }
    *evaluation = made;
    return RW_OK;
}

void rw_evaluation_destroy(rw_evaluation *evaluation)
{
    if (!evaluation)
        return;
    free(evaluation->x_m);
    free(evaluation->y_m);
    free(evaluation->along_m);
    free(evaluation->measured_db);
    free(evaluation->predicted_db);
    free(evaluation->one_slope_db);
    free(evaluation->samples);
    free(evaluation->routes);
    free(evaluation->transmitters);
    free(evaluation);
}

static void measure_way(rw_evaluation *evaluation)
{
    for (size_t i = 1; i < evaluation->info.points; i++) {
        int same_route = strcmp(evaluation->routes[i], evaluation->routes[i - 1]) == 0;
        double step = hypot(evaluation->x_m[i] - evaluation->x_m[i - 1], evaluation->y_m[i] - evaluation->y_m[i - 1]);
        evaluation->along_m[i] = evaluation->along_m[i - 1] + (same_route ? step : 0);
    }
}

/* log10 of the distance in metres from antenna to antenna, both heights above ground. */
static double log_distance(const rw_transmitter *transmitter, double x_m, double y_m, double rx_height_m)
{
    double across = hypot(x_m - transmitter->x_m, y_m - transmitter->y_m);
    return log10(fmax(NEAREST_M, hypot(across, transmitter->height_m - rx_height_m)));
}

static rw_status fit_one_slope(rw_evaluation *evaluation, const rw_transmitter *transmitter, double rx_height_m)
{
    rw_evaluation_info *info = &evaluation->info;
    double *log_m, intercept, slope;
    RW_TRY(rw_array_create(evaluation->context, info->points, sizeof *log_m, "distances", &log_m));
    for (size_t i = 0; i < info->points; i++)
        log_m[i] = log_distance(evaluation->transmitters ? evaluation->transmitters[i] : transmitter,
                                evaluation->x_m[i], evaluation->y_m[i], rx_height_m);
    info->has_one_slope = rw_fit_line(log_m, evaluation->measured_db, info->points, &intercept, &slope);
    for (size_t i = 0; i < info->points; i++)
        evaluation->one_slope_db[i] = intercept + slope * log_m[i];
    free(log_m);
    info->one_slope_intercept_db = intercept;
    info->one_slope_exponent = slope / 10;
    if (!info->has_one_slope) {
        rw_warn(evaluation->context, "no one-slope fit: the measurements are all at the same distance from %s",
                transmitter->name);
        return RW_OK;
    }
    return rw_error_figures(evaluation->context, evaluation->measured_db, evaluation->one_slope_db, info->points,
                            &info->one_slope);
}

static rw_status check_transmitter(rw_context *context, const rw_transmitter *transmitter)
{
    if (isfinite(transmitter->x_m) && isfinite(transmitter->y_m) && isfinite(transmitter->height_m))
        return RW_OK;
    return rw_fail(context, RW_BAD_CALL, "transmitter %s: its position must be finite", transmitter->name);
}

rw_status rw_evaluation_finish(rw_evaluation *evaluation, const rw_transmitter *transmitter, double rx_height_m)
{
    rw_evaluation_info *info = &evaluation->info;
    measure_way(evaluation);
    RW_TRY(rw_error_figures(evaluation->context, evaluation->measured_db, evaluation->predicted_db, info->points,
                            &info->prediction));
    rw_error_histogram(evaluation->measured_db, evaluation->predicted_db, info->points, &info->histogram);
    info->one_slope = (rw_error_statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    info->one_slope_intercept_db = info->one_slope_exponent = NAN;
    for (size_t i = 0; i < info->points; i++)
        evaluation->one_slope_db[i] = NAN;
    if (!transmitter)
        return RW_OK;
    RW_TRY(check_transmitter(evaluation->context, transmitter));
    return fit_one_slope(evaluation, transmitter, rx_height_m);
}

rw_status rw_evaluation_get_info(const rw_evaluation *evaluation, rw_evaluation_info *info)
{
    return RW_GIVE(evaluation->context, &evaluation->info, info);
}

rw_status rw_evaluation_get_point(const rw_evaluation *evaluation, size_t index, rw_evaluation_point *point)
{
    if (index >= evaluation->info.points)
        return rw_fail(evaluation->context, RW_BAD_CALL, "the evaluation has %zu points, there is no number %zu",
                       evaluation->info.points, index);
    const rw_evaluation_point made = {.x_m = evaluation->x_m[index],
                                      .y_m = evaluation->y_m[index],
                                      .along_m = evaluation->along_m[index],
                                      .measured_db = evaluation->measured_db[index],
                                      .predicted_db = evaluation->predicted_db[index],
                                      .one_slope_db = evaluation->one_slope_db[index],
                                      .samples = evaluation->samples[index],
                                      .route = evaluation->routes[index]};
    return RW_GIVE(evaluation->context, &made, point);
}
