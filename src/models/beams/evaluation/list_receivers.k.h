/* Which receivers are to be asked for paths by the pieces of beams: one item (on a GPU a warp) is one piece, and each
 * receiver in it that what costs little to tell does not exclude is listed with it.
 *
 * The first half of evaluate_beams.k.h on a GPU; query_receivers.k.h is the second. */
#ifndef RW_MODELS_BEAMS_EVALUATION_LIST_RECEIVERS_K_H
#define RW_MODELS_BEAMS_EVALUATION_LIST_RECEIVERS_K_H

#include "models/beams/evaluation/evaluate_beams.k.h"

struct rw_list_receivers_args {
    struct rw_evaluate_beams_args all; /* with a list, which gets pieces in place of beams */
};

RW_FN void rw_list_receivers_item(const struct rw_list_receivers_args *args, size_t item)
{
    rw_draw_piece(&args->all, item, 1);
}

#endif
