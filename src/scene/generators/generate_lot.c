/* Convex lots: cutting, insetting and measuring. */
#include "scene/generators/generate.h"

rw_vec2 rw_vec2_along(rw_vec2 from, rw_vec2 direction, double distance)
{
    return rw_vec2_of(from.x + direction.x * distance, from.y + direction.y * distance);
}

rw_vec2 rw_vec2_unit(rw_vec2 v)
{
    double length = sqrt(rw_vec2_dot(v, v));
    return length > 0 ? rw_vec2_of(v.x / length, v.y / length) : rw_vec2_of(1, 0);
}

rw_vec2 rw_vec2_left(rw_vec2 v)
{
    return rw_vec2_of(-v.y, v.x);
}

double rw_vec2_distance(rw_vec2 a, rw_vec2 b)
{
    rw_vec2 d = rw_vec2_sub(a, b);
    return sqrt(rw_vec2_dot(d, d));
}

rw_vec2 rw_vec2_turned(rw_vec2 direction, double tangent)
{
    return rw_vec2_unit(rw_vec2_along(direction, rw_vec2_left(direction), tangent));
}

/* The border of a square stands in for the circle, so that no sine is needed. */
rw_vec2 rw_direction_at(double quarters)
{
    quarters -= 4 * floor(quarters / 4);
    double along = 2 * (quarters - floor(quarters)) - 1;
    rw_vec2 on_square = quarters < 1   ? rw_vec2_of(1, along)
                        : quarters < 2 ? rw_vec2_of(-along, 1)
                        : quarters < 3 ? rw_vec2_of(-1, -along)
                                       : rw_vec2_of(along, -1);
    return rw_vec2_unit(on_square);
}

rw_lot rw_lot_rectangle(double width_m, double depth_m, double margin_m)
{
    rw_lot lot = {.count = 4, .corner = {{0, 0}, {width_m, 0}, {width_m, depth_m}, {0, depth_m}}};
    for (int i = 0; i < 4; i++)
        lot.margin_m[i] = margin_m;
    return lot;
}

double rw_lot_area_m2(const rw_lot *lot)
{
    double twice = 0;
    for (int i = 2; i < lot->count; i++)
        twice +=
            rw_vec2_cross(rw_vec2_sub(lot->corner[i - 1], lot->corner[0]), rw_vec2_sub(lot->corner[i], lot->corner[0]));
    return twice / 2;
}

rw_vec2 rw_lot_centre(const rw_lot *lot)
{
    double area = 0, x = 0, y = 0;
    rw_vec2 first = lot->corner[0];
    for (int i = 2; i < lot->count; i++) {
        rw_vec2 a = rw_vec2_sub(lot->corner[i - 1], first), b = rw_vec2_sub(lot->corner[i], first);
        double weight = rw_vec2_cross(a, b);
        area += weight;
        x += weight * (a.x + b.x) / 3;
        y += weight * (a.y + b.y) / 3;
    }
    return area > 0 ? rw_vec2_of(first.x + x / area, first.y + y / area) : first;
}

void rw_lot_extent(const rw_lot *lot, rw_vec2 direction, double *low, double *high)
{
    *low = *high = rw_vec2_dot(lot->corner[0], direction);
    for (int i = 1; i < lot->count; i++) {
        double along = rw_vec2_dot(lot->corner[i], direction);
        *low = along < *low ? along : *low;
        *high = along > *high ? along : *high;
    }
}

rw_vec2 rw_lot_edge_direction(const rw_lot *lot, int edge)
{
    return rw_vec2_unit(rw_vec2_sub(lot->corner[(edge + 1) % lot->count], lot->corner[edge]));
}

rw_vec2 rw_lot_longest_edge(const rw_lot *lot)
{
    int longest = 0;
    double length = 0;
    for (int i = 0; i < lot->count; i++) {
        double candidate = rw_vec2_distance(lot->corner[i], lot->corner[(i + 1) % lot->count]);
        if (candidate > length) {
            length = candidate;
            longest = i;
        }
    }
    return rw_lot_edge_direction(lot, longest);
}

int rw_lot_contains(const rw_lot *lot, rw_vec2 point)
{
    for (int i = 0; i < lot->count; i++) {
        rw_vec2 a = lot->corner[i], b = lot->corner[(i + 1) % lot->count];
        if (rw_vec2_cross(rw_vec2_sub(b, a), rw_vec2_sub(point, a)) < 0)
            return 0;
    }
    return lot->count > 2;
}

static void lot_append(rw_lot *lot, rw_vec2 corner, double margin_m)
{
    if (lot->count < RW_LOT_CORNERS_MAX) {
        lot->corner[lot->count] = corner;
        lot->margin_m[lot->count++] = margin_m;
    }
}

int rw_lot_split(const rw_lot *lot, rw_vec2 point, rw_vec2 direction, double margin_m, rw_lot *left, rw_lot *right)
{
    left->count = right->count = 0;
    if (lot->count >= RW_LOT_CORNERS_MAX - 1)
        return 0;
    for (int i = 0; i < lot->count; i++) {
        rw_vec2 a = lot->corner[i], b = lot->corner[(i + 1) % lot->count];
        double side_a = rw_vec2_cross(direction, rw_vec2_sub(a, point));
        double side_b = rw_vec2_cross(direction, rw_vec2_sub(b, point));
        lot_append(side_a >= 0 ? left : right, a, lot->margin_m[i]);
        if ((side_a >= 0) == (side_b >= 0))
            continue;
        rw_vec2 crossing = rw_vec2_along(a, rw_vec2_sub(b, a), side_a / (side_a - side_b));
        /* The cut is the edge that starts where the outline leaves a side. */
        lot_append(left, crossing, side_a >= 0 ? margin_m : lot->margin_m[i]);
        lot_append(right, crossing, side_a >= 0 ? lot->margin_m[i] : margin_m);
    }
    return left->count > 2 && right->count > 2;
}

int rw_lot_line_is_clear(const rw_lot *lot, rw_vec2 point, rw_vec2 direction, double clearance_m)
{
    for (int i = 0; i < lot->count; i++)
        if (fabs(rw_vec2_cross(direction, rw_vec2_sub(lot->corner[i], point))) < clearance_m)
            return 0;
    return 1;
}

rw_lot rw_lot_clip(const rw_lot *lot, rw_vec2 point, rw_vec2 direction, double margin_m)
{
    rw_lot left, right;
    rw_lot_split(lot, point, direction, margin_m, &left, &right);
    if (left.count < 3)
        left.count = 0;
    return left;
}

rw_lot rw_lot_inset(const rw_lot *lot)
{
    rw_lot inner = *lot;
    for (int i = 0; i < lot->count && inner.count; i++) {
        rw_vec2 a = lot->corner[i], direction = rw_lot_edge_direction(lot, i);
        inner = rw_lot_clip(&inner, rw_vec2_along(a, rw_vec2_left(direction), lot->margin_m[i]), direction, 0);
    }
    for (int i = 0; i < inner.count; i++)
        inner.margin_m[i] = 0;
    return inner;
}

int rw_lot_offset(const rw_lot *lot, double distance_m, double shortest_m, rw_lot *inner)
{
    int count = lot->count;
    inner->count = count;
    for (int i = 0; i < count; i++) {
        rw_vec2 corner = lot->corner[i];
        rw_vec2 before = rw_vec2_unit(rw_vec2_sub(corner, lot->corner[(i + count - 1) % count]));
        rw_vec2 after = rw_vec2_unit(rw_vec2_sub(lot->corner[(i + 1) % count], corner));
        double sine = rw_vec2_cross(before, after);
        if (sine < 0.02)
            return 0;
        double along_m = distance_m * (1 - rw_vec2_dot(before, after)) / sine;
        inner->corner[i] = rw_vec2_along(rw_vec2_along(corner, rw_vec2_left(after), distance_m), after, along_m);
        inner->margin_m[i] = 0;
    }
    for (int i = 0; i < count; i++) {
        int next = (i + 1) % count;
        rw_vec2 direction = rw_lot_edge_direction(lot, i);
        if (!(rw_vec2_dot(direction, rw_vec2_sub(inner->corner[next], inner->corner[i])) >= shortest_m))
            return 0;
    }
    return 1;
}

static void lot_remove(rw_lot *lot, int at)
{
    lot->count--;
    for (int i = at; i < lot->count; i++) {
        lot->corner[i] = lot->corner[i + 1];
        lot->margin_m[i] = lot->margin_m[i + 1];
    }
}

/* Cosine of the turn at a corner: near 1 for a straight one, near -1 for a sharp tip; 1 where it turns the wrong way.
 */
static double corner_cosine(const rw_lot *lot, int i)
{
    int count = lot->count;
    rw_vec2 before = rw_vec2_unit(rw_vec2_sub(lot->corner[i], lot->corner[(i + count - 1) % count]));
    rw_vec2 after = rw_vec2_unit(rw_vec2_sub(lot->corner[(i + 1) % count], lot->corner[i]));
    return rw_vec2_cross(before, after) > 0 ? rw_vec2_dot(before, after) : 1;
}

static void cut_tip(rw_lot *lot, int i, double length_m)
{
    int count = lot->count;
    rw_vec2 corner = lot->corner[i], before = lot->corner[(i + count - 1) % count],
            after = lot->corner[(i + 1) % count];
    double shorter_m = rw_vec2_distance(corner, before) < rw_vec2_distance(corner, after)
                           ? rw_vec2_distance(corner, before)
                           : rw_vec2_distance(corner, after);
    if (count >= RW_LOT_CORNERS_MAX || shorter_m < 2 * length_m)
        return;
    for (int k = count; k > i; k--) {
        lot->corner[k] = lot->corner[k - 1];
        lot->margin_m[k] = lot->margin_m[k - 1];
    }
    lot->corner[i] = rw_vec2_along(corner, rw_vec2_unit(rw_vec2_sub(before, corner)), length_m);
    lot->corner[i + 1] = rw_vec2_along(corner, rw_vec2_unit(rw_vec2_sub(after, corner)), length_m);
    lot->count++;
}

void rw_lot_tidy(rw_lot *lot, double shortest_m)
{
    for (int i = 0; i < lot->count && lot->count > 3;) {
        double length_m = rw_vec2_distance(lot->corner[i], lot->corner[(i + 1) % lot->count]);
        if (length_m < shortest_m || corner_cosine(lot, i) > 0.995) {
            lot_remove(lot, i);
            i = 0;
        } else {
            i++;
        }
    }
    for (int i = 0; i < lot->count; i++)
        if (corner_cosine(lot, i) < -0.88) {
            cut_tip(lot, i, 14);
            i++;
        }
}
