/* The path over the roofs beside those of the beams: one item is one outdoor receiver.
 *
 * A receiver that does not see the transmitter gets one path more, by Vogler's integral over the main edges of the
 * profile (models/roofs), or by name with a polynomial for each deflection over the profile's upper hull (Rick and
 * Kuhlen 2010, equations (18) to (20)). It comes after all beams, so that it can be compared with them. */
#ifndef RW_MODELS_BEAMS_ROOFTOP_PATHS_K_H
#define RW_MODELS_BEAMS_ROOFTOP_PATHS_K_H

#include "models/beams/evaluation/evaluate_beams.k.h"
#include "mechanisms/rooftop/over_rooftop.k.h"

/* What counts most at a receiver; the numbers are those of the same mechanisms in other models. */
typedef enum rw_beam_mechanism { RW_BEAM_SIGHT = 0, RW_BEAM_ROOFS = 2, RW_BEAM_PATHS = 4 } rw_beam_mechanism;

struct rw_roof_paths_args {
    struct rw_evaluate_beams_args all;
    int polynomial, vogler; /* neither: mechanisms alone */
    rw_deflection roof;     /* of the polynomial */
    rw_roof_source source;  /* of Vogler's integral */
    uint8_t *mechanism;     /* one a cell; NULL: not asked for */
};

/* Loss of the path over the roofs and its length; infinite where it is not to be had. */
RW_FN double rw_roof_path_db(const struct rw_roof_paths_args *args, rw_vec3 receiver, const rw_sight *sight,
                             double *length_m)
{
    const struct rw_evaluate_beams_args *all = &args->all;
    double loss_db = INFINITY;
    *length_m = 0;
    if (args->vogler) {
        rw_main_edges edges;
        float excess_db = rw_over_rooftop_db(&all->grid, &args->source, receiver, 0, &edges);
        *length_m = rw_main_edges_length_m(&edges, receiver.z - all->source.z);
        return (double)excess_db + rw_length_loss_db(&all->losses, rw_vec3_length(rw_vec3_sub(receiver, all->source)));
    }
    if (args->polynomial) {
        rw_roof_path path;
        rw_roof_path_find(&all->grid, sight, &path);
        loss_db = rw_roof_deflections_db(&path, sight, args->roof, length_m);
        loss_db += rw_length_loss_db(&all->losses, *length_m);
    }
    return loss_db <= (double)all->losses.loss_max_db ? loss_db : INFINITY;
}

RW_FN void rw_roof_paths_item(const struct rw_roof_paths_args *args, size_t item)
{
    const struct rw_evaluate_beams_args *all = &args->all;
    size_t cell = all->receivers.outdoor[item];
    rw_vec3 receiver = rw_receiver_point(&all->receivers, cell), away = rw_vec3_sub(receiver, all->source);
    rw_sight sight = rw_sight_of(&all->grid, receiver, all->source);
    int clear = rw_march_clear(&all->grid, &sight);
    if (args->mechanism)
        args->mechanism[cell] = (uint8_t)(clear ? RW_BEAM_SIGHT : RW_BEAM_PATHS);
    if (clear)
        return;
    double length_m, plan_m = sqrt(away.x * away.x + away.y * away.y);
    double loss_db = rw_roof_path_db(args, receiver, &sight, &length_m);
    if (!(loss_db < 1e6))
        return;
    if (all->medium.counts)
        loss_db += rw_medium_roof_db(&all->medium, &all->grid, receiver, all->source, length_m);
    double power = exp(-RW_NEPER_PER_DB * loss_db) / all->quantum;
    double factor = all->antenna ? rw_beam_antenna_factor(all->antenna, atan2(away.y, away.x), away.z, plan_m) : 1;
    factor *= rw_receiver_factor(all->receiver_antenna, rw_vec2_of(away.x, away.y), away.z, plan_m);
    power = power > 1.0 ? power : 1.0; /* nothing is so weak that there is none */
    if (args->mechanism && power > (double)all->sums.power[cell])
        args->mechanism[cell] = (uint8_t)RW_BEAM_ROOFS;
    rw_path_sums sums = rw_path_sums_none();
    rw_path_sums_add_path(all, cell, power, factor, length_m, rw_vec3_length(away), &sums);
    rw_path_sums_add(&all->sums, cell, &sums);
}

#endif
