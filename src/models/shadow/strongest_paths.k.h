/* The best few ways of a wave to a receiver, and the sum of their powers. */
#ifndef RW_MODELS_SHADOW_STRONGEST_PATHS_K_H
#define RW_MODELS_SHADOW_STRONGEST_PATHS_K_H

#include "base/kernel/qualifiers.h"
#include <math.h>

#define RW_SHADOW_WAYS_MAX 8
#define RW_SHADOW_KINDS 3 /* round corners, over roofs, through walls */

/* Ways of a wave to one receiver with the least losses so far, the best first. */
typedef struct rw_shadow_ways {
    int wanted; /* at most RW_SHADOW_WAYS_MAX */
    int count;
    float bound_db; /* what a further one must be below */
    float bound_m;  /* the same as Berg's distance (street_best.k.h) */
    float best_db;  /* the best one stands apart: mostly it is the only one wanted, and stays in registers */
    uint32_t best;
    float other_db[RW_SHADOW_WAYS_MAX - 1];
    uint32_t other[RW_SHADOW_WAYS_MAX - 1];
} rw_shadow_ways;

/* Moves a way that is not the best, or no longer, among the others. */
RW_FN void rw_shadow_keep_other(rw_shadow_ways *ways, float loss_db, uint32_t way)
{
    int others = ways->wanted - 1, at = ways->count - 1 < others ? ways->count - 1 : others - 1;
    for (; at > 0 && ways->other_db[at - 1] > loss_db; at--) {
        ways->other_db[at] = ways->other_db[at - 1];
        ways->other[at] = ways->other[at - 1];
    }
    ways->other_db[at] = loss_db;
    ways->other[at] = way;
    ways->count += ways->count < ways->wanted;
    if (ways->count == ways->wanted)
        ways->bound_db = ways->other_db[others - 1];
}

RW_FN void rw_shadow_keep(rw_shadow_ways *ways, float loss_db, uint32_t way)
{
    if (!(loss_db < ways->bound_db))
        return;
    float worse_db = loss_db;
    uint32_t worse = way;
    int first = ways->count == 0;
    if (first || loss_db < ways->best_db) {
        worse_db = ways->best_db;
        worse = ways->best;
        ways->best_db = loss_db;
        ways->best = way;
    }
    if (first)
        ways->count = 1;
    else if (ways->wanted > 1)
        rw_shadow_keep_other(ways, worse_db, worse);
    if (ways->wanted == 1)
        ways->bound_db = ways->best_db;
}

RW_FN rw_shadow_ways rw_shadow_ways_make(int wanted)
{
    rw_shadow_ways ways;
    ways.wanted = wanted;
    ways.count = 0;
    ways.bound_db = INFINITY;
    ways.bound_m = INFINITY;
    ways.best_db = INFINITY;
    ways.best = 0;
    return ways;
}

/* The power sum of the ways kept, as a loss; infinite where there is none. */
RW_FN float rw_shadow_sum_db(const rw_shadow_ways *ways)
{
    double sum = 1.0;
    if (ways->count == 0)
        return INFINITY;
    for (int i = 0; i + 1 < ways->count; i++)
        sum += pow(10.0, -0.1 * (double)(ways->other_db[i] - ways->best_db));
    return ways->count > 1 ? (float)((double)ways->best_db - 10.0 * log10(sum)) : ways->best_db;
}

#endif
