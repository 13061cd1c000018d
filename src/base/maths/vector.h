/* Vectors of two and three doubles or floats, in the C11/CUDA subset. */
#ifndef RW_BASE_MATHS_VECTOR_H
#define RW_BASE_MATHS_VECTOR_H

#include "base/kernel/qualifiers.h"
#include <math.h>

typedef struct rw_vec2 {
    double x, y;
} rw_vec2;

typedef struct rw_vec3 {
    double x, y, z;
} rw_vec3;

RW_FN rw_vec2 rw_vec2_of(double x, double y)
{
    rw_vec2 v = {x, y};
    return v;
}

RW_FN rw_vec2 rw_vec2_add(rw_vec2 a, rw_vec2 b)
{
    return rw_vec2_of(a.x + b.x, a.y + b.y);
}

RW_FN rw_vec2 rw_vec2_sub(rw_vec2 a, rw_vec2 b)
{
    return rw_vec2_of(a.x - b.x, a.y - b.y);
}

RW_FN double rw_vec2_cross(rw_vec2 a, rw_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

RW_FN double rw_vec2_dot(rw_vec2 a, rw_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

RW_FN rw_vec3 rw_vec3_of(double x, double y, double z)
{
    rw_vec3 v = {x, y, z};
    return v;
}

RW_FN rw_vec3 rw_vec3_add(rw_vec3 a, rw_vec3 b)
{
    return rw_vec3_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

RW_FN rw_vec3 rw_vec3_sub(rw_vec3 a, rw_vec3 b)
{
    return rw_vec3_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

RW_FN rw_vec3 rw_vec3_scale(rw_vec3 a, double s)
{
    return rw_vec3_of(a.x * s, a.y * s, a.z * s);
}

RW_FN double rw_vec3_dot(rw_vec3 a, rw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

RW_FN rw_vec3 rw_vec3_cross(rw_vec3 a, rw_vec3 b)
{
    return rw_vec3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

RW_FN double rw_vec3_length(rw_vec3 a)
{
    return sqrt(rw_vec3_dot(a, a));
}

RW_FN float rw_dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
