/* Wedge coefficients of many rays, for faces of one material: from angles, edge angle and distance parameter of each
 * ray (arrays of float) to D soft and hard in sqrt(m), by the fast form of field/edges/wedge_terms.k.h. */
#ifndef RW_BENCH_KERNELS_WEDGE_COEFFICIENTS_K_H
#define RW_BENCH_KERNELS_WEDGE_COEFFICIENTS_K_H

#include "field/edges/wedge_terms.k.h"

struct rw_wedge_coefficients_args {
    double wavenumber;
    rw_complex permittivity; /* of both faces; im <= 0 */
    int perfect_conductor;
    int holm;
    const float *exterior_over_pi; /* n */
    const float *source_angle_rad, *observer_angle_rad;
    const float *sine_edge_angle;
    const float *distance_parameter_m; /* L */
    float *soft_re, *soft_im, *hard_re, *hard_im;
};

RW_FLAT_FN void rw_wedge_coefficients_item(const struct rw_wedge_coefficients_args *args, size_t item)
{
    double source = args->source_angle_rad[item], observer = args->observer_angle_rad[item];
    double n = args->exterior_over_pi[item], sine = args->sine_edge_angle[item], inverse_2n = 0.5 / n;
    double root_2kl = sqrt(2.0 * args->wavenumber * args->distance_parameter_m[item]);
    /* Seen from the other side, source and observer change places and nothing else: the nearer to the 0-face comes
     * first. */
    double first = source < observer ? source : observer, second = source < observer ? observer : source;
    double difference = second - first, sum = second + first;
    rw_wedge_terms terms;
    terms.incidence_above = rw_wedge_term_fast(difference, n, inverse_2n, root_2kl);
    terms.incidence_below = rw_wedge_term_fast(-difference, n, inverse_2n, root_2kl);
    terms.reflection_zero = rw_wedge_term_fast(-sum, n, inverse_2n, root_2kl);
    terms.reflection_n = rw_wedge_term_fast(sum, n, inverse_2n, root_2kl);
    rw_te_tm zero = rw_wedge_face_fast(args->permittivity, args->perfect_conductor, first, sine);
    rw_te_tm far = rw_wedge_face_fast(args->permittivity, args->perfect_conductor, RW_PI * n - second, sine);
    rw_complex soft = rw_wedge_combine_fast(&terms, zero.te, far.te, args->holm);
    rw_complex hard = rw_wedge_combine_fast(&terms, zero.tm, far.tm, args->holm);
    /* -e^{-j pi/4} / (2 n sqrt(2 pi k) sin(beta0)) = size (-1 + j) */
    double size = inverse_2n * 0.28209479177387814 / (sqrt(args->wavenumber) * sine); /* sqrt(1/2) / sqrt(2 pi) */
    args->soft_re[item] = (float)(-size * (soft.re + soft.im));
    args->soft_im[item] = (float)(size * (soft.re - soft.im));
    args->hard_re[item] = (float)(-size * (hard.re + hard.im));
    args->hard_im[item] = (float)(size * (hard.re - hard.im));
}

#endif
