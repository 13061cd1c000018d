/* A picture of a calibration: the values of a model's losses, before and after, with their standard errors, as Figure 8
 * of Schmitz and others (2011) shows the shape of a parameter vector. */
#include "calibrate/fitting/calibration.h"

#include "output/pictures/plot.h"

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

static void add_text(char *text, size_t size, const char *what)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length ? ", " : "", what);
}

static void add_parameter(const rw_calibrated_parameter *parameter, loss_curve *curve)
{
    char text[96];
    if (strcmp(parameter->unit, "dB") != 0) {
        snprintf(text, sizeof text, "%s %.3g", parameter->name, parameter->after);
        add_text(curve->others, sizeof curve->others, text);
        return;
    }
    size_t at = curve->count++;
    snprintf(text, sizeof text, "%zu %s", at + 1, parameter->name);
    add_text(curve->names, sizeof curve->names, text);
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

static void describe(const rw_calibration *calibration, const loss_curve *curve, char *text, size_t size)
{
    const rw_calibration_info *info = &calibration->info;
    int length = snprintf(text, size, "%zu points: RMSE %.1f dB before, %.1f dB after", info->points,
                          info->before.rmse_db, info->after.rmse_db);
    if (info->holdout_points && length > 0 && (size_t)length < size)
        length += snprintf(text + length, size - (size_t)length, "; %zu held out: %.1f dB, %.1f dB",
                           info->holdout_points, info->holdout_before.rmse_db, info->holdout_after.rmse_db);
    if (*curve->others && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "; %s", curve->others);
}

rw_status rw_calibration_draw(const rw_calibration *calibration, const char *path)
{
    loss_curve curve = {0};
    char subtitle[512];
    for (size_t i = 0; i < calibration->info.parameters; i++) {
        rw_calibrated_parameter parameter = {.size = sizeof parameter};
        RW_TRY(rw_calibration_get_parameter(calibration, i, &parameter));
        add_parameter(&parameter, &curve);
    }
    describe(calibration, &curve, subtitle, sizeof subtitle);
    const rw_series series[] = {{"fitted", curve.x, curve.after, curve.count, RW_SERIES_LINE},
                                {"before", curve.x, curve.before, curve.count, RW_SERIES_LINE},
                                {"standard error", curve.error_x, curve.error_y, curve.error_count, RW_SERIES_LINE}};
    rw_plot plot = {.title = "Fitted parameters",
                    .subtitle = subtitle,
                    .x_label = curve.names,
                    .y_label = "loss in dB",
                    .series = series,
                    .series_count = curve.error_count ? 3 : 2};
    if (curve.count == 0)
        return rw_fail(calibration->context, RW_BAD_CALL,
                       "none of the model's parameters is a loss that could be drawn");
    return rw_plot_write(calibration->context, &plot, path);
}
