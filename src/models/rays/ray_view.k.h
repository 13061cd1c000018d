/* Plane surfaces with their constructions at one frequency, and the gain of a path among them.
 *
 * From a solved path (models/rays/image_path.k.h) to its complex gain, delay and direction of arrival, and to the sums
 * of its receiver. Used by every model whose paths are reflections and transmissions. */
#ifndef RW_MODELS_RAYS_RAY_VIEW_K_H
#define RW_MODELS_RAYS_RAY_VIEW_K_H

#include "field/paths/ray_field.k.h"
#include "field/paths/ray_sums.k.h"
#include "mechanisms/atmosphere/medium.k.h"
#include "models/rays/image_path.k.h"

/* What a path needs to become a gain; pointers are the backend's. */
typedef struct rw_ray_view {
    rw_surfaces_view surfaces;
    const rw_refractor *slabs;         /* of each kind */
    const rw_construction *walls;      /* of each kind */
    const rw_wall_response *responses; /* tables of each kind; NULL: exact */
    rw_pattern transmitter, receiver;
    rw_vec3 source;
    double wavelength_m;
    rw_near_square near; /* that local means are taken over */
    rw_medium medium;    /* of maps */
} rw_ray_view;

RW_FN rw_wall_response rw_ray_view_response(const rw_ray_view *view, uint32_t kind, double cosine)
{
    if (view->responses)
        return rw_wall_response_read(view->responses + (size_t)kind * (RW_CONSTRUCTION_SAMPLES + 1), cosine);
    return rw_wall_response_exact(&view->walls[kind], cosine, view->wavelength_m);
}

/* Whether a ray meets a surface from the side of its slab's last layer. */
RW_FN int rw_ray_from_back(const rw_surface *surface, rw_vec3 direction)
{
    int along_normal = rw_vec3_dot(direction, surface->normal) > 0;
    return along_normal != (surface->turned != 0);
}

/* Field of a solved path at one metre, all walls included. */
RW_FN rw_vec3c rw_ray_view_field(const rw_ray_view *view, const rw_image_path *path)
{
    rw_vec3c field = rw_pattern_vector(&view->transmitter, path->directions[0]);
    for (int i = 0; i < path->count; i++) {
        if (RW_STEP_JOINED(path, i))
            continue;
        const rw_surface *surface = &view->surfaces.surfaces[RW_STEP_SURFACE(path->steps[i])];
        rw_wall_response wall = rw_ray_view_response(view, surface->kind, path->cosines[i]);
        field = rw_meet_wall(field, path->directions[i], surface->normal, &wall, RW_STEP_THROUGH(path->steps[i]),
                             rw_ray_from_back(surface, path->directions[i]));
    }
    return field;
}

RW_FN rw_ray_arrival rw_ray_view_arrival(const rw_ray_view *view, const rw_image_path *path)
{
    rw_ray_arrival ray;
    ray.direction = path->directions[path->count];
    ray.gain = rw_ray_gain(rw_ray_view_field(view, path), &view->receiver, ray.direction, path->spreading_m,
                           path->phase_m, view->wavelength_m);
    ray.delay_s = path->delay_m / RW_SPEED_OF_LIGHT_M_S;
    ray.diffuse = 0;
    return ray;
}

/* Takes trees and air off a ray that arrives at a receiver by vertices, of which the ends are not told. */
RW_RARE_FN void rw_ray_view_attenuate(const rw_ray_view *view, const rw_vec3 *vertices, int count, rw_vec3 receiver,
                                      rw_ray_arrival *ray)
{
    rw_medium_path path_sum = rw_medium_start();
    rw_vec3 from = view->source;
    for (int i = 0; i <= count; i++) {
        rw_vec3 to = i < count ? vertices[i] : receiver;
        rw_medium_go(&view->medium, &path_sum, from, to);
        from = to;
    }
    double straight_m = rw_vec3_length(rw_vec3_sub(receiver, view->source));
    ray->gain = rw_complex_scale(ray->gain, pow(10.0, -0.05 * rw_medium_loss_db(&view->medium, &path_sum, straight_m)));
}

RW_FN void rw_ray_view_add(const rw_ray_view *view, const rw_image_path *path, rw_vec3 receiver, rw_ray_sums *sums)
{
    rw_ray_arrival ray = rw_ray_view_arrival(view, path);
    if (view->medium.counts)
        rw_ray_view_attenuate(view, path->arrives, path->count, receiver, &ray);
    double straight_m = rw_vec3_length(rw_vec3_sub(receiver, view->source));
    double free_gain = view->wavelength_m / (4.0 * RW_PI * straight_m);
    rw_ray_sums_add(sums, &ray, free_gain, straight_m / RW_SPEED_OF_LIGHT_M_S, &view->near, view->wavelength_m);
    rw_ray_sums_count_path(sums, path->count, rw_steps_through(path->steps, path->count));
}

#endif
