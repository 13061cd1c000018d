/* How many receivers a view may have in its window, at most: those of the leaves of their tree that it meets.
 *
 * A view of the last level leads nowhere, so it is drawn only where that costs less than the exact checks of its
 * receivers, most of which are behind something. Kernel: one item a view. */
#ifndef RW_MODELS_IMAGES_VIEWS_WEIGH_VIEWS_K_H
#define RW_MODELS_IMAGES_VIEWS_WEIGH_VIEWS_K_H

#include "discretise/receivers/points.k.h"
#include "models/images/views/cull_view.k.h"

struct rw_weigh_views_args {
    rw_points_view points;
    const rw_view *views;
    uint32_t pixels;
    uint32_t enough; /* counting ends there */
    uint32_t *counts;
};

RW_FN void rw_weigh_views_item(const struct rw_weigh_views_args *args, size_t item)
{
    const rw_view *view = &args->views[item];
    rw_view_planes planes = rw_view_planes_of(view, args->pixels);
    uint32_t count = 0;
    args->counts[item] = args->enough;
    RW_BVH_EACH (node, args->points.nodes, args->points.node_count, rw_planes_meet_box(&planes, view, node)) {
        count += node->count;
        if (count >= args->enough)
            return;
    }
    args->counts[item] = count;
}

#endif
