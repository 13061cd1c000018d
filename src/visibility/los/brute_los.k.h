/* Line of sight by brute force in double, the oracle: every receiver against every wall and the whole terrain. */
#ifndef RW_VISIBILITY_LOS_BRUTE_LOS_K_H
#define RW_VISIBILITY_LOS_BRUTE_LOS_K_H

#include "discretise/bvh/cross_meshes.k.h"
#include "visibility/los/sight.k.h"

struct rw_brute_los_args {
    rw_los_arrays all;
};

RW_FN void rw_brute_los_item(const struct rw_brute_los_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    rw_vec3 from = rw_receiver_point(&all->receivers, cell), to = all->sources[source];
    uint32_t walls = 0;
    double bulge_m = rw_earth_bulge_m(&all->grid, from, to);
    for (size_t i = 0; i < all->grid.wall_count; i++) {
        double t;
        walls += (uint32_t)rw_wall_blocks_exact(from, to, bulge_m, all->grid.exact + i, &t);
    }
    for (size_t i = 0; i < all->grid.triangle_count; i++)
        walls += (uint32_t)rw_segment_crosses_triangle(all->grid.triangles + i, from, rw_vec3_sub(to, from));
    int ground = all->grid.posts && rw_ground_blocks(&all->grid, from, to, 0, 1);
    all->los[out] = walls == 0 && !ground;
    if (all->walls)
        all->walls[out] = walls;
}

#endif
