/* The terms are found by predictions themselves, so that they are those of a map: distance slope and contrast are what
 * a correction of 1 adds, and the weight's is the difference of two predictions, in which the loss is linear. */
#include "calibrate/fitting/fitting.h"

#include "base/memory.h"
#include "calibrate/evaluation/evaluation.h"
#include "field/paths/free_space.k.h"
#include "field/paths/site_general.k.h"
#include "mechanisms/measured/correction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERM_EXPONENT, TERM_CONTRAST, TERM_WEIGHT };

/* Standard deviations of the terms, and what is physical. */
static const rw_level_prior prior = {
    .deviations = {0.5, 5, 0.15}, .low = {-1.5, -15, -0.5}, .high = {1.5, 15, 0.5}, .strength = 1};

static const double strengths[] = {0.25, 1, 4, 16, 64, INFINITY};

#define WEIGHT_STEP 0.1
#define NAMES_MAX 65536

typedef struct level_work {
    const rw_level_call *call;
    rw_calibration *calibration;
    rw_context *context;
    size_t count;
    double *measured_db, *loss_db, *error_db, *buffer_db;
    double (*terms)[RW_LEVEL_TERMS];
    uint32_t *groups; /* NULL: no offsets */
    uint8_t *folds, *all_folds;
    double *offsets_db;
    rw_level_prior prior;
} level_work;

static size_t weight_index(const level_work *work)
{
    return rw_params_find(work->calibration->params, "prior_weight");
}

static rw_status allocate_levels(level_work *work)
{
    rw_context *context = work->context;
    size_t count = work->count, groups = work->call->sample_points->group_count;
    RW_TRY(rw_array_create(context, count, sizeof(double), "measured points", &work->measured_db));
    RW_TRY(rw_array_create(context, count, sizeof(double), "measured points", &work->loss_db));
    RW_TRY(rw_array_create(context, count, sizeof(double), "measured points", &work->error_db));
    RW_TRY(rw_array_create(context, count, sizeof(double), "measured points", &work->buffer_db));
    RW_TRY(rw_array_create(context, count, sizeof *work->terms, "measured points", &work->terms));
    RW_TRY(rw_array_create(context, count, 1, "measured points", &work->all_folds));
    RW_TRY(rw_array_create(context, groups, sizeof(double), "offsets", &work->offsets_db));
    if (work->call->sample_points->offsets.by_site || work->call->sample_points->offsets.by_device)
        RW_TRY(rw_array_create(context, count, sizeof *work->groups, "offsets", &work->groups));
    return RW_OK;
}

/* Losses with these parameters at all points, which all have one. */
static rw_status predict_losses(const level_work *work, const rw_params *params, double *loss_db)
{
    uint8_t *reached;
    RW_TRY(rw_array_create(work->context, work->count, 1, "path loss", &reached));
    for (size_t i = 0; i < work->count; i++)
        loss_db[i] = NAN;
    rw_status status = rw_sample_points_trace(work->call->sample_points, params, NULL, loss_db, reached);
    free(reached);
    return status;
}

static rw_status find_unit_term(level_work *work, int term)
{
    rw_correction unit = {.exponent = term == TERM_EXPONENT, .contrast_db = term == TERM_CONTRAST};
    RW_TRY(rw_sample_points_correct(work->call->sample_points, &unit, work->buffer_db, NULL));
    for (size_t i = 0; i < work->count; i++)
        work->terms[i][term] = work->buffer_db[i];
    return RW_OK;
}

static rw_status find_weight_term(level_work *work)
{
    rw_params *params = work->calibration->params;
    size_t index = weight_index(work);
    if (!work->call->fits_weight || index >= params->model->parameter_count) {
        work->prior.deviations[TERM_WEIGHT] = 0;
        return RW_OK;
    }
    double start = params->values[index], low = params->model->parameters[index].low;
    double step = start - WEIGHT_STEP >= low ? -WEIGHT_STEP : WEIGHT_STEP;
    work->prior.low[TERM_WEIGHT] = fmax(prior.low[TERM_WEIGHT], low - start);
    work->prior.high[TERM_WEIGHT] = fmin(prior.high[TERM_WEIGHT], params->model->parameters[index].high - start);
    params->values[index] = start + step;
    rw_status status = predict_losses(work, params, work->buffer_db);
    params->values[index] = start;
    double largest = 0;
    for (size_t i = 0; i < work->count && status == RW_OK; i++) {
        work->terms[i][TERM_WEIGHT] = (work->buffer_db[i] - work->loss_db[i]) / step;
        largest = fmax(largest, fabs(work->terms[i][TERM_WEIGHT]));
    }
    if (!(largest > 1e-3))
        work->prior.deviations[TERM_WEIGHT] = 0;
    return status;
}

static void copy_level_points(level_work *work)
{
    const rw_sample_points *sample_points = work->call->sample_points;
    for (size_t i = 0; i < work->count; i++) {
        work->measured_db[i] = (double)sample_points->items[i].measured_db;
        work->all_folds[i] = i >= work->call->fit_count;
        if (work->groups)
            work->groups[i] = sample_points->items[i].group;
    }
}

static rw_status find_levels_terms(level_work *work)
{
    copy_level_points(work);
    RW_TRY(predict_losses(work, work->calibration->params, work->loss_db));
    for (size_t i = 0; i < work->count; i++)
        work->error_db[i] = work->measured_db[i] - work->loss_db[i];
    RW_TRY(find_unit_term(work, TERM_EXPONENT));
    RW_TRY(find_unit_term(work, TERM_CONTRAST));
    return find_weight_term(work);
}

/* All points, of which those held out take no part. */
static rw_level_data all_points(const level_work *work)
{
    return (rw_level_data){.count = work->count,
                           .error_db = work->error_db,
                           .terms = (const double(*)[RW_LEVEL_TERMS])work->terms,
                           .groups = work->groups,
                           .group_count = work->call->sample_points->group_count,
                           .folds = work->all_folds,
                           .excluded_fold = 1};
}

/* ------------------------------------------------------------------ cross-validation */

/* Unseen points by a formula that needs no map, its slope fitted or none. */
static rw_status validate_formula(level_work *work, const rw_level_data *fit_points, int folds,
                                  double (*loss_db)(const level_work *, size_t), int fits_slope, double *rmse_db)
{
    rw_level_data data = *fit_points;
    rw_level_prior free_prior = {
        .deviations = {fits_slope ? 1e6 : 0, 0, 0}, .low = {-1e9, 0, 0}, .high = {1e9, 0, 0}, .strength = 1};
    for (size_t i = 0; i < data.count; i++)
        work->buffer_db[i] = work->measured_db[i] - loss_db(work, i);
    data.error_db = work->buffer_db;
    return rw_level_cross_validate(work->context, &data, folds, work->folds, &free_prior, rmse_db);
}

static rw_site_link link_of(const level_work *work, size_t i)
{
    const rw_sample_points *sample_points = work->call->sample_points;
    const rw_transmitter *site = &sample_points->prediction->transmitters[sample_points->items[i].transmitter];
    rw_point point = rw_sample_point_of(sample_points, i);
    return rw_site_link_of(hypot(point.x_m - site->x_m, point.y_m - site->y_m), site->height_m, point.height_m,
                           site->freq_hz > 0 ? site->freq_hz : sample_points->prediction->freq_hz);
}

static double free_space_loss_db(const level_work *work, size_t i)
{
    rw_site_link link = link_of(work, i);
    return rw_free_space_loss_db(fmax(1, hypot(link.distance_m, link.base_height_m - link.mobile_height_m)),
                                 RW_SPEED_OF_LIGHT_M_S / link.freq_hz);
}

static double cost_hata_loss_db(const level_work *work, size_t i)
{
    return rw_cost_hata_db(link_of(work, i), 0);
}

static double no_loss_db(const level_work *work, size_t i)
{
    (void)work;
    (void)i;
    return 0;
}

static rw_status validate_formulas(level_work *work, const rw_level_data *data, int folds)
{
    rw_calibration_info *info = &work->calibration->info;
    RW_TRY(validate_formula(work, data, folds, free_space_loss_db, 0, &info->folds_free_space_db));
    if (!work->calibration->params->model->rooms)
        RW_TRY(validate_formula(work, data, folds, cost_hata_loss_db, 0, &info->folds_cost_hata_db));
    return validate_formula(work, data, folds, no_loss_db, 1, &info->folds_one_slope_db);
}

static rw_status choose_strength(level_work *work, const rw_level_data *data, int folds)
{
    rw_calibration_info *info = &work->calibration->info;
    double best_db = INFINITY;
    for (size_t i = sizeof strengths / sizeof *strengths; i-- > 0;) {
        double rmse_db;
        work->prior.strength = strengths[i];
        RW_TRY(rw_level_cross_validate(work->context, data, folds, work->folds, &work->prior, &rmse_db));
        if (isinf(strengths[i]))
            info->folds_rmse_before_db = rmse_db;
        if (rmse_db < best_db * (1 - 1e-4)) {
            best_db = rmse_db;
            info->strength = strengths[i];
        }
    }
    work->prior.strength = info->strength;
    info->folds_rmse_after_db = best_db;
    info->start_preserved = isinf(info->strength);
    return RW_OK;
}

static rw_status validate_levels(level_work *work)
{
    rw_calibration_info *info = &work->calibration->info;
    rw_level_data data = all_points(work);
    int folds = work->call->folds;
    info->strength = 1;
    info->folds_rmse_before_db = info->folds_rmse_after_db = NAN;
    info->folds_free_space_db = info->folds_cost_hata_db = info->folds_one_slope_db = NAN;
    if (!folds)
        return RW_OK;
    data.count = work->call->fit_count;
    data.folds = NULL;
    RW_TRY(rw_array_create(work->context, data.count, 1, "folds", &work->folds));
    RW_TRY(rw_folds_cut(work->call->sample_points, data.count, &folds, work->folds));
    info->folds = folds;
    RW_TRY(choose_strength(work, &data, folds));
    return validate_formulas(work, &data, folds);
}

/* ------------------------------------------------------------------ parameters */

/* A constant for each site: the mean over its points, whatever groups they are of. */
static rw_status build_correction(level_work *work, const rw_level_fit *fit)
{
    const rw_sample_points *sample_points = work->call->sample_points;
    size_t site_count = sample_points->prediction->transmitter_count, measured = 0;
    rw_correction *correction;
    double *counts;
    RW_TRY(rw_correction_create(work->context, site_count, &correction));
    work->calibration->params->correction = correction;
    correction->exponent = fit->values[TERM_EXPONENT];
    correction->contrast_db = fit->values[TERM_CONTRAST];
    RW_TRY(rw_array_create(work->context, site_count, sizeof *counts, "offsets", &counts));
    for (size_t i = 0; i < work->call->fit_count && work->groups; i++) {
        correction->sites[sample_points->items[i].transmitter].offset_db += work->offsets_db[work->groups[i]];
        counts[sample_points->items[i].transmitter]++;
    }
    for (size_t t = 0; t < site_count; t++) {
        if (counts[t] == 0)
            continue;
        const rw_transmitter *site = &sample_points->prediction->transmitters[t];
        correction->sites[measured] = (rw_correction_site){.name = rw_string_copy(site->name ? site->name : ""),
                                                           .x_m = site->x_m,
                                                           .y_m = site->y_m,
                                                           .height_m = site->height_m,
                                                           .azimuth_deg = remainder(site->azimuth_deg, 360),
                                                           .offset_db = correction->sites[t].offset_db / counts[t]};
        correction->default_offset_db += correction->sites[measured].offset_db;
        counts[measured] = counts[t];
        if (t != measured)
            correction->sites[t] = (rw_correction_site){0};
        if (!correction->sites[measured++].name)
            break;
    }
    free(counts);
    for (size_t t = measured; t < site_count; t++)
        correction->sites[t] = (rw_correction_site){0};
    correction->site_count = measured;
    if (measured && !correction->sites[measured - 1].name)
        return rw_fail(work->context, RW_OUT_OF_MEMORY, "no memory left for parameters");
    correction->default_offset_db = measured ? correction->default_offset_db / (double)measured : 0;
    rw_correction_number_sectors(correction);
    return RW_OK;
}

/* The points of a side that have a path with these losses, side by side: measured and predicted. */
static size_t collect_reached(const level_work *work, const double *loss_db, size_t first, size_t count, int levels,
                              double *measured_db)
{
    double *predicted_db = measured_db + count;
    size_t reached = 0;
    for (size_t i = first; i < first + count; i++) {
        if (!isfinite(loss_db[i]))
            continue;
        measured_db[reached] = work->measured_db[i];
        predicted_db[reached++] = loss_db[i] + (levels && work->groups ? work->offsets_db[work->groups[i]] : 0);
    }
    return reached;
}

/* Errors of one side, with the constants of its groups if these are not all in the parameters. A point may lose its
 * path with the values that were found. */
static rw_status find_side_figures(level_work *work, const double *loss_db, size_t first, size_t count, int levels,
                                   rw_error_statistics *figures)
{
    rw_level_data data = all_points(work);
    rw_level_prior none = {.strength = INFINITY};
    rw_level_fit fit;
    *figures = (rw_error_statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    if (count == 0)
        return RW_OK;
    double *measured_db;
    RW_TRY(rw_array_create(work->context, 2 * count, sizeof *measured_db, "errors", &measured_db));
    for (size_t i = 0; i < work->count; i++) {
        work->buffer_db[i] = isfinite(loss_db[i]) ? work->measured_db[i] - loss_db[i] : 0;
        work->all_folds[i] = i >= work->call->fit_count || !isfinite(loss_db[i]);
    }
    data.error_db = work->buffer_db;
    rw_status status = rw_level_solve(work->context, &data, &none, &fit, work->offsets_db);
    size_t reached = collect_reached(work, loss_db, first, count, levels, measured_db);
    if (status == RW_OK && reached)
        status = rw_error_figures(work->context, measured_db, measured_db + count, reached, figures);
    if (reached < count)
        rw_warn(work->context, "%zu of %zu points have no path with the parameters; the figures are of the others",
                count - reached, count);
    for (size_t i = 0; i < work->count; i++)
        work->all_folds[i] = i >= work->call->fit_count;
    free(measured_db);
    return status;
}

static rw_status find_figures(level_work *work, const double *loss_db, int levels, rw_error_statistics *fit,
                              rw_error_statistics *holdout)
{
    size_t count = work->call->fit_count;
    RW_TRY(find_side_figures(work, loss_db, 0, count, levels, fit));
    return find_side_figures(work, loss_db, count, work->count - count, levels, holdout);
}

/* A site that the fit did not see has no constant in the parameters: its own is used to judge them. */
static int is_holdout_of_unseen_site(const level_work *work)
{
    const rw_correction *correction = work->calibration->params->correction;
    const rw_sample_points *sample_points = work->call->sample_points;
    for (size_t i = work->call->fit_count; i < work->count; i++) {
        const char *name = sample_points->prediction->transmitters[sample_points->items[i].transmitter].name;
        int found = 0;
        for (size_t k = 0; k < correction->site_count; k++)
            found |= strcmp(correction->sites[k].name, name ? name : "") == 0;
        if (!found)
            return 1;
    }
    return 0;
}

/* A prediction with the values that the fit started from. */
static rw_status predict_start_losses(level_work *work, double *loss_db)
{
    const rw_params *start = work->call->sample_points->prediction->params;
    rw_params *params;
    if (start && start->correction)
        return predict_losses(work, start, loss_db);
    RW_TRY(rw_params_copy(work->calibration->params, &params));
    memcpy(params->values, work->calibration->before, sizeof work->calibration->before);
    rw_status status = predict_losses(work, params, loss_db);
    rw_params_destroy(params);
    return status;
}

/* Each group with its constant, unless the parameters have one or the fit is of the model without any. */
static rw_status report_before(level_work *work)
{
    rw_calibration_info *info = &work->calibration->info;
    const rw_params *start = work->call->sample_points->prediction->params;
    int levels = start && start->correction ? work->call->sample_points->offsets.by_device : !work->call->follows_fit;
    double *loss_db;
    RW_TRY(rw_array_create(work->context, work->count, sizeof *loss_db, "path loss", &loss_db));
    rw_status status = predict_start_losses(work, loss_db);
    if (status == RW_OK)
        status = find_figures(work, loss_db, levels, &info->before, &info->holdout_before);
    free(loss_db);
    return status;
}

static rw_status report_after(level_work *work)
{
    rw_calibration_info *info = &work->calibration->info;
    int by_device = work->call->sample_points->offsets.by_device;
    rw_error_statistics unused;
    RW_TRY(predict_losses(work, work->calibration->params, work->loss_db));
    RW_TRY(find_figures(work, work->loss_db, by_device, &info->after, &info->holdout_after));
    if (!by_device && work->groups && is_holdout_of_unseen_site(work))
        RW_TRY(find_figures(work, work->loss_db, 1, &unused, &info->holdout_after));
    work->calibration->params->correction->sigma_db =
        isfinite(info->folds_rmse_after_db) ? info->folds_rmse_after_db : info->after.rmse_db;
    return RW_OK;
}

static rw_status list_level_offsets(level_work *work)
{
    rw_calibration *calibration = work->calibration;
    const rw_sample_points *sample_points = work->call->sample_points;
    free(calibration->offsets);
    calibration->offsets = NULL;
    calibration->info.offsets = 0;
    if (!work->groups)
        return RW_OK;
    RW_TRY(rw_array_create(work->context, sample_points->group_count, sizeof *calibration->offsets, "offsets",
                           &calibration->offsets));
    calibration->info.offsets =
        rw_sample_points_list_offsets(sample_points, 0, work->call->fit_count, work->offsets_db, calibration->offsets);
    return RW_OK;
}

static rw_status store_levels(level_work *work)
{
    rw_calibration *calibration = work->calibration;
    rw_level_data data = all_points(work);
    rw_level_fit fit;
    RW_TRY(rw_level_solve(work->context, &data, &work->prior, &fit, work->offsets_db));
    RW_TRY(list_level_offsets(work));
    RW_TRY(build_correction(work, &fit));
    for (int i = 0; i < RW_LEVEL_TERMS; i++) {
        calibration->levels.after[i] = fit.values[i];
        calibration->levels.standard_errors[i] = fit.standard_errors[i];
        calibration->levels.is_fitted[i] = work->prior.deviations[i] > 0 && isfinite(work->prior.strength);
    }
    size_t index = weight_index(work);
    if (!calibration->levels.is_fitted[TERM_WEIGHT])
        return RW_OK;
    calibration->params->values[index] += fit.values[TERM_WEIGHT];
    calibration->params->standard_errors[index] = fit.standard_errors[TERM_WEIGHT];
    calibration->fit.states[index] = RW_PARAMETER_FITTED;
    calibration->info.fitted++;
    return RW_OK;
}

static rw_status fit_level_values(level_work *work)
{
    rw_calibration_info *info = &work->calibration->info;
    RW_TRY(allocate_levels(work));
    RW_TRY(find_levels_terms(work));
    RW_TRY(report_before(work));
    RW_TRY(validate_levels(work));
    RW_TRY(store_levels(work));
    RW_TRY(report_after(work));
    info->residuals_rmse_db = info->residuals_within_percent = NAN;
    if (!work->call->residuals)
        return RW_OK;
    rw_level_data data = all_points(work);
    rw_level_prior none = {.strength = INFINITY};
    rw_level_fit fit;
    for (size_t i = 0; i < work->count; i++)
        work->error_db[i] = work->measured_db[i] - work->loss_db[i];
    RW_TRY(rw_level_solve(work->context, &data, &none, &fit, work->offsets_db));
    for (size_t i = 0; i < work->count && work->groups; i++)
        work->error_db[i] -= work->offsets_db[work->groups[i]];
    return rw_calibrate_residuals(work->call->sample_points, work->call->fit_count, work->error_db, work->calibration);
}

static rw_status run_level_work(const rw_level_call *call, rw_calibration *calibration,
                                rw_status (*run)(level_work *work))
{
    level_work work = {.call = call,
                       .calibration = calibration,
                       .context = calibration->context,
                       .count = call->sample_points->count,
                       .prior = prior};
    rw_status status = run(&work);
    free(work.measured_db);
    free(work.loss_db);
    free(work.error_db);
    free(work.buffer_db);
    free(work.terms);
    free(work.groups);
    free(work.folds);
    free(work.all_folds);
    free(work.offsets_db);
    return status;
}

rw_status rw_calibrate_levels(const rw_level_call *call, rw_calibration *calibration)
{
    rw_correction_destroy(calibration->params->correction); /* that of the start; the fit is of all that is added */
    calibration->params->correction = NULL;
    return run_level_work(call, calibration, fit_level_values);
}

static rw_status report_fit(level_work *work)
{
    rw_calibration_info *info = &work->calibration->info;
    RW_TRY(allocate_levels(work));
    copy_level_points(work);
    RW_TRY(report_before(work));
    RW_TRY(predict_losses(work, work->calibration->params, work->loss_db));
    return find_figures(work, work->loss_db, 1, &info->after, &info->holdout_after);
}

rw_status rw_calibrate_report(const rw_level_call *call, rw_calibration *calibration)
{
    return run_level_work(call, calibration, report_fit);
}
