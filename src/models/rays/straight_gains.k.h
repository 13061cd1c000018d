/* The direct path of every receiver to which the search has found none, added to its sums: no limit of the search cuts
 * it. Kernel: one item a receiver. */
#ifndef RW_MODELS_RAYS_STRAIGHT_GAINS_K_H
#define RW_MODELS_RAYS_STRAIGHT_GAINS_K_H

#include "discretise/receivers/points.k.h"
#include "models/rays/straight_path.k.h"

struct rw_straight_gains_args {
    rw_ray_view view;
    rw_points_view points;
    rw_ray_sums *sums;
};

RW_FN void rw_straight_gains_item(const struct rw_straight_gains_args *args, size_t item)
{
    rw_ray_sums *sums = &args->sums[item];
    rw_vec3 receiver = args->points.positions[item];
    const rw_ray_view *view = &args->view;
    rw_ray_arrival ray;
    if (sums->straight > 0 && sums->power > 0) /* found by a search that is not checked, or of launched rays */
        return;
    int walls = rw_straight_arrival(view, receiver, &ray);
    if (walls >= 0 && view->medium.counts)
        rw_ray_view_attenuate(view, 0, 0, receiver, &ray);
    double power = walls < 0 ? 0.0 : rw_complex_abs2(ray.gain);
    if (!(power > 0.0))
        return;
    double straight_m = rw_vec3_length(rw_vec3_sub(receiver, view->source));
    double free_gain = view->wavelength_m / (4.0 * RW_PI * straight_m);
    sums->straight_excess_db = -10.0 * log10(power / (free_gain * free_gain));
    if (sums->straight > 0)
        return;
    rw_ray_sums_add(sums, &ray, free_gain, straight_m / RW_SPEED_OF_LIGHT_M_S, &view->near, view->wavelength_m);
    rw_ray_sums_count_path(sums, walls, walls);
}

#endif
