/* Which candidates can be used: they stand in the open on the map, each site has a place of its own, costs are costs.
 * The others are refused, or with skip_bad left out, counted and told. */
#include "network/plan/plan.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_POSITION_M 0.1
#define SAME_HEIGHT_M 1.0 /* in floor plans: access points on two storeys are two sites */
#define NAMED_MAX 8

static const char *get_candidate_site(const rw_plan_problem *problem, size_t candidate)
{
    const char *site = problem->candidates[candidate].site;
    return site && *site ? site : NULL;
}

static int have_same_site(const rw_plan_problem *problem, size_t a, size_t b)
{
    const char *first = get_candidate_site(problem, a), *second = get_candidate_site(problem, b);
    return first && second && strcmp(first, second) == 0;
}

static rw_status check_candidate(const rw_plan_problem *problem, size_t index)
{
    const rw_plan_candidate *candidate = &problem->candidates[index];
    const char *name = problem->transmitters[index].name;
    if (!(candidate->cost >= 0 && candidate->site_cost >= 0 && isfinite(candidate->cost) &&
          isfinite(candidate->site_cost)))
        return rw_fail(problem->context, RW_BAD_INPUT, "candidate %.60s: a cost of %g cannot be", name,
                       candidate->cost >= 0 && isfinite(candidate->cost) ? candidate->site_cost : candidate->cost);
    if (candidate->keep < RW_PLAN_FREE || candidate->keep > RW_PLAN_FIXED)
        return rw_fail(problem->context, RW_BAD_CALL, "candidate %.60s: keep is free, keep or fixed", name);
    return rw_check_transmitter(problem->scene, &problem->predict, index);
}

rw_status rw_plan_skip_candidate(rw_plan_problem *problem, rw_status status)
{
    const rw_plan_options *options = &problem->options;
    if (!options->skip_bad || (status != RW_BAD_INPUT && status != RW_BAD_CALL && status != RW_NOT_FOUND))
        return status;
    problem->skipped++;
    if (options->on_skipped)
        options->on_skipped(options->user, rw_last_error(problem->context));
    else if (problem->skipped <= NAMED_MAX)
        rw_warn(problem->context, "left out: %s", rw_last_error(problem->context));
    return RW_OK;
}

/* Drops those that are not marked as good. */
static void drop_bad_candidates(rw_plan_problem *problem, const uint8_t *is_good)
{
    size_t good_count = 0;
    for (size_t i = 0; i < problem->candidate_count; i++) {
        if (!is_good[i])
            continue;
        problem->transmitters[good_count] = problem->transmitters[i];
        problem->candidates[good_count] = problem->candidates[i];
        problem->input_indices[good_count++] = problem->input_indices[i];
    }
    problem->candidate_count = problem->predict.transmitter_count = good_count;
}

/* Candidates in the order of x, so that those at one place stand beside each other. */
typedef struct candidate_x {
    double x_m;
    size_t candidate;
} candidate_x;

static int compare_candidate_x(const void *a, const void *b)
{
    const candidate_x *x = a, *y = b;
    if (x->x_m != y->x_m)
        return x->x_m < y->x_m ? -1 : 1;
    return (x->candidate > y->candidate) - (x->candidate < y->candidate);
}

static rw_status reject_twin(const rw_plan_problem *problem, size_t twin, size_t first)
{
    return rw_fail(problem->context, RW_BAD_INPUT,
                   "candidates %.60s and %.60s stand at one place (%.10g,%.10g): two sectors of one site need the same "
                   "text in the column site, two sites places of their own",
                   problem->transmitters[first].name, problem->transmitters[twin].name, problem->transmitters[twin].x_m,
                   problem->transmitters[twin].y_m);
}

/* Of two sites at one place the later goes. */
static rw_status check_twins(rw_plan_problem *problem, candidate_x *order, uint8_t *is_good)
{
    size_t count = problem->candidate_count;
    for (size_t i = 0; i < count; i++)
        order[i] = (candidate_x){problem->transmitters[i].x_m, i};
    rw_sort(order, count, sizeof *order, compare_candidate_x);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && order[k].x_m - order[i].x_m < SAME_POSITION_M; k++) {
            size_t a = order[i].candidate, b = order[k].candidate, first = a < b ? a : b, later = a < b ? b : a;
            double apart_m = fabs(problem->transmitters[a].y_m - problem->transmitters[b].y_m);
            double above_m = fabs(problem->transmitters[a].height_m - problem->transmitters[b].height_m);
            int has_storeys = problem->scene->parts.count == 0 && above_m >= SAME_HEIGHT_M;
            if (apart_m >= SAME_POSITION_M || has_storeys || have_same_site(problem, a, b) || !is_good[first] ||
                !is_good[later])
                continue;
            RW_TRY(rw_plan_skip_candidate(problem, reject_twin(problem, later, first)));
            is_good[later] = 0;
        }
    return RW_OK;
}

static rw_status check_all(rw_plan_problem *problem, uint8_t *is_good, candidate_x *order)
{
    for (size_t i = 0; i < problem->candidate_count; i++) {
        rw_status status = check_candidate(problem, i);
        is_good[i] = status == RW_OK;
        if (status != RW_OK)
            RW_TRY(rw_plan_skip_candidate(problem, status));
    }
    return check_twins(problem, order, is_good);
}

rw_status rw_plan_check_candidates(rw_plan_problem *problem)
{
    size_t count = problem->candidate_count;
    uint8_t *is_good = NULL;
    candidate_x *order = NULL;
    rw_status status = rw_array_create(problem->context, count, 1, "candidates", &is_good);
    if (status == RW_OK)
        status = rw_array_create(problem->context, count, sizeof *order, "candidates", &order);
    if (status == RW_OK)
        status = check_all(problem, is_good, order);
    if (status == RW_OK)
        drop_bad_candidates(problem, is_good);
    free(is_good);
    free(order);
    if (status == RW_OK && problem->candidate_count == 0)
        status = rw_fail(problem->context, RW_BAD_INPUT, "none of the %zu candidates can be used", count);
    if (status == RW_OK && problem->skipped > NAMED_MAX && !problem->options.on_skipped)
        rw_warn(problem->context, "left out: %zu more candidates", problem->skipped - NAMED_MAX);
    return status;
}
