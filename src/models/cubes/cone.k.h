/* The deflection cone of a piece as a family of rays: how many it takes, and where each of them starts and goes. */
#ifndef RW_MODELS_CUBES_CONE_K_H
#define RW_MODELS_CUBES_CONE_K_H

#include "base/maths/elementary.h"
#include "models/cubes/labels.k.h"

#define RW_CONE_FIRST_STEPS 8    /* before rays split for the first time */
#define RW_CONE_STAGES_MAX 12    /* 8 * 2^11 = 16384 steps */
#define RW_CONE_RAYS_A_CUBE 1.4f /* across a cone; */
#define RW_CONE_RAYS_ON_ARC 1.5f /* and along the arc of a fan, which runs askew somewhere */
/* A cone grows no denser once it is this much wider than its piece: between deflections so near to each other rays
 * have no meaning, and they would fill the whole sky. */
#define RW_CONE_SPREAD_MAX 16.0f
#define RW_CONE_FACE 0x3fffu /* number of the rays along the far face of an edge, which run a little before it */

/* A cone. A ray with the parameters a and b, from 0 to 1, starts at start + a along and, of a reflection, + b across;
 * it goes as that from where the wave seems to come from, or, of a diffraction, turned by b of the angle from across,
 * straight on, to side. */
typedef struct rw_cone {
    uint32_t kind;
    float start[3], along[3], across[3], side[3];
    float direction[3]; /* from where the wave seems to come to the start; of a diffraction the part along the edge */
    float angle;        /* of a diffraction: up to the far face */
    float out;          /* of a diffraction: 1 / distance of the wave's source from the edge */
    float width[2];     /* of the piece along a and b, in cubes; of a diffraction b is the angle */
    float distance;     /* from the apparent source to the piece */
} rw_cone;

RW_FN int rw_cone_init_reflection(rw_cone *cone, const rw_cube_element *element, const rw_cube_item *piece,
                                  const float from[3])
{
    const float *normal = element->axis;
    float height = 0.0f, distance2 = 0.0f, middle[3], rest = 0.0f, slope_along = 0.0f, slope_across = 0.0f;
    int across = fabsf(normal[0]) > fabsf(normal[1]) ? 0 : 1;
    across = fabsf(normal[2]) > (across == 0 ? fabsf(normal[0]) : fabsf(normal[1])) ? 2 : across;
    /* The parameters run along the two axes that the surface is least across; on the third it follows from the plane.
     * Written without indices that vary: on a GPU arrays then stay in registers. */
    int first = across == 0 ? 1 : 0, second = across == 2 ? 1 : 2;
    float steep = across == 0 ? normal[0] : across == 1 ? normal[1] : normal[2];
    rw_item_middle(piece, middle);
    for (int axis = 0; axis < 3; axis++) {
        float size = piece->to[axis] - piece->from[axis];
        height += (from[axis] - element->at[axis]) * normal[axis];
        cone->start[axis] = piece->from[axis];
        cone->along[axis] = axis == first ? size : 0.0f;
        cone->across[axis] = axis == second ? size : 0.0f;
        cone->side[axis] = 0.0f;
        rest += axis == across ? 0.0f : (piece->from[axis] - element->at[axis]) * normal[axis];
        slope_along += cone->along[axis] * normal[axis];
        slope_across += cone->across[axis] * normal[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        if (axis == across) {
            cone->start[axis] = element->at[axis] - rest / steep;
            cone->along[axis] = -slope_along / steep;
            cone->across[axis] = -slope_across / steep;
        }
        float image = from[axis] - 2.0f * height * normal[axis];
        cone->direction[axis] = cone->start[axis] - image;
        distance2 += (middle[axis] - image) * (middle[axis] - image);
    }
    cone->width[0] = (first == 0 ? cone->along[0] : cone->along[1]) / (across != 2 ? fabsf(steep) : 1.0f);
    cone->width[1] = second == 1 ? cone->across[1] : cone->across[2];
    cone->angle = 0.0f;
    cone->out = 0.0f;
    cone->distance = sqrtf(distance2);
    return height > 1e-3f;
}

RW_FN int rw_cone_init_diffraction(rw_cone *cone, const rw_cube_element *element, const rw_cube_item *piece,
                                   const float from[3])
{
    float a[3], distance, middle[3];
    float along = -rw_edge_across(element, piece, from, a, &distance);
    if (!(distance > 1e-3f))
        return 0;
    float towards = rw_dot3(a, element->inner) / (distance * distance);
    for (int axis = 0; axis < 3; axis++) {
        cone->start[axis] = piece->from[axis];
        cone->along[axis] = piece->to[axis] - piece->from[axis];
        cone->across[axis] = -a[axis];
        cone->side[axis] = element->inner[axis] - towards * a[axis];
        cone->direction[axis] = along * element->axis[axis];
    }
    float length = sqrtf(rw_dot3(cone->side, cone->side));
    for (int axis = 0; axis < 3; axis++)
        cone->side[axis] = length > 1e-6f ? cone->side[axis] * distance / length : 0.0f;
    /* The solid is centred on inner. */
    float cosine = -towards * distance;
    cosine = cosine > 1.0f ? 1.0f : cosine < -1.0f ? -1.0f : cosine;
    float half = element->half_cosine > 1.0f ? 1.0f : element->half_cosine;
    cone->angle = acosf(cosine) - acosf(half);
    cone->out = 1.0f / distance;
    cone->width[0] = sqrtf(rw_dot3(cone->along, cone->along));
    cone->width[1] = cone->angle;
    rw_item_middle(piece, middle);
    cone->distance = rw_distance3(from, middle);
    return cone->angle > 1e-3f;
}

/* The cone of a piece that a wave comes to; 0 where it is empty. */
RW_FN int rw_cone_init(rw_cone *cone, const rw_cube_element *element, const rw_cube_item *piece, const float from[3])
{
    cone->kind = element->kind;
    return element->kind == RW_CUBE_REFLECTION ? rw_cone_init_reflection(cone, element, piece, from)
                                               : rw_cone_init_diffraction(cone, element, piece, from);
}

/* Into how many rays the cone is cut along both parameters, for rays of so many steps. At that distance a reflection is
 * wider than its piece by 1 + steps / distance, and a fan of angles as wide as the arc. So many rays side by side are
 * at most a cube apart where the cone crosses cubes squarely; askew they would be up to twice that. */
RW_FN void rw_cone_counts(const rw_cone *cone, int steps, int counts[2])
{
    float spread = 1.0f + (float)steps / cone->distance;
    spread = spread < RW_CONE_SPREAD_MAX ? spread : RW_CONE_SPREAD_MAX;
    for (int side = 0; side < 2; side++) {
        int angle = side == 1 && cone->kind != RW_CUBE_REFLECTION;
        float across = angle ? cone->width[1] * (float)steps : cone->width[side] * spread;
        float wanted = (angle ? RW_CONE_RAYS_ON_ARC : RW_CONE_RAYS_A_CUBE) * across;
        counts[side] = wanted < 8000.0f ? (int)ceilf(wanted) : 8000;
        counts[side] = counts[side] > 1 ? counts[side] : 1;
    }
}

/* Of more rays side by side, the first that continues ray number `at` of `count`: those in its share of the cone do. */
RW_FN uint32_t rw_cone_next(uint32_t at, int count, int more)
{
    return (2u * at * (uint32_t)more + (uint32_t)count - 1u) / (2u * (uint32_t)count);
}

/* Rays that are set up together: a CPU computes eight at once. */
#ifdef __CUDACC__
#define RW_CONE_TOGETHER 1
#else
#define RW_CONE_TOGETHER 8
#endif

/* Start and direction of each; the longest component of a direction is 1. */
typedef struct rw_cone_rays {
    float start[3][RW_CONE_TOGETHER], direction[3][RW_CONE_TOGETHER];
} rw_cone_rays;

/* Scales directions. */
RW_FN void rw_cone_scale(rw_cone_rays *rays)
{
    float scale[RW_CONE_TOGETHER];
    RW_SIMD
    for (int n = 0; n < RW_CONE_TOGETHER; n++) {
        float x = fabsf(rays->direction[0][n]), y = fabsf(rays->direction[1][n]), z = fabsf(rays->direction[2][n]);
        float longest = x > y ? x : y;
        longest = z > longest ? z : longest;
        scale[n] = longest > 0.0f ? 1.0f / longest : 0.0f;
    }
    for (int axis = 0; axis < 3; axis++) {
        RW_SIMD
        for (int n = 0; n < RW_CONE_TOGETHER; n++)
            rays->direction[axis][n] *= scale[n];
    }
}

/* Rays of one stage by their nodes: a stage in the highest bits, then the numbers along both parameters, 14 bits each,
 * of so many. Rays along the far face of an edge are moved out of it a little. */
RW_FN void rw_cone_set_rays(const rw_cone *cone, const int counts[2], const uint32_t nodes[RW_CONE_TOGETHER],
                            rw_cone_rays *rays)
{
    float a[RW_CONE_TOGETHER], straight[RW_CONE_TOGETHER], sideways[RW_CONE_TOGETHER];
    float out_straight[RW_CONE_TOGETHER], out_sideways[RW_CONE_TOGETHER];
    const float per_a = 1.0f / (float)counts[0], per_b = 1.0f / (float)counts[1];
    const int fan = cone->kind != RW_CUBE_REFLECTION;
    RW_SIMD
    for (int n = 0; n < RW_CONE_TOGETHER; n++) {
        int at_a = (int)(nodes[n] >> 14 & 0x3fffu), at_b = (int)(nodes[n] & 0x3fffu);
        int on_face = at_b == (int)RW_CONE_FACE;
        float b = on_face ? 1.0f : ((float)at_b + 0.5f) * per_b, out = on_face ? RW_CUBE_FACE_OFFSET * cone->out : 0.0f;
        /* Angles go from 0 to pi; the polynomials from minus to plus a quarter turn. */
        float angle = b * cone->angle - (float)(0.5 * RW_PI), sine = rw_cos_quarter(angle),
              cosine = -rw_sin_quarter(angle);
        a[n] = ((float)at_a + 0.5f) * per_a;
        straight[n] = fan ? cosine : b;
        sideways[n] = fan ? sine : 0.0f;
        out_straight[n] = fan ? out * sine : b;
        out_sideways[n] = fan ? -out * cosine : 0.0f;
    }
    for (int axis = 0; axis < 3; axis++) {
        const float start = cone->start[axis], along = cone->along[axis], across = cone->across[axis];
        const float side = cone->side[axis], direction = cone->direction[axis];
        RW_SIMD
        for (int n = 0; n < RW_CONE_TOGETHER; n++) {
            rays->start[axis][n] = start + a[n] * along + out_straight[n] * across + out_sideways[n] * side;
            rays->direction[axis][n] = direction + a[n] * along + straight[n] * across + sideways[n] * side;
        }
    }
    rw_cone_scale(rays);
}

#endif
