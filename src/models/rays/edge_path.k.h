/* Where a ray touches the edges it bends round: one edge in closed form, two by Newton's method.
 *
 * From a source, lines in space and a receiver to the shares of the lines at which the way is shortest, which is
 * Keller's law at each (J. Opt. Soc. Am. 52, 1962). The length is convex in the two shares, so that there is one
 * answer. Reflections between are unfolded by the caller. */
#ifndef RW_MODELS_RAYS_EDGE_PATH_K_H
#define RW_MODELS_RAYS_EDGE_PATH_K_H

#include "discretise/surfaces/free_edges.k.h"

typedef struct rw_edge_line {
    rw_vec3 from, span; /* to the other end */
} rw_edge_line;

RW_FN rw_vec3 rw_edge_line_at(const rw_edge_line *line, double fraction)
{
    return rw_vec3_add(line->from, rw_vec3_scale(line->span, fraction));
}

/* First and second derivatives of |a + s u - b| by s at s = 0, and the unit vector. */
RW_FN double rw_length_slope(rw_vec3 a, rw_vec3 b, rw_vec3 u, double *second)
{
    rw_vec3 d = rw_vec3_sub(a, b);
    double length = rw_vec3_length(d);
    double first = rw_vec3_dot(d, u) / length;
    *second = (rw_vec3_dot(u, u) - first * first) / length;
    return first;
}

/* One Newton step of both shares; returns how far the points move, at most, or a negative number where they touch. */
RW_FN double rw_edge_pair_step(const rw_edge_line lines[2], rw_vec3 source, rw_vec3 receiver, double fractions[2])
{
    rw_vec3 p = rw_edge_line_at(&lines[0], fractions[0]), q = rw_edge_line_at(&lines[1], fractions[1]);
    rw_vec3 u = lines[0].span, v = lines[1].span, d = rw_vec3_sub(p, q);
    double between = rw_vec3_length(d), h11, h22, second;
    if (!(between > 1e-9))
        return -1;
    double g1 = rw_length_slope(p, source, u, &h11) + rw_length_slope(p, q, u, &second);
    h11 += second;
    double g2 = rw_length_slope(q, receiver, v, &h22) + rw_length_slope(q, p, v, &second);
    h22 += second;
    double h12 = (-rw_vec3_dot(u, v) + rw_vec3_dot(d, u) * rw_vec3_dot(d, v) / (between * between)) / between;
    double determinant = h11 * h22 - h12 * h12;
    if (!(determinant > 1e-30))
        return -1;
    double step0 = (h22 * g1 - h12 * g2) / determinant, step1 = (h11 * g2 - h12 * g1) / determinant;
    double move = fmax(fabs(step0) * rw_vec3_length(u), fabs(step1) * rw_vec3_length(v));
    /* Far from the answer the square fits badly: no step is longer than the ways between the points. */
    double max_move = between + rw_vec3_length(rw_vec3_sub(p, source)) + rw_vec3_length(rw_vec3_sub(q, receiver));
    double scale = move > max_move ? max_move / move : 1.0;
    fractions[0] -= scale * step0;
    fractions[1] -= scale * step1;
    return move;
}

/* Shares of both lines; 0 where there is no answer. */
RW_FN int rw_edge_pair_solve(const rw_edge_line lines[2], rw_vec3 source, rw_vec3 receiver, double fractions[2])
{
    rw_vec3 middle = rw_edge_line_at(&lines[1], 0.5);
    if (!rw_keller_fraction(lines[0].from, lines[0].span, source, middle, &fractions[0]))
        return 0;
    if (!rw_keller_fraction(lines[1].from, lines[1].span, rw_edge_line_at(&lines[0], fractions[0]), receiver,
                            &fractions[1]))
        return 0;
    for (int iteration = 0; iteration < 50; iteration++) {
        double move = rw_edge_pair_step(lines, source, receiver, fractions);
        if (move < 0)
            return 0;
        if (move < 1e-7) /* the error after a step is about its square */
            return 1;
    }
    return 0;
}

#endif
