/* Exact marches for what the polar buffers left open, each line in parts that go side by side, so that other items do
 * not wait for a long one: item i takes parts i, i + stride and so on, counted through the list. A part that finds
 * something in the way says so; no part says the opposite, so their order does not matter. */
#ifndef RW_VISIBILITY_LOS_MARCH_OPEN_K_H
#define RW_VISIBILITY_LOS_MARCH_OPEN_K_H

#include "visibility/los/polar/polar_los.k.h"

#define RW_MARCH_SECTIONS 16

struct rw_march_open_args {
    struct rw_polar_los_args list;
    size_t stride;
};

RW_FN void rw_march_open_item(const struct rw_march_open_args *args, size_t item)
{
    const rw_los_arrays *all = &args->list.all;
    size_t count = (size_t)*args->list.open_count * RW_MARCH_SECTIONS;
    for (size_t i = item; i < count; i += args->stride) {
        uint64_t open = args->list.open_items[i / RW_MARCH_SECTIONS];
        size_t source = (size_t)(open >> 32), cell = (size_t)(open & 0xffffffffu), section = i % RW_MARCH_SECTIONS;
        rw_sight sight = rw_sight_of(&all->grid, rw_receiver_point(&all->receivers, cell), all->sources[source]);
        float begin = (float)section / (float)RW_MARCH_SECTIONS, end = (float)(section + 1) / (float)RW_MARCH_SECTIONS;
        int clear =
            rw_march_section(&all->grid, &sight, begin, end) && (section > 0 || rw_meshes_clear(&all->grid, &sight));
        if (!clear)
            all->los[source * all->receivers.columns * all->receivers.rows + cell] = 0;
    }
}

#endif
