/* The directions in which a taut string can leave a corner: which receivers may be the end of a path round it.
 *
 * A string that arrives in one direction leaves taut where it turns towards the building (rw_corner_taut). Of all
 * strings with the building on the same side, the one that turns least on arrival allows all that the others do, so
 * that a sector is two directions of arrival: sums and differences of angles do not occur, and whether a receiver is in
 * the sector is the same comparison of the same floats as for its path. A sector only grows: paths of a further
 * transmitter add what they allow, and only what is new has to be searched. */
#ifndef RW_VISIBILITY_STREETS_CORNER_SECTORS_K_H
#define RW_VISIBILITY_STREETS_CORNER_SECTORS_K_H

#include "discretise/walls/corners.k.h"

/* With the building on the left and on the right of the string. NaN: no string; 0, 0: every string. */
typedef struct rw_corner_sector {
    float left_x, left_y, right_x, right_y;
} rw_corner_sector;

RW_FN rw_corner_sector rw_sector_empty(void)
{
    rw_corner_sector sector = {NAN, NAN, NAN, NAN};
    return sector;
}

RW_FN double rw_cross_of(float ax, float ay, float bx, float by)
{
    return (double)ax * (double)by - (double)ay * (double)bx; /* exact products: the sign is right */
}

/* How far a sector that grows again is widened, so that transmitters nearby find it wide enough. */
#define RW_SECTOR_WIDER_RAD 0.1f

/* Whether the directions that pass the corner on one side are well within a half plane, where they have an order: not
 * so at walls of a few centimetres, and at edges that are nearly blunt or as thin as a sheet. */
RW_FN int rw_sector_ordered(const rw_corner *corner)
{
    double a = sqrt(corner->ax * corner->ax + corner->ay * corner->ay);
    double b = sqrt(corner->bx * corner->bx + corner->by * corner->by);
    double sine = fabs(corner->ax * corner->by - corner->ay * corner->bx) / (a * b);
    return sine > 3 * RW_CORNER_OFFSET_M * (1 / a + 1 / b) + 1.5 * (double)RW_SECTOR_WIDER_RAD;
}

/* Adds what a string allows that arrives in this direction. */
RW_FN void rw_sector_add(const rw_corner *corner, float dx, float dy, rw_corner_sector *sector)
{
    int side = rw_corner_side(corner, (double)dx, (double)dy), ordered = rw_sector_ordered(corner);
    float x = ordered ? dx : 0.0f, y = ordered ? dy : 0.0f;
    if (side > 0 && !(rw_cross_of(sector->left_x, sector->left_y, dx, dy) >= 0)) {
        sector->left_x = x;
        sector->left_y = y;
    }
    if (side < 0 && !(rw_cross_of(sector->right_x, sector->right_y, dx, dy) <= 0)) {
        sector->right_x = x;
        sector->right_y = y;
    }
}

RW_FN int rw_sector_is_same(float ax, float ay, float bx, float by)
{
    return (ax == bx && ay == by) || !(ax == ax || bx == bx);
}

/* Widens what has grown of a sector that was not empty on that side; returns whether anything has grown. */
RW_FN int rw_sector_grow(const rw_corner_sector *before, rw_corner_sector *sector)
{
    const float cosine = cosf(RW_SECTOR_WIDER_RAD), sine = sinf(RW_SECTOR_WIDER_RAD);
    int left = !rw_sector_is_same(before->left_x, before->left_y, sector->left_x, sector->left_y);
    int right = !rw_sector_is_same(before->right_x, before->right_y, sector->right_x, sector->right_y);
    rw_corner_sector grown = *sector;
    if (left && before->left_x == before->left_x) {
        sector->left_x = grown.left_x * cosine + grown.left_y * sine;
        sector->left_y = grown.left_y * cosine - grown.left_x * sine;
    }
    if (right && before->right_x == before->right_x) {
        sector->right_x = grown.right_x * cosine - grown.right_y * sine;
        sector->right_y = grown.right_y * cosine + grown.right_x * sine;
    }
    return left || right;
}

/* Whether a taut string can leave the corner in this direction. */
RW_FN int rw_sector_has(const rw_corner *corner, const rw_corner_sector *sector, float dx, float dy)
{
    int side = rw_corner_side(corner, (double)dx, (double)dy);
    return side > 0   ? rw_cross_of(sector->left_x, sector->left_y, dx, dy) >= 0
           : side < 0 ? rw_cross_of(sector->right_x, sector->right_y, dx, dy) <= 0
                      : 0;
}

/* A rectangle as a corner sees it, and the greatest distance of its points, by |x| + |y|. */
typedef struct rw_sector_box {
    float west, south, east, north, farthest;
} rw_sector_box;

/* Whether nothing in a box lies left of a direction, or less than slack times its distance right of it. */
RW_FN int rw_sector_box_is_right(const rw_sector_box *box, float dx, float dy, float slack)
{
    float size = fabsf(dx) + fabsf(dy);
    float most = (dx > 0.0f ? box->north : box->south) * dx - (dy > 0.0f ? box->west : box->east) * dy;
    return most < -(0.02f * size + (1e-5f * size + slack) * box->farthest);
}

/* The same for one side of a corner: sign 1 for what has the building on the left, -1 on the right. */
RW_FN int rw_sector_side_misses(const rw_corner *corner, const rw_sector_box *box, float sign, float x, float y,
                                float known_x, float known_y)
{
    const float slack = 3.1f * (float)RW_CORNER_OFFSET_M;
    float ax = -sign * (float)corner->ax, ay = -sign * (float)corner->ay;
    float bx = -sign * (float)corner->bx, by = -sign * (float)corner->by;
    return x != x || (x == known_x && y == known_y) || rw_sector_box_is_right(box, ax, ay, slack) ||
           rw_sector_box_is_right(box, bx, by, slack) || rw_sector_box_is_right(box, sign * x, sign * y, 0.0f) ||
           (known_x == known_x && rw_sector_box_is_right(box, -sign * known_x, -sign * known_y, 0.0f));
}

/* Whether everything in a box is outside a sector, or in the part of it that is known; 0 where that is not certain. */
RW_FN int rw_sector_misses(const rw_corner *corner, const rw_corner_sector *sector, const rw_corner_sector *known,
                           float west, float south, float east, float north)
{
    rw_sector_box box = {(float)((double)west - corner->x), (float)((double)south - corner->y),
                         (float)((double)east - corner->x), (float)((double)north - corner->y), 0.0f};
    float x = fabsf(box.west) > fabsf(box.east) ? fabsf(box.west) : fabsf(box.east);
    float y = fabsf(box.south) > fabsf(box.north) ? fabsf(box.south) : fabsf(box.north);
    box.farthest = x + y;
    return rw_sector_side_misses(corner, &box, 1.0f, sector->left_x, sector->left_y, known->left_x, known->left_y) &&
           rw_sector_side_misses(corner, &box, -1.0f, sector->right_x, sector->right_y, known->right_x, known->right_y);
}

/* Whether no taut string leaves the corner towards a box, wherever it arrives from. */
RW_FN int rw_sector_excludes(const rw_corner *corner, float west, float south, float east, float north)
{
    rw_corner_sector every = {0.0f, 0.0f, 0.0f, 0.0f}, none = rw_sector_empty();
    return rw_sector_misses(corner, &every, &none, west, south, east, north);
}

#endif
