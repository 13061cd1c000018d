/* Fresnel reflection and transmission at the plane boundary between air and a half space.
 *
 * From the relative permittivity eps = eps' - j sigma/(omega eps0) and the cosine of incidence to the field
 * coefficients, after ITU-R P.2040-3, eqs. (31) and (32) with air outside: TE has the electric field perpendicular to
 * the plane of incidence, TM in it, and the TM reflection is +1 for metal. e^{+j omega t}. Passive for every input:
 * gain in the material is taken as no loss, and the cosine is kept off zero. */
#ifndef RW_FIELD_SURFACES_FRESNEL_K_H
#define RW_FIELD_SURFACES_FRESNEL_K_H

#include "base/maths/complex.h"

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

#endif
