/* Pieces of beams at points: one item is one piece of a beam, and each point in it is one path, which is listed or
 * added to the sums of its point, as evaluate_beams.k.h has it at cells. */
#ifndef RW_MODELS_BEAMS_EVALUATION_COLLECT_PATHS_K_H
#define RW_MODELS_BEAMS_EVALUATION_COLLECT_PATHS_K_H

#include "models/beams/evaluation/evaluate_beams.k.h"

struct rw_collect_paths_args {
    struct rw_evaluate_beams_args all;
};

RW_FN void rw_collect_paths_item(const struct rw_collect_paths_args *args, size_t item)
{
    const struct rw_evaluate_beams_args *all = &args->all;
    const rw_beam_piece *piece = all->pieces + item;
    const rw_beam *beam = all->beams + piece->beam;
    rw_region region =
        rw_piece_region(beam, piece, all->walls.exact, rw_piece_nearest_m(beam, piece, &all->receivers, all->source.z));
    for (size_t i = 0; i < all->receivers.outdoor_count; i++) {
        uint32_t receiver = all->receivers.outdoor[i];
        rw_vec3 at = rw_receiver_point(&all->receivers, receiver);
        if (at.x < region.west || at.x > region.east || at.y < region.south || at.y > region.north ||
            !rw_region_holds(&region, at.x, at.y))
            continue;
        rw_evaluate_receiver(all, beam, piece, receiver, at);
    }
}

#endif
