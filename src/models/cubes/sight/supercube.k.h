/* Supercubes as the cubes paper prints them (section V, Algorithms 1 and 2; Catrein, Reyer, Rick 2007): where the line
 * to a cube goes on, and in which pass.
 *
 * Supercubes of M cubes a side part the grid so that the transmitter T lies on the corner of four of them in the plane,
 * and of eight in space. l is the corner of a supercube that is nearest to T, in supercubes from T. With the direction
 * d from T to the middle of a cube r, of length 1, the line enters the supercube of r after
 *     lambda = max { M l.x / d.x, M l.y / d.y }
 * and goes on from q = T + (lambda - 1) d, a neighbour of the supercube; in the supercubes around T from T itself. T is
 * a corner and r a middle, so no component of d is 0.
 *
 * The line from T to r never turns back, so q lies in a supercube with |l| not larger on any axis, and in another one:
 * the sum of |l|, the diagonal, is smaller. Passes by diagonals therefore find every start answered. From q to r there
 * are at most M steps: q is at most one cube before the supercube on each axis.
 *
 * q is rounded in double: T and r are halves apart, so the length of r - T is never rational (a sum of two or three
 * odd squares is no square), q never lies on a border between cubes, and two machines round alike. */
#ifndef RW_MODELS_CUBES_SIGHT_SUPERCUBE_K_H
#define RW_MODELS_CUBES_SIGHT_SUPERCUBE_K_H

#include "base/kernel/qualifiers.h"
#include <math.h>

#define RW_SUPERCUBE_AXES 3

/* Supercube of a place relative to T, along one axis: [0, M) is number 0, [-M, 0) number -1. */
RW_FN int rw_supercube_number(int off, int block)
{
    return off >= 0 ? off / block : -((block - 1 - off) / block);
}

/* Boundary coordinate l of a supercube along one axis: its border that is nearer to T. */
RW_FN int rw_supercube_boundary(int number)
{
    return number < 0 ? number + 1 : number;
}

/* Pass in which Algorithm 1 draws a supercube. */
RW_FN int rw_supercube_pass(const int number[RW_SUPERCUBE_AXES])
{
    int pass = 0;
    for (int axis = 0; axis < RW_SUPERCUBE_AXES; axis++) {
        int boundary = rw_supercube_boundary(number[axis]);
        pass += boundary < 0 ? -boundary : boundary;
    }
    return pass;
}

/* Algorithm 2 up to its line: the start q for a cube r, both relative to T's own cube. axes is 2 in the plane. Returns
 * whether it is T. */
RW_FN int rw_supercube_start(const int to[RW_SUPERCUBE_AXES], int axes, int block, int start[RW_SUPERCUBE_AXES])
{
    double offset[RW_SUPERCUBE_AXES], squares = 0.0, fraction = 0.0; /* lambda over the length of the way */
    int first = 1;
    for (int axis = 0; axis < axes; axis++) {
        offset[axis] = (double)to[axis] + 0.5;
        squares += offset[axis] * offset[axis];
    }
    for (int axis = 0; axis < axes; axis++) {
        int boundary = rw_supercube_boundary(rw_supercube_number(to[axis], block));
        double there = (double)(block * boundary) / offset[axis];
        first &= boundary == 0;
        fraction = there > fraction ? there : fraction;
    }
    fraction -= 1.0 / sqrt(squares);
    for (int axis = 0; axis < RW_SUPERCUBE_AXES; axis++)
        start[axis] = first || axis >= axes ? 0 : (int)floor(fraction * offset[axis]);
    return first;
}

#endif
