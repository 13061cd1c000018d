#include "discretise/surfaces/surfaces.h"

#include "base/maths/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define TOUCH_M 2e-3
#define LENGTH_MIN_M 0.05    /* shorter ones do not diffract */
#define ANGLE_MIN_RAD 0.0175 /* surfaces that turn by less are one plane: 1 degree */

static rw_vec3 plane_point_in_space(const rw_surface *surface, double u, double v)
{
    return rw_vec3_add(rw_vec3_add(rw_vec3_scale(surface->axis_u, u), rw_vec3_scale(surface->axis_v, v)),
                       rw_vec3_scale(surface->normal, surface->offset_m));
}

static rw_vec3 point_on_edge(const rw_free_edge *edge, double fraction)
{
    return rw_vec3_add(edge->from, rw_vec3_scale(rw_vec3_sub(edge->to, edge->from), fraction));
}

/* Surfaces near an edge, by the tree. */
typedef struct near_list {
    uint32_t *items;
    size_t count, capacity;
} near_list;

/* Whether the box of a node comes near that of the edge. */
static int box_is_near_edge(const rw_bvh_node *node, const rw_free_edge *edge)
{
    const double margin_m = 0.01 + TOUCH_M; /* boxes are rounded to float */
    const double from[3] = {edge->from.x, edge->from.y, edge->from.z}, to[3] = {edge->to.x, edge->to.y, edge->to.z};
    for (int axis = 0; axis < 3; axis++)
        if (fmin(from[axis], to[axis]) > (double)node->high[axis] + margin_m ||
            fmax(from[axis], to[axis]) < (double)node->low[axis] - margin_m)
            return 0;
    return 1;
}

static rw_status list_near(rw_context *context, const rw_surfaces *surfaces, const rw_free_edge *edge, near_list *list)
{
    list->count = 0;
    RW_BVH_EACH (node, surfaces->nodes, surfaces->view.node_count, box_is_near_edge(node, edge)) {
        RW_TRY(rw_array_reserve(context, &list->items, &list->capacity, list->count + node->count, sizeof *list->items,
                                "edges"));
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            list->items[list->count++] = i;
    }
    return RW_OK;
}

/* What leaves the line of an edge to one side: half of a surface, by its angle round the line from the edge's own. */
typedef struct edge_sheet {
    double angle_rad;
    uint32_t surface;
} edge_sheet;

#define SHEETS_MAX 32
#define SAME_ANGLE_RAD 1e-3

static int compare_sheets(const void *left, const void *right)
{
    const edge_sheet *a = left, *b = right;
    if (a->angle_rad != b->angle_rad)
        return a->angle_rad < b->angle_rad ? -1 : 1;
    return a->surface < b->surface ? -1 : a->surface > b->surface;
}

static void add_sheet(const rw_free_edge *edge, uint32_t surface, rw_vec3 direction, edge_sheet *sheets, int *count)
{
    double angle = atan2(rw_vec3_dot(direction, edge->normal), rw_vec3_dot(direction, edge->along));
    if (fabs(angle) < SAME_ANGLE_RAD)
        angle = 0;
    if (*count < SHEETS_MAX)
        sheets[(*count)++] = (edge_sheet){angle < 0 ? angle + 2 * RW_PI : angle, surface};
}

/* The sheets at a point of the edge, by angle; of several at one angle the first surface alone. */
static int list_sheets(const rw_surfaces *surfaces, const near_list *near, const rw_free_edge *edge, rw_vec3 point,
                       edge_sheet sheets[SHEETS_MAX])
{
    rw_vec3 line = rw_vec3_cross(edge->along, edge->normal);
    int count = 0, merged = 0;
    for (size_t i = 0; i < near->count; i++) {
        const rw_surface *surface = &surfaces->surfaces[near->items[i]];
        double height_m = rw_surface_height_m(surface, point);
        if (fabs(height_m) > TOUCH_M || fabs(rw_vec3_dot(surface->normal, line)) > SAME_ANGLE_RAD)
            continue;
        rw_vec3 foot = rw_vec3_sub(point, rw_vec3_scale(surface->normal, height_m));
        rw_vec3 across = rw_vec3_cross(surface->normal, line);
        for (int side = -1; side <= 1; side += 2)
            if (rw_surface_holds(&surfaces->view, surface,
                                 rw_vec3_add(foot, rw_vec3_scale(across, 2 * side * TOUCH_M))))
                add_sheet(edge, near->items[i], rw_vec3_scale(across, side), sheets, &count);
    }
    qsort(sheets, (size_t)count, sizeof *sheets, compare_sheets);
    for (int i = 0; i < count; i++) {
        if (merged == 0 || sheets[i].angle_rad - sheets[merged - 1].angle_rad > SAME_ANGLE_RAD)
            sheets[merged++] = sheets[i];
        else if (sheets[i].surface < sheets[merged - 1].surface)
            sheets[merged - 1].surface = sheets[i].surface;
    }
    return merged;
}

/* What an edge is at one of its points: its open angle from its own surface on, and what is on the other side of it. 0
 * where it does not diffract, or where another surface's edge stands for it. */
typedef struct edge_finding {
    double exterior_over_pi;
    int turned; /* the open angle is on the side that the surface's normal does not show to */
    uint32_t other;
} edge_finding;

static int find_at(const rw_surfaces *surfaces, const near_list *near, const rw_free_edge *edge, rw_vec3 point,
                   edge_finding *found)
{
    edge_sheet sheets[SHEETS_MAX];
    int count = list_sheets(surfaces, near, edge, point, sheets);
    if (count == 0 || sheets[0].surface != edge->surface || sheets[0].angle_rad > 0)
        return 0;
    *found = (edge_finding){2, 0, RW_NO_SURFACE};
    if (count == 1)
        return 1;
    uint32_t own_kind = surfaces->surfaces[edge->surface].kind;
    if (count == 2 && fabs(sheets[1].angle_rad - RW_PI) < SAME_ANGLE_RAD) { /* a pane, or the surface itself */
        found->other = sheets[1].surface;
        return surfaces->surfaces[found->other].kind != own_kind && edge->surface < found->other;
    }
    double first = sheets[1].angle_rad, last = 2 * RW_PI - sheets[count - 1].angle_rad;
    found->turned = last > first;
    found->other = found->turned ? sheets[count - 1].surface : sheets[1].surface;
    found->exterior_over_pi = fmax(first, last) / RW_PI;
    return fmax(first, last) > RW_PI + ANGLE_MIN_RAD && edge->surface < found->other;
}

/* Whether the edge diffracts all along, and everywhere as the same. */
static int resolve_edge(const rw_surfaces *surfaces, const near_list *near, rw_free_edge *edge)
{
    static const double fractions[] = {0.1, 0.5, 0.9};
    edge_finding first = {0}, here;
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++) {
        if (!find_at(surfaces, near, edge, point_on_edge(edge, fractions[i]), &here) ||
            (i > 0 && (here.other != first.other || here.turned != first.turned)))
            return 0;
        first = here;
    }
    edge->other = first.other;
    edge->exterior_over_pi = first.exterior_over_pi;
    if (first.turned)
        edge->normal = rw_vec3_scale(edge->normal, -1);
    return 1;
}

static int compare_fractions(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Where corners of surfaces lie on the edge, it may begin or cease to be free. */
static rw_status list_breaks(rw_context *context, const rw_surfaces *surfaces, const near_list *near,
                             const rw_free_edge *edge, double **breaks, size_t *capacity, size_t *count)
{
    rw_vec3 span = rw_vec3_sub(edge->to, edge->from);
    double length2 = rw_vec3_dot(span, span);
    *count = 0;
    RW_TRY(rw_array_reserve(context, breaks, capacity, 2, sizeof **breaks, "edges"));
    for (size_t s = 0; s < near->count; s++) {
        const rw_surface *surface = &surfaces->surfaces[near->items[s]];
        RW_TRY(rw_array_reserve(context, breaks, capacity, *count + surface->edge_count + 2, sizeof **breaks, "edges"));
        for (uint32_t i = 0; i < surface->edge_count; i++) {
            const rw_surface_edge *other = &surfaces->edges[surface->first_edge + i];
            rw_vec3 away = rw_vec3_sub(plane_point_in_space(surface, other->u0, other->v0), edge->from);
            double fraction = rw_vec3_dot(away, span) / length2;
            if (fraction > 0 && fraction < 1 &&
                rw_vec3_length(rw_vec3_sub(away, rw_vec3_scale(span, fraction))) < TOUCH_M)
                (*breaks)[(*count)++] = fraction;
        }
    }
    (*breaks)[(*count)++] = 0;
    (*breaks)[(*count)++] = 1;
    qsort(*breaks, *count, sizeof **breaks, compare_fractions);
    return RW_OK;
}

/* What is being filled. */
typedef struct edge_list {
    rw_free_edge *edges;
    size_t count, capacity;
    double *breaks;
    size_t break_capacity;
    near_list near;
} edge_list;

static rw_status add_free_sections(rw_context *context, const rw_surfaces *surfaces, const rw_free_edge *full_edge,
                                   edge_list *list)
{
    size_t breaks;
    RW_TRY(list_near(context, surfaces, full_edge, &list->near));
    RW_TRY(list_breaks(context, surfaces, &list->near, full_edge, &list->breaks, &list->break_capacity, &breaks));
    for (size_t i = 0; list->breaks && i + 1 < breaks; i++) {
        rw_free_edge section = *full_edge;
        section.from = point_on_edge(full_edge, list->breaks[i]);
        section.to = point_on_edge(full_edge, list->breaks[i + 1]);
        if (!(rw_vec3_length(rw_vec3_sub(section.to, section.from)) > LENGTH_MIN_M) ||
            !resolve_edge(surfaces, &list->near, &section))
            continue;
        RW_TRY(rw_array_reserve(context, &list->edges, &list->capacity, list->count + 1, sizeof *list->edges, "edges"));
        list->edges[list->count++] = section;
    }
    return RW_OK;
}

static rw_status find_free_edges(rw_context *context, const rw_surfaces *surfaces, edge_list *list)
{
    for (uint32_t s = 0; s < surfaces->view.surface_count; s++) {
        const rw_surface *surface = &surfaces->surfaces[s];
        for (uint32_t i = 0; i < surface->edge_count; i++) {
            const rw_surface_edge *edge = &surfaces->edges[surface->first_edge + i];
            double du = edge->u1 - edge->u0, dv = edge->v1 - edge->v0, length = hypot(du, dv);
            /* Rings turn counter-clockwise about what is solid: it is on the left. */
            rw_free_edge full_edge = {.from = plane_point_in_space(surface, edge->u0, edge->v0),
                                      .to = plane_point_in_space(surface, edge->u1, edge->v1),
                                      .along = rw_vec3_add(rw_vec3_scale(surface->axis_u, -dv / length),
                                                           rw_vec3_scale(surface->axis_v, du / length)),
                                      .normal = surface->normal,
                                      .surface = s,
                                      .other = RW_NO_SURFACE};
            RW_TRY(add_free_sections(context, surfaces, &full_edge, list));
        }
    }
    return RW_OK;
}

rw_status rw_free_edges_find(rw_context *context, const rw_surfaces *surfaces, rw_free_edge **edges, size_t *count)
{
    edge_list list = {0};
    rw_status status = find_free_edges(context, surfaces, &list);
    free(list.breaks);
    free(list.near.items);
    if (status != RW_OK) {
        free(list.edges);
        list = (edge_list){0};
    }
    *edges = list.edges;
    *count = list.count;
    return status;
}
