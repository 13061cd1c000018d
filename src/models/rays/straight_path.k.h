/* The direct path through any number of walls: the ray that is only transmitted.
 *
 * From a transmitter and a receiver among plane surfaces to the field behind all slabs between them. The walls are
 * those that the straight line crosses, each once, and at a joint of walls the one that counts (wall_joint.k.h): the
 * same in both directions. The ray is aimed again until it ends at the receiver, since each slab shifts it by its
 * refraction; no list of walls is stored, so their number has no limit. Opaque surfaces end it. */
#ifndef RW_MODELS_RAYS_STRAIGHT_PATH_K_H
#define RW_MODELS_RAYS_STRAIGHT_PATH_K_H

#include "models/rays/ray_view.k.h"
#include "models/rays/wall_joint.k.h"

/* A ray on its path through walls. */
typedef struct rw_straight_ray {
    rw_vec3 from, direction, image;
    double shifted_m, excess_m; /* what slabs add to phase and delay beyond the distance from the image */
    double fraction;            /* of the straight line, at the last wall */
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
    ray.fraction = -1.0;
    ray.left = RW_NO_SURFACE;
    return ray;
}

RW_FN rw_vec3 rw_straight_point(rw_vec3 from, rw_vec3 to, double fraction)
{
    return rw_vec3_add(from, rw_vec3_scale(rw_vec3_sub(to, from), fraction));
}

/* Fraction of the straight line at which a surface is crossed, negative where it is not. Computed from the same end in
 * both directions, so that rounding decides the same there. */
RW_FN double rw_straight_crossing(const rw_ray_view *view, uint32_t index, rw_vec3 from, rw_vec3 to)
{
    const rw_surface *surface = &view->surfaces.surfaces[index];
    int swapped = from.x != to.x ? from.x > to.x : from.y != to.y ? from.y > to.y : from.z > to.z;
    double fraction = rw_surface_crossing(&view->surfaces, surface, swapped ? to : from, swapped ? from : to);
    return fraction < 0.0 ? fraction : swapped ? 1.0 - fraction : fraction;
}

RW_FN rw_slab_crossing rw_straight_crossing_at(const rw_ray_view *view, uint32_t index, rw_vec3 at)
{
    rw_slab_crossing crossing;
    crossing.surface = &view->surfaces.surfaces[index];
    crossing.slab = &view->slabs[crossing.surface->kind];
    crossing.index = index;
    crossing.at = at;
    return crossing;
}

/* A search among the surfaces that the straight line crosses. */
typedef struct rw_straight_search {
    rw_vec3 from, to;
    double after;         /* a fraction: crossings up to it are passed over */
    uint32_t left;        /* of crossings there, those up to this surface */
    double fraction;      /* found */
    uint32_t found;       /* the next wall; RW_NO_SURFACE: none */
    rw_slab_crossing one; /* of a joint: whether another wall counts */
    int yields;
} rw_straight_search;

RW_FN void rw_straight_visit(const rw_ray_view *view, rw_straight_search *search, uint32_t index, int joint)
{
    if (joint && index == search->one.index)
        return;
    double fraction = rw_straight_crossing(view, index, search->from, search->to);
    if (fraction < 0.0)
        return;
    if (joint) {
        rw_slab_crossing other =
            rw_straight_crossing_at(view, index, rw_straight_point(search->from, search->to, fraction));
        search->yields |= rw_crossings_join(&search->one, &other) && rw_crossing_yields(&search->one, &other);
        return;
    }
    int behind = fraction > search->after ||
                 (fraction == search->after && search->left != RW_NO_SURFACE && index > search->left);
    int nearer = fraction < search->fraction || (fraction == search->fraction && index < search->found);
    if (behind && nearer) {
        search->fraction = fraction;
        search->found = index;
    }
}

/* Visits surfaces near a part of the line. */
RW_FN void rw_straight_walk(const rw_ray_view *view, rw_straight_search *search, double low, double high, int joint)
{
    rw_vec3 from = rw_straight_point(search->from, search->to, low);
    rw_vec3 d = rw_vec3_scale(rw_vec3_sub(search->to, search->from), high - low);
    rw_box_line line = rw_box_line_of(from, d);
    RW_BVH_EACH (node, view->surfaces.nodes, view->surfaces.node_count,
                 !(joint && search->yields) && rw_segment_meets_box(node, &line))
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            rw_straight_visit(view, search, i, joint);
}

/* The next wall on the straight line behind the ray's last one that counts; RW_NO_SURFACE: none. */
RW_FN uint32_t rw_straight_next(const rw_ray_view *view, rw_vec3 receiver, double *fraction, uint32_t left)
{
    rw_straight_search search;
    search.from = view->source;
    search.to = receiver;
    search.after = *fraction;
    search.left = left;
    double length_m = rw_vec3_length(rw_vec3_sub(receiver, view->source));
    double slack = 1e-3 / length_m, reach = RW_JOINT_REACH_M / length_m;
    for (;;) {
        search.fraction = 2.0;
        search.found = RW_NO_SURFACE;
        rw_straight_walk(view, &search, search.after > slack ? search.after - slack : 0.0, 1.0, 0);
        if (search.found == RW_NO_SURFACE)
            return RW_NO_SURFACE;
        search.yields = 0;
        search.one =
            rw_straight_crossing_at(view, search.found, rw_straight_point(search.from, search.to, search.fraction));
        if (search.one.slab->thickness_m > 0.0 && !search.one.slab->opaque)
            rw_straight_walk(view, &search, fmax(search.fraction - reach, 0.0), fmin(search.fraction + reach, 1.0), 1);
        if (!search.yields)
            break;
        search.after = search.fraction;
        search.left = search.found;
    }
    *fraction = search.fraction;
    return search.found;
}

/* Moves the ray behind the next wall before the receiver; 0 where there is none. */
RW_FN int rw_straight_step(const rw_ray_view *view, rw_vec3 receiver, rw_straight_ray *ray, rw_straight_wall *wall)
{
    uint32_t met = rw_straight_next(view, receiver, &ray->fraction, ray->left);
    if (met == RW_NO_SURFACE)
        return 0;
    const rw_surface *surface = &view->surfaces.surfaces[met];
    const rw_refractor *slab = &view->slabs[surface->kind];
    double along = rw_vec3_dot(ray->direction, surface->normal), cosine = fmax(fabs(along), 1e-6);
    rw_vec3 inwards = rw_vec3_scale(surface->normal, along > 0 ? 1.0 : -1.0);
    double distance_m = -rw_surface_height_m(surface, ray->from) / (along > 0 ? cosine : -cosine);
    rw_vec3 arrives = rw_vec3_add(ray->from, rw_vec3_scale(ray->direction, distance_m));
    double shift_m = rw_refraction_shift_m(slab, cosine);
    rw_vec3 aside = rw_vec3_sub(rw_vec3_scale(ray->direction, 1.0 / cosine), inwards);
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

/* The direction in which the ray leaves the source; 0 where something opaque blocks it. */
RW_FN int rw_straight_aim(const rw_ray_view *view, rw_vec3 receiver, rw_vec3 *direction)
{
    rw_vec3 image = view->source;
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
