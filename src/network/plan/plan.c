/* rw_plan_create and what can be asked of a plan. */
#include "network/plan/plan.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX 5

void rw_plan_destroy(rw_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->choice_count; i++) {
        rw_plan_choice *choice = &plan->choices[i];
        free((void *)(uintptr_t)choice->transmitter.name);
        free((void *)(uintptr_t)choice->transmitter.antenna);
        free((void *)(uintptr_t)choice->transmitter.channel);
        free(choice->site);
    }
    for (size_t i = 0; i < plan->step_count; i++) {
        free((void *)(uintptr_t)plan->steps[i].name);
        free((void *)(uintptr_t)plan->steps[i].removed);
        free((void *)(uintptr_t)plan->steps[i].antenna);
    }
    free(plan->choices);
    free(plan->steps);
    free(plan->crs);
    for (size_t i = 0; i < RW_PLAN_LEVELS_MAX; i++) {
        rw_map_destroy(plan->before[i]);
        rw_map_destroy(plan->after[i]);
        rw_map_destroy(plan->weights[i]);
    }
    free(plan);
}

/* Why no free sector can be added beside what stays. */
static rw_status reject_limits(const rw_plan_search *search)
{
    const rw_plan_problem *problem = search->problem;
    const rw_plan_options *options = &problem->options;
    const char *cheapest = "";
    double cost = INFINITY;
    for (uint32_t i = 0; i < problem->sector_count; i++)
        if (problem->sectors[i].keep == RW_PLAN_FREE && rw_plan_cost_of(search, i) < cost) {
            cost = rw_plan_cost_of(search, i);
            cheapest = problem->sectors[i].name;
        }
    if (cost > options->budget)
        return rw_fail(problem->context, RW_BAD_CALL,
                       "a budget of %g buys none of the candidates: the cheapest, %.60s, costs %g", options->budget,
                       cheapest, cost);
    return rw_fail(problem->context, RW_BAD_CALL,
                   "no candidate can be added: every one is nearer than %g m to a site that stays",
                   options->distance_min_m);
}

/* What stays must be within the limits, and something must be left to choose. */
static rw_status check_retained_limits(const rw_plan_search *search)
{
    const rw_plan_problem *problem = search->problem;
    const rw_plan_options *options = &problem->options;
    int has_free = 0, can_add = 0, may_change = 0;
    if (options->sites_max && search->sites > (size_t)options->sites_max)
        return rw_fail(problem->context, RW_BAD_CALL, "%zu sites stay, and no more than %d are allowed", search->sites,
                       options->sites_max);
    if (options->sectors_max && search->sectors > (size_t)options->sectors_max)
        return rw_fail(problem->context, RW_BAD_CALL, "%zu sectors stay, and no more than %d are allowed",
                       search->sectors, options->sectors_max);
    int is_full = (options->sites_max && search->sites == (size_t)options->sites_max) ||
                  (options->sectors_max && search->sectors == (size_t)options->sectors_max);
    for (uint32_t i = 0; i < problem->sector_count; i++) {
        has_free |= problem->sectors[i].keep == RW_PLAN_FREE;
        may_change |= problem->sectors[i].keep == RW_PLAN_KEEP;
        can_add |= rw_plan_can_add(search, i);
    }
    if (can_add || may_change)
        return RW_OK;
    if (is_full || !has_free)
        return rw_fail(problem->context, RW_BAD_CALL,
                       "there is nothing to choose: all %zu sites that are allowed stay as they are", search->sites);
    return reject_limits(search);
}

/* Candidates that add nothing to what stays, by name; and whether there is any other. */
static rw_status report_useless(const rw_plan_search *search, const rw_position_gains *gains, rw_plan_info *info)
{
    const rw_plan_problem *problem = search->problem;
    uint8_t *is_useful;
    size_t named = 0;
    RW_TRY(rw_array_create(problem->context, problem->candidate_count, 1, "candidates", &is_useful));
    for (size_t i = 0; i < problem->variant_count; i++) {
        const rw_plan_sector *sector = &problem->sectors[problem->variant_sectors[i]];
        int adds =
            problem->goal == RW_PLAN_COVERAGE ? search->at_first[i] > 0 : gains->positions[sector->position].count > 0;
        int is_reported = problem->is_position_bad[sector->position] || sector->keep != RW_PLAN_FREE;
        is_useful[sector->candidate] |= (uint8_t)(adds || is_reported);
    }
    for (size_t i = 0; i < problem->candidate_count; i++)
        info->useless += !is_useful[i];
    for (size_t i = 0; i < problem->candidate_count && info->useless < problem->candidate_count; i++)
        if (!is_useful[i] && named++ < NAMED_MAX)
            rw_warn(problem->context, "candidate %.60s covers nothing that is not covered already",
                    problem->transmitters[i].name);
    if (named > NAMED_MAX)
        rw_warn(problem->context, "%zu more candidates cover nothing that is not covered already", named - NAMED_MAX);
    free(is_useful);
    if (info->useless < problem->candidate_count)
        return RW_OK;
    if (problem->goal == RW_PLAN_COVERAGE)
        return rw_fail(problem->context, RW_BAD_INPUT, "none of the %zu candidates covers anything at %g dBm",
                       problem->candidate_count, problem->covered_dbm);
    return rw_fail(problem->context, RW_BAD_INPUT, "none of the %zu candidates reaches any receiver",
                   problem->candidate_count);
}

/* Share of the optimum that greedy steps always reach: 1 - 1/e where the number of sectors alone is limited and each
 * has one configuration, 1/2 where a sector has several to choose from (Fisher, Nemhauser and Wolsey 1978). */
static double guarantee_of(const rw_plan_problem *problem)
{
    const rw_plan_options *options = &problem->options;
    int one_each = 1, one_sector = 1;
    for (size_t i = 0; i < problem->sector_count; i++)
        one_each &= problem->sectors[i].variant_count == 1;
    for (size_t i = 0; i < problem->site_count; i++)
        one_sector &= problem->sites[i].sector_count == 1;
    int counted = isnan(options->budget) && options->distance_min_m == 0 && (one_sector || !options->sites_max);
    if (problem->goal != RW_PLAN_COVERAGE || !counted)
        return NAN;
    return one_each ? 1 - exp(-1.0) : 0.5;
}

static rw_status search_all(rw_plan_search *search, const rw_position_gains *gains, rw_plan_info *info)
{
    for (size_t i = 0; i < gains->cell_count; i++)
        search->coverable += gains->is_reached[i] ? search->problem->integer_weights[i] : 0;
    RW_TRY(rw_plan_add_retained(search));
    info->before = rw_plan_unit_value(search, rw_plan_state_value(search->state));
    RW_TRY(check_retained_limits(search));
    RW_TRY(report_useless(search, gains, info));
    RW_TRY(rw_plan_greedy(search, "greedy"));
    info->greedy = rw_plan_unit_value(search, rw_plan_state_value(search->state));
    RW_TRY(rw_plan_find_bound(search));
    RW_TRY(rw_plan_compare_all(search));
    if (search->is_optimal)
        return RW_OK;
    RW_TRY(rw_plan_swap(search));
    RW_TRY(rw_plan_anneal(search));
    RW_TRY(rw_plan_swap(search));
    RW_TRY(rw_plan_greedy(search, "greedy"));
    return rw_plan_find_bound(search);
}

static rw_status copy_plan_string(const rw_plan *plan, const char *string, const char **copy)
{
    *copy = rw_string_copy(string ? string : "");
    return *copy ? RW_OK : rw_fail(plan->context, RW_OUT_OF_MEMORY, "no memory for names");
}

static rw_status store_choice(const rw_plan_search *search, rw_plan *plan)
{
    const rw_plan_problem *problem = search->problem;
    RW_TRY(rw_array_create(plan->context, search->sectors + 1, sizeof *plan->choices, "choices", &plan->choices));
    for (size_t i = 0; i < problem->sector_count; i++) {
        const rw_plan_sector *sector = &problem->sectors[i];
        if (search->chosen[i] == RW_PLAN_NO_VARIANT)
            continue;
        const rw_plan_candidate *candidate = &problem->candidates[sector->candidate];
        rw_plan_choice *choice = &plan->choices[plan->choice_count++];
        rw_transmitter of = rw_plan_transmitter(problem, search->chosen[i]);
        *choice = (rw_plan_choice){.transmitter = of,
                                   .candidate = problem->input_indices[sector->candidate],
                                   .cost = candidate->cost,
                                   .site_cost = candidate->site_cost,
                                   .keep = sector->keep};
        choice->transmitter.name = choice->transmitter.antenna = choice->transmitter.channel = NULL;
        RW_TRY(copy_plan_string(plan, of.name, &choice->transmitter.name));
        RW_TRY(copy_plan_string(plan, of.antenna, &choice->transmitter.antenna));
        RW_TRY(copy_plan_string(plan, of.channel, &choice->transmitter.channel));
        const char *site =
            candidate->site && *candidate->site ? candidate->site : problem->transmitters[sector->candidate].name;
        RW_TRY(rw_string_replace(plan->context, site, &choice->site));
    }
    return RW_OK;
}

static rw_status store_steps(const rw_plan_search *search, rw_plan *plan)
{
    const rw_plan_problem *problem = search->problem;
    RW_TRY(rw_array_create(plan->context, search->change_count + 1, sizeof *plan->steps, "steps", &plan->steps));
    for (size_t i = 0; i < search->change_count; i++) {
        const rw_plan_change *change = &search->changes[i];
        rw_plan_step *step = &plan->steps[plan->step_count++];
        int has_added = change->added != RW_PLAN_NO_VARIANT, has_removed = change->removed != RW_PLAN_NO_VARIANT;
        uint32_t variant = has_added ? change->added : change->removed;
        rw_transmitter of = rw_plan_transmitter(problem, variant);
        const char *removed = has_removed ? problem->sectors[problem->variant_sectors[change->removed]].name : "";
        *step = (rw_plan_step){.phase = change->phase,
                               .change = has_added ? has_removed ? "replace" : "add" : "remove",
                               .azimuth_deg = of.azimuth_deg,
                               .downtilt_deg = of.downtilt_deg,
                               .power_dbm = of.power_dbm,
                               .value = rw_plan_unit_value(search, change->value),
                               .cost = change->cost};
        RW_TRY(copy_plan_string(plan, of.name, &step->name));
        RW_TRY(copy_plan_string(plan, of.antenna, &step->antenna));
        RW_TRY(copy_plan_string(plan, has_added ? removed : "", &step->removed));
    }
    return RW_OK;
}

static void describe_plan(const rw_plan_search *search, const rw_position_gains *gains, rw_plan_info *info)
{
    static const char *const units[] = {
        [RW_PLAN_COVERAGE] = "weight", [RW_PLAN_RATE] = "Mbit/s", [RW_PLAN_SINR] = "dB"};
    static const char *const names[] = {
        [RW_PLAN_COVERAGE] = "coverage", [RW_PLAN_RATE] = "rate", [RW_PLAN_SINR] = "sinr"};
    const rw_plan_problem *problem = search->problem;
    info->objective = names[problem->goal];
    info->unit = problem->goal == RW_PLAN_COVERAGE && !problem->options.weights && !problem->options.zone_field
                     ? "m2"
                     : units[problem->goal];
    info->candidates = problem->candidate_count;
    info->skipped = problem->skipped;
    info->sites = problem->site_count;
    info->positions = problem->position_count;
    info->configurations = problem->variant_count;
    info->weight = problem->total_weight;
    info->value = rw_plan_unit_value(search, rw_plan_state_value(search->state));
    info->bound = problem->goal == RW_PLAN_COVERAGE ? rw_plan_unit_value(search, search->bound) : NAN;
    info->optimal = search->is_optimal;
    info->guarantee = guarantee_of(problem);
    info->cost = search->cost;
    info->chosen_sites = search->sites;
    info->chosen_sectors = search->sectors;
    info->evaluated = (double)search->state->evaluated;
    info->evaluate_s = search->state->evaluate_s;
    info->gain_bytes = (double)gains->entry_count * RW_POSITION_GAIN_BYTES;
}

static rw_status plan_with_state(const rw_plan_problem *problem, const rw_position_gains *gains, rw_plan_state *state,
                                 rw_plan *plan)
{
    rw_plan_search search;
    double start_s = rw_seconds();
    rw_status status = rw_plan_search_create(problem, state, &search);
    if (status == RW_OK)
        status = search_all(&search, gains, &plan->info);
    plan->info.search_s = rw_seconds() - start_s;
    if (status == RW_OK) {
        describe_plan(&search, gains, &plan->info);
        status = rw_plan_verify(&search, plan);
    }
    if (status == RW_OK)
        status = store_choice(&search, plan);
    if (status == RW_OK)
        status = store_steps(&search, plan);
    rw_plan_search_destroy(&search);
    return status;
}

static rw_status plan_with_gains(const rw_plan_problem *problem, const rw_position_gains *gains, rw_plan *plan)
{
    rw_plan_state state = {0};
    int16_t *patterns = NULL;
    RW_TRY(rw_plan_compute_patterns(problem, gains, &patterns));
    rw_plan_setup setup = {.goal = problem->goal,
                           .gains = gains,
                           .weights = problem->integer_weights,
                           .variants = problem->variants,
                           .variant_count = problem->variant_count,
                           .patterns = patterns,
                           .pattern_count = problem->pattern_count,
                           .carriers = problem->carriers,
                           .carrier_count = problem->carrier_count,
                           .channel_count = problem->channel_count,
                           .percentile = problem->options.percentile,
                           .rates = problem->rates};
    if (problem->goal == RW_PLAN_COVERAGE) /* the others need no level */
        setup.level_cdbm = (int32_t)ceil(100 * problem->covered_dbm - 1e-6);
    rw_status status = rw_plan_state_create(problem->context, &setup, &state);
    free(patterns);
    if (status == RW_OK)
        status = plan_with_state(problem, gains, &state, plan);
    rw_plan_state_destroy(&state);
    return status;
}

/* Bytes of the gains if every place reached every receiver, and of the state; on the backend. */
static double bytes_of(const rw_plan_problem *problem, double *gain_bytes)
{
    size_t receivers = 0, slots = problem->sector_count;
    for (size_t i = 0; i < problem->cell_count; i++)
        receivers += problem->weights[i] > 0;
    if (problem->options.sites_max) /* never more sectors than there are candidates */
        slots = (size_t)fmin((double)slots, (double)problem->options.sites_max * problem->options.sectors);
    *gain_bytes = (double)problem->position_count * (double)receivers * RW_POSITION_GAIN_BYTES;
    return *gain_bytes + rw_plan_state_bytes(problem->goal, problem->cell_count, problem->channel_count, slots);
}

/* Refuses what cannot fit before anything is predicted. */
static rw_status check_memory(const rw_plan_problem *problem)
{
    rw_context *context = problem->context;
    double gain_bytes, bytes = bytes_of(problem, &gain_bytes);
    int on_gpu = context->backend == RW_BACKEND_CUDA;
    double budget = on_gpu ? problem->predict.device_memory_bytes : problem->predict.memory_bytes;
    double available_bytes = budget > 0 ? budget : on_gpu ? INFINITY : rw_memory_available();
    if (!(bytes > available_bytes))
        return RW_OK;
    return rw_fail(context, RW_TOO_LARGE,
                   "the gains of %zu places on %zu cells need up to %.3g GB, and %.3g GB may be used; give a radius, a "
                   "larger res, fewer candidates or more memory",
                   problem->position_count, problem->cell_count, bytes / 1e9, available_bytes / 1e9);
}

static rw_status compute_plan(rw_plan_problem *problem, rw_plan *plan)
{
    rw_position_gains gains = {0};
    double start_s = rw_seconds();
    RW_TRY(check_memory(problem));
    rw_status status = rw_plan_predict_gains(problem, &gains);
    for (size_t i = 0; status == RW_OK && i < problem->sector_count; i++)
        if (problem->sectors[i].keep != RW_PLAN_FREE && problem->is_position_bad[problem->sectors[i].position])
            status = rw_fail(problem->context, RW_BAD_INPUT,
                             "%.60s is to stay, and the model cannot predict from there", problem->sectors[i].name);
    plan->info.predict_s = rw_seconds() - start_s;
    if (status == RW_OK && gains.entry_count == 0)
        status = rw_fail(problem->context, RW_BAD_INPUT,
                         problem->goal == RW_PLAN_COVERAGE ? "none of the %zu candidates covers anything at %g dBm"
                                                           : "none of the %zu candidates reaches any receiver",
                         problem->candidate_count, problem->covered_dbm);
    if (status == RW_OK)
        status = plan_with_gains(problem, &gains, plan);
    rw_position_gains_destroy(&gains);
    return status;
}

rw_status rw_plan_create(const rw_scene *scene, const rw_plan_options *options, rw_plan **plan)
{
    rw_plan_problem problem;
    rw_plan *new_plan = NULL;
    *plan = NULL;
    rw_status status = rw_plan_problem_create(scene, options, &problem);
    if (status == RW_OK)
        status = rw_array_create(scene->context, 1, sizeof *new_plan, "a plan", &new_plan);
    if (status == RW_OK) {
        new_plan->context = scene->context;
        status = compute_plan(&problem, new_plan);
    }
    rw_plan_problem_destroy(&problem);
    if (status == RW_OK)
        *plan = new_plan;
    else
        rw_plan_destroy(new_plan);
    return status;
}

rw_status rw_plan_estimate(const rw_scene *scene, const rw_plan_options *options, rw_estimate *estimate)
{
    rw_plan_problem problem;
    rw_estimate new_estimate = {.size = sizeof new_estimate};
    rw_status status = rw_plan_problem_create(scene, options, &problem);
    if (status == RW_OK) {
        rw_predict_options first = problem.predict;
        first.transmitter_count = 1;
        status = rw_predict_estimate(scene, &first, &new_estimate);
    }
    if (status == RW_OK) {
        double gain_bytes, bytes = bytes_of(&problem, &gain_bytes);
        new_estimate.transmitters = problem.position_count;
        new_estimate.seconds *= (double)(problem.position_count * problem.level_count);
        if (scene->context->backend == RW_BACKEND_CUDA)
            new_estimate.device_bytes += bytes;
        else
            new_estimate.bytes += bytes;
        status = RW_ASSIGN(scene->context, &new_estimate, estimate);
    }
    rw_plan_problem_destroy(&problem);
    return status;
}

rw_status rw_plan_get_info(const rw_plan *plan, rw_plan_info *info)
{
    return RW_ASSIGN(plan->context, &plan->info, info);
}

size_t rw_plan_step_count(const rw_plan *plan)
{
    return plan->step_count;
}

rw_status rw_plan_get_step(const rw_plan *plan, size_t index, rw_plan_step *step)
{
    if (index >= plan->step_count)
        return rw_fail(plan->context, RW_BAD_CALL, "the plan has %zu steps, there is no number %zu", plan->step_count,
                       index);
    return RW_ASSIGN(plan->context, &plan->steps[index], step);
}

size_t rw_plan_chosen_count(const rw_plan *plan)
{
    return plan->choice_count;
}

rw_status rw_plan_get_chosen(const rw_plan *plan, size_t index, rw_transmitter *transmitter, size_t *candidate)
{
    if (index >= plan->choice_count)
        return rw_fail(plan->context, RW_BAD_CALL, "the plan has %zu sectors, there is no number %zu",
                       plan->choice_count, index);
    *candidate = plan->choices[index].candidate;
    return RW_ASSIGN(plan->context, &plan->choices[index].transmitter, transmitter);
}

size_t rw_plan_level_count(const rw_plan *plan)
{
    return plan->level_count;
}

const rw_map *rw_plan_map_before_at(const rw_plan *plan, size_t level)
{
    return level < plan->level_count ? plan->before[level] : NULL;
}

const rw_map *rw_plan_map_after_at(const rw_plan *plan, size_t level)
{
    return level < plan->level_count ? plan->after[level] : NULL;
}

const rw_map *rw_plan_map_weights_at(const rw_plan *plan, size_t level)
{
    return level < plan->level_count ? plan->weights[level] : NULL;
}

const rw_map *rw_plan_map_before(const rw_plan *plan)
{
    return rw_plan_map_before_at(plan, 0);
}

const rw_map *rw_plan_map_after(const rw_plan *plan)
{
    return rw_plan_map_after_at(plan, 0);
}

const rw_map *rw_plan_map_weights(const rw_plan *plan)
{
    return rw_plan_map_weights_at(plan, 0);
}
