/* Diffraction by one knife edge: geometry to the parameter nu, and nu to field or loss.
 *
 * After ITU-R P.526-15, section 4.1: eq. (26) for nu, eq. (30) for the exact loss, eq. (31) for its approximation
 * (within 0.1 dB for nu > -0.78). Valid where the edge is sharp, perpendicular to the path, and both ends are many
 * wavelengths and several obstacle heights away. */
#ifndef RW_FIELD_EDGES_KNIFE_EDGE_K_H
#define RW_FIELD_EDGES_KNIFE_EDGE_K_H

#include "field/edges/fresnel_integral.k.h"
#include <stddef.h>

/* nu of an edge whose top is height_m above the straight line (negative: below it). ITU-R P.526-15, eq. (26). */
RW_FN double rw_knife_edge_nu(double height_m, double distance_before_m, double distance_after_m, double wavelength_m)
{
    return height_m * sqrt(2.0 / wavelength_m * (1.0 / distance_before_m + 1.0 / distance_after_m));
}

/* Loss in dB by the exact Fresnel integral. ITU-R P.526-15, eq. (30). */
RW_FN double rw_knife_edge_loss_db(double nu)
{
    return -10.0 * log10(rw_complex_abs2(rw_screen_field(nu)));
}

/* J(nu), 0 for nu <= -0.78. ITU-R P.526-15, eq. (31). */
RW_FN double rw_knife_edge_loss_p526_db(double nu)
{
    if (nu <= -0.78)
        return 0.0;
    double loss_db = 6.9 + 20.0 * log10(sqrt((nu - 0.1) * (nu - 0.1) + 1.0) + nu - 0.1);
    return loss_db > 0.0 ? loss_db : 0.0;
}

/* The field behind the edge relative to free space to 1e-6, without branches, for arrays. |nu| up to 1e6. */
RW_FN rw_complexf rw_screen_field_fast(float nu)
{
    double size = fabs((double)nu), root = size * 1.2533141373155003; /* sqrt(pi/2) */
    double bounded = root < RW_TRANSITION_ROOT_MAX ? root : RW_TRANSITION_ROOT_MAX;
    rw_transition_ratio ratio = rw_transition_over_root_fast(bounded);
    /* f + j g = G / sqrt(2 pi); beyond the bound G falls as 1 / s. */
    double scale = 0.3989422804014327 / ratio.denominator * (root > bounded ? bounded / root : 1.0);
    rw_complexf fg = rw_complexf_of((float)(ratio.numerator.re * scale), (float)(ratio.numerator.im * scale));
    rw_phasor phase = rw_phasor_of_cycles(-0.25 * size * size);
    rw_complexf behind = rw_complexf_mul(rw_complexf_of(fg.im, -fg.re), rw_complexf_of(phase.cosine, phase.sine));
    rw_complexf field = rw_complexf_mul(rw_complexf_of(0.5f, 0.5f), behind);
    return nu < 0.0f ? rw_complexf_of(1.0f - field.re, -field.im) : field;
}

#endif
