/* What trees take from the straight line and from the way over the roofs, by ITU-R P.833: one item is one outdoor
 * receiver of one source. */
#ifndef RW_MECHANISMS_FOLIAGE_FOLIAGE_LOSS_K_H
#define RW_MECHANISMS_FOLIAGE_FOLIAGE_LOSS_K_H

#include "field/air/foliage.k.h"
#include "visibility/los/los_args.k.h"
#include "mechanisms/foliage/foliage.k.h"

struct rw_foliage_db_args {
    rw_los_arrays all;
    rw_foliage_view foliage;
    const rw_foliage_law *laws; /* of each source */
    float *direct_db, *roof_db; /* one a cell, source after source; roof_db NULL: no way over roofs */
};

RW_FN void rw_foliage_db_item(const struct rw_foliage_db_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    rw_vec3 receiver = rw_receiver_point(&all->receivers, cell), from = all->sources[source];
    args->direct_db[out] =
        (float)rw_foliage_loss_db(args->laws[source], rw_foliage_depth_m(&args->foliage, receiver, from));
    if (args->roof_db)
        args->roof_db[out] = (float)rw_foliage_loss_db(
            args->laws[source], rw_foliage_roof_depth_m(&args->foliage, &all->grid, receiver, from));
}

#endif
