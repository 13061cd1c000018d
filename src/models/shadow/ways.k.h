/* The best few ways of a wave to a receiver, and the sum of their powers. */
#ifndef RW_MODELS_SHADOW_WAYS_K_H
#define RW_MODELS_SHADOW_WAYS_K_H

#include "base/qualifiers.h"
#include <math.h>

#define RW_SHADOW_WAYS_MAX 8

/* Ways of a wave to one receiver with the least losses so far, the best first. */
typedef struct rw_shadow_ways {
    int wanted; /* at most RW_SHADOW_WAYS_MAX */
    int count;
    float loss_db[RW_SHADOW_WAYS_MAX];
    uint32_t way[RW_SHADOW_WAYS_MAX];
    float bound_db; /* what a further one must be below */
} rw_shadow_ways;

RW_FN void rw_shadow_keep(rw_shadow_ways *ways, float loss_db, uint32_t way)
{
    if (!(loss_db < ways->bound_db))
        return;
    int at = ways->count < ways->wanted ? ways->count++ : ways->wanted - 1;
    for (; at > 0 && ways->loss_db[at - 1] > loss_db; at--) {
        ways->loss_db[at] = ways->loss_db[at - 1];
        ways->way[at] = ways->way[at - 1];
    }
    ways->loss_db[at] = loss_db;
    ways->way[at] = way;
    if (ways->count == ways->wanted)
        ways->bound_db = ways->loss_db[ways->wanted - 1];
}

RW_FN rw_shadow_ways rw_shadow_ways_make(int wanted)
{
    rw_shadow_ways ways;
    ways.wanted = wanted;
    ways.count = 0;
    ways.bound_db = INFINITY;
    return ways;
}

/* The power sum of the ways kept, as a loss; infinite where there is none. */
RW_FN float rw_shadow_sum_db(const rw_shadow_ways *ways)
{
    double sum = 0.0;
    if (ways->count == 0)
        return INFINITY;
    for (int i = 0; i < ways->count; i++)
        sum += pow(10.0, -0.1 * (double)(ways->loss_db[i] - ways->loss_db[0]));
    return (float)((double)ways->loss_db[0] - 10.0 * log10(sum));
}

#endif
