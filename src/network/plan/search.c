#include "network/plan/plan.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rw_status rw_plan_search_create(const rw_plan_problem *problem, rw_plan_state *state, rw_plan_search *search)
{
    rw_context *context = problem->context;
    size_t variants = problem->variant_count, sectors = problem->sector_count;
    *search = (rw_plan_search){.context = context, .problem = problem, .state = state, .bound = INT64_MAX};
    RW_TRY(rw_array_create(context, sectors, sizeof *search->chosen, "sectors", &search->chosen));
    RW_TRY(rw_array_create(context, sectors, sizeof *search->slots, "sectors", &search->slots));
    RW_TRY(rw_array_create(context, sectors, sizeof *search->sector_gains, "sectors", &search->sector_gains));
    RW_TRY(rw_array_create(context, problem->site_count, sizeof *search->site_sectors, "sites", &search->site_sectors));
    RW_TRY(rw_array_create(context, variants, sizeof *search->upper, "configurations", &search->upper));
    RW_TRY(rw_array_create(context, variants, sizeof *search->at_first, "configurations", &search->at_first));
    RW_TRY(rw_array_create(context, variants, sizeof *search->evaluated_in, "configurations", &search->evaluated_in));
    RW_TRY(rw_array_create(context, variants, sizeof *search->list, "configurations", &search->list));
    RW_TRY(rw_array_create(context, variants, sizeof *search->answers, "configurations", &search->answers));
    RW_TRY(rw_array_create(context, variants, sizeof *search->without, "configurations", &search->without));
    RW_TRY(rw_array_create(context, variants, sizeof *search->ranks, "configurations", &search->ranks));
    for (size_t i = 0; i < sectors; i++)
        search->chosen[i] = RW_PLAN_NO_VARIANT;
    return RW_OK;
}

void rw_plan_search_destroy(rw_plan_search *search)
{
    free(search->chosen);
    free(search->slots);
    free(search->sector_gains);
    free(search->site_sectors);
    free(search->upper);
    free(search->at_first);
    free(search->evaluated_in);
    free(search->list);
    free(search->answers);
    free(search->without);
    free(search->ranks);
    free(search->changes);
    *search = (rw_plan_search){0};
}

double rw_plan_cost_of(const rw_plan_search *search, uint32_t sector)
{
    const rw_plan_sector *of = &search->problem->sectors[sector];
    return of->cost + (search->site_sectors[of->site] ? 0 : search->problem->sites[of->site].cost);
}

/* Whether a site is far enough from all that are chosen. */
static int is_apart(const rw_plan_search *search, uint32_t site)
{
    const rw_plan_problem *problem = search->problem;
    double min_m = problem->options.distance_min_m;
    const rw_plan_site *at = &problem->sites[site];
    for (size_t i = 0; min_m > 0 && i < problem->site_count; i++)
        if (i != site && search->site_sectors[i] &&
            hypot(at->x_m - problem->sites[i].x_m, at->y_m - problem->sites[i].y_m) < min_m)
            return 0;
    return 1;
}

int rw_plan_can_add(const rw_plan_search *search, uint32_t sector)
{
    const rw_plan_options *options = &search->problem->options;
    uint32_t site = search->problem->sectors[sector].site;
    int is_new = search->site_sectors[site] == 0;
    if (search->chosen[sector] != RW_PLAN_NO_VARIANT)
        return 0;
    if (search->problem->sectors[sector].keep != RW_PLAN_FREE)
        return 1; /* it stays, whatever the limits are */
    if (options->sectors_max && search->sectors >= (size_t)options->sectors_max)
        return 0;
    if (is_new && options->sites_max && search->sites >= (size_t)options->sites_max)
        return 0;
    if (search->cost + rw_plan_cost_of(search, sector) > options->budget * (1 + 1e-12)) /* or there is none */
        return 0;
    return !is_new || is_apart(search, site);
}

rw_status rw_plan_add(rw_plan_search *search, uint32_t variant)
{
    uint32_t sector = search->problem->variant_sectors[variant];
    uint32_t site = search->problem->sectors[sector].site;
    RW_TRY(rw_plan_state_add(search->state, variant, &search->slots[sector]));
    search->cost += rw_plan_cost_of(search, sector);
    search->chosen[sector] = variant;
    search->sites += search->site_sectors[site] == 0;
    search->site_sectors[site]++;
    search->sectors++;
    return RW_OK;
}

rw_status rw_plan_remove(rw_plan_search *search, uint32_t sector)
{
    uint32_t site = search->problem->sectors[sector].site;
    RW_TRY(rw_plan_state_remove(search->state, search->slots[sector]));
    search->chosen[sector] = RW_PLAN_NO_VARIANT;
    search->site_sectors[site]--;
    search->sites -= search->site_sectors[site] == 0;
    search->sectors--;
    search->cost -= rw_plan_cost_of(search, sector);
    return RW_OK;
}

rw_status rw_plan_record(rw_plan_search *search, const char *phase, uint32_t added, uint32_t removed)
{
    RW_TRY(rw_array_reserve(search->context, &search->changes, &search->change_capacity, search->change_count + 1,
                            sizeof *search->changes, "steps"));
    search->changes[search->change_count++] =
        (rw_plan_change){phase, added, removed, search->cost, rw_plan_state_value(search->state)};
    return RW_OK;
}

rw_status rw_plan_record_changes(rw_plan_search *search, const char *phase, const uint32_t *start)
{
    size_t count = search->problem->sector_count, next = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t now = search->chosen[i];
        if (now == RW_PLAN_NO_VARIANT || now == start[i])
            continue;
        uint32_t gone = start[i];
        for (; gone == RW_PLAN_NO_VARIANT && next < count; next++)
            if (start[next] != RW_PLAN_NO_VARIANT && search->chosen[next] == RW_PLAN_NO_VARIANT)
                gone = start[next];
        RW_TRY(rw_plan_record(search, phase, now, gone));
    }
    for (; next < count; next++)
        if (start[next] != RW_PLAN_NO_VARIANT && search->chosen[next] == RW_PLAN_NO_VARIANT)
            RW_TRY(rw_plan_record(search, phase, RW_PLAN_NO_VARIANT, start[next]));
    return RW_OK;
}

rw_status rw_plan_evaluate(rw_plan_search *search, size_t count)
{
    RW_TRY(rw_plan_state_evaluate(search->state, search->list, count, search->answers));
    for (size_t i = 0; i < count; i++) {
        search->upper[search->list[i]] = search->answers[i];
        search->evaluated_in[search->list[i]] = search->round;
    }
    return RW_OK;
}

rw_status rw_plan_restore(rw_plan_search *search, const uint32_t *chosen)
{
    size_t count = search->problem->sector_count;
    for (uint32_t i = 0; i < count; i++)
        if (search->chosen[i] != RW_PLAN_NO_VARIANT && search->chosen[i] != chosen[i])
            RW_TRY(rw_plan_remove(search, i));
    for (uint32_t i = 0; i < count; i++)
        if (chosen[i] != RW_PLAN_NO_VARIANT && search->chosen[i] != chosen[i])
            RW_TRY(rw_plan_add(search, chosen[i]));
    return RW_OK;
}

static int compare_ranks(const void *a, const void *b)
{
    const rw_plan_rank *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return (x->variant > y->variant) - (x->variant < y->variant);
}

void rw_plan_sort(rw_plan_rank *ranks, size_t count)
{
    rw_sort(ranks, count, sizeof *ranks, compare_ranks);
}
