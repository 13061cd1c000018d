/* Terms of the wedge coefficients, the fast form of wedge.k.h: without branches, so that it vectorises.
 *
 * From angles, edge angle and distance parameter of a ray to the four terms of D, and from them and the reflection of
 * the faces to D. All is double: near the faces the terms cancel, and in float the backends would differ by more
 * than 1e-5. Agrees with the reference form to 1e-6 of the largest term. */
#ifndef RW_FIELD_EDGES_WEDGE_TERMS_K_H
#define RW_FIELD_EDGES_WEDGE_TERMS_K_H

#include "field/edges/wedge.k.h"
#include <stddef.h>

/* cot((pi + beta)/2n) F as in rw_wedge_term. */
RW_FN rw_complex rw_wedge_term_fast(double beta_rad, double n, double inverse_2n, double root_2kl)
{
    double turned = beta_rad + RW_PI;
    double epsilon = turned - 2.0 * RW_PI * n * rw_round_nearest(turned * inverse_2n * (1.0 / RW_PI));
    double size = fabs(epsilon) > RW_EPSILON_MIN ? fabs(epsilon) : RW_EPSILON_MIN;
    double half = 0.5 * size, folded = half < 0.5 * RW_PI ? half : fabs(RW_PI - half);
    double s = root_2kl * rw_sin_quarter_double(folded);
    double bounded = s < RW_TRANSITION_ROOT_MAX ? s : RW_TRANSITION_ROOT_MAX;
    double narrow = size * inverse_2n; /* at most pi/2 */
    rw_transition_ratio ratio = rw_transition_over_root_fast(bounded);
    double factor = rw_cos_quarter_double(narrow) * bounded / (rw_sin_quarter_double(narrow) * ratio.denominator);
    return rw_complex_scale(ratio.numerator, epsilon < 0.0 ? -factor : factor);
}

/* As rw_wedge_terms_of. */
RW_FN rw_wedge_terms rw_wedge_terms_fast_of(const rw_wedge_geometry *geometry, double wavenumber)
{
    double n = geometry->exterior_over_pi, inverse_2n = 0.5 / n;
    double root_2kl = sqrt(2.0 * wavenumber * geometry->distance_parameter_m);
    double difference = geometry->observer_angle_rad - geometry->source_angle_rad;
    double sum = geometry->observer_angle_rad + geometry->source_angle_rad;
    /* -e^{-j pi/4} / (2 n sqrt(2 pi k) sin(beta0)) = size (-1 + j) */
    double size = inverse_2n * 0.28209479177387814 / (sqrt(wavenumber) * geometry->sine_edge_angle);
    rw_complex factor = rw_complex_of(-size, size);
    rw_wedge_terms terms;
    terms.incidence_above = rw_complex_mul(factor, rw_wedge_term_fast(difference, n, inverse_2n, root_2kl));
    terms.incidence_below = rw_complex_mul(factor, rw_wedge_term_fast(-difference, n, inverse_2n, root_2kl));
    terms.reflection_zero = rw_complex_mul(factor, rw_wedge_term_fast(-sum, n, inverse_2n, root_2kl));
    terms.reflection_n = rw_complex_mul(factor, rw_wedge_term_fast(sum, n, inverse_2n, root_2kl));
    return terms;
}

/* Reflection of a face at an angle to it. */
RW_FN rw_te_tm rw_wedge_face_fast(rw_complex permittivity, int perfect, double angle_rad, double sine_edge_angle)
{
    double rest = angle_rad - RW_PI * rw_round_nearest(angle_rad * (1.0 / RW_PI));
    rw_te_tm lossy = rw_fresnel_reflection_fast(permittivity, sine_edge_angle * fabs(rw_sin_quarter_double(rest)));
    rw_te_tm result;
    result.te.re = perfect ? -1.0 : lossy.te.re;
    result.te.im = perfect ? 0.0 : lossy.te.im;
    result.tm.re = perfect ? 1.0 : lossy.tm.re;
    result.tm.im = perfect ? 0.0 : lossy.tm.im;
    return result;
}

/* As rw_wedge_combine, for terms already sorted. */
RW_FN rw_complex rw_wedge_combine_fast(const rw_wedge_terms *terms, rw_complex reflection_zero, rw_complex reflection_n,
                                       int holm)
{
    rw_complex both = rw_complex_mul(reflection_zero, reflection_n);
    rw_complex unlit =
        rw_complex_mul(terms->incidence_above, rw_complex_of(holm ? both.re : 1.0, holm ? both.im : 0.0));
    rw_complex reflected = rw_complex_add(rw_complex_mul(reflection_zero, terms->reflection_zero),
                                          rw_complex_mul(reflection_n, terms->reflection_n));
    return rw_complex_add(rw_complex_add(terms->incidence_below, unlit), reflected);
}

#endif
