/* Convex corners as kernels see them: vertical edges round which a wave bends into the next street.
 *
 * After equations (5) to (8) of Rick and Kuhlen (2010): of a wall that faces away from the source, the nearer end is a
 * diffraction source. At a convex corner that is where one wall faces the source and the other does not. */
#ifndef RW_DISCRETISE_WALLS_CORNERS_K_H
#define RW_DISCRETISE_WALLS_CORNERS_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/vector.h"
#include <stddef.h>

/* Corners stand this far off the building, outwards, so that its own walls are in their way only where they should. */
#define RW_CORNER_OFFSET_M 0.01

/* In the wall grid's frame. a leads along one wall to its other end, b along the other wall; with the building on the
 * right of a and on the left of b. */
typedef struct rw_corner {
    double x, y;
    double ax, ay, bx, by;
    float bottom, top; /* of the free edge, altitudes */
    float ground;      /* altitude of the terrain there */
    float near_ground; /* no terrain within RW_CORNER_NEAR_M is higher */
} rw_corner;

#define RW_CORNER_NEAR_M 1000.0

/* Corners that follow each other in the list and share a box. */
#define RW_CORNER_GROUP 32

typedef struct rw_corners_view {
    const rw_corner *items;
    size_t count;
} rw_corners_view;

/* Equations (6) and (8) for one wall, along which (wx, wy) leads from the corner and whose outward normal is (nx, ny):
 * it faces away, and the corner is its nearer end. (dx, dy) leads from the source to the corner. */
RW_FN int rw_corner_wall_bends(double dx, double dy, double wx, double wy, double nx, double ny)
{
    return nx * dx + ny * dy > 0 && wx * wx + wy * wy + 2 * (wx * dx + wy * dy) >= 0;
}

/* Whether the corner is a diffraction source for what comes from a point in plan. */
RW_FN int rw_corner_bends(const rw_corner *corner, double from_x, double from_y)
{
    double dx = corner->x - from_x, dy = corner->y - from_y;
    return rw_corner_wall_bends(dx, dy, corner->ax, corner->ay, -corner->ay, corner->ax) ||
           rw_corner_wall_bends(dx, dy, corner->bx, corner->by, corner->by, -corner->bx);
}

/* On which side of a direction through the corner its building lies: 1 left, -1 right, 0 where the line cuts it. A line
 * along a wall, from one corner to the next, does not: both stand off the building. */
RW_FN int rw_corner_side(const rw_corner *corner, double dx, double dy)
{
    double slack = 3 * RW_CORNER_OFFSET_M * sqrt(dx * dx + dy * dy);
    double a = dx * corner->ay - dy * corner->ax, b = dx * corner->by - dy * corner->bx;
    return a >= -slack && b >= -slack ? 1 : a <= slack && b <= slack ? -1 : 0;
}

/* Whether a string that comes in one direction and goes on in another lies taut round the corner. No other way round it
 * is the shortest, nor the one that turns least. */
RW_FN int rw_corner_taut(const rw_corner *corner, double in_x, double in_y, double out_x, double out_y)
{
    int side = rw_corner_side(corner, in_x, in_y);
    return side != 0 && rw_corner_side(corner, out_x, out_y) == side && (in_x * out_y - in_y * out_x) * side >= 0;
}

#endif
