/* Diffuse scattering by rough walls: the effective-roughness model.
 *
 * From the directions of incidence and scattering to the scattered share of power per steradian, after Degli-Esposti,
 * Fuschini, Vitucci and Falciasecca, IEEE Trans. AP 55 (2007): Lambertian (eq. (5)), directive (eqs. (6) to (9)) and
 * directive with backscattering (eqs. (10), (11)) lobes. Each lobe is normalised to 1 over the half space. Of the power
 * that a smooth wall would reflect, S^2 is scattered and 1 - S^2 left to the specular ray, so that the two together
 * never exceed it. Valid for walls seen from their far field, tile by tile. */
#ifndef RW_FIELD_SURFACES_SCATTER_K_H
#define RW_FIELD_SURFACES_SCATTER_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/elementary.h"
#include <math.h>
#include <stddef.h>

typedef enum rw_scatter_kind { RW_LOBE_LAMBERTIAN, RW_LOBE_DIRECTIVE, RW_LOBE_BACKSCATTERING } rw_scatter_kind;

#define RW_SCATTER_EXPONENT_MAX 20

typedef struct rw_scatter_model {
    rw_scatter_kind kind;
    int specular_exponent;    /* alpha_R, 1 to RW_SCATTER_EXPONENT_MAX */
    int back_exponent;        /* alpha_i */
    double specular_fraction; /* Lambda in [0, 1]: 1 has no back lobe */
} rw_scatter_model;

/* I_j = int cos^j(psi) over the half space, psi from a direction at the incidence angle. Degli-Esposti 2007, eq. (9).
 */
RW_FN double rw_scatter_moment(int j, double cosine_incidence)
{
    double full_lobe = 2.0 * RW_PI / (j + 1);
    if (j % 2 == 0)
        return full_lobe;
    double sine2 = 1.0 - cosine_incidence * cosine_incidence, term = 1.0, sum = 1.0;
    for (int w = 1; w <= (j - 1) / 2; w++) {
        term *= sine2 * (2.0 * w - 1.0) / (2.0 * w); /* C(2w, w) sin^{2w} / 2^{2w} */
        sum += term;
    }
    return full_lobe * cosine_incidence * sum;
}

/* F_alpha = 2^{-alpha} sum_j C(alpha, j) I_j, the integral of the lobe. Degli-Esposti 2007, eq. (8). */
RW_FN double rw_scatter_lobe_integral(int exponent, double cosine_incidence)
{
    double binomial = 1.0, sum = 0.0, scale = 1.0;
    for (int j = 0; j <= exponent; j++) {
        sum += binomial * rw_scatter_moment(j, cosine_incidence);
        binomial *= (double)(exponent - j) / (j + 1);
        scale *= j < exponent ? 0.5 : 1.0;
    }
    return scale * sum;
}

RW_FN double rw_power_of(double base, int exponent)
{
    double result = 1.0;
    for (int i = 0; i < exponent; i++)
        result *= base;
    return result;
}

/* The lobe before it is normalised: 1 where it is strongest. Swapping the two directions changes nothing. */
RW_FN double rw_scatter_shape(const rw_scatter_model *model, double cosine_incidence, double cosine_scattering,
                              double cosine_azimuth)
{
    if (model->kind == RW_LOBE_LAMBERTIAN)
        return 1.0;
    double along = cosine_incidence * cosine_scattering;
    double sines2 = (1.0 - cosine_incidence * cosine_incidence) * (1.0 - cosine_scattering * cosine_scattering);
    double across = sqrt(sines2 > 0.0 ? sines2 : 0.0) * cosine_azimuth;
    double specular = rw_power_of(0.5 * (1.0 + along + across), model->specular_exponent);
    if (model->kind == RW_LOBE_DIRECTIVE)
        return specular;
    double back = rw_power_of(0.5 * (1.0 + along - across), model->back_exponent);
    return model->specular_fraction * specular + (1.0 - model->specular_fraction) * back;
}

/* Integral of the shape over the half space. */
RW_FN double rw_scatter_shape_integral(const rw_scatter_model *model, double cosine_incidence)
{
    double specular = rw_scatter_lobe_integral(model->specular_exponent, cosine_incidence);
    if (model->kind == RW_LOBE_DIRECTIVE)
        return specular;
    double back = rw_scatter_lobe_integral(model->back_exponent, cosine_incidence);
    return model->specular_fraction * specular + (1.0 - model->specular_fraction) * back;
}

/* Scattered power per steradian over all scattered power. Cosines of incidence and scattering to the normal, and of the
 * azimuth between the scattering and the specular direction. 0 behind the wall. As published, the directive lobes keep
 * the power but not reciprocity; scatter_balance.k.h has the form that keeps both. */
RW_FN double rw_scatter_pattern(const rw_scatter_model *model, double cosine_incidence, double cosine_scattering,
                                double cosine_azimuth)
{
    if (!(cosine_scattering > 0.0))
        return 0.0;
    if (model->kind == RW_LOBE_LAMBERTIAN)
        return cosine_scattering / RW_PI;
    return rw_scatter_shape(model, cosine_incidence, cosine_scattering, cosine_azimuth) /
           rw_scatter_shape_integral(model, cosine_incidence);
}

/* What roughness leaves of the specular field: sqrt(1 - S^2). Degli-Esposti 2007, eq. (2). */
RW_FN double rw_specular_reduction(double scattering)
{
    double rest = 1.0 - scattering * scattering;
    return rest > 0.0 ? sqrt(rest) : 0.0;
}

/* Bistatic cross section over 4 pi of a tile, m^2/sr: received power is P_t G_t / (4 pi r_i^2) times this times
 * lambda^2 G_r / (4 pi r_s^2). reflection_power is |R|^2 of the smooth wall. */
RW_FN double rw_scatter_cross_section(double scattering, double reflection_power, double area_m2,
                                      double cosine_incidence, double pattern_per_sr)
{
    return scattering * scattering * reflection_power * area_m2 * cosine_incidence * pattern_per_sr;
}

#endif
