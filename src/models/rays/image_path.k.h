/* The exact path that belongs to a sequence of surfaces: from images to points, and whether nothing is in its way.
 *
 * From a transmitter, a receiver and a list of reflections and transmissions to the only path of that kind, in double.
 * The image of a reflection is the mirrored source; that of a transmission is the source shifted towards the slab by
 * what refraction of just this ray comes to, found by iteration. A slab's middle is the surface's plane; reflections
 * happen in that plane. Valid for plane surfaces. */
#ifndef RW_MODELS_RAYS_IMAGE_PATH_K_H
#define RW_MODELS_RAYS_IMAGE_PATH_K_H

#include "discretise/surfaces/surfaces.k.h"
#include "models/rays/refraction.k.h"

#define RW_IMAGE_DEPTH_MAX 16

/* One step of a sequence: a surface, and whether the ray goes through it. */
#define RW_STEP(surface, through) ((uint32_t)(surface) << 1 | (uint32_t)(through))
#define RW_STEP_SURFACE(step) ((step) >> 1)
#define RW_STEP_THROUGH(step) ((int)((step)&1u))

/* Most steps of each kind in a sequence; bounded 0: any number. */
typedef struct rw_step_limits {
    int bounded, reflections, transmissions;
} rw_step_limits;

/* How many of the steps go through their surface. */
RW_FN int rw_steps_through(const uint32_t *steps, int count)
{
    int through = 0;
    for (int i = 0; i < count; i++)
        through += RW_STEP_THROUGH(steps[i]);
    return through;
}

/* Whether a sequence may go on with one more step of that kind. */
RW_FN int rw_steps_allow(const rw_step_limits *limits, const uint32_t *steps, int count, int through)
{
    if (!limits->bounded)
        return 1;
    int walls = rw_steps_through(steps, count);
    return through ? walls < limits->transmissions : count - walls < limits->reflections;
}

typedef struct rw_image_path {
    int count;                           /* of interactions */
    uint32_t steps[RW_IMAGE_DEPTH_MAX];  /* from the transmitter on */
    rw_vec3 arrives[RW_IMAGE_DEPTH_MAX]; /* where the ray before meets the surface's plane */
    rw_vec3 leaves[RW_IMAGE_DEPTH_MAX];  /* where the ray behind starts from that plane; the same for reflections */
    rw_vec3 directions[RW_IMAGE_DEPTH_MAX + 1]; /* of each leg, of length 1 */
    double cosines[RW_IMAGE_DEPTH_MAX];         /* of incidence */
    double spreading_m;                         /* distance from the last image: the wave falls off with it */
    double phase_m;                             /* length that the phase goes with, slabs counted as air */
    double delay_m;                             /* length that the delay goes with */
} rw_image_path;

RW_FN rw_vec3 rw_mirrored(const rw_surface *surface, rw_vec3 point)
{
    return rw_vec3_sub(point, rw_vec3_scale(surface->normal, 2 * rw_surface_height_m(surface, point)));
}

typedef struct rw_image_sequence {
    rw_vec3 images[RW_IMAGE_DEPTH_MAX + 1];
    rw_vec3 inwards[RW_IMAGE_DEPTH_MAX]; /* normal of each surface, along the way of the ray */
    double shifts_m[RW_IMAGE_DEPTH_MAX];
} rw_image_sequence;

RW_FN void rw_image_sequence_build(const rw_surfaces_view *view, const uint32_t *steps, int count, rw_vec3 source,
                                   rw_image_sequence *chain)
{
    chain->images[0] = source;
    for (int i = 0; i < count; i++) {
        const rw_surface *surface = &view->surfaces[RW_STEP_SURFACE(steps[i])];
        double side = rw_surface_height_m(surface, chain->images[i]) > 0 ? -1 : 1;
        chain->inwards[i] = rw_vec3_scale(surface->normal, side);
        chain->images[i + 1] = RW_STEP_THROUGH(steps[i])
                                   ? rw_vec3_add(chain->images[i], rw_vec3_scale(chain->inwards[i], chain->shifts_m[i]))
                                   : rw_mirrored(surface, chain->images[i]);
    }
}

/* Directions and angles of all legs, from the last back to the first. */
RW_FN int rw_image_sequence_directions(const rw_image_sequence *chain, rw_vec3 receiver, rw_image_path *path)
{
    rw_vec3 last = rw_vec3_sub(receiver, chain->images[path->count]);
    path->spreading_m = rw_vec3_length(last);
    if (!(path->spreading_m > 0))
        return 0;
    path->directions[path->count] = rw_vec3_scale(last, 1 / path->spreading_m);
    for (int i = path->count - 1; i >= 0; i--) {
        rw_vec3 after = path->directions[i + 1], normal = chain->inwards[i];
        double along = rw_vec3_dot(after, normal);
        int through = RW_STEP_THROUGH(path->steps[i]); /* NOLINT: the analyser lets count be anything */
        path->cosines[i] = fabs(along);
        /* A ray goes on through a slab and comes back from a mirror. */
        if (!(path->cosines[i] > 1e-12) || (along > 0) != through)
            return 0;
        path->directions[i] = through ? after : rw_vec3_sub(after, rw_vec3_scale(normal, 2 * along));
    }
    return 1;
}

/* Shifts for the angles found; returns the largest change. */
RW_FN double rw_image_sequence_refract(const rw_surfaces_view *view, const rw_refractor *slabs,
                                       const rw_image_path *path, rw_image_sequence *chain)
{
    double change = 0;
    for (int i = 0; i < path->count; i++) {
        if (!RW_STEP_THROUGH(path->steps[i]))
            continue;
        const rw_surface *surface = &view->surfaces[RW_STEP_SURFACE(path->steps[i])];
        double shift = rw_refraction_shift_m(&slabs[surface->kind], path->cosines[i]);
        change = fmax(change, fabs(shift - chain->shifts_m[i]));
        chain->shifts_m[i] = shift;
    }
    return change;
}

/* Points on the surfaces, from the receiver back; 0 where one is on the wrong side or, unless planes alone count, off
 * its surface. */
RW_FN int rw_image_sequence_points(const rw_surfaces_view *view, const rw_image_sequence *chain, int planes,
                                   rw_vec3 receiver, rw_image_path *path)
{
    rw_vec3 at = receiver;
    for (int i = path->count - 1; i >= 0; i--) {
        const rw_surface *surface = &view->surfaces[RW_STEP_SURFACE(path->steps[i])];
        rw_vec3 direction = path->directions[i + 1];
        /* back along the leg to the plane */
        double back = rw_surface_height_m(surface, at) / rw_vec3_dot(direction, surface->normal);
        if (!(back > 0))
            return 0;
        rw_vec3 leaves = rw_vec3_sub(at, rw_vec3_scale(direction, back)), arrives = leaves, middle = leaves;
        if (RW_STEP_THROUGH(path->steps[i])) {
            /* The ray before the slab meets the plane farther out than the ray behind it leaves it. */
            rw_vec3 aside = rw_vec3_sub(rw_vec3_scale(direction, 1 / path->cosines[i]), chain->inwards[i]);
            arrives = rw_vec3_add(leaves, rw_vec3_scale(aside, chain->shifts_m[i]));
            middle = rw_vec3_add(leaves, rw_vec3_scale(aside, 0.5 * chain->shifts_m[i]));
        }
        if (!planes && !rw_surface_holds(view, surface, middle))
            return 0;
        path->arrives[i] = arrives;
        path->leaves[i] = leaves;
        at = arrives;
    }
    return path->count == 0 || rw_vec3_dot(rw_vec3_sub(path->arrives[0], chain->images[0]), path->directions[0]) > 0;
}

/* rw_image_path_solve, or rw_image_path_solve_planes. */
RW_FN int rw_image_path_solve_among(const rw_surfaces_view *view, const rw_refractor *slabs, const uint32_t *steps,
                                    int count, int planes, rw_vec3 source, rw_vec3 receiver, rw_image_path *path)
{
    rw_image_sequence chain;
    path->count = count;
    for (int i = 0; i < count; i++) {
        path->steps[i] = steps[i];
        chain.shifts_m[i] = 0;
    }
    const double exact_m = 1e-13;
    for (int iteration = 0; iteration < 40; iteration++) {
        rw_image_sequence_build(view, path->steps, count, source, &chain);
        if (!rw_image_sequence_directions(&chain, receiver, path))
            return 0;
        if (!(rw_image_sequence_refract(view, slabs, path, &chain) > exact_m))
            break;
    }
    if (!rw_image_sequence_points(view, &chain, planes, receiver, path))
        return 0;
    path->phase_m = path->delay_m = path->spreading_m;
    for (int i = 0; i < count; i++) {
        if (!RW_STEP_THROUGH(steps[i]))
            continue;
        const rw_surface *surface = &view->surfaces[RW_STEP_SURFACE(steps[i])];
        double shift_m = chain.shifts_m[i] * path->cosines[i];
        path->phase_m += shift_m;
        path->delay_m += shift_m + rw_refraction_excess_m(&slabs[surface->kind], path->cosines[i]);
    }
    return 1;
}

/* The path of a sequence; 0 where there is none. Does not ask what stands in its way. */
RW_FN int rw_image_path_solve(const rw_surfaces_view *view, const rw_refractor *slabs, const uint32_t *steps, int count,
                              rw_vec3 source, rw_vec3 receiver, rw_image_path *path)
{
    return rw_image_path_solve_among(view, slabs, steps, count, 0, source, receiver, path);
}

/* The same with surfaces that go on for ever in their planes: for callers who have seen that the path meets them. */
RW_FN int rw_image_path_solve_planes(const rw_surfaces_view *view, const rw_refractor *slabs, const uint32_t *steps,
                                     int count, rw_vec3 source, rw_vec3 receiver, rw_image_path *path)
{
    return rw_image_path_solve_among(view, slabs, steps, count, 1, source, receiver, path);
}

/* Whether the legs of a solved path are free, the last one asked first: what led to it was seen in pictures, while
 * behind the last level of the tree nothing is drawn. */
RW_FN int rw_image_path_free(const rw_surfaces_view *view, const rw_image_path *path, rw_vec3 source, rw_vec3 receiver)
{
    rw_vec3 to = receiver;
    uint32_t met = RW_NO_SURFACE;
    for (int i = path->count - 1; i >= 0; i--) {
        uint32_t left = RW_STEP_SURFACE(path->steps[i]);
        if (rw_surfaces_between(view, path->leaves[i], to, left, met))
            return 0;
        to = path->arrives[i];
        met = left;
    }
    return !rw_surfaces_between(view, source, to, RW_NO_SURFACE, met);
}

#endif
