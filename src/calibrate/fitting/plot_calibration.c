/* A picture of a calibration: the values of a model's losses, before and after, with their standard errors, as Figure 8
 * of Schmitz and others (2011) shows the shape of a parameter vector. */
#include "calibrate/fitting/fitting.h"

#include "output/pictures/pictures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The parameters in dB, which share an axis; others are told in the subtitle. */
typedef struct loss_curve {
    double x[RW_PARAMETERS_MAX], before[RW_PARAMETERS_MAX], after[RW_PARAMETERS_MAX];
    double error_x[3 * RW_PARAMETERS_MAX], error_y[3 * RW_PARAMETERS_MAX]; /* up and down, then a gap */
    size_t count, error_count;
    char names[512], others[256];
} loss_curve;

static void append_list_item(char *string, size_t size, const char *what)
{
    size_t length = strlen(string);
    snprintf(string + length, size - length, "%s%s", length ? ", " : "", what);
}

static void add_parameter(const rw_calibrated_parameter *parameter, loss_curve *curve)
{
    char string[96];
    if (strcmp(parameter->unit, "dB") != 0) {
        snprintf(string, sizeof string, "%s %.3g", parameter->name, parameter->after);
        append_list_item(curve->others, sizeof curve->others, string);
        return;
    }
    size_t at = curve->count++;
    snprintf(string, sizeof string, "%zu %s", at + 1, parameter->name);
    append_list_item(curve->names, sizeof curve->names, string);
    curve->x[at] = (double)(at + 1);
    curve->before[at] = parameter->before;
    curve->after[at] = parameter->after;
    if (!isfinite(parameter->standard_error))
        return;
    const double ends[] = {parameter->after - parameter->standard_error, parameter->after + parameter->standard_error,
                           NAN};
    for (int i = 0; i < 3; i++, curve->error_count++) {
        curve->error_x[curve->error_count] = curve->x[at];
        curve->error_y[curve->error_count] = ends[i];
    }
}

static void describe_calibration(const rw_calibration *calibration, const loss_curve *curve, char *string, size_t size)
{
    const rw_calibration_info *info = &calibration->info;
    int length = snprintf(string, size, "%zu points: RMSE %.1f dB before, %.1f dB after", info->points,
                          info->before.rmse_db, info->after.rmse_db);
    if (info->holdout_points && length > 0 && (size_t)length < size)
        length += snprintf(string + length, size - (size_t)length, "; %zu held out: %.1f dB, %.1f dB",
                           info->holdout_points, info->holdout_before.rmse_db, info->holdout_after.rmse_db);
    if (*curve->others && length > 0 && (size_t)length < size)
        snprintf(string + length, size - (size_t)length, "; %s", curve->others);
}

rw_status rw_params_deviation_db(const rw_params *params, const rw_params *other, double *deviation_db)
{
    const rw_model *model = params->model;
    double squares[2] = {0, 0};
    size_t counts[2] = {0, 0};
    if (other->model != model)
        return rw_fail(params->context, RW_BAD_CALL, "parameters of model %s cannot be compared with those of model %s",
                       other->model->name, model->name);
    for (size_t i = 0; i < model->parameter_count; i++) {
        double apart = params->values[i] - other->values[i];
        if (strcmp(model->parameters[i].unit, "dB") != 0)
            continue;
        for (int fitted = 0; fitted < 2; fitted++) {
            if (fitted && !(isfinite(params->standard_errors[i]) && isfinite(other->standard_errors[i])))
                continue;
            squares[fitted] += apart * apart;
            counts[fitted]++;
        }
    }
    int which = counts[1] > 0;
    *deviation_db = counts[which] ? sqrt(squares[which] / (double)counts[which]) : NAN;
    return RW_OK;
}

#define COMPARED_MAX 8

/* Other vectors over the same axis, with how far each is from the fitted one. */
typedef struct other_vectors {
    double values[COMPARED_MAX][RW_PARAMETERS_MAX];
    char names[COMPARED_MAX][96];
} other_vectors;

static rw_status add_others(const rw_calibration *calibration, const rw_params *const *others, const char *const *names,
                            size_t count, other_vectors *vectors)
{
    const rw_model *model = calibration->params->model;
    for (size_t i = 0; i < count; i++) {
        double deviation_db;
        size_t at = 0;
        RW_TRY(rw_params_deviation_db(calibration->params, others[i], &deviation_db));
        for (size_t k = 0; k < model->parameter_count; k++)
            if (strcmp(model->parameters[k].unit, "dB") == 0)
                vectors->values[i][at++] = others[i]->values[k];
        snprintf(vectors->names[i], sizeof vectors->names[i], "%.60s, deviates by %.1f dB", names[i], deviation_db);
    }
    return RW_OK;
}

rw_status rw_calibration_draw_comparison(const rw_calibration *calibration, const rw_params *const *others,
                                         const char *const *names, size_t count, const char *path)
{
    loss_curve curve = {0};
    other_vectors vectors;
    char subtitle[512];
    if (count > COMPARED_MAX)
        return rw_fail(calibration->context, RW_BAD_CALL, "%zu vectors are too many for a picture: at most %d", count,
                       COMPARED_MAX);
    for (size_t i = 0; i < calibration->info.parameters; i++) {
        rw_calibrated_parameter parameter = {.size = sizeof parameter};
        RW_TRY(rw_calibration_get_parameter(calibration, i, &parameter));
        add_parameter(&parameter, &curve);
    }
    if (curve.count == 0)
        return rw_fail(calibration->context, RW_BAD_CALL,
                       "none of the model's parameters is a loss that could be drawn");
    RW_TRY(add_others(calibration, others, names, count, &vectors));
    describe_calibration(calibration, &curve, subtitle, sizeof subtitle);
    rw_series series[3 + COMPARED_MAX] = {
        {"fitted", curve.x, curve.after, curve.count, RW_SERIES_LINE},
        {"before", curve.x, curve.before, curve.count, RW_SERIES_LINE},
        {"standard error", curve.error_x, curve.error_y, curve.error_count, RW_SERIES_LINE}};
    size_t own = curve.error_count ? 3 : 2;
    for (size_t i = 0; i < count; i++)
        series[own + i] = (rw_series){vectors.names[i], curve.x, vectors.values[i], curve.count, RW_SERIES_LINE};
    rw_plot plot = {.title = "Fitted parameters",
                    .subtitle = subtitle,
                    .x_label = curve.names,
                    .y_label = "loss in dB",
                    .series = series,
                    .series_count = own + count};
    return rw_plot_write(calibration->context, &plot, path);
}

rw_status rw_calibration_draw(const rw_calibration *calibration, const char *path)
{
    return rw_calibration_draw_comparison(calibration, NULL, NULL, 0, path);
}
