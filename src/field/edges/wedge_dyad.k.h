/* Diffraction of a vector field by an edge in space.
 *
 * From the incident field and the directions of the two rays to the diffracted field, in the edge-fixed bases of
 * Kouyoumjian and Pathak (1974), eqs. (19) to (22): D = -(beta' beta D_s + phi' phi D_h). For lossy faces and oblique
 * rays the faces mix the two: each face's term then carries the 2x2 reflection of that face in edge-fixed components
 * (after Luebbers, IEEE Trans. AP 37, 1989), so that the total vector field stays continuous across the reflection
 * boundaries, and Holm's factor on the incidence term of the unlit side is the product of both, in the order in which a
 * ray would meet the faces. Valid as wedge.k.h. */
#ifndef RW_FIELD_EDGES_WEDGE_DYAD_K_H
#define RW_FIELD_EDGES_WEDGE_DYAD_K_H

#include "field/paths/dyad.k.h"
#include "field/edges/wedge_terms.k.h"

/* An edge: its direction, and the 0-face by a direction in it away from the edge and its outward normal; edge = along x
 * normal. */
typedef struct rw_edge_frame {
    rw_vec3 edge, zero_along, zero_normal;
    double exterior_over_pi;
} rw_edge_frame;

/* What both faces of an edge are of, and whose coefficients they have. */
typedef struct rw_wedge_material {
    rw_complex permittivity;
    int perfect_conductor; /* the permittivity is ignored */
    int holm;              /* 0: after Luebbers */
} rw_wedge_material;

/* A ray along the edge is not diffracted but guided; it counts as one at this cosine, some 0.1 degrees off. */
#define RW_EDGE_COSINE_MAX 0.999998

typedef struct rw_edge_basis {
    rw_vec3 beta, phi;
} rw_edge_basis;

typedef struct rw_matrix2 {
    rw_complex beta_beta, beta_phi, phi_beta, phi_phi; /* to, from */
} rw_matrix2;

RW_FN rw_edge_basis rw_edge_basis_incident(rw_vec3 edge, rw_vec3 direction)
{
    rw_edge_basis basis;
    basis.phi = rw_vec3_scale(rw_perpendicular(edge, direction), -1.0);
    basis.beta = rw_vec3_cross(basis.phi, direction);
    return basis;
}

RW_FN rw_edge_basis rw_edge_basis_diffracted(rw_vec3 edge, rw_vec3 direction)
{
    rw_edge_basis basis;
    basis.phi = rw_perpendicular(edge, direction);
    basis.beta = rw_vec3_cross(basis.phi, direction);
    return basis;
}

/* Angle from the 0-face of a direction away from the edge, in [0, 2 pi). */
RW_FN double rw_edge_angle_rad(const rw_edge_frame *frame, rw_vec3 direction)
{
    double angle = atan2(rw_vec3_dot(direction, frame->zero_normal), rw_vec3_dot(direction, frame->zero_along));
    return angle < 0.0 ? angle + 2.0 * RW_PI : angle;
}

/* Direction of a ray that meets a face at angle_rad in the plane across the edge. */
RW_FN rw_vec3 rw_face_direction(rw_vec3 edge, rw_vec3 along, rw_vec3 normal, double angle_rad, double cosine_edge)
{
    double sine = sqrt(1.0 - cosine_edge * cosine_edge);
    rw_vec3 across = rw_vec3_add(rw_vec3_scale(along, -cos(angle_rad)), rw_vec3_scale(normal, -sin(angle_rad)));
    return rw_vec3_add(rw_vec3_scale(across, sine), rw_vec3_scale(edge, cosine_edge));
}

/* A face's reflection of a ray along direction in edge-fixed components: diag(-1, 1) for a perfect conductor. */
RW_FN rw_matrix2 rw_face_matrix_of(rw_vec3 edge, rw_vec3 direction, rw_vec3 normal, rw_te_tm reflection)
{
    rw_edge_basis in = rw_edge_basis_incident(edge, direction);
    rw_edge_basis out = rw_edge_basis_diffracted(edge, rw_reflected_direction(direction, normal));
    rw_complex minus = rw_complex_of(-1.0, 0.0);
    rw_vec3c of_beta = rw_reflect_field(rw_vec3c_along(minus, in.beta), direction, normal, reflection);
    rw_vec3c of_phi = rw_reflect_field(rw_vec3c_along(minus, in.phi), direction, normal, reflection);
    rw_matrix2 matrix = {rw_vec3c_dot(of_beta, out.beta), rw_vec3c_dot(of_phi, out.beta),
                         rw_vec3c_dot(of_beta, out.phi), rw_vec3c_dot(of_phi, out.phi)};
    return matrix;
}

/* The same of a half space. */
RW_FN rw_matrix2 rw_face_matrix(rw_vec3 edge, rw_vec3 along, rw_vec3 normal, double angle_rad, double cosine_edge,
                                const rw_wedge_material *material)
{
    rw_vec3 direction = rw_face_direction(edge, along, normal, angle_rad, cosine_edge);
    rw_te_tm reflection = material->perfect_conductor
                              ? rw_fresnel_perfect_conductor().reflection
                              : rw_fresnel(material->permittivity, rw_vec3_dot(direction, normal)).reflection;
    return rw_face_matrix_of(edge, direction, normal, reflection);
}

RW_FN rw_matrix2 rw_matrix2_add_scaled(rw_matrix2 sum, rw_matrix2 a, rw_complex factor)
{
    rw_matrix2 result = {rw_complex_add(sum.beta_beta, rw_complex_mul(a.beta_beta, factor)),
                         rw_complex_add(sum.beta_phi, rw_complex_mul(a.beta_phi, factor)),
                         rw_complex_add(sum.phi_beta, rw_complex_mul(a.phi_beta, factor)),
                         rw_complex_add(sum.phi_phi, rw_complex_mul(a.phi_phi, factor))};
    return result;
}

RW_FN rw_matrix2 rw_matrix2_mul(rw_matrix2 a, rw_matrix2 b)
{
    rw_matrix2 result = {
        rw_complex_add(rw_complex_mul(a.beta_beta, b.beta_beta), rw_complex_mul(a.beta_phi, b.phi_beta)),
        rw_complex_add(rw_complex_mul(a.beta_beta, b.beta_phi), rw_complex_mul(a.beta_phi, b.phi_phi)),
        rw_complex_add(rw_complex_mul(a.phi_beta, b.beta_beta), rw_complex_mul(a.phi_phi, b.phi_beta)),
        rw_complex_add(rw_complex_mul(a.phi_beta, b.beta_phi), rw_complex_mul(a.phi_phi, b.phi_phi))};
    return result;
}

/* The matrix D in edge-fixed components; geometry's angles and sine belong to the same rays as cosine_edge. */
RW_FN rw_matrix2 rw_wedge_matrix(const rw_edge_frame *frame, const rw_wedge_geometry *geometry, rw_wedge_terms terms,
                                 double cosine_edge, const rw_wedge_material *material)
{
    int source_first = geometry->source_angle_rad <= geometry->observer_angle_rad;
    /* The face's angle is the smaller one; where that is the observer's, the ray that mirrors into it came from pi
     * minus it. */
    double zero = rw_wedge_angle_to_zero_face(geometry), far = rw_wedge_angle_to_n_face(geometry);
    double exterior_rad = frame->exterior_over_pi * RW_PI;
    rw_vec3 far_along = rw_vec3_add(rw_vec3_scale(frame->zero_along, cos(exterior_rad)),
                                    rw_vec3_scale(frame->zero_normal, sin(exterior_rad)));
    rw_vec3 far_normal = rw_vec3_add(rw_vec3_scale(frame->zero_along, sin(exterior_rad)),
                                     rw_vec3_scale(frame->zero_normal, -cos(exterior_rad)));
    rw_matrix2 face_zero = rw_face_matrix(frame->edge, frame->zero_along, frame->zero_normal,
                                          source_first ? zero : RW_PI - zero, cosine_edge, material);
    rw_matrix2 face_n =
        rw_face_matrix(frame->edge, far_along, far_normal, source_first ? RW_PI - far : far, cosine_edge, material);
    rw_complex lit = source_first ? terms.incidence_below : terms.incidence_above;
    rw_complex unlit = source_first ? terms.incidence_above : terms.incidence_below;
    rw_complex one = rw_complex_of(1.0, 0.0), none = rw_complex_of(0.0, 0.0);
    rw_matrix2 matrix = {lit, none, none, lit}, unit = {one, none, none, one}, both = unit;
    if (material->holm)
        both = source_first ? rw_matrix2_mul(face_n, face_zero) : rw_matrix2_mul(face_zero, face_n);
    matrix = rw_matrix2_add_scaled(matrix, both, unlit);
    matrix = rw_matrix2_add_scaled(matrix, face_zero, terms.reflection_zero);
    return rw_matrix2_add_scaled(matrix, face_n, terms.reflection_n);
}

typedef enum rw_wedge_form { RW_WEDGE_REFERENCE, RW_WEDGE_FAST } rw_wedge_form; /* they agree to 1e-6 */

/* The diffracted field per unit of spreading: multiply by rw_wedge_spreading_spherical and the phasor of the way beyond
 * the edge. Directions are unit vectors along the two rays; before_m and after_m the ways to and from the edge. */
RW_FN rw_vec3c rw_diffract_field(rw_vec3c field, const rw_edge_frame *frame, rw_vec3 incident, rw_vec3 diffracted,
                                 double before_m, double after_m, const rw_wedge_material *material, double wavenumber,
                                 rw_wedge_form form)
{
    double cosine = rw_vec3_dot(incident, frame->edge);
    cosine = cosine > RW_EDGE_COSINE_MAX    ? RW_EDGE_COSINE_MAX
             : cosine < -RW_EDGE_COSINE_MAX ? -RW_EDGE_COSINE_MAX
                                            : cosine;
    double sine = sqrt(1.0 - cosine * cosine);
    rw_wedge_geometry geometry = {frame->exterior_over_pi, rw_edge_angle_rad(frame, rw_vec3_scale(incident, -1.0)),
                                  rw_edge_angle_rad(frame, diffracted), sine,
                                  rw_wedge_distance_spherical_m(before_m, after_m, sine)};
    rw_wedge_terms terms = form == RW_WEDGE_FAST ? rw_wedge_terms_fast_of(&geometry, wavenumber)
                                                 : rw_wedge_terms_of(&geometry, wavenumber);
    rw_matrix2 d = rw_wedge_matrix(frame, &geometry, terms, cosine, material);
    rw_edge_basis in = rw_edge_basis_incident(frame->edge, incident);
    rw_edge_basis out = rw_edge_basis_diffracted(frame->edge, diffracted);
    rw_complex beta = rw_vec3c_dot(field, in.beta), phi = rw_vec3c_dot(field, in.phi);
    rw_complex to_beta = rw_complex_add(rw_complex_mul(d.beta_beta, beta), rw_complex_mul(d.beta_phi, phi));
    rw_complex to_phi = rw_complex_add(rw_complex_mul(d.phi_beta, beta), rw_complex_mul(d.phi_phi, phi));
    rw_complex minus = rw_complex_of(-1.0, 0.0);
    return rw_vec3c_add(rw_vec3c_along(rw_complex_mul(minus, to_beta), out.beta),
                        rw_vec3c_along(rw_complex_mul(minus, to_phi), out.phi));
}

#endif
