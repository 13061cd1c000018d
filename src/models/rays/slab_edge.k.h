/* Diffraction at the edge of a wall that lets some of the wave through, free or where a pane of another kind begins.
 *
 * From the incident field and the directions of the two rays to the diffracted field: the half plane of the uniform
 * theory of diffraction with its incidence terms times 1 - T and its reflection terms times R of the wall (Burnside and
 * Burgener, IEEE Trans. AP 31, 1983), as dyads (wedge_dyad.k.h). So the total field stays continuous where the direct
 * ray begins to go through the wall and where its reflection ends. Where the wall meets a pane of its plane, as at the
 * frame of a window, what jumps there is the difference of two half planes: T' - T in place of 1 - T, R - R' in place
 * of R, with T', R' of the pane; a pane of air gives the free edge back. Valid for walls thin against the distances. */
#ifndef RW_MODELS_RAYS_SLAB_EDGE_K_H
#define RW_MODELS_RAYS_SLAB_EDGE_K_H

#include "discretise/surfaces/free_edges.k.h"
#include "models/rays/ray_world.k.h"
#include "field/edges/wedge_dyad.k.h"

/* Response of what lies beyond an edge: nothing, or a pane. */
RW_FN rw_wall_response rw_edge_beyond(const rw_ray_world *world, const rw_free_edge *edge, double cosine)
{
    rw_complex one = rw_complex_make(1.0, 0.0), zero = rw_complex_make(0.0, 0.0);
    rw_wall_response nothing = {{zero, zero}, {zero, zero}, {one, one}};
    if (edge->other == RW_NO_SURFACE)
        return nothing;
    return rw_world_response(world, world->surfaces.surfaces[edge->other].kind, cosine);
}

/* T' - T in edge-fixed components, at the shadow boundary: the ray goes on in its own direction. */
RW_FN rw_matrix2 rw_edge_hidden(rw_vec3 edge, rw_vec3 direction, rw_vec3 normal, rw_te_tm beyond, rw_te_tm through)
{
    rw_edge_basis out = rw_edge_basis_diffracted(edge, direction);
    rw_complex one = rw_complex_make(1.0, 0.0);
    rw_te_tm hidden = {rw_complex_sub(beyond.te, through.te), rw_complex_sub(beyond.tm, through.tm)};
    rw_vec3c of_beta = rw_transmit_field(rw_vec3c_along(one, out.beta), direction, normal, hidden);
    rw_vec3c of_phi = rw_transmit_field(rw_vec3c_along(one, out.phi), direction, normal, hidden);
    rw_matrix2 matrix = {rw_vec3c_dot(of_beta, out.beta), rw_vec3c_dot(of_phi, out.beta),
                         rw_vec3c_dot(of_beta, out.phi), rw_vec3c_dot(of_phi, out.phi)};
    return matrix;
}

/* Reflection terms of one face, the wall's response taken at the angle at which that face mirrors. */
RW_FN rw_matrix2 rw_edge_face(const rw_ray_world *world, const rw_free_edge *free_edge, const rw_edge_frame *frame,
                              rw_vec3 normal, double angle_rad, double cosine_edge)
{
    const rw_surface *surface = &world->surfaces.surfaces[free_edge->surface];
    rw_vec3 direction = rw_face_direction(frame->edge, frame->zero_along, normal, angle_rad, cosine_edge);
    double cosine = fabs(rw_vec3_dot(direction, normal));
    rw_wall_response wall = rw_world_response(world, surface->kind, cosine);
    rw_te_tm reflection = rw_world_from_back(surface, direction) ? wall.back : wall.front;
    if (free_edge->other != RW_NO_SURFACE) {
        rw_wall_response beyond = rw_edge_beyond(world, free_edge, cosine);
        const rw_surface *pane = &world->surfaces.surfaces[free_edge->other];
        rw_te_tm its = rw_world_from_back(pane, direction) ? beyond.back : beyond.front;
        reflection.te = rw_complex_sub(reflection.te, its.te);
        reflection.tm = rw_complex_sub(reflection.tm, its.tm);
    }
    return rw_face_matrix_of(frame->edge, direction, normal, reflection);
}

/* The diffracted field per unit of spreading, as rw_diffract_field has it. */
RW_FN rw_vec3c rw_diffract_at_edge(const rw_ray_world *world, const rw_free_edge *free_edge, rw_vec3c field,
                                   rw_vec3 incident, rw_vec3 diffracted, double before_m, double after_m)
{
    const rw_surface *surface = &world->surfaces.surfaces[free_edge->surface];
    rw_edge_frame frame;
    frame.zero_along = free_edge->along;
    frame.zero_normal = surface->normal;
    frame.edge = rw_vec3_cross(free_edge->along, surface->normal);
    frame.exterior_over_pi = 2.0;
    double cosine = rw_vec3_dot(incident, frame.edge);
    cosine = cosine > RW_EDGE_COSINE_MAX    ? RW_EDGE_COSINE_MAX
             : cosine < -RW_EDGE_COSINE_MAX ? -RW_EDGE_COSINE_MAX
                                            : cosine;
    double sine = sqrt(1.0 - cosine * cosine);
    rw_wedge_geometry geometry = {2.0, rw_edge_angle_rad(&frame, rw_vec3_scale(incident, -1.0)),
                                  rw_edge_angle_rad(&frame, diffracted), sine,
                                  rw_wedge_distance_spherical_m(before_m, after_m, sine)};
    rw_wedge_terms terms = rw_wedge_terms_of(&geometry, 2.0 * RW_PI / world->wavelength_m);
    int source_first = geometry.source_angle_rad <= geometry.observer_angle_rad;
    double zero = rw_wedge_angle_to_zero_face(&geometry), far = rw_wedge_angle_to_n_face(&geometry);
    rw_vec3 far_normal = rw_vec3_scale(frame.zero_normal, -1.0);
    double steep = fabs(rw_vec3_dot(incident, surface->normal));
    rw_wall_response wall = rw_world_response(world, surface->kind, steep);
    rw_wall_response beyond = rw_edge_beyond(world, free_edge, steep);
    rw_matrix2 none = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    rw_matrix2 d =
        rw_matrix2_add_scaled(none, rw_edge_hidden(frame.edge, incident, surface->normal, beyond.through, wall.through),
                              rw_complex_add(terms.incidence_above, terms.incidence_below));
    d = rw_matrix2_add_scaled(
        d, rw_edge_face(world, free_edge, &frame, frame.zero_normal, source_first ? zero : RW_PI - zero, cosine),
        terms.reflection_zero);
    d = rw_matrix2_add_scaled(
        d, rw_edge_face(world, free_edge, &frame, far_normal, source_first ? RW_PI - far : far, cosine),
        terms.reflection_n);
    rw_edge_basis in = rw_edge_basis_incident(frame.edge, incident);
    rw_edge_basis out = rw_edge_basis_diffracted(frame.edge, diffracted);
    rw_complex beta = rw_vec3c_dot(field, in.beta), phi = rw_vec3c_dot(field, in.phi);
    rw_complex to_beta = rw_complex_add(rw_complex_mul(d.beta_beta, beta), rw_complex_mul(d.beta_phi, phi));
    rw_complex to_phi = rw_complex_add(rw_complex_mul(d.phi_beta, beta), rw_complex_mul(d.phi_phi, phi));
    rw_complex minus = rw_complex_make(-1.0, 0.0);
    return rw_vec3c_add(rw_vec3c_along(rw_complex_mul(minus, to_beta), out.beta),
                        rw_vec3c_along(rw_complex_mul(minus, to_phi), out.phi));
}

/* A path over a free edge; 0 where there is none. */
typedef struct rw_slab_edge_path {
    rw_vec3 point, incident, diffracted;
    double before_m, after_m;
} rw_slab_edge_path;

RW_FN int rw_edge_path_solve(const rw_ray_world *world, const rw_free_edge *edge, rw_vec3 receiver,
                             rw_slab_edge_path *path)
{
    if (!rw_keller_point(edge, world->source, receiver, &path->point))
        return 0;
    rw_vec3 before = rw_vec3_sub(path->point, world->source), after = rw_vec3_sub(receiver, path->point);
    path->before_m = rw_vec3_length(before);
    path->after_m = rw_vec3_length(after);
    path->incident = rw_vec3_scale(before, 1 / path->before_m);
    path->diffracted = rw_vec3_scale(after, 1 / path->after_m);
    return !rw_surfaces_between(&world->surfaces, world->source, path->point, edge->surface, edge->other) &&
           !rw_surfaces_between(&world->surfaces, path->point, receiver, edge->surface, edge->other);
}

RW_FN rw_ray_arrival rw_edge_arrival(const rw_ray_world *world, const rw_free_edge *edge, const rw_slab_edge_path *path)
{
    rw_vec3c sent = rw_pattern_vector(&world->transmitter, path->incident);
    rw_vec3c field =
        rw_diffract_at_edge(world, edge, sent, path->incident, path->diffracted, path->before_m, path->after_m);
    /* rw_ray_gain divides by a spreading: one over before_m, times that of the diffracted ray. */
    double spreading_m = path->before_m / rw_wedge_spreading_spherical(path->before_m, path->after_m);
    double length_m = path->before_m + path->after_m;
    rw_ray_arrival ray;
    ray.direction = path->diffracted;
    ray.gain = rw_ray_gain(field, &world->receiver, path->diffracted, spreading_m, length_m, world->wavelength_m);
    ray.delay_s = length_m / RW_SPEED_OF_LIGHT_M_S;
    ray.diffuse = 0;
    return ray;
}

#endif
