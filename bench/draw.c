/* Curves of the benchmark as pictures: the points that were told of each curve, like Figure 11 of Rick and Kuhlen
 * (2010) or Figure 9 of Schmitz and others (2011). */
#include "base/memory.h"
#include "base/path.h"
#include "bench/bench.h"
#include "output/pictures/pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CURVES_MAX 12
#define LOG_RATIO 30.0 /* values that differ by more are drawn over powers of ten */

static int is_same_picture(const rw_bench_result *a, const rw_bench_result *b)
{
    return strcmp(a->group, b->group) == 0 && strcmp(a->unit, b->unit) == 0 && strcmp(a->x_label, b->x_label) == 0;
}

typedef struct curve_list {
    rw_series series[CURVES_MAX];
    size_t count;
    double *values; /* x and y of all results */
    size_t used;
    double min[2], max[2]; /* of x and of y */
} curve_list;

static int is_log(const curve_list *curves, int axis)
{
    return curves->min[axis] > 0 && curves->max[axis] > LOG_RATIO * curves->min[axis];
}

/* Adds the curve that result i begins; the curves of earlier results were taken before. */
static void add_curve_points(const rw_bench_result *results, size_t count, size_t i, curve_list *curves)
{
    for (size_t k = 0; k < i; k++)
        if (is_same_picture(&results[k], &results[i]) && strcmp(results[k].curve, results[i].curve) == 0)
            return;
    double *x = curves->values + curves->used, *y = x + count;
    size_t points = 0;
    for (size_t k = i; k < count; k++)
        if (is_same_picture(&results[k], &results[i]) && strcmp(results[k].curve, results[i].curve) == 0) {
            x[points] = results[k].x;
            y[points++] = results[k].value;
        }
    if (points == 0 || curves->count == CURVES_MAX)
        return;
    for (size_t k = 0; k < points; k++)
        for (int axis = 0; axis < 2; axis++) {
            double value = axis ? y[k] : x[k];
            curves->min[axis] = fmin(curves->min[axis], value);
            curves->max[axis] = fmax(curves->max[axis], value);
        }
    curves->series[curves->count++] = (rw_series){results[i].curve, x, y, points, RW_SERIES_LINE};
    curves->used += 2 * count;
}

/* The picture of all curves of one group, unit and abscissa, that of the result. *count: the curves in it. */
static rw_status draw_picture(rw_context *context, const rw_bench_result *results, size_t result_count,
                              const rw_bench_result *first, const char *path, size_t *count)
{
    curve_list curves = {.min = {INFINITY, INFINITY}, .max = {-INFINITY, -INFINITY}};
    RW_TRY(rw_array_create(context, 2 * result_count * CURVES_MAX, sizeof *curves.values, "a plot", &curves.values));
    for (size_t i = 0; i < result_count && curves.count < CURVES_MAX; i++)
        if (*results[i].curve && is_same_picture(&results[i], first))
            add_curve_points(results, result_count, i, &curves);
    rw_plot plot = {.title = first->group,
                    .subtitle = rw_context_machine(context),
                    .x_label = first->x_label,
                    .y_label = first->unit,
                    .series = curves.series,
                    .series_count = curves.count,
                    .log_x = is_log(&curves, 0),
                    .log_y = is_log(&curves, 1)};
    rw_status status = curves.count ? rw_plot_write(context, &plot, path) : RW_OK;
    free(curves.values);
    *count = curves.count;
    return status;
}

/* "curves.png" and the group "los curve": "curves_los_curve.png". */
static void name_group_picture(const char *path, const char *group, char *name, size_t size)
{
    snprintf(name, size, "%.*s_%s.png", (int)(strlen(path) - strlen(".png")), path, group);
    for (char *at = name + strlen(path) - strlen(".png"); *at; at++)
        *at = *at == ' ' ? '_' : *at;
}

rw_status rw_bench_draw(rw_context *context, const rw_bench_result *results, size_t count, const char *path)
{
    size_t drawn = 0, curves;
    char other_path[4096];
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        while (before < i && !(*results[before].curve && is_same_picture(&results[before], &results[i])))
            before++;
        if (!*results[i].curve || before < i)
            continue;
        name_group_picture(path, results[i].group, other_path, sizeof other_path);
        RW_TRY(draw_picture(context, results, count, &results[i], drawn ? other_path : path, &curves));
        drawn += curves;
    }
    if (!drawn)
        return rw_fail(context, RW_BAD_CALL,
                       "the benchmark told no curve that could be drawn; --only beams, los, growth or images has some");
    return RW_OK;
}
