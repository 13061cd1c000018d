/* Every path between plane surfaces by trying every sequence of them: nothing is rendered, no ray is launched. For
 * small scenes: (2 surfaces)^depth sequences. */
#ifndef RW_BENCH_ENUMERATE_PATHS_H
#define RW_BENCH_ENUMERATE_PATHS_H

#include "discretise/receivers/receivers.h"
#include "models/rays/ray_view.h"

/* Adds every path of each receiver to its sums: all sequences of up to depth steps that continue the one given. */
static inline void enumerate_paths(const rw_ray_scene *rays, const rw_points *points, int depth, uint32_t *steps,
                                   int count, rw_ray_sums *sums)
{
    const rw_ray_view *view = &rays->host;
    for (size_t i = 0; i < points->view.count; i++) {
        rw_image_path path;
        rw_vec3 receiver = points->positions[i];
        if (rw_image_path_solve(&view->surfaces, view->slabs, steps, count, view->source, receiver, &path) &&
            rw_image_path_free(&view->surfaces, &path, view->source, receiver))
            rw_ray_view_add(view, &path, receiver, &sums[i]);
    }
    if (count == depth)
        return;
    for (uint32_t s = 0; s < view->surfaces.surface_count; s++)
        for (uint32_t through = 0; through <= !view->slabs[view->surfaces.surfaces[s].kind].opaque; through++) {
            if (count > 0 && RW_STEP_SURFACE(steps[count - 1]) == s)
                continue; /* a plane is not met twice in a row */
            steps[count] = RW_STEP(s, through);
            enumerate_paths(rays, points, depth, steps, count + 1, sums);
        }
}

#endif
