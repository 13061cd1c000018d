/* Diffuse lobes that are reciprocal and keep the power, both exactly.
 *
 * The published directive lobes (scatter.k.h) are divided by their integral for each incidence, which makes the way
 * from i to s differ from that from s to i. Here the cross section per area is shape(i, s) a(i) a(s), symmetric by its
 * form, with the one function a of the angle to the normal for which the power scattered is cos(theta_i) at every
 * incidence (Sinkhorn, Ann. Math. Statist. 35, 1964). For the Lambertian lobe a = cos / sqrt(pi), which is the
 * published form. Valid as scatter.k.h. */
#ifndef RW_FIELD_SURFACES_SCATTER_BALANCE_K_H
#define RW_FIELD_SURFACES_SCATTER_BALANCE_K_H

#include "base/maths/vector.h"
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
    double fraction = at - below;
    return (1.0 - fraction) * balance->ratio[below] + fraction * balance->ratio[below + 1];
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

/* A lobe with its table. All zero: Lambert's. */
typedef struct rw_scatter_lobe {
    rw_scatter_model model;
    rw_scatter_balance balance;
} rw_scatter_lobe;

/* How many times what Lambert's lobe sends from a direction of travel (of any length; 0: not known) to another (of
 * length 1) at a wall. The same both ways. */
RW_FN double rw_scatter_lobe_ratio(const rw_scatter_lobe *lobe, rw_vec3 normal, rw_vec3 incoming, rw_vec3 outgoing)
{
    double length = rw_vec3_length(incoming);
    if (lobe->model.kind == RW_LOBE_LAMBERTIAN || !(length > 0.0))
        return 1.0;
    rw_vec3 in = rw_vec3_scale(incoming, 1.0 / length);
    double cosine_in = -rw_vec3_dot(in, normal), cosine_out = rw_vec3_dot(outgoing, normal);
    if (!(cosine_in > 0.0) || !(cosine_out > 0.0))
        return 0.0;
    rw_vec3 along_in = rw_vec3_add(in, rw_vec3_scale(normal, cosine_in));
    rw_vec3 along_out = rw_vec3_sub(outgoing, rw_vec3_scale(normal, cosine_out));
    double both = rw_vec3_length(along_in) * rw_vec3_length(along_out);
    double cosine_azimuth = both > 1e-12 ? rw_vec3_dot(along_in, along_out) / both : 1.0;
    return RW_PI / cosine_out *
           rw_scatter_balanced_pattern(&lobe->model, &lobe->balance, cosine_in, cosine_out, cosine_azimuth);
}

#endif
