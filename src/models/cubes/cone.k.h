/* The deflection cone of a piece as a family of rays: how many it takes, and where each of them starts and goes. */
#ifndef RW_MODELS_CUBES_CONE_K_H
#define RW_MODELS_CUBES_CONE_K_H

#include "base/elementary.h"
#include "models/cubes/search.k.h"

#define RW_CONE_FIRST_STEPS 8    /* before rays split for the first time */
#define RW_CONE_STAGES_MAX 12    /* 8 * 2^11 = 16384 steps */
#define RW_CONE_RAYS_A_CUBE 1.4f /* across a cone; */
#define RW_CONE_RAYS_ON_ARC 1.5f /* and along the arc of a fan, which runs askew somewhere */
/* A cone grows no denser once it is this much wider than its piece: between deflections so near to each other rays
 * have no meaning, and they would fill the whole sky. */
#define RW_CONE_SPREAD_MAX 16.0f
#define RW_CONE_FACE 0x3fffu /* number of the rays along the far face of an edge, which run a little before it */

/* A cone: rays start at corner + a first + b second; of a diffraction only a counts, and b is the angle. */
typedef struct rw_cone {
    const rw_cube_element *element;
    const rw_cube_item *piece;
    const float *from; /* where the wave seems to come from */
    float image[3];    /* of a reflection */
    int axes[3];       /* of a reflection: along the piece, up it, and across it */
    float angle;       /* of a diffraction: up to the far face */
    float width[2];    /* of the piece along a and b, in cubes; of a diffraction b is the angle */
    float distance;    /* from the apparent source to the piece */
    float middle[3];   /* of the piece */
    /* Of a diffraction: straight on across the edge, as long as it is far, and as long at right angles towards the
     * solid; how far along the edge the wave has come to the piece's start. */
    float straight[3], side[3], along;
    int counts[RW_CONE_STAGES_MAX][2]; /* of rays along both parameters, in each stage */
} rw_cone;

RW_FN int rw_cone_make_reflection(rw_cone *cone)
{
    const float *normal = cone->element->axis;
    float height = 0.0f, distance2 = 0.0f;
    const float *middle = cone->middle;
    int across = fabsf(normal[0]) > fabsf(normal[1]) ? 0 : 1;
    across = fabsf(normal[2]) > fabsf(normal[across]) ? 2 : across;
    cone->axes[0] = across == 0 ? 1 : 0;
    cone->axes[1] = across == 2 ? 1 : 2;
    cone->axes[2] = across;
    for (int axis = 0; axis < 3; axis++)
        height += (cone->from[axis] - cone->element->at[axis]) * normal[axis];
    for (int axis = 0; axis < 3; axis++) {
        cone->image[axis] = cone->from[axis] - 2.0f * height * normal[axis];
        distance2 += (middle[axis] - cone->image[axis]) * (middle[axis] - cone->image[axis]);
    }
    for (int side = 0; side < 2; side++)
        cone->width[side] = (cone->piece->to[cone->axes[side]] - cone->piece->from[cone->axes[side]]) /
                            (side == 0 && across != 2 ? fabsf(normal[across]) : 1.0f);
    cone->distance = sqrtf(distance2);
    return height > 1e-3f;
}

RW_FN int rw_cone_make_diffraction(rw_cone *cone)
{
    const rw_cube_element *element = cone->element;
    float a[3], distance, piece[3];
    cone->along = -rw_edge_across(element, cone->piece, cone->from, a, &distance);
    if (!(distance > 1e-3f))
        return 0;
    float towards = rw_dot3(a, element->inner) / (distance * distance);
    for (int axis = 0; axis < 3; axis++) {
        piece[axis] = cone->piece->to[axis] - cone->piece->from[axis];
        cone->straight[axis] = -a[axis];
        cone->side[axis] = element->inner[axis] - towards * a[axis];
    }
    float length = sqrtf(rw_dot3(cone->side, cone->side));
    for (int axis = 0; axis < 3; axis++)
        cone->side[axis] = length > 1e-6f ? cone->side[axis] * distance / length : 0.0f;
    /* The solid is centred on inner. */
    float cosine = -towards * distance;
    cosine = cosine > 1.0f ? 1.0f : cosine < -1.0f ? -1.0f : cosine;
    float half = element->half_cosine > 1.0f ? 1.0f : element->half_cosine;
    cone->angle = acosf(cosine) - acosf(half);
    cone->width[0] = sqrtf(rw_dot3(piece, piece));
    cone->width[1] = cone->angle;
    cone->distance = rw_distance3(cone->from, cone->middle);
    return cone->angle > 1e-3f;
}

/* Into how many rays the cone is cut along both parameters, for rays of so many steps. At that distance a reflection is
 * wider than its piece by 1 + steps / distance, and a fan of angles as wide as the arc. So many rays side by side are
 * at most a cube apart where the cone crosses cubes squarely; askew they would be up to twice that. */
RW_FN void rw_cone_counts(const rw_cone *cone, int steps, int counts[2])
{
    float spread = 1.0f + (float)steps / cone->distance;
    spread = spread < RW_CONE_SPREAD_MAX ? spread : RW_CONE_SPREAD_MAX;
    for (int side = 0; side < 2; side++) {
        int angle = side == 1 && cone->element->kind != RW_CUBE_REFLECTION;
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

RW_FN float rw_longest(const float way[3])
{
    float x = fabsf(way[0]), y = fabsf(way[1]), z = fabsf(way[2]), longest = x > y ? x : y;
    return z > longest ? z : longest;
}

/* Start and direction of a ray; the longest component of the direction is 1. before_face is how far a ray along the far
 * face of an edge is moved out of it. */
RW_FN void rw_cone_ray(const rw_cone *cone, float a, float b, float before_face, float start[3], float way[3])
{
    const rw_cube_item *piece = cone->piece;
    const float *axis_of = cone->element->axis;
    if (cone->element->kind == RW_CUBE_REFLECTION) {
        const int *axes = cone->axes;
        float rest = 0.0f;
        start[axes[0]] = piece->from[axes[0]] + a * (piece->to[axes[0]] - piece->from[axes[0]]);
        start[axes[1]] = piece->from[axes[1]] + b * (piece->to[axes[1]] - piece->from[axes[1]]);
        for (int side = 0; side < 2; side++)
            rest += (start[axes[side]] - cone->element->at[axes[side]]) * axis_of[axes[side]];
        start[axes[2]] = cone->element->at[axes[2]] - rest / axis_of[axes[2]];
        for (int axis = 0; axis < 3; axis++)
            way[axis] = start[axis] - cone->image[axis];
    } else {
        /* Angles go from 0 to pi; the polynomials from minus to plus a quarter turn. */
        float turn = b * cone->angle - (float)(0.5 * RW_PI), along = cone->along + a * cone->width[0];
        float cosine = -rw_sin_quarter(turn), sine = rw_cos_quarter(turn);
        float out = before_face / sqrtf(rw_dot3(cone->straight, cone->straight));
        for (int axis = 0; axis < 3; axis++) {
            way[axis] = along * axis_of[axis] + cosine * cone->straight[axis] + sine * cone->side[axis];
            start[axis] = piece->from[axis] + a * (piece->to[axis] - piece->from[axis]) +
                          out * (sine * cone->straight[axis] - cosine * cone->side[axis]);
        }
    }
    float longest = rw_longest(way);
    float scale = longest > 0.0f ? 1.0f / longest : 0.0f;
    for (int axis = 0; axis < 3; axis++)
        way[axis] *= scale;
}

#endif
