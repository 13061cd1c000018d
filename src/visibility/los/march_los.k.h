/* Line of sight by grid march, the fast form: one item is one outdoor receiver of one source. */
#ifndef RW_VISIBILITY_LOS_MARCH_LOS_K_H
#define RW_VISIBILITY_LOS_MARCH_LOS_K_H

#include "visibility/los/march_walls.k.h"

struct rw_march_los_args {
    rw_los_arrays all;
};

RW_FN void rw_march_los_item(const struct rw_march_los_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    rw_sight sight = rw_sight_of(&all->grid, rw_receiver_point(&all->receivers, cell), all->sources[source]);
    if (!all->walls) {
        all->los[out] = (uint8_t)rw_march_clear(&all->grid, &sight);
        return;
    }
    rw_sight_answer answer = rw_march_count(&all->grid, &sight);
    all->los[out] = (uint8_t)answer.clear;
    all->walls[out] = answer.walls;
}

#endif
