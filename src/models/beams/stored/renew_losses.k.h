/* Losses of the interactions of kept beams under the current settings: one item is one beam of a level of the tree.
 * Levels are renewed one after the other, because a beam's losses go on from those of the beam it comes from. */
#ifndef RW_MODELS_BEAMS_STORED_RENEW_LOSSES_K_H
#define RW_MODELS_BEAMS_STORED_RENEW_LOSSES_K_H

#include "models/beams/losses.k.h"

struct rw_renew_losses_args {
    rw_beam *beams;
    size_t first; /* item 0 is this beam */
    rw_beam_walls walls;
    rw_beam_losses losses;
};

RW_FN void rw_renew_losses_item(const struct rw_renew_losses_args *args, size_t item)
{
    rw_beam *beam = args->beams + args->first + item;
    if (beam->kind != RW_BEAM_SOURCE)
        rw_beam_add_losses(&args->losses, &args->walls, args->beams + beam->parent, beam);
}

#endif
