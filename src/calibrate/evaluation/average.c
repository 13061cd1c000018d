/* From samples to points: all samples in one cell of the map become one point, because a prediction has one value there
 * and a car that waits at a light would otherwise count for more than one that drives.
 *
 * The mean is taken in dB, as is usual for COST 231 path loss, or of received power: L = -10 log10(mean of 10^(-L_i /
 * 10)).
 */
#include "calibrate/evaluation/evaluation.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rw_status rw_averaging_parse(rw_context *context, const char *string, rw_averaging *averaging)
{
    static const char *const names[] = {"db", "linear", "none"};
    *averaging = RW_AVERAGE_DB;
    for (int i = 0; string && i < 3; i++)
        if (strcmp(string, names[i]) == 0) {
            *averaging = (rw_averaging)i;
            return RW_OK;
        }
    return string ? rw_fail(context, RW_BAD_CALL, "there is no average '%s'; use db, linear or none", string) : RW_OK;
}

static int by_cell(const void *left, const void *right)
{
    const rw_cell_sample *a = left, *b = right;
    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    return (a->sample > b->sample) - (a->sample < b->sample);
}

/* Points are in the order in which their cells were first entered. */
static int by_first_sample(const void *left, const void *right)
{
    const rw_cell_run *a = left, *b = right;
    return (a->items->sample > b->items->sample) - (a->items->sample < b->items->sample);
}

/* Power is taken relative to the first sample, so that no power of ten leaves the range of numbers. */
double rw_average_loss_db(const double *loss_db, const rw_cell_sample *items, size_t count, rw_averaging averaging)
{
    int linear = averaging == RW_AVERAGE_LINEAR;
    double first = loss_db[items[0].sample], sum = 0;
    for (size_t i = 0; i < count; i++) {
        double more = loss_db[items[i].sample] - first;
        sum += linear ? pow(10, -0.1 * more) : more;
    }
    return first + (linear ? -10 * log10(sum / (double)count) : sum / (double)count);
}

static void add_averaged_point(rw_evaluation *evaluation, const rw_measurements *measurements, const double *loss_db,
                               const rw_cell_sample *items, size_t count, rw_averaging averaging)
{
    const rw_sample *samples = measurements->samples, *first = &samples[items[0].sample];
    size_t point = evaluation->info.points++;
    double x_more = 0, y_more = 0;
    for (size_t i = 0; i < count; i++) {
        x_more += samples[items[i].sample].x_m - first->x_m;
        y_more += samples[items[i].sample].y_m - first->y_m;
    }
    evaluation->x_m[point] = first->x_m + x_more / (double)count;
    evaluation->y_m[point] = first->y_m + y_more / (double)count;
    evaluation->measured_db[point] = rw_average_loss_db(loss_db, items, count, averaging);
    evaluation->predicted_db[point] = items[0].predicted_db;
    evaluation->samples[point] = count;
    evaluation->routes[point] = rw_sample_route(measurements, items[0].sample);
    evaluation->sites[point] = rw_sample_site(measurements, items[0].sample);
    evaluation->devices[point] = rw_sample_device(measurements, items[0].sample);
}

static size_t measure_cell_run(const rw_cell_sample *items, const rw_cell_sample *end)
{
    size_t count = 1;
    while (items + count < end && items[count].cell == items[0].cell)
        count++;
    return count;
}

rw_status rw_cell_runs_find(rw_context *context, rw_cell_sample *items, size_t count, rw_averaging averaging,
                            rw_cell_run **runs, size_t *run_count)
{
    RW_TRY(rw_array_create(context, count, sizeof **runs, "cells with measurements", runs));
    *run_count = 0;
    if (averaging != RW_AVERAGE_NONE)
        qsort(items, count, sizeof *items, by_cell);
    for (size_t i = 0; i < count;) {
        size_t length = averaging == RW_AVERAGE_NONE ? 1 : measure_cell_run(&items[i], items + count);
        (*runs)[(*run_count)++] = (rw_cell_run){&items[i], length};
        i += length;
    }
    qsort(*runs, *run_count, sizeof **runs, by_first_sample);
    return RW_OK;
}

rw_status rw_evaluation_average(rw_evaluation *evaluation, const rw_measurements *measurements, const double *loss_db,
                                rw_cell_sample *items, size_t count, rw_averaging averaging)
{
    rw_cell_run *runs;
    size_t run_count;
    RW_TRY(rw_cell_runs_find(evaluation->context, items, count, averaging, &runs, &run_count));
    for (size_t i = 0; i < run_count; i++)
        add_averaged_point(evaluation, measurements, loss_db, runs[i].items, runs[i].count, averaging);
    free(runs);
    return RW_OK;
}
