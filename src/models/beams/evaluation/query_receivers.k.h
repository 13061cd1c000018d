/* Contributions of beams to receivers that lie in their pieces: one item is one receiver in one piece.
 *
 * The second half of evaluate_beams.k.h on a GPU, where pieces are of very different size and few of the receivers in
 * some are reached: items that are alike do not keep each other waiting. */
#ifndef RW_MODELS_BEAMS_EVALUATION_QUERY_RECEIVERS_K_H
#define RW_MODELS_BEAMS_EVALUATION_QUERY_RECEIVERS_K_H

#include "models/beams/evaluation/evaluate_beams.k.h"

struct rw_query_receivers_args {
    struct rw_evaluate_beams_args all;    /* with sums; its list is not used */
    const rw_beam_find *listed_receivers; /* a receiver, and a piece in place of a beam */
};

RW_FN void rw_query_receivers_item(const struct rw_query_receivers_args *args, size_t item)
{
    const struct rw_evaluate_beams_args *all = &args->all;
    rw_beam_find find = args->listed_receivers[item];
    const rw_beam_piece *piece = all->pieces + find.beam;
    rw_evaluate_receiver(all, all->beams + piece->beam, piece, find.receiver,
                         rw_receiver_point(&all->receivers, find.receiver));
}

#endif
