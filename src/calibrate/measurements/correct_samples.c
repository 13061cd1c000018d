/* What the measurements of a parameter set add at measured points, by the same code as in maps. */
#include "calibrate/measurements/samples.h"

#include "base/memory.h"
#include "mechanisms/measured/correction.h"
#include "models/engine/calls/calls.h"

#include <math.h>
#include <stdlib.h>

/* Of the points of one transmitter. */
typedef struct point_corrections {
    const rw_correction *correction;
    rw_point *points;
    size_t *indices;
    float *values_db, *sigma_db;
} point_corrections;

static rw_status find_point_corrections(rw_prediction *prediction, void *user)
{
    point_corrections *of = user;
    return rw_correction_find(prediction, of->correction, 0, of->values_db, of->sigma_db, NULL);
}

/* Points that a prediction of buildings has inside one, as rooms of a mesh are, have no line of sight there. */
static double correct_without_scene(const rw_correction *correction, const rw_transmitter *site, const rw_point *point)
{
    double distance_m = hypot(hypot(point->x_m - site->x_m, point->y_m - site->y_m), site->height_m - point->height_m);
    return rw_correction_level_db(correction, rw_correction_offset_db(correction, site), distance_m, 1);
}

static rw_status correct_transmitter(const rw_sample_points *sample_points, uint32_t transmitter, point_corrections *of,
                                     double *values_db, double *sigma_db)
{
    const rw_transmitter *site = &sample_points->prediction->transmitters[transmitter];
    rw_predict_options options;
    size_t count = 0;
    for (size_t i = 0; i < sample_points->count; i++) {
        if (sample_points->items[i].transmitter != transmitter)
            continue;
        of->points[count] = rw_sample_point_of(sample_points, i);
        of->values_db[count] = of->sigma_db[count] = NAN;
        of->indices[count++] = i;
    }
    if (count == 0)
        return RW_OK;
    rw_predict_options_init(&options);
    options.freq_hz = sample_points->prediction->freq_hz;
    options.rx_height_m = sample_points->prediction->rx_height_m;
    options.k_factor = sample_points->prediction->k_factor;
    options.transmitters = site;
    options.transmitter_count = 1;
    RW_TRY(rw_prediction_at_points(sample_points->scene, &options, of->points, count, find_point_corrections, of));
    for (size_t i = 0; i < count; i++) {
        values_db[of->indices[i]] = isfinite(of->values_db[i])
                                        ? (double)of->values_db[i]
                                        : correct_without_scene(of->correction, site, &of->points[i]);
        if (sigma_db)
            sigma_db[of->indices[i]] = (double)of->sigma_db[i];
    }
    return RW_OK;
}

rw_status rw_sample_points_correct(const rw_sample_points *sample_points, const rw_correction *correction,
                                   double *values_db, double *sigma_db)
{
    rw_context *context = sample_points->scene->context;
    point_corrections of = {.correction = correction};
    size_t count = sample_points->count;
    rw_status status = rw_array_create(context, count, sizeof *of.points, "points", &of.points);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *of.indices, "points", &of.indices);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *of.values_db, "points", &of.values_db);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *of.sigma_db, "points", &of.sigma_db);
    for (uint32_t t = 0; t < sample_points->prediction->transmitter_count && status == RW_OK; t++)
        status = correct_transmitter(sample_points, t, &of, values_db, sigma_db);
    free(of.points);
    free(of.indices);
    free(of.values_db);
    free(of.sigma_db);
    return status;
}
