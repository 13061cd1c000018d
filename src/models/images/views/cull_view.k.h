/* Which surfaces may be seen in a view: those that reach into the pyramid of its window, behind the clipping plane.
 *
 * View-frustum culling of Novak (2016), section 5.2, through the tree over the surfaces; then occlusion culling: where
 * one surface fills the whole window, nothing behind its plane is seen. Deep in the tree windows are small, and that is
 * most of them. A candidate that is not seen costs time and nothing else. Kernel: one item a view. */
#ifndef RW_MODELS_IMAGES_VIEWS_CULL_VIEW_K_H
#define RW_MODELS_IMAGES_VIEWS_CULL_VIEW_K_H

#include "models/images/views/view.k.h"

#define RW_VIEW_PLANES 8     /* sides of a window's pyramid, clipping plane, occluder, and two that bound nothing */
#define RW_CULL_HELD 96      /* surfaces that a view remembers while it looks for them; with more it looks twice */
#define RW_CULL_EDGES_FEW 16 /* of a surface: all of its edges are stored, without a look which of them are needed */

struct rw_cull_view_args {
    rw_surfaces_view surfaces;
    rw_view *views;
    rw_view_candidate *candidates;
    rw_view_edge *edges;
    uint32_t capacity, edge_capacity;
    uint32_t *used;  /* entries of candidates and of edges; more than the capacities where these are too small */
    uint32_t pixels; /* of a side of the whole picture */
    int occlusion;   /* 0: what is hidden behind a surface that fills the window stays */
};

/* The planes that bound a view, side by side: x, y, z . (p - eye) + offset > 0 inside of each. */
typedef struct rw_view_planes {
    float x[RW_VIEW_PLANES], y[RW_VIEW_PLANES], z[RW_VIEW_PLANES], offset[RW_VIEW_PLANES];
} rw_view_planes;

#define RW_VIEW_PLANE_CLIP 4
#define RW_VIEW_PLANE_OCCLUDER 5

RW_FN void rw_view_plane_set(rw_view_planes *planes, int index, const float normal[3], float offset)
{
    planes->x[index] = normal[0];
    planes->y[index] = normal[1];
    planes->z[index] = normal[2];
    planes->offset[index] = offset;
}

RW_FN rw_view_planes rw_view_planes_of(const rw_view *view, uint32_t pixels)
{
    rw_view_planes planes;
    const float none[3] = {0.0f, 0.0f, 0.0f};
    float scale = 2.0f / (float)pixels;
    float bounds[4] = {(float)view->x0 * scale - 1.0f, (float)view->x1 * scale - 1.0f, (float)view->y0 * scale - 1.0f,
                       (float)view->y1 * scale - 1.0f};
    float clip_at_eye = view->clip[3];
    for (int i = 0; i < 4; i++) {
        float normal[3], sign = i % 2 == 0 ? 1.0f : -1.0f;
        for (int k = 0; k < 3; k++)
            normal[k] = sign * ((i < 2 ? view->right[k] : view->up[k]) - bounds[i] * view->forward[k]);
        rw_view_plane_set(&planes, i, normal, 0.0f);
    }
    for (int k = 0; k < 3; k++)
        clip_at_eye += view->clip[k] * view->eye[k];
    /* What lies in the clipping plane itself is not shown. */
    rw_view_plane_set(&planes, RW_VIEW_PLANE_CLIP, view->clip, clip_at_eye - 1e-4f);
    for (int i = RW_VIEW_PLANE_OCCLUDER; i < RW_VIEW_PLANES; i++)
        rw_view_plane_set(&planes, i, none, 1.0f);
    return planes;
}

RW_FN int rw_planes_meet_box(const rw_view_planes *planes, const rw_view *view, const rw_bvh_node *box)
{
    float low[3], high[3];
    int outside = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = box->low[k] - view->eye[k];
        high[k] = box->high[k] - view->eye[k];
    }
    RW_SIMD_OR(outside)
    for (int i = 0; i < RW_VIEW_PLANES; i++) {
        float x0 = planes->x[i] * low[0], x1 = planes->x[i] * high[0];
        float y0 = planes->y[i] * low[1], y1 = planes->y[i] * high[1];
        float z0 = planes->z[i] * low[2], z1 = planes->z[i] * high[2];
        float max_inside = planes->offset[i] + (x0 > x1 ? x0 : x1) + (y0 > y1 ? y0 : y1) + (z0 > z1 ? z0 : z1);
        outside |= !(max_inside > 0.0f);
    }
    return !outside;
}

/* Height of a viewpoint over a surface's plane. */
RW_FN double rw_view_height_m(const rw_view *view, const rw_surface *surface)
{
    return -surface->offset_m + surface->normal.x * (double)view->eye[0] + surface->normal.y * (double)view->eye[1] +
           surface->normal.z * (double)view->eye[2];
}

/* The columns that a candidate may touch, and whether it reaches over all of the window. */
RW_FN int rw_view_candidate_spread(const rw_view *view, uint32_t pixels, const float low[2], const float high[2],
                                   rw_view_candidate *candidate)
{
    float half = 0.5f * (float)pixels;
    float first = (low[0] + 1.0f) * half - 1.0f, last = (high[0] + 1.0f) * half + 1.0f;
    float bottom = (low[1] + 1.0f) * half - 1.0f, top = (high[1] + 1.0f) * half + 1.0f;
    int left_of = first < (float)view->x0, right_of = last >= (float)view->x1;
    candidate->x0 = left_of ? view->x0 : (uint32_t)first;
    candidate->x1 = right_of ? view->x1 : (uint32_t)last + 1u;
    return left_of && right_of && bottom < (float)view->y0 && top >= (float)view->y1;
}

/* Whether a surface may be seen, and in which columns; 2 where it may fill the window. */
RW_FN int rw_view_candidate_of(const struct rw_cull_view_args *args, const rw_view *view, const rw_view_planes *planes,
                               uint32_t index, rw_view_candidate *candidate)
{
    const rw_surface *surface = &args->surfaces.surfaces[index];
    if (fabs(rw_view_height_m(view, surface)) < 1e-5) /* edge on */
        return 0;
    float max_inside[RW_VIEW_PLANES], low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f}, nearest = 1e30f;
    int outside = 0;
    for (int i = 0; i < RW_VIEW_PLANES; i++)
        max_inside[i] = 0.0f;
    for (uint32_t i = 0; i < surface->edge_count; i++) {
        const float *corner = args->surfaces.edges[surface->first_edge + i].a;
        float away[3] = {corner[0] - view->eye[0], corner[1] - view->eye[1], corner[2] - view->eye[2]};
        RW_SIMD for (int p = 0; p < RW_VIEW_PLANES; p++)
        {
            float inside = planes->x[p] * away[0] + planes->y[p] * away[1] + planes->z[p] * away[2] + planes->offset[p];
            max_inside[p] = inside > max_inside[p] ? inside : max_inside[p];
        }
        float depth = rw_dot3(away, view->forward);
        nearest = depth < nearest ? depth : nearest;
        float per_depth = 1.0f / (depth > 0.01f ? depth : 0.01f);
        float x = rw_dot3(away, view->right) * per_depth, y = rw_dot3(away, view->up) * per_depth;
        low[0] = x < low[0] ? x : low[0];
        high[0] = x > high[0] ? x : high[0];
        low[1] = y < low[1] ? y : low[1];
        high[1] = y > high[1] ? y : high[1];
    }
    for (int p = 0; p < RW_VIEW_PLANES; p++)
        outside |= !(max_inside[p] > 0.0f);
    if (outside)
        return 0;
    candidate->surface = index;
    candidate->pixels = candidate->first_edge = candidate->edge_count = 0;
    candidate->seen_x0 = candidate->seen_not_x1 = candidate->seen_y0 = candidate->seen_not_y1 = UINT32_MAX;
    if (!(nearest > 0.01f)) { /* partly behind the viewpoint */
        candidate->x0 = view->x0;
        candidate->x1 = view->x1;
        return 2;
    }
    return 1 + rw_view_candidate_spread(view, args->pixels, low, high, candidate);
}

#define RW_OCCLUDER_EDGES_MAX 8 /* of a surface that is looked at as an occluder: walls, doors, floors */

/* Where the ray through a place of the picture meets a surface's plane, in front of the viewpoint and behind the
 * clipping plane; returns its distance in depths, 0 where it does not. */
RW_FN double rw_window_ray_meets(const rw_view *view, const rw_surface *surface, double right, double up, rw_vec3 *at)
{
    rw_vec3 eye = rw_vec3_of((double)view->eye[0], (double)view->eye[1], (double)view->eye[2]);
    rw_vec3 ray = rw_vec3_of((double)view->forward[0] + right * (double)view->right[0] + up * (double)view->up[0],
                             (double)view->forward[1] + right * (double)view->right[1] + up * (double)view->up[1],
                             (double)view->forward[2] + right * (double)view->right[2] + up * (double)view->up[2]);
    double towards = rw_vec3_dot(surface->normal, ray), height = rw_surface_height_m(surface, eye);
    double depth = towards != 0 ? -height / towards : 0;
    if (!(depth > 1e-3))
        return 0;
    *at = rw_vec3_add(eye, rw_vec3_scale(ray, depth));
    float point[3] = {(float)at->x, (float)at->y, (float)at->z};
    return rw_view_clip(view, point) > 1e-3f ? depth : 0;
}

/* Whether a point lies on the same side of all edges, by a tenth of a millimetre: 1 or -1, else 0. Such points make a
 * convex region, and the edges wind round it: a surface with a hole, or of two parts, has none. */
RW_FN int rw_surface_surrounds(const rw_surfaces_view *surfaces, const rw_surface *surface, rw_vec3 point)
{
    double u = rw_vec3_dot(surface->axis_u, point), v = rw_vec3_dot(surface->axis_v, point);
    int side = 0;
    for (uint32_t i = 0; i < surface->edge_count; i++) {
        const rw_surface_edge *edge = &surfaces->edges[surface->first_edge + i];
        double du = edge->u1 - edge->u0, dv = edge->v1 - edge->v0;
        double away = (du * (v - edge->v0) - dv * (u - edge->u0)) / sqrt(du * du + dv * dv + 1e-30);
        int now = away > 1e-4 ? 1 : away < -1e-4 ? -1 : 0;
        if (now == 0 || (i > 0 && now != side))
            return 0;
        side = now;
    }
    return side;
}

/* Depth of a surface that fills the whole window of a view, in its middle; 0 where it does not. */
RW_FN double rw_window_filled_by(const struct rw_cull_view_args *args, const rw_view *view, const rw_surface *surface)
{
    double scale = 2.0 / (double)args->pixels, middle = 0;
    int side = 0;
    if (surface->edge_count > RW_OCCLUDER_EDGES_MAX)
        return 0;
    for (int i = 0; i < 5; i++) { /* the corners, then the middle */
        double x = i == 4 ? 0.5 * ((double)view->x0 + (double)view->x1) : (double)(i & 1 ? view->x1 : view->x0);
        double y = i == 4 ? 0.5 * ((double)view->y0 + (double)view->y1) : (double)(i & 2 ? view->y1 : view->y0);
        rw_vec3 at;
        middle = rw_window_ray_meets(view, surface, x * scale - 1, y * scale - 1, &at);
        int now = middle > 0 ? rw_surface_surrounds(&args->surfaces, surface, at) : 0;
        if (now == 0 || (i > 0 && now != side))
            return 0;
        side = now;
    }
    return middle;
}

/* Whether no point of a surface is on the viewpoint's side of another one's plane; what lies in that plane stays. */
RW_FN int rw_surface_behind(const rw_surfaces_view *surfaces, const rw_surface *surface, const rw_surface *other,
                            const rw_view *view)
{
    rw_vec3 eye = rw_vec3_of((double)view->eye[0], (double)view->eye[1], (double)view->eye[2]);
    double side = rw_surface_height_m(other, eye) > 0 ? 1 : -1, nearest = -1e30, farthest = 1e30;
    for (uint32_t i = 0; i < surface->edge_count; i++) {
        const float *corner = surfaces->edges[surface->first_edge + i].a;
        double height =
            side * rw_surface_height_m(other, rw_vec3_of((double)corner[0], (double)corner[1], (double)corner[2]));
        nearest = height > nearest ? height : nearest;
        farthest = height < farthest ? height : farthest;
    }
    return nearest < 1e-5 && farthest < -1e-3;
}

/* What lies behind a surface that fills the window is not entered. */
RW_FN void rw_view_planes_occlude(rw_view_planes *planes, const rw_view *view, const rw_surface *surface)
{
    const double margin_m = 2e-3; /* beyond what rw_surface_behind and the rounding of boxes leave */
    double height = rw_view_height_m(view, surface), side = height > 0 ? 1 : -1;
    float normal[3] = {(float)(side * surface->normal.x), (float)(side * surface->normal.y),
                       (float)(side * surface->normal.z)};
    rw_view_plane_set(planes, RW_VIEW_PLANE_OCCLUDER, normal, (float)(side * height + margin_m));
}

/* Whether the first of two boxes is nearer along the middle of a view. */
RW_FN int rw_view_box_nearer(const float middle[3], const rw_bvh_node *box)
{
    float nearer = 0.0f;
    for (int k = 0; k < 3; k++)
        nearer += middle[k] * (box[1].low[k] + box[1].high[k] - box[0].low[k] - box[0].high[k]);
    return nearer > 0.0f;
}

/* Goes through the tree, near things first, and cuts off what is behind a surface that fills the window. Returns the
 * number of surfaces that may be seen, and their numbers as far as held has room; with a list, writes them there. */
RW_FN uint32_t rw_view_collect(const struct rw_cull_view_args *args, const rw_view *view, rw_view_planes planes,
                               uint32_t held[RW_CULL_HELD], rw_view_candidate *list)
{
    uint32_t count = 0, own = view->step == RW_NO_SURFACE ? RW_NO_SURFACE : view->step >> 1;
    float half = 0.5f * (float)args->pixels, middle[3];
    float right = 0.5f * (float)(view->x0 + view->x1) / half - 1.0f,
          up = 0.5f * (float)(view->y0 + view->y1) / half - 1.0f;
    double nearest = 1e30;
    for (int k = 0; k < 3; k++)
        middle[k] = view->forward[k] + right * view->right[k] + up * view->up[k];
    RW_BVH_EACH_SORTED (node, args->surfaces.nodes, 0u, args->surfaces.node_count,
                        rw_planes_meet_box(&planes, view, node),
                        rw_view_box_nearer(middle, args->surfaces.nodes + node->first))
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            rw_view_candidate candidate;
            int found = i == own ? 0 : rw_view_candidate_of(args, view, &planes, i, &candidate);
            if (found == 2 && args->occlusion) {
                double depth = rw_window_filled_by(args, view, &args->surfaces.surfaces[i]);
                if (depth > 0 && depth < nearest) {
                    nearest = depth;
                    rw_view_planes_occlude(&planes, view, &args->surfaces.surfaces[i]);
                }
            }
            if (!found)
                continue;
            if (list)
                list[count] = candidate;
            else if (count < RW_CULL_HELD)
                held[count] = i;
            count++;
        }
    return count;
}

/* Takes candidates out of a list that are hidden behind one which fills the window; returns how many are left. */
RW_FN uint32_t rw_view_drop_hidden(const struct rw_cull_view_args *args, const rw_view *view, rw_view_candidate *list,
                                   uint32_t count)
{
    const rw_surface *surfaces = args->surfaces.surfaces, *occluder = (const rw_surface *)0;
    double nearest = 1e30;
    for (uint32_t i = 0; i < count; i++) {
        double depth = rw_window_filled_by(args, view, surfaces + list[i].surface);
        if (depth > 0 && depth < nearest) {
            nearest = depth;
            occluder = surfaces + list[i].surface;
        }
    }
    if (!occluder)
        return count;
    uint32_t remaining = 0;
    for (uint32_t i = 0; i < count; i++) {
        const rw_surface *surface = surfaces + list[i].surface;
        if (surface == occluder || !rw_surface_behind(&args->surfaces, surface, occluder, view))
            list[remaining++] = list[i];
    }
    return remaining;
}

/* A surface's edge as a view has it; 0 where it is before the viewpoint, to the left or to the right of the window. */
RW_FN int rw_view_edge_of(const rw_view *view, const rw_surface_edge *edge, float left, float right, rw_view_edge *seen)
{
    int beyond_left = 1, beyond_right = 1;
    for (int i = 0; i < 2; i++) {
        const float *end = i ? edge->b : edge->a;
        float away[3] = {end[0] - view->eye[0], end[1] - view->eye[1], end[2] - view->eye[2]};
        seen->right[i] = rw_dot3(away, view->right);
        seen->up[i] = rw_dot3(away, view->up);
        seen->forward[i] = rw_dot3(away, view->forward);
        seen->clip[i] = rw_view_clip(view, end);
        beyond_left = beyond_left && seen->forward[i] > 0.0f && seen->right[i] < left * seen->forward[i];
        beyond_right = beyond_right && seen->forward[i] > 0.0f && seen->right[i] > right * seen->forward[i];
    }
    return !beyond_left && !beyond_right;
}

/* The edges of a candidate that columns of the window may cross: counts them, and writes them where there is a list. */
RW_FN uint32_t rw_view_edges_of(const struct rw_cull_view_args *args, const rw_view *view, uint32_t index,
                                rw_view_edge *list)
{
    const rw_surface *surface = &args->surfaces.surfaces[index];
    float scale = 2.0f / (float)args->pixels;
    float left = (float)view->x0 * scale - 1.0f, right = (float)view->x1 * scale - 1.0f;
    uint32_t count = 0;
    for (uint32_t i = 0; i < surface->edge_count; i++) {
        rw_view_edge seen;
        if (!rw_view_edge_of(view, &args->surfaces.edges[surface->first_edge + i], left, right, &seen))
            continue;
        if (list)
            list[count] = seen;
        count++;
    }
    return count;
}

/* The plane of a candidate in the axes of the view. */
RW_FN void rw_view_candidate_set_plane(const rw_view *view, const rw_surface *surface, rw_view_candidate *candidate)
{
    float normal[3] = {(float)surface->normal.x, (float)surface->normal.y, (float)surface->normal.z};
    candidate->plane_right = rw_dot3(normal, view->right);
    candidate->plane_up = rw_dot3(normal, view->up);
    candidate->plane_forward = rw_dot3(normal, view->forward);
    candidate->height_m = (float)-rw_view_height_m(view, surface);
}

RW_FN void rw_view_store_edges(const struct rw_cull_view_args *args, const rw_view *view, rw_view_candidate *list)
{
    uint32_t max_count = 0;
    for (uint32_t c = 0; c < view->candidate_count; c++) {
        uint32_t edges = args->surfaces.surfaces[list[c].surface].edge_count;
        list[c].edge_count =
            edges <= RW_CULL_EDGES_FEW ? edges : rw_view_edges_of(args, view, list[c].surface, (rw_view_edge *)0);
        max_count += list[c].edge_count;
    }
    uint32_t first = max_count ? rw_shared_reserve(&args->used[1], max_count) : 0;
    int fits = first <= args->edge_capacity && max_count <= args->edge_capacity - first;
    for (uint32_t c = 0; c < view->candidate_count; c++) {
        list[c].first_edge = first;
        list[c].edge_count = fits ? rw_view_edges_of(args, view, list[c].surface, args->edges + first) : 0;
        rw_view_candidate_set_plane(view, &args->surfaces.surfaces[list[c].surface], &list[c]);
        first += list[c].edge_count;
    }
}

RW_FN void rw_cull_view_item(const struct rw_cull_view_args *args, size_t item)
{
    rw_view *view = &args->views[item];
    uint32_t held[RW_CULL_HELD];
    rw_view_planes planes = rw_view_planes_of(view, args->pixels);
    uint32_t count = rw_view_collect(args, view, planes, held, (rw_view_candidate *)0);
    uint32_t first = count ? rw_shared_reserve(args->used, count) : 0;
    rw_view_candidate *list = args->candidates + first;
    view->first_candidate = first;
    view->candidate_count = 0;
    if (count == 0 || first > args->capacity || count > args->capacity - first)
        return;
    if (count > RW_CULL_HELD)
        rw_view_collect(args, view, planes, held, list);
    else
        for (uint32_t i = 0; i < count; i++)
            rw_view_candidate_of(args, view, &planes, held[i], &list[i]);
    view->candidate_count = args->occlusion && count > 1 ? rw_view_drop_hidden(args, view, list, count) : count;
    rw_view_store_edges(args, view, list);
}

#endif
