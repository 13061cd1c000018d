/* Diffuse lobes that are reciprocal and keep the power, both exactly.
 *
 * The published directive lobes (scatter.k.h) are divided by their integral for each incidence, which makes the way
 * from i to s differ from that from s to i. Here the cross section per area is shape(i, s) a(i) a(s), symmetric by its
 * form, with the one function a of the angle to the normal for which the power scattered is cos(theta_i) at every
 * incidence (Sinkhorn, Ann. Math. Statist. 35, 1964). For the Lambertian lobe a = cos / sqrt(pi), which is the
 * published form. Valid as scatter.k.h. */
#ifndef RW_FIELD_SURFACES_SCATTER_BALANCE_K_H
#define RW_FIELD_SURFACES_SCATTER_BALANCE_K_H

#include "field/surfaces/scatter.k.h"

#define RW_SCATTER_BALANCE_STEPS 64

/* a / cos at equal steps of the cosine from 0 to 1. */
typedef struct rw_scatter_balance {
    double ratio[RW_SCATTER_BALANCE_STEPS + 1];
} rw_scatter_balance;

RW_FN double rw_scatter_balance_at(const rw_scatter_balance *balance, double cosine)
{
    double at = RW_SCATTER_BALANCE_STEPS * (cosine < 0.0 ? 0.0 : cosine > 1.0 ? 1.0 : cosine);
    int below = at < RW_SCATTER_BALANCE_STEPS ? (int)at : RW_SCATTER_BALANCE_STEPS - 1;
    double share = at - below;
    return (1.0 - share) * balance->ratio[below] + share * balance->ratio[below + 1];
}

/* Scattered power per steradian over all scattered power; cos(theta_i) times this is the same both ways. */
RW_FN double rw_scatter_balanced_pattern(const rw_scatter_model *model, const rw_scatter_balance *balance,
                                         double cosine_incidence, double cosine_scattering, double cosine_azimuth)
{
    if (!(cosine_scattering > 0.0))
        return 0.0;
    return rw_scatter_shape(model, cosine_incidence, cosine_scattering, cosine_azimuth) * cosine_scattering *
           rw_scatter_balance_at(balance, cosine_incidence) * rw_scatter_balance_at(balance, cosine_scattering);
}

#endif
