/* Diffraction at the edge of a wall that lets some of the wave through: free, where a pane of another kind begins, or
 * where two walls meet at an angle.
 *
 * From the incident field and the directions of the two rays to the diffracted field: the half plane of the uniform
 * theory of diffraction with its incidence terms times 1 - T and its reflection terms times R of the wall (Burnside and
 * Burgener, IEEE Trans. AP 31, 1983), as dyads (wedge_dyad.k.h). So the total field stays continuous where the direct
 * ray begins to go through the wall and where its reflection ends. Where the wall meets a pane of its plane, as at the
 * frame of a window, what jumps there is the difference of two half planes: T' - T in place of 1 - T, R - R' in place
 * of R, with T', R' of the pane; a pane of air gives the free edge back. Where two walls meet, the wedge of the uniform
 * theory has each wall's R, its incidence term of the lit side times 1 - T T' of both walls, through which a ray just
 * beyond the edge goes, and that of the unlit side times R R' (Holm 2000); walls that let nothing through give the
 * wedge of wedge_dyad.k.h. Valid for walls thin against the distances. */
#ifndef RW_MODELS_RAYS_SLAB_EDGE_K_H
#define RW_MODELS_RAYS_SLAB_EDGE_K_H

#include "discretise/surfaces/free_edges.k.h"
#include "models/rays/ray_view.k.h"
#include "field/edges/wedge_dyad.k.h"

/* Response of what lies beyond an edge: nothing, or a pane. */
RW_FN rw_wall_response rw_edge_beyond(const rw_ray_view *view, const rw_free_edge *edge, double cosine)
{
    rw_complex one = rw_complex_of(1.0, 0.0), zero = rw_complex_of(0.0, 0.0);
    rw_wall_response nothing = {{zero, zero}, {zero, zero}, {one, one}};
    if (edge->other == RW_NO_SURFACE)
        return nothing;
    return rw_ray_view_response(view, view->surfaces.surfaces[edge->other].kind, cosine);
}

/* What a wall lets through in edge-fixed components, of a ray that goes on in its own direction. */
RW_FN rw_matrix2 rw_edge_through(rw_vec3 edge, rw_vec3 direction, rw_vec3 normal, rw_te_tm through)
{
    rw_edge_basis out = rw_edge_basis_diffracted(edge, direction);
    rw_complex one = rw_complex_of(1.0, 0.0);
    rw_vec3c of_beta = rw_transmit_field(rw_vec3c_along(one, out.beta), direction, normal, through);
    rw_vec3c of_phi = rw_transmit_field(rw_vec3c_along(one, out.phi), direction, normal, through);
    rw_matrix2 matrix = {rw_vec3c_dot(of_beta, out.beta), rw_vec3c_dot(of_phi, out.beta),
                         rw_vec3c_dot(of_beta, out.phi), rw_vec3c_dot(of_phi, out.phi)};
    return matrix;
}

RW_FN rw_te_tm rw_te_tm_less(rw_te_tm a, rw_te_tm b)
{
    rw_te_tm result = {rw_complex_sub(a.te, b.te), rw_complex_sub(a.tm, b.tm)};
    return result;
}

/* What a surface reflects of a ray along direction, seen from its plane: its face is nearer to both ends, by as much
 * as the phase shows. In the plane: that face is in the plane itself. */
RW_FN rw_te_tm rw_edge_reflection(const rw_ray_view *view, uint32_t index, rw_vec3 direction, int in_plane)
{
    const rw_surface *surface = &view->surfaces.surfaces[index];
    double cosine = fabs(rw_vec3_dot(direction, surface->normal));
    double face_m = in_plane ? 0.0 : rw_surface_face_m(surface, &view->slabs[surface->kind]);
    rw_wall_response wall = rw_ray_view_response(view, surface->kind, cosine);
    rw_te_tm reflection = rw_ray_from_back(surface, direction) ? wall.back : wall.front;
    rw_complex turn = rw_complex_polar(1.0, 4.0 * RW_PI * face_m * cosine / view->wavelength_m);
    reflection.te = rw_complex_mul(reflection.te, turn);
    reflection.tm = rw_complex_mul(reflection.tm, turn);
    return reflection;
}

/* Reflection terms of a face of an edge, the wall's response taken at the angle at which that face mirrors. pane:
 * what begins beyond the edge in the same plane; RW_NO_SURFACE: nothing. */
RW_FN rw_matrix2 rw_edge_face(const rw_ray_view *view, uint32_t surface, uint32_t pane, rw_vec3 edge, rw_vec3 along,
                              rw_vec3 normal, double angle_rad, double cosine_edge, int in_plane)
{
    rw_vec3 direction = rw_face_direction(edge, along, normal, angle_rad, cosine_edge);
    rw_te_tm reflection = rw_edge_reflection(view, surface, direction, in_plane);
    if (pane != RW_NO_SURFACE)
        reflection = rw_te_tm_less(reflection, rw_edge_reflection(view, pane, direction, in_plane));
    return rw_face_matrix_of(edge, direction, normal, reflection);
}

RW_FN rw_edge_frame rw_free_edge_frame(const rw_free_edge *edge)
{
    rw_edge_frame frame;
    frame.zero_along = edge->along;
    frame.zero_normal = edge->normal;
    frame.edge = rw_vec3_cross(edge->along, edge->normal);
    frame.exterior_over_pi = edge->exterior_over_pi;
    return frame;
}

/* What the incidence term of the lit side is multiplied with at an edge where two walls meet: 1 - T T'. opaque: walls
 * let nothing through. */
RW_FN rw_matrix2 rw_wedge_hidden(const rw_ray_view *view, const rw_free_edge *edge, rw_vec3 line, rw_vec3 incident,
                                 int opaque)
{
    rw_complex one = rw_complex_of(1.0, 0.0), zero = rw_complex_of(0.0, 0.0);
    rw_matrix2 unit = {one, zero, zero, one}, through = unit;
    for (int i = 0; i < 2; i++) {
        const rw_surface *face = &view->surfaces.surfaces[i ? edge->other : edge->surface];
        rw_te_tm of_face = rw_ray_view_response(view, face->kind, fabs(rw_vec3_dot(incident, face->normal))).through;
        through = rw_matrix2_mul(rw_edge_through(line, incident, face->normal, of_face), through);
    }
    return opaque ? unit : rw_matrix2_add_scaled(unit, through, rw_complex_of(-1.0, 0.0));
}

/* D of an edge where two walls meet, or where one ends, in edge-fixed components. */
RW_FN rw_matrix2 rw_slab_edge_matrix(const rw_ray_view *view, const rw_free_edge *free_edge, const rw_edge_frame *frame,
                                     const rw_wedge_geometry *geometry, rw_vec3 incident, int opaque)
{
    rw_wedge_terms terms = rw_wedge_terms_of(geometry, 2.0 * RW_PI / view->wavelength_m);
    int source_first = geometry->source_angle_rad <= geometry->observer_angle_rad;
    int wedge = rw_edge_is_wedge(free_edge);
    double zero = rw_wedge_angle_to_zero_face(geometry), far = rw_wedge_angle_to_n_face(geometry);
    double exterior_rad = frame->exterior_over_pi * RW_PI, cosine = rw_vec3_dot(incident, frame->edge);
    cosine = cosine > RW_EDGE_COSINE_MAX    ? RW_EDGE_COSINE_MAX
             : cosine < -RW_EDGE_COSINE_MAX ? -RW_EDGE_COSINE_MAX
                                            : cosine;
    rw_vec3 far_along = rw_vec3_add(rw_vec3_scale(frame->zero_along, cos(exterior_rad)),
                                    rw_vec3_scale(frame->zero_normal, sin(exterior_rad)));
    rw_vec3 far_normal = rw_vec3_add(rw_vec3_scale(frame->zero_along, sin(exterior_rad)),
                                     rw_vec3_scale(frame->zero_normal, -cos(exterior_rad)));
    uint32_t pane = wedge ? RW_NO_SURFACE : free_edge->other;
    rw_matrix2 face_zero = rw_edge_face(view, free_edge->surface, pane, frame->edge, frame->zero_along,
                                        frame->zero_normal, source_first ? zero : RW_PI - zero, cosine, opaque);
    rw_matrix2 face_n = rw_edge_face(view, wedge ? free_edge->other : free_edge->surface, pane, frame->edge, far_along,
                                     far_normal, source_first ? RW_PI - far : far, cosine, opaque);
    rw_complex none = rw_complex_of(0.0, 0.0);
    rw_matrix2 d = {none, none, none, none};
    if (wedge) {
        rw_complex lit = source_first ? terms.incidence_below : terms.incidence_above;
        rw_complex unlit = source_first ? terms.incidence_above : terms.incidence_below;
        d = rw_matrix2_add_scaled(d, rw_wedge_hidden(view, free_edge, frame->edge, incident, opaque), lit);
        d = rw_matrix2_add_scaled(
            d, source_first ? rw_matrix2_mul(face_n, face_zero) : rw_matrix2_mul(face_zero, face_n), unlit);
    } else {
        const rw_surface *surface = &view->surfaces.surfaces[free_edge->surface];
        double steep = fabs(rw_vec3_dot(incident, surface->normal));
        rw_te_tm beyond = rw_edge_beyond(view, free_edge, steep).through;
        rw_te_tm through = rw_ray_view_response(view, surface->kind, steep).through, dark = {none, none};
        rw_te_tm hidden = !opaque ? rw_te_tm_less(beyond, through) : pane == RW_NO_SURFACE ? beyond : dark;
        d = rw_matrix2_add_scaled(d, rw_edge_through(frame->edge, incident, surface->normal, hidden),
                                  rw_complex_add(terms.incidence_above, terms.incidence_below));
    }
    d = rw_matrix2_add_scaled(d, face_zero, terms.reflection_zero);
    return rw_matrix2_add_scaled(d, face_n, terms.reflection_n);
}

/* The diffracted field per unit of spreading, as rw_diffract_field has it. opaque: walls let nothing through. */
RW_FN rw_vec3c rw_diffract_at_edge(const rw_ray_view *view, const rw_free_edge *free_edge, rw_vec3c field,
                                   rw_vec3 incident, rw_vec3 diffracted, double before_m, double after_m, int opaque)
{
    rw_edge_frame frame = rw_free_edge_frame(free_edge);
    double cosine = rw_vec3_dot(incident, frame.edge);
    double sine = sqrt(1.0 - fmin(cosine * cosine, RW_EDGE_COSINE_MAX * RW_EDGE_COSINE_MAX));
    rw_wedge_geometry geometry = {frame.exterior_over_pi, rw_edge_angle_rad(&frame, rw_vec3_scale(incident, -1.0)),
                                  rw_edge_angle_rad(&frame, diffracted), sine,
                                  rw_wedge_distance_spherical_m(before_m, after_m, sine)};
    rw_matrix2 d = rw_slab_edge_matrix(view, free_edge, &frame, &geometry, incident, opaque);
    rw_edge_basis in = rw_edge_basis_incident(frame.edge, incident);
    rw_edge_basis out = rw_edge_basis_diffracted(frame.edge, diffracted);
    rw_complex beta = rw_vec3c_dot(field, in.beta), phi = rw_vec3c_dot(field, in.phi);
    rw_complex to_beta = rw_complex_add(rw_complex_mul(d.beta_beta, beta), rw_complex_mul(d.beta_phi, phi));
    rw_complex to_phi = rw_complex_add(rw_complex_mul(d.phi_beta, beta), rw_complex_mul(d.phi_phi, phi));
    rw_complex minus = rw_complex_of(-1.0, 0.0);
    return rw_vec3c_add(rw_vec3c_along(rw_complex_mul(minus, to_beta), out.beta),
                        rw_vec3c_along(rw_complex_mul(minus, to_phi), out.phi));
}

/* Whether a way from the edge runs in its open angle. */
RW_FN int rw_edge_is_open(const rw_free_edge *edge, rw_vec3 direction)
{
    rw_edge_frame frame = rw_free_edge_frame(edge);
    return !rw_edge_is_wedge(edge) || rw_edge_angle_rad(&frame, direction) < frame.exterior_over_pi * RW_PI;
}

/* A path over a free edge; 0 where there is none. */
typedef struct rw_slab_edge_path {
    rw_vec3 point, incident, diffracted;
    double before_m, after_m;
} rw_slab_edge_path;

RW_FN int rw_edge_path_solve(const rw_ray_view *view, const rw_free_edge *edge, rw_vec3 receiver,
                             rw_slab_edge_path *path)
{
    if (!rw_keller_point(edge, view->source, receiver, &path->point))
        return 0;
    rw_vec3 before = rw_vec3_sub(path->point, view->source), after = rw_vec3_sub(receiver, path->point);
    path->before_m = rw_vec3_length(before);
    path->after_m = rw_vec3_length(after);
    path->incident = rw_vec3_scale(before, 1 / path->before_m);
    path->diffracted = rw_vec3_scale(after, 1 / path->after_m);
    return rw_edge_is_open(edge, after) && rw_edge_is_open(edge, rw_vec3_scale(before, -1.0)) &&
           !rw_surfaces_between(&view->surfaces, view->source, path->point, edge->surface, edge->other) &&
           !rw_surfaces_between(&view->surfaces, path->point, receiver, edge->surface, edge->other);
}

RW_FN rw_ray_arrival rw_edge_arrival(const rw_ray_view *view, const rw_free_edge *edge, const rw_slab_edge_path *path)
{
    rw_vec3c sent = rw_pattern_vector(&view->transmitter, path->incident);
    rw_vec3c field =
        rw_diffract_at_edge(view, edge, sent, path->incident, path->diffracted, path->before_m, path->after_m, 0);
    /* rw_ray_gain divides by a spreading: one over before_m, times that of the diffracted ray. */
    double spreading_m = path->before_m / rw_wedge_spreading_spherical(path->before_m, path->after_m);
    double length_m = path->before_m + path->after_m;
    rw_ray_arrival ray;
    ray.direction = path->diffracted;
    ray.gain = rw_ray_gain(field, &view->receiver, path->diffracted, spreading_m, length_m, view->wavelength_m);
    ray.delay_s = length_m / RW_SPEED_OF_LIGHT_M_S;
    ray.diffuse = 0;
    return ray;
}

#endif
