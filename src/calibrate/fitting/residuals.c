/* Points of one site within a fifth of the correlation length become one residual: their mean, whose own noise is less
 * by their number. Its quality is measured on 100 m blocks: each half of them predicted with the residuals of the
 * other. */
#include "calibrate/fitting/fitting.h"

#include "base/memory.h"
#include "mechanisms/measured/correction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 3GPP TR 38.901 table 7.5-6, out of sight: UMa 50 m, UMi 13 m, InH 6 m. */
#define LENGTH_ABOVE_ROOFS_M 50.0
#define LENGTH_BELOW_ROOFS_M 13.0
#define LENGTH_ROOMS_M 6.0
#define MERGED_LENGTHS 0.2
#define BLOCK_M 100.0

static rw_status find_length(const rw_sample_points *sample_points, size_t count, const rw_calibration *calibration,
                             double *length_m)
{
    rw_scene_info about = {.size = sizeof about};
    size_t above = 0;
    RW_TRY(rw_scene_get_info(sample_points->scene, &about));
    for (size_t i = 0; i < count; i++) {
        const rw_transmitter *site = &sample_points->prediction->transmitters[sample_points->items[i].transmitter];
        above += site->height_m >= about.roof_mean_m;
    }
    int rooms = calibration->params->model->rooms || !(about.roof_mean_m > 0);
    *length_m = rooms ? LENGTH_ROOMS_M : 2 * above >= count ? LENGTH_ABOVE_ROOFS_M : LENGTH_BELOW_ROOFS_M;
    return RW_OK;
}

/* The number of a transmitter among the corrected sites; SIZE_MAX: it is none. */
static size_t find_site_number(const rw_correction *correction, const rw_transmitter *transmitter)
{
    const char *name = transmitter->name ? transmitter->name : "";
    for (size_t i = 0; i < correction->site_count; i++)
        if (strcmp(correction->sites[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

typedef struct merged_cell {
    uint32_t site;
    int64_t column, row;
    size_t point;
} merged_cell;

static int by_merged_cell(const void *left, const void *right)
{
    const merged_cell *a = left, *b = right;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

static int is_same_cell(const merged_cell *a, const merged_cell *b)
{
    return a->site == b->site && a->row == b->row && a->column == b->column;
}

/* Means over cells of a fifth of the length, of sites that were measured; to be freed. */
static rw_status merge_points(rw_context *context, const rw_residual *points, size_t count, double length_m,
                              double nugget_db2, rw_residual **items, size_t *item_count)
{
    double side_m = MERGED_LENGTHS * length_m;
    merged_cell *cells;
    *item_count = 0;
    *items = NULL;
    if (count == 0)
        return RW_OK;
    RW_TRY(rw_array_create(context, count, sizeof *cells, "residuals", &cells));
    rw_status status = rw_array_create(context, count, sizeof **items, "residuals", items);
    for (size_t i = 0; i < count; i++)
        cells[i] = (merged_cell){points[i].site, (int64_t)floor(points[i].x_m / side_m),
                                 (int64_t)floor(points[i].y_m / side_m), i};
    qsort(cells, count, sizeof *cells, by_merged_cell);
    for (size_t begin = 0, end; begin < count && status == RW_OK; begin = end) {
        rw_residual mean = {.site = cells[begin].site};
        for (end = begin; end < count && is_same_cell(&cells[begin], &cells[end]); end++) {
            mean.x_m += points[cells[end].point].x_m;
            mean.y_m += points[cells[end].point].y_m;
            mean.value_db += points[cells[end].point].value_db;
        }
        double n = (double)(end - begin);
        (*items)[(*item_count)++] =
            (rw_residual){mean.x_m / n, mean.y_m / n, mean.value_db / n, nugget_db2 / n, mean.site};
    }
    free(cells);
    return status;
}

static rw_status build_field(rw_context *context, const rw_residual *points, size_t count,
                             const rw_residual_field *like, rw_residual_field *field)
{
    rw_residual *items;
    size_t item_count;
    *field =
        (rw_residual_field){.sill_db2 = like->sill_db2, .nugget_db2 = like->nugget_db2, .length_m = like->length_m};
    RW_TRY(merge_points(context, points, count, like->length_m, like->nugget_db2, &items, &item_count));
    if (item_count == 0) {
        free(items);
        return RW_OK;
    }
    return rw_residual_field_create(context, items, item_count, field);
}

/* Half of a chequered pattern of blocks. */
static int assign_half(const rw_residual *point)
{
    int64_t sum = (int64_t)floor(point->x_m / BLOCK_M) + (int64_t)floor(point->y_m / BLOCK_M);
    return (int)(((sum % 2) + 2) % 2);
}

typedef struct half_errors {
    double squares, within, count;
} half_errors;

static rw_status validate_half(rw_context *context, const rw_residual *points, size_t count,
                               const rw_correction *correction, int half, half_errors *errors)
{
    rw_residual *others;
    size_t other_count = 0;
    rw_residual_field field;
    RW_TRY(rw_array_create(context, count, sizeof *others, "residuals", &others));
    for (size_t i = 0; i < count; i++)
        if (assign_half(&points[i]) != half)
            others[other_count++] = points[i];
    rw_status status = build_field(context, others, other_count, &correction->residuals, &field);
    free(others);
    RW_TRY(status);
    rw_kriging kriging = {.field = &field, .target = {.sectors = correction->sectors}};
    for (size_t i = 0; i < count; i++) {
        double variance_db2;
        if (assign_half(&points[i]) != half)
            continue;
        if (kriging.target.site != points[i].site)
            kriging.is_solved = 0;
        kriging.target.site = points[i].site;
        kriging.target.sector = correction->sectors[points[i].site];
        double error_db =
            points[i].value_db - rw_kriging_estimate(&kriging, points[i].x_m, points[i].y_m, &variance_db2, NULL);
        errors->squares += error_db * error_db;
        errors->within += error_db * error_db <= variance_db2;
        errors->count++;
    }
    rw_kriging_free(&kriging);
    rw_residual_field_destroy(&field);
    return RW_OK;
}

static rw_status store_residuals(rw_context *context, const rw_residual *points, size_t count,
                                 rw_calibration *calibration)
{
    rw_correction *correction = calibration->params->correction;
    rw_calibration_info *info = &calibration->info;
    rw_residual_field *residuals = &correction->residuals, field;
    half_errors errors = {0};
    RW_TRY(rw_residual_field_fit(context, points, count, residuals->length_m, &residuals->sill_db2,
                                 &residuals->nugget_db2));
    for (int half = 0; half < 2; half++)
        RW_TRY(validate_half(context, points, count, correction, half, &errors));
    info->residuals_rmse_db = sqrt(errors.squares / errors.count);
    info->residuals_within_percent = 100 * errors.within / errors.count;
    RW_TRY(build_field(context, points, count, residuals, &field));
    *residuals = field;
    info->residuals = field.count;
    return RW_OK;
}

rw_status rw_calibrate_residuals(const rw_sample_points *sample_points, size_t fit_count, const double *error_db,
                                 rw_calibration *calibration)
{
    rw_context *context = calibration->context;
    rw_correction *correction = calibration->params->correction;
    rw_residual *points;
    size_t count = 0;
    RW_TRY(find_length(sample_points, fit_count, calibration, &correction->residuals.length_m));
    RW_TRY(rw_array_create(context, fit_count, sizeof *points, "residuals", &points));
    for (size_t i = 0; i < fit_count; i++) {
        const rw_sample_point *item = &sample_points->items[i];
        rw_point at = rw_sample_point_of(sample_points, i);
        size_t site = find_site_number(correction, &sample_points->prediction->transmitters[item->transmitter]);
        if (site != SIZE_MAX && isfinite(error_db[i]))
            points[count++] = (rw_residual){at.x_m, at.y_m, error_db[i], 0, (uint32_t)site};
    }
    rw_status status = count ? store_residuals(context, points, count, calibration) : RW_OK;
    free(points);
    return status;
}
