/* Diffraction at the two edges of one face, the ray between them running in the face: over a flat roof, or round two
 * corners of one wall.
 *
 * From the angles of the rays before and behind to the factors of both edges. A product of ordinary coefficients has no
 * meaning there: at grazing incidence the wave and its reflection are one, and over a soft face both vanish and only
 * their slope is left. Each edge here has the field at the face, D with the face hard, and its slope off the face, D'
 * with the face soft; a face of normalised surface impedance Delta lets the wave over the length s grow with height as
 * 1 + j k Delta h and weakens it by Norton's F(p), p = -j k s Delta^2 / 2 (Norton, Proc. IRE 24, 1936; Wait 1962), so
 * that the two edges together are
 *
 *     1/2 F(p) (D1 + Delta D1' / sin(beta1)) (D2 + Delta D2' / sin(beta2)).
 *
 * A perfect conductor is hard across the edge, D1 D2 / 2, and soft along it, D1' D2' / (2 j k s sin(beta1) sin(beta2)):
 * slope diffraction (McNamara, Pistorius and Malherbe 1990, section 6.6). Valid where both legs at each edge are longer
 * than a wavelength; what the other face of an edge mixes of the two polarisations of oblique rays is left out. */
#ifndef RW_FIELD_EDGES_FACE_LEG_K_H
#define RW_FIELD_EDGES_FACE_LEG_K_H

#include "field/edges/wedge_dyad.k.h"

#define RW_IMPEDANCE_SOFT 1e6 /* stands for an infinite one */

/* One value for the field along the edge (soft by a conductor) and one for that across it. */
typedef struct rw_along_across {
    rw_complex along, across;
} rw_along_across;

/* Surface impedance of a face over that of space, at grazing incidence, for the electric field across the edge; for
 * that along it, one over the same of the magnetic field. */
RW_FN rw_along_across rw_grazing_impedance(const rw_wedge_material *material)
{
    rw_along_across impedance = {{RW_IMPEDANCE_SOFT, 0.0}, {0.0, 0.0}};
    if (material->perfect_conductor)
        return impedance;
    impedance.along = rw_complex_sqrt(rw_complex_sub(material->permittivity, rw_complex_of(1.0, 0.0)));
    impedance.across = rw_complex_div(impedance.along, material->permittivity);
    return impedance;
}

/* Norton's F(p) = 1 - j sqrt(pi p) e^{-p} erfc(j sqrt p), by its argument j sqrt p = sqrt(j k s / 2) Delta. */
RW_FN rw_complex rw_ground_wave(rw_complex argument)
{
    rw_complex one = rw_complex_of(1.0, 0.0), square = rw_complex_mul(argument, argument); /* -p */
    if (rw_complex_abs2(square) > 2500.0) { /* -1/2p - 3/(2p)^2 - 15/(2p)^3 - 105/(2p)^4 */
        rw_complex q = rw_complex_div(one, rw_complex_scale(square, 2.0)); /* -1/2p */
        rw_complex sum = rw_complex_sub(rw_complex_of(15.0, 0.0), rw_complex_scale(q, 105.0));
        sum = rw_complex_sub(rw_complex_of(3.0, 0.0), rw_complex_mul(q, sum));
        return rw_complex_mul(q, rw_complex_sub(one, rw_complex_mul(q, sum)));
    }
    rw_complex scaled =
        rw_complex_abs2(argument) < 4.0 ? rw_scaled_erfc_series(argument) : rw_scaled_erfc_fraction(argument);
    return rw_complex_sub(one, rw_complex_scale(rw_complex_mul(argument, scaled), sqrt(RW_PI)));
}

/* 1/2 F over a leg of the face. */
RW_FN rw_along_across rw_face_leg_factor(const rw_wedge_material *material, double leg_m, double wavenumber)
{
    rw_along_across impedance = rw_grazing_impedance(material), factor;
    rw_complex root = rw_complex_polar(sqrt(0.5 * wavenumber * leg_m), 0.25 * RW_PI);
    factor.along = rw_complex_scale(rw_ground_wave(rw_complex_mul(root, impedance.along)), 0.5);
    factor.across = rw_complex_scale(rw_ground_wave(rw_complex_mul(root, impedance.across)), 0.5);
    return factor;
}

/* D + Delta D' / sin(beta) of one edge: angle_rad from the face to the ray that is not in it. */
RW_FN rw_along_across rw_face_edge_factor(double exterior_over_pi, double angle_rad, double sine_edge_angle,
                                          double distance_parameter_m, const rw_wedge_material *material,
                                          double wavenumber)
{
    rw_wedge_geometry geometry = {exterior_over_pi, 0.0, angle_rad, sine_edge_angle, distance_parameter_m};
    rw_wedge_terms terms = rw_wedge_terms_of(&geometry, wavenumber);
    rw_wedge_terms slopes = rw_wedge_slope_terms_of(&geometry, wavenumber);
    rw_te_tm other = rw_wedge_faces_of(&geometry, material->permittivity, material->perfect_conductor, 1).n;
    rw_along_across impedance = rw_grazing_impedance(material), factor;
    rw_complex hard = rw_complex_of(1.0, 0.0), soft = rw_complex_of(-1.0, 0.0);
    double over_sine = 1.0 / sine_edge_angle;
    factor.along = rw_complex_add(
        rw_wedge_combine(&geometry, &terms, hard, other.te, 1),
        rw_complex_scale(rw_complex_mul(impedance.along, rw_wedge_combine(&geometry, &slopes, soft, other.te, 1)),
                         over_sine));
    factor.across = rw_complex_add(
        rw_wedge_combine(&geometry, &terms, hard, other.tm, 1),
        rw_complex_scale(rw_complex_mul(impedance.across, rw_wedge_combine(&geometry, &slopes, soft, other.tm, 1)),
                         over_sine));
    return factor;
}

/* A field that meets an edge and leaves it, one of the two rays in a face of the edge. leg_m: of a ray that arrives in
 * the face, its way from the edge before; 0 where it leaves in the face. As rw_diffract_field otherwise. */
RW_FN rw_vec3c rw_diffract_face(rw_vec3c field, const rw_edge_frame *frame, rw_vec3 incident, rw_vec3 diffracted,
                                double before_m, double after_m, int far_face, double leg_m,
                                const rw_wedge_material *material, double wavenumber)
{
    double cosine = rw_vec3_dot(incident, frame->edge);
    cosine = cosine > RW_EDGE_COSINE_MAX    ? RW_EDGE_COSINE_MAX
             : cosine < -RW_EDGE_COSINE_MAX ? -RW_EDGE_COSINE_MAX
                                            : cosine;
    double sine = sqrt(1.0 - cosine * cosine);
    double angle = rw_edge_angle_rad(frame, leg_m > 0 ? diffracted : rw_vec3_scale(incident, -1.0));
    angle = far_face ? frame->exterior_over_pi * RW_PI - angle : angle;
    rw_along_across factor =
        rw_face_edge_factor(frame->exterior_over_pi, angle, sine,
                            rw_wedge_distance_spherical_m(before_m, after_m, sine), material, wavenumber);
    if (leg_m > 0) {
        rw_along_across leg = rw_face_leg_factor(material, leg_m, wavenumber);
        factor.along = rw_complex_mul(factor.along, leg.along);
        factor.across = rw_complex_mul(factor.across, leg.across);
    }
    rw_edge_basis in = rw_edge_basis_incident(frame->edge, incident);
    rw_edge_basis out = rw_edge_basis_diffracted(frame->edge, diffracted);
    rw_complex beta = rw_complex_mul(factor.along, rw_vec3c_dot(field, in.beta));
    rw_complex phi = rw_complex_mul(factor.across, rw_vec3c_dot(field, in.phi));
    return rw_vec3c_add(rw_vec3c_along(rw_complex_scale(beta, -1.0), out.beta),
                        rw_vec3c_along(rw_complex_scale(phi, -1.0), out.phi));
}

#endif
