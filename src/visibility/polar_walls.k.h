/* Fills the polar buffers of many sources: one item is one wall of one source. For the GPU, where all walls go at once. */
#ifndef RW_VISIBILITY_POLAR_WALLS_K_H
#define RW_VISIBILITY_POLAR_WALLS_K_H

#include "visibility/polar.k.h"

struct rw_polar_walls_args {
    rw_los_arrays all;
    rw_polar_bins *bins; /* one a source, all bits set before */
};

RW_FN void rw_polar_walls_item(const struct rw_polar_walls_args *args, size_t item)
{
    size_t index = item / args->all.grid.wall_count;
    const rw_exact_wall *exact = args->all.grid.exact + (item - index * args->all.grid.wall_count);
    rw_polar_source source = rw_polar_source_make(&args->all, index);
    rw_polar_wall wall = rw_polar_wall_make(&source, exact);
    rw_polar_enter(&source, exact, &wall, args->bins + index);
}

#endif
