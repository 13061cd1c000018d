/* Algorithm 1 of Novak (2016) to the letter, as an oracle: one framebuffer with ID, depth and a stencil that is the
 * stack of the recursion. Each pixel is a ray in double against every surface; nothing is culled or batched. */
#ifndef RW_TESTS_STENCIL_TREE_H
#define RW_TESTS_STENCIL_TREE_H

#include "rooms.h"

#define STENCIL_PIXELS 96

typedef struct found_sequence {
    uint32_t side, steps[RW_IMAGE_DEPTH_MAX];
    int level;
    size_t pixels; /* of the window that led to it */
} found_sequence;

typedef struct stencil_tree {
    const rw_ray_scene *rays;
    uint32_t side;
    size_t threshold;
    int depth;
    uint32_t id[STENCIL_PIXELS * STENCIL_PIXELS];
    double z[STENCIL_PIXELS * STENCIL_PIXELS];
    uint8_t stencil[STENCIL_PIXELS * STENCIL_PIXELS];
    found_sequence *found;
    size_t found_count, found_capacity;
} stencil_tree;

/* Colour and depth of every pixel where the stencil has the value. */
static inline void draw_stencilled(stencil_tree *tree, const rw_view *view, int value)
{
    const rw_surfaces_view *surfaces = &tree->rays->surfaces.view;
    for (int p = 0; p < STENCIL_PIXELS * STENCIL_PIXELS; p++) {
        if (tree->stencil[p] != value)
            continue;
        double x = 2 * (p / STENCIL_PIXELS + 0.5) / STENCIL_PIXELS - 1;
        double y = 2 * (p % STENCIL_PIXELS + 0.5) / STENCIL_PIXELS - 1, d[3], eye[3];
        for (int i = 0; i < 3; i++) {
            d[i] = (double)view->forward[i] + x * (double)view->right[i] + y * (double)view->up[i];
            eye[i] = (double)view->eye[i];
        }
        rw_vec3 from = rw_vec3_make(eye[0], eye[1], eye[2]), along = rw_vec3_make(d[0], d[1], d[2]);
        tree->id[p] = RW_NO_SURFACE;
        tree->z[p] = INFINITY;
        for (uint32_t s = 0; s < surfaces->surface_count; s++) {
            const rw_surface *surface = &surfaces->surfaces[s];
            double t = -rw_surface_height_m(surface, from) / rw_vec3_dot(surface->normal, along);
            rw_vec3 at = rw_vec3_add(from, rw_vec3_scale(along, t));
            float point[3] = {(float)at.x, (float)at.y, (float)at.z};
            if (t > 0 && t < tree->z[p] && rw_view_clip(view, point) > 1e-4f &&
                rw_surface_holds(surfaces, surface, at)) {
                tree->z[p] = t;
                tree->id[p] = s;
            }
        }
    }
}

static inline void keep_sequence(stencil_tree *tree, const uint32_t *steps, int level, size_t pixels)
{
    if (tree->found_count == tree->found_capacity) {
        tree->found_capacity = tree->found_capacity ? 2 * tree->found_capacity : 1024;
        tree->found = realloc(tree->found, tree->found_capacity * sizeof *tree->found);
    }
    found_sequence *made = &tree->found[tree->found_count++];
    *made = (found_sequence){.side = tree->side, .level = level, .pixels = pixels};
    memcpy(made->steps, steps, (size_t)level * sizeof *steps);
}

static inline void stencil_step(stencil_tree *tree, const rw_view *view, uint32_t *steps, int level);

/* Lines 14 to 18 for one surface: both kinds of interaction. */
static inline void stencil_follow(stencil_tree *tree, const rw_view *view, uint32_t surface, const uint32_t window[4],
                                  size_t pixels, uint32_t *steps, int level)
{
    const rw_surface *about = &tree->rays->surfaces.surfaces[surface];
    const rw_refractor *slab = &tree->rays->slabs[about->kind];
    for (int through = 0; through <= !slab->opaque; through++) {
        rw_view next = {.x0 = window[0], .x1 = window[1], .y0 = window[2], .y1 = window[3]};
        rw_view_step(view, about, slab, STENCIL_PIXELS, through, &next);
        steps[level] = RW_STEP(surface, through);
        keep_sequence(tree, steps, level + 1, pixels);
        if (level + 1 == tree->depth)
            continue;
        /* Lines 2 to 4: the view is drawn again, since deeper steps have overwritten it, and the stencil grows. */
        draw_stencilled(tree, view, level);
        for (int p = 0; p < STENCIL_PIXELS * STENCIL_PIXELS; p++)
            tree->stencil[p] = (uint8_t)(tree->stencil[p] + (tree->stencil[p] == level && tree->id[p] == surface));
        stencil_step(tree, &next, steps, level + 1);
        /* Line 19 */
        for (int p = 0; p < STENCIL_PIXELS * STENCIL_PIXELS; p++)
            tree->stencil[p] = (uint8_t)(tree->stencil[p] - (tree->stencil[p] == level + 1));
    }
}

static inline void stencil_step(stencil_tree *tree, const rw_view *view, uint32_t *steps, int level)
{
    draw_stencilled(tree, view, level);
    uint32_t count = tree->rays->surfaces.view.surface_count;
    size_t *histogram = calloc(count, sizeof *histogram);
    uint32_t(*windows)[4] = calloc(count, sizeof *windows);
    for (uint32_t s = 0; s < count; s++)
        windows[s][0] = windows[s][2] = STENCIL_PIXELS;
    for (uint32_t p = 0; p < STENCIL_PIXELS * STENCIL_PIXELS; p++) {
        uint32_t s = tree->id[p], x = p / STENCIL_PIXELS, y = p % STENCIL_PIXELS;
        if (tree->stencil[p] != level || s == RW_NO_SURFACE)
            continue;
        histogram[s]++;
        windows[s][0] = x < windows[s][0] ? x : windows[s][0];
        windows[s][1] = x + 1 > windows[s][1] ? x + 1 : windows[s][1];
        windows[s][2] = y < windows[s][2] ? y : windows[s][2];
        windows[s][3] = y + 1 > windows[s][3] ? y + 1 : windows[s][3];
    }
    for (uint32_t s = 0; s < count; s++)
        if (histogram[s] > 0 && histogram[s] >= tree->threshold)
            stencil_follow(tree, view, s, windows[s], histogram[s], steps, level);
    free(histogram);
    free(windows);
}

static inline void stencil_tree_build(stencil_tree *tree, rw_vec3 source)
{
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
    for (tree->side = 0; tree->side < RW_VIEW_SIDES; tree->side++) {
        rw_view view = rw_view_baseline((int)tree->side, source, STENCIL_PIXELS);
        memset(tree->stencil, 0, sizeof tree->stencil);
        stencil_step(tree, &view, steps, 0);
    }
}

#endif
