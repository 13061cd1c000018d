/* Counts the mesh triangles that a line of sight crosses, through the bounding volume hierarchy.
 *
 * Watertight by edge signs in double: a line through an edge shared by two triangles crosses exactly one of them. */
#ifndef RW_DISCRETISE_BVH_CROSS_MESHES_K_H
#define RW_DISCRETISE_BVH_CROSS_MESHES_K_H

#include "discretise/bvh/bvh.k.h"
#include "discretise/walls/wall_grid.k.h"

RW_FN double rw_triple(rw_vec3 a, rw_vec3 b, rw_vec3 c)
{
    return rw_vec3_dot(a, rw_vec3_cross(b, c));
}

RW_FN int rw_vec3_before(rw_vec3 a, rw_vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* On which side of the edge from a to b the line along d through the origin passes. The other triangle of a shared edge
 * goes from b to a and must get the opposite answer to the bit, so the sign is computed for one order of the two. A
 * line right through the edge is taken as shifted by an infinitely small step across d, the same step for every edge.
 */
RW_FN int rw_line_side(rw_vec3 d, rw_vec3 a, rw_vec3 b)
{
    int ordered = rw_vec3_before(a, b);
    double side = ordered ? rw_triple(d, a, b) : -rw_triple(d, b, a);
    if (side != 0)
        return side > 0;
    rw_vec3 first = d.x * d.x < d.y * d.y ? rw_vec3_of(0, d.z, -d.y) : rw_vec3_of(-d.z, 0, d.x);
    rw_vec3 second = rw_vec3_cross(d, first);
    double first_a = rw_vec3_dot(first, a), first_b = rw_vec3_dot(first, b);
    if (first_a != first_b)
        return first_a < first_b;
    return rw_vec3_dot(second, a) < rw_vec3_dot(second, b);
}

/* Sides of the three edges decide. */
RW_FN int rw_segment_crosses_triangle(const rw_bvh_triangle *triangle, rw_vec3 from, rw_vec3 d)
{
    rw_vec3 a = rw_vec3_sub(rw_vec3_of(triangle->a[0], triangle->a[1], triangle->a[2]), from);
    rw_vec3 b = rw_vec3_sub(rw_vec3_of(triangle->b[0], triangle->b[1], triangle->b[2]), from);
    rw_vec3 c = rw_vec3_sub(rw_vec3_of(triangle->c[0], triangle->c[1], triangle->c[2]), from);
    rw_vec3 normal = rw_vec3_cross(rw_vec3_sub(b, a), rw_vec3_sub(c, a));
    double along = rw_vec3_dot(normal, d), distance = rw_vec3_dot(normal, a);
    double t = distance / along;
    if (!(along != 0 && t > 0 && t < 1)) /* most are stopped here, before the edges are asked */
        return 0;
    int side_ab = rw_line_side(d, a, b), side_bc = rw_line_side(d, b, c), side_ca = rw_line_side(d, c, a);
    return side_ab == side_bc && side_bc == side_ca;
}

/* Where on the segment that crosses it, 0 to 1. */
RW_FN double rw_triangle_crossing(const rw_bvh_triangle *triangle, rw_vec3 from, rw_vec3 d)
{
    rw_vec3 a = rw_vec3_sub(rw_vec3_of(triangle->a[0], triangle->a[1], triangle->a[2]), from);
    rw_vec3 b = rw_vec3_sub(rw_vec3_of(triangle->b[0], triangle->b[1], triangle->b[2]), from);
    rw_vec3 c = rw_vec3_sub(rw_vec3_of(triangle->c[0], triangle->c[1], triangle->c[2]), from);
    rw_vec3 normal = rw_vec3_cross(rw_vec3_sub(b, a), rw_vec3_sub(c, a));
    return rw_vec3_dot(normal, a) / rw_vec3_dot(normal, d);
}

#define RW_NO_TRIANGLE UINT32_MAX

/* Some triangle that a line crosses, by its number in the tree; RW_NO_TRIANGLE: none. The one that stopped a line
 * nearby is asked first: of neighbouring lines it stops most. */
RW_RARE_FN uint32_t rw_mesh_blocking_triangle(const rw_wall_grid_view *grid, rw_vec3 from, rw_vec3 to, uint32_t likely)
{
    rw_vec3 d = rw_vec3_sub(to, from);
    rw_box_line line = rw_box_line_of(from, d);
    if (likely != RW_NO_TRIANGLE && rw_segment_crosses_triangle(grid->triangles + likely, from, d))
        return likely;
    RW_BVH_EACH (node, grid->nodes, grid->node_count, rw_segment_meets_box(node, &line))
        for (uint32_t i = 0; i < node->count; i++)
            if (rw_segment_crosses_triangle(grid->triangles + node->first + i, from, d))
                return node->first + i;
    return RW_NO_TRIANGLE;
}

RW_RARE_FN uint32_t rw_cross_meshes(const rw_wall_grid_view *grid, rw_vec3 from, rw_vec3 to, int count_all)
{
    rw_vec3 d = rw_vec3_sub(to, from);
    rw_box_line line = rw_box_line_of(from, d);
    uint32_t count = 0;
    RW_BVH_EACH (node, grid->nodes, grid->node_count, rw_segment_meets_box(node, &line))
        for (uint32_t i = 0; i < node->count; i++) {
            count += (uint32_t)rw_segment_crosses_triangle(grid->triangles + node->first + i, from, d);
            if (count && !count_all)
                return count;
        }
    return count;
}

/* A point above and beyond all meshes on every axis; there must be some. */
RW_FN rw_vec3 rw_bvh_outside(const rw_wall_grid_view *grid)
{
    const float *high = grid->nodes[0].high;
    return rw_vec3_of((double)high[0] + 1, (double)high[1] + 1, (double)high[2] + 1);
}

/* Whether the point is inside what the meshes enclose: then a line out of the scene crosses them an odd number of
 * times, whichever way it goes. Floors, ceilings and grounds are sheets that enclose nothing, and one way past them is
 * even. outside is rw_bvh_outside. */
RW_FN int rw_inside_meshes(const rw_wall_grid_view *grid, rw_vec3 point, rw_vec3 outside)
{
    rw_vec3 up = rw_vec3_of(point.x, point.y, outside.z), east = rw_vec3_of(outside.x, point.y, point.z);
    rw_vec3 north = rw_vec3_of(point.x, outside.y, point.z);
    return point.z < outside.z && rw_cross_meshes(grid, point, up, 1) % 2 &&
           rw_cross_meshes(grid, point, east, 1) % 2 && rw_cross_meshes(grid, point, north, 1) % 2;
}

#endif
