/* Edges of surfaces that diffract: where nothing else begins (jambs of open doors, ends of walls), where another
 * surface of the same plane and of another construction begins (frames of windows and of closed doors), and where
 * surfaces meet at an angle with more than half of space on one side (corners of rooms, edges of meshes). */
#ifndef RW_DISCRETISE_SURFACES_FREE_EDGES_K_H
#define RW_DISCRETISE_SURFACES_FREE_EDGES_K_H

#include "base/maths/vector.h"

#include <stdint.h>

typedef struct rw_free_edge {
    rw_vec3 from, to;
    rw_vec3 along;           /* in the surface, away from the edge, of length 1 */
    rw_vec3 normal;          /* of the surface, to the side of the open angle, of length 1 */
    double exterior_over_pi; /* the open angle: 2 where the surface ends, less where it meets another */
    uint32_t surface;
    uint32_t other; /* the second face or, where the open angle is 2 pi, the pane beyond the edge; UINT32_MAX: none */
} rw_free_edge;

RW_FN int rw_edge_is_wedge(const rw_free_edge *edge)
{
    return edge->exterior_over_pi < 2.0;
}

/* Where on the line from + share way a ray from one point to another is diffracted: the angles with the line are equal
 * (Keller, J. Opt. Soc. Am. 52, 1962). 0 where one of the two is on the line. */
RW_FN int rw_keller_fraction(rw_vec3 from, rw_vec3 span, rw_vec3 source, rw_vec3 receiver, double *fraction)
{
    rw_vec3 a = rw_vec3_sub(source, from), b = rw_vec3_sub(receiver, from);
    double length2 = rw_vec3_dot(span, span), along_a = rw_vec3_dot(a, span) / length2;
    double along_b = rw_vec3_dot(b, span) / length2;
    double off_a = rw_vec3_length(rw_vec3_sub(a, rw_vec3_scale(span, along_a)));
    double off_b = rw_vec3_length(rw_vec3_sub(b, rw_vec3_scale(span, along_b)));
    if (!(off_a > 1e-6) || !(off_b > 1e-6))
        return 0;
    *fraction = (along_a * off_b + along_b * off_a) / (off_a + off_b);
    return 1;
}

/* That point of an edge; 0 where it is beyond the edge's ends. */
RW_FN int rw_keller_point(const rw_free_edge *edge, rw_vec3 source, rw_vec3 receiver, rw_vec3 *point)
{
    rw_vec3 span = rw_vec3_sub(edge->to, edge->from);
    double fraction;
    if (!rw_keller_fraction(edge->from, span, source, receiver, &fraction))
        return 0;
    *point = rw_vec3_add(edge->from, rw_vec3_scale(span, fraction));
    return fraction >= 0 && fraction < 1;
}

#endif
