/* The search for the best choice: greedy steps, swaps, annealing, and all choices where there are few. */
#ifndef RW_NETWORK_PLAN_SEARCH_H
#define RW_NETWORK_PLAN_SEARCH_H

#include "network/plan/problem.h"

/* A change as it is recorded. */
typedef struct rw_plan_change {
    const char *phase;
    uint32_t added, removed; /* configurations; RW_PLAN_NO_VARIANT: none */
    double cost;             /* after it, as the value */
    int64_t value;
} rw_plan_change;

typedef struct rw_plan_search {
    rw_context *context;
    const rw_plan_problem *problem;
    rw_plan_state *state;
    int64_t coverable;      /* weight of all cells that some place reaches */
    uint32_t *chosen;       /* configuration of each sector; RW_PLAN_NO_VARIANT: none */
    uint32_t *slots;        /* of each sector that is chosen */
    uint32_t *site_sectors; /* chosen sectors of each site */
    size_t sites, sectors;  /* chosen */
    double cost;
    /* What each configuration would add. In coverage never less than the truth; fresh where its round is the last. */
    int64_t *upper, *at_first;
    uint32_t *evaluated_in;
    uint32_t round;
    uint32_t *list; /* room for questions */
    int64_t *answers;
    int64_t *without; /* what those asked in this round add to the choice without one of its sectors */
    struct rw_plan_rank *ranks;
    int64_t *sector_gains;
    rw_plan_change *changes;
    size_t change_count, change_capacity;
    int64_t bound; /* coverage: no choice has more */
    int is_optimal;
} rw_plan_search;

/* A configuration and how promising it is. */
typedef struct rw_plan_rank {
    double key;
    uint32_t variant;
} rw_plan_rank;

rw_status rw_plan_search_create(const rw_plan_problem *problem, rw_plan_state *state, rw_plan_search *search);
void rw_plan_search_destroy(rw_plan_search *search);

/* --- moves (search.c) --- */

/* Whether a sector can be added within the limits. */
int rw_plan_can_add(const rw_plan_search *search, uint32_t sector);

/* What adding it costs. */
double rw_plan_cost_of(const rw_plan_search *search, uint32_t sector);
rw_status rw_plan_add(rw_plan_search *search, uint32_t variant);
rw_status rw_plan_remove(rw_plan_search *search, uint32_t sector);

/* Records what was done; the value is that of now. */
rw_status rw_plan_record(rw_plan_search *search, const char *phase, uint32_t added, uint32_t removed);

/* Records how the choice differs from that at the start of a phase: replacements, then what went without one. */
rw_status rw_plan_record_changes(rw_plan_search *search, const char *phase, const uint32_t *start);

/* Asks what the configurations of search->list add; the answers are upper[] and fresh. */
rw_status rw_plan_evaluate(rw_plan_search *search, size_t count);

/* Makes the choice that of a list with one configuration for each sector. */
rw_status rw_plan_restore(rw_plan_search *search, const uint32_t *chosen);

/* Sorts ranks: the largest key first, of equal ones the first configuration. */
void rw_plan_sort(rw_plan_rank *ranks, size_t count);

/* --- phases --- */

/* greedy.c: what stays; then one configuration after another. phase names the steps. */
rw_status rw_plan_add_retained(rw_plan_search *search);
rw_status rw_plan_greedy(rw_plan_search *search, const char *phase);

/* improve.c: replaces one sector at a time while that helps. */
rw_status rw_plan_swap(rw_plan_search *search);
rw_status rw_plan_anneal(rw_plan_search *search);

/* exact.c: compares all choices where that takes few questions. */
rw_status rw_plan_compare_all(rw_plan_search *search);

/* bound.c: coverage: makes search->bound as low as the choice of now shows it to be. */
rw_status rw_plan_find_bound(rw_plan_search *search);

/* The most that sectors can add together within the limits, by what each adds alone. From the choice of now where
 * from_here is 1, from what stays otherwise. */
int64_t rw_plan_upper_bound(rw_plan_search *search, const int64_t *sector_gains, int from_here);

#endif
