/* Plane geometry of outlines. */
#include "scene/scene.h"

double rw_ring_area(const rw_vec2 *points, size_t count)
{
    double twice = 0;
    for (size_t i = 0; i + 1 < count; i++)
        twice += rw_vec2_cross(rw_vec2_sub(points[i], points[0]), rw_vec2_sub(points[i + 1], points[0]));
    return 0.5 * twice;
}

static int ring_crossings(const rw_vec2 *points, size_t count, rw_vec2 at)
{
    int crossings = 0;
    for (size_t i = 0, j = count - 1; i < count; j = i++) {
        rw_vec2 a = points[j], b = points[i];
        if ((a.y > at.y) == (b.y > at.y))
            continue;
        double side = rw_vec2_cross(rw_vec2_sub(b, a), rw_vec2_sub(at, a));
        crossings += (side > 0) == (b.y > a.y);
    }
    return crossings;
}

int rw_part_contains(const rw_scene *scene, const rw_part *part, rw_vec2 point)
{
    int crossings = 0;
    for (size_t i = 0; i < part->ring_count; i++) {
        size_t ring = part->first_ring + i;
        crossings += ring_crossings(rw_ring_points(scene, ring), rw_ring_size(scene, ring), point);
    }
    return crossings & 1;
}

int rw_part_holds(const rw_part *part, double z_m, double height_m)
{
    if (part->base_height_m > 0)
        return z_m < part->top_m && z_m >= part->bottom_m;
    return z_m < part->top_m || height_m < part->roof_height_m;
}
