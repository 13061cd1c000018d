/* Wedge coefficients of many rays: the float form of wedge.k.h, written so that it vectorises.
 *
 * From angles, edge angle and distance parameter of each ray (arrays) to D soft and hard in sqrt(m), for faces of one
 * material. Angles to the shadow boundaries are formed in double, as a difference of nearly equal numbers; the rest is
 * float. Agrees with the double form to 1e-5 of the larger term where k L <= 1e6. */
#ifndef RW_FIELD_WEDGE_COEFFICIENTS_K_H
#define RW_FIELD_WEDGE_COEFFICIENTS_K_H

#include "field/wedge.k.h"
#include <stddef.h>

struct rw_wedge_coefficients_args {
    float wavenumber;
    rw_complexf permittivity; /* of both faces */
    int perfect_conductor;
    int holm;
    const float *exterior_over_pi; /* n */
    const float *source_angle_rad, *observer_angle_rad;
    const float *sine_edge_angle;
    const float *distance_parameter_m; /* L */
    float *soft_re, *soft_im, *hard_re, *hard_im;
};

/* cot((pi + beta)/2n) F as in rw_wedge_term. */
RW_FN rw_complexf rw_wedge_term_float(double beta_rad, double n, double inverse_2_pi_n, float inverse_2n,
                                      float root_2kl)
{
    double turned = beta_rad + RW_PI;
    double epsilon = turned - 2.0 * RW_PI * n * rw_round_nearest(turned * inverse_2_pi_n);
    double half = 0.5 * fabs(epsilon);
    float folded = (float)(half < 0.5 * RW_PI ? half : fabs(RW_PI - half));
    float size = (float)(2.0 * half);
    size = size > 1e-20f ? size : 1e-20f;
    folded = folded > 0.5e-20f ? folded : 0.5e-20f;
    float s = root_2kl * rw_sin_quarter(folded);
    float bounded = s < RW_TRANSITION_ROOT_MAX ? s : RW_TRANSITION_ROOT_MAX;
    float narrow = size * inverse_2n; /* at most pi/2 */
    rw_transition_ratio ratio = rw_transition_over_root_float(bounded);
    float factor = rw_cos_quarter(narrow) * bounded / (rw_sin_quarter(narrow) * ratio.denominator);
    return rw_complexf_scale(ratio.numerator, epsilon < 0.0 ? -factor : factor);
}

/* Reflection of a face at an angle to it; the sine is formed near its zeros in double. */
RW_FN rw_te_tmf rw_wedge_face_float(const struct rw_wedge_coefficients_args *args, double angle_rad,
                                    float sine_edge_angle)
{
    double rest = angle_rad - RW_PI * rw_round_nearest(angle_rad * (1.0 / RW_PI));
    float cosine = sine_edge_angle * fabsf(rw_sin_quarter((float)rest));
    rw_te_tmf lossy = rw_fresnel_reflection_float(args->permittivity, cosine);
    int perfect = args->perfect_conductor;
    rw_te_tmf result;
    result.te.re = perfect ? -1.0f : lossy.te.re;
    result.te.im = perfect ? 0.0f : lossy.te.im;
    result.tm.re = perfect ? 1.0f : lossy.tm.re;
    result.tm.im = perfect ? 0.0f : lossy.tm.im;
    return result;
}

RW_FN rw_complexf rw_wedge_combine_float(rw_complexf lit, rw_complexf unlit, rw_complexf zero, rw_complexf n,
                                         rw_complexf reflection_zero, rw_complexf reflection_n, int holm)
{
    rw_complexf both = rw_complexf_mul(reflection_zero, reflection_n);
    rw_complexf weighted = rw_complexf_mul(unlit, rw_complexf_make(holm ? both.re : 1.0f, holm ? both.im : 0.0f));
    rw_complexf reflected = rw_complexf_add(rw_complexf_mul(reflection_zero, zero), rw_complexf_mul(reflection_n, n));
    return rw_complexf_add(rw_complexf_add(lit, weighted), reflected);
}

RW_FN void rw_wedge_coefficients_item(const struct rw_wedge_coefficients_args *args, size_t item)
{
    float source = args->source_angle_rad[item], observer = args->observer_angle_rad[item];
    float nf = args->exterior_over_pi[item], sine = args->sine_edge_angle[item];
    double n = nf, difference = (double)observer - (double)source, sum = (double)observer + (double)source;
    float inverse_2n = 0.5f / nf;
    double inverse_2_pi_n = (double)inverse_2n * (1.0 / RW_PI);
    float root_2kl = sqrtf(2.0f * args->wavenumber * args->distance_parameter_m[item]);
    rw_complexf above = rw_wedge_term_float(difference, n, inverse_2_pi_n, inverse_2n, root_2kl);
    rw_complexf below = rw_wedge_term_float(-difference, n, inverse_2_pi_n, inverse_2n, root_2kl);
    rw_complexf zero = rw_wedge_term_float(-sum, n, inverse_2_pi_n, inverse_2n, root_2kl);
    rw_complexf far = rw_wedge_term_float(sum, n, inverse_2_pi_n, inverse_2n, root_2kl);
    int beyond = observer >= source;
    rw_complexf lit = rw_complexf_make(beyond ? below.re : above.re, beyond ? below.im : above.im);
    rw_complexf unlit = rw_complexf_make(beyond ? above.re : below.re, beyond ? above.im : below.im);
    rw_te_tmf face_zero = rw_wedge_face_float(args, (double)(beyond ? source : observer), sine);
    rw_te_tmf face_n = rw_wedge_face_float(args, RW_PI * n - (double)(beyond ? observer : source), sine);
    /* -e^{-j pi/4} / (2 n sqrt(2 pi k) sin(beta0)) */
    float size = inverse_2n * 0.282094792f / (sqrtf(args->wavenumber) * sine); /* sqrt(1/2) / sqrt(2 pi) */
    rw_complexf factor = rw_complexf_make(-size, size);
    rw_complexf soft =
        rw_complexf_mul(factor, rw_wedge_combine_float(lit, unlit, zero, far, face_zero.te, face_n.te, args->holm));
    rw_complexf hard =
        rw_complexf_mul(factor, rw_wedge_combine_float(lit, unlit, zero, far, face_zero.tm, face_n.tm, args->holm));
    args->soft_re[item] = soft.re;
    args->soft_im[item] = soft.im;
    args->hard_re[item] = hard.re;
    args->hard_im[item] = hard.im;
}

#endif
