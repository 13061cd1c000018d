/* rw_calibrate: from measurements to a model's parameters, with their standard errors and their errors on data held
 * out. */
#include "calibrate/fitting/calibration.h"
#include "calibrate/fitting/cross_validate.h"
#include "calibrate/fitting/holdout.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void rw_calibrate_options_init_sized(rw_calibrate_options *options, size_t size)
{
    const rw_calibrate_options own = {.average = "db", .seed = 1, .turns_max = 12, .offsets = "none", .folds = 5};
    rw_defaults_give(&own, sizeof own, options, size);
}

const char *rw_parameter_state_text(rw_parameter_state state)
{
    static const char *const texts[] = {"held", "fitted", "at its bound", "no path depends on it",
                                        "not determined by these data"};
    return (size_t)state < sizeof texts / sizeof *texts ? texts[state] : "";
}

/* What a call of rw_calibrate works with. */
typedef struct calibrate_work {
    const rw_scene *scene;
    rw_predict_options prediction;
    rw_transmitter *transmitters; /* of the prediction, where they are copies */
    rw_calibrate_options options;
    rw_holdout holdout;
    rw_unknowns unknowns;
    rw_places places;
    rw_alternation turns;
    rw_calibration *made;
} calibrate_work;

/* Whether the model has a parameter of that name and it is to be fitted. */
static int fits(const calibrate_work *work, const char *name)
{
    size_t index = rw_params_find(work->made->params, name);
    return index < work->made->params->model->parameter_count && rw_unknowns_fits(&work->unknowns, index);
}

/* Whether constants of walls are asked for: by name, or with effects that know nothing else. Otherwise all ways add,
 * and walls cost what their slabs do, times a factor. */
static int is_of_paths(const calibrate_work *work)
{
    const char *effects = work->prediction.effects;
    return work->options.fit ||
           (effects && !rw_list_contains(effects, "streets") && !rw_list_contains(effects, "roofs"));
}

/* Where to start: the values given, or uncalibrated ones at the frequency of the first transmitter. */
static rw_status start_values(calibrate_work *work)
{
    const rw_predict_options *prediction = &work->prediction;
    rw_calibration *made = work->made;
    if (prediction->params) {
        if (strcmp(prediction->params->model->name, prediction->model ? prediction->model : "") != 0)
            return rw_fail(made->context, RW_BAD_CALL, "the parameters are those of model %s, not of model %s",
                           prediction->params->model->name, prediction->model);
        RW_TRY(rw_params_check(prediction->params, "parameters"));
        RW_TRY(rw_params_copy(prediction->params, &made->params));
    } else {
        double own = prediction->transmitter_count ? prediction->transmitters[0].freq_hz : 0;
        RW_TRY(rw_params_create(made->context, prediction->model, own > 0 ? own : prediction->freq_hz, &made->params));
    }
    memcpy(made->before, made->params->values, sizeof made->before);
    made->info.parameters = made->params->model->parameter_count;
    rw_constraints constraints;
    RW_TRY(rw_constraints_parse(made->context, made->params->model, work->options.constraints, &constraints));
    RW_TRY(rw_unknowns_choose(made->context, made->params->model, work->options.fit, made->before, &work->unknowns));
    RW_TRY(rw_unknowns_tie(made->context, &constraints, &work->unknowns));
    if (!prediction->walls && is_of_paths(work) && (fits(work, "wall_first_db") || fits(work, "roof_count_db")))
        work->prediction.walls = "constant"; /* what is to be fitted, not the walls' constructions */
    if (work->unknowns.rows.count)           /* what is tied starts where the constraints hold */
        memcpy(made->params->values, work->unknowns.start_values, sizeof made->before);
    return RW_OK;
}

static rw_status take_turns_memory(calibrate_work *work)
{
    rw_context *context = work->made->context;
    size_t count = work->places.count, terms = work->made->params->model->term_count;
    if (!work->made->params->model->path_term_count)
        RW_TRY(rw_array_create(context, count, terms * sizeof(float), "terms of paths", &work->turns.terms));
    RW_TRY(rw_array_create(context, count, sizeof(float), "measured losses", &work->turns.measured_db));
    if (work->places.offsets.by_site || work->places.offsets.by_device)
        RW_TRY(rw_array_create(context, count, sizeof *work->turns.groups, "offsets", &work->turns.groups));
    return rw_array_create(context, count, 1, "measured points", &work->turns.reached);
}

/* Traces with the values to start from, and leaves out what has no path. */
static rw_status trace_first(calibrate_work *work)
{
    rw_alternation *turns = &work->turns;
    size_t terms = work->made->params->model->term_count, kept = 0;
    if (work->made->params->model->path_term_count)
        RW_TRY(rw_places_trace_all(&work->places, &turns->all, turns->reached));
    else
        RW_TRY(rw_places_trace(&work->places, work->made->params, turns->terms, NULL, turns->reached));
    for (size_t i = 0; i < work->places.count; i++) {
        if (!turns->reached[i])
            continue;
        if (turns->all.begins)
            turns->all.begins[kept++] = turns->all.begins[i];
        else
            memmove(turns->terms + kept++ * terms, turns->terms + i * terms, terms * sizeof *turns->terms);
    }
    RW_TRY(rw_places_keep_reached(&work->places, turns->reached));
    for (size_t i = 0; i < work->places.count; i++) {
        turns->measured_db[i] = work->places.items[i].measured_db;
        if (turns->groups)
            turns->groups[i] = work->places.items[i].group;
    }
    return RW_OK;
}

/* How many unknowns the loss of some point depends on: an effect that is not there determines nothing. */
static size_t unknowns_used(const calibrate_work *work)
{
    const rw_model *model = work->made->params->model;
    const rw_unknowns *unknowns = &work->unknowns;
    int used[RW_PARAMETERS_MAX] = {0};
    size_t count = 0;
    double derivatives[RW_PARAMETERS_MAX];
    rw_fit_data data = rw_alternation_data(&work->turns, model);
    for (size_t i = 0; i < work->turns.fit_count; i++) {
        model->terms_loss_db(rw_fit_terms(&data, i), work->made->params->values, derivatives);
        for (size_t k = 0; k < model->parameter_count; k++)
            used[k] |= derivatives[k] != 0;
    }
    for (size_t u = 0; u < unknowns->count; u++) {
        int part = 0;
        for (size_t k = 0; k < model->parameter_count; k++)
            part |= used[k] && unknowns->map[k][u] != 0;
        count += (size_t)part;
    }
    return count;
}

/* Points that have a path, the held-out ones last. */
static rw_status find_points(calibrate_work *work, const rw_measurements *measurements)
{
    rw_calibration *made = work->made;
    uint8_t *held_out;
    RW_TRY(rw_holdout_samples(&work->holdout, measurements, &held_out));
    const rw_place_options how = {work->options.average, work->options.offsets, held_out, work->options.skip_bad,
                                  work->options.heights};
    rw_status status = rw_places_create(work->scene, &work->prediction, measurements, &how, &work->places);
    free(held_out);
    RW_TRY(status);
    RW_TRY(take_turns_memory(work));
    RW_TRY(rw_holdout_divide(&work->holdout, work->options.seed, &work->places));
    RW_TRY(trace_first(work));
    RW_TRY(rw_holdout_count(&work->holdout, &work->places, &work->turns.fit_count));
    size_t used = work->turns.fit_count ? unknowns_used(work) : work->unknowns.count;
    if (work->turns.fit_count > used)
        return RW_OK;
    return rw_fail(made->context, RW_BAD_INPUT,
                   "%s: %zu points cannot determine %zu parameters; measure more, or fit fewer with fit",
                   measurements->csv.path, work->turns.fit_count, used);
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
    RW_TRY(rw_params_set_record_texts(params, base_name(measurements->csv.path),
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
    rw_calibration *made = work->made;
    for (size_t i = 0; i < made->info.parameters; i++) {
        rw_parameter_state state = made->fit.states[i];
        if (state == RW_PARAMETER_HELD)
            continue;
        made->info.fitted += state != RW_PARAMETER_UNUSED;
        made->params->standard_errors[i] = state == RW_PARAMETER_UNUSED ? NAN : sqrt(made->fit.covariance[i][i]);
    }
}

/* How much weight the start should have, and whether a fit is worth having at all. */
static rw_status validate(calibrate_work *work, int *better)
{
    rw_calibration *made = work->made;
    rw_calibration_info *info = &made->info;
    size_t count = work->turns.fit_count;
    rw_cross_validation found;
    uint8_t *numbers;
    *better = 1;
    info->folds = work->options.folds;
    info->folds_rmse_before_db = info->folds_rmse_after_db = NAN;
    if (info->folds == 0)
        return RW_OK;
    RW_TRY(rw_array_create(made->context, count, 1, "folds", &numbers));
    rw_status status = rw_folds_cut(&work->places, count, &info->folds, numbers);
    rw_fit_data data = rw_alternation_data(&work->turns, made->params->model);
    if (status == RW_OK)
        status = rw_cross_validate(made->context, &data, info->folds, numbers, &work->unknowns, made->params->values,
                                   &found);
    free(numbers);
    RW_TRY(status);
    work->turns.ridge = found.ridge;
    info->folds_rmse_before_db = found.rmse_start_db;
    info->folds_rmse_after_db = found.rmse_fitted_db;
    *better = found.better;
    return RW_OK;
}

/* The start, because no fit is better than it. */
static rw_status keep_start(calibrate_work *work)
{
    rw_calibration *made = work->made;
    rw_calibration_info *info = &made->info;
    rw_fit_data data = rw_alternation_data(&work->turns, made->params->model);
    RW_TRY(rw_fit_solve(made->context, &data, &work->unknowns, &made->fit)); /* for states and standard errors */
    RW_TRY(rw_alternation_figures(&work->turns, made->params, &info->before, &info->holdout_before));
    info->after = info->before;
    info->holdout_after = info->holdout_before;
    info->settled = info->kept_start = 1;
    return RW_OK;
}

static rw_status list_offsets(calibrate_work *work)
{
    rw_calibration *made = work->made;
    rw_fit_data data = rw_alternation_data(&work->turns, made->params->model);
    double *offsets_db;
    if (!work->turns.groups)
        return RW_OK;
    RW_TRY(rw_array_create(made->context, data.group_count, sizeof *made->offsets, "offsets", &made->offsets));
    RW_TRY(rw_array_create(made->context, data.group_count, sizeof *offsets_db, "offsets", &offsets_db));
    rw_status status = rw_fit_offsets(made->context, &data, made->params->values, offsets_db);
    if (status == RW_OK)
        made->info.offsets = rw_places_list_offsets(&work->places, 0, data.count, offsets_db, made->offsets);
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
static rw_status keep_points(calibrate_work *work, const rw_measurements *measurements)
{
    rw_calibration *made = work->made;
    size_t count = work->places.count;
    RW_TRY(rw_array_create(made->context, 2 * count, sizeof *made->places, "measured points", &made->places));
    for (size_t i = 0; i < count; i++) {
        const rw_sample *sample = &measurements->samples[work->places.items[i].sample];
        made->places[2 * i] = sample->x_m;
        made->places[2 * i + 1] = sample->y_m;
    }
    made->point_count = count;
    made->terms = work->turns.terms;
    made->measured_db = work->turns.measured_db;
    made->all = work->turns.all;
    work->turns.terms = work->turns.measured_db = NULL;
    work->turns.all = (rw_place_terms){0};
    return RW_OK;
}

static rw_status calibrate(calibrate_work *work, const rw_measurements *measurements)
{
    rw_calibration_info *info = &work->made->info;
    RW_TRY(rw_holdout_parse(work->made->context, work->options.holdout, &work->holdout));
    RW_TRY(start_values(work));
    if (work->prediction.best != RW_UNSET && work->prediction.best != 1)
        return rw_fail(work->made->context, RW_BAD_CALL, "parameters are fitted to the strongest path alone: best = 1");
    if (work->options.turns_max < 1)
        return rw_fail(work->made->context, RW_BAD_CALL, "%d turns are too few: at least one", work->options.turns_max);
    if (work->options.folds < 0 || work->options.folds == 1 || work->options.folds > 100)
        return rw_fail(work->made->context, RW_BAD_CALL, "%d folds are not possible; use 2 to 100, or 0 for none",
                       work->options.folds);
    work->turns.places = &work->places;
    RW_TRY(find_points(work, measurements));
    work->turns.unknowns = &work->unknowns;
    work->turns.turns_max = work->options.turns_max;
    int better;
    RW_TRY(validate(work, &better));
    RW_TRY(better ? rw_alternate_run(&work->turns, work->made) : keep_start(work));
    RW_TRY(list_offsets(work));
    info->points = work->turns.fit_count;
    info->holdout_points = work->places.count - work->turns.fit_count;
    info->samples_used = work->places.samples_used;
    info->off_map = work->places.off_map;
    info->in_building = work->places.in_building;
    info->no_path = work->places.no_path;
    info->bad_rows = work->places.bad_rows;
    info->bad_sites = work->places.bad_sites;
    info->of_bad_site = work->places.of_bad_site;
    write_errors(work);
    RW_TRY(write_record(work, measurements));
    RW_TRY(keep_points(work, measurements));
    return rw_params_check(work->made->params, "parameters");
}

static void release(calibrate_work *work)
{
    rw_places_destroy(&work->places);
    free(work->turns.terms);
    rw_place_terms_destroy(&work->turns.all);
    free(work->turns.measured_db);
    free(work->turns.reached);
    free(work->turns.groups);
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
        RW_TRY(RW_TAKE(context, options, &work.options));
    RW_TRY(rw_predict_options_take(context, prediction, &work.prediction, &work.transmitters));
    rw_status status = rw_array_create(context, 1, sizeof *work.made, "a calibration", &work.made);
    if (status == RW_OK) {
        work.made->context = context;
        status = calibrate(&work, measurements);
    }
    release(&work);
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
    rw_place_terms_destroy(&calibration->all);
    free(calibration->places);
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
    return RW_GIVE(calibration->context, &calibration->offsets[index], offset);
}

rw_status rw_calibration_get_info(const rw_calibration *calibration, rw_calibration_info *info)
{
    return RW_GIVE(calibration->context, &calibration->info, info);
}

rw_status rw_calibration_get_parameter(const rw_calibration *calibration, size_t index,
                                       rw_calibrated_parameter *parameter)
{
    const rw_params *params = calibration->params;
    if (index >= calibration->info.parameters)
        return rw_fail(calibration->context, RW_BAD_CALL, "model %s has %zu parameters, there is no number %zu",
                       params->model->name, calibration->info.parameters, index);
    rw_parameter_state state = calibration->fit.states[index];
    int has_error = state != RW_PARAMETER_HELD && state != RW_PARAMETER_UNUSED;
    const rw_calibrated_parameter made = {.name = params->model->parameters[index].name,
                                          .unit = params->model->parameters[index].unit,
                                          .before = calibration->before[index],
                                          .after = params->values[index],
                                          .standard_error = has_error ? params->standard_errors[index] : NAN,
                                          .state = state};
    return RW_GIVE(calibration->context, &made, parameter);
}

const rw_params *rw_calibration_params(const rw_calibration *calibration)
{
    return calibration->params;
}
