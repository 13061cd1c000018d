/* One deflection of the cubes model: from where a wave seems to come, over a piece of a surface or edge, to a point.
 *
 * A label tells how a wave arrives at a piece: the point it seems to come from (the last edge, or its image in the
 * walls since), the length up to there and the loss of the deflections so far. The deflection cone of a piece is the
 * set of points that its wave reaches: by reflection, those whose line from the image meets the piece; by diffraction,
 * those whose point of Keller's cone on the edge lies in the piece and that lie in the shadow of the edge, so that the
 * path bends round the solid. Lengths and angles are those of the exact path and carry no error of the cubes. Lengths
 * are in cubes. */
#ifndef RW_MODELS_CUBES_TURN_K_H
#define RW_MODELS_CUBES_TURN_K_H

#include "discretise/cubes.k.h"
#include "field/deflection.k.h"
#include <math.h>

/* Points this near to the border of a piece belong to it, so that none falls between two. */
#define RW_CUBE_BORDER 2e-3f

typedef struct rw_cube_label {
    float from[3];
    float before;  /* length up to from */
    float loss_db; /* of the deflections up to from */
} rw_cube_label;

/* A path bent at one piece. */
typedef struct rw_cube_turn {
    float at[3];   /* where it is bent */
    float from[3]; /* where the wave seems to come from afterwards */
    float before;  /* length up to from, added to the label's */
    float length;  /* of the whole, added to the label's */
    float cosine;  /* of the change of direction */
} rw_cube_turn;

RW_FN float rw_dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

RW_FN float rw_triple3(const float a[3], const float b[3], const float c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

RW_FN void rw_item_middle(const rw_cube_item *item, float middle[3])
{
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = 0.5f * (item->from[axis] + item->to[axis]);
}

RW_FN int rw_turn_reflection(const rw_cube_element *element, const rw_cube_item *item, const float from[3],
                             const float to[3], rw_cube_turn *turn)
{
    float height_from = 0.0f, height_to = 0.0f, length2 = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        height_from += (from[axis] - element->at[axis]) * element->axis[axis];
        height_to += (to[axis] - element->at[axis]) * element->axis[axis];
    }
    if (!(height_from > 1e-3f) || !(height_to > 1e-3f))
        return 0;
    float share = height_from / (height_from + height_to);
    for (int axis = 0; axis < 3; axis++) {
        float image = from[axis] - 2.0f * height_from * element->axis[axis], way = to[axis] - image;
        turn->from[axis] = image;
        turn->at[axis] = image + share * way;
        if (turn->at[axis] < item->from[axis] - RW_CUBE_BORDER || turn->at[axis] > item->to[axis] + RW_CUBE_BORDER)
            return 0;
        length2 += way * way;
    }
    float cosine_in2 = (height_from + height_to) * (height_from + height_to) / length2; /* from the normal */
    turn->before = 0.0f;
    turn->length = sqrtf(length2);
    turn->cosine = 1.0f - 2.0f * cosine_in2;
    return 1;
}

/* Vector from an edge to a point, across the edge; returns the place along it. */
RW_FN float rw_edge_across(const rw_cube_element *element, const rw_cube_item *item, const float point[3],
                           float across[3], float *distance)
{
    float way[3];
    for (int axis = 0; axis < 3; axis++)
        way[axis] = point[axis] - item->from[axis];
    float along = rw_dot3(way, element->axis);
    for (int axis = 0; axis < 3; axis++)
        across[axis] = way[axis] - along * element->axis[axis];
    *distance = sqrtf(rw_dot3(across, across));
    return along;
}

RW_FN int rw_turn_diffraction(const rw_cube_element *element, const rw_cube_item *item, const float from[3],
                              const float to[3], rw_cube_turn *turn)
{
    float a[3], b[3], distance_from, distance_to, piece[3];
    float along_from = rw_edge_across(element, item, from, a, &distance_from);
    float along_to = rw_edge_across(element, item, to, b, &distance_to);
    if (!(distance_from > 1e-3f) || !(distance_to > 1e-3f))
        return 0;
    for (int axis = 0; axis < 3; axis++)
        piece[axis] = item->to[axis] - item->from[axis];
    float way = along_to - along_from, across = distance_from + distance_to;
    float along = along_from + way * distance_from / across; /* Keller: equal angles to the edge */
    if (along < -RW_CUBE_BORDER || along > rw_dot3(piece, element->axis) + RW_CUBE_BORDER)
        return 0;
    /* Both ends outside the solid, and the solid between them. */
    if (rw_dot3(a, element->inner) > (element->half_cosine + 1e-3f) * distance_from ||
        rw_dot3(b, element->inner) > (element->half_cosine + 1e-3f) * distance_to)
        return 0;
    float bend = rw_triple3(element->axis, a, b), before = rw_triple3(element->axis, a, element->inner);
    float after = rw_triple3(element->axis, element->inner, b);
    if (!(bend * before > 0.0f && bend * after > 0.0f))
        return 0;
    float length2 = across * across + way * way, sine2 = across * across / length2;
    turn->length = sqrtf(length2);
    turn->before = turn->length * distance_from / across;
    turn->cosine = 1.0f - sine2 - sine2 * rw_dot3(a, b) / (distance_from * distance_to);
    for (int axis = 0; axis < 3; axis++)
        turn->at[axis] = turn->from[axis] = item->from[axis] + along * element->axis[axis];
    return 1;
}

/* Whether a wave from a point reaches another by one deflection at the piece, and how. */
RW_FN int rw_cube_turn_find(const rw_cube_element *element, const rw_cube_item *item, const float from[3],
                            const float to[3], rw_cube_turn *turn)
{
    return element->kind == RW_CUBE_REFLECTION ? rw_turn_reflection(element, item, from, to, turn)
                                               : rw_turn_diffraction(element, item, from, to, turn);
}

/* Rays along a wall are kept this far before it, in cubes: farther than a filled cube reaches out of a wall. */
#define RW_CUBE_BESIDE 0.75f

/* A point in the air before one face of an edge's piece; side is -1 or 1. */
RW_FN void rw_item_beside(const rw_cube_element *element, const rw_cube_item *item, float side, float at[3])
{
    const float *u = element->axis, *b = element->inner;
    float across[3] = {u[1] * b[2] - u[2] * b[1], u[2] * b[0] - u[0] * b[2], u[0] * b[1] - u[1] * b[0]};
    float cosine = element->half_cosine < 1.0f ? element->half_cosine : 1.0f, sine = sqrtf(1.0f - cosine * cosine);
    rw_item_middle(item, at);
    for (int axis = 0; axis < 3; axis++)
        at[axis] += RW_CUBE_BESIDE * (side * cosine * across[axis] - sine * b[axis]);
}

/* Whether a piece is met from its outer side by a wave from a point. */
RW_FN int rw_item_faces(const rw_cube_element *element, const rw_cube_item *item, const float from[3])
{
    float middle[3], way[3], across[3], distance;
    rw_item_middle(item, middle);
    if (element->kind == RW_CUBE_REFLECTION) {
        for (int axis = 0; axis < 3; axis++)
            way[axis] = from[axis] - middle[axis];
        return rw_dot3(way, element->axis) > 1e-3f;
    }
    rw_edge_across(element, item, from, across, &distance);
    return distance > 1e-3f && rw_dot3(across, element->inner) < (element->half_cosine + 1e-3f) * distance;
}

/* Equation (3): free space over the whole length plus each deflection's loss. decibels_at_one is free space over one
 * cube. */
RW_FN float rw_cube_loss_db(float decibels_at_one, float length, float deflections_db)
{
    float loss_db = decibels_at_one + 20.0f * log10f(length) + deflections_db;
    return loss_db > 0.0f ? loss_db : 0.0f;
}

RW_FN float rw_turn_loss_db(const rw_deflection *deflections, uint32_t kind, float cosine)
{
    cosine = cosine > 1.0f ? 1.0f : cosine < -1.0f ? -1.0f : cosine;
    return (float)rw_deflection_loss_db(deflections[kind], (double)acosf(cosine));
}

#endif
