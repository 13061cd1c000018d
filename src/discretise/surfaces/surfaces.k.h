/* Plane surfaces in space as kernels see them: polygons with holes, and the tree over them.
 *
 * A surface is a plane and a set of directed edges in it; a point of the plane belongs to it where the edges wind round
 * the point (non-zero rule), so that a wall with a window, and a floor made of many triangles, are one surface each.
 * All surfaces of one plane share its axes to the bit, and the test is half-open: a point on a seam belongs to exactly
 * one of two neighbours. Frame: that of the wall grid. */
#ifndef RW_DISCRETISE_SURFACES_SURFACES_K_H
#define RW_DISCRETISE_SURFACES_SURFACES_K_H

#include "base/maths/vector.h"
#include "discretise/bvh/cross_meshes.k.h"

typedef struct rw_surface_edge {
    double u0, v0, u1, v1; /* in the surface's plane */
    float a[3], b[3];      /* the same ends in space */
} rw_surface_edge;

typedef struct rw_surface {
    rw_vec3 normal;
    double offset_m; /* normal . p = offset_m */
    rw_vec3 axis_u, axis_v;
    double low_u, low_v, high_u, high_v;
    uint32_t first_edge, edge_count;
    uint32_t steep_count; /* of the edges: those along which v changes come first */
    uint32_t kind;        /* into the names of rw_surfaces */
    uint32_t turned;      /* 1: the first layer of its slab is on the side that the normal does not show to */
    uint32_t built;       /* 1: of buildings or the ground alone; 0: of panels or meshes */
    uint32_t mesh;        /* 1: some of it is of a mesh */
    float middle[3], radius_m;
} rw_surface;

typedef struct rw_surfaces_view {
    const rw_surface *surfaces;
    const rw_surface_edge *edges;
    const rw_bvh_node *nodes; /* leaves hold surfaces; none where there is no surface */
    uint32_t surface_count, edge_count, node_count;
} rw_surfaces_view;

#define RW_NO_SURFACE UINT32_MAX

/* Height of a point over the surface's plane, on the side that its normal shows to. */
RW_FN double rw_surface_height_m(const rw_surface *surface, rw_vec3 point)
{
    return rw_vec3_dot(surface->normal, point) - surface->offset_m;
}

/* Whether a point of the plane belongs to the surface. The place where an edge is crossed is computed from its lower
 * end, whichever way the edge goes: neighbours then agree to the bit. */
RW_FN int rw_surface_holds(const rw_surfaces_view *view, const rw_surface *surface, rw_vec3 point)
{
    double u = rw_vec3_dot(surface->axis_u, point), v = rw_vec3_dot(surface->axis_v, point);
    if (u < surface->low_u || u > surface->high_u || v < surface->low_v || v > surface->high_v)
        return 0;
    int winding = 0;
    for (uint32_t i = 0; i < surface->steep_count; i++) {
        const rw_surface_edge *edge = &view->edges[surface->first_edge + i];
        int rises = edge->v1 > edge->v0;
        double low_u = rises ? edge->u0 : edge->u1, low_v = rises ? edge->v0 : edge->v1;
        double high_u = rises ? edge->u1 : edge->u0, high_v = rises ? edge->v1 : edge->v0;
        if (!(low_v <= v && v < high_v))
            continue;
        double crossing = low_u + (v - low_v) / (high_v - low_v) * (high_u - low_u);
        if (u < crossing)
            winding += rises ? 1 : -1;
    }
    return winding != 0;
}

/* Share of the way from one point to the other at which the surface is crossed; negative where it is not. Ends that lie
 * on the surface do not cross it. */
RW_FN double rw_surface_crossing(const rw_surfaces_view *view, const rw_surface *surface, rw_vec3 from, rw_vec3 to)
{
    double before = rw_surface_height_m(surface, from), after = rw_surface_height_m(surface, to);
    if (!(before * after < 0))
        return -1;
    double fraction = before / (before - after);
    const double tolerance = 1e-9;
    if (!(fraction > tolerance && fraction < 1 - tolerance))
        return -1;
    rw_vec3 at = rw_vec3_add(from, rw_vec3_scale(rw_vec3_sub(to, from), fraction));
    return rw_surface_holds(view, surface, at) ? fraction : -1;
}

/* Whether any surface but the two named stands between two points. */
RW_FN int rw_surfaces_between(const rw_surfaces_view *view, rw_vec3 from, rw_vec3 to, uint32_t but, uint32_t nor)
{
    rw_vec3 d = rw_vec3_sub(to, from);
    rw_box_line line = rw_box_line_of(from, d);
    RW_BVH_EACH (node, view->nodes, view->node_count, rw_segment_meets_box(node, &line))
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            if (i != but && i != nor && rw_surface_crossing(view, &view->surfaces[i], from, to) >= 0)
                return 1;
    return 0;
}

/* The first surface that a ray meets, but not the one named; RW_NO_SURFACE and an infinite distance where it meets
 * none. direction has length 1. */
RW_FN uint32_t rw_surfaces_nearest(const rw_surfaces_view *view, rw_vec3 from, rw_vec3 direction, uint32_t but,
                                   double *distance_m)
{
    const double far_m = 1e6;
    uint32_t found = RW_NO_SURFACE;
    double nearest = far_m;
    rw_box_line line = rw_box_line_of(from, direction);
    /* the nearer half first: it may spare the other */
    RW_BVH_EACH_SORTED (node, view->nodes, 0u, view->node_count, rw_box_distance(node, &line) <= (float)nearest,
                        rw_box_distance(view->nodes + node->first, &line) <
                            rw_box_distance(view->nodes + node->first + 1, &line)) {
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            const rw_surface *surface = &view->surfaces[i];
            double t = -rw_surface_height_m(surface, from) / rw_vec3_dot(surface->normal, direction);
            if (i == but || !(t > 1e-9) || !(t < nearest) ||
                !rw_surface_holds(view, surface, rw_vec3_add(from, rw_vec3_scale(direction, t))))
                continue;
            nearest = t;
            found = i;
        }
    }
    *distance_m = found == RW_NO_SURFACE ? INFINITY : nearest;
    return found;
}

#endif
