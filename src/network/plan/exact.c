/* All choices, where there are few: sectors in their order, each with one of its configurations or none. What the last
 * sector adds needs no step of its own, because one question answers it. In coverage a branch ends where even the most
 * that the rest can add would not beat the best. */
#include "network/plan/plan.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUESTIONS_MAX 200000
#define CHOICES_MAX 1e6 /* of rate and SINR, where no branch can be left out */
#define BRANCHES_MAX 1e9
#define VARIANTS_MAX 4096

typedef struct comparing {
    rw_plan_search *search;
    uint32_t *best;
    int64_t best_value;
    uint64_t last_question; /* beyond which it is given up */
    int is_aborted;
} comparing;

/* Lists the configurations of all sectors from one on that can be added. */
static size_t list_after(const comparing *of, uint32_t first)
{
    const rw_plan_search *search = of->search;
    const rw_plan_problem *problem = search->problem;
    size_t count = 0;
    for (uint32_t i = first; i < problem->sector_count; i++)
        if (problem->sectors[i].keep != RW_PLAN_FIXED && rw_plan_can_add(search, i)) {
            const rw_plan_sector *sector = &problem->sectors[i];
            for (uint32_t k = 0; k < sector->variant_count; k++)
                search->list[count++] = sector->first_variant + k;
        }
    return count;
}

static void update_best(comparing *of, int64_t value, uint32_t last)
{
    const rw_plan_search *search = of->search;
    size_t sectors = search->problem->sector_count;
    for (size_t i = 0; i < sectors; i++) /* one that stays must be there */
        if (search->problem->sectors[i].keep != RW_PLAN_FREE && search->chosen[i] == RW_PLAN_NO_VARIANT &&
            (last == RW_PLAN_NO_VARIANT || search->problem->variant_sectors[last] != i))
            return;
    if (value <= of->best_value)
        return;
    of->best_value = value;
    memcpy(of->best, search->chosen, sectors * sizeof *of->best);
    if (last != RW_PLAN_NO_VARIANT)
        of->best[search->problem->variant_sectors[last]] = last;
}

/* Whether the rest can still beat the best, in coverage. */
static int is_promising(comparing *of, const uint32_t *list, const int64_t *gains, size_t count)
{
    rw_plan_search *search = of->search;
    const rw_plan_problem *problem = search->problem;
    if (problem->goal != RW_PLAN_COVERAGE)
        return 1;
    memset(search->sector_gains, 0, problem->sector_count * sizeof *search->sector_gains);
    for (size_t i = 0; i < count; i++) {
        int64_t *max_gain = &search->sector_gains[problem->variant_sectors[list[i]]];
        *max_gain = gains[i] > *max_gain ? gains[i] : *max_gain;
    }
    int64_t max_gain = rw_plan_upper_bound(search, search->sector_gains, 1);
    return max_gain > of->best_value - rw_plan_state_value(search->state);
}

static rw_status compare_from(comparing *of, uint32_t first);

/* Each configuration that may be next, and what can follow it. */
static rw_status compare_children(comparing *of, const uint32_t *list, const int64_t *gains, size_t count)
{
    rw_plan_search *search = of->search;
    const rw_plan_problem *problem = search->problem;
    int64_t value = rw_plan_state_value(search->state);
    for (size_t i = 0; i < count; i++)
        update_best(of, value + gains[i], list[i]);
    if (!is_promising(of, list, gains, count))
        return RW_OK;
    for (size_t i = 0; i < count && !of->is_aborted; i++) {
        uint32_t sector = problem->variant_sectors[list[i]];
        RW_TRY(rw_plan_add(search, list[i]));
        rw_status status = compare_from(of, sector + 1);
        RW_TRY(rw_plan_remove(search, sector));
        RW_TRY(status);
    }
    return RW_OK;
}

static rw_status compare_from(comparing *of, uint32_t first)
{
    rw_plan_search *search = of->search;
    size_t count = list_after(of, first);
    if (count == 0)
        return RW_OK;
    if (search->state->evaluated + count > of->last_question) {
        of->is_aborted = 1;
        return RW_OK;
    }
    uint32_t *list = malloc(count * sizeof *list);
    int64_t *gains = malloc(count * sizeof *gains);
    rw_status status = list && gains ? RW_OK : rw_fail(search->context, RW_OUT_OF_MEMORY, "no memory for a choice");
    if (status == RW_OK) {
        memcpy(list, search->list, count * sizeof *list);
        status = rw_plan_state_evaluate(search->state, list, count, gains);
    }
    if (status == RW_OK)
        status = compare_children(of, list, gains, count);
    free(list);
    free(gains);
    return status;
}

/* How many choices there are, about: so many sectors at a time. */
static double count_choices(const rw_plan_search *search)
{
    const rw_plan_problem *problem = search->problem;
    const rw_plan_options *options = &problem->options;
    double sectors = 0, variants = 0, all = 1, at_once;
    for (size_t i = 0; i < problem->sector_count; i++)
        if (problem->sectors[i].keep != RW_PLAN_FIXED) {
            sectors++;
            variants += problem->sectors[i].variant_count;
        }
    at_once = sectors;
    if (options->sectors_max)
        at_once = fmin(at_once, options->sectors_max);
    if (options->sites_max)
        at_once = fmin(at_once, (double)options->sites_max * problem->options.sectors);
    for (double i = 0; i < at_once; i++)
        all *= 1 + variants * (sectors - i) / sectors / (i + 1);
    return all;
}

/* What every configuration adds to the choice of now. */
static rw_status evaluate_all_variants(rw_plan_search *search)
{
    search->round++;
    for (uint32_t i = 0; i < search->problem->variant_count; i++)
        search->list[i] = i;
    return rw_plan_evaluate(search, search->problem->variant_count);
}

static rw_status compare_all_choices(rw_plan_search *search, comparing *of, uint32_t *start)
{
    const rw_plan_problem *problem = search->problem;
    size_t sectors = problem->sector_count;
    memcpy(start, search->chosen, sectors * sizeof *start);
    memcpy(of->best, start, sectors * sizeof *start);
    of->best_value = rw_plan_state_value(search->state);
    int64_t first_value = of->best_value;
    for (uint32_t i = 0; i < sectors; i++)
        if (search->chosen[i] != RW_PLAN_NO_VARIANT && problem->sectors[i].keep != RW_PLAN_FIXED)
            RW_TRY(rw_plan_remove(search, i));
    update_best(of, rw_plan_state_value(search->state), RW_PLAN_NO_VARIANT);
    RW_TRY(compare_from(of, 0));
    RW_TRY(rw_plan_restore(search, of->best));
    search->is_optimal = !of->is_aborted;
    RW_TRY(evaluate_all_variants(search));
    if (search->is_optimal && problem->goal == RW_PLAN_COVERAGE)
        search->bound = of->best_value;
    return of->best_value > first_value ? rw_plan_record_changes(search, "exact", start) : RW_OK;
}

rw_status rw_plan_compare_all(rw_plan_search *search)
{
    const rw_plan_problem *problem = search->problem;
    size_t sectors = problem->sector_count;
    comparing of = {.search = search, .last_question = search->state->evaluated + QUESTIONS_MAX};
    double choices = count_choices(search);
    uint32_t *start = NULL;
    if (problem->variant_count > VARIANTS_MAX ||
        choices > (problem->goal == RW_PLAN_COVERAGE ? BRANCHES_MAX : CHOICES_MAX))
        return RW_OK;
    rw_status status = rw_array_create(search->context, sectors, sizeof *start, "sectors", &start);
    if (status == RW_OK)
        status = rw_array_create(search->context, sectors, sizeof *of.best, "sectors", &of.best);
    if (status == RW_OK)
        status = compare_all_choices(search, &of, start);
    free(start);
    free(of.best);
    return status;
}
