/* How far from optimal a choice can be, for covered weight.
 *
 * The value f is submodular and never falls, so that for any choice S and the best choice O within the limits
 *     f(O) <= f(S) + sum over o in O of (f(S + o) - f(S)),
 * and the sum is at most that of the best configuration of each sector, taken as far as the limits go (Leskovec et al.
 * 2007, Nemhauser, Wolsey and Fisher 1978). Distances are left out of the limits here, which makes the bound no
 * smaller. */
#include "network/plan/plan.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define REFINED_MAX 12 /* times that the sectors' best configurations are asked again */

/* Something that is worth more or less, for what it costs. */
typedef struct item {
    double gain, cost;
} item;

static int by_gain(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return (x->gain < y->gain) - (x->gain > y->gain);
}

static int by_ratio(const void *a, const void *b)
{
    const item *x = a, *y = b;
    double left = x->gain * y->cost, right = y->gain * x->cost;
    return (left < right) - (left > right);
}

static double sum_first(const item *items, size_t count, size_t max_count)
{
    double sum = 0;
    for (size_t i = 0; i < count && i < max_count; i++)
        sum += items[i].gain;
    return sum;
}

/* The last item may be taken in part. */
static double fill_budget(const item *items, size_t count, double budget)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double fraction = items[i].cost > budget ? budget / items[i].cost : 1;
        sum += fraction * items[i].gain;
        budget -= fraction * items[i].cost;
    }
    return sum;
}

/* Sums of sites, of which so many may be new; what stands on sites that are there is free. */
static double bound_by_sites(rw_plan_search *search, const int64_t *gains, int from_here, item *items)
{
    const rw_plan_problem *problem = search->problem;
    size_t count = problem->site_count, there = 0, limit = (size_t)problem->options.sites_max;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        items[i] = (item){0};
        there += from_here ? search->site_sectors[i] > 0 : problem->sites[i].is_retained != 0;
    }
    for (size_t i = 0; i < problem->sector_count; i++) {
        uint32_t site = problem->sectors[i].site;
        int is_there = from_here ? search->site_sectors[site] > 0 : problem->sites[site].is_retained;
        if (is_there)
            sum += (double)gains[i];
        else
            items[site].gain += (double)gains[i];
    }
    rw_sort(items, count, sizeof *items, by_gain);
    return sum + sum_first(items, count, limit > there ? limit - there : 0);
}

/* Sectors for their cost, with an even part of their site's; and so many of them. */
static double bound_by_sectors(rw_plan_search *search, const int64_t *gains, int from_here, item *items)
{
    const rw_plan_problem *problem = search->problem;
    const rw_plan_options *options = &problem->options;
    size_t count = problem->sector_count, retained = 0;
    for (size_t i = 0; i < count; i++) {
        const rw_plan_sector *sector = &problem->sectors[i];
        const rw_plan_site *site = &problem->sites[sector->site];
        double shared = from_here && search->site_sectors[sector->site] ? 0 : site->cost / site->sector_count;
        items[i] = (item){(double)gains[i], sector->cost + shared};
        retained += sector->keep != RW_PLAN_FREE;
    }
    double bound = INFINITY;
    if (!isnan(options->budget)) {
        rw_sort(items, count, sizeof *items, by_ratio);
        bound = fill_budget(items, count, options->budget - (from_here ? search->cost : 0));
    }
    rw_sort(items, count, sizeof *items, by_gain);
    size_t limit = count, there = from_here ? search->sectors : retained;
    if (options->sectors_max)
        limit = (size_t)options->sectors_max > there ? (size_t)options->sectors_max - there : 0;
    /* those that stay may change beside the limit */
    return fmin(bound, sum_first(items, count, limit + (from_here ? 0 : retained)));
}

int64_t rw_plan_upper_bound(rw_plan_search *search, const int64_t *gains, int from_here)
{
    item *items = (item *)(void *)search->ranks; /* as large, and not in use here */
    double bound = bound_by_sectors(search, gains, from_here, items);
    if (search->problem->options.sites_max)
        bound = fmin(bound, bound_by_sites(search, gains, from_here, items));
    return bound < 9e18 ? (int64_t)ceil(bound) : INT64_MAX;
}

/* The best answer of each sector, and a list of those that are old. */
static size_t list_best(rw_plan_search *search)
{
    const rw_plan_problem *problem = search->problem;
    size_t old = 0;
    for (size_t i = 0; i < problem->sector_count; i++) {
        const rw_plan_sector *sector = &problem->sectors[i];
        uint32_t best = sector->first_variant;
        for (uint32_t k = best; k < sector->first_variant + sector->variant_count; k++)
            best = search->upper[k] > search->upper[best] ? k : best;
        search->sector_gains[i] = search->upper[best] > 0 ? search->upper[best] : 0;
        if (search->sector_gains[i] > 0 && search->evaluated_in[best] != search->round)
            search->list[old++] = best;
    }
    return old;
}

rw_status rw_plan_find_bound(rw_plan_search *search)
{
    int64_t value = rw_plan_state_value(search->state);
    if (search->problem->goal != RW_PLAN_COVERAGE)
        return RW_OK;
    for (int i = 0; i < REFINED_MAX; i++) {
        size_t old = list_best(search);
        int64_t bound = rw_plan_upper_bound(search, search->sector_gains, 0);
        if (bound < INT64_MAX - value && value + bound < search->bound)
            search->bound = value + bound;
        if (search->coverable < search->bound)
            search->bound = search->coverable;
        if (old == 0)
            break;
        RW_TRY(rw_plan_evaluate(search, old));
    }
    return RW_OK;
}
