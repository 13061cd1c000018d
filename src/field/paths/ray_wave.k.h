/* A wave along a ray that is reflected, diffracted and scattered, one after the other: equation (4) of Lu et al.
 * (2019).
 *
 * From the vector that an antenna sends to the field where the ray ends. The wavefront keeps two radii, so that each
 * edge finds the curvature that the edges before it have left: a plane mirror changes neither, an edge sets the one
 * across it to zero and takes the one along it from the plane of edge and ray (Kouyoumjian and Pathak 1974, eqs. (24)
 * to (28), straight edges), a scatterer sends a new spherical wave. The distance parameter of an edge is that of its
 * own two legs, to the edge, source or end next to it: exact for one edge and for parallel ones, and the same both ways
 * for any two. Scattered waves start anew (rw_patch_side): by power, with their polarisation against the vertical kept.
 * Valid as wedge_dyad.k.h and scatter.k.h. */
#ifndef RW_FIELD_PATHS_RAY_WAVE_K_H
#define RW_FIELD_PATHS_RAY_WAVE_K_H

#include "field/paths/ray_field.k.h"
#include "field/edges/face_leg.k.h"

typedef struct rw_wave {
    rw_vec3c amplitude; /* the field is this over sqrt(radius_across radius_along) */
    rw_vec3 direction;  /* of length 1 */
    rw_vec3 along;      /* across the ray, in the plane in which radius_along holds; 0 where both are one */
    double radius_across_m, radius_along_m;
    double leg_m;    /* since the source, the last edge or scatterer */
    double length_m; /* of the whole way */
} rw_wave;

RW_FN rw_wave rw_wave_start(const rw_pattern *antenna, rw_vec3 direction)
{
    rw_wave wave;
    wave.amplitude = rw_pattern_vector(antenna, direction);
    wave.direction = direction;
    wave.along = rw_vec3_of(0.0, 0.0, 0.0);
    wave.radius_across_m = wave.radius_along_m = wave.leg_m = wave.length_m = 0.0;
    return wave;
}

RW_FN void rw_wave_go(rw_wave *wave, double distance_m)
{
    wave->radius_across_m += distance_m;
    wave->radius_along_m += distance_m;
    wave->leg_m += distance_m;
    wave->length_m += distance_m;
}

RW_FN void rw_wave_reflect(rw_wave *wave, rw_vec3 normal, rw_te_tm reflection)
{
    wave->amplitude = rw_reflect_field(wave->amplitude, wave->direction, normal, reflection);
    wave->direction = rw_reflected_direction(wave->direction, normal);
    wave->along = rw_reflected_direction(wave->along, normal);
}

/* Which face of an edge a ray runs in. */
enum { RW_FACE_NONE, RW_FACE_ZERO, RW_FACE_FAR };

/* Radii behind an edge, and the factor that they take from the amplitude. */
RW_FN double rw_wave_diffract_radii(rw_wave *wave, const rw_edge_frame *frame, rw_vec3 direction)
{
    rw_vec3 in_plane = rw_edge_basis_incident(frame->edge, wave->direction).beta;
    double cosine = rw_vec3_dot(in_plane, wave->along), across = wave->radius_across_m, along = wave->radius_along_m;
    double curvature = cosine * cosine / along + (1.0 - cosine * cosine) / across; /* in the plane of edge and ray */
    wave->direction = direction;
    wave->along = rw_edge_basis_diffracted(frame->edge, direction).beta;
    wave->radius_across_m = 0.0;
    wave->radius_along_m = 1.0 / curvature;
    wave->leg_m = 0.0;
    return sqrt(1.0 / (curvature * across * along));
}

/* Bends the wave round an edge into a direction (unit), with the field per unit of spreading that leaves the edge. */
RW_FN void rw_wave_bend(rw_wave *wave, const rw_edge_frame *frame, rw_vec3 direction, rw_vec3c bent)
{
    wave->amplitude = rw_vec3c_scale(bent, rw_complex_of(rw_wave_diffract_radii(wave, frame, direction), 0.0));
}

/* The same with the field of a wedge; after_m is the way to the next edge, scatterer or end. */
RW_FN void rw_wave_diffract(rw_wave *wave, const rw_edge_frame *frame, rw_vec3 direction, double after_m,
                            const rw_wedge_material *material, double wavelength_m, rw_wedge_form form)
{
    rw_vec3c bent = rw_diffract_field(wave->amplitude, frame, wave->direction, direction, wave->leg_m, after_m,
                                      material, 2.0 * RW_PI / wavelength_m, form);
    rw_wave_bend(wave, frame, direction, bent);
}

/* The same where the wave arrives from another edge of a face, or leaves for one, in the face. */
RW_FN void rw_wave_diffract_face(rw_wave *wave, const rw_edge_frame *frame, rw_vec3 direction, double after_m,
                                 int arrives_in, int leaves_in, const rw_wedge_material *material, double wavelength_m)
{
    int far_face = (arrives_in ? arrives_in : leaves_in) == RW_FACE_FAR;
    rw_vec3c bent = rw_diffract_face(wave->amplitude, frame, wave->direction, direction, wave->leg_m, after_m, far_face,
                                     arrives_in ? wave->leg_m : 0.0, material, 2.0 * RW_PI / wavelength_m);
    rw_wave_bend(wave, frame, direction, bent);
}

/* Components of a field on theta and phi of its direction. */
RW_FN void rw_theta_phi_components(rw_vec3c field, rw_vec3 direction, rw_complex *theta, rw_complex *phi)
{
    rw_antenna_axes upright = {{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    rw_vec3 on_theta, on_phi;
    rw_antenna_basis(&upright, direction, &on_theta, &on_phi);
    *theta = rw_vec3c_dot(field, on_theta);
    *phi = rw_vec3c_dot(field, on_phi);
}

/* sqrt(P_r/P_t) with phase at the receiver. */
RW_FN rw_complex rw_wave_gain(const rw_wave *wave, const rw_pattern *receiver, double wavelength_m)
{
    return rw_ray_gain(wave->amplitude, receiver, wave->direction, sqrt(wave->radius_across_m * wave->radius_along_m),
                       wave->length_m, wavelength_m);
}

/* Share of power that the wall would reflect if it were smooth, mean of both polarisations: what roughness takes its
 * part of. */
RW_FN double rw_smooth_power(const rw_construction *wall, double cosine, double wavelength_m)
{
    rw_te_tm reflection;
    if (wall->opaque) {
        reflection = rw_fresnel(wall->layers[0].permittivity, cosine).reflection;
    } else {
        rw_construction smooth = *wall;
        smooth.smooth = 1.0;
        reflection = rw_wall_response_exact(&smooth, cosine, wavelength_m).front;
    }
    return 0.5 * (rw_complex_abs2(reflection.te) + rw_complex_abs2(reflection.tm));
}

/* What of the cross section of a rough patch belongs to one of its two directions: cos(theta) sqrt(|R|^2). The
 * published form takes the reflection at the angle of incidence; the geometric mean with that at the angle of
 * scattering is the same both ways, and the same as published in the specular direction. */
RW_FN double rw_patch_side(const rw_construction *wall, double cosine, double wavelength_m)
{
    return cosine * sqrt(rw_smooth_power(wall, cosine, wavelength_m));
}

/* The rest of it, per square metre and steradian: cross section = area side(in) side(out) times this, which is
 * rw_scatter_cross_section with the lobe after Lambert. */
RW_FN double rw_patch_roughness(const rw_construction *wall)
{
    return (1.0 - wall->smooth * wall->smooth) / RW_PI;
}

#endif
