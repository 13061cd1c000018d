/* Path loss of the shadow model in three steps, for a device and the best path round corners alone: the same answers as
 * path_loss.k.h, which on a GPU waits for the few receivers with long lists of corners and for the few paths whose legs
 * must be marched.
 *
 * First each receiver's list is shared between several items, and paths that need a march are put off; then those are
 * marched, each by an item of its own; then the best of each receiver is compared with the ways over roofs and through
 * walls. Items meet in the least of one number a receiver, so their order does not matter. */
#ifndef RW_MODELS_SHADOW_PATH_LOSS_STEPS_K_H
#define RW_MODELS_SHADOW_PATH_LOSS_STEPS_K_H

#include "models/shadow/path_loss.k.h"

#define RW_SHADOW_SLICES 4

typedef struct rw_shadow_steps {
    struct rw_shadow_path_loss_args all; /* with streets, and best_count 0 or 1 */
    uint64_t *keys;                      /* one a receiver and source: RW_SHADOW_NO_KEY at the start */
    rw_street_open *open;
    uint32_t *open_count; /* 0 at the start; more than capacity where some were lost */
    uint32_t open_capacity;
} rw_shadow_steps;

/* One item is a receiver and a share of its list; the 32 receivers of a chunk lie side by side. */
struct rw_shadow_streets_args {
    rw_shadow_steps steps;
};

RW_FN void rw_shadow_streets_item(const struct rw_shadow_streets_args *args, size_t item)
{
    const struct rw_shadow_path_loss_args *all = &args->steps.all;
    size_t warp = item / RW_CHUNK, chunk = warp / RW_SHADOW_SLICES, chunks = all->street.graph.chunk_count;
    size_t index = chunk / chunks, outdoor = (chunk - index * chunks) * RW_CHUNK + item % RW_CHUNK;
    if (outdoor >= all->receivers.outdoor_count)
        return;
    size_t cell = all->receivers.outdoor[outdoor], solved = index * all->receivers.outdoor_count + outdoor;
    size_t at = index * all->receivers.columns * all->receivers.rows + cell;
    const rw_shadow_source *source = all->sources + index;
    if (!rw_shadow_looks(all, source, at) || !rw_shadow_streets_reach(all, at))
        return;
    rw_vec3 receiver = rw_receiver_point(&all->receivers, cell);
    rw_strongest_paths strongest = rw_strongest_paths_of(1);
    double base_db = rw_shadow_direct_db(source, receiver) + rw_shadow_ground_db(all, at);
    rw_shadow_try_counted(all, source, base_db + rw_shadow_foliage_db(all, at), at, &strongest);
    if (all->roofs == RW_SHADOW_ROOFS_SCREENS)
        rw_strongest_paths_add(&strongest, (float)(base_db + rw_shadow_buildings_db(all, source, at)),
                               RW_SHADOW_PATH_ROOF);
    if (all->best_count == 0 && strongest.count) {
        strongest.bound_db = strongest.best_db + RW_SHADOW_NEGLIGIBLE_DB;
        strongest.count = 0;
    }
    rw_street_slice slice = {(uint32_t)(warp % RW_SHADOW_SLICES), RW_SHADOW_SLICES};
    rw_street_later later = {args->steps.open, args->steps.open_count, args->steps.open_capacity, (uint32_t)solved};
    rw_shadow_search_streets(all, RW_SHADOW_IN_GRAPH, index, outdoor, receiver, slice, &later, &strongest);
    if (strongest.count && strongest.best < RW_SHADOW_PATH_THROUGH)
        rw_shared_min_long(args->steps.keys + solved, rw_shadow_street_key(strongest.best_db, strongest.best));
}

/* Item i takes what was put off number i, i + stride and so on, since the length of the list stays on the device. */
struct rw_shadow_marches_args {
    rw_shadow_steps steps;
    size_t stride;
};

RW_FN void rw_shadow_marches_item(const struct rw_shadow_marches_args *args, size_t item)
{
    const rw_shadow_steps *steps = &args->steps;
    uint32_t count = *steps->open_count < steps->open_capacity ? *steps->open_count : steps->open_capacity;
    for (size_t i = item; i < count; i += args->stride) {
        rw_street_open open = steps->open[i];
        uint64_t key = rw_shadow_street_key(open.loss_db, open.path);
        size_t index = open.item / steps->all.receivers.outdoor_count;
        if (key < steps->keys[open.item] &&
            rw_street_legs_clear(&steps->all.street, index, open.path, open.slope, 1) > 0)
            rw_shared_min_long(steps->keys + open.item, key);
    }
}

/* One item is one receiver: with what was found round corners. */
struct rw_shadow_finish_args {
    rw_shadow_steps steps;
};

RW_FN void rw_shadow_finish_item(const struct rw_shadow_finish_args *args, size_t item)
{
    rw_shadow_solve(&args->steps.all, item, 0, RW_SHADOW_FOUND, args->steps.keys);
}

#endif
