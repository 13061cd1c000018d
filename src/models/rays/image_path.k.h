/* The exact path that belongs to a sequence of surfaces: from images to points, and whether nothing is in its way.
 *
 * From a transmitter, a receiver and a list of reflections and transmissions to the only path of that kind, in double.
 * The image of a reflection is the mirrored source; that of a transmission is the source shifted towards the slab by
 * what refraction of just this ray comes to, found by iteration. A slab's middle is the surface's plane, and
 * which sequences are paths is decided by these planes, so that reflections end where the rays over their edges begin.
 * Lengths and angles are then those of the faces: a panel reflects at its face on the side of the source (Novak 2016,
 * section 3), half a thickness from its plane; the plane of a mesh, a floor or a building is the face. Valid for plane
 * surfaces. */
#ifndef RW_MODELS_RAYS_IMAGE_PATH_K_H
#define RW_MODELS_RAYS_IMAGE_PATH_K_H

#include "models/rays/wall_joint.k.h"

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

/* Whether a ray has gone through a surface since its last reflection: a straight leg crosses a plane once. */
RW_FN int rw_steps_crossed(const uint32_t *steps, int count, uint32_t surface)
{
    for (int i = count - 1; i >= 0 && RW_STEP_THROUGH(steps[i]); i--)
        if (RW_STEP_SURFACE(steps[i]) == surface)
            return 1;
    return 0;
}

typedef struct rw_image_path {
    int count;                           /* of interactions */
    uint32_t steps[RW_IMAGE_DEPTH_MAX];  /* from the transmitter on */
    rw_vec3 arrives[RW_IMAGE_DEPTH_MAX]; /* where the ray before meets the surface's plane or face */
    rw_vec3 leaves[RW_IMAGE_DEPTH_MAX];  /* where the ray behind starts from that plane; the same for reflections */
    rw_vec3 directions[RW_IMAGE_DEPTH_MAX + 1]; /* of each leg, of length 1 */
    double cosines[RW_IMAGE_DEPTH_MAX];         /* of incidence */
    double spreading_m;                         /* distance from the last image: the wave falls off with it */
    double phase_m;                             /* length that the phase goes with, slabs counted as air */
    double delay_m;                             /* length that the delay goes with */
    rw_vec3 plane_arrives[RW_IMAGE_DEPTH_MAX];  /* as arrives and leaves, of the path by planes alone */
    rw_vec3 plane_leaves[RW_IMAGE_DEPTH_MAX];
    rw_vec3 departs; /* as directions[0], of the same */
    uint32_t joined; /* a bit for each transmission that does not count, at a joint of walls */
} rw_image_path;

#define RW_STEP_JOINED(path, i) (((path)->joined >> (i)) & 1u)

/* How far the faces that reflect are from a surface's plane. */
RW_FN double rw_surface_face_m(const rw_surface *surface, const rw_refractor *slab)
{
    int panel = !surface->built && !surface->mesh && fabs(surface->normal.z) < 0.5;
    return panel ? 0.5 * slab->thickness_m : 0.0;
}

/* Mirrored at the face on the point's side. */
RW_FN rw_vec3 rw_mirrored_over(const rw_surface *surface, double face_m, rw_vec3 point)
{
    double height_m = rw_surface_height_m(surface, point);
    return rw_vec3_sub(point, rw_vec3_scale(surface->normal, 2 * (height_m - (height_m > 0 ? face_m : -face_m))));
}

RW_FN rw_vec3 rw_mirrored(const rw_surface *surface, rw_vec3 point)
{
    return rw_mirrored_over(surface, 0.0, point);
}

typedef struct rw_image_sequence {
    rw_vec3 images[RW_IMAGE_DEPTH_MAX + 1];
    rw_vec3 inwards[RW_IMAGE_DEPTH_MAX]; /* normal of each surface, along the way of the ray */
    double shifts_m[RW_IMAGE_DEPTH_MAX];
    double faces_m[RW_IMAGE_DEPTH_MAX]; /* heights of the planes that the ray meets over those of the surfaces */
} rw_image_sequence;

/* slabs: reflections happen at their faces; NULL: in their planes. */
RW_FN void rw_image_sequence_build(const rw_surfaces_view *view, const rw_refractor *slabs, const uint32_t *steps,
                                   int count, rw_vec3 source, rw_image_sequence *chain)
{
    chain->images[0] = source;
    for (int i = 0; i < count; i++) {
        const rw_surface *surface = &view->surfaces[RW_STEP_SURFACE(steps[i])];
        double side = rw_surface_height_m(surface, chain->images[i]) > 0 ? -1 : 1;
        double face_m = slabs ? rw_surface_face_m(surface, &slabs[surface->kind]) : 0.0;
        chain->inwards[i] = rw_vec3_scale(surface->normal, side);
        chain->images[i + 1] = RW_STEP_THROUGH(steps[i])
                                   ? rw_vec3_add(chain->images[i], rw_vec3_scale(chain->inwards[i], chain->shifts_m[i]))
                                   : rw_mirrored_over(surface, face_m, chain->images[i]);
        chain->faces_m[i] = RW_STEP_THROUGH(steps[i]) ? 0.0 : -side * face_m;
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
        if (!RW_STEP_THROUGH(path->steps[i]) || RW_STEP_JOINED(path, i))
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
        double back = (rw_surface_height_m(surface, at) - chain->faces_m[i]) / rw_vec3_dot(direction, surface->normal);
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

/* Marks the transmissions that do not count at joints of walls, by where straight legs cross the planes. */
RW_FN void rw_image_sequence_join(const rw_surfaces_view *view, const rw_refractor *slabs,
                                  const rw_image_sequence *chain, rw_vec3 receiver, rw_image_path *path)
{
    if (rw_steps_through(path->steps, path->count) < 2 || !rw_image_sequence_points(view, chain, 1, receiver, path))
        return;
    for (int i = 0; i < path->count; i++)
        for (int j = i - 1; j >= 0 && RW_STEP_THROUGH(path->steps[i]) && RW_STEP_THROUGH(path->steps[j]); j--) {
            rw_slab_crossing crossings[2];
            for (int k = 0; k < 2; k++) {
                crossings[k].index = RW_STEP_SURFACE(path->steps[k ? j : i]);
                crossings[k].surface = &view->surfaces[crossings[k].index];
                crossings[k].slab = &slabs[crossings[k].surface->kind];
                crossings[k].at = path->leaves[k ? j : i];
            }
            if (rw_crossings_join(&crossings[0], &crossings[1]))
                path->joined |= 1u << (rw_crossing_yields(&crossings[0], &crossings[1]) ? i : j);
        }
}

/* Directions, points and lengths of a sequence whose steps are set. faces: reflections happen at faces, which go on for
 * ever; 0: in planes. */
RW_FN int rw_image_path_build(const rw_surfaces_view *view, const rw_refractor *slabs, int faces, int planes,
                              rw_vec3 source, rw_vec3 receiver, rw_image_path *path)
{
    rw_image_sequence chain;
    for (int i = 0; i < path->count; i++)
        chain.shifts_m[i] = 0;
    path->joined = 0;
    const double exact_m = 1e-13;
    for (int iteration = 0; iteration < 40; iteration++) {
        rw_image_sequence_build(view, faces ? slabs : 0, path->steps, path->count, source, &chain);
        if (!rw_image_sequence_directions(&chain, receiver, path))
            return 0;
        if (iteration == 0)
            rw_image_sequence_join(view, slabs, &chain, receiver, path);
        if (!(rw_image_sequence_refract(view, slabs, path, &chain) > exact_m))
            break;
    }
    if (!rw_image_sequence_points(view, &chain, planes || faces, receiver, path))
        return 0;
    path->phase_m = path->delay_m = path->spreading_m;
    for (int i = 0; i < path->count; i++) {
        if (!RW_STEP_THROUGH(path->steps[i]) || RW_STEP_JOINED(path, i))
            continue;
        const rw_surface *surface = &view->surfaces[RW_STEP_SURFACE(path->steps[i])];
        double shift_m = chain.shifts_m[i] * path->cosines[i];
        path->phase_m += shift_m;
        path->delay_m += shift_m + rw_refraction_excess_m(&slabs[surface->kind], path->cosines[i]);
    }
    return 1;
}

/* Sets the steps of a path; returns whether a ray can take them, and whether it is reflected at the face of a panel. */
RW_FN int rw_image_path_begin(const rw_surfaces_view *view, const rw_refractor *slabs, const uint32_t *steps, int count,
                              rw_image_path *path, int *faces)
{
    path->count = count;
    *faces = 0;
    for (int i = 0; i < count; i++) {
        const rw_surface *surface = &view->surfaces[RW_STEP_SURFACE(steps[i])];
        path->steps[i] = steps[i];
        if (!RW_STEP_THROUGH(steps[i]))
            *faces |= rw_surface_face_m(surface, &slabs[surface->kind]) > 0.0;
        else if (rw_steps_crossed(steps, i, RW_STEP_SURFACE(steps[i])))
            return 0;
    }
    return 1;
}

/* rw_image_path_solve, or rw_image_path_solve_planes. */
RW_FN int rw_image_path_solve_among(const rw_surfaces_view *view, const rw_refractor *slabs, const uint32_t *steps,
                                    int count, int planes, rw_vec3 source, rw_vec3 receiver, rw_image_path *path)
{
    int faces;
    if (!rw_image_path_begin(view, slabs, steps, count, path, &faces) ||
        !rw_image_path_build(view, slabs, 0, planes, source, receiver, path))
        return 0;
    path->departs = path->directions[0];
    for (int i = 0; i < count; i++) {
        path->plane_arrives[i] = path->arrives[i];
        path->plane_leaves[i] = path->leaves[i];
    }
    return !faces || rw_image_path_build(view, slabs, 1, 1, source, receiver, path);
}

/* The path of a sequence; 0 where there is none. Does not test what blocks it. */
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
        if (rw_surfaces_between(view, path->plane_leaves[i], to, left, met))
            return 0;
        to = path->plane_arrives[i];
        met = left;
    }
    return !rw_surfaces_between(view, source, to, RW_NO_SURFACE, met);
}

#endif
