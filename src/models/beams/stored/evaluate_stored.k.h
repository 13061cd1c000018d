/* Contributions of kept paths to receivers: one item is some paths of one receiver.
 *
 * The counterpart of evaluate_beams.k.h where it is known which paths hold: nothing is rasterised and nothing asked but
 * what a path costs now. Receivers have none to hundreds of paths; groups of few make items alike. */
#ifndef RW_MODELS_BEAMS_STORED_EVALUATE_STORED_K_H
#define RW_MODELS_BEAMS_STORED_EVALUATE_STORED_K_H

#include "models/beams/evaluation/evaluate_beams.k.h"

#define RW_STORED_GROUP 8 /* paths at most: few for a GPU to have much to do, many for few sums to be shared */

/* Paths first to first + count of a receiver. */
typedef struct rw_stored_group {
    uint64_t first;
    uint32_t cell, count;
} rw_stored_group;

struct rw_evaluate_stored_args {
    struct rw_evaluate_beams_args all; /* beams are the kept ones; no pieces */
    const rw_stored_group *groups;
    const uint32_t *lasts; /* the last beam of each path */
};

RW_FN void rw_evaluate_stored_item(const struct rw_evaluate_stored_args *args, size_t item)
{
    const struct rw_evaluate_beams_args *all = &args->all;
    rw_stored_group group = args->groups[item];
    rw_vec3 receiver = rw_receiver_point(&all->receivers, group.cell);
    rw_path_sums sums = rw_path_sums_none();
    for (uint32_t i = 0; i < group.count; i++) {
        const rw_beam *beam = all->beams + args->lasts[group.first + i];
        rw_beam_path path = rw_beam_path_to(all, beam, receiver);
        if (rw_beam_path_end(all, beam, receiver, &path))
            rw_evaluate_path(all, beam, &path, group.cell, receiver, &sums);
    }
    rw_path_sums_add(&all->sums, group.cell, &sums);
}

#endif
