/* Pictures of an evaluation: measured and predicted path loss along the route (as Figure 12 of Rick and Kuhlen 2010),
 * predicted over measured, and the histogram of errors. */
#include "base/memory.h"
#include "calibrate/evaluation/evaluation.h"
#include "output/pictures/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void describe(const rw_evaluation *evaluation, char *text, size_t size)
{
    const rw_error_statistics *figures = &evaluation->info.prediction;
    int length = snprintf(text, size, "%zu points; mean error %.1f dB, RMSE %.1f dB", evaluation->info.points,
                          figures->mean_db, figures->rmse_db);
    if (isfinite(figures->std_dev_db) && length > 0 && (size_t)length < size)
        length += snprintf(text + length, size - (size_t)length, ", std. dev. %.1f dB", figures->std_dev_db);
    if (evaluation->info.has_one_slope && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, " (one-slope fit %.1f dB)",
                 evaluation->info.one_slope.std_dev_db);
}

/* The points with a gap where the route changes: a point that is not finite breaks the line. */
typedef struct route_lines {
    double *x, *measured, *predicted;
    size_t count;
} route_lines;

static void lay_lines(const rw_evaluation *evaluation, int over_distance, route_lines *lines)
{
    for (size_t i = 0; i < evaluation->info.points; i++) {
        if (i > 0 && strcmp(evaluation->routes[i], evaluation->routes[i - 1]) != 0)
            lines->x[lines->count++] = NAN;
        lines->x[lines->count] = over_distance ? evaluation->along_m[i] : (double)(i + 1);
        lines->measured[lines->count] = evaluation->measured_db[i];
        lines->predicted[lines->count++] = evaluation->predicted_db[i];
    }
}

static rw_status draw_route(const rw_evaluation *evaluation, const char *subtitle, const char *path)
{
    rw_context *context = evaluation->context;
    size_t points = evaluation->info.points;
    double *room;
    RW_TRY(rw_array_create(context, 6 * points, sizeof *room, "a plot", &room));
    int over_distance = evaluation->along_m[points - 1] > 0;
    route_lines lines = {room, room + 2 * points, room + 4 * points, 0};
    lay_lines(evaluation, over_distance, &lines);
    const rw_series series[] = {{"measured", lines.x, lines.measured, lines.count, RW_SERIES_LINE},
                                {"predicted", lines.x, lines.predicted, lines.count, RW_SERIES_LINE}};
    rw_plot plot = {.title = "Measured and predicted path loss",
                    .subtitle = subtitle,
                    .x_label = over_distance ? "distance along the route in m" : "point",
                    .y_label = "path loss in dB",
                    .series = series,
                    .series_count = 2};
    rw_status status = rw_plot_write(context, &plot, path);
    free(room);
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
static size_t outline(const rw_histogram *histogram, double *x, double *y)
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
    size_t count = outline(&evaluation->info.histogram, x, y);
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

rw_status rw_evaluation_draw(const rw_evaluation *evaluation, rw_evaluation_plot plot, const char *path)
{
    char subtitle[256] = "";
    describe(evaluation, subtitle, sizeof subtitle);
    switch (plot) {
    case RW_EVALUATION_ROUTE:
        return draw_route(evaluation, subtitle, path);
    case RW_EVALUATION_SCATTER:
        return draw_scatter(evaluation, subtitle, path);
    case RW_EVALUATION_HISTOGRAM:
        return draw_histogram(evaluation, subtitle, path);
    }
    return rw_fail(evaluation->context, RW_BAD_CALL, "there is no plot number %d", (int)plot);
}
