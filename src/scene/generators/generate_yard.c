/* Inside a block: wings and back buildings that find room between what stands already, by trial.
 *
 * A block holds a few dozen outlines at most, so that comparing with all of them costs a bounded time per block. */
#include "scene/generators/generate.h"

#define CLEARANCE_M 4.0

void rw_outline_append(rw_outline *outline, rw_vec2 point, int open)
{
    if (outline->count < RW_OUTLINE_POINTS_MAX) {
        outline->point[outline->count] = point;
        outline->open[outline->count++] = (unsigned char)open;
    }
}

static int segments_cross(rw_vec2 a, rw_vec2 b, rw_vec2 c, rw_vec2 d)
{
    rw_vec2 ab = rw_vec2_sub(b, a), cd = rw_vec2_sub(d, c);
    double c_side = rw_vec2_cross(ab, rw_vec2_sub(c, a)), d_side = rw_vec2_cross(ab, rw_vec2_sub(d, a));
    double a_side = rw_vec2_cross(cd, rw_vec2_sub(a, c)), b_side = rw_vec2_cross(cd, rw_vec2_sub(b, c));
    return (c_side > 0) != (d_side > 0) && (a_side > 0) != (b_side > 0);
}

static int outline_contains(const rw_outline *outline, rw_vec2 point)
{
    int inside = 0;
    for (int i = 0, j = outline->count - 1; i < outline->count; j = i++) {
        rw_vec2 a = outline->point[i], b = outline->point[j];
        if ((a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
    }
    return inside;
}

/* Whether a convex box meets an outline; one edge of the outline, from which a wing grows, may be left out. */
static int box_meets(const rw_lot *box, const rw_outline *outline, int except_edge)
{
    for (int i = 0; i < outline->count; i++) {
        if (i == except_edge)
            continue;
        rw_vec2 a = outline->point[i], b = outline->point[(i + 1) % outline->count];
        for (int k = 0; k < box->count; k++)
            if (segments_cross(a, b, box->corner[k], box->corner[(k + 1) % box->count]))
                return 1;
        if (rw_lot_contains(box, a))
            return 1;
    }
    return outline_contains(outline, box->corner[0]) && outline_contains(outline, box->corner[2]);
}

/* A box with its base from a point along a direction, standing to the left of it. */
static rw_lot make_box(rw_vec2 from, rw_vec2 direction, double length_m, double breadth_m)
{
    rw_vec2 far = rw_vec2_along(from, rw_vec2_left(direction), breadth_m);
    rw_lot box = {
        .count = 4,
        .corner = {from, rw_vec2_along(from, direction, length_m), rw_vec2_along(far, direction, length_m), far}};
    return box;
}

static int box_fits(const rw_yard *yard, const rw_lot *box, int own, int own_edge)
{
    for (int k = 0; k < box->count; k++)
        if (!rw_lot_contains(&yard->lot, box->corner[k]))
            return 0;
    for (int i = 0; i < yard->count; i++)
        if (box_meets(box, &yard->outline[i], i == own ? own_edge : -1))
            return 0;
    return 1;
}

static void insert_wing(rw_outline *outline, int edge, const rw_vec2 wing[4])
{
    for (int i = outline->count - 1; i > edge; i--) {
        outline->point[i + 4] = outline->point[i];
        outline->open[i + 4] = outline->open[i];
    }
    for (int i = 0; i < 4; i++) {
        outline->point[edge + 1 + i] = wing[i];
        outline->open[edge + 1 + i] = i == 3;
    }
    outline->count += 4;
}

int rw_yard_grow_wing(rw_yard *yard, rw_random *random)
{
    if (!yard->count)
        return 0;
    int own = rw_random_index(random, yard->count);
    rw_outline *outline = &yard->outline[own];
    int edge = rw_random_index(random, outline->count);
    rw_vec2 from = outline->point[edge], to = outline->point[(edge + 1) % outline->count];
    double edge_m = rw_vec2_distance(from, to), width_m = rw_random_range(random, 7, 13);
    double length_m = rw_random_range(random, 6, 24);
    if (!outline->open[edge] || edge_m < width_m + 5 || outline->count + 4 > RW_OUTLINE_POINTS_MAX)
        return 0;
    double start_m = rw_random_range(random, 2.5, edge_m - width_m - 2.5);
    rw_vec2 along = rw_vec2_unit(rw_vec2_sub(to, from)), out = rw_vec2_of(along.y, -along.x);
    /* The box to keep clear starts half a metre off the wall, or the wall itself would be in it. */
    rw_vec2 corner = rw_vec2_along(rw_vec2_along(from, along, start_m + width_m + CLEARANCE_M), out, 0.5);
    rw_lot needed = make_box(corner, rw_vec2_of(-along.x, -along.y), width_m + 2 * CLEARANCE_M, length_m + CLEARANCE_M);
    if (!box_fits(yard, &needed, own, edge))
        return 0;
    rw_vec2 near = rw_vec2_along(from, along, start_m), far = rw_vec2_along(from, along, start_m + width_m);
    rw_vec2 wing[4] = {near, rw_vec2_along(near, out, length_m), rw_vec2_along(far, out, length_m), far};
    insert_wing(outline, edge, wing);
    return 1;
}

int rw_yard_add_box(rw_yard *yard, rw_vec2 centre, rw_vec2 direction, double length_m, double breadth_m,
                    double roof_height_m)
{
    if (yard->count >= RW_YARD_OUTLINES_MAX)
        return 0;
    rw_vec2 corner =
        rw_vec2_along(rw_vec2_along(centre, direction, -length_m / 2), rw_vec2_left(direction), -breadth_m / 2);
    rw_vec2 outer =
        rw_vec2_along(rw_vec2_along(corner, direction, -CLEARANCE_M), rw_vec2_left(direction), -CLEARANCE_M);
    rw_lot needed = make_box(outer, direction, length_m + 2 * CLEARANCE_M, breadth_m + 2 * CLEARANCE_M);
    if (!box_fits(yard, &needed, -1, -1))
        return 0;
    rw_lot box = make_box(corner, direction, length_m, breadth_m);
    rw_outline *outline = &yard->outline[yard->count++];
    *outline = (rw_outline){.roof_height_m = roof_height_m};
    for (int i = 0; i < 4; i++)
        rw_outline_append(outline, box.corner[i], 1);
    return 1;
}

rw_vec2 rw_yard_random_point(const rw_yard *yard, rw_random *random)
{
    rw_vec2 along = rw_vec2_unit(rw_vec2_sub(yard->lot.corner[1], yard->lot.corner[0])), across = rw_vec2_left(along);
    double low, high, low_across, high_across;
    rw_lot_extent(&yard->lot, along, &low, &high);
    rw_lot_extent(&yard->lot, across, &low_across, &high_across);
    double x = rw_random_range(random, low, high), y = rw_random_range(random, low_across, high_across);
    return rw_vec2_of(along.x * x + across.x * y, along.y * x + across.y * y);
}

rw_status rw_yard_build(rw_city *city, const rw_yard *yard)
{
    for (int i = 0; i < yard->count; i++) {
        const rw_outline *outline = &yard->outline[i];
        rw_shape shape = {.rings = {outline->point},
                          .ring_sizes = {(size_t)outline->count},
                          .ring_count = 1,
                          .roof_height_m = outline->roof_height_m};
        RW_TRY(rw_city_add(city, &shape, 1));
    }
    return RW_OK;
}
