/* One deflection of the cubes model: from where a wave seems to come, over a piece of a surface or edge, to a point.
 *
 * A label tells how a wave arrives at a piece: the point it seems to come from (the last edge, or its image in the
 * walls since), the length up to there and the loss of the deflections so far. The deflection cone of a piece is the
 * set of points that its wave reaches: by reflection, those whose line from the image meets the piece; by diffraction,
 * those whose point of Keller's cone on the edge lies in the piece and that lie in the shadow of the edge, so that the
 * path bends round the solid. Lengths and angles are those of the exact path and carry no error of the cubes. Lengths
 * are in cubes. */
#ifndef RW_MODELS_CUBES_INTERACTION_K_H
#define RW_MODELS_CUBES_INTERACTION_K_H

#include "discretise/cubes/cubes.k.h"
#include "field/edges/deflection.k.h"
#include <math.h>

/* Points this near to the border of a piece belong to it, so that none falls between two. */
#define RW_CUBE_BORDER 2e-3f
/* Sine of the angle at an edge that rounding may take from a straight line. */
#define RW_CUBE_TOUCH 2e-6f

typedef struct rw_cube_label {
    float from[3];
    float before;  /* length up to from */
    float loss_db; /* of the deflections up to from, and of the departure where there is one */
} rw_cube_label;

/* A path bent at one piece. */
typedef struct rw_cube_interaction {
    float at[3];   /* where it is bent */
    float from[3]; /* where the wave seems to come from afterwards */
    float before;  /* length up to from, added to the label's */
    float length;  /* of the whole, added to the label's */
    float cosine;  /* of the change of direction */
} rw_cube_interaction;

RW_FN float rw_distance3(const float a[3], const float b[3])
{
    float offset[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return sqrtf(rw_dot3(offset, offset));
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

/* What the turns at one piece share: how the wave comes to it. */
typedef struct rw_interaction_start {
    const rw_cube_element *element;
    const rw_cube_item *item;
    float from[3];  /* of a reflection the image; of a diffraction the way from the edge to the source, across it */
    float height;   /* of a reflection: of the source above the surface */
    float along;    /* of a diffraction: place of the source along the edge, */
    float distance; /* its distance from it, */
    float bend;     /* which way round the solid is, */
    float length;   /* and how long the piece is */
    int reaches;    /* 0: the source is behind */
} rw_interaction_start;

/* Vector from an edge to a point, across the edge; returns the place along it. */
RW_FN float rw_edge_across(const rw_cube_element *element, const rw_cube_item *item, const float point[3],
                           float across[3], float *distance)
{
    float offset[3];
    for (int axis = 0; axis < 3; axis++)
        offset[axis] = point[axis] - item->from[axis];
    float along = rw_dot3(offset, element->axis);
    for (int axis = 0; axis < 3; axis++)
        across[axis] = offset[axis] - along * element->axis[axis];
    *distance = sqrtf(rw_dot3(across, across));
    return along;
}

RW_FN rw_interaction_start rw_interaction_start_of(const rw_cube_element *element, const rw_cube_item *item,
                                                   const float from[3])
{
    rw_interaction_start start = {element, item, {0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0};
    if (element->kind == RW_CUBE_REFLECTION) {
        for (int axis = 0; axis < 3; axis++)
            start.height += (from[axis] - element->at[axis]) * element->axis[axis];
        for (int axis = 0; axis < 3; axis++)
            start.from[axis] = from[axis] - 2.0f * start.height * element->axis[axis];
        start.reaches = start.height > 1e-3f;
        return start;
    }
    start.along = rw_edge_across(element, item, from, start.from, &start.distance);
    start.bend = rw_triple3(element->axis, start.from, element->inner);
    for (int axis = 0; axis < 3; axis++)
        start.length += (item->to[axis] - item->from[axis]) * element->axis[axis];
    start.reaches = start.distance > 1e-3f &&
                    rw_dot3(start.from, element->inner) <= (element->half_cosine + 1e-3f) * start.distance;
    return start;
}

RW_FN int rw_interaction_reflection(const rw_interaction_start *start, const float to[3],
                                    rw_cube_interaction *interaction)
{
    const rw_cube_element *element = start->element;
    const rw_cube_item *item = start->item;
    float height_to = 0.0f, length2 = 0.0f;
    for (int axis = 0; axis < 3; axis++)
        height_to += (to[axis] - element->at[axis]) * element->axis[axis];
    if (!(height_to > 1e-3f))
        return 0;
    float height = start->height + height_to, fraction = start->height / height;
    for (int axis = 0; axis < 3; axis++) {
        float offset = to[axis] - start->from[axis];
        interaction->from[axis] = start->from[axis];
        interaction->at[axis] = start->from[axis] + fraction * offset;
        if (interaction->at[axis] < item->from[axis] - RW_CUBE_BORDER ||
            interaction->at[axis] > item->to[axis] + RW_CUBE_BORDER)
            return 0;
        length2 += offset * offset;
    }
    interaction->before = 0.0f;
    interaction->length = sqrtf(length2);
    interaction->cosine = 1.0f - 2.0f * height * height / length2; /* height / length: cosine from the normal */
    return 1;
}

RW_FN int rw_interaction_diffraction(const rw_interaction_start *start, const float to[3],
                                     rw_cube_interaction *interaction)
{
    const rw_cube_element *element = start->element;
    const float *a = start->from;
    float b[3], distance_to;
    float along_to = rw_edge_across(element, start->item, to, b, &distance_to);
    float offset = along_to - start->along, across = start->distance + distance_to;
    float along = start->along + offset * start->distance / across; /* Keller: equal angles to the edge */
    if (!(along >= -RW_CUBE_BORDER && along <= start->length + RW_CUBE_BORDER) || !(distance_to > 1e-3f))
        return 0;
    /* Outside the solid, and the solid between the two ends; a line that touches the edge is no line of sight. */
    if (rw_dot3(b, element->inner) > (element->half_cosine + 1e-3f) * distance_to)
        return 0;
    float bend = rw_triple3(element->axis, a, b) * (start->bend > 0.0f ? 1.0f : -1.0f);
    if (!(bend > -RW_CUBE_TOUCH * start->distance * distance_to &&
          rw_triple3(element->axis, element->inner, b) * start->bend > 0.0f))
        return 0;
    float length2 = across * across + offset * offset, sine2 = across * across / length2;
    interaction->length = sqrtf(length2);
    interaction->before = interaction->length * start->distance / across;
    interaction->cosine = 1.0f - sine2 - sine2 * rw_dot3(a, b) / (start->distance * distance_to);
    for (int axis = 0; axis < 3; axis++)
        interaction->at[axis] = interaction->from[axis] = start->item->from[axis] + along * element->axis[axis];
    return 1;
}

/* Whether a wave reaches a point by one deflection at the piece, and how. */
RW_FN int rw_cube_interaction_find(const rw_interaction_start *start, const float to[3],
                                   rw_cube_interaction *interaction)
{
    if (!start->reaches)
        return 0;
    return start->element->kind == RW_CUBE_REFLECTION ? rw_interaction_reflection(start, to, interaction)
                                                      : rw_interaction_diffraction(start, to, interaction);
}

/* Rays along a wall are kept this far before it, in cubes: farther than a filled cube reaches out of a wall. */
#define RW_CUBE_FACE_OFFSET 0.75f

/* A point in the air before one face of an edge's piece; side is -1 or 1. */
RW_FN void rw_item_face_point(const rw_cube_element *element, const rw_cube_item *item, float side, float at[3])
{
    const float *u = element->axis, *b = element->inner;
    float across[3] = {u[1] * b[2] - u[2] * b[1], u[2] * b[0] - u[0] * b[2], u[0] * b[1] - u[1] * b[0]};
    float cosine = element->half_cosine < 1.0f ? element->half_cosine : 1.0f, sine = sqrtf(1.0f - cosine * cosine);
    rw_item_middle(item, at);
    for (int axis = 0; axis < 3; axis++)
        at[axis] += RW_CUBE_FACE_OFFSET * (side * cosine * across[axis] - sine * b[axis]);
}

/* Whether a piece is met from its outer side by a wave from a point. */
RW_FN int rw_item_faces(const rw_cube_element *element, const rw_cube_item *item, const float from[3])
{
    float middle[3], offset[3], across[3], distance;
    rw_item_middle(item, middle);
    if (element->kind == RW_CUBE_REFLECTION) {
        for (int axis = 0; axis < 3; axis++)
            offset[axis] = from[axis] - middle[axis];
        return rw_dot3(offset, element->axis) > 1e-3f;
    }
    rw_edge_across(element, item, from, across, &distance);
    return distance > 1e-3f && rw_dot3(across, element->inner) < (element->half_cosine + 1e-3f) * distance;
}

#define RW_ITEM_SAMPLES 5

/* A point of a piece: its middle, then points near its corners or ends. */
RW_FN void rw_item_sample(const rw_cube_element *element, const rw_cube_item *item, int sample, float at[3])
{
    const float near_end = 0.05f;
    if (sample == 0) {
        rw_item_middle(item, at);
        return;
    }
    if (element->kind != (uint32_t)RW_CUBE_REFLECTION) {
        float fraction = sample == 1 ? near_end : sample == 2 ? 1.0f - near_end : sample == 3 ? 0.25f : 0.75f;
        for (int axis = 0; axis < 3; axis++)
            at[axis] = item->from[axis] + fraction * (item->to[axis] - item->from[axis]);
        return;
    }
    /* Along the two axes that the surface is least across; the third follows from the plane. */
    const float *normal = element->axis;
    int across = fabsf(normal[0]) > fabsf(normal[1]) ? 0 : 1, bit = 0;
    across = fabsf(normal[2]) > fabsf(normal[across]) ? 2 : across;
    float rest = 0.0f;
    for (int axis = 0; axis < 3; axis++)
        if (axis != across) {
            float fraction = ((sample - 1) >> bit++ & 1) ? near_end : 1.0f - near_end;
            at[axis] = item->from[axis] + fraction * (item->to[axis] - item->from[axis]);
            rest += (at[axis] - element->at[axis]) * normal[axis];
        }
    at[across] = element->at[across] - rest / normal[across];
}

/* Equation (3): free space over the whole length plus each deflection's loss. decibels_at_one is free space over one
 * cube. */
RW_FN float rw_cube_loss_db(float decibels_at_one, float length, float deflections_db)
{
    float loss_db = decibels_at_one + 20.0f * log10f(length) + deflections_db;
    return loss_db > 0.0f ? loss_db : 0.0f;
}

RW_FN float rw_interaction_angle_rad(float cosine)
{
    return acosf(cosine > 1.0f ? 1.0f : cosine < -1.0f ? -1.0f : cosine);
}

RW_FN float rw_interaction_loss_db(const rw_deflection *deflections, uint32_t kind, float cosine)
{
    return (float)rw_deflection_loss_db(deflections[kind], (double)rw_interaction_angle_rad(cosine));
}

#endif
