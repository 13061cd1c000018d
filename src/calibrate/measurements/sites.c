/* The transmitter of a sample: the only one, or the one that the sample's site names. Samples of sites that are not in
 * the table, and sites that cannot be predicted from, may be left out; then each is named in a warning. */
#include "calibrate/measurements/samples.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX 8 /* bad sites that are named one by one */

/* Whether the samples name more than one site. */
static int names_several(const rw_measurements *measurements)
{
    for (size_t i = 1; i < measurements->sample_count; i++)
        if (strcmp(rw_sample_site(measurements, i), rw_sample_site(measurements, 0)) != 0)
            return 1;
    return 0;
}

static rw_status reject_sample_site(const rw_measurements *measurements, size_t sample)
{
    return rw_fail(measurements->context, RW_BAD_INPUT,
                   "%s, line %zu: no transmitter is called '%.60s'; name the transmitters as the sites are, choose one "
                   "with site, or leave such lines out with skip-bad",
                   measurements->csv.path, measurements->csv.lines[measurements->samples[sample].row],
                   rw_sample_site(measurements, sample));
}

/* The number of the transmitter of that name, or RW_NO_TRANSMITTER; looked for from the last one found. */
static uint32_t find_sample_transmitter(const rw_predict_options *prediction, const char *site, size_t last)
{
    size_t count = prediction->transmitter_count;
    for (size_t tried = 0; tried < count; tried++) {
        size_t at = last + tried < count ? last + tried : last + tried - count;
        if (strcmp(prediction->transmitters[at].name, site) == 0)
            return (uint32_t)at;
    }
    return RW_NO_TRANSMITTER;
}

static rw_status skip_row(rw_sample_points *sample_points, size_t sample)
{
    const rw_measurements *measurements = sample_points->measurements;
    if (!sample_points->skip_bad)
        return reject_sample_site(measurements, sample);
    if (sample_points->bad_rows++ < NAMED_MAX)
        rw_warn(measurements->context, "%s, line %zu: left out: no transmitter is called '%.60s'",
                measurements->csv.path, measurements->csv.lines[measurements->samples[sample].row],
                rw_sample_site(measurements, sample));
    return RW_OK;
}

rw_status rw_sample_transmitters(rw_sample_points *sample_points, uint32_t *transmitters)
{
    const rw_measurements *measurements = sample_points->measurements;
    const rw_predict_options *prediction = sample_points->prediction;
    size_t last = 0;
    memset(transmitters, 0, measurements->sample_count * sizeof *transmitters);
    if (prediction->transmitter_count == 1 && !names_several(measurements))
        return RW_OK;
    if (measurements->site_column == RW_CSV_NO_COLUMN)
        return rw_fail(measurements->context, RW_BAD_INPUT,
                       "%s: there are %zu transmitters and no column that names the site of a sample; give one "
                       "transmitter, or the column as columns site=NAME",
                       measurements->csv.path, prediction->transmitter_count);
    for (size_t i = 0; i < measurements->sample_count; i++) {
        transmitters[i] = find_sample_transmitter(prediction, rw_sample_site(measurements, i), last);
        if (transmitters[i] == RW_NO_TRANSMITTER)
            RW_TRY(skip_row(sample_points, i));
        else
            last = transmitters[i];
    }
    if (sample_points->bad_rows > NAMED_MAX)
        rw_warn(measurements->context, "%s: %zu lines in all are left out, whose sites are not among the transmitters",
                measurements->csv.path, sample_points->bad_rows);
    return RW_OK;
}

/* West, south, east and north of the places of each transmitter: it may stand there beside the scene. */
static void find_areas(const rw_sample_points *sample_points, double (*areas_m)[4])
{
    for (size_t t = 0; t < sample_points->prediction->transmitter_count; t++) {
        areas_m[t][0] = areas_m[t][1] = INFINITY;
        areas_m[t][2] = areas_m[t][3] = -INFINITY;
    }
    for (size_t i = 0; i < sample_points->count; i++) {
        const rw_sample *sample = &sample_points->measurements->samples[sample_points->items[i].sample];
        double *area_m = areas_m[sample_points->items[i].transmitter];
        area_m[0] = fmin(area_m[0], sample->x_m);
        area_m[1] = fmin(area_m[1], sample->y_m);
        area_m[2] = fmax(area_m[2], sample->x_m);
        area_m[3] = fmax(area_m[3], sample->y_m);
    }
}

/* Whether the model can predict from a transmitter: it is on the scene, in the open, and its antenna is known. */
static rw_status check_site(const rw_sample_points *sample_points, size_t transmitter, const double area_m[4])
{
    rw_predict_options options = *sample_points->prediction;
    rw_prediction *prediction;
    options.transmitters = &sample_points->prediction->transmitters[transmitter];
    options.transmitter_count = 1;
    options.database = NULL;
    RW_TRY(rw_prediction_create(sample_points->scene, &options, &(rw_target){.use = RW_USE_PATHS}, &prediction));
    rw_status status = rw_prediction_locate_transmitters(prediction, area_m);
    rw_prediction_destroy(prediction);
    return status;
}

/* Marks what the places of a bad site are not kept for, or fails. */
static rw_status judge_sites(rw_sample_points *sample_points, double (*areas_m)[4], uint8_t *bad)
{
    rw_context *context = sample_points->scene->context;
    for (size_t t = 0; t < sample_points->prediction->transmitter_count; t++) {
        if (!(areas_m[t][0] <= areas_m[t][2])) /* nothing was measured of it */
            continue;
        rw_status status = check_site(sample_points, t, areas_m[t]);
        if (status == RW_OK)
            continue;
        char reason[RW_MESSAGE_MAX];
        strncpy(reason, rw_last_error(context), sizeof reason - 1);
        reason[sizeof reason - 1] = 0;
        if (!sample_points->skip_bad && sample_points->prediction->transmitter_count > 1)
            return rw_fail(context, status, "%.*s; skip-bad leaves out such a site and counts its samples",
                           RW_MESSAGE_MAX - 100, reason);
        if (!sample_points->skip_bad)
            return rw_fail(context, status, "%s", reason);
        bad[t] = 1;
        if (sample_points->bad_sites++ < NAMED_MAX)
            rw_warn(context, "left out: %s", reason);
    }
    if (sample_points->bad_sites > NAMED_MAX)
        rw_warn(context, "%zu sites in all are left out", sample_points->bad_sites);
    return RW_OK;
}

rw_status rw_sample_points_check_sites(rw_sample_points *sample_points, uint8_t *is_good)
{
    rw_context *context = sample_points->scene->context;
    size_t count = sample_points->prediction->transmitter_count;
    double(*areas_m)[4] = NULL;
    uint8_t *bad = NULL;
    rw_status status = rw_array_create(context, count, sizeof *areas_m, "sites", &areas_m);
    if (status == RW_OK)
        status = rw_array_create(context, count, 1, "sites", &bad);
    if (status == RW_OK) {
        find_areas(sample_points, areas_m);
        status = judge_sites(sample_points, areas_m, bad);
    }
    for (size_t i = 0; i < sample_points->count && status == RW_OK; i++)
        is_good[i] = !bad[sample_points->items[i].transmitter];
    free(areas_m);
    free(bad);
    return status;
}
