/* Pictures of an evaluation: measured and predicted path loss along the route (as Figure 12 of Rick and Kuhlen 2010),
 * predicted over measured, the histogram of errors, and errors on the map (as Figures 13 and 14 of Lu and others 2019).
 */
#include "base/memory.h"
#include "calibrate/evaluation/evaluation.h"
#include "output/pictures/pictures.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void describe_evaluation(const rw_evaluation *evaluation, char *string, size_t size)
{
    const rw_error_statistics *figures = &evaluation->info.prediction;
    int length = snprintf(string, size, "%zu points; mean error %.1f dB, RMSE %.1f dB", evaluation->info.points,
                          figures->mean_db, figures->rmse_db);
    if (isfinite(figures->std_dev_db) && length > 0 && (size_t)length < size)
        length += snprintf(string + length, size - (size_t)length, ", std. dev. %.1f dB", figures->std_dev_db);
    if (evaluation->info.has_one_slope && length > 0 && (size_t)length < size)
        snprintf(string + length, size - (size_t)length, " (one-slope fit %.1f dB)",
                 evaluation->info.one_slope.std_dev_db);
}

#define GAP_STEPS 8.0 /* a line over a longer stretch without points would show values that were not measured */

/* The points with a gap where the route changes or has no points for long: a point that is not finite breaks the line.
 */
typedef struct route_lines {
    double *x, *measured, *predicted;
    size_t count;
} route_lines;

static void lay_lines(const rw_evaluation *evaluation, int over_distance, route_lines *lines)
{
    double length_m = evaluation->info.points ? evaluation->along_m[evaluation->info.points - 1] : 0;
    double gap_m = GAP_STEPS * length_m / (double)evaluation->info.points;
    for (size_t i = 0; i < evaluation->info.points; i++) {
        int gap = over_distance && i > 0 && evaluation->along_m[i] - evaluation->along_m[i - 1] > gap_m;
        if (gap || (i > 0 && strcmp(evaluation->routes[i], evaluation->routes[i - 1]) != 0))
            lines->x[lines->count++] = NAN;
        lines->x[lines->count] = over_distance ? evaluation->along_m[i] : (double)(i + 1);
        lines->measured[lines->count] = evaluation->measured_db[i];
        lines->predicted[lines->count++] = evaluation->predicted_db[i];
    }
}

static rw_status draw_route(const rw_evaluation *evaluation, const char *values, const char *subtitle, const char *path)
{
    rw_context *context = evaluation->context;
    char title[96];
    snprintf(title, sizeof title, "%c%s and predicted path loss", toupper((unsigned char)values[0]), values + 1);
    size_t points = evaluation->info.points;
    double *buffer;
    RW_TRY(rw_array_create(context, 6 * points, sizeof *buffer, "a plot", &buffer));
    int over_distance = evaluation->along_m[points - 1] > 0;
    route_lines lines = {buffer, buffer + 2 * points, buffer + 4 * points, 0};
    lay_lines(evaluation, over_distance, &lines);
    const rw_series series[] = {{values, lines.x, lines.measured, lines.count, RW_SERIES_LINE},
                                {"predicted", lines.x, lines.predicted, lines.count, RW_SERIES_LINE}};
    rw_plot plot = {.title = title,
                    .subtitle = subtitle,
                    .x_label = over_distance ? "distance along the route in m" : "point",
                    .y_label = "path loss in dB",
                    .series = series,
                    .series_count = 2};
    rw_status status = rw_plot_write(context, &plot, path);
    free(buffer);
    return status;
}

static rw_status draw_scatter(const rw_evaluation *evaluation, const char *subtitle, const char *path)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < evaluation->info.points; i++) {
        low = fmin(low, fmin(evaluation->measured_db[i], evaluation->predicted_db[i]));
        high = fmax(high, fmax(evaluation->measured_db[i], evaluation->predicted_db[i]));
    }
    const double diagonal[] = {low, high};
    const rw_series series[] = {
        {NULL, evaluation->measured_db, evaluation->predicted_db, evaluation->info.points, RW_SERIES_POINTS},
        {"equal", diagonal, diagonal, 2, RW_SERIES_LINE}};
    rw_plot plot = {.title = "Predicted over measured path loss",
                    .subtitle = subtitle,
                    .x_label = "measured path loss in dB",
                    .y_label = "predicted path loss in dB",
                    .series = series,
                    .series_count = 2,
                    .width_px = 760,
                    .height_px = 760};
    return rw_plot_write(evaluation->context, &plot, path);
}

/* The outline of the columns: up, along and down again for each bin. */
static size_t outline_columns(const rw_histogram *histogram, double *x, double *y)
{
    size_t count = 0;
    for (size_t bin = 0; bin < histogram->bin_count; bin++) {
        double left = histogram->low_db + (double)bin * histogram->width_db, right = left + histogram->width_db;
        const double corner_x[] = {left, left, right, right};
        const double corner_y[] = {0, (double)histogram->counts[bin], (double)histogram->counts[bin], 0};
        for (int i = 0; i < 4; i++, count++) {
            x[count] = corner_x[i];
            y[count] = corner_y[i];
        }
    }
    return count;
}

static rw_status draw_histogram(const rw_evaluation *evaluation, const char *subtitle, const char *path)
{
    double x[4 * RW_HISTOGRAM_BINS_MAX], y[4 * RW_HISTOGRAM_BINS_MAX];
    size_t count = outline_columns(&evaluation->info.histogram, x, y);
    const rw_series series[] = {{NULL, x, y, count, RW_SERIES_LINE}};
    rw_plot plot = {.title = "Errors of the prediction",
                    .subtitle = subtitle,
                    .x_label = "measured less predicted path loss in dB",
                    .y_label = "points",
                    .series = series,
                    .series_count = 1,
                    .width_px = 900};
    return rw_plot_write(evaluation->context, &plot, path);
}

/* Classes of errors on the map: below the first bound, between it and the next, ... */
#define CLASSES 7
static const double bounds_db[CLASSES - 1] = {-15, -9, -3, 3, 9, 15};
static const char *const class_names[CLASSES] = {"below -15 dB", "to -9", "to -3", "to 3", "to 9", "to 15", "above"};
static const double class_colours[CLASSES + 1][3] = {{0.86, 0.0, 0},    {0.40, 0.16, 262}, {0.58, 0.14, 255},
                                                     {0.75, 0.09, 245}, {0.62, 0.0, 0},    {0.78, 0.12, 60},
                                                     {0.65, 0.17, 40},  {0.48, 0.18, 27}};

static int find_error_class(double error_db)
{
    int found = 0;
    while (found < CLASSES - 1 && error_db >= bounds_db[found])
        found++;
    return found;
}

static rw_status draw_error_map(const rw_evaluation *evaluation, const char *subtitle, const char *path)
{
    size_t points = evaluation->info.points;
    double *buffer;
    rw_series series[CLASSES + 1] = {
        {NULL, evaluation->wall_x, evaluation->wall_y, evaluation->wall_count, RW_SERIES_LINE}};
    RW_TRY(rw_array_create(evaluation->context, 2 * points * CLASSES, sizeof *buffer, "a plot", &buffer));
    for (int k = 0; k < CLASSES; k++) {
        double *x = buffer + 2 * points * (size_t)k, *y = x + points;
        size_t count = 0;
        for (size_t i = 0; i < points; i++)
            if (find_error_class(evaluation->measured_db[i] - evaluation->predicted_db[i]) == k) {
                x[count] = evaluation->x_m[i];
                y[count++] = evaluation->y_m[i];
            }
        series[k + 1] = (rw_series){class_names[k], x, y, count, RW_SERIES_POINTS};
    }
    rw_plot plot = {.title = "Measured less predicted path loss",
                    .subtitle = subtitle,
                    .x_label = "x in m",
                    .y_label = "y in m",
                    .series = series,
                    .series_count = CLASSES + 1,
                    .width_px = 1100,
                    .height_px = 1000,
                    .same_scale = 1,
                    .colours = class_colours};
    rw_status status = rw_plot_write(evaluation->context, &plot, path);
    free(buffer);
    return status;
}

rw_status rw_evaluation_draw(const rw_evaluation *evaluation, rw_evaluation_plot plot, const char *path)
{
    char subtitle[256] = "";
    describe_evaluation(evaluation, subtitle, sizeof subtitle);
    switch (plot) {
    case RW_EVALUATION_ROUTE:
        return draw_route(evaluation, "measured", subtitle, path);
    case RW_EVALUATION_SCATTER:
        return draw_scatter(evaluation, subtitle, path);
    case RW_EVALUATION_HISTOGRAM:
        return draw_histogram(evaluation, subtitle, path);
    case RW_EVALUATION_MAP:
        return draw_error_map(evaluation, subtitle, path);
    }
    return rw_fail(evaluation->context, RW_BAD_CALL, "there is no plot number %d", (int)plot);
}

rw_status rw_evaluation_draw_route(const rw_evaluation *evaluation, const char *values, const char *path)
{
    return draw_route(evaluation, values, NULL, path);
}
