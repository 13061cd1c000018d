/* rw_calibrate: from measurements to a model's parameters, with their standard errors and their errors on data held
 * out. */
#include "calibrate/fitting/fitting.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void rw_calibrate_options_init_sized(rw_calibrate_options *options, size_t size)
{
    const rw_calibrate_options own = {.average = "db", .seed = 1, .iterations_max = 12, .folds = 5};
    rw_defaults_copy(&own, sizeof own, options, size);
}

const char *rw_parameter_state_name(rw_parameter_state state)
{
    static const char *const names[] = {"held", "fitted", "at its bound", "no path depends on it",
                                        "not determined by these data"};
    return (size_t)state < sizeof names / sizeof *names ? names[state] : "";
}

/* What measurements add in every model (mechanisms/measured/correction.h), after the model's own parameters. */
#define MEASURED_PARAMETERS 2
static const struct {
    const char *name, *unit;
} measured_parameters[MEASURED_PARAMETERS] = {{"distance_exponent", ""}, {"contrast_db", "dB"}};

/* What a call of rw_calibrate works with. */
typedef struct calibrate_work {
    const rw_scene *scene;
    rw_predict_options prediction;
    rw_transmitter *transmitters; /* of the prediction, where they are copies */
    rw_calibrate_options options;
    rw_holdout holdout;
    rw_unknowns unknowns;
    rw_sample_points sample_points;
    rw_alternation alternation;
    rw_calibration *made;
} calibrate_work;

/* Whether the model has a parameter of that name and it is to be fitted. */
static int is_parameter_fitted(const calibrate_work *work, const char *name)
{
    size_t index = rw_params_find(work->made->params, name);
    return index < work->made->params->model->parameter_count && rw_unknowns_fits(&work->unknowns, index);
}

/* Whether parameters of the model itself are fitted: groups that are named, or with the effects of the papers, whose
 * constants have no other source. Otherwise the mechanisms keep their physics, and what measurements add is fitted. */
static int fits_groups_of_model(const calibrate_work *work)
{
    const char *effects = work->prediction.effects;
    const rw_model *model = rw_model_lookup(work->prediction.model);
    int has_effects = model && rw_model_option_find(model, "effects") != NULL; /* otherwise its paths have constants */
    return work->options.fit || work->options.constraints || !has_effects ||
           (effects && !rw_list_contains(effects, "streets") && !rw_list_contains(effects, "roofs"));
}

/* NULL: all that are not held unless they are named. */
static const char *groups_to_fit(const calibrate_work *work)
{
    const char *fit = work->options.fit;
    return fit && strcmp(fit, "all") == 0 ? NULL : fit;
}

/* Where to start: the values given, or uncalibrated ones at the frequency of the first transmitter. */
static rw_status start_values(calibrate_work *work)
{
    const rw_predict_options *prediction = &work->prediction;
    rw_calibration *calibration = work->made;
    if (prediction->params) {
        if (strcmp(prediction->params->model->name, prediction->model ? prediction->model : "") != 0)
            return rw_fail(calibration->context, RW_BAD_CALL, "the parameters are those of model %s, not of model %s",
                           prediction->params->model->name, prediction->model);
        RW_TRY(rw_params_check(prediction->params, "parameters"));
        RW_TRY(rw_params_copy(prediction->params, &calibration->params));
    } else {
        double own = prediction->transmitter_count ? prediction->transmitters[0].freq_hz : 0;
        RW_TRY(rw_params_create(calibration->context, prediction->model, own > 0 ? own : prediction->freq_hz,
                                &calibration->params));
    }
    memcpy(calibration->before, calibration->params->values, sizeof calibration->before);
    calibration->info.parameters = calibration->params->model->parameter_count + MEASURED_PARAMETERS;
    if (!fits_groups_of_model(work))
        return RW_OK;
    rw_constraints constraints;
    RW_TRY(rw_constraints_parse(calibration->context, calibration->params->model, work->options.constraints,
                                &constraints));
    RW_TRY(rw_unknowns_choose(calibration->context, calibration->params->model, groups_to_fit(work),
                              calibration->before, &work->unknowns));
    RW_TRY(rw_unknowns_tie(calibration->context, &constraints, &work->unknowns));
    if (!prediction->walls && fits_groups_of_model(work) &&
        (is_parameter_fitted(work, "wall_first_db") || is_parameter_fitted(work, "roof_count_db")))
        work->prediction.walls = "constant"; /* what is to be fitted, not the walls' constructions */
    if (work->unknowns.rows.count)           /* what is tied starts where the constraints hold */
        memcpy(calibration->params->values, work->unknowns.start_values, sizeof calibration->before);
    return RW_OK;
}

static rw_status allocate_alternation(calibrate_work *work)
{
    rw_context *context = work->made->context;
    size_t count = work->sample_points.count, terms = work->made->params->model->term_count;
    if (!work->made->params->model->path_term_count)
        RW_TRY(rw_array_create(context, count, terms * sizeof(float), "terms of paths", &work->alternation.terms));
    RW_TRY(rw_array_create(context, count, sizeof(float), "measured losses", &work->alternation.measured_db));
    if (work->sample_points.offsets.by_site || work->sample_points.offsets.by_device)
        RW_TRY(rw_array_create(context, count, sizeof *work->alternation.groups, "offsets", &work->alternation.groups));
    return rw_array_create(context, count, 1, "measured points", &work->alternation.reached);
}

/* Traces with the values to start from, and leaves out what has no path. */
static rw_status trace_first(calibrate_work *work)
{
    rw_alternation *alternation = &work->alternation;
    size_t terms = work->made->params->model->term_count, reached_count = 0;
    if (work->made->params->model->path_term_count)
        RW_TRY(rw_sample_points_trace_all(&work->sample_points, &alternation->all, alternation->reached));
    else
        RW_TRY(rw_sample_points_trace(&work->sample_points, work->made->params, alternation->terms, NULL,
                                      alternation->reached));
    for (size_t i = 0; i < work->sample_points.count; i++) {
        if (!alternation->reached[i])
            continue;
        if (alternation->all.begins)
            alternation->all.begins[reached_count++] = alternation->all.begins[i];
        else
            memmove(alternation->terms + reached_count++ * terms, alternation->terms + i * terms,
                    terms * sizeof *alternation->terms);
    }
    RW_TRY(rw_sample_points_drop_unreached(&work->sample_points, alternation->reached));
    for (size_t i = 0; i < work->sample_points.count; i++) {
        alternation->measured_db[i] = work->sample_points.items[i].measured_db;
        if (alternation->groups)
            alternation->groups[i] = work->sample_points.items[i].group;
    }
    return RW_OK;
}

/* Leaves out the points that a map would have no loss at. */
static rw_status drop_unpredicted(calibrate_work *work)
{
    uint8_t *reached;
    double *loss_db;
    size_t count = work->sample_points.count;
    RW_TRY(rw_array_create(work->made->context, count, sizeof *loss_db, "path loss", &loss_db));
    rw_status status = rw_array_create(work->made->context, count, 1, "path loss", &reached);
    if (status != RW_OK) {
        free(loss_db);
        return status;
    }
    status = rw_sample_points_trace(&work->sample_points, work->made->params, NULL, loss_db, reached);
    if (status == RW_OK)
        status = rw_sample_points_drop_unreached(&work->sample_points, reached);
    free(reached);
    free(loss_db);
    return status;
}

/* How many unknowns the loss of some point depends on: an effect that is not there determines nothing. */
static size_t unknowns_used(const calibrate_work *work)
{
    const rw_model *model = work->made->params->model;
    const rw_unknowns *unknowns = &work->unknowns;
    int used[RW_PARAMETERS_MAX] = {0};
    size_t count = 0;
    double derivatives[RW_PARAMETERS_MAX];
    rw_fit_data data = rw_alternation_data(&work->alternation, model);
    for (size_t i = 0; i < work->alternation.fit_count; i++) {
        model->terms_loss_db(rw_fit_terms(&data, i), work->made->params->values, derivatives);
        for (size_t k = 0; k < model->parameter_count; k++)
            used[k] |= derivatives[k] != 0;
    }
    for (size_t u = 0; u < unknowns->count; u++) {
        int depends = 0;
        for (size_t k = 0; k < model->parameter_count; k++)
            depends |= used[k] && unknowns->map[k][u] != 0;
        count += (size_t)depends;
    }
    return count;
}

/* Points that have a path, the held-out ones last. */
static rw_status find_calibration_points(calibrate_work *work, const rw_measurements *measurements)
{
    rw_calibration *calibration = work->made;
    uint8_t *held_out;
    RW_TRY(rw_holdout_samples(&work->holdout, measurements, &held_out));
    const char *offsets = work->options.offsets ? work->options.offsets : fits_groups_of_model(work) ? "none" : "site";
    const rw_sample_point_options how = {.average = work->options.average,
                                         .offsets = offsets,
                                         .held_out = held_out,
                                         .skip_bad = work->options.skip_bad,
                                         .heights = work->options.heights};
    rw_status status =
        rw_sample_points_create(work->scene, &work->prediction, measurements, &how, &work->sample_points);
    free(held_out);
    RW_TRY(status);
    RW_TRY(rw_holdout_divide(&work->holdout, work->options.seed, &work->sample_points));
    RW_TRY(fits_groups_of_model(work) ? allocate_alternation(work) : RW_OK);
    RW_TRY(fits_groups_of_model(work) ? trace_first(work) : drop_unpredicted(work));
    RW_TRY(rw_holdout_count(&work->holdout, &work->sample_points, &work->alternation.fit_count));
    size_t used = !fits_groups_of_model(work)   ? 1
                  : work->alternation.fit_count ? unknowns_used(work)
                                                : work->unknowns.count;
    if (work->alternation.fit_count > used)
        return RW_OK;
    return rw_fail(calibration->context, RW_BAD_INPUT,
                   "%s: %zu points cannot determine %zu parameters; measure more, or fit fewer with fit",
                   measurements->csv.path, work->alternation.fit_count, used);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static rw_status write_record(const calibrate_work *work, const rw_measurements *measurements)
{
    rw_calibration_info *info = &work->made->info;
    rw_params *params = work->made->params;
    rw_params_record *record = &params->record;
    time_t now = time(NULL);
    struct tm day;
    char date[16] = "";
    if (gmtime_r(&now, &day))
        strftime(date, sizeof date, "%Y-%m-%d", &day);
    RW_TRY(rw_params_set_record_strings(params, base_name(measurements->csv.path),
                                        work->prediction.effects ? work->prediction.effects : "", date,
                                        work->options.holdout ? work->options.holdout : ""));
    record->points = info->points;
    record->holdout_points = info->holdout_points;
    record->rmse_before_db = info->before.rmse_db;
    record->rmse_after_db = info->after.rmse_db;
    record->holdout_rmse_before_db = info->holdout_before.rmse_db;
    record->holdout_rmse_after_db = info->holdout_after.rmse_db;
    return RW_OK;
}

/* What the fit says of each parameter; those that it did not fit keep the standard error they had. */
static void write_errors(const calibrate_work *work)
{
    rw_calibration *calibration = work->made;
    for (size_t i = 0; i < calibration->params->model->parameter_count; i++) {
        rw_parameter_state state = calibration->fit.states[i];
        if (state == RW_PARAMETER_HELD)
            continue;
        calibration->info.fitted += state != RW_PARAMETER_UNUSED;
        calibration->params->standard_errors[i] =
            state == RW_PARAMETER_UNUSED ? NAN : sqrt(calibration->fit.covariance[i][i]);
    }
}

/* The error of one fold with values and paths that the other folds alone determine. */
static rw_status validate_fold(calibrate_work *work, const uint8_t *numbers, int fold, double *squares, size_t *count)
{
    rw_alternation alternation = work->alternation;
    rw_calibration *of_others;
    RW_TRY(rw_array_create(work->made->context, 1, sizeof *of_others, "a calibration", &of_others));
    of_others->context = work->made->context;
    alternation.unknowns = &work->unknowns;
    alternation.iterations_max = work->options.iterations_max;
    alternation.folds = numbers;
    alternation.excluded_fold = (uint8_t)fold;
    rw_status status = rw_params_copy(work->made->params, &of_others->params);
    if (status == RW_OK)
        status = rw_sample_points_trace(&work->sample_points, of_others->params, alternation.terms, NULL,
                                        alternation.reached);
    if (status == RW_OK)
        status = rw_alternate_run(&alternation, of_others);
    if (status == RW_OK) {
        rw_fit_data data = rw_alternation_data(&alternation, of_others->params->model);
        status = rw_fit_excluded_squares(of_others->context, &data, of_others->params->values, squares, count);
    }
    rw_calibration_destroy(of_others);
    return status;
}

/* The strength was chosen with the paths of the start; the error of unseen points is that of values with their own. */
static rw_status validate_with_own_paths(calibrate_work *work, int folds, const uint8_t *numbers,
                                         rw_cross_validation *found)
{
    double squares = 0;
    size_t count = 0;
    for (int fold = 0; fold < folds; fold++) {
        double fold_squares;
        size_t fold_count;
        RW_TRY(validate_fold(work, numbers, fold, &fold_squares, &fold_count));
        squares += fold_squares;
        count += fold_count;
    }
    found->rmse_fitted_db = sqrt(squares / (double)count);
    found->better = found->rmse_fitted_db < found->rmse_start_db;
    return rw_sample_points_trace(&work->sample_points, work->made->params, work->alternation.terms, NULL,
                                  work->alternation.reached);
}

/* How much weight the start should have, and whether a fit is worth having at all. */
static rw_status validate_fit(calibrate_work *work, int *better)
{
    rw_calibration *calibration = work->made;
    rw_calibration_info *info = &calibration->info;
    size_t count = work->alternation.fit_count;
    rw_cross_validation found = {0};
    uint8_t *numbers;
    *better = 1;
    info->folds = work->options.folds;
    info->folds_rmse_before_db = info->folds_rmse_after_db = NAN;
    if (info->folds == 0)
        return RW_OK;
    RW_TRY(rw_array_create(calibration->context, count, 1, "folds", &numbers));
    rw_status status = rw_folds_cut(&work->sample_points, count, &info->folds, numbers);
    rw_fit_data data = rw_alternation_data(&work->alternation, calibration->params->model);
    if (status == RW_OK)
        status = rw_cross_validate(calibration->context, &data, info->folds, numbers, &work->unknowns,
                                   calibration->params->values, &found);
    work->alternation.ridge = found.ridge;
    if (status == RW_OK && found.better && !work->alternation.all.begins)
        status = validate_with_own_paths(work, info->folds, numbers, &found);
    free(numbers);
    RW_TRY(status);
    info->folds_rmse_before_db = found.rmse_start_db;
    info->folds_rmse_after_db = found.rmse_fitted_db;
    *better = found.better;
    return RW_OK;
}

/* The start, because no fit is better than it. */
static rw_status store_start_values(calibrate_work *work)
{
    rw_calibration *calibration = work->made;
    rw_calibration_info *info = &calibration->info;
    rw_fit_data data = rw_alternation_data(&work->alternation, calibration->params->model);
    RW_TRY(rw_fit_solve(calibration->context, &data, &work->unknowns,
                        &calibration->fit)); /* for states and standard errors */
    info->converged = info->start_preserved = 1;
    return RW_OK;
}

static rw_status list_offsets(calibrate_work *work)
{
    rw_calibration *calibration = work->made;
    rw_fit_data data = rw_alternation_data(&work->alternation, calibration->params->model);
    double *offsets_db;
    if (!work->alternation.groups)
        return RW_OK;
    RW_TRY(rw_array_create(calibration->context, data.group_count, sizeof *calibration->offsets, "offsets",
                           &calibration->offsets));
    RW_TRY(rw_array_create(calibration->context, data.group_count, sizeof *offsets_db, "offsets", &offsets_db));
    rw_status status = rw_fit_offsets(calibration->context, &data, calibration->params->values, offsets_db);
    if (status == RW_OK)
        calibration->info.offsets =
            rw_sample_points_list_offsets(&work->sample_points, 0, data.count, offsets_db, calibration->offsets);
    free(offsets_db);
    return status;
}

rw_fit_data rw_calibration_data(const rw_calibration *calibration)
{
    return (rw_fit_data){.model = calibration->params->model,
                         .count = calibration->point_count,
                         .terms = calibration->all.begins ? calibration->all.values : calibration->terms,
                         .begins = calibration->all.begins,
                         .measured_db = calibration->measured_db};
}

/* Hands the points over to the calibration, for its linear form. */
static rw_status store_calibration_points(calibrate_work *work, const rw_measurements *measurements)
{
    rw_calibration *calibration = work->made;
    size_t count = work->sample_points.count;
    RW_TRY(rw_array_create(calibration->context, 2 * count, sizeof *calibration->sample_points, "measured points",
                           &calibration->sample_points));
    for (size_t i = 0; i < count; i++) {
        const rw_sample *sample = &measurements->samples[work->sample_points.items[i].sample];
        calibration->sample_points[2 * i] = sample->x_m;
        calibration->sample_points[2 * i + 1] = sample->y_m;
    }
    if (!fits_groups_of_model(work))
        return RW_OK;
    calibration->point_count = count;
    calibration->terms = work->alternation.terms;
    calibration->measured_db = work->alternation.measured_db;
    calibration->all = work->alternation.all;
    work->alternation.terms = work->alternation.measured_db = NULL;
    work->alternation.all = (rw_sample_point_terms){0};
    return RW_OK;
}

/* The model's own parameters. */
static rw_status fit_groups(calibrate_work *work)
{
    int better;
    work->alternation.unknowns = &work->unknowns;
    work->alternation.iterations_max = work->options.iterations_max;
    RW_TRY(validate_fit(work, &better));
    RW_TRY(better ? rw_alternate_run(&work->alternation, work->made) : store_start_values(work));
    write_errors(work);
    return list_offsets(work);
}

/* The model's own parameters are fitted to terms of its paths. Where predictions with them are no better than with the
 * values at the start, the start stays. */
static rw_status fit_levels_of_better(const rw_level_call *call, rw_calibration *calibration)
{
    rw_calibration_info *info = &calibration->info;
    rw_params *params = calibration->params;
    RW_TRY(rw_calibrate_levels(call, calibration));
    if (!call->follows_fit || info->after.rmse_db <= info->before.rmse_db)
        return RW_OK;
    memcpy(params->values, calibration->before, sizeof calibration->before);
    for (size_t i = 0; i < params->model->parameter_count; i++) {
        calibration->fit.states[i] = RW_PARAMETER_HELD;
        params->standard_errors[i] = NAN;
    }
    info->fitted = 0;
    RW_TRY(rw_calibrate_levels(call, calibration));
    info->start_preserved = 1;
    return RW_OK;
}

static rw_status fit_levels(calibrate_work *work)
{
    const rw_level_call call = {.sample_points = &work->sample_points,
                                .fit_count = work->alternation.fit_count,
                                .folds = work->options.folds,
                                .fits_weight = !fits_groups_of_model(work),
                                .follows_fit = fits_groups_of_model(work),
                                .residuals = work->options.residuals};
    rw_sample_points *sample_points = &work->sample_points;
    int has_offset = work->options.fit && rw_list_contains(work->options.fit, "offset"); /* which says the same */
    if (fits_groups_of_model(work) && (work->options.offsets || has_offset)) {
        const rw_level_call report = {.sample_points = sample_points, .fit_count = call.fit_count};
        return rw_calibrate_report(&report, work->made);
    }
    if (!fits_groups_of_model(work))
        work->made->info.iterations = work->made->info.converged = 1;
    if (!work->options.offsets) { /* the model's own parameters were fitted without any */
        sample_points->offsets.by_site = 1;
        sample_points->group_count = sample_points->prediction->transmitter_count;
        for (size_t i = 0; i < sample_points->count; i++)
            sample_points->items[i].group = sample_points->items[i].transmitter;
    }
    return fit_levels_of_better(&call, work->made);
}

static rw_status run_calibration(calibrate_work *work, const rw_measurements *measurements)
{
    rw_calibration_info *info = &work->made->info;
    RW_TRY(rw_holdout_parse(work->made->context, work->options.holdout, &work->holdout));
    RW_TRY(start_values(work));
    if (work->prediction.best != RW_UNSET && work->prediction.best != 1)
        return rw_fail(work->made->context, RW_BAD_CALL, "parameters are fitted to the strongest path alone: best = 1");
    if (work->options.iterations_max < 1)
        return rw_fail(work->made->context, RW_BAD_CALL, "%d turns are too few: at least one",
                       work->options.iterations_max);
    if (work->options.folds < 0 || work->options.folds == 1 || work->options.folds > 100)
        return rw_fail(work->made->context, RW_BAD_CALL, "%d folds are not possible; use 2 to 100, or 0 for none",
                       work->options.folds);
    work->alternation.sample_points = &work->sample_points;
    RW_TRY(find_calibration_points(work, measurements));
    if (fits_groups_of_model(work))
        RW_TRY(fit_groups(work));
    RW_TRY(fit_levels(work));
    info->points = work->alternation.fit_count;
    info->holdout_points = work->sample_points.count - work->alternation.fit_count;
    info->samples_used = work->sample_points.samples_used;
    info->off_map = work->sample_points.off_map;
    info->in_building = work->sample_points.in_building;
    info->no_path = work->sample_points.no_path;
    info->bad_rows = work->sample_points.bad_rows;
    info->bad_sites = work->sample_points.bad_sites;
    info->of_bad_site = work->sample_points.of_bad_site;
    for (int i = 0; i < MEASURED_PARAMETERS; i++)
        info->fitted += (size_t)work->made->levels.is_fitted[i];
    RW_TRY(write_record(work, measurements));
    RW_TRY(store_calibration_points(work, measurements));
    return rw_params_check(work->made->params, "parameters");
}

static void release_calibrate_work(calibrate_work *work)
{
    rw_sample_points_destroy(&work->sample_points);
    free(work->alternation.terms);
    rw_sample_point_terms_destroy(&work->alternation.all);
    free(work->alternation.measured_db);
    free(work->alternation.reached);
    free(work->alternation.groups);
    free(work->transmitters);
}

rw_status rw_calibrate(const rw_scene *scene, const rw_predict_options *prediction, const rw_measurements *measurements,
                       const rw_calibrate_options *options, rw_calibration **calibration)
{
    rw_context *context = scene->context;
    calibrate_work work = {.scene = scene};
    *calibration = NULL;
    rw_calibrate_options_init(&work.options);
    if (options)
        RW_TRY(RW_RESOLVE(context, options, &work.options));
    RW_TRY(rw_predict_options_resolve(context, prediction, &work.prediction, &work.transmitters));
    rw_status status = rw_predict_options_resolve_cells(scene, prediction, &work.prediction);
    if (status == RW_OK)
        status = rw_array_create(context, 1, sizeof *work.made, "a calibration", &work.made);
    if (status == RW_OK) {
        work.made->context = context;
        status = run_calibration(&work, measurements);
    }
    release_calibrate_work(&work);
    if (status != RW_OK) {
        rw_calibration_destroy(work.made);
        return status;
    }
    *calibration = work.made;
    return RW_OK;
}

void rw_calibration_destroy(rw_calibration *calibration)
{
    if (!calibration)
        return;
    rw_params_destroy(calibration->params);
    rw_sample_point_terms_destroy(&calibration->all);
    free(calibration->sample_points);
    free(calibration->terms);
    free(calibration->measured_db);
    free(calibration->offsets);
    free(calibration);
}

rw_status rw_calibration_get_offset(const rw_calibration *calibration, size_t index, rw_offset *offset)
{
    if (index >= calibration->info.offsets)
        return rw_fail(calibration->context, RW_BAD_CALL, "the calibration has %zu offsets, there is no number %zu",
                       calibration->info.offsets, index);
    return RW_ASSIGN(calibration->context, &calibration->offsets[index], offset);
}

rw_status rw_calibration_get_info(const rw_calibration *calibration, rw_calibration_info *info)
{
    return RW_ASSIGN(calibration->context, &calibration->info, info);
}

rw_status rw_calibration_get_parameter(const rw_calibration *calibration, size_t index,
                                       rw_calibrated_parameter *parameter)
{
    const rw_params *params = calibration->params;
    size_t own_count = params->model->parameter_count;
    if (index >= own_count && index < own_count + MEASURED_PARAMETERS) {
        size_t i = index - own_count;
        int fitted = calibration->levels.is_fitted[i];
        const rw_calibrated_parameter measured = {.name = measured_parameters[i].name,
                                                  .unit = measured_parameters[i].unit,
                                                  .after = calibration->levels.after[i],
                                                  .standard_error =
                                                      fitted ? calibration->levels.standard_errors[i] : NAN,
                                                  .state = fitted ? RW_PARAMETER_FITTED : RW_PARAMETER_HELD};
        return RW_ASSIGN(calibration->context, &measured, parameter);
    }
    if (index >= calibration->info.parameters)
        return rw_fail(calibration->context, RW_BAD_CALL, "model %s has %zu parameters, there is no number %zu",
                       params->model->name, calibration->info.parameters, index);
    rw_parameter_state state = calibration->fit.states[index];
    int has_error = state != RW_PARAMETER_HELD && state != RW_PARAMETER_UNUSED;
    const rw_calibrated_parameter calibrated_parameter = {.name = params->model->parameters[index].name,
                                                          .unit = params->model->parameters[index].unit,
                                                          .before = calibration->before[index],
                                                          .after = params->values[index],
                                                          .standard_error =
                                                              has_error ? params->standard_errors[index] : NAN,
                                                          .state = state};
    return RW_ASSIGN(calibration->context, &calibrated_parameter, parameter);
}

const rw_params *rw_calibration_params(const rw_calibration *calibration)
{
    return calibration->params;
}
