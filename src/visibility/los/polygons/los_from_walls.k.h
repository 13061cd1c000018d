/* Line of sight from the blended wall counts: a receiver sees the source where no shadow fell, and no ground or mesh is
 * between. One item is one outdoor receiver of one source; the second pass of the shadow polygons. */
#ifndef RW_VISIBILITY_LOS_POLYGONS_LOS_FROM_WALLS_K_H
#define RW_VISIBILITY_LOS_POLYGONS_LOS_FROM_WALLS_K_H

#include "visibility/los/los_args.k.h"

struct rw_los_from_walls_args {
    rw_los_arrays all;
};

RW_FN void rw_los_from_walls_item(const struct rw_los_from_walls_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    rw_vec3 from = rw_receiver_point(&all->receivers, cell), to = all->sources[source];
    if (all->grid.node_count)
        all->walls[out] += rw_cross_meshes(&all->grid, from, to, 1);
    int ground = all->grid.posts && all->walls[out] == 0 && rw_ground_blocks(&all->grid, from, to, 0, 1);
    all->los[out] = all->walls[out] == 0 && !ground;
}

#endif
