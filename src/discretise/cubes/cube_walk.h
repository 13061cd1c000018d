/* Every cube that a straight line passes through, in order, with the stretch of the line in it: the supercover, exact
 * but slower than lines of sight, which take one cube a step. */
#ifndef RW_DISCRETISE_CUBES_CUBE_WALK_H
#define RW_DISCRETISE_CUBES_CUBE_WALK_H

#include <math.h>

typedef struct rw_cube_walk {
    double from[3], along[3];
    double t0, t1; /* of the present cube */
    int cube[3];
} rw_cube_walk;

static inline void rw_cube_walk_begin(rw_cube_walk *walk, const float from[3], const float to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        walk->from[axis] = (double)from[axis];
        walk->along[axis] = (double)to[axis] - (double)from[axis];
    }
    walk->t0 = walk->t1 = 0;
}

/* Goes on to the next cube; 0 at the end of the line. */
static inline int rw_cube_walk_next(rw_cube_walk *walk)
{
    const double tolerance = 1e-9; /* of the line: shorter stretches are rounding */
    if (walk->t1 >= 1 - tolerance)
        return 0;
    walk->t0 = walk->t1;
    walk->t1 = 1;
    for (int axis = 0; axis < 3; axis++) {
        double d = walk->along[axis], at = walk->from[axis] + (walk->t0 + tolerance) * d;
        if (d == 0)
            continue;
        double border = d > 0 ? floor(at) + 1 : ceil(at) - 1, t = (border - walk->from[axis]) / d;
        walk->t1 = t < walk->t1 && t > walk->t0 ? t : walk->t1;
    }
    double middle = 0.5 * (walk->t0 + walk->t1);
    for (int axis = 0; axis < 3; axis++)
        walk->cube[axis] = (int)floor(walk->from[axis] + middle * walk->along[axis]);
    return 1;
}

static inline void rw_cube_walk_point(const rw_cube_walk *walk, double t, float point[3])
{
    for (int axis = 0; axis < 3; axis++)
        point[axis] = (float)(walk->from[axis] + t * walk->along[axis]);
}

#endif
