/* Which receivers a view may see: inside its window's pyramid, behind the clipping plane, where the stencil is, and not
 * surely behind what the picture shows.
 *
 * The receivers' test of Novak (2016), section 4, as a filter: a place in the picture is known to a pixel and to what
 * refraction may have shifted, so nine places round it are asked, and a receiver is left out only where all of them say
 * no. What is found is then decided by its exact path. Or, as in the paper, the one pixel decides by itself. Kernel:
 * one item for each view and each subtree of receivers. */
#ifndef RW_MODELS_IMAGES_VIEWS_FIND_RECEIVERS_K_H
#define RW_MODELS_IMAGES_VIEWS_FIND_RECEIVERS_K_H

#include "discretise/receivers/points.k.h"
#include "models/images/views/cull_view.k.h"

/* A view and a receiver that may see each other. */
typedef struct rw_view_pair {
    uint32_t view, point;
} rw_view_pair;

#define RW_NO_VIEW UINT32_MAX

struct rw_find_receivers_args {
    rw_points_view points;
    const rw_view *views; /* already at the first one wanted */
    uint32_t first_view;  /* its number */
    uint32_t start_count; /* subtrees asked one by one; 1: the whole tree in one item */
    const rw_view_candidate *candidates;
    const uint16_t *picture; /* NULL: not drawn */
    const rw_view *parents;
    const uint16_t *parent_picture; /* NULL: no stencil */
    const uint8_t *stencil;         /* of one frame buffer, which is level inside a view; NULL: parents tell */
    int level;
    int decides; /* 1: a receiver is seen where its one pixel says so; every view is drawn */
    uint32_t pixels;
    rw_view_pair *pairs;
    uint32_t capacity;
    uint32_t *used; /* more than capacity where that was too little */
};

/* The stencil at a pixel. */
RW_FN int rw_view_stencil(const struct rw_find_receivers_args *args, const rw_view *view, int x, int y)
{
    if (x < (int)view->x0 || x >= (int)view->x1 || y < (int)view->y0 || y >= (int)view->y1)
        return 0;
    if (args->stencil)
        return args->stencil[(size_t)x * args->pixels + (size_t)y] == args->level;
    if (!args->parent_picture)
        return 1;
    const rw_view *parent = &args->parents[view->parent];
    size_t pixel =
        parent->first_pixel + (size_t)(x - (int)parent->x0) * (parent->y1 - parent->y0) + (size_t)(y - (int)parent->y0);
    return args->parent_picture[pixel] == view->mark;
}

/* The depth buffer at a pixel: the depth of the surface that the picture shows, in the pixel's middle. */
RW_FN float rw_view_depth(const struct rw_find_receivers_args *args, const rw_view *view, int x, int y)
{
    const float nothing = 1e30f;
    if (!args->picture || view->candidate_count == 0)
        return nothing;
    size_t pixel =
        view->first_pixel + (size_t)(x - (int)view->x0) * (view->y1 - view->y0) + (size_t)(y - (int)view->y0);
    uint32_t mark = args->picture[pixel];
    if (mark == 0)
        return nothing;
    const rw_view_candidate *shown = &args->candidates[view->first_candidate + mark - 1u];
    float half = 0.5f * (float)args->pixels;
    float right = ((float)x + 0.5f) / half - 1.0f, up = ((float)y + 0.5f) / half - 1.0f;
    return shown->height_m / (shown->plane_forward + right * shown->plane_right + up * shown->plane_up);
}

/* Whether the picture shows something at a pixel that is surely nearer than depth: the margin is for pixels that see it
 * at a flat angle. */
RW_FN int rw_view_hides(const struct rw_find_receivers_args *args, const rw_view *view, int x, int y, float depth)
{
    return rw_view_depth(args, view, x, y) < 0.98f * depth - 2.0f * view->slack_m - 0.01f;
}

RW_FN int rw_view_may_see(const struct rw_find_receivers_args *args, const rw_view *view, rw_vec3 position)
{
    float point[3] = {(float)position.x, (float)position.y, (float)position.z}, x, y, depth;
    if (!(rw_view_clip(view, point) > 0.0f) || !rw_view_project(view, args->pixels, point, &x, &y, &depth))
        return 0;
    if (args->decides) {
        int column = (int)floorf(x), row = (int)floorf(y);
        return rw_view_stencil(args, view, column, row) && rw_view_depth(args, view, column, row) >= depth;
    }
    float margin = 1.0f + 0.5f * (float)args->pixels * view->slack_m / depth;
    if (x < (float)view->x0 - margin || x > (float)view->x1 + margin || y < (float)view->y0 - margin ||
        y > (float)view->y1 + margin)
        return 0;
    for (int i = 0; i < 9; i++) {
        int column = (int)floorf(x + margin * (float)(i % 3 - 1)), row = (int)floorf(y + margin * (float)(i / 3 - 1));
        if (rw_view_stencil(args, view, column, row) && !rw_view_hides(args, view, column, row, depth))
            return 1;
    }
    return 0;
}

RW_FN void rw_find_receivers_item(const struct rw_find_receivers_args *args, size_t item)
{
    size_t index = item / args->start_count;
    const rw_view *view = &args->views[index];
    rw_view wide = *view; /* two pixels for rounding; what refraction may shift is a distance */
    wide.x0 = view->x0 > 2u ? view->x0 - 2u : 0u;
    wide.y0 = view->y0 > 2u ? view->y0 - 2u : 0u;
    wide.x1 = view->x1 + 2u;
    wide.y1 = view->y1 + 2u;
    rw_view_planes planes = rw_view_planes_of(&wide, args->pixels);
    for (int i = 0; i < 4; i++)
        planes.offset[i] += 1.5f * view->slack_m + 1e-4f;
    planes.offset[RW_VIEW_PLANE_CLIP] += 2e-4f;
    uint32_t start = args->start_count == 1 ? 0u : args->points.starts[item % args->start_count];
    RW_BVH_EACH_SORTED (node, args->points.nodes, start, 1, rw_planes_meet_box(&planes, view, node), 0)
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            if (!rw_view_may_see(args, view, args->points.positions[i]))
                continue;
            uint32_t at = rw_shared_reserve(args->used, 1);
            if (at < args->capacity) {
                args->pairs[at].view = args->first_view + (uint32_t)index;
                args->pairs[at].point = i;
            }
        }
}

#endif
