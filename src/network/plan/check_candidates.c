/* Which candidates can be used: they stand in the open on the map, each site has a place of its own, costs are costs.
 * The others are refused, or with skip_bad left out, counted and told. */
#include "network/plan/problem.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_PLACE_M 0.1
#define NAMED_MAX 8

static const char *site_of(const rw_plan_problem *problem, size_t candidate)
{
    const char *site = problem->candidates[candidate].site;
    return site && *site ? site : NULL;
}

static int is_same_site(const rw_plan_problem *problem, size_t a, size_t b)
{
    const char *first = site_of(problem, a), *second = site_of(problem, b);
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

rw_status rw_plan_leave_out(rw_plan_problem *problem, rw_status status)
{
    const rw_plan_options *options = &problem->options;
    if (!options->skip_bad || (status != RW_BAD_INPUT && status != RW_BAD_CALL && status != RW_NOT_FOUND))
        return status;
    problem->left_out++;
    if (options->on_left_out)
        options->on_left_out(options->user, rw_last_error(problem->context));
    else if (problem->left_out <= NAMED_MAX)
        rw_warn(problem->context, "left out: %s", rw_last_error(problem->context));
    return RW_OK;
}

/* Drops those that are not marked as good. */
static void drop(rw_plan_problem *problem, const uint8_t *is_good)
{
    size_t kept = 0;
    for (size_t i = 0; i < problem->candidate_count; i++) {
        if (!is_good[i])
            continue;
        problem->transmitters[kept] = problem->transmitters[i];
        problem->candidates[kept] = problem->candidates[i];
        problem->given[kept++] = problem->given[i];
    }
    problem->candidate_count = problem->predict.transmitter_count = kept;
}

/* Candidates in the order of x, so that those at one place stand beside each other. */
typedef struct placed {
    double x_m;
    size_t candidate;
} placed;

static int compare_placed(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->x_m != y->x_m)
        return x->x_m < y->x_m ? -1 : 1;
    return (x->candidate > y->candidate) - (x->candidate < y->candidate);
}

static rw_status refuse_twin(const rw_plan_problem *problem, size_t twin, size_t first)
{
    return rw_fail(problem->context, RW_BAD_INPUT,
                   "candidates %.60s and %.60s stand at one place (%.10g,%.10g): two sectors of one site need the same "
                   "text in the column site, two sites places of their own",
                   problem->transmitters[first].name, problem->transmitters[twin].name, problem->transmitters[twin].x_m,
                   problem->transmitters[twin].y_m);
}

/* Of two sites at one place the later goes. */
static rw_status check_twins(rw_plan_problem *problem, placed *order, uint8_t *is_good)
{
    size_t count = problem->candidate_count;
    for (size_t i = 0; i < count; i++)
        order[i] = (placed){problem->transmitters[i].x_m, i};
    rw_sort(order, count, sizeof *order, compare_placed);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && order[k].x_m - order[i].x_m < SAME_PLACE_M; k++) {
            size_t a = order[i].candidate, b = order[k].candidate, first = a < b ? a : b, later = a < b ? b : a;
            double apart_m = fabs(problem->transmitters[a].y_m - problem->transmitters[b].y_m);
            if (apart_m >= SAME_PLACE_M || is_same_site(problem, a, b) || !is_good[first] || !is_good[later])
                continue;
            RW_TRY(rw_plan_leave_out(problem, refuse_twin(problem, later, first)));
            is_good[later] = 0;
        }
    return RW_OK;
}

static rw_status check_all(rw_plan_problem *problem, uint8_t *is_good, placed *order)
{
    for (size_t i = 0; i < problem->candidate_count; i++) {
        rw_status status = check_candidate(problem, i);
        is_good[i] = status == RW_OK;
        if (status != RW_OK)
            RW_TRY(rw_plan_leave_out(problem, status));
    }
    return check_twins(problem, order, is_good);
}

rw_status rw_plan_check_candidates(rw_plan_problem *problem)
{
    size_t count = problem->candidate_count;
    uint8_t *is_good = NULL;
    placed *order = NULL;
    rw_status status = rw_array_create(problem->context, count, 1, "candidates", &is_good);
    if (status == RW_OK)
        status = rw_array_create(problem->context, count, sizeof *order, "candidates", &order);
    if (status == RW_OK)
        status = check_all(problem, is_good, order);
    if (status == RW_OK)
        drop(problem, is_good);
    free(is_good);
    free(order);
    if (status == RW_OK && problem->candidate_count == 0)
        status = rw_fail(problem->context, RW_BAD_INPUT, "none of the %zu candidates can be used", count);
    if (status == RW_OK && problem->left_out > NAMED_MAX && !problem->options.on_left_out)
        rw_warn(problem->context, "left out: %zu more candidates", problem->left_out - NAMED_MAX);
    return status;
}
