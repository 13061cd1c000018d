#include "discretise/surfaces/free_edges.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define TOUCH_M 2e-3
#define LENGTH_LEAST_M 0.05 /* shorter ones do not diffract */

static rw_vec3 in_space(const rw_surface *surface, double u, double v)
{
    return rw_vec3_add(rw_vec3_add(rw_vec3_scale(surface->axis_u, u), rw_vec3_scale(surface->axis_v, v)),
                       rw_vec3_scale(surface->normal, surface->offset_m));
}

/* Whether a surface reaches a point to within a little, its border included: five places round the foot are asked. */
static int reaches(const rw_surfaces_view *view, const rw_surface *surface, rw_vec3 point)
{
    double height_m = rw_surface_height_m(surface, point);
    if (fabs(height_m) > TOUCH_M)
        return 0;
    rw_vec3 foot = rw_vec3_sub(point, rw_vec3_scale(surface->normal, height_m));
    for (int i = 0; i < 5; i++) {
        rw_vec3 off = rw_vec3_add(rw_vec3_scale(surface->axis_u, i == 1   ? TOUCH_M
                                                                 : i == 2 ? -TOUCH_M
                                                                          : 0),
                                  rw_vec3_scale(surface->axis_v, i == 3   ? TOUCH_M
                                                                 : i == 4 ? -TOUCH_M
                                                                          : 0));
        if (rw_surface_holds(view, surface, rw_vec3_add(foot, off)))
            return 1;
    }
    return 0;
}

static rw_vec3 at_share(const rw_free_edge *edge, double share)
{
    return rw_vec3_add(edge->from, rw_vec3_scale(rw_vec3_sub(edge->to, edge->from), share));
}

/* Whether the sphere round a surface comes near the edge at all. */
static int is_near(const rw_surface *surface, const rw_free_edge *edge)
{
    rw_vec3 middle = rw_vec3_make((double)surface->middle[0], (double)surface->middle[1], (double)surface->middle[2]);
    double half_m = 0.5 * rw_vec3_length(rw_vec3_sub(edge->to, edge->from));
    return rw_vec3_length(rw_vec3_sub(middle, at_share(edge, 0.5))) < half_m + (double)surface->radius_m + TOUCH_M;
}

static int is_same_plane(const rw_surface *a, const rw_surface *b)
{
    double along = rw_vec3_dot(a->normal, b->normal);
    return fabs(along) > 1 - 1e-9 && fabs(a->offset_m - (along > 0 ? 1 : -1) * b->offset_m) < TOUCH_M;
}

/* Whether nothing begins at a point of the edge but, where there is one, the pane beyond it. *other is RW_NO_SURFACE
 * before one is known. */
static int is_edge_at(const rw_surfaces *surfaces, const rw_free_edge *edge, rw_vec3 point, uint32_t *other)
{
    const rw_surface *own = &surfaces->surfaces[edge->surface];
    rw_vec3 beyond = rw_vec3_sub(point, rw_vec3_scale(edge->along, 2 * TOUCH_M));
    *other = RW_NO_SURFACE;
    if (rw_surface_holds(&surfaces->view, own, beyond)) /* it goes on: a seam of two of its panels */
        return 0;
    for (uint32_t s = 0; s < surfaces->view.surface_count; s++) {
        const rw_surface *surface = &surfaces->surfaces[s];
        if (s == edge->surface || !is_near(surface, edge) || !reaches(&surfaces->view, surface, point))
            continue;
        if (*other != RW_NO_SURFACE || surface->kind == own->kind || !is_same_plane(own, surface) ||
            !rw_surface_holds(&surfaces->view, surface, beyond))
            return 0;
        *other = s;
    }
    return 1;
}

/* Whether the edge diffracts all along: the same pane or nothing beyond it. An edge of two surfaces is listed with the
 * first of them. */
static int settle_edge(const rw_surfaces *surfaces, rw_free_edge *edge)
{
    static const double shares[] = {0.1, 0.5, 0.9};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        uint32_t other;
        if (!is_edge_at(surfaces, edge, at_share(edge, shares[i]), &other) || (i > 0 && other != edge->other))
            return 0;
        edge->other = other;
    }
    return edge->other == RW_NO_SURFACE || edge->surface < edge->other;
}

static int compare_shares(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Where corners of surfaces lie on the edge, it may begin or cease to be free. */
static rw_status list_breaks(rw_context *context, const rw_surfaces *surfaces, const rw_free_edge *edge,
                             double **breaks, size_t *capacity, size_t *count)
{
    rw_vec3 way = rw_vec3_sub(edge->to, edge->from);
    double length2 = rw_vec3_dot(way, way);
    *count = 0;
    RW_TRY(rw_array_reserve(context, breaks, capacity, 2, sizeof **breaks, "edges"));
    for (uint32_t s = 0; s < surfaces->view.surface_count; s++) {
        const rw_surface *surface = &surfaces->surfaces[s];
        if (!is_near(surface, edge))
            continue;
        RW_TRY(rw_array_reserve(context, breaks, capacity, *count + surface->edge_count + 2, sizeof **breaks, "edges"));
        for (uint32_t i = 0; i < surface->edge_count; i++) {
            const rw_surface_edge *other = &surfaces->edges[surface->first_edge + i];
            rw_vec3 away = rw_vec3_sub(in_space(surface, other->u0, other->v0), edge->from);
            double share = rw_vec3_dot(away, way) / length2;
            if (share > 0 && share < 1 && rw_vec3_length(rw_vec3_sub(away, rw_vec3_scale(way, share))) < TOUCH_M)
                (*breaks)[(*count)++] = share;
        }
    }
    (*breaks)[(*count)++] = 0;
    (*breaks)[(*count)++] = 1;
    qsort(*breaks, *count, sizeof **breaks, compare_shares);
    return RW_OK;
}

/* What is being filled. */
typedef struct edge_list {
    rw_free_edge *edges;
    size_t count, capacity;
    double *breaks;
    size_t break_capacity;
} edge_list;

static rw_status add_free_parts(rw_context *context, const rw_surfaces *surfaces, const rw_free_edge *whole,
                                edge_list *list)
{
    size_t breaks;
    RW_TRY(list_breaks(context, surfaces, whole, &list->breaks, &list->break_capacity, &breaks));
    for (size_t i = 0; i + 1 < breaks; i++) {
        rw_free_edge part = *whole;
        part.from = at_share(whole, list->breaks[i]);
        part.to = at_share(whole, list->breaks[i + 1]);
        if (!(rw_vec3_length(rw_vec3_sub(part.to, part.from)) > LENGTH_LEAST_M) || !settle_edge(surfaces, &part))
            continue;
        RW_TRY(rw_array_reserve(context, &list->edges, &list->capacity, list->count + 1, sizeof *list->edges, "edges"));
        list->edges[list->count++] = part;
    }
    return RW_OK;
}

static rw_status find(rw_context *context, const rw_surfaces *surfaces, edge_list *list)
{
    for (uint32_t s = 0; s < surfaces->view.surface_count; s++) {
        const rw_surface *surface = &surfaces->surfaces[s];
        for (uint32_t i = 0; i < surface->edge_count; i++) {
            const rw_surface_edge *edge = &surfaces->edges[surface->first_edge + i];
            double du = edge->u1 - edge->u0, dv = edge->v1 - edge->v0, length = hypot(du, dv);
            /* Rings turn counter-clockwise about what is solid: it is on the left. */
            rw_free_edge whole = {.from = in_space(surface, edge->u0, edge->v0),
                                  .to = in_space(surface, edge->u1, edge->v1),
                                  .along = rw_vec3_add(rw_vec3_scale(surface->axis_u, -dv / length),
                                                       rw_vec3_scale(surface->axis_v, du / length)),
                                  .surface = s,
                                  .other = RW_NO_SURFACE};
            RW_TRY(add_free_parts(context, surfaces, &whole, list));
        }
    }
    return RW_OK;
}

rw_status rw_free_edges_find(rw_context *context, const rw_surfaces *surfaces, rw_free_edge **edges, size_t *count)
{
    edge_list list = {0};
    rw_status status = find(context, surfaces, &list);
    free(list.breaks);
    if (status != RW_OK) {
        free(list.edges);
        list = (edge_list){0};
    }
    *edges = list.edges;
    *count = list.count;
    return status;
}
