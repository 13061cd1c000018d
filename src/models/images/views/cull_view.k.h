/* Which surfaces may be seen in a view: those that reach into the pyramid of its window, behind the clipping plane.
 *
 * View-frustum culling of Novak (2016), section 5.2, through the tree over the surfaces; then occlusion culling: where
 * one surface fills the whole window, nothing behind its plane is seen. Deep in the tree windows are small, and that is
 * most of them. A candidate that is not seen costs time and nothing else. Kernel: one item a view. */
#ifndef RW_MODELS_IMAGES_VIEWS_CULL_VIEW_K_H
#define RW_MODELS_IMAGES_VIEWS_CULL_VIEW_K_H

#include "models/images/views/view.k.h"

struct rw_cull_view_args {
    rw_surfaces_view surfaces;
    rw_view *views;
    rw_view_candidate *candidates;
    uint32_t capacity;
    uint32_t *used;  /* places taken in candidates; more than capacity where they are too few */
    uint32_t pixels; /* of a side of the whole picture */
    int occlusion;   /* 0: what is hidden behind a surface that fills the window stays */
};

/* The five planes that bound a view: normal . (p - eye) + offset > 0 inside. */
typedef struct rw_view_planes {
    float normal[5][3], offset[5];
} rw_view_planes;

RW_FN rw_view_planes rw_view_planes_of(const rw_view *view, uint32_t pixels)
{
    rw_view_planes planes;
    float scale = 2.0f / (float)pixels;
    float left = (float)view->x0 * scale - 1.0f, right = (float)view->x1 * scale - 1.0f;
    float low = (float)view->y0 * scale - 1.0f, high = (float)view->y1 * scale - 1.0f;
    float clip_at_eye = view->clip[3];
    for (int i = 0; i < 3; i++) {
        planes.normal[0][i] = view->right[i] - left * view->forward[i];
        planes.normal[1][i] = right * view->forward[i] - view->right[i];
        planes.normal[2][i] = view->up[i] - low * view->forward[i];
        planes.normal[3][i] = high * view->forward[i] - view->up[i];
        planes.normal[4][i] = view->clip[i];
        clip_at_eye += view->clip[i] * view->eye[i];
    }
    for (int i = 0; i < 4; i++)
        planes.offset[i] = 0.0f;
    /* What lies in the clipping plane itself is not shown. */
    planes.offset[4] = clip_at_eye - 1e-4f;
    return planes;
}

RW_FN int rw_planes_meet_box(const rw_view_planes *planes, const rw_view *view, const rw_bvh_node *box)
{
    for (int i = 0; i < 5; i++) {
        float max_inside = planes->offset[i];
        for (int axis = 0; axis < 3; axis++) {
            float n = planes->normal[i][axis];
            max_inside += n * ((n > 0.0f ? box->high[axis] : box->low[axis]) - view->eye[axis]);
        }
        if (!(max_inside > 0.0f))
            return 0;
    }
    return 1;
}

/* Whether a surface may be seen, and in which columns. */
RW_FN int rw_view_candidate_of(const struct rw_cull_view_args *args, const rw_view *view, const rw_view_planes *planes,
                               uint32_t index, rw_view_candidate *candidate)
{
    const rw_surface *surface = &args->surfaces.surfaces[index];
    double height = -surface->offset_m + surface->normal.x * (double)view->eye[0] +
                    surface->normal.y * (double)view->eye[1] + surface->normal.z * (double)view->eye[2];
    if (fabs(height) < 1e-5) /* edge on */
        return 0;
    float max_inside[5] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f}, left = 1e30f, right = -1e30f;
    int all_before = 1;
    for (uint32_t i = 0; i < surface->edge_count; i++) {
        const float *corner = args->surfaces.edges[surface->first_edge + i].a;
        float away[3] = {corner[0] - view->eye[0], corner[1] - view->eye[1], corner[2] - view->eye[2]};
        for (int p = 0; p < 5; p++) {
            float inside = rw_dot3(planes->normal[p], away) + planes->offset[p];
            max_inside[p] = inside > max_inside[p] ? inside : max_inside[p];
        }
        float depth = rw_dot3(away, view->forward);
        all_before = all_before && depth > 0.01f;
        float x = rw_dot3(away, view->right) / (depth > 0.01f ? depth : 0.01f);
        left = x < left ? x : left;
        right = x > right ? x : right;
    }
    for (int p = 0; p < 5; p++)
        if (!(max_inside[p] > 0.0f))
            return 0;
    float half = 0.5f * (float)args->pixels;
    float first = (left + 1.0f) * half - 1.0f, last = (right + 1.0f) * half + 1.0f;
    candidate->surface = index;
    candidate->x0 = !all_before || first < (float)view->x0 ? view->x0 : (uint32_t)first;
    candidate->x1 = !all_before || last >= (float)view->x1 ? view->x1 : (uint32_t)last + 1u;
    candidate->pixels = 0;
    candidate->seen_x0 = candidate->seen_not_x1 = candidate->seen_y0 = candidate->seen_not_y1 = UINT32_MAX;
    return 1;
}

/* Goes through the tree. Without a list, counts the surfaces whose boxes the view meets, which are at least as many as
 * may be seen and are counted without a look at their edges; with one, writes what may be seen and counts that. */
RW_FN uint32_t rw_view_collect(const struct rw_cull_view_args *args, const rw_view *view, rw_view_candidate *list)
{
    rw_view_planes planes = rw_view_planes_of(view, args->pixels);
    uint32_t count = 0;
    uint32_t own = view->step == RW_NO_SURFACE ? RW_NO_SURFACE : view->step >> 1;
    RW_BVH_EACH (node, args->surfaces.nodes, args->surfaces.node_count, rw_planes_meet_box(&planes, view, node))
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            if (i == own || (list && !rw_view_candidate_of(args, view, &planes, i, &list[count])))
                continue;
            count++;
        }
    return count;
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

RW_FN void rw_cull_view_item(const struct rw_cull_view_args *args, size_t item)
{
    rw_view *view = &args->views[item];
    uint32_t max_count = rw_view_collect(args, view, (rw_view_candidate *)0);
    uint32_t first = rw_shared_reserve(args->used, max_count);
    view->first_candidate = first;
    view->candidate_count = 0;
    if (max_count > 0 && first <= args->capacity && max_count <= args->capacity - first)
        view->candidate_count = rw_view_collect(args, view, args->candidates + first);
    if (args->occlusion && view->candidate_count > 1)
        view->candidate_count = rw_view_drop_hidden(args, view, args->candidates + first, view->candidate_count);
}

#endif
