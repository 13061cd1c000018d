#include "discretise/free_edges.h"

#include "base/memory.h"

#include <math.h>

#define TOUCH_M 2e-3

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

static int is_free(const rw_surfaces *surfaces, uint32_t own, const rw_free_edge *edge)
{
    static const double shares[] = {0.1, 0.35, 0.5, 0.65, 0.9};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        rw_vec3 way = rw_vec3_sub(edge->to, edge->from);
        rw_vec3 point = rw_vec3_add(edge->from, rw_vec3_scale(way, shares[i]));
        for (uint32_t s = 0; s < surfaces->view.surface_count; s++)
            if (s != own && reaches(&surfaces->view, &surfaces->surfaces[s], point))
                return 0;
        /* the surface itself goes on beyond: a seam of panels of different height */
        rw_vec3 beyond = rw_vec3_sub(point, rw_vec3_scale(edge->along, TOUCH_M));
        if (rw_surface_holds(&surfaces->view, &surfaces->surfaces[own], beyond))
            return 0;
    }
    return 1;
}

rw_status rw_free_edges_find(rw_context *context, const rw_surfaces *surfaces, rw_free_edge **edges, size_t *count)
{
    *count = 0;
    RW_TRY(rw_array_create(context, surfaces->view.edge_count + 1u, sizeof **edges, "edges", edges));
    for (uint32_t s = 0; s < surfaces->view.surface_count; s++) {
        const rw_surface *surface = &surfaces->surfaces[s];
        for (uint32_t i = 0; i < surface->edge_count; i++) {
            const rw_surface_edge *edge = &surfaces->edges[surface->first_edge + i];
            double du = edge->u1 - edge->u0, dv = edge->v1 - edge->v0, length = hypot(du, dv);
            if (!(length > 0.05))
                continue;
            /* Rings turn counter-clockwise about what is solid: it is on the left. */
            rw_free_edge found = {.from = in_space(surface, edge->u0, edge->v0),
                                  .to = in_space(surface, edge->u1, edge->v1),
                                  .along = rw_vec3_add(rw_vec3_scale(surface->axis_u, -dv / length),
                                                       rw_vec3_scale(surface->axis_v, du / length)),
                                  .surface = s};
            if (is_free(surfaces, s, &found))
                (*edges)[(*count)++] = found;
        }
    }
    return RW_OK;
}
