/* The direct path through any number of walls: the ray that is only transmitted.
 *
 * From a transmitter and a receiver among plane surfaces to the field behind all slabs between them. The ray is aimed
 * again until it ends at the receiver, since each slab shifts it by its refraction; no list of walls is kept, so there
 * is no most of them. Where aiming finds no end, because the shifted ray passes beside an edge that the straight line
 * meets, the walls on the straight line count. Opaque surfaces end it. */
#ifndef RW_MODELS_RAYS_STRAIGHT_PATH_K_H
#define RW_MODELS_RAYS_STRAIGHT_PATH_K_H

#include "models/rays/ray_view.k.h"

/* A ray on its way through walls. */
typedef struct rw_straight_ray {
    rw_vec3 from, direction, image;
    double shifted_m, excess_m; /* what slabs add to phase and delay beyond the distance from the image */
    uint32_t left;              /* the surface it comes from */
} rw_straight_ray;

/* One wall on it. */
typedef struct rw_straight_wall {
    uint32_t surface;
    double cosine;  /* of incidence */
    rw_vec3 middle; /* between where the ray arrives and where it leaves */
} rw_straight_wall;

RW_FN rw_straight_ray rw_straight_start(const rw_ray_view *view, rw_vec3 direction)
{
    rw_straight_ray ray;
    ray.from = ray.image = view->source;
    ray.direction = direction;
    ray.shifted_m = ray.excess_m = 0.0;
    ray.left = RW_NO_SURFACE;
    return ray;
}

/* Takes the ray behind the next wall before the receiver; 0 where there is none. */
RW_FN int rw_straight_step(const rw_ray_view *view, rw_vec3 receiver, rw_straight_ray *ray, rw_straight_wall *wall)
{
    double distance_m, left_m = rw_vec3_dot(rw_vec3_sub(receiver, ray->from), ray->direction);
    uint32_t met = rw_surfaces_nearest(&view->surfaces, ray->from, ray->direction, ray->left, &distance_m);
    if (met == RW_NO_SURFACE || !(distance_m < left_m))
        return 0;
    const rw_surface *surface = &view->surfaces.surfaces[met];
    const rw_refractor *slab = &view->slabs[surface->kind];
    double along = rw_vec3_dot(ray->direction, surface->normal), cosine = fabs(along);
    rw_vec3 inwards = rw_vec3_scale(surface->normal, along > 0 ? 1.0 : -1.0);
    rw_vec3 arrives = rw_vec3_add(ray->from, rw_vec3_scale(ray->direction, distance_m));
    double shift_m = cosine > 1e-6 ? rw_refraction_shift_m(slab, cosine) : 0.0;
    rw_vec3 aside = rw_vec3_sub(rw_vec3_scale(ray->direction, 1.0 / fmax(cosine, 1e-6)), inwards);
    wall->surface = met;
    wall->cosine = cosine;
    wall->middle = rw_vec3_sub(arrives, rw_vec3_scale(aside, 0.5 * shift_m));
    ray->from = rw_vec3_sub(arrives, rw_vec3_scale(aside, shift_m));
    ray->image = rw_vec3_add(ray->image, rw_vec3_scale(inwards, shift_m));
    ray->shifted_m += shift_m * cosine;
    ray->excess_m += rw_refraction_excess_m(slab, cosine);
    ray->left = met;
    return 1;
}

/* The direction in which the ray leaves the source; 0 where something opaque is in its way. */
RW_FN int rw_straight_aim(const rw_ray_view *view, rw_vec3 receiver, rw_vec3 *direction)
{
    rw_vec3 image = view->source;
    *direction = rw_vec3_sub(receiver, image);
    for (int iteration = 0; iteration < 16; iteration++) {
        rw_vec3 offset = rw_vec3_sub(receiver, image);
        double length_m = rw_vec3_length(offset);
        if (!(length_m > 0.0))
            return 0;
        *direction = rw_vec3_scale(offset, 1.0 / length_m);
        rw_straight_ray ray = rw_straight_start(view, *direction);
        rw_straight_wall wall;
        while (rw_straight_step(view, receiver, &ray, &wall))
            if (view->slabs[view->surfaces.surfaces[wall.surface].kind].opaque)
                return 0;
        double moved_m = rw_vec3_length(rw_vec3_sub(ray.image, image));
        image = ray.image;
        if (moved_m < 1e-12)
            return 1;
    }
    *direction = rw_vec3_sub(receiver, view->source);
    *direction = rw_vec3_scale(*direction, 1.0 / rw_vec3_length(*direction));
    return 1;
}

/* The ray as it arrives, and through how many walls; -1 where there is none. */
RW_FN int rw_straight_arrival(const rw_ray_view *view, rw_vec3 receiver, rw_ray_arrival *arrival)
{
    rw_vec3 direction;
    int walls = 0;
    if (!rw_straight_aim(view, receiver, &direction))
        return -1;
    rw_straight_ray ray = rw_straight_start(view, direction);
    rw_vec3c field = rw_pattern_vector(&view->transmitter, direction);
    for (rw_straight_wall wall; rw_straight_step(view, receiver, &ray, &wall); walls++) {
        const rw_surface *surface = &view->surfaces.surfaces[wall.surface];
        rw_wall_response response = rw_ray_view_response(view, surface->kind, wall.cosine);
        field = rw_meet_wall(field, direction, surface->normal, &response, 1, rw_ray_from_back(surface, direction));
    }
    double spreading_m = rw_vec3_length(rw_vec3_sub(receiver, ray.image));
    double phase_m = spreading_m + ray.shifted_m;
    arrival->direction = direction;
    arrival->gain = rw_ray_gain(field, &view->receiver, direction, spreading_m, phase_m, view->wavelength_m);
    arrival->delay_s = (phase_m + ray.excess_m) / RW_SPEED_OF_LIGHT_M_S;
    arrival->diffuse = 0;
    return walls;
}

#endif
