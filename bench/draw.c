/* Curves of the benchmark as a picture: lines of results that differ in the number that their names begin with, as
 * "0 reflections, 1 diffraction, cpu" to "8 reflections, 1 diffraction, cpu", like Figure 9 of Schmitz and others
 * (2011). */
#include "base/memory.h"
#include "bench/bench.h"
#include "output/pictures/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CURVES_MAX 8
#define POINTS_MIN 3 /* of a curve */

typedef struct curve_list {
    rw_series series[CURVES_MAX];
    size_t count;
    const char *unit, *about;
} curve_list;

/* The number that a name begins with, and the rest of it; NULL: it begins with none. */
static const char *rest_of(const char *name, double *number)
{
    char *rest;
    *number = strtod(name, &rest);
    return rest == name ? NULL : rest;
}

/* Takes all results that are like result i but for their number; room holds x and y of all results. */
static void take_curve(const rw_bench_result *results, size_t count, size_t i, double *x, double *y, curve_list *curves)
{
    double number;
    const char *own = rest_of(results[i].name, &number);
    size_t points = 0;
    for (size_t k = 0; k < count; k++) {
        const char *other = rest_of(results[k].name, &number);
        if (!other || strcmp(other, own) != 0 || strcmp(results[k].group, results[i].group) != 0)
            continue;
        if (k < i)
            return; /* taken before */
        x[points] = number;
        y[points++] = results[k].value;
    }
    if (points < POINTS_MIN || curves->count == CURVES_MAX ||
        (curves->count && strcmp(curves->unit, results[i].unit) != 0))
        return;
    curves->unit = results[i].unit;
    curves->about = own;
    curves->series[curves->count++] = (rw_series){own + strspn(own, " "), x, y, points, RW_SERIES_LINE};
}

rw_status rw_bench_draw(rw_context *context, const rw_bench_result *results, size_t count, const char *path)
{
    curve_list curves = {0};
    double *room;
    char x_label[64];
    RW_TRY(rw_array_create(context, 2 * count * (count + 1), sizeof *room, "a plot", &room));
    for (size_t i = 0; i < count; i++) {
        double number;
        if (rest_of(results[i].name, &number))
            take_curve(results, count, i, room + 2 * i * count, room + (2 * i + 1) * count, &curves);
    }
    if (!curves.count) {
        free(room);
        return rw_fail(context, RW_BAD_CALL, "the benchmark told no curve that could be drawn; --only beams has one");
    }
    curves.about += strspn(curves.about, " ");
    snprintf(x_label, sizeof x_label, "number of %.*s", (int)strcspn(curves.about, ","), curves.about);
    rw_plot plot = {.title = "Benchmark",
                    .subtitle = rw_context_machine(context),
                    .x_label = x_label,
                    .y_label = curves.unit,
                    .series = curves.series,
                    .series_count = curves.count};
    rw_status status = rw_plot_write(context, &plot, path);
    free(room);
    return status;
}
