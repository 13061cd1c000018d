/* Diffraction by a wedge: the coefficients of the uniform theory of diffraction, soft and hard, and their slope.
 *
 * From the angles of source and observer, measured from the 0-face round the outside, to D in sqrt(m), after
 * Kouyoumjian and Pathak, Proc. IEEE 62 (1974), eqs. (25) to (30); lossy faces after Luebbers, IEEE Trans. AP 32
 * (1984), or Holm, IEEE Trans. AP 48 (2000). The exterior angle is n pi, 0 < n <= 2 (lossy: 1 <= n). e^{+j omega t}.
 * Valid about a wavelength and more from the edge; see docs/explanation/physics.md.
 *
 * Each of the four terms cot(y) F(x) is written with the angle epsilon to its shadow boundary, where y = epsilon/(2n)
 * and x = 2 k L sin^2(epsilon/2): cot(y) F(x) = sign(epsilon) cos(epsilon/2n) s/|sin(epsilon/2n)| G(s), s = sqrt(x), F
 * = s G. That form needs no special case at the boundary, where cot is infinite and F zero.
 *
 * The incidence angle on a face is taken from the smaller of the two angles to it. For observers beyond the source this
 * is Luebbers' choice, on the reflection boundaries it is the true angle, and swapping source and observer changes
 * nothing. */
#ifndef RW_FIELD_EDGES_WEDGE_K_H
#define RW_FIELD_EDGES_WEDGE_K_H

#include "field/surfaces/slab.k.h"
#include "field/edges/transition_function.k.h"

typedef struct rw_wedge_geometry {
    double exterior_over_pi;                     /* n */
    double source_angle_rad, observer_angle_rad; /* phi', phi in [0, n pi] */
    double sine_edge_angle;                      /* sin(beta0): 1 for a ray perpendicular to the edge */
    double distance_parameter_m;                 /* L */
} rw_wedge_geometry;

/* The four terms, named by the boundary at which each is singular. */
typedef struct rw_wedge_terms {
    rw_complex incidence_above; /* cot((pi + (phi - phi'))/2n): shadow of a source on the n side */
    rw_complex incidence_below; /* cot((pi - (phi - phi'))/2n): shadow of a source on the 0 side */
    rw_complex reflection_zero; /* cot((pi - (phi + phi'))/2n): reflection from the 0-face */
    rw_complex reflection_n;    /* cot((pi + (phi + phi'))/2n): reflection from the n-face */
} rw_wedge_terms;

typedef struct rw_soft_hard {
    rw_complex soft, hard;
} rw_soft_hard;

/* Angle beyond the boundary of cot((pi + beta)/2n), with N+ of Kouyoumjian and Pathak the nearest integer. */
RW_FN double rw_wedge_epsilon_plus(double beta_rad, double n)
{
    return beta_rad + RW_PI - 2.0 * RW_PI * n * rw_round_nearest((beta_rad + RW_PI) / (2.0 * RW_PI * n));
}

RW_FN double rw_wedge_epsilon_minus(double beta_rad, double n)
{
    return rw_wedge_epsilon_plus(-beta_rad, n);
}

/* On the boundary itself epsilon counts as this much on the positive side. */
#define RW_EPSILON_MIN 1e-20

RW_FN rw_complex rw_wedge_term(double epsilon_rad, double n, double wavenumber_times_distance)
{
    double size = fabs(epsilon_rad) > RW_EPSILON_MIN ? fabs(epsilon_rad) : RW_EPSILON_MIN;
    double s = sqrt(2.0 * wavenumber_times_distance) * fabs(sin(0.5 * size));
    double factor = cos(0.5 * size / n) * s / sin(0.5 * size / n);
    return rw_complex_scale(rw_transition_over_root(s), epsilon_rad < 0.0 ? -factor : factor);
}

/* -(1/2n) csc^2(epsilon/2n) F_s(x), F_s = 2 j x (1 - F): the derivative of the term with respect to epsilon in the form
 * of slope diffraction (Hwang and Kouyoumjian, URSI 1974; McNamara, Pistorius and Malherbe 1990, eq. (6.93)). */
RW_FN rw_complex rw_wedge_slope_term(double epsilon_rad, double n, double wavenumber_times_distance)
{
    double size = fabs(epsilon_rad) > RW_EPSILON_MIN ? fabs(epsilon_rad) : RW_EPSILON_MIN;
    double s = sqrt(2.0 * wavenumber_times_distance) * fabs(sin(0.5 * size));
    double ratio = s / sin(0.5 * size / n);
    rw_complex one_minus_f = rw_complex_sub(rw_complex_of(1.0, 0.0), rw_complex_scale(rw_transition_over_root(s), s));
    return rw_complex_mul(rw_complex_of(0.0, -ratio * ratio / n), one_minus_f);
}

/* -e^{-j pi/4} / (2 n sqrt(2 pi k) sin(beta0)), the factor before the terms. */
RW_FN rw_complex rw_wedge_factor(double n, double wavenumber, double sine_edge_angle)
{
    return rw_complex_polar(-1.0 / (2.0 * n * sqrt(2.0 * RW_PI * wavenumber) * sine_edge_angle), -0.25 * RW_PI);
}

RW_FN rw_wedge_terms rw_wedge_terms_of(const rw_wedge_geometry *geometry, double wavenumber)
{
    double n = geometry->exterior_over_pi, kl = wavenumber * geometry->distance_parameter_m;
    double difference = geometry->observer_angle_rad - geometry->source_angle_rad;
    double sum = geometry->observer_angle_rad + geometry->source_angle_rad;
    rw_complex factor = rw_wedge_factor(n, wavenumber, geometry->sine_edge_angle);
    rw_wedge_terms terms;
    terms.incidence_above = rw_complex_mul(factor, rw_wedge_term(rw_wedge_epsilon_plus(difference, n), n, kl));
    terms.incidence_below = rw_complex_mul(factor, rw_wedge_term(rw_wedge_epsilon_minus(difference, n), n, kl));
    terms.reflection_zero = rw_complex_mul(factor, rw_wedge_term(rw_wedge_epsilon_minus(sum, n), n, kl));
    terms.reflection_n = rw_complex_mul(factor, rw_wedge_term(rw_wedge_epsilon_plus(sum, n), n, kl));
    return terms;
}

/* The derivatives of the terms with respect to the source angle. */
RW_FN rw_wedge_terms rw_wedge_slope_terms_of(const rw_wedge_geometry *geometry, double wavenumber)
{
    double n = geometry->exterior_over_pi, kl = wavenumber * geometry->distance_parameter_m;
    double difference = geometry->observer_angle_rad - geometry->source_angle_rad;
    double sum = geometry->observer_angle_rad + geometry->source_angle_rad;
    rw_complex factor = rw_wedge_factor(n, wavenumber, geometry->sine_edge_angle);
    rw_complex minus = rw_complex_scale(factor, -1.0);
    rw_wedge_terms terms;
    terms.incidence_above = rw_complex_mul(minus, rw_wedge_slope_term(rw_wedge_epsilon_plus(difference, n), n, kl));
    terms.incidence_below = rw_complex_mul(factor, rw_wedge_slope_term(rw_wedge_epsilon_minus(difference, n), n, kl));
    terms.reflection_zero = rw_complex_mul(minus, rw_wedge_slope_term(rw_wedge_epsilon_minus(sum, n), n, kl));
    terms.reflection_n = rw_complex_mul(factor, rw_wedge_slope_term(rw_wedge_epsilon_plus(sum, n), n, kl));
    return terms;
}

/* Angles between ray and face, by which the faces reflect: the smaller of source's and observer's. */
RW_FN double rw_wedge_angle_to_zero_face(const rw_wedge_geometry *geometry)
{
    double source = geometry->source_angle_rad, observer = geometry->observer_angle_rad;
    return source < observer ? source : observer;
}

RW_FN double rw_wedge_angle_to_n_face(const rw_wedge_geometry *geometry)
{
    double source = geometry->source_angle_rad, observer = geometry->observer_angle_rad;
    return geometry->exterior_over_pi * RW_PI - (source > observer ? source : observer);
}

/* How the faces reflect, and Holm's factor on the incidence term of the unlit side. */
typedef struct rw_wedge_faces {
    rw_te_tm zero, n;
    int holm;
} rw_wedge_faces;

RW_FN rw_complex rw_wedge_combine(const rw_wedge_geometry *geometry, const rw_wedge_terms *terms,
                                  rw_complex reflection_zero, rw_complex reflection_n, int holm)
{
    int beyond = geometry->observer_angle_rad >= geometry->source_angle_rad;
    rw_complex lit = beyond ? terms->incidence_below : terms->incidence_above;
    rw_complex unlit = beyond ? terms->incidence_above : terms->incidence_below;
    if (holm) /* Holm 2000, eq. (9): Gamma_0 Gamma_n on the term that has no boundary outside the wedge */
        unlit = rw_complex_mul(unlit, rw_complex_mul(reflection_zero, reflection_n));
    rw_complex reflected = rw_complex_add(rw_complex_mul(reflection_zero, terms->reflection_zero),
                                          rw_complex_mul(reflection_n, terms->reflection_n));
    return rw_complex_add(rw_complex_add(lit, unlit), reflected);
}

/* D soft (electric field along the edge) and hard (across it), or their slope from rw_wedge_slope_terms_of. */
RW_FN rw_soft_hard rw_wedge_coefficients_of(const rw_wedge_geometry *geometry, const rw_wedge_terms *terms,
                                            const rw_wedge_faces *faces)
{
    rw_soft_hard result;
    result.soft = rw_wedge_combine(geometry, terms, faces->zero.te, faces->n.te, faces->holm);
    result.hard = rw_wedge_combine(geometry, terms, faces->zero.tm, faces->n.tm, faces->holm);
    return result;
}

/* Faces of one material; eps is ignored for a perfect conductor. */
RW_FN rw_wedge_faces rw_wedge_faces_of(const rw_wedge_geometry *geometry, rw_complex permittivity,
                                       int perfect_conductor, int holm)
{
    double cosine_zero = geometry->sine_edge_angle * sin(rw_wedge_angle_to_zero_face(geometry));
    double cosine_n = geometry->sine_edge_angle * sin(rw_wedge_angle_to_n_face(geometry));
    rw_wedge_faces faces;
    faces.zero = perfect_conductor ? rw_fresnel_perfect_conductor().reflection
                                   : rw_fresnel(permittivity, cosine_zero).reflection;
    faces.n =
        perfect_conductor ? rw_fresnel_perfect_conductor().reflection : rw_fresnel(permittivity, cosine_n).reflection;
    faces.holm = holm && !perfect_conductor;
    return faces;
}

/* The slope coefficients d = (1/(j k sin(beta0))) dD/dphi' in m^{3/2}: a field whose derivative across the ray at the
 * edge is dE/dn gives, beside E D, the part dE/dn d with the same spreading and phase (Hwang and Kouyoumjian, URSI
 * 1974). */
RW_FN rw_soft_hard rw_wedge_slope_coefficients_of(const rw_wedge_geometry *geometry, const rw_wedge_faces *faces,
                                                  double wavenumber)
{
    rw_wedge_terms terms = rw_wedge_slope_terms_of(geometry, wavenumber);
    rw_soft_hard slope = rw_wedge_coefficients_of(geometry, &terms, faces);
    rw_complex over_jk = rw_complex_of(0.0, -1.0 / (wavenumber * geometry->sine_edge_angle));
    slope.soft = rw_complex_mul(slope.soft, over_jk);
    slope.hard = rw_complex_mul(slope.hard, over_jk);
    return slope;
}

/* L for a spherical wave; Kouyoumjian and Pathak, eq. (33). */
RW_FN double rw_wedge_distance_spherical_m(double source_m, double observer_m, double sine_edge_angle)
{
    return source_m * observer_m / (source_m + observer_m) * sine_edge_angle * sine_edge_angle;
}

/* A for a spherical wave: the diffracted field is E(edge) D A e^{-j k s}. Kouyoumjian and Pathak, eq. (24). */
RW_FN double rw_wedge_spreading_spherical(double source_m, double observer_m)
{
    return sqrt(source_m / (observer_m * (source_m + observer_m)));
}

#endif
