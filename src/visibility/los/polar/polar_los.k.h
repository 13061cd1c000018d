/* Line of sight from polar buffers: one item is one outdoor receiver of one source. What the buffer leaves open is
 * taken as seen and put on a list for exact marches (march_open.k.h), which take it back where something is in the way.
 */
#ifndef RW_VISIBILITY_LOS_POLAR_POLAR_LOS_K_H
#define RW_VISIBILITY_LOS_POLAR_POLAR_LOS_K_H

#include "visibility/los/polar/polar.k.h"

struct rw_polar_los_args {
    rw_los_arrays all;
    const rw_polar_bins *bins;
    uint64_t *open_items; /* source in the high half, cell in the low; room for every item */
    uint32_t *open_count;
};

RW_FN void rw_polar_los_item(const struct rw_polar_los_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    uint32_t cell = all->receivers.outdoor[at];
    uint32_t columns = (uint32_t)all->receivers.columns, row = cell / columns, column = cell - row * columns;
    float x = (float)(all->receivers.x0_m - all->sources[source].x + (double)column * all->receivers.res_m);
    float y = (float)(all->receivers.y0_m - all->sources[source].y + (double)row * all->receivers.res_m);
    float range = fabsf(x) + fabsf(y);
    int bin = (int)rw_polar_angle(x, y, 1.0f / (range + 1e-30f)) & (RW_POLAR_BINS - 1);
    const rw_polar_bins *bins = args->bins + source;
    int may_be_clear = !all->grid.posts && !all->grid.node_count;
    int answer = rw_polar_answer(bins, bin, range, may_be_clear);
    all->los[source * all->receivers.columns * all->receivers.rows + cell] = (uint8_t)(answer != 0);
    if (answer < 0)
        args->open_items[rw_shared_reserve(args->open_count, 1)] = ((uint64_t)source << 32) | cell;
}

#endif
