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
typedef struct rw_ray_world {
    rw_surfaces_view surfaces;
    const rw_refractor *slabs;         /* of each kind */
    const rw_construction *walls;      /* of each kind */
    const rw_wall_response *responses; /* tables of each kind; NULL: exact */
    rw_pattern transmitter, receiver;
    rw_vec3 source;
    double wavelength_m;
    rw_near_square near; /* that local means are taken over */
    rw_medium medium;    /* of maps */
} rw_ray_world;

RW_FN rw_wall_response rw_world_response(const rw_ray_world *world, uint32_t kind, double cosine)
{
    if (world->responses)
        return rw_wall_response_read(world->responses + (size_t)kind * (RW_CONSTRUCTION_SAMPLES + 1), cosine);
    return rw_wall_response_exact(&world->walls[kind], cosine, world->wavelength_m);
}

/* Whether a ray meets a surface from the side of its slab's last layer. */
RW_FN int rw_world_from_back(const rw_surface *surface, rw_vec3 direction)
{
    int along_normal = rw_vec3_dot(direction, surface->normal) > 0;
    return along_normal != (surface->turned != 0);
}

/* Field of a solved path at one metre, all walls included. */
RW_FN rw_vec3c rw_world_field(const rw_ray_world *world, const rw_image_path *path)
{
    rw_vec3c field = rw_pattern_vector(&world->transmitter, path->directions[0]);
    for (int i = 0; i < path->count; i++) {
        const rw_surface *surface = &world->surfaces.surfaces[RW_STEP_SURFACE(path->steps[i])];
        rw_wall_response wall = rw_world_response(world, surface->kind, path->cosines[i]);
        field = rw_meet_wall(field, path->directions[i], surface->normal, &wall, RW_STEP_THROUGH(path->steps[i]),
                             rw_world_from_back(surface, path->directions[i]));
    }
    return field;
}

RW_FN rw_ray_arrival rw_world_arrival(const rw_ray_world *world, const rw_image_path *path)
{
    rw_ray_arrival ray;
    ray.direction = path->directions[path->count];
    ray.gain = rw_ray_gain(rw_world_field(world, path), &world->receiver, ray.direction, path->spreading_m,
                           path->phase_m, world->wavelength_m);
    ray.delay_s = path->delay_m / RW_SPEED_OF_LIGHT_M_S;
    ray.diffuse = 0;
    return ray;
}

/* Takes trees and air off a ray that arrives at a receiver by vertices, of which the ends are not told. */
RW_RARE_FN void rw_world_weaken(const rw_ray_world *world, const rw_vec3 *vertices, int count, rw_vec3 receiver,
                                rw_ray_arrival *ray)
{
    rw_medium_way way = rw_medium_start();
    rw_vec3 from = world->source;
    for (int i = 0; i <= count; i++) {
        rw_vec3 to = i < count ? vertices[i] : receiver;
        rw_medium_go(&world->medium, &way, from, to);
        from = to;
    }
    double straight_m = rw_vec3_length(rw_vec3_sub(receiver, world->source));
    ray->gain = rw_complex_scale(ray->gain, pow(10.0, -0.05 * rw_medium_loss_db(&world->medium, &way, straight_m)));
}

RW_FN void rw_world_add(const rw_ray_world *world, const rw_image_path *path, rw_vec3 receiver, rw_ray_sums *sums)
{
    rw_ray_arrival ray = rw_world_arrival(world, path);
    if (world->medium.counts)
        rw_world_weaken(world, path->arrives, path->count, receiver, &ray);
    double straight_m = rw_vec3_length(rw_vec3_sub(receiver, world->source));
    double free_gain = world->wavelength_m / (4.0 * RW_PI * straight_m);
    rw_ray_sums_add(sums, &ray, free_gain, straight_m / RW_SPEED_OF_LIGHT_M_S, &world->near, world->wavelength_m);
    rw_ray_sums_tell(sums, path->count, rw_steps_through(path->steps, path->count));
}

#endif
