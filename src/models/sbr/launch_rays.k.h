/* Shooting and bouncing rays: each ray of a launched sphere is followed through its reflections and transmissions, and
 * receivers within its reach take its field.
 *
 * After the reference method of Novak (2016), section 6: rays of an icosahedron, a bounding volume hierarchy over
 * surfaces and one over receivers, reception spheres whose radius is that of the hexagon that a ray stands for at its
 * length, so that every point of a wavefront is in reach of a ray. Where several rays of one wavefront reach a
 * receiver, the one nearest to it counts and the others do not: the density of rays is known everywhere, so each ray
 * can tell whether it is that one. Or, as the paper's reference does it, spheres of one size take every ray, each
 * weighed by the inverse of how many the density of rays lets expect there. Angles of incidence are the ray's; length
 * and phase are those of its image. What it cannot see is what lies between its rays. Kernel: one item a ray. */
#ifndef RW_MODELS_SBR_LAUNCH_RAYS_K_H
#define RW_MODELS_SBR_LAUNCH_RAYS_K_H

#include "discretise/receivers/points.k.h"
#include "models/rays/ray_view.k.h"
#include "models/sbr/icosphere.k.h"

struct rw_launch_rays_args {
    rw_ray_view view;
    rw_points_view points;
    size_t first_ray, divisions;
    int depth;
    rw_step_limits limits;
    double sphere_m; /* radius of spheres that take every ray, by its density; 0: the nearest ray counts */
    rw_ray_sums *sums;
};

/* A ray on its way. */
typedef struct rw_flying_ray {
    rw_vec3 from, direction, image;
    rw_vec3 face_image;         /* the image by the faces that reflect, which lengths are taken from */
    double shifted_m, excess_m; /* what slabs add to phase and delay beyond the distance from the image */
    double length_m;            /* flown so far */
    double foliage_m;           /* of that in foliage */
    uint32_t left;              /* surface it comes from */
    uint32_t joined;            /* a bit for each transmission that does not count, at a joint of walls */
    int count;
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
} rw_flying_ray;

/* Whether slabs bend a ray on its way. */
RW_FN int rw_ray_is_bent(const rw_ray_view *view, const rw_flying_ray *ray)
{
    for (int i = 0; i < ray->count; i++)
        if (RW_STEP_THROUGH(ray->steps[i]) &&
            !view->slabs[view->surfaces.surfaces[RW_STEP_SURFACE(ray->steps[i])].kind].straight)
            return 1;
    return 0;
}

/* The direction in which the path to a point leaves the source: seen from the image and mirrored back through all
 * reflections. */
RW_FN rw_vec3 rw_ray_departure_from(const struct rw_launch_rays_args *args, const rw_flying_ray *ray, rw_vec3 image,
                                    rw_vec3 point)
{
    rw_vec3 away = rw_vec3_sub(point, image);
    away = rw_vec3_scale(away, 1 / rw_vec3_length(away));
    for (int i = ray->count - 1; i >= 0; i--) {
        if (RW_STEP_THROUGH(ray->steps[i]))
            continue;
        rw_vec3 normal = args->view.surfaces.surfaces[RW_STEP_SURFACE(ray->steps[i])].normal;
        away = rw_vec3_sub(away, rw_vec3_scale(normal, 2 * rw_vec3_dot(away, normal)));
    }
    return away;
}

/* The same for the ray as it flies. Slabs move the images of neighbouring rays by different amounts, and each would
 * find its own direction: there it is that of the exact path, which all rays of the sequence agree on, so that one of
 * them owns the point. */
RW_FN rw_vec3 rw_ray_departure(const struct rw_launch_rays_args *args, const rw_flying_ray *ray, rw_vec3 point)
{
    rw_image_path path;
    if (rw_ray_is_bent(&args->view, ray) &&
        rw_image_path_solve_planes(&args->view.surfaces, args->view.slabs, ray->steps, ray->count, args->view.source,
                                   point, &path))
        return path.departs;
    return rw_ray_departure_from(args, ray, ray->image, point);
}
/* Whether the ray, which left the source along launched, is the nearest of all to a point. */
RW_FN int rw_ray_owns(const struct rw_launch_rays_args *args, const rw_flying_ray *ray, rw_vec3 launched, rw_vec3 point)
{
    rw_vec3 away = rw_ray_departure(args, ray, point);
    rw_vec3 apart = rw_vec3_sub(rw_launch_nearest(away, args->divisions), launched);
    return rw_vec3_length(apart) < 0.01 * RW_ICOSAHEDRON_EDGE / (double)args->divisions;
}

/* Field of a ray that left along launched, at one metre, all its walls included. Rays that meet no receiver never need
 * it, and that are most. */
RW_FN rw_vec3c rw_ray_field(const struct rw_launch_rays_args *args, const rw_flying_ray *ray, rw_vec3 launched)
{
    const rw_ray_view *view = &args->view;
    rw_vec3c field = rw_pattern_vector(&view->transmitter, launched);
    rw_vec3 direction = launched;
    for (int i = 0; i < ray->count; i++) {
        const rw_surface *surface = &view->surfaces.surfaces[RW_STEP_SURFACE(ray->steps[i])];
        int through = RW_STEP_THROUGH(ray->steps[i]);
        if (RW_STEP_JOINED(ray, i))
            continue;
        rw_wall_response wall =
            rw_ray_view_response(view, surface->kind, fabs(rw_vec3_dot(direction, surface->normal)));
        field = rw_meet_wall(field, direction, surface->normal, &wall, through, rw_ray_from_back(surface, direction));
        direction = through ? direction : rw_reflected_direction(direction, surface->normal);
    }
    return field;
}

RW_FN double rw_ray_foliage_m(const rw_ray_view *view, rw_vec3 from, rw_vec3 to)
{
    return view->medium.foliage.tops_m ? rw_foliage_depth_m(&view->medium.foliage, from, to) : 0.0;
}

/* share: how much of a path the ray is. */
RW_FN void rw_ray_receive(const struct rw_launch_rays_args *args, const rw_flying_ray *ray, rw_vec3 launched,
                          double fraction, uint32_t index)
{
    rw_vec3 point = args->points.positions[index];
    rw_vec3 away = rw_vec3_sub(point, ray->face_image);
    double spreading_m = rw_vec3_length(away), phase_m = spreading_m + ray->shifted_m;
    rw_ray_arrival arrival;
    arrival.direction = ray->direction;
    if (rw_vec3_length(rw_vec3_sub(ray->face_image, ray->image)) > 0.0) { /* angles at faces instead of planes */
        rw_vec3 turned = rw_vec3_sub(rw_ray_departure_from(args, ray, ray->face_image, point),
                                     rw_ray_departure_from(args, ray, ray->image, point));
        launched = rw_vec3_add(launched, turned);
        launched = rw_vec3_scale(launched, 1.0 / rw_vec3_length(launched));
    }
    arrival.gain = rw_ray_gain(rw_ray_field(args, ray, launched), &args->view.receiver, ray->direction, spreading_m,
                               phase_m, args->view.wavelength_m);
    arrival.delay_s = (phase_m + ray->excess_m) / RW_SPEED_OF_LIGHT_M_S;
    arrival.diffuse = 0;
    if (args->view.medium.counts) {
        double foliage_m = ray->foliage_m + rw_ray_foliage_m(&args->view, ray->from, point);
        double loss_db = rw_foliage_loss_db(args->view.medium.law, foliage_m);
        arrival.gain = rw_complex_scale(arrival.gain, pow(10.0, -0.05 * loss_db));
    }
    double straight_m = rw_vec3_length(rw_vec3_sub(point, args->view.source));
    rw_ray_sums_add_fraction(&args->sums[index], &arrival, fraction,
                             args->view.wavelength_m / (4.0 * RW_PI * straight_m), straight_m / RW_SPEED_OF_LIGHT_M_S,
                             &args->view.near, args->view.wavelength_m);
    rw_ray_sums_count_path(&args->sums[index], ray->count, rw_steps_through(ray->steps, ray->count));
}

/* How far from a ray the receivers that it meets may be, where it has flown so many metres; reach is that per metre. */
RW_FN double rw_ray_radius_m(double sphere_m, double reach, double flown_m)
{
    return sphere_m > 0 ? sphere_m : reach * flown_m;
}

/* Does the ray pass the box within its reach there, before it ends? The reach is taken where the ray is farthest of all
 * places beside the box. */
RW_FN int rw_ray_near_box(const rw_bvh_node *box, const rw_flying_ray *ray, const rw_box_line *line, double sphere_m,
                          double reach, double end_m)
{
    rw_vec3 d = ray->direction;
    double far_m = (double)((d.x > 0 ? box->high[0] : box->low[0]) - line->from[0]) * d.x +
                   (double)((d.y > 0 ? box->high[1] : box->low[1]) - line->from[1]) * d.y +
                   (double)((d.z > 0 ? box->high[2] : box->low[2]) - line->from[2]) * d.z;
    far_m = far_m < end_m ? far_m : end_m;
    if (!(far_m > 0))
        return 0;
    float reach_m = (float)rw_ray_radius_m(sphere_m, reach, ray->length_m + far_m);
    rw_bvh_node wide = *box;
    for (int axis = 0; axis < 3; axis++) {
        wide.low[axis] -= reach_m;
        wide.high[axis] += reach_m;
    }
    return rw_box_distance(&wide, line) <= (float)far_m + reach_m;
}

/* Takes a ray at a receiver that lies along_m on its leg and within its radius. */
RW_FN void rw_ray_receive_at(const struct rw_launch_rays_args *args, const rw_flying_ray *ray, rw_vec3 launched,
                             double solid_angle, double along_m, uint32_t index)
{
    double flown_m = ray->length_m + along_m;
    if (args->sphere_m > 0) /* so many rays are expected: the cross-section over the area that one stands for */
        rw_ray_receive(args, ray, launched, solid_angle * flown_m * flown_m / (RW_PI * args->sphere_m * args->sphere_m),
                       index);
    else if (rw_ray_owns(args, ray, launched, args->points.positions[index]))
        rw_ray_receive(args, ray, launched, 1.0, index);
}

/* Receivers along one leg of a ray, which ends after end_m. reach: of the reception spheres, per metre. */
RW_FN void rw_ray_meet_receivers(const struct rw_launch_rays_args *args, const rw_flying_ray *ray, rw_vec3 launched,
                                 double reach, double solid_angle, double end_m)
{
    rw_vec3 d = ray->direction;
    rw_box_line line = rw_box_line_of(ray->from, d);
    RW_BVH_EACH (node, args->points.nodes, 1, rw_ray_near_box(node, ray, &line, args->sphere_m, reach, end_m))
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            rw_vec3 away = rw_vec3_sub(args->points.positions[i], ray->from);
            double along_m = rw_vec3_dot(away, d);
            rw_vec3 aside = rw_vec3_sub(away, rw_vec3_scale(d, along_m));
            double radius_m = rw_ray_radius_m(args->sphere_m, reach, ray->length_m + along_m);
            if (along_m > 0 && along_m < end_m && rw_vec3_dot(aside, aside) < radius_m * radius_m)
                rw_ray_receive_at(args, ray, launched, solid_angle, along_m, i);
        }
}

/* Marks which of two transmissions counts where the surface that a ray crosses last joins others that it has crossed
 * since its last reflection; those planes are crossed by its line, refraction apart. */
RW_FN void rw_ray_join(const rw_ray_view *view, rw_vec3 at, rw_flying_ray *ray)
{
    int last = ray->count - 1;
    rw_slab_crossing crossings[2];
    for (int j = last; j >= 0 && RW_STEP_THROUGH(ray->steps[j]); j--) {
        rw_slab_crossing *crossing = &crossings[j != last];
        crossing->index = RW_STEP_SURFACE(ray->steps[j]);
        crossing->surface = &view->surfaces.surfaces[crossing->index];
        crossing->slab = &view->slabs[crossing->surface->kind];
        crossing->at = at;
        if (j == last)
            continue;
        double along = rw_vec3_dot(ray->direction, crossing->surface->normal);
        double back_m = fabs(along) > 1e-9 ? rw_surface_height_m(crossing->surface, at) / along : 1e9;
        crossing->at = rw_vec3_sub(at, rw_vec3_scale(ray->direction, back_m));
        if (rw_crossings_join(&crossings[0], &crossings[1]))
            ray->joined |= 1u << (rw_crossing_yields(&crossings[0], &crossings[1]) ? last : j);
    }
}

/* Shifts a ray by the slab of a surface that it crosses; sign -1 undoes it. */
RW_FN void rw_ray_refract(const rw_ray_view *view, uint32_t index, double sign, rw_flying_ray *ray)
{
    const rw_surface *surface = &view->surfaces.surfaces[index];
    const rw_refractor *slab = &view->slabs[surface->kind];
    double along = rw_vec3_dot(ray->direction, surface->normal), cosine = fabs(along);
    rw_vec3 inwards = rw_vec3_scale(surface->normal, along > 0 ? 1.0 : -1.0);
    double shift_m = sign * rw_refraction_shift_m(slab, cosine);
    rw_vec3 aside = rw_vec3_sub(rw_vec3_scale(ray->direction, 1 / cosine), inwards);
    ray->from = rw_vec3_sub(ray->from, rw_vec3_scale(aside, shift_m));
    ray->image = rw_vec3_add(ray->image, rw_vec3_scale(inwards, shift_m));
    ray->face_image = rw_vec3_add(ray->face_image, rw_vec3_scale(inwards, shift_m));
    ray->shifted_m += shift_m * cosine;
    ray->excess_m += sign * rw_refraction_excess_m(slab, cosine);
}

/* What becomes of a ray behind a surface that it meets after distance_m. */
RW_FN rw_flying_ray rw_ray_step(const struct rw_launch_rays_args *args, const rw_flying_ray *ray, uint32_t index,
                                double distance_m, int through)
{
    const rw_ray_view *view = &args->view;
    const rw_surface *surface = &view->surfaces.surfaces[index];
    const rw_refractor *slab = &view->slabs[surface->kind];
    rw_flying_ray next = *ray;
    next.from = rw_vec3_add(ray->from, rw_vec3_scale(ray->direction, distance_m));
    next.length_m += distance_m;
    next.foliage_m += rw_ray_foliage_m(view, ray->from, next.from);
    next.left = index;
    next.steps[next.count++] = RW_STEP(index, through);
    if (!through) {
        next.direction = rw_reflected_direction(ray->direction, surface->normal);
        next.image = rw_mirrored(surface, ray->image);
        next.face_image = rw_mirrored_over(surface, rw_surface_face_m(surface, slab), ray->face_image);
        return next;
    }
    uint32_t joined = next.joined;
    rw_ray_join(view, next.from, &next);
    for (int i = 0; i < next.count - 1; i++)
        if ((next.joined & ~joined) >> i & 1u)
            rw_ray_refract(view, RW_STEP_SURFACE(next.steps[i]), -1.0, &next);
    if (!RW_STEP_JOINED(&next, next.count - 1))
        rw_ray_refract(view, index, 1.0, &next);
    return next;
}

RW_FN void rw_launch_rays_item(const struct rw_launch_rays_args *args, size_t item)
{
    const rw_ray_view *view = &args->view;
    rw_flying_ray stack[RW_IMAGE_DEPTH_MAX + 2];
    double out;
    rw_vec3 launched = rw_launch_direction(args->first_ray + item, args->divisions, &out);
    double reach = rw_launch_reach(out, args->divisions), solid_angle = rw_launch_solid_angle(out, args->divisions);
    int waiting = 1;
    stack[0].from = stack[0].image = stack[0].face_image = view->source;
    stack[0].direction = launched;
    stack[0].shifted_m = stack[0].excess_m = stack[0].length_m = stack[0].foliage_m = 0;
    stack[0].left = RW_NO_SURFACE;
    stack[0].joined = 0;
    stack[0].count = 0;
    while (waiting > 0) {
        rw_flying_ray ray = stack[--waiting];
        double distance_m;
        uint32_t met = rw_surfaces_nearest(&view->surfaces, ray.from, ray.direction, ray.left, &distance_m);
        rw_ray_meet_receivers(args, &ray, launched, reach, solid_angle, distance_m);
        if (met == RW_NO_SURFACE || ray.count == args->depth)
            continue;
        if (rw_steps_crossed(ray.steps, ray.count, met)) { /* shifted back over it, at a corner */
            ray.from = rw_vec3_add(ray.from, rw_vec3_scale(ray.direction, distance_m));
            ray.length_m += distance_m;
            ray.left = met;
            stack[waiting++] = ray;
            continue;
        }
        if (rw_steps_allow(&args->limits, ray.steps, ray.count, 0))
            stack[waiting++] = rw_ray_step(args, &ray, met, distance_m, 0);
        if (!view->slabs[view->surfaces.surfaces[met].kind].opaque &&
            rw_steps_allow(&args->limits, ray.steps, ray.count, 1))
            stack[waiting++] = rw_ray_step(args, &ray, met, distance_m, 1);
    }
}

#endif
