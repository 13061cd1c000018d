/* Greedy steps: the configuration that adds most, or most for its cost, again and again.
 *
 * Covered weight is submodular: what a configuration adds becomes less the more is chosen, so that an old answer is an
 * upper bound and only those at the top of the list need to be asked again (lazy greedy, Minoux 1978); the choice is
 * the same as if all were asked. For SINR and rate there is no such bound: there the best part of the list by its last
 * answers is asked in each step. */
#include "network/plan/plan.h"

#include "base/memory.h"
#include "base/progress.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_VARIANTS 512
#define STEP_VARIANTS_MIN 2048  /* of SINR and rate: configurations asked in a step, */
#define STEP_VARIANTS_DIVISOR 8 /* and one of so many where there are more */

/* How promising a configuration is by what it adds. */
static double rank_variant(const rw_plan_search *search, uint32_t variant, int by_cost)
{
    double gain = (double)search->upper[variant];
    double cost = by_cost ? rw_plan_cost_of(search, search->problem->variant_sectors[variant]) : 1;
    return cost > 0 ? gain / cost : gain > 0 ? DBL_MAX : gain;
}

/* Ranks all configurations that can be added; of coverage only those that may add something. */
static size_t rank_all(rw_plan_search *search, int by_cost)
{
    const rw_plan_problem *problem = search->problem;
    size_t count = 0;
    for (uint32_t sector = 0; sector < problem->sector_count; sector++) {
        const rw_plan_sector *of = &problem->sectors[sector];
        if (!rw_plan_can_add(search, sector))
            continue;
        for (uint32_t i = of->first_variant; i < of->first_variant + of->variant_count; i++)
            if (problem->goal != RW_PLAN_COVERAGE || search->upper[i] > 0)
                search->ranks[count++] = (rw_plan_rank){rank_variant(search, i, by_cost), i};
    }
    rw_plan_sort(search->ranks, count);
    return count;
}

static int is_higher_rank(rw_plan_rank a, rw_plan_rank b)
{
    return a.key > b.key || (a.key == b.key && a.variant < b.variant);
}

/* The best of all, asking from the top of the list for as long as an old answer could beat the best new one. */
static rw_status find_best(rw_plan_search *search, int by_cost, size_t min_count, rw_plan_rank *best)
{
    size_t count = rank_all(search, by_cost), next = 0;
    *best = (rw_plan_rank){-INFINITY, RW_PLAN_NO_VARIANT};
    while (next < count && (next < min_count || is_higher_rank(search->ranks[next], *best))) {
        size_t batch_count = 0, first = next;
        for (; next < count && next - first < BATCH_VARIANTS; next++)
            if (search->evaluated_in[search->ranks[next].variant] != search->round)
                search->list[batch_count++] = search->ranks[next].variant;
        RW_TRY(rw_plan_evaluate(search, batch_count));
        for (size_t i = first; i < next; i++) {
            rw_plan_rank now = {rank_variant(search, search->ranks[i].variant, by_cost), search->ranks[i].variant};
            if (is_higher_rank(now, *best))
                *best = now;
        }
    }
    return RW_OK;
}

static rw_status add_best_variants(rw_plan_search *search, const char *phase, int by_cost)
{
    const rw_plan_problem *problem = search->problem;
    size_t fraction = problem->variant_count / STEP_VARIANTS_DIVISOR;
    size_t min_count = problem->goal == RW_PLAN_COVERAGE ? 0
                       : fraction > STEP_VARIANTS_MIN    ? fraction
                                                         : STEP_VARIANTS_MIN;
    for (;;) {
        rw_plan_rank best;
        RW_TRY(find_best(search, by_cost, min_count, &best));
        if (best.variant == RW_PLAN_NO_VARIANT || search->upper[best.variant] <= 0)
            return RW_OK;
        RW_TRY(rw_plan_add(search, best.variant));
        search->round++;
        RW_TRY(rw_plan_record(search, phase, best.variant, RW_PLAN_NO_VARIANT));
        RW_TRY(rw_progress(search->context, 0, "choosing"));
    }
}

rw_status rw_plan_add_retained(rw_plan_search *search)
{
    const rw_plan_problem *problem = search->problem;
    for (uint32_t i = 0; i < problem->sector_count; i++)
        if (problem->sectors[i].keep != RW_PLAN_FREE) {
            RW_TRY(rw_plan_add(search, problem->sectors[i].first_variant));
            RW_TRY(rw_plan_record(search, "keep", problem->sectors[i].first_variant, RW_PLAN_NO_VARIANT));
        }
    search->round = 1;
    for (uint32_t i = 0; i < problem->variant_count; i++)
        search->list[i] = i;
    RW_TRY(rw_plan_evaluate(search, problem->variant_count));
    memcpy(search->at_first, search->upper, problem->variant_count * sizeof *search->upper);
    return RW_OK;
}

/* With a budget the better of both orders counts: by what is added, and by that for its cost. */
static rw_status try_both_orders(rw_plan_search *search, const char *phase, uint32_t *before, uint32_t *first)
{
    size_t sectors = search->problem->sector_count, variants = search->problem->variant_count;
    size_t change_count = search->change_count, first_count;
    memcpy(before, search->chosen, sectors * sizeof *before);
    RW_TRY(add_best_variants(search, phase, 1));
    int64_t value = rw_plan_state_value(search->state);
    memcpy(first, search->chosen, sectors * sizeof *first);
    first_count = search->change_count;
    RW_TRY(rw_plan_restore(search, before));
    memcpy(search->upper, search->at_first, variants * sizeof *search->upper);
    search->round++;
    RW_TRY(add_best_variants(search, phase, 0));
    if (rw_plan_state_value(search->state) > value) { /* the first steps go */
        memmove(search->changes + change_count, search->changes + first_count,
                (search->change_count - first_count) * sizeof *search->changes);
        search->change_count -= first_count - change_count;
        return RW_OK;
    }
    search->change_count = first_count;
    RW_TRY(rw_plan_restore(search, first));
    memcpy(search->upper, search->at_first, variants * sizeof *search->upper);
    search->round++;
    return RW_OK;
}

rw_status rw_plan_greedy(rw_plan_search *search, const char *phase)
{
    size_t sectors = search->problem->sector_count;
    uint32_t *before = NULL, *first = NULL;
    if (isnan(search->problem->options.budget))
        return add_best_variants(search, phase, 0);
    rw_status status = rw_array_create(search->context, sectors, sizeof *before, "sectors", &before);
    if (status == RW_OK)
        status = rw_array_create(search->context, sectors, sizeof *first, "sectors", &first);
    if (status == RW_OK)
        status = try_both_orders(search, phase, before, first);
    free(before);
    free(first);
    return status;
}
