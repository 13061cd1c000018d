/* What kept paths bring to receivers: one item is one outdoor receiver, with all of its paths.
 *
 * The counterpart of evaluate_beams.k.h where it is known which paths hold: nothing is rasterised and nothing asked but
 * what a path costs now. */
#ifndef RW_MODELS_BEAMS_EVALUATE_KEPT_K_H
#define RW_MODELS_BEAMS_EVALUATE_KEPT_K_H

#include "models/beams/evaluate_beams.k.h"

struct rw_evaluate_kept_args {
    struct rw_evaluate_beams_args all; /* beams are the kept ones; no pieces */
    const uint64_t *firsts;            /* of each outdoor receiver's paths, and one more at the end */
    const uint32_t *lasts;             /* the last beam of each path */
};

RW_FN void rw_evaluate_kept_item(const struct rw_evaluate_kept_args *args, size_t item)
{
    const struct rw_evaluate_beams_args *all = &args->all;
    size_t cell = all->receivers.outdoor[item];
    rw_vec3 receiver = rw_receiver_point(&all->receivers, cell);
    rw_path_sums sums = rw_path_sums_none();
    for (uint64_t i = args->firsts[item]; i < args->firsts[item + 1]; i++) {
        const rw_beam *beam = all->beams + args->lasts[i];
        rw_beam_path path = rw_beam_path_to(all, beam, receiver);
        if (rw_beam_path_end(all, beam, &path))
            rw_evaluate_path(all, beam, &path, cell, receiver, &sums);
    }
    rw_path_sums_add(&all->sums, cell, &sums);
}

#endif
