/* Rays over free edges, added to the receivers' sums: once diffracted, nothing else. Kernel: one item for each edge and
 * receiver. */
#ifndef RW_MODELS_RAYS_EDGE_GAINS_K_H
#define RW_MODELS_RAYS_EDGE_GAINS_K_H

#include "discretise/receivers/points.k.h"
#include "models/rays/slab_edge.k.h"

struct rw_edge_gains_args {
    rw_ray_view view;
    rw_points_view points;
    const rw_free_edge *edges;
    rw_ray_sums *sums;
};

RW_FN void rw_edge_gains_item(const struct rw_edge_gains_args *args, size_t item)
{
    const rw_free_edge *edge = &args->edges[item / args->points.count];
    size_t index = item % args->points.count;
    rw_vec3 receiver = args->points.positions[index];
    rw_slab_edge_path path;
    if (!rw_edge_path_solve(&args->view, edge, receiver, &path))
        return;
    rw_ray_arrival ray = rw_edge_arrival(&args->view, edge, &path);
    if (args->view.medium.counts)
        rw_ray_view_attenuate(&args->view, &path.point, 1, receiver, &ray);
    double straight_m = rw_vec3_length(rw_vec3_sub(receiver, args->view.source));
    rw_ray_sums_add(&args->sums[index], &ray, args->view.wavelength_m / (4.0 * RW_PI * straight_m),
                    straight_m / RW_SPEED_OF_LIGHT_M_S, &args->view.near, args->view.wavelength_m);
}

#endif
