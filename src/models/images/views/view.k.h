/* A view of the image tree: a viewpoint, the axes of its picture, a clipping plane and a window, as kernels see it.
 *
 * A reflection mirrors viewpoint and axes over the surface, a transmission shifts the viewpoint towards it (Novak 2016,
 * sections 3 and 4). A pixel keeps its number (column, row) on the way down the tree, since the axes are mirrored with
 * the viewpoint: it stands for one ray through all of its reflections. The stencil that the paper keeps as a stack is
 * the list of parents: a pixel is inside a view's stencil where the picture of its parent shows the view's surface. */
#ifndef RW_MODELS_IMAGES_VIEWS_VIEW_K_H
#define RW_MODELS_IMAGES_VIEWS_VIEW_K_H

#include "discretise/surfaces/surfaces.k.h"
#include "field/surfaces/refraction.k.h"

#include <stddef.h>

#define RW_VIEW_PIXELS_MAX 16384
#define RW_VIEW_SIDES 6

typedef struct rw_view {
    float eye[3];
    float right[3], up[3], forward[3];
    float clip[4];           /* shows what has clip . (p, 1) > 0 */
    float slack_m;           /* how far off refraction may leave the viewpoint */
    uint32_t side;           /* which of the six views from the transmitter it goes back to */
    uint32_t step;           /* the interaction that led here; RW_NO_SURFACE for a view from the transmitter */
    uint32_t parent;         /* number of the view before, in its level */
    uint32_t mark;           /* what the parent's picture shows where this view's stencil is */
    uint32_t x0, x1, y0, y1; /* window: columns and rows, ends not included */
    uint32_t first_candidate, candidate_count;
    size_t first_column; /* strips of columns of all views before this one */
    size_t first_pixel;  /* where its picture begins: columns one after the other */
} rw_view;

/* An edge of a surface in the axes of a view, relative to its viewpoint: to the right, up, forward, and over the
 * clipping plane, of both ends. */
typedef struct rw_view_edge {
    float right[2], up[2], forward[2], clip[2];
} rw_view_edge;

/* What may be seen in a view, and how much of it is. Ends are told as ~end, so that the least is the last. */
typedef struct rw_view_candidate {
    uint32_t surface;
    uint32_t x0, x1;                                      /* columns that it may touch */
    uint32_t first_edge, edge_count;                      /* of its edges that columns of the window may cross */
    float plane_right, plane_up, plane_forward, height_m; /* its plane in the axes of the view: what has that height */
    uint32_t pixels;
    uint32_t seen_x0, seen_not_x1, seen_y0, seen_not_y1;
} rw_view_candidate;

/* Place of a point in the picture, in pixels, and its depth; 0 where it is not before the viewpoint. */
RW_FN int rw_view_project(const rw_view *view, uint32_t pixels, const float point[3], float *x, float *y, float *depth)
{
    float away[3] = {point[0] - view->eye[0], point[1] - view->eye[1], point[2] - view->eye[2]};
    *depth = rw_dot3(away, view->forward);
    if (!(*depth > 1e-6f))
        return 0;
    float half = 0.5f * (float)pixels;
    *x = (rw_dot3(away, view->right) / *depth + 1.0f) * half;
    *y = (rw_dot3(away, view->up) / *depth + 1.0f) * half;
    return 1;
}

/* Height of a point over the clipping plane, on the side that is shown. */
RW_FN float rw_view_clip(const rw_view *view, const float point[3])
{
    return rw_dot3(view->clip, point) + view->clip[3];
}

RW_FN void rw_surface_mirror(const rw_surface *surface, float direction[3])
{
    float normal[3] = {(float)surface->normal.x, (float)surface->normal.y, (float)surface->normal.z};
    float twice = 2.0f * rw_dot3(direction, normal);
    for (int i = 0; i < 3; i++)
        direction[i] -= twice * normal[i];
}

/* One of the six views from the transmitter: along x, y, z and back; up is z but where the view is along z. */
RW_FN rw_view rw_view_baseline(int side, rw_vec3 eye, uint32_t pixels)
{
    rw_view view;
    int axis = side % 3;
    float sign = side < 3 ? 1.0f : -1.0f;
    for (int i = 0; i < 3; i++) {
        view.forward[i] = i == axis ? sign : 0.0f;
        view.up[i] = i == (axis == 2 ? 1 : 2) ? 1.0f : 0.0f;
        view.right[i] = i == (axis == 0 ? 1 : 0) ? 1.0f : 0.0f;
        view.clip[i] = 0.0f;
    }
    view.clip[3] = 1.0f;
    view.eye[0] = (float)eye.x;
    view.eye[1] = (float)eye.y;
    view.eye[2] = (float)eye.z;
    view.slack_m = 0.0f;
    view.side = (uint32_t)side;
    view.step = view.parent = RW_NO_SURFACE;
    view.mark = 0;
    view.x0 = view.y0 = 0;
    view.x1 = view.y1 = pixels;
    view.first_candidate = view.candidate_count = 0;
    view.first_column = view.first_pixel = 0;
    return view;
}

/* The one of the six views that a direction from the transmitter belongs to. */
RW_FN uint32_t rw_view_side(rw_vec3 direction)
{
    double x = fabs(direction.x), y = fabs(direction.y), z = fabs(direction.z);
    uint32_t axis = x >= y && x >= z ? 0u : y >= z ? 1u : 2u;
    double along = axis == 0u ? direction.x : axis == 1u ? direction.y : direction.z;
    return along > 0 ? axis : axis + 3u;
}

/* Cosine of incidence of the ray through a place of the picture. */
RW_FN double rw_view_cosine(const rw_view *view, const rw_surface *surface, uint32_t pixels, double x, double y)
{
    double right = 2 * x / pixels - 1, up = 2 * y / pixels - 1;
    rw_vec3 direction =
        rw_vec3_of((double)view->forward[0] + right * (double)view->right[0] + up * (double)view->up[0],
                   (double)view->forward[1] + right * (double)view->right[1] + up * (double)view->up[1],
                   (double)view->forward[2] + right * (double)view->right[2] + up * (double)view->up[2]);
    return fabs(rw_vec3_dot(direction, surface->normal)) / rw_vec3_length(direction);
}

/* The view behind a reflection or transmission, as far as it does not depend on its window. */
RW_FN void rw_view_mirror(const rw_view *parent, const rw_surface *surface, rw_view *child)
{
    double height = rw_vec3_dot(surface->normal,
                                rw_vec3_of((double)parent->eye[0], (double)parent->eye[1], (double)parent->eye[2])) -
                    surface->offset_m;
    child->eye[0] = (float)((double)parent->eye[0] - 2 * height * surface->normal.x);
    child->eye[1] = (float)((double)parent->eye[1] - 2 * height * surface->normal.y);
    child->eye[2] = (float)((double)parent->eye[2] - 2 * height * surface->normal.z);
    rw_surface_mirror(surface, child->right);
    rw_surface_mirror(surface, child->up);
    rw_surface_mirror(surface, child->forward);
}

/* Shift of a view through a slab over what is visible of it: between the angles at the corners of the window and its
 * nearest point to the foot of the normal, taken at corners, edges' middles and centre. */
RW_FN double rw_view_shift_m(const rw_view *parent, const rw_surface *surface, const rw_refractor *slab,
                             const rw_view *child, uint32_t pixels, double *slack_m)
{
    double lowest = 1, highest = 0;
    for (int i = 0; i < 9; i++) {
        double x = child->x0 + 0.5 * (i % 3) * (child->x1 - child->x0);
        double y = child->y0 + 0.5 * (int)(i / 3) * (child->y1 - child->y0);
        double cosine = rw_view_cosine(parent, surface, pixels, x, y);
        lowest = cosine < lowest ? cosine : lowest;
        highest = cosine > highest ? cosine : highest;
    }
    return rw_refraction_best_shift_m(slab, lowest, highest, slack_m);
}

/* The whole of Algorithm 1, lines 5 to 8, for a child whose window, parent and mark are set. */
RW_FN void rw_view_step(const rw_view *parent, const rw_surface *surface, const rw_refractor *slab, uint32_t pixels,
                        int through, rw_view *child)
{
    double normal[3] = {surface->normal.x, surface->normal.y, surface->normal.z};
    double height = -surface->offset_m;
    for (int i = 0; i < 3; i++) {
        child->eye[i] = parent->eye[i];
        child->right[i] = parent->right[i];
        child->up[i] = parent->up[i];
        child->forward[i] = parent->forward[i];
        height += normal[i] * (double)parent->eye[i];
    }
    double side = height > 0 ? 1 : -1, shown = through ? -side : side;
    for (int i = 0; i < 3; i++)
        child->clip[i] = (float)(shown * normal[i]);
    child->clip[3] = (float)(-shown * surface->offset_m);
    child->slack_m = parent->slack_m;
    child->side = parent->side;
    if (!through) {
        rw_view_mirror(parent, surface, child);
        return;
    }
    double slack_m, shift_m = rw_view_shift_m(parent, surface, slab, child, pixels, &slack_m);
    /* A viewpoint in the slab's own plane would see nothing. */
    double max_shift_m = 0.999 * fabs(height);
    if (shift_m > max_shift_m) {
        slack_m += shift_m - max_shift_m;
        shift_m = max_shift_m;
    }
    for (int i = 0; i < 3; i++)
        child->eye[i] = (float)((double)parent->eye[i] - side * shift_m * normal[i]);
    child->slack_m += (float)slack_m;
}

#endif
