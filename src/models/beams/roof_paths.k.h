/* The path over the roofs, from the shadow model, beside those of the beams: one item is one outdoor receiver.
 *
 * A receiver that does not see the transmitter gets one path more: over the upper hull of the profile, with a loss for
 * each deflection (Rick and Kuhlen 2010, equations (18) to (20)). */
#ifndef RW_MODELS_BEAMS_ROOF_PATHS_K_H
#define RW_MODELS_BEAMS_ROOF_PATHS_K_H

#include "models/beams/evaluation/evaluate_beams.k.h"
#include "models/shadow/path_loss.k.h"

struct rw_roof_paths_args {
    struct rw_evaluate_beams_args all;
    rw_deflection roof;
};

RW_FN void rw_roof_paths_item(const struct rw_roof_paths_args *args, size_t item)
{
    const struct rw_evaluate_beams_args *all = &args->all;
    size_t cell = all->receivers.outdoor[item];
    rw_vec3 receiver = rw_receiver_point(&all->receivers, cell), away = rw_vec3_sub(receiver, all->source);
    rw_sight sight = rw_sight_make(&all->grid, receiver, all->source);
    if (rw_march_clear(&all->grid, &sight))
        return;
    rw_roof_path path;
    double length_m, plan_m = sqrt(away.x * away.x + away.y * away.y);
    rw_roof_path_find(&all->grid, &sight, &path);
    double loss_db = rw_roof_deflections_db(&path, &sight, args->roof, &length_m);
    loss_db += rw_length_loss_db(&all->losses, length_m);
    if (!(loss_db <= (double)all->losses.loss_max_db))
        return;
    double turns = atan2(away.y, away.x) * (0.5 / RW_PI);
    double factor = all->antenna ? rw_antenna_table(all->antenna, turns, away.z, plan_m) : 1;
    rw_path_sums sums = rw_path_sums_none();
    rw_path_sums_take(all, cell, exp(-RW_NEPER_PER_DB * loss_db) / all->quantum, factor, length_m, rw_vec3_length(away),
                      &sums);
    rw_path_sums_add(&all->sums, cell, &sums);
}

#endif
