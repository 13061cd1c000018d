/* The smallest rectangle round points of a plane. */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static int by_x_then_y(const void *a, const void *b)
{
    const rw_vec2 *first = a, *second = b;
    if (first->x != second->x)
        return first->x < second->x ? -1 : 1;
    return first->y < second->y ? -1 : first->y > second->y;
}

static double cross_of_corner(rw_vec2 a, rw_vec2 b, rw_vec2 c)
{
    return rw_vec2_cross(rw_vec2_sub(b, a), rw_vec2_sub(c, a));
}

/* Andrew's monotone chain; points are sorted, hull has room for twice as many. Returns how many are in it. */
static size_t convex_hull(rw_vec2 *points, size_t count, rw_vec2 *hull)
{
    size_t hull_count = 0;
    rw_sort(points, count, sizeof *points, by_x_then_y);
    for (size_t i = 0; i < count; i++) {
        while (hull_count >= 2 && cross_of_corner(hull[hull_count - 2], hull[hull_count - 1], points[i]) <= 0)
            hull_count--;
        hull[hull_count++] = points[i];
    }
    for (size_t i = count - 1, lower = hull_count + 1; i-- > 0;) {
        while (hull_count >= lower && cross_of_corner(hull[hull_count - 2], hull[hull_count - 1], points[i]) <= 0)
            hull_count--;
        hull[hull_count++] = points[i];
    }
    return hull_count - 1;
}

/* The smallest rectangle has a side along one of the hull's (Freeman and Shapira, 1975). */
static void fit_rectangle(const rw_vec2 *hull, size_t count, rw_tile_rectangle *tile_rectangle)
{
    double min_area = INFINITY;
    for (size_t i = 0; i < count; i++) {
        rw_vec2 span = rw_vec2_sub(hull[(i + 1) % count], hull[i]);
        double length = sqrt(rw_vec2_dot(span, span));
        rw_vec2 u = {span.x / length, span.y / length}, v = {-u.y, u.x};
        double u0 = INFINITY, u1 = -INFINITY, v1 = -INFINITY;
        for (size_t k = 0; k < count; k++) {
            rw_vec2 off = rw_vec2_sub(hull[k], hull[i]);
            u0 = fmin(u0, rw_vec2_dot(off, u));
            u1 = fmax(u1, rw_vec2_dot(off, u));
            v1 = fmax(v1, rw_vec2_dot(off, v));
        }
        if (!((u1 - u0) * v1 < min_area))
            continue;
        min_area = (u1 - u0) * v1;
        tile_rectangle->u = u;
        tile_rectangle->v = v;
        tile_rectangle->corner = rw_vec2_of(hull[i].x + u0 * u.x, hull[i].y + u0 * u.y);
        tile_rectangle->length_u = u1 - u0;
        tile_rectangle->length_v = v1;
    }
}

rw_status rw_smallest_rectangle(rw_context *context, const rw_vec2 *points, size_t count,
                                rw_tile_rectangle *tile_rectangle)
{
    rw_vec2 *sorted;
    RW_TRY(rw_array_create(context, 3 * count + 1, sizeof *sorted, "an outline", &sorted));
    for (size_t i = 0; i < count; i++)
        sorted[i] = points[i];
    size_t corners = convex_hull(sorted, count, sorted + count);
    tile_rectangle->length_u = tile_rectangle->length_v = 0;
    if (corners >= 3)
        fit_rectangle(sorted + count, corners, tile_rectangle);
    free(sorted);
    return RW_OK;
}
