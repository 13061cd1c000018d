/* Directions of a launched sphere of rays: the corners of an icosahedron whose edges are cut into n parts, 10 n^2 + 2
 * of them, each by its number.
 *
 * The icosahedron is two poles and ten rhombi of two triangles, and a rhombus owns n x n corners: no table, any n
 * (4096: 167 772 162 rays). Corners are even in the plane of a triangle and pushed out to the sphere, so their distance
 * in angle is known at each. */
#ifndef RW_MODELS_SBR_ICOSPHERE_K_H
#define RW_MODELS_SBR_ICOSPHERE_K_H

#include "base/maths/elementary.h"
#include "base/maths/vector.h"

#include <stddef.h>

#define RW_ICOSAHEDRON_EDGE 1.0514622242382672    /* of radius 1 */
#define RW_ICOSAHEDRON_INSIDE 0.79465447229176612 /* radius of the sphere inside */

RW_FN size_t rw_launch_count(size_t divisions)
{
    return 10 * divisions * divisions + 2;
}

/* Corner of the upper (0) or lower (1) ring. */
RW_FN rw_vec3 rw_icosahedron_corner(int ring, int index)
{
    const double height = 0.44721359549995793, radius = 0.89442719099991586; /* 1/sqrt 5, 2/sqrt 5 */
    double angle = (72.0 * index + 36.0 * ring) * RW_PI / 180.0;
    return rw_vec3_of(radius * cos(angle), radius * sin(angle), ring ? -height : height);
}

/* Corners of a rhombus: a at its head, b and c beside it, d at its foot. Triangles are a b c and d c b. */
RW_FN void rw_icosahedron_rhombus(int rhombus, rw_vec3 corners[4])
{
    int k = rhombus % 5;
    if (rhombus < 5) {
        corners[0] = rw_vec3_of(0, 0, 1);
        corners[1] = rw_icosahedron_corner(0, k);
        corners[2] = rw_icosahedron_corner(0, k + 1);
        corners[3] = rw_icosahedron_corner(1, k);
    } else {
        corners[0] = rw_icosahedron_corner(0, k + 1);
        corners[1] = rw_icosahedron_corner(1, k);
        corners[2] = rw_icosahedron_corner(1, k + 1);
        corners[3] = rw_vec3_of(0, 0, -1);
    }
}

/* Corner (i, j) of a rhombus, before it is pushed out to the sphere: i parts along a b, j along a c. */
RW_FN rw_vec3 rw_launch_point(const rw_vec3 corners[4], double i, double j, double divisions)
{
    int upper = i + j <= divisions;
    rw_vec3 head = corners[upper ? 0 : 3];
    rw_vec3 along = rw_vec3_sub(corners[upper ? 1 : 2], head), across = rw_vec3_sub(corners[upper ? 2 : 1], head);
    double u = (upper ? i : divisions - i) / divisions, v = (upper ? j : divisions - j) / divisions;
    return rw_vec3_add(head, rw_vec3_add(rw_vec3_scale(along, u), rw_vec3_scale(across, v)));
}

/* Direction of a ray; out_m is how far from the centre its corner is before it is pushed out, which tells how close its
 * neighbours are. */
RW_FN rw_vec3 rw_launch_direction(size_t ray, size_t divisions, double *out)
{
    rw_vec3 corners[4], point;
    size_t own = divisions * divisions, rhombus = ray / own;
    if (rhombus >= 10) {
        point = rw_vec3_of(0, 0, ray == 10 * own ? 1 : -1);
    } else {
        size_t in = ray - rhombus * own;
        rw_icosahedron_rhombus((int)rhombus, corners);
        point = rw_launch_point(corners, (double)(in / divisions + 1), (double)(in % divisions), (double)divisions);
    }
    *out = rw_vec3_length(point);
    return rw_vec3_scale(point, 1 / *out);
}

/* Largest angle between a direction and the ray nearest to it, near a ray with that out: the corner of a hexagon. */
RW_FN double rw_launch_reach(double out, size_t divisions)
{
    return RW_ICOSAHEDRON_EDGE / ((double)divisions * sqrt(3.0) * out) * (1 + 2.0 / (double)divisions);
}

/* Solid angle that a ray stands for: the inverse of the density of rays there. */
RW_FN double rw_launch_solid_angle(double out, size_t divisions)
{
    double edge = RW_ICOSAHEDRON_EDGE / (double)divisions;
    return 0.5 * sqrt(3.0) * edge * edge * RW_ICOSAHEDRON_INSIDE / (out * out * out);
}

/* Where the line along a direction meets the plane of a triangle: p = head + u along + v across; 0 where behind. */
RW_FN int rw_launch_meet(rw_vec3 direction, rw_vec3 head, rw_vec3 along, rw_vec3 across, double *u, double *v)
{
    rw_vec3 normal = rw_vec3_cross(along, across);
    double toward = rw_vec3_dot(normal, direction), height = rw_vec3_dot(normal, head);
    if (!(toward * height > 0))
        return 0;
    rw_vec3 in = rw_vec3_sub(rw_vec3_scale(direction, height / toward), head);
    double aa = rw_vec3_dot(along, along), ab = rw_vec3_dot(along, across), bb = rw_vec3_dot(across, across);
    double ia = rw_vec3_dot(in, along), ib = rw_vec3_dot(in, across), below = aa * bb - ab * ab;
    *u = (ia * bb - ib * ab) / below;
    *v = (ib * aa - ia * ab) / below;
    return *u >= -1e-9 && *v >= -1e-9 && *u + *v <= 1 + 1e-9;
}

/* The ray nearest to a direction of length 1. */
RW_FN rw_vec3 rw_launch_nearest(rw_vec3 direction, size_t divisions)
{
    rw_vec3 best = rw_vec3_of(0, 0, 1);
    double closest = -2;
    for (int half = 0; half < 20; half++) {
        rw_vec3 corners[4];
        double u, v;
        rw_icosahedron_rhombus(half / 2, corners);
        rw_vec3 head = corners[half % 2 ? 3 : 0];
        rw_vec3 along = rw_vec3_sub(corners[half % 2 ? 2 : 1], head),
                across = rw_vec3_sub(corners[half % 2 ? 1 : 2], head);
        if (!rw_launch_meet(direction, head, along, across, &u, &v))
            continue;
        double i = floor(u * (double)divisions), j = floor(v * (double)divisions);
        for (int k = 0; k < 4; k++) {
            double a = (i + k % 2) / (double)divisions, b = (j + (int)(k / 2)) / (double)divisions;
            if (a + b > 1 + 0.5 / (double)divisions)
                continue;
            rw_vec3 point = rw_vec3_add(head, rw_vec3_add(rw_vec3_scale(along, a), rw_vec3_scale(across, b)));
            double cosine = rw_vec3_dot(point, direction) / rw_vec3_length(point);
            if (cosine > closest) {
                closest = cosine;
                best = rw_vec3_scale(point, 1 / rw_vec3_length(point));
            }
        }
    }
    return best;
}

#endif
