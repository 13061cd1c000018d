/* The best few ways of a wave to a receiver, and the sum of their powers. */
#ifndef RW_MODELS_SHADOW_STRONGEST_PATHS_K_H
#define RW_MODELS_SHADOW_STRONGEST_PATHS_K_H

#include "base/kernel/qualifiers.h"
#include <math.h>

#define RW_STRONGEST_PATHS_MAX 8
#define RW_SHADOW_KINDS 3 /* round corners, over roofs, through walls */

/* Ways of a wave to one receiver with the least losses so far, the best first. */
typedef struct rw_strongest_paths {
    int wanted; /* at most RW_STRONGEST_PATHS_MAX */
    int count;
    float bound_db; /* what a further one must be below */
    float bound_m;  /* the same as Berg's distance (street_best.k.h) */
    float best_db;  /* the best one stands apart: mostly it is the only one wanted, and stays in registers */
    uint32_t best;
    float other_db[RW_STRONGEST_PATHS_MAX - 1];
    uint32_t other[RW_STRONGEST_PATHS_MAX - 1];
} rw_strongest_paths;

/* Moves a way that is not the best, or no longer, among the others. */
RW_FN void rw_strongest_paths_insert(rw_strongest_paths *strongest, float loss_db, uint32_t path)
{
    int others = strongest->wanted - 1, at = strongest->count - 1 < others ? strongest->count - 1 : others - 1;
    for (; at > 0 && strongest->other_db[at - 1] > loss_db; at--) {
        strongest->other_db[at] = strongest->other_db[at - 1];
        strongest->other[at] = strongest->other[at - 1];
    }
    strongest->other_db[at] = loss_db;
    strongest->other[at] = path;
    strongest->count += strongest->count < strongest->wanted;
    if (strongest->count == strongest->wanted)
        strongest->bound_db = strongest->other_db[others - 1];
}

RW_FN void rw_strongest_paths_add(rw_strongest_paths *strongest, float loss_db, uint32_t path)
{
    if (!(loss_db < strongest->bound_db))
        return;
    float worse_db = loss_db;
    uint32_t worse = path;
    int first = strongest->count == 0;
    if (first || loss_db < strongest->best_db) {
        worse_db = strongest->best_db;
        worse = strongest->best;
        strongest->best_db = loss_db;
        strongest->best = path;
    }
    if (first)
        strongest->count = 1;
    else if (strongest->wanted > 1)
        rw_strongest_paths_insert(strongest, worse_db, worse);
    if (strongest->wanted == 1)
        strongest->bound_db = strongest->best_db;
}

RW_FN rw_strongest_paths rw_strongest_paths_of(int wanted)
{
    rw_strongest_paths strongest;
    strongest.wanted = wanted;
    strongest.count = 0;
    strongest.bound_db = INFINITY;
    strongest.bound_m = INFINITY;
    strongest.best_db = INFINITY;
    strongest.best = 0;
    return strongest;
}

/* The power sum of the ways kept, as a loss; infinite where there is none. */
RW_FN float rw_shadow_sum_db(const rw_strongest_paths *strongest)
{
    double sum = 1.0;
    if (strongest->count == 0)
        return INFINITY;
    for (int i = 0; i + 1 < strongest->count; i++)
        sum += pow(10.0, -0.1 * (double)(strongest->other_db[i] - strongest->best_db));
    return strongest->count > 1 ? (float)((double)strongest->best_db - 10.0 * log10(sum)) : strongest->best_db;
}

#endif
