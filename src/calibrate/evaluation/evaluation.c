/* From points of measured and predicted path loss to an evaluation: the way along them, the figures of the prediction,
 * and the same figures of the one-slope model L = a + 10 n log10(d) fitted to the very same points. A prediction that
 * does not beat that fit has learnt nothing from the buildings. */
#include "calibrate/evaluation/evaluation.h"

#include "base/memory.h"
#include "base/options.h"
#include "calibrate/measurements/measurements.h"
#include "scene/antennas/antenna.h"
#include "scene/antennas/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The intercept is the loss at 1 m, and nearer than that the logarithm would run away. */
#define NEAREST_M 1.0

static rw_status create_columns(rw_evaluation *new_evaluation, size_t capacity)
{
    double **columns[] = {&new_evaluation->x_m,         &new_evaluation->y_m,         &new_evaluation->along_m,
                          &new_evaluation->height_m,    &new_evaluation->measured_db, &new_evaluation->predicted_db,
                          &new_evaluation->one_slope_db};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        RW_TRY(rw_array_create(new_evaluation->context, capacity, sizeof **columns[i], "an evaluation", columns[i]));
    RW_TRY(rw_array_create(new_evaluation->context, capacity, sizeof *new_evaluation->samples, "an evaluation",
                           &new_evaluation->samples));
    RW_TRY(rw_array_create(new_evaluation->context, capacity, sizeof *new_evaluation->mechanisms, "an evaluation",
                           &new_evaluation->mechanisms));
    for (size_t i = 0; i < capacity; i++)
        new_evaluation->mechanisms[i] = NAN;
    const char ***const names[] = {&new_evaluation->routes, &new_evaluation->sites, &new_evaluation->devices};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        RW_TRY(rw_array_create(new_evaluation->context, capacity, sizeof **names[i], "an evaluation", names[i]));
    return RW_OK;
}

rw_status rw_evaluation_create(rw_context *context, size_t capacity, rw_evaluation **evaluation)
{
    rw_evaluation *new_evaluation;
    *evaluation = NULL;
    RW_TRY(rw_array_create(context, 1, sizeof *new_evaluation, "an evaluation", &new_evaluation));
    new_evaluation->context = context;
    new_evaluation->info.size = sizeof new_evaluation->info;
    rw_status status = create_columns(new_evaluation, capacity);
    if (status != RW_OK) {
        rw_evaluation_destroy(new_evaluation);
        return status;
    }
    *evaluation = new_evaluation;
    return RW_OK;
}

void rw_evaluation_destroy(rw_evaluation *evaluation)
{
    if (!evaluation)
        return;
    free(evaluation->x_m);
    free(evaluation->y_m);
    free(evaluation->along_m);
    free(evaluation->height_m);
    free(evaluation->wall_x);
    free(evaluation->wall_y);
    free(evaluation->measured_db);
    free(evaluation->predicted_db);
    free(evaluation->one_slope_db);
    free(evaluation->samples);
    free(evaluation->routes);
    free(evaluation->sites);
    free(evaluation->devices);
    free(evaluation->mechanisms);
    free(evaluation->transmitters);
    free(evaluation->groups);
    free(evaluation->offsets);
    free(evaluation);
}

static void measure_route_distance(rw_evaluation *evaluation)
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

rw_status rw_evaluation_level(const rw_evaluation *evaluation, double *predicted_db, double *offsets_db)
{
    size_t groups = evaluation->group_count, *counts;
    double *buffer = NULL;
    if (!evaluation->groups)
        return RW_OK;
    RW_TRY(rw_array_create(evaluation->context, groups, sizeof *counts, "offsets", &counts));
    rw_status status =
        offsets_db ? RW_OK : rw_array_create(evaluation->context, groups, sizeof *buffer, "offsets", &buffer);
    if (status == RW_OK)
        rw_offsets_fit(evaluation->measured_db, predicted_db, evaluation->groups, evaluation->info.points, groups,
                       offsets_db ? offsets_db : buffer, counts);
    free(counts);
    free(buffer);
    return status;
}

/* Distances and losses without the mean of their groups: the slope within them. */
static rw_status centre_on_groups(const rw_evaluation *evaluation, double *log_m, double *loss_db)
{
    size_t groups = evaluation->group_count, points = evaluation->info.points;
    double *sums;
    RW_TRY(rw_array_create(evaluation->context, 3 * groups, sizeof *sums, "offsets", &sums));
    for (size_t i = 0; i < points; i++) {
        double *sum = sums + 3 * evaluation->groups[i];
        sum[0] += log_m[i];
        sum[1] += loss_db[i];
        sum[2] += 1;
    }
    for (size_t i = 0; i < points; i++) {
        const double *sum = sums + 3 * evaluation->groups[i];
        log_m[i] -= sum[0] / sum[2];
        loss_db[i] -= sum[1] / sum[2];
    }
    free(sums);
    return RW_OK;
}

/* The slope with one intercept, or with one for each group, of which the mean is told. */
static rw_status find_slope(rw_evaluation *evaluation, const double *log_m, double *intercept, double *slope)
{
    rw_evaluation_info *info = &evaluation->info;
    double *buffer, mean = 0;
    if (!evaluation->groups) {
        info->has_one_slope = rw_fit_line(log_m, evaluation->measured_db, info->points, intercept, slope);
        return RW_OK;
    }
    RW_TRY(rw_array_create(evaluation->context, 2 * info->points, sizeof *buffer, "distances", &buffer));
    memcpy(buffer, log_m, info->points * sizeof *buffer);
    memcpy(buffer + info->points, evaluation->measured_db, info->points * sizeof *buffer);
    rw_status status = centre_on_groups(evaluation, buffer, buffer + info->points);
    info->has_one_slope = rw_fit_line(buffer, buffer + info->points, info->points, intercept, slope);
    for (size_t i = 0; i < info->points; i++)
        mean += (evaluation->measured_db[i] - *slope * log_m[i]) / (double)info->points;
    *intercept = mean;
    free(buffer);
    return status;
}

static rw_status fit_one_slope(rw_evaluation *evaluation, const rw_transmitter *transmitter)
{
    rw_evaluation_info *info = &evaluation->info;
    double *log_m, intercept = 0, slope = 0;
    RW_TRY(rw_array_create(evaluation->context, info->points, sizeof *log_m, "distances", &log_m));
    for (size_t i = 0; i < info->points; i++)
        log_m[i] = log_distance(evaluation->transmitters ? evaluation->transmitters[i] : transmitter,
                                evaluation->x_m[i], evaluation->y_m[i], evaluation->height_m[i]);
    rw_status status = find_slope(evaluation, log_m, &intercept, &slope);
    for (size_t i = 0; i < info->points; i++)
        evaluation->one_slope_db[i] = intercept + slope * log_m[i];
    free(log_m);
    RW_TRY(status);
    RW_TRY(rw_evaluation_level(evaluation, evaluation->one_slope_db, NULL));
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

static rw_status check_transmitter_finite(rw_context *context, const rw_transmitter *transmitter)
{
    if (isfinite(transmitter->x_m) && isfinite(transmitter->y_m) && isfinite(transmitter->height_m))
        return RW_OK;
    return rw_fail(context, RW_BAD_CALL, "%s%s: its position must be finite", rw_transmitter_prefix(transmitter->name),
                   transmitter->name);
}

/* Figures of the points at ground level and of those above: Lu and others (2019), Tables III and IV. */
static rw_status split_by_height(rw_evaluation *evaluation)
{
    rw_evaluation_info *info = &evaluation->info;
    double *buffer;
    RW_TRY(rw_array_create(evaluation->context, 2 * info->points, sizeof *buffer, "an evaluation", &buffer));
    info->height_min_m = INFINITY;
    info->height_max_m = -INFINITY;
    for (size_t i = 0; i < info->points; i++) {
        info->height_min_m = fmin(info->height_min_m, evaluation->height_m[i]);
        info->height_max_m = fmax(info->height_max_m, evaluation->height_m[i]);
    }
    rw_status status = RW_OK;
    for (int above = 0; above < 2 && status == RW_OK; above++) {
        rw_error_statistics *figures = above ? &info->above : &info->ground;
        size_t count = 0;
        for (size_t i = 0; i < info->points; i++)
            if ((evaluation->height_m[i] > evaluation->above_m) == above) {
                buffer[count] = evaluation->measured_db[i];
                buffer[info->points + count++] = evaluation->predicted_db[i];
            }
        *(above ? &info->above_points : &info->ground_points) = count;
        *figures = (rw_error_statistics){NAN, NAN, NAN, NAN, NAN, NAN};
        if (count > 0)
            status = rw_error_figures(evaluation->context, buffer, buffer + info->points, count, figures);
    }
    free(buffer);
    return status;
}

rw_status rw_evaluation_finish(rw_evaluation *evaluation, const rw_transmitter *transmitter)
{
    rw_evaluation_info *info = &evaluation->info;
    measure_route_distance(evaluation);
    RW_TRY(rw_error_figures(evaluation->context, evaluation->measured_db, evaluation->predicted_db, info->points,
                            &info->prediction));
    RW_TRY(split_by_height(evaluation));
    rw_error_histogram(evaluation->measured_db, evaluation->predicted_db, info->points, &info->histogram);
    info->one_slope = (rw_error_statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    info->one_slope_intercept_db = info->one_slope_exponent = NAN;
    for (size_t i = 0; i < info->points; i++)
        evaluation->one_slope_db[i] = NAN;
    if (!transmitter)
        return RW_OK;
    RW_TRY(check_transmitter_finite(evaluation->context, transmitter));
    return fit_one_slope(evaluation, transmitter);
}

rw_status rw_evaluation_get_offset(const rw_evaluation *evaluation, size_t index, rw_offset *offset)
{
    if (index >= evaluation->info.offsets)
        return rw_fail(evaluation->context, RW_BAD_CALL, "the evaluation has %zu offsets, there is no number %zu",
                       evaluation->info.offsets, index);
    return RW_ASSIGN(evaluation->context, &evaluation->offsets[index], offset);
}

rw_status rw_evaluation_get_baseline(const rw_evaluation *evaluation, size_t index, rw_baseline *baseline)
{
    if (index >= evaluation->info.baselines)
        return rw_fail(evaluation->context, RW_BAD_CALL, "the evaluation has %zu yardsticks, there is no number %zu",
                       evaluation->info.baselines, index);
    return RW_ASSIGN(evaluation->context, &evaluation->baselines[index], baseline);
}

rw_status rw_evaluation_get_info(const rw_evaluation *evaluation, rw_evaluation_info *info)
{
    return RW_ASSIGN(evaluation->context, &evaluation->info, info);
}

rw_status rw_evaluation_get_point(const rw_evaluation *evaluation, size_t index, rw_evaluation_point *point)
{
    if (index >= evaluation->info.points)
        return rw_fail(evaluation->context, RW_BAD_CALL, "the evaluation has %zu points, there is no number %zu",
                       evaluation->info.points, index);
    float mechanism = evaluation->mechanisms[index];
    const rw_evaluation_point evaluation_point = {.x_m = evaluation->x_m[index],
                                                  .y_m = evaluation->y_m[index],
                                                  .along_m = evaluation->along_m[index],
                                                  .measured_db = evaluation->measured_db[index],
                                                  .predicted_db = evaluation->predicted_db[index],
                                                  .one_slope_db = evaluation->one_slope_db[index],
                                                  .samples = evaluation->samples[index],
                                                  .route = evaluation->routes[index],
                                                  .height_m = evaluation->height_m[index],
                                                  .site = evaluation->sites[index],
                                                  .device = evaluation->devices[index],
                                                  .mechanism = isfinite(mechanism) ? (int)mechanism : -1};
    return RW_ASSIGN(evaluation->context, &evaluation_point, point);
}
