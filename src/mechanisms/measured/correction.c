#include "mechanisms/measured/correction.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "visibility/los/los.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAST_M 10.0
#define SECTOR_DEG 20.0

rw_status rw_correction_create(rw_context *context, size_t site_count, rw_correction **correction)
{
    RW_TRY(rw_array_create(context, 1, sizeof **correction, "parameters", correction));
    (*correction)->sigma_db = NAN;
    rw_status status =
        rw_array_create(context, site_count, sizeof *(*correction)->sites, "parameters", &(*correction)->sites);
    if (status == RW_OK)
        status =
            rw_array_create(context, site_count, sizeof *(*correction)->sectors, "parameters", &(*correction)->sectors);
    if (status == RW_OK) {
        (*correction)->site_count = site_count;
        return RW_OK;
    }
    rw_correction_destroy(*correction);
    *correction = NULL;
    return status;
}

void rw_correction_destroy(rw_correction *correction)
{
    for (size_t i = 0; correction && i < correction->site_count; i++)
        free(correction->sites[i].name);
    if (correction) {
        free(correction->sites);
        free(correction->sectors);
        rw_residual_field_destroy(&correction->residuals);
    }
    free(correction);
}

static rw_status copy_sites(rw_context *context, const rw_correction *from, rw_correction *to)
{
    for (size_t i = 0; i < from->site_count; i++) {
        to->sites[i] = from->sites[i];
        to->sites[i].name = rw_string_copy(from->sites[i].name);
        if (!to->sites[i].name)
            return rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for parameters");
    }
    return RW_OK;
}

static rw_status copy_residuals(rw_context *context, const rw_residual_field *from, rw_residual_field *to)
{
    rw_residual *items;
    to->sill_db2 = from->sill_db2;
    to->nugget_db2 = from->nugget_db2;
    to->length_m = from->length_m;
    if (!from->count)
        return RW_OK;
    RW_TRY(rw_array_create(context, from->count, sizeof *items, "residuals", &items));
    memcpy(items, from->items, from->count * sizeof *items);
    return rw_residual_field_create(context, items, from->count, to);
}

rw_status rw_correction_copy(rw_context *context, const rw_correction *correction, rw_correction **copy)
{
    *copy = NULL;
    if (!correction)
        return RW_OK;
    RW_TRY(rw_correction_create(context, correction->site_count, copy));
    rw_correction_site *sites = (*copy)->sites;
    uint32_t *sectors = (*copy)->sectors;
    **copy = *correction;
    (*copy)->sites = sites;
    (*copy)->sectors = sectors;
    memcpy(sectors, correction->sectors, correction->site_count * sizeof *sectors);
    (*copy)->residuals = (rw_residual_field){0};
    rw_status status = copy_sites(context, correction, *copy);
    if (status == RW_OK)
        status = copy_residuals(context, &correction->residuals, &(*copy)->residuals);
    if (status != RW_OK) {
        rw_correction_destroy(*copy);
        *copy = NULL;
    }
    return status;
}

static int is_of_sector(const rw_correction_site *site, double x_m, double y_m, double azimuth_deg)
{
    return hypot(site->x_m - x_m, site->y_m - y_m) <= MAST_M &&
           fabs(remainder(site->azimuth_deg - azimuth_deg, 360)) <= SECTOR_DEG;
}

void rw_correction_number_sectors(rw_correction *correction)
{
    for (uint32_t i = 0; i < correction->site_count; i++) {
        const rw_correction_site *site = &correction->sites[i];
        correction->sectors[i] = i;
        for (uint32_t k = 0; k < i && correction->sectors[i] == i; k++)
            if (is_of_sector(&correction->sites[k], site->x_m, site->y_m, site->azimuth_deg))
                correction->sectors[i] = correction->sectors[k];
    }
}

void rw_correction_add(const rw_correction *correction, rw_sha256 *hash)
{
    const rw_residual_field *field = &correction->residuals;
    const double numbers[] = {correction->exponent,
                              correction->contrast_db,
                              correction->default_offset_db,
                              correction->sigma_db,
                              (double)correction->site_count,
                              field->sill_db2,
                              field->nugget_db2,
                              field->length_m,
                              (double)field->count};
    rw_sha256_add(hash, numbers, sizeof numbers);
    for (size_t i = 0; i < correction->site_count; i++) {
        const rw_correction_site *site = &correction->sites[i];
        const double values[] = {site->x_m, site->y_m, site->height_m, site->azimuth_deg, site->offset_db};
        rw_sha256_add_string(hash, site->name);
        rw_sha256_add(hash, values, sizeof values);
    }
    for (size_t i = 0; i < field->count; i++) {
        const rw_residual *residual = &field->items[i];
        const double values[] = {residual->x_m, residual->y_m, residual->value_db, residual->noise_db2, residual->site};
        rw_sha256_add(hash, values, sizeof values);
    }
}

double rw_correction_level_db(const rw_correction *correction, double offset_db, double distance_m, int in_sight)
{
    return offset_db + 10 * correction->exponent * log10(fmax(1, distance_m) / RW_CORRECTION_REFERENCE_M) +
           (in_sight ? 0 : correction->contrast_db);
}

/* The number of the site that a transmitter is; SIZE_MAX: it was not measured. */
static size_t find_corrected_site(const rw_correction *correction, const rw_transmitter *transmitter)
{
    const char *name = transmitter->name ? transmitter->name : "";
    for (size_t i = 0; i < correction->site_count; i++)
        if (*name && strcmp(correction->sites[i].name, name) == 0)
            return i;
    for (size_t i = 0; i < correction->site_count; i++)
        if (!(*name && *correction->sites[i].name) &&
            is_of_sector(&correction->sites[i], transmitter->x_m, transmitter->y_m, transmitter->azimuth_deg))
            return i;
    return SIZE_MAX;
}

double rw_correction_offset_db(const rw_correction *correction, const rw_transmitter *transmitter)
{
    size_t site = find_corrected_site(correction, transmitter);
    return site < correction->site_count ? correction->sites[site].offset_db : correction->default_offset_db;
}

/* A site of the same name elsewhere is another antenna: what was measured of it does not hold there. */
static rw_kriging find_kriging_target(const rw_correction *correction, const rw_transmitter *transmitter)
{
    rw_kriging kriging = {.field = &correction->residuals, .target = {correction->sectors, UINT32_MAX, UINT32_MAX}};
    size_t site = find_corrected_site(correction, transmitter);
    for (size_t i = correction->site_count; i-- > 0;)
        if (is_of_sector(&correction->sites[i], transmitter->x_m, transmitter->y_m, transmitter->azimuth_deg)) {
            kriging.target.sector = correction->sectors[i];
            if (i == site)
                kriging.target.site = (uint32_t)i;
        }
    return kriging;
}

typedef struct correction_search {
    const rw_prediction *prediction;
    const rw_correction *correction;
    const rw_transmitter *transmitter;
    rw_vec3 source; /* in the frame of the wall grid */
    double offset_db, sigma_db;
    const uint8_t *los; /* NULL: not needed */
    float *values_db, *deviations_db, *benefit_db;
} correction_search;

static void find_corrections(void *user, size_t begin, size_t end)
{
    const correction_search *of = user;
    const rw_receivers_view *view = &of->prediction->receivers.view;
    const rw_scene *scene = of->prediction->scene;
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_kriging kriging = find_kriging_target(of->correction, of->transmitter);
    int has_field = of->correction->residuals.count > 0, more = of->deviations_db || of->benefit_db;
    for (size_t i = begin; i < end; i++) {
        size_t cell = view->outdoor[i];
        rw_vec3 at = rw_receiver_point(view, cell);
        double distance_m = rw_vec3_length(rw_vec3_sub(at, of->source)), variance_db2 = 0, benefit_db = 0;
        double value_db =
            rw_correction_level_db(of->correction, of->offset_db, distance_m, of->los && of->los[cell] == 1);
        if (has_field)
            value_db +=
                rw_kriging_estimate(&kriging, at.x + centre.x + scene->origin.x, at.y + centre.y + scene->origin.y,
                                    more ? &variance_db2 : NULL, of->benefit_db ? &benefit_db : NULL);
        if (of->values_db)
            of->values_db[cell] = (float)value_db;
        if (of->deviations_db)
            of->deviations_db[cell] = (float)(has_field ? sqrt(variance_db2) : of->sigma_db);
        if (of->benefit_db)
            of->benefit_db[cell] = (float)benefit_db;
    }
    rw_kriging_free(&kriging);
}

static rw_status find_correction_sight(const rw_prediction *prediction, size_t transmitter, uint8_t *los)
{
    rw_los_job job;
    RW_TRY(rw_los_job_create(prediction->scene, &prediction->receivers, &prediction->sources[transmitter], 1,
                             RW_LOS_AUTO, 0, &job));
    job.arrays.grid.curve_per_m = rw_prediction_curve_per_m(prediction);
    rw_status status = rw_los_job_run(&job);
    if (status == RW_OK)
        status = rw_los_job_read(&job, 0, los, NULL);
    rw_los_job_destroy(&job);
    return status;
}

rw_status rw_correction_find(const rw_prediction *prediction, const rw_correction *correction, size_t transmitter,
                             float *values_db, float *sigma_db, float *benefit_db)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_context *context = prediction->scene->context;
    const rw_transmitter *about = &prediction->options->transmitters[transmitter];
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 source = prediction->sources[transmitter];
    uint8_t *los = NULL;
    if (correction->contrast_db != 0) {
        RW_TRY(rw_array_create(context, view->columns * view->rows, 1, "line of sight", &los));
        rw_status status = find_correction_sight(prediction, transmitter, los);
        if (status != RW_OK) {
            free(los);
            return status;
        }
    }
    correction_search of = {.prediction = prediction,
                            .correction = correction,
                            .transmitter = about,
                            .source = rw_vec3_of(source.x - centre.x, source.y - centre.y, source.z),
                            .offset_db = rw_correction_offset_db(correction, about),
                            .sigma_db = correction->sigma_db,
                            .los = los,
                            .values_db = values_db,
                            .deviations_db = sigma_db,
                            .benefit_db = benefit_db};
    rw_status status = rw_parallel(context, view->outdoor_count, 2048, find_corrections, &of);
    free(los);
    return status;
}
