/* Slab coefficients of many rays: one layer each in float, written so that it vectorises.
 *
 * From cosine of incidence, permittivity and thickness in wavelengths (arrays) to R and T, TE and TM. With C = cos (TE)
 * or eps cos (TM), q = sqrt(eps - sin^2), e = e^{-j k d q} and m = 1 - e^2, the single slab of ITU-R P.2040-3, eqs.
 * (43), (44) is R = (C^2 - q^2) m / (4 C q + (C - q)^2 m),   T = 4 C q e / (4 C q + (C - q)^2 m), which keeps its
 * digits for thin slabs, grazing rays and metal. q is refined and its phase reduced in double. Agrees with slab.k.h to
 * 1e-5. */
#ifndef RW_BENCH_KERNELS_SLAB_COEFFICIENTS_K_H
#define RW_BENCH_KERNELS_SLAB_COEFFICIENTS_K_H

#include "field/surfaces/slab.k.h"

struct rw_slab_coefficients_args {
    const float *cosine_incidence;
    const float *permittivity_re, *permittivity_im; /* im <= 0 */
    const float *thickness_wavelengths;
    float *reflection_te_re, *reflection_te_im, *reflection_tm_re, *reflection_tm_im;
    float *transmission_te_re, *transmission_te_im, *transmission_tm_re, *transmission_tm_im;
};

typedef struct rw_slab_phasor {
    rw_complexf once;  /* e^{-j k d q} */
    rw_complexf lost;  /* 1 - e^{-2 j k d q}, without cancellation */
    rw_complexf index; /* q */
} rw_slab_phasor;

/* expm1 x for x <= 0 from e^x and, near zero, from the series. */
RW_FN float rw_exp_minus_one(float x, float exp_x)
{
    float sum = 1.3888889e-3f;
    sum = sum * x + 8.3333333e-3f;
    sum = sum * x + 4.1666667e-2f;
    sum = sum * x + 1.6666667e-1f;
    sum = sum * x + 0.5f;
    sum = sum * x + 1.0f;
    return x > -0.3f ? sum * x : exp_x - 1.0f;
}

RW_FN rw_slab_phasor rw_slab_phasor_of(rw_complexf permittivity, float cosine, double thickness_wavelengths)
{
    rw_complexf rough = rw_normal_index_float(permittivity, cosine);
    /* One step of Newton for q^2 = eps - sin^2: the rest in double, the correction in float. */
    double qr = rough.re, qi = rough.im, c = cosine;
    double rest_re = ((double)permittivity.re - 1.0 + c * c) - (qr * qr - qi * qi);
    double rest_im = (double)permittivity.im - 2.0 * qr * qi;
    rw_complexf step = rw_complexf_div(rw_complexf_of((float)rest_re, (float)rest_im),
                                       rw_complexf_of(2.0f * rough.re, 2.0f * rough.im));
    qr += (double)step.re;
    qi += (double)step.im;
    rw_phasor phase = rw_phasor_of_cycles(-thickness_wavelengths * qr);
    float decay = (float)(2.0 * RW_PI * thickness_wavelengths * qi); /* <= 0 */
    float once = rw_exp_negative(decay), twice = once * once;
    rw_slab_phasor result;
    result.once = rw_complexf_of(once * phase.cosine, once * phase.sine);
    result.lost = rw_complexf_of(2.0f * twice * phase.sine * phase.sine - rw_exp_minus_one(2.0f * decay, twice),
                                 -2.0f * twice * phase.sine * phase.cosine);
    result.index = rough;
    return result;
}

typedef struct rw_slab_pair {
    rw_complexf reflection, transmission;
} rw_slab_pair;

RW_FN rw_slab_pair rw_slab_solve(rw_complexf outside, rw_complexf difference_of_squares, const rw_slab_phasor *slab,
                                 float scale)
{
    /* Everything is divided by 1 + |eps|, so that metals stay inside the range of float. */
    rw_complexf outer = rw_complexf_scale(outside, scale), inner = rw_complexf_scale(slab->index, scale);
    rw_complexf product = rw_complexf_scale(rw_complexf_mul(outer, inner), 4.0f);
    rw_complexf gap = rw_complexf_sub(outer, inner);
    rw_complexf below = rw_complexf_add(product, rw_complexf_mul(rw_complexf_mul(gap, gap), slab->lost));
    rw_complexf above = rw_complexf_mul(rw_complexf_scale(difference_of_squares, scale * scale), slab->lost);
    rw_slab_pair result;
    float inverse = 1.0f / (below.re * below.re + below.im * below.im);
    rw_complexf reciprocal = rw_complexf_of(below.re * inverse, -below.im * inverse);
    result.reflection = rw_complexf_mul(above, reciprocal);
    result.transmission = rw_complexf_mul(rw_complexf_mul(product, slab->once), reciprocal);
    float power = result.reflection.re * result.reflection.re + result.reflection.im * result.reflection.im +
                  result.transmission.re * result.transmission.re + result.transmission.im * result.transmission.im;
    /* The margin is what rounding of this very sum may hide. */
    float passive = power > 0.9999995f ? 0.9999997f / sqrtf(power) : 1.0f;
    result.reflection = rw_complexf_scale(result.reflection, passive);
    result.transmission = rw_complexf_scale(result.transmission, passive);
    return result;
}

RW_FN void rw_slab_coefficients_item(const struct rw_slab_coefficients_args *args, size_t item)
{
    float unclamped = fabsf(args->cosine_incidence[item]), loss = args->permittivity_im[item];
    float cosine = unclamped < 1e-6f ? 1e-6f : (unclamped > 1.0f ? 1.0f : unclamped);
    rw_complexf permittivity = rw_complexf_of(args->permittivity_re[item], loss < 0.0f ? loss : 0.0f);
    rw_slab_phasor slab = rw_slab_phasor_of(permittivity, cosine, (double)args->thickness_wavelengths[item]);
    float size = 1.0f + fabsf(permittivity.re) + fabsf(permittivity.im);
    float scale = 1.0f / sqrtf(size);
    rw_complexf air_te = rw_complexf_of(cosine, 0.0f), air_tm = rw_complexf_scale(permittivity, cosine);
    /* cos^2 - q^2 = 1 - eps, and (eps cos)^2 - q^2 = (eps - 1) (eps cos^2 - sin^2) */
    rw_complexf squares_te = rw_complexf_of(1.0f - permittivity.re, -permittivity.im);
    float cosine2 = cosine * cosine;
    rw_complexf brewster = rw_complexf_of(permittivity.re * cosine2 - (1.0f - cosine2), permittivity.im * cosine2);
    rw_complexf squares_tm = rw_complexf_mul(rw_complexf_of(permittivity.re - 1.0f, permittivity.im), brewster);
    rw_slab_pair te = rw_slab_solve(air_te, squares_te, &slab, scale);
    rw_slab_pair tm = rw_slab_solve(air_tm, squares_tm, &slab, scale);
    args->reflection_te_re[item] = te.reflection.re;
    args->reflection_te_im[item] = te.reflection.im;
    args->reflection_tm_re[item] = tm.reflection.re;
    args->reflection_tm_im[item] = tm.reflection.im;
    args->transmission_te_re[item] = te.transmission.re;
    args->transmission_te_im[item] = te.transmission.im;
    args->transmission_tm_re[item] = tm.transmission.re;
    args->transmission_tm_im[item] = tm.transmission.im;
}

#endif
