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

/* A cone. A ray with the parameters a and b, from 0 to 1, starts at start + a along and, of a reflection, + b across;
 * it goes as that from where the wave seems to come from, or, of a diffraction, turned by b of the angle from across,
 * straight on, to side. */
typedef struct rw_cone {
    uint32_t kind;
    float start[3], along[3], across[3], side[3];
    float way[3];   /* from where the wave seems to come to the start; of a diffraction the part along the edge */
    float angle;    /* of a diffraction: up to the far face */
    float out;      /* of a diffraction: 1 / distance of the wave's source from the edge */
    float width[2]; /* of the piece along a and b, in cubes; of a diffraction b is the angle */
    float distance; /* from the apparent source to the piece */
} rw_cone;

RW_FN int rw_cone_make_reflection(rw_cone *cone, const rw_cube_element *element, const rw_cube_item *piece,
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
        cone->way[axis] = cone->start[axis] - image;
        distance2 += (middle[axis] - image) * (middle[axis] - image);
    }
    cone->width[0] = (first == 0 ? cone->along[0] : cone->along[1]) / (across != 2 ? fabsf(steep) : 1.0f);
    cone->width[1] = second == 1 ? cone->across[1] : cone->across[2];
    cone->angle = 0.0f;
    cone->out = 0.0f;
    cone->distance = sqrtf(distance2);
    return height > 1e-3f;
}

RW_FN int rw_cone_make_diffraction(rw_cone *cone, const rw_cube_element *element, const rw_cube_item *piece,
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
        cone->way[axis] = along * element->axis[axis];
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
RW_FN int rw_cone_make(rw_cone *cone, const rw_cube_element *element, const rw_cube_item *piece, const float from[3])
{
    cone->kind = element->kind;
    return element->kind == RW_CUBE_REFLECTION ? rw_cone_make_reflection(cone, element, piece, from)
                                               : rw_cone_make_diffraction(cone, element, piece, from);
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

RW_FN float rw_longest(const float way[3])
{
    float x = fabsf(way[0]), y = fabsf(way[1]), z = fabsf(way[2]), longest = x > y ? x : y;
    return z > longest ? z : longest;
}

/* Start and direction of a ray; the longest component of the direction is 1. before_face is how far a ray along the far
 * face of an edge is moved out of it. */
RW_FN void rw_cone_ray(const rw_cone *cone, float a, float b, float before_face, float start[3], float way[3])
{
    float straight = b, beside = 0.0f, out[2] = {b, 0.0f};
    if (cone->kind != RW_CUBE_REFLECTION) {
        /* Angles go from 0 to pi; the polynomials from minus to plus a quarter turn. */
        float turn = b * cone->angle - (float)(0.5 * RW_PI);
        straight = -rw_sin_quarter(turn);
        beside = rw_cos_quarter(turn);
        out[0] = before_face * cone->out * beside;
        out[1] = -before_face * cone->out * straight;
    }
    for (int axis = 0; axis < 3; axis++) {
        start[axis] =
            cone->start[axis] + a * cone->along[axis] + out[0] * cone->across[axis] + out[1] * cone->side[axis];
        way[axis] = cone->way[axis] + a * cone->along[axis] + straight * cone->across[axis] + beside * cone->side[axis];
    }
    float longest = rw_longest(way);
    float scale = longest > 0.0f ? 1.0f / longest : 0.0f;
    for (int axis = 0; axis < 3; axis++)
        way[axis] *= scale;
}

#endif
