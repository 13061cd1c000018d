/* Where two walls meet, a ray near the joint crosses one wall and not two.
 *
 * Walls are planes in the middle of their thickness, so that a ray near a corner crosses both planes inside the block
 * that both walls share. Two crossings are one where each lies within half of the other wall's thickness from the line
 * in which the planes meet; the wall that weakens the wave more counts. Symmetric in the direction of the ray. */
#ifndef RW_MODELS_RAYS_WALL_JOINT_K_H
#define RW_MODELS_RAYS_WALL_JOINT_K_H

#include "discretise/surfaces/surfaces.k.h"
#include "field/surfaces/refraction.k.h"

#define RW_JOINT_REACH_M 1.0 /* crossings of one joint are nearer to each other; thicker walls do not join */

/* One wall that a ray crosses, and where. */
typedef struct rw_slab_crossing {
    const rw_surface *surface;
    const rw_refractor *slab;
    uint32_t index; /* of the surface */
    rw_vec3 at;
} rw_slab_crossing;

/* Whether two crossings are one, in the block that both walls share. */
RW_FN int rw_crossings_join(const rw_slab_crossing *one, const rw_slab_crossing *other)
{
    rw_vec3 apart = rw_vec3_sub(one->at, other->at);
    double sine = rw_vec3_length(rw_vec3_cross(one->surface->normal, other->surface->normal));
    return rw_vec3_dot(apart, apart) < RW_JOINT_REACH_M * RW_JOINT_REACH_M &&
           fabs(rw_surface_height_m(other->surface, one->at)) < 0.5 * other->slab->thickness_m * sine &&
           fabs(rw_surface_height_m(one->surface, other->at)) < 0.5 * one->slab->thickness_m * sine;
}

/* Whether the other wall is the one that counts at their joint. */
RW_FN int rw_crossing_yields(const rw_slab_crossing *one, const rw_slab_crossing *other)
{
    if (one->slab->through_db != other->slab->through_db)
        return one->slab->through_db < other->slab->through_db;
    return one->index > other->index;
}

#endif
