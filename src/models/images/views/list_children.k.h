/* The next level of the image tree from the histograms of drawn views: a reflection and, where the surface lets
 * anything through, a transmission for each surface that is seen well enough (Novak 2016, Algorithm 1, lines 13 to 17).
 * Views are counted first, so that each parent knows where its children go. Kernels: one item a view. */
#ifndef RW_MODELS_IMAGES_VIEWS_LIST_CHILDREN_K_H
#define RW_MODELS_IMAGES_VIEWS_LIST_CHILDREN_K_H

#include "models/images/views/view.k.h"
#include "models/rays/image_path.k.h"

/* What decides about children. */
typedef struct rw_view_child_rules {
    rw_surfaces_view surfaces;
    const rw_refractor *slabs; /* of each kind of surface */
    const rw_view *views;
    const uint32_t *steps; /* level of them for each view */
    const rw_view_candidate *candidates;
    rw_step_limits limits;
    uint32_t threshold; /* surfaces of fewer pixels are not followed */
    uint32_t pixels;    /* of a side of the whole picture */
    int level;
    int straight; /* 1: views are not shifted through slabs */
} rw_view_child_rules;

/* Whether a candidate of a view leads on, by reflection or through it. */
RW_FN int rw_view_child_follows(const rw_view_child_rules *rules, size_t view, const rw_view_candidate *seen,
                                int through)
{
    if (seen->pixels == 0 || seen->pixels < rules->threshold)
        return 0;
    if (through && rules->slabs[rules->surfaces.surfaces[seen->surface].kind].opaque)
        return 0;
    if (through && rw_steps_crossed(rules->steps + view * (size_t)rules->level, rules->level, seen->surface))
        return 0;
    return rw_steps_allow(&rules->limits, rules->steps + view * (size_t)rules->level, rules->level, through);
}

struct rw_count_children_args {
    rw_view_child_rules rules;
    uint32_t *counts; /* one a view */
};

RW_FN void rw_count_children_item(const struct rw_count_children_args *args, size_t item)
{
    const rw_view *view = args->rules.views + item;
    uint32_t count = 0;
    for (uint32_t c = 0; c < view->candidate_count; c++)
        for (int through = 0; through < 2; through++)
            count += (uint32_t)rw_view_child_follows(&args->rules, item,
                                                     args->rules.candidates + view->first_candidate + c, through);
    args->counts[item] = count;
}

struct rw_list_children_args {
    rw_view_child_rules rules;
    const uint32_t *firsts; /* of each view: its first child */
    rw_view *children;
    uint32_t *child_steps;  /* level + 1 of them for each child */
    uint32_t *child_pixels; /* of the window of each */
};

RW_FN rw_view rw_view_child_of(const rw_view_child_rules *rules, size_t parent, uint32_t candidate, int through)
{
    const rw_view *view = rules->views + parent;
    const rw_view_candidate *seen = rules->candidates + view->first_candidate + candidate;
    const rw_surface *surface = rules->surfaces.surfaces + seen->surface;
    rw_refractor slab = rules->slabs[surface->kind];
    rw_view child;
    slab.straight = slab.straight || rules->straight;
    child.step = RW_STEP(seen->surface, through);
    child.parent = (uint32_t)parent;
    child.mark = candidate + 1u;
    child.x0 = seen->seen_x0;
    child.x1 = ~seen->seen_not_x1;
    child.y0 = seen->seen_y0;
    child.y1 = ~seen->seen_not_y1;
    child.first_candidate = child.candidate_count = 0;
    child.first_column = child.first_pixel = 0;
    rw_view_step(view, surface, &slab, rules->pixels, through, &child);
    return child;
}

RW_FN void rw_list_children_item(const struct rw_list_children_args *args, size_t item)
{
    const rw_view_child_rules *rules = &args->rules;
    const rw_view *view = rules->views + item;
    size_t at = args->firsts[item], level = (size_t)rules->level;
    for (uint32_t c = 0; c < view->candidate_count; c++)
        for (int through = 0; through < 2; through++) {
            if (!rw_view_child_follows(rules, item, rules->candidates + view->first_candidate + c, through))
                continue;
            rw_view child = rw_view_child_of(rules, item, c, through);
            uint32_t *steps = args->child_steps + at * (level + 1);
            for (size_t i = 0; i < level; i++)
                steps[i] = rules->steps[item * level + i];
            steps[level] = child.step;
            args->child_pixels[at] = (child.x1 - child.x0) * (child.y1 - child.y0);
            args->children[at++] = child;
        }
}

/* How large the pictures of views are; no columns where a view shows nothing. */
typedef struct rw_view_extent {
    uint32_t columns, rows;
    uint32_t candidates;
} rw_view_extent;

struct rw_measure_views_args {
    const rw_view *views;
    rw_view_extent *extents;
};

RW_FN void rw_measure_views_item(const struct rw_measure_views_args *args, size_t item)
{
    const rw_view *view = args->views + item;
    rw_view_extent extent;
    extent.columns = view->candidate_count ? view->x1 - view->x0 : 0u;
    extent.rows = view->y1 - view->y0;
    extent.candidates = view->candidate_count;
    args->extents[item] = extent;
}

/* Where the picture of a view begins among those of its batch. */
typedef struct rw_view_offset {
    size_t first_column, first_pixel;
} rw_view_offset;

struct rw_locate_views_args {
    rw_view *views;
    const rw_view_offset *offsets;
};

RW_FN void rw_locate_views_item(const struct rw_locate_views_args *args, size_t item)
{
    args->views[item].first_column = args->offsets[item].first_column;
    args->views[item].first_pixel = args->offsets[item].first_pixel;
}

#endif
