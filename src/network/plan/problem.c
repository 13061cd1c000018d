#include "network/plan/plan.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rw_plan_options default_options = {.size = sizeof default_options,
                                                .sectors = 1,
                                                .objective = "coverage",
                                                .level_dbm = NAN,
                                                .percentile = 10,
                                                .budget = NAN,
                                                .seed = 1,
                                                .rounds = 100,
                                                .confidence = NAN,
                                                .shadowing_db = 8,
                                                .correlation_m = 50,
                                                .target_percent = NAN};
static const rw_plan_candidate default_candidate = {.size = sizeof default_candidate, .cost = 1};

void rw_plan_options_init_sized(rw_plan_options *options, size_t size)
{
    rw_defaults_copy(&default_options, sizeof default_options, options, size);
}

#define SECTORS_MAX 12
#define LIST_MAX 3600
#define HEARD_BELOW_NOISE_DB 20 /* an interferer as weak raises the noise by 0.04 dB */

static rw_status fail_plan_options(const rw_plan_problem *problem, const char *message)
{
    return rw_fail(problem->context, RW_BAD_CALL, "%s", message);
}

static rw_status check_list(const rw_plan_problem *problem, const char *what, const double *values, size_t count,
                            double min_value, double max_value)
{
    if (count > LIST_MAX)
        return rw_fail(problem->context, RW_BAD_CALL, "%zu %s are too many: at most %d", count, what, LIST_MAX);
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= min_value && values[i] <= max_value))
            return rw_fail(problem->context, RW_BAD_CALL, "%s: %g is not between %g and %g", what, values[i], min_value,
                           max_value);
    return RW_OK;
}

static rw_status check_plan_limits(const rw_plan_problem *problem)
{
    const rw_plan_options *options = &problem->options;
    if (options->sectors < 1 || options->sectors > SECTORS_MAX)
        return rw_fail(problem->context, RW_BAD_CALL, "sectors = %d is not between 1 and %d", options->sectors,
                       SECTORS_MAX);
    if (options->sites_max < 0 || options->sectors_max < 0 || options->rounds < 0)
        return fail_plan_options(problem, "limits of sites and sectors and the rounds of annealing cannot be negative");
    if (options->budget < 0)
        return rw_fail(problem->context, RW_BAD_CALL, "a budget of %g is negative", options->budget);
    if (!(options->distance_min_m >= 0 && options->distance_min_m < RW_SCENE_MAX_M))
        return rw_fail(problem->context, RW_BAD_CALL, "a least distance of %g m is not between 0 and 1000 km",
                       options->distance_min_m);
    if (!(options->percentile > 0 && options->percentile < 100))
        return rw_fail(problem->context, RW_BAD_CALL, "percentile = %g is not between 0 and 100", options->percentile);
    RW_TRY(check_list(problem, "azimuths", options->azimuths_deg, options->azimuth_count, -360, 720));
    RW_TRY(check_list(problem, "tilts", options->tilts_deg, options->tilt_count, -90, 90));
    return check_list(problem, "powers", options->powers_dbm, options->power_count, -200, 200);
}

static rw_status check_goal(rw_plan_problem *problem)
{
    static const char *const names[] = {
        [RW_PLAN_COVERAGE] = "coverage", [RW_PLAN_RATE] = "rate", [RW_PLAN_SINR] = "sinr"};
    const char *objective = problem->options.objective ? problem->options.objective : names[0];
    size_t goal = 0;
    while (goal < 3 && strcmp(names[goal], objective) != 0)
        goal++;
    if (goal == 3)
        return rw_fail(problem->context, RW_BAD_CALL, "there is no objective '%.40s': it is coverage, sinr or rate",
                       objective);
    problem->goal = (rw_plan_goal)goal;
    if (goal == RW_PLAN_COVERAGE && !rw_is_decibels(problem->options.level_dbm))
        return fail_plan_options(problem,
                                 "the objective coverage needs a level: the received power of a covered cell in dBm");
    return RW_OK;
}

/* The standard normal quantile of a probability, by bisection. */
static double find_normal_quantile(double probability)
{
    double low = -9, high = 9;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (0.5 * erfc(-middle / sqrt(2)) < probability)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* A cell counts as covered if its strongest sector alone reaches the level with the probability: a margin on the level.
 * What further sectors add is in the draws over the prediction of the choice. */
static rw_status resolve_confidence(rw_plan_problem *problem)
{
    const rw_plan_options *options = &problem->options;
    problem->covered_dbm = options->level_dbm;
    if (isnan(options->confidence))
        return isnan(options->target_percent)
                   ? RW_OK
                   : fail_plan_options(problem, "a target needs a confidence: the probability of a covered cell");
    if (problem->goal != RW_PLAN_COVERAGE)
        return fail_plan_options(problem, "a confidence belongs to the objective coverage");
    if (!(options->confidence > 0 && options->confidence < 1))
        return rw_fail(problem->context, RW_BAD_CALL, "a confidence of %g is not between 0 and 1", options->confidence);
    if (!(options->shadowing_db > 0 && options->shadowing_db <= 30))
        return rw_fail(problem->context, RW_BAD_CALL, "shadowing of %g dB is not above 0 and at most 30 dB",
                       options->shadowing_db);
    if (!(options->correlation_m > 0 && isfinite(options->correlation_m)))
        return rw_fail(problem->context, RW_BAD_CALL, "a correlation distance of %g m is not above 0",
                       options->correlation_m);
    if (!isnan(options->target_percent) && !(options->target_percent >= 0 && options->target_percent <= 100))
        return rw_fail(problem->context, RW_BAD_CALL, "a target of %g %% is not between 0 and 100",
                       options->target_percent);
    problem->covered_dbm += find_normal_quantile(options->confidence) * options->shadowing_db;
    return RW_OK;
}

static rw_status resolve_candidates(rw_plan_problem *problem, const rw_transmitter *transmitters, size_t count)
{
    const rw_plan_candidate *resolved = NULL;
    rw_plan_candidate *buffer = NULL;
    rw_context *context = problem->context;
    if (count == 0)
        return fail_plan_options(problem, "there is no candidate");
    RW_TRY(rw_array_create(context, count, sizeof *problem->transmitters, "candidates", &problem->transmitters));
    RW_TRY(rw_array_create(context, count, sizeof *problem->candidates, "candidates", &problem->candidates));
    RW_TRY(rw_array_create(context, count, sizeof *problem->input_indices, "candidates", &problem->input_indices));
    memcpy(problem->transmitters, transmitters, count * sizeof *transmitters);
    if (problem->options.candidates)
        RW_TRY(RW_RESOLVE_ARRAY(context, problem->options.candidates, count, &default_candidate, &resolved, &buffer));
    problem->candidate_count = count;
    for (size_t i = 0; i < count; i++) {
        problem->candidates[i] = resolved ? resolved[i] : default_candidate;
        problem->input_indices[i] = i;
    }
    free(buffer);
    return RW_OK;
}

rw_predict_options rw_plan_level_options(const rw_plan_problem *problem, size_t level)
{
    rw_predict_options options = problem->predict;
    if (problem->options.rx_height_count)
        options.rx_height_m = problem->options.rx_heights_m[level];
    if (problem->options.floor_count)
        options.floor = (int)problem->options.floors[level];
    return options;
}

static rw_status resolve_levels(rw_plan_problem *problem)
{
    const rw_plan_options *options = &problem->options;
    size_t count = options->rx_height_count ? options->rx_height_count : options->floor_count;
    if (options->rx_height_count && options->floor_count)
        return fail_plan_options(problem, "a plan has several heights of receivers or several floors, not both");
    if (count > RW_PLAN_LEVELS_MAX)
        return rw_fail(problem->context, RW_BAD_CALL, "%zu heights or floors are too many for a plan: at most %d",
                       count, RW_PLAN_LEVELS_MAX);
    if (count > 1 && !isnan(options->confidence))
        return fail_plan_options(problem,
                                 "a confidence is of one height or floor: shadowing between storeys is not known");
    problem->level_count = count > 1 ? count : 1;
    if (count) /* what is checked before each level is that of the first */
        problem->predict = rw_plan_level_options(problem, 0);
    return RW_OK;
}

/* Bandwidth, noise and load of the predictions. */
static rw_status resolve_network(rw_plan_problem *problem)
{
    rw_prediction *prediction;
    RW_TRY(rw_prediction_create(problem->scene, &problem->predict, &(rw_target){.use = RW_USE_PATHS}, &prediction));
    rw_status status = rw_network_plan_init(prediction, &problem->network);
    rw_prediction_destroy(prediction);
    return status;
}

rw_status rw_plan_problem_create(const rw_scene *scene, const rw_plan_options *options, rw_plan_problem *problem)
{
    rw_transmitter *buffer = NULL;
    *problem = (rw_plan_problem){.context = scene->context, .scene = scene, .options = default_options};
    RW_TRY(RW_RESOLVE(scene->context, options, &problem->options));
    if (!problem->options.predict)
        return fail_plan_options(problem, "a plan needs the options of its predictions");
    RW_TRY(rw_predict_options_resolve(scene->context, problem->options.predict, &problem->predict, &buffer));
    rw_status status = rw_predict_options_resolve_cells(scene, problem->options.predict, &problem->predict);
    if (status == RW_OK)
        status = resolve_candidates(problem, problem->predict.transmitters, problem->predict.transmitter_count);
    free(buffer);
    problem->predict.transmitters = problem->transmitters;
    problem->predict.layers = NULL;
    RW_TRY(status);
    RW_TRY(check_goal(problem));
    RW_TRY(resolve_confidence(problem));
    RW_TRY(resolve_levels(problem));
    RW_TRY(check_plan_limits(problem));
    RW_TRY(rw_plan_check_candidates(problem));
    RW_TRY(resolve_network(problem));
    RW_TRY(rw_plan_list_configurations(problem));
    return rw_plan_weigh_cells(problem);
}

void rw_plan_problem_destroy(rw_plan_problem *problem)
{
    for (size_t i = 0; problem->sectors && i < problem->sector_count; i++)
        free(problem->sectors[i].name);
    for (size_t i = 0; i < problem->antenna_count; i++) {
        rw_antenna_destroy(problem->antennas[i]);
        free(problem->antenna_names[i]);
    }
    free(problem->transmitters);
    free(problem->candidates);
    free(problem->input_indices);
    free(problem->sites);
    free(problem->sectors);
    free(problem->variants);
    free(problem->settings);
    free(problem->variant_sectors);
    free(problem->position_candidates);
    free(problem->position_eirp_dbm);
    free(problem->is_position_bad);
    free(problem->antenna_names);
    free(problem->antennas);
    free(problem->patterns);
    free(problem->candidate_carriers);
    free(problem->carriers);
    free(problem->carrier_networks);
    free(problem->weights);
    free(problem->integer_weights);
    free(problem->rates);
    *problem = (rw_plan_problem){0};
}

rw_transmitter rw_plan_transmitter(const rw_plan_problem *problem, uint32_t variant)
{
    const rw_plan_sector *sector = &problem->sectors[problem->variant_sectors[variant]];
    const rw_plan_setting *setting = &problem->settings[variant];
    rw_transmitter transmitter = problem->transmitters[sector->candidate];
    transmitter.name = sector->name;
    transmitter.azimuth_deg = setting->azimuth_deg;
    transmitter.downtilt_deg = setting->tilt_deg;
    transmitter.power_dbm = setting->power_dbm;
    transmitter.antenna = problem->antenna_names[setting->antenna];
    return transmitter;
}

double rw_plan_min_dbm(const rw_plan_problem *problem)
{
    double noise_mw = problem->carrier_networks[0].noise_mw;
    for (size_t i = 1; i < problem->carrier_count; i++)
        noise_mw = fmin(noise_mw, problem->carrier_networks[i].noise_mw);
    return problem->goal == RW_PLAN_COVERAGE ? problem->covered_dbm : 10 * log10(noise_mw) - HEARD_BELOW_NOISE_DB;
}
