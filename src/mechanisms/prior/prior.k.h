/* A prior for what no way explains: the loss that the ways give is drawn towards what many cities have in the median.
 *
 * Trees, chimneys, gaps between houses, lateral and diffuse paths make reality 15 to 20 dB better far out than roofs
 * and streets alone. Adding a site-general loss in power would draw rings round the mast; a weighted mean in decibels
 * keeps the structure: L = (1 - w) L_ways + w L_site with w = weight (1 - exp(-A / 10 dB)), A the excess of L_ways over
 * free space, so that nothing changes in sight and nothing jumps at the shadow boundary. */
#ifndef RW_MECHANISMS_PRIOR_PRIOR_K_H
#define RW_MECHANISMS_PRIOR_PRIOR_K_H

#include "base/maths/vector.h"
#include "field/paths/site_general.k.h"

#define RW_PRIOR_WEIGHT 0.5

typedef struct rw_prior {
    int kind;             /* rw_site_general_kind; 0: none */
    double weight;        /* where the ways are weak */
    double base_height_m; /* of the transmitter above ground */
    double mobile_height_m;
    double mean_roof_m;
    double freq_hz;
} rw_prior;

/* plan_m: distance in plan. What has no way stays without. */
RW_FN double rw_prior_loss_db(const rw_prior *prior, double ways_db, double free_space_db, double plan_m)
{
    double excess_db = ways_db - free_space_db;
    if (prior->kind == 0 || !(excess_db > 0.0) || !(ways_db < 1e6))
        return ways_db;
    double site_db = rw_site_general_nlos_db(prior->kind, plan_m, prior->base_height_m, prior->mobile_height_m,
                                             prior->mean_roof_m, prior->freq_hz);
    double weight = prior->weight * (1.0 - exp(-0.1 * excess_db));
    return (1.0 - weight) * ways_db + weight * site_db;
}

#endif
