/* Reflection and transmission of plane slabs: stacks of lossy layers between air and air.
 *
 * From layers (complex relative permittivity, thickness) and the cosine of incidence to field coefficients TE and TM,
 * after the recursion of ITU-R P.2040-3, section 2.2.2, written from the last layer back to the first with
 * reflections instead of wave amplitudes (Airy; Born and Wolf, section 1.6), so that no exponential grows. The phase of
 * T is that of the wave on the far face straight opposite the point of incidence: replacing d of air along the normal
 * by the slab multiplies the field by T e^{+j k d cos(theta)}. Passive for every input: |R|^2 + |T|^2 <= 1. Layers are
 * plane, homogeneous and wide. */
#ifndef RW_FIELD_SURFACES_SLAB_K_H
#define RW_FIELD_SURFACES_SLAB_K_H

#include "base/maths/elementary.h"
#include "base/maths/complex.h"

#include <stddef.h>

/* Fresnel reflection and transmission at the plane boundary between air and a half space.
 *
 * From the relative permittivity eps = eps' - j sigma/(omega eps0) and the cosine of incidence to the field
 * coefficients, after ITU-R P.2040-3, eqs. (31) and (32) with air outside: TE has the electric field perpendicular to
 * the plane of incidence, TM in it, and the TM reflection is +1 for metal. e^{+j omega t}. Passive for every input:
 * gain in the material is taken as no loss, and the cosine is kept off zero. */

/* One value for each polarisation. */
typedef struct rw_te_tm {
    rw_complex te, tm;
} rw_te_tm;

#define RW_COSINE_MIN 1e-9

/* Reflection and transmission: of one boundary here, of a whole construction in slab.k.h. */
typedef struct rw_interface {
    rw_te_tm reflection, transmission;
} rw_interface;

/* A cosine of incidence in (0, 1] from whatever comes in. */
RW_FN double rw_cosine_bounded(double cosine)
{
    double size = fabs(cosine);
    return size < RW_COSINE_MIN ? RW_COSINE_MIN : (size > 1.0 ? 1.0 : size);
}

/* eps without gain: the imaginary part is at most 0. */
RW_FN rw_complex rw_permittivity_passive(rw_complex permittivity)
{
    return rw_complex_of(permittivity.re, permittivity.im < 0.0 ? permittivity.im : 0.0);
}

/* sqrt(eps - sin^2), the normal component of the wave vector over the free-space wavenumber; decays for e^{-j k z}. */
RW_FN rw_complex rw_normal_index(rw_complex permittivity, double cosine)
{
    rw_complex passive = rw_permittivity_passive(permittivity);
    rw_complex root = rw_complex_sqrt(rw_complex_of(passive.re - (1.0 - cosine * cosine), passive.im));
    return root.im > 0.0 ? rw_complex_of(root.re, -root.im) : root;
}

/* ITU-R P.2040-3, eqs. (31) and (32). */
RW_FN rw_interface rw_fresnel(rw_complex permittivity, double cosine_incidence)
{
    double cosine = rw_cosine_bounded(cosine_incidence);
    rw_complex passive = rw_permittivity_passive(permittivity);
    rw_complex inside = rw_normal_index(passive, cosine);
    rw_complex outside_te = rw_complex_of(cosine, 0.0);
    rw_complex outside_tm = rw_complex_scale(passive, cosine);
    rw_complex sum_te = rw_complex_add(outside_te, inside), sum_tm = rw_complex_add(outside_tm, inside);
    rw_interface result;
    result.reflection.te = rw_complex_div(rw_complex_sub(outside_te, inside), sum_te);
    result.reflection.tm = rw_complex_div(rw_complex_sub(outside_tm, inside), sum_tm);
    result.transmission.te = rw_complex_div(rw_complex_of(2.0 * cosine, 0.0), sum_te);
    result.transmission.tm = rw_complex_div(rw_complex_scale(rw_complex_sqrt(passive), 2.0 * cosine), sum_tm);
    return result;
}

/* A perfect conductor reflects all of both. */
RW_FN rw_interface rw_fresnel_perfect_conductor(void)
{
    rw_interface result = {{{-1.0, 0.0}, {1.0, 0.0}}, {{0.0, 0.0}, {0.0, 0.0}}};
    return result;
}

/* Reflection without branches, for arrays: a passive eps of |eps| < 1e18 and a cosine in [0, 1]. */
RW_FN rw_te_tm rw_fresnel_reflection_fast(rw_complex permittivity, double cosine)
{
    double bounded = cosine > RW_COSINE_MIN ? cosine : RW_COSINE_MIN;
    double re = permittivity.re - (1.0 - bounded * bounded), im = permittivity.im;
    double larger = sqrt(0.5 * (sqrt(re * re + im * im) + fabs(re))) + 1e-30;
    double smaller = -0.5 * im / larger;
    double index_re = re >= 0.0 ? larger : smaller, index_im = re >= 0.0 ? -smaller : -larger;
    double tm_re = permittivity.re * bounded, tm_im = permittivity.im * bounded;
    /* (c - q) / (c + q) = (c - q) conj(c + q) / |c + q|^2 */
    double sum_te = bounded + index_re, scale_te = 1.0 / (sum_te * sum_te + index_im * index_im);
    double sum_re = tm_re + index_re, sum_im = tm_im + index_im, scale_tm = 1.0 / (sum_re * sum_re + sum_im * sum_im);
    double difference_te = bounded - index_re, difference_re = tm_re - index_re, difference_im = tm_im - index_im;
    rw_te_tm result;
    result.te = rw_complex_of((difference_te * sum_te - index_im * index_im) * scale_te,
                              (-index_im * sum_te - difference_te * index_im) * scale_te);
    result.tm = rw_complex_of((difference_re * sum_re + difference_im * sum_im) * scale_tm,
                              (difference_im * sum_re - difference_re * sum_im) * scale_tm);
    return result;
}

/* sqrt(eps - sin^2) likewise, in float. */
RW_FN rw_complexf rw_normal_index_float(rw_complexf permittivity, float cosine)
{
    float re = permittivity.re - (1.0f - cosine * cosine), im = permittivity.im;
    float size = sqrtf(re * re + im * im);
    float larger = sqrtf(0.5f * (size + fabsf(re))) + 1e-20f;
    float smaller = -0.5f * im / larger;
    return re >= 0.0f ? rw_complexf_of(larger, -smaller) : rw_complexf_of(smaller, -larger);
}

typedef struct rw_layer_field {
    rw_complex permittivity; /* im <= 0: loss */
    double thickness_m;
} rw_layer_field;

/* e^{-j k d q}; q has non-positive imaginary part, so this never exceeds 1. */
RW_FN rw_complex rw_layer_phasor(rw_complex normal_index, double thickness_m, double wavelength_m)
{
    double cycles = thickness_m / wavelength_m * normal_index.re;
    double decay = 2.0 * RW_PI * thickness_m / wavelength_m * fabs(normal_index.im);
    if (!(decay < 700.0) || !(cycles < 1e15))
        return rw_complex_of(0.0, 0.0);
    return rw_complex_polar(exp(-decay), -2.0 * RW_PI * (cycles - rw_round_nearest(cycles)));
}

/* What one more layer on top makes of reflection and transmission: boundary r from above, phasor e of the layer. */
RW_FN void rw_slab_add_layer(rw_complex boundary, rw_complex phasor, rw_complex *reflection, rw_complex *transmission)
{
    rw_complex one = rw_complex_of(1.0, 0.0);
    rw_complex returned = rw_complex_mul(*reflection, rw_complex_mul(phasor, phasor));
    rw_complex below = rw_complex_add(one, rw_complex_mul(boundary, returned));
    *reflection = rw_complex_div(rw_complex_add(boundary, returned), below);
    *transmission =
        rw_complex_div(rw_complex_mul(rw_complex_mul(rw_complex_add(one, boundary), phasor), *transmission), below);
}

/* Takes away what rounding has put above unit power. */
RW_FN void rw_limit_to_passive(rw_complex *reflection, rw_complex *transmission)
{
    double power = rw_complex_abs2(*reflection) + rw_complex_abs2(*transmission);
    if (power > 1.0) {
        double scale = (1.0 - 1e-15) / sqrt(power);
        *reflection = rw_complex_scale(*reflection, scale);
        *transmission = rw_complex_scale(*transmission, scale);
    }
}

/* Reflection at the boundary from medium 1 to 2, of admittances y: (y1 - y2) / (y1 + y2). */
RW_FN rw_complex rw_boundary(rw_complex first, rw_complex second)
{
    return rw_complex_div(rw_complex_sub(first, second), rw_complex_add(first, second));
}

/* The whole stack, seen from layer 0. No layers: air, which lets all through. */
RW_FN rw_interface rw_slab_stack(const rw_layer_field *layers, size_t layer_count, double cosine_incidence,
                                 double wavelength_m)
{
    double cosine = rw_cosine_bounded(cosine_incidence);
    rw_complex air = rw_complex_of(cosine, 0.0), zero = rw_complex_of(0.0, 0.0), one = rw_complex_of(1.0, 0.0);
    rw_interface result = {{zero, zero}, {one, one}};
    rw_complex below_te = air, below_tm = air; /* q and q/eps of the medium below */
    for (size_t i = layer_count; i-- > 0;) {
        if (!(layers[i].thickness_m > 0.0))
            continue;
        rw_complex permittivity = rw_permittivity_passive(layers[i].permittivity);
        rw_complex index = rw_normal_index(permittivity, cosine);
        rw_complex admittance_tm = rw_complex_div(index, permittivity);
        rw_complex phasor = rw_layer_phasor(index, layers[i].thickness_m, wavelength_m);
        /* Step across the boundary under this layer, then through the layer. */
        rw_slab_add_layer(rw_boundary(index, below_te), one, &result.reflection.te, &result.transmission.te);
        rw_slab_add_layer(rw_boundary(admittance_tm, below_tm), one, &result.reflection.tm, &result.transmission.tm);
        rw_slab_add_layer(zero, phasor, &result.reflection.te, &result.transmission.te);
        rw_slab_add_layer(zero, phasor, &result.reflection.tm, &result.transmission.tm);
        below_te = index;
        below_tm = admittance_tm;
    }
    rw_slab_add_layer(rw_boundary(air, below_te), one, &result.reflection.te, &result.transmission.te);
    rw_slab_add_layer(rw_boundary(air, below_tm), one, &result.reflection.tm, &result.transmission.tm);
    rw_limit_to_passive(&result.reflection.te, &result.transmission.te);
    rw_limit_to_passive(&result.reflection.tm, &result.transmission.tm);
    return result;
}

#endif
