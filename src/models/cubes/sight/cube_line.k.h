/* Straight lines through cubes: one cube a step along the axis on which the line is longest, after Bresenham (1965).
 *
 * Step s of a line over (dx, dy, dz) with the longest of them n lies at round(s d / n) on each axis, halves away from
 * zero, so that a line and its mirror image are mirror images. Shares are kept as 32.32 fixed point, rounded up: s d /
 * n + 1/2 is a multiple of 1 / 2n, and for n < 2^15 the error s 2^-32 never reaches the next one, so the cubes are
 * those of exact integer arithmetic.
 *
 * How many lines reach everything: lines from a cube to each cube on the surface of the box of n cubes around it pass
 * through every cube of the box. For a cube at (a, b, c) with a the longest, the line to (n, round(b n / a), round(c n
 * / a)) is at step a off b and c by at most half a cube times a / n, so it rounds to them. That makes 24 n^2 + 2 lines
 * in space and 8 n in the plane; with fewer, some cube at distance n is missed. */
#ifndef RW_MODELS_CUBES_SIGHT_CUBE_LINE_K_H
#define RW_MODELS_CUBES_SIGHT_CUBE_LINE_K_H

#include "discretise/cubes/cubes.k.h"
#include <math.h>

typedef struct rw_cube_line {
    int steps;
    uint64_t fraction[3]; /* of a step on each axis, 32.32 */
    int sign[3];
} rw_cube_line;

RW_FN int rw_absolute(int value)
{
    return value < 0 ? -value : value;
}

RW_FN rw_cube_line rw_cube_line_of(int dx, int dy, int dz)
{
    int d[3] = {dx, dy, dz};
    rw_cube_line line;
    line.steps = rw_absolute(dx) > rw_absolute(dy) ? rw_absolute(dx) : rw_absolute(dy);
    line.steps = rw_absolute(dz) > line.steps ? rw_absolute(dz) : line.steps;
    uint64_t steps = line.steps ? (uint64_t)line.steps : 1u;
    for (int axis = 0; axis < 3; axis++) {
        line.fraction[axis] = (((uint64_t)rw_absolute(d[axis]) << 32) + steps - 1u) / steps;
        line.sign[axis] = d[axis] < 0 ? -1 : 1;
    }
    return line;
}

/* How far the line is on an axis after so many steps. */
RW_FN int rw_cube_line_at(const rw_cube_line *line, int axis, int step)
{
    return line->sign[axis] * (int)((line->fraction[axis] * (uint64_t)step + 0x80000000u) >> 32);
}

/* Whether no cube of the line from (i, j, k) at steps first to end - 1 is filled. All of them must be in the grid. */
RW_FN int rw_cube_line_clear(const rw_cubes_view *cubes, const rw_cube_line *line, int i, int j, int k, int first,
                             int end)
{
    uint64_t at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = line->fraction[axis] * (uint64_t)first + 0x80000000u;
    for (int step = first; step < end; step++) {
        int x = i + line->sign[0] * (int)(at[0] >> 32), y = j + line->sign[1] * (int)(at[1] >> 32);
        int z = k + line->sign[2] * (int)(at[2] >> 32);
        if (rw_cube_bit(cubes->filled, rw_cube_word(cubes, x, y, z), x))
            return 0;
        for (int axis = 0; axis < 3; axis++)
            at[axis] += line->fraction[axis];
    }
    return 1;
}

/* The same between points rather than centres of cubes: one cube a step along the longest axis, the one that the line
 * is in half way through the cubes of that step, so that the way back takes the same cubes. Places are 16.16 fixed
 * point, off by less than 0.01 cubes after 1000 steps. */
typedef struct rw_cube_ray {
    int steps;        /* to the cube of the end */
    int at[3];        /* half way through the cubes of step 0 */
    int direction[3]; /* of a step */
} rw_cube_ray;

RW_FN int rw_cube_fixed(float value)
{
    return (int)floorf(value * 65536.0f);
}

/* Along a direction that is scaled so that its longest component is 1. */
RW_FN rw_cube_ray rw_cube_ray_along(const float from[3], const float along[3], int steps)
{
    rw_cube_ray ray;
    float longest = along[0], start = from[0];
    for (int axis = 1; axis < 3; axis++)
        if (fabsf(along[axis]) > fabsf(longest)) {
            longest = along[axis];
            start = from[axis];
        }
    float to_middle = floorf(start) + 0.5f - start; /* along the longest axis */
    to_middle = longest < 0.0f ? -to_middle : to_middle;
    ray.steps = steps;
    for (int axis = 0; axis < 3; axis++) {
        ray.at[axis] = rw_cube_fixed(from[axis] + to_middle * along[axis]);
        ray.direction[axis] = rw_cube_fixed(along[axis] + 7.6e-6f);
    }
    return ray;
}

RW_FN rw_cube_ray rw_cube_ray_between(const float from[3], const float to[3])
{
    float along[3], longest = 0.0f;
    int axis_of = 0;
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = to[axis] - from[axis];
        if (fabsf(along[axis]) > longest) {
            longest = fabsf(along[axis]);
            axis_of = axis;
        }
    }
    for (int axis = 0; axis < 3; axis++)
        along[axis] = longest > 0.0f ? along[axis] / longest : 0.0f;
    int steps = rw_absolute((int)floorf(to[axis_of]) - (int)floorf(from[axis_of]));
    return rw_cube_ray_along(from, along, steps);
}

/* Whether no cube between the two of the ends is filled. */
RW_FN int rw_cube_ray_clear(const rw_cubes_view *cubes, rw_cube_ray ray)
{
    for (int step = 1; step < ray.steps; step++) {
        for (int axis = 0; axis < 3; axis++)
            ray.at[axis] += ray.direction[axis];
        int i = ray.at[0] >> 16, j = ray.at[1] >> 16, k = ray.at[2] >> 16;
        if (!rw_cube_in_grid(cubes, i, j, k) || rw_cube_bit(cubes->filled, rw_cube_word(cubes, i, j, k), i))
            return 0;
    }
    return 1;
}

#endif
