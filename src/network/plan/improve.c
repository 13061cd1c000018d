/* Better choices near one: swaps of one sector while they help, and annealing, which takes a site away, fills the gap
 * with some of the others, and keeps what comes out by a chance that falls from round to round.
 *
 * Replacing a by c cannot win more than c adds to the whole choice S: f(S - a + c) - f(S) <= f(S + c) - f(S). So in
 * coverage only configurations whose bound exceeds the best swap so far are asked. Without a, c adds at most what it
 * adds to S and what a took with it, which is how bounds stay true from one choice to the next. */
#include "network/plan/plan.h"

#include "base/maths/hash.h"
#include "base/memory.h"
#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASSES_MAX 20
#define EVALUATIONS_EACH 10 /* of a configuration, on average, before swaps end */
#define EVALUATIONS_MIN 100000
#define BATCH_VARIANTS 512
#define SAMPLED_SECTORS 24
#define SAMPLED_OTHERS 3       /* configurations of each beside its best */
#define FIRST_TEMPERATURE 0.02 /* of the value */

/* The configuration of a sector with the largest answer. */
static uint32_t find_best_variant(const rw_plan_search *search, const rw_plan_sector *sector)
{
    uint32_t best = sector->first_variant;
    for (uint32_t i = best; i < sector->first_variant + sector->variant_count; i++)
        best = search->upper[i] > search->upper[best] ? i : best;
    return best;
}

/* What might stand in place of a sector that was taken away: of coverage all that may add something; of SINR and rate
 * all of the sector itself and the best of the others. */
static size_t rank_substitutes(rw_plan_search *search, uint32_t away)
{
    const rw_plan_problem *problem = search->problem;
    int all = problem->goal == RW_PLAN_COVERAGE, stays = problem->sectors[away].keep != RW_PLAN_FREE;
    size_t count = 0;
    for (uint32_t sector = 0; sector < problem->sector_count; sector++) {
        const rw_plan_sector *of = &problem->sectors[sector];
        if ((stays && sector != away) || !rw_plan_can_add(search, sector))
            continue;
        uint32_t first = all || sector == away ? of->first_variant : find_best_variant(search, of);
        uint32_t end = all || sector == away ? of->first_variant + of->variant_count : first + 1;
        for (uint32_t i = first; i < end; i++)
            if (!all || search->upper[i] > 0)
                search->ranks[count++] = (rw_plan_rank){(double)search->upper[i], i};
    }
    rw_plan_sort(search->ranks, count);
    return count;
}

/* The best substitute, and what it adds to the choice without the sector; at least more than lost. */
static rw_status find_substitute(rw_plan_search *search, uint32_t away, int64_t lost, uint32_t *best)
{
    int bounded = search->problem->goal == RW_PLAN_COVERAGE;
    size_t count = rank_substitutes(search, away), next = 0;
    int64_t best_value = lost;
    *best = RW_PLAN_NO_VARIANT;
    while (next < count && (!bounded || search->ranks[next].key > (double)(best_value - lost))) {
        size_t batch_count = count - next < BATCH_VARIANTS ? count - next : BATCH_VARIANTS;
        for (size_t i = 0; i < batch_count; i++)
            search->list[i] = search->ranks[next + i].variant;
        RW_TRY(rw_plan_state_evaluate(search->state, search->list, batch_count, search->answers));
        for (size_t i = 0; i < batch_count; i++) {
            uint32_t variant = search->list[i];
            search->evaluated_in[variant] = search->round;
            search->without[variant] = search->answers[i];
            if (search->answers[i] > best_value) {
                best_value = search->answers[i];
                *best = variant;
            }
        }
        next += batch_count;
    }
    return RW_OK;
}

/* What was asked adds no more to the whole choice than without one of its sectors. For SINR and rate the last answer
 * counts. */
static void store_answers(rw_plan_search *search)
{
    int bounded = search->problem->goal == RW_PLAN_COVERAGE;
    for (size_t i = 0; i < search->problem->variant_count; i++)
        if (search->evaluated_in[i] == search->round && !(bounded && search->upper[i] < search->without[i]))
            search->upper[i] = search->without[i];
}

/* Bounds after a sector went: the answers without it, and for what was not asked its part of the value more, but never
 * more than is added to what stays. */
static void loosen_bounds(rw_plan_search *search, int64_t lost, int stays)
{
    for (size_t i = 0; i < search->problem->variant_count; i++) {
        int64_t more = search->upper[i] + lost;
        if (stays)
            search->at_first[i] += lost;
        search->upper[i] = search->evaluated_in[i] == search->round ? search->without[i]
                           : more < search->at_first[i]             ? more
                                                                    : search->at_first[i];
    }
}

static rw_status swap_sector(rw_plan_search *search, uint32_t sector, int *is_better)
{
    uint32_t old = search->chosen[sector], best;
    int64_t value_before = rw_plan_state_value(search->state);
    search->round++;
    RW_TRY(rw_plan_remove(search, sector));
    int64_t lost = value_before - rw_plan_state_value(search->state);
    RW_TRY(find_substitute(search, sector, lost, &best));
    if (best == RW_PLAN_NO_VARIANT || search->problem->goal != RW_PLAN_COVERAGE)
        store_answers(search);
    else
        loosen_bounds(search, lost, search->problem->sectors[sector].keep != RW_PLAN_FREE);
    if (best == RW_PLAN_NO_VARIANT)
        return rw_plan_add(search, old);
    RW_TRY(rw_plan_add(search, best));
    *is_better = 1;
    return rw_plan_record(search, "swap", best, old);
}

rw_status rw_plan_swap(rw_plan_search *search)
{
    const rw_plan_problem *problem = search->problem;
    uint64_t evaluations_max = search->state->evaluated + EVALUATIONS_EACH * problem->variant_count + EVALUATIONS_MIN;
    int is_better = 1;
    for (int pass = 0; pass < PASSES_MAX && is_better; pass++) {
        is_better = 0;
        for (uint32_t i = 0; i < problem->sector_count && search->state->evaluated < evaluations_max; i++)
            if (search->chosen[i] != RW_PLAN_NO_VARIANT && problem->sectors[i].variant_count > 0 &&
                problem->sectors[i].keep != RW_PLAN_FIXED) {
                RW_TRY(swap_sector(search, i, &is_better));
                RW_TRY(rw_progress(search->context, 0, "choosing"));
            }
        search->round++;
    }
    return RW_OK;
}

/* A choice that comes back where a round is not kept. */
typedef struct annealing {
    rw_random random;
    uint32_t *before, *best;
    int64_t best_value;
    size_t sectors;
} annealing;

/* Takes away all new sectors of one chosen site. Returns through taken how many there were. */
static rw_status remove_site_sectors(rw_plan_search *search, annealing *of, size_t *removed_count)
{
    const rw_plan_problem *problem = search->problem;
    size_t count = 0, wanted;
    *removed_count = 0;
    for (size_t i = 0; i < problem->site_count; i++)
        count += search->site_sectors[i] && !problem->sites[i].is_retained;
    if (count == 0)
        return RW_OK;
    wanted = (size_t)rw_random_index(&of->random, (int)count);
    size_t site = 0;
    for (;; site++)
        if (search->site_sectors[site] && !problem->sites[site].is_retained && wanted-- == 0)
            break;
    for (uint32_t i = 0; i < problem->sector_count; i++)
        if (problem->sectors[i].site == site && search->chosen[i] != RW_PLAN_NO_VARIANT) {
            RW_TRY(rw_plan_remove(search, i));
            ++*removed_count;
        }
    return RW_OK;
}

/* Some configurations of some sectors that can be added. */
static size_t sample_variants(rw_plan_search *search, annealing *of)
{
    const rw_plan_problem *problem = search->problem;
    size_t count = 0;
    for (int i = 0; i < SAMPLED_SECTORS; i++) {
        uint32_t sector = (uint32_t)rw_random_index(&of->random, (int)problem->sector_count);
        const rw_plan_sector *about = &problem->sectors[sector];
        if (!rw_plan_can_add(search, sector) || count + 1 + SAMPLED_OTHERS > problem->variant_count)
            continue;
        search->list[count++] = find_best_variant(search, about);
        for (int k = 0; k < SAMPLED_OTHERS && about->variant_count > 1; k++)
            search->list[count++] =
                about->first_variant + (uint32_t)rw_random_index(&of->random, (int)about->variant_count);
    }
    return count;
}

/* Adds one configuration of a sample: that with the most, but for a random part of the temperature's size. */
static rw_status add_sampled(rw_plan_search *search, annealing *of, double temperature, int *is_added)
{
    size_t count = sample_variants(search, of), best = 0;
    double best_worth = -INFINITY;
    *is_added = 0;
    RW_TRY(rw_plan_state_evaluate(search->state, search->list, count, search->answers));
    for (size_t i = 0; i < count; i++) {
        double unit = rw_random_unit(&of->random);
        double worth = (double)search->answers[i] - temperature * log(-log(unit * (1 - 1e-12) + 1e-13));
        if (search->answers[i] > 0 && worth > best_worth) {
            best_worth = worth;
            best = i;
        }
    }
    if (!(best_worth > -INFINITY))
        return RW_OK;
    *is_added = 1;
    return rw_plan_add(search, search->list[best]);
}

static rw_status anneal_round(rw_plan_search *search, annealing *of, double temperature)
{
    int64_t before = rw_plan_state_value(search->state);
    size_t removed_count;
    int is_added = 1;
    memcpy(of->before, search->chosen, of->sectors * sizeof *of->before);
    RW_TRY(remove_site_sectors(search, of, &removed_count));
    for (size_t i = 0; i < removed_count + 1 && is_added; i++)
        RW_TRY(add_sampled(search, of, temperature, &is_added));
    int64_t now = rw_plan_state_value(search->state);
    double worse = (double)(before - now), unit = rw_random_unit(&of->random);
    if (worse > 0 && !(unit < exp(-worse / temperature)))
        return rw_plan_restore(search, of->before);
    if (now > of->best_value) {
        of->best_value = now;
        memcpy(of->best, search->chosen, of->sectors * sizeof *of->best);
    }
    return RW_OK;
}

static rw_status anneal_plan(rw_plan_search *search, annealing *of, uint32_t *start)
{
    const rw_plan_problem *problem = search->problem;
    int rounds = problem->options.rounds;
    double scale =
        problem->goal == RW_PLAN_SINR ? 10000.0 * RW_PLAN_SINR_STEP : (double)rw_plan_state_value(search->state);
    memcpy(start, search->chosen, of->sectors * sizeof *start);
    memcpy(of->best, search->chosen, of->sectors * sizeof *start);
    of->best_value = rw_plan_state_value(search->state);
    int64_t first_value = of->best_value;
    for (int i = 0; i < rounds && scale > 0; i++) {
        RW_TRY(anneal_round(search, of, FIRST_TEMPERATURE * scale * (double)(rounds - i) / rounds));
        RW_TRY(rw_progress(search->context, (double)i / rounds, "annealing"));
    }
    RW_TRY(rw_plan_restore(search, of->best));
    if (of->best_value == first_value)
        return RW_OK;
    /* The bounds are those of another choice: they begin anew. */
    memcpy(search->upper, search->at_first, problem->variant_count * sizeof *search->upper);
    search->round++;
    return rw_plan_record_changes(search, "anneal", start);
}

rw_status rw_plan_anneal(rw_plan_search *search)
{
    size_t sectors = search->problem->sector_count;
    annealing of = {.random = rw_random_of(search->problem->options.seed, 0), .sectors = sectors};
    uint32_t *start = NULL;
    if (search->problem->options.rounds == 0)
        return RW_OK;
    rw_status status = rw_array_create(search->context, sectors, sizeof *start, "sectors", &start);
    if (status == RW_OK)
        status = rw_array_create(search->context, sectors, sizeof *start, "sectors", &of.before);
    if (status == RW_OK)
        status = rw_array_create(search->context, sectors, sizeof *start, "sectors", &of.best);
    if (status == RW_OK)
        status = anneal_plan(search, &of, start);
    free(start);
    free(of.before);
    free(of.best);
    return status;
}
