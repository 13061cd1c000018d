/* Boxes of the plane as a source sees them in the bins of polar.k.h. */
#ifndef RW_VISIBILITY_LOS_POLAR_POLAR_BOX_K_H
#define RW_VISIBILITY_LOS_POLAR_POLAR_BOX_K_H

#include "visibility/los/polar/polar.k.h"

#define RW_POLAR_LEVELS 9 /* runs of 1, 2, 4 ... 256 bins; a box over more than two of the longest is too near */

/* A box of the plane as the source sees it: its bins and its ranges. */
typedef struct rw_polar_box {
    int first_bin, last_bin; /* last may exceed RW_POLAR_BINS */
    float near_range;
} rw_polar_box;

/* Returns 0 where the source is inside or too near for its directions to be bounded. */
RW_FN int rw_polar_box_init(float west, float south, float east, float north, rw_polar_box *box)
{
    float x = west > 0 ? west : east < 0 ? east : 0.0f, y = south > 0 ? south : north < 0 ? north : 0.0f;
    box->near_range = fabsf(x) + fabsf(y);
    if (box->near_range <= 0.0f)
        return 0;
    /* Its outermost directions, counter-clockwise from a to b, are those of two corners, by where the box lies. */
    int north_of = south > 0, south_of = north < 0;
    float ax, ay, bx, by;
    if (west > 0) {
        ax = north_of ? east : west, ay = south;
        bx = south_of ? east : west, by = north;
    } else if (east < 0) {
        ax = south_of ? west : east, ay = north;
        bx = north_of ? west : east, by = south;
    } else {
        ax = north_of ? east : west, ay = north_of ? south : north;
        bx = north_of ? west : east, by = ay;
    }
    float a = rw_polar_angle(ax, ay, 1.0f / (fabsf(ax) + fabsf(ay)));
    float b = rw_polar_angle(bx, by, 1.0f / (fabsf(bx) + fabsf(by)));
    if (b < a)
        b += (float)RW_POLAR_BINS;
    box->first_bin = (int)floorf(a - 0.01f);
    box->last_bin = (int)floorf(b + 0.01f);
    return box->last_bin - box->first_bin < 2 << (RW_POLAR_LEVELS - 1);
}

#endif
