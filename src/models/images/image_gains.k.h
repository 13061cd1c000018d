/* The exact path and gain of each view and receiver that may see each other, added to the receiver's sums.
 *
 * From sequences that the rendering found to coherent fields: images, points checked on their surfaces, legs checked
 * against everything else, slab coefficients, antennas (Novak 2016, section 4: backtracking). Each path counts once: in
 * the view that its direction of departure belongs to. Unchecked, every pair is a path, as the paper has it: "no
 * further validation of discovered signal paths is necessary". Kernel: one item a pair. */
#ifndef RW_MODELS_IMAGES_IMAGE_GAINS_K_H
#define RW_MODELS_IMAGES_IMAGE_GAINS_K_H

#include "models/rays/ray_view.k.h"
#include "models/images/views/find_receivers.k.h"

struct rw_image_gains_args {
    rw_ray_view view;
    rw_points_view points;
    rw_view_pair *pairs;  /* those without a path lose their view, but for unchecked ones */
    const rw_view *views; /* NULL: every pair is known to have a path */
    const uint32_t *steps;
    int level;
    int unchecked;
    int direct_apart;  /* 1: paths that are only transmitted are skipped: rw_straight_gains adds them */
    rw_ray_sums *sums; /* NULL: pairs are checked and that is all */
};

/* The path of a sequence that a picture has shown, from the view that belongs to a side; 0 where there is none. */
RW_FN int rw_image_pair_path(const rw_ray_view *view, const uint32_t *steps, int level, uint32_t side, int unchecked,
                             rw_vec3 receiver, rw_image_path *path)
{
    if (unchecked)
        return rw_image_path_solve_planes(&view->surfaces, view->slabs, steps, level, view->source, receiver, path);
    return rw_image_path_solve(&view->surfaces, view->slabs, steps, level, view->source, receiver, path) &&
           rw_view_side(path->departs) == side && rw_image_path_free(&view->surfaces, path, view->source, receiver);
}

/* The path of a pair; 0 where there is none, or it counts apart. */
RW_FN int rw_image_gains_path(const struct rw_image_gains_args *args, rw_view_pair pair, rw_vec3 receiver,
                              rw_image_path *path)
{
    const rw_ray_view *view = &args->view;
    const uint32_t *steps = args->steps + (size_t)pair.view * (size_t)args->level;
    if (args->direct_apart && args->level > 0 && rw_steps_through(steps, args->level) == args->level)
        return 0;
    if (!args->views)
        return rw_image_path_solve_planes(&view->surfaces, view->slabs, steps, args->level, view->source, receiver,
                                          path);
    return rw_image_pair_path(view, steps, args->level, args->views[pair.view].side, args->unchecked, receiver, path);
}

RW_FN void rw_image_gains_item(const struct rw_image_gains_args *args, size_t item)
{
    rw_view_pair pair = args->pairs[item];
    rw_vec3 receiver = args->points.positions[pair.point];
    rw_image_path path;
    if (!rw_image_gains_path(args, pair, receiver, &path)) {
        if (!args->unchecked)
            args->pairs[item].view = RW_NO_VIEW;
        return;
    }
    if (args->sums)
        rw_ray_view_add(&args->view, &path, receiver, &args->sums[pair.point]);
}

#endif
