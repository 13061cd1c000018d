/* From the mechanisms at a receiver to its path loss: the straight wave or that over the rooftops, and the best of the
 * model's own paths, by the sum and the rule of mechanisms/compose.k.h. One item is one receiver. The antenna's pattern
 * is in the own path along its departure, in the first wave and in the median along the straight line. */
#ifndef RW_MODELS_CUBES_TOTAL_LOSS_K_H
#define RW_MODELS_CUBES_TOTAL_LOSS_K_H

#include "models/cubes/labels.k.h"
#include "mechanisms/atmosphere/medium.k.h"
#include "mechanisms/composition.k.h"
#include "mechanisms/prior/median.k.h"

/* The cubes in the frame of the wall grid, and what lies there. */
typedef struct rw_cube_medium {
    rw_medium medium;
    rw_wall_grid_view grid;
    rw_vec3 corner; /* of the first cube */
    double res_m;   /* side of a cube */
} rw_cube_medium;

RW_FN rw_vec3 rw_cube_spot(const rw_cube_medium *in, const float at[3])
{
    return rw_vec3_of(in->corner.x + in->res_m * (double)at[0], in->corner.y + in->res_m * (double)at[1],
                      in->corner.z + in->res_m * (double)at[2]);
}

/* What trees and air take from the straight line, or from the way over the roofs. */
RW_RARE_FN double rw_cube_first_db(const rw_cube_medium *in, const rw_cube_search *search, const float *at, int sees)
{
    rw_vec3 source = rw_cube_spot(in, search->source), receiver = rw_cube_spot(in, at);
    rw_medium_path path = rw_medium_start();
    if (!sees)
        return rw_medium_roof_db(&in->medium, &in->grid, receiver, source, 0.0);
    rw_medium_go(&in->medium, &path, source, receiver);
    return rw_medium_loss_db(&in->medium, &path, path.length_m);
}

/* The same of the model's own path, from label to label back to the transmitter. */
RW_RARE_FN double rw_cube_own_db(const rw_cube_medium *in, const rw_cube_search *search, const float *at, uint64_t key)
{
    rw_medium_path path = rw_medium_start();
    float to[3] = {at[0], at[1], at[2]};
    for (uint32_t label = rw_cube_key_label(key); label != RW_CUBE_DIRECT;) {
        const rw_cube_item *piece = &search->cubes.items[rw_cube_label_piece(search, label)];
        rw_interaction_start start =
            rw_interaction_start_of(&search->cubes.elements[piece->element], piece, search->labels[label].from);
        rw_cube_interaction interaction;
        if (!rw_cube_interaction_find(&start, to, &interaction))
            rw_item_middle(piece, interaction.at); /* beside its border, by the point behind it */
        rw_medium_go(&in->medium, &path, rw_cube_spot(in, interaction.at), rw_cube_spot(in, to));
        for (int axis = 0; axis < 3; axis++)
            to[axis] = interaction.at[axis];
        label = rw_cube_key_label(search->keys[label]);
    }
    rw_medium_go(&in->medium, &path, rw_cube_spot(in, search->source), rw_cube_spot(in, to));
    return rw_medium_loss_db(&in->medium, &path,
                             rw_vec3_length(rw_vec3_sub(rw_cube_spot(in, at), rw_cube_spot(in, search->source))));
}

struct rw_cube_total_args {
    rw_cube_search search;
    rw_cube_medium in;
    rw_prior prior;
    double peak_gain_db;          /* of the transmitter's antenna */
    double offset_db;             /* calibrated; losses of the search contain it */
    const float *roof_db;         /* loss over the roofs beyond free space; NULL: the way over the roofs is left out */
    const float *ground_db;       /* the terrain's part of it; NULL: there is none */
    const float *smooth_db;       /* the smooth earth's part of that */
    float *loss_db;               /* infinite where there is no way */
    uint8_t *by_roofs;            /* 1 where most comes over the roofs */
    rw_composition *compositions; /* one per receiver, for link budgets; NULL: none is recorded */
};

RW_RARE_FN void rw_cube_store_composition(const struct rw_cube_total_args *args, size_t item,
                                          const rw_compose_input *in, const rw_mechanism_sum *sum, double ground_db,
                                          double foliage_db)
{
    rw_composition *composition = args->compositions + item;
    *composition = rw_composition_of(args->prior.rule, in);
    composition->terrain_db = ground_db - in->ground_db;
    composition->foliage_db = foliage_db;
    composition->offset_db = args->offset_db;
    composition->gain_db = composition->terrain_db + foliage_db + args->offset_db - in->other_db;
    rw_composition_set_mechanisms(composition, sum, args->search.sight[item] != 0);
}

RW_FN void rw_cube_total_item(const struct rw_cube_total_args *args, size_t item)
{
    const rw_cube_search *search = &args->search;
    const float *at = search->points + 3 * item;
    double direct_db = (double)rw_cube_loss_db(search->decibels_at_one, rw_distance3(search->source, at), 0.0f);
    int sees = search->sight[item] != 0;
    uint64_t key = search->best[item];
    double ground_db = args->ground_db ? (double)args->ground_db[item] : 0.0;
    double pattern_db = (double)rw_search_departure_db(search, at), first_medium_db = 0.0;
    rw_mechanism_losses losses;
    for (int i = 0; i < RW_MECHANISMS; i++) {
        losses.other_db[i] = INFINITY;
        losses.other_medium_db[i] = 0.0;
    }
    losses.first_db = args->roof_db ? (double)args->roof_db[item] : sees ? 0.0 : (double)INFINITY;
    if (key)
        losses.other_db[RW_MECHANISM_PATHS] = (double)rw_cube_key_loss_db(key) - direct_db;
    if (args->in.medium.counts) {
        first_medium_db = sees || args->roof_db ? rw_cube_first_db(&args->in, search, at, sees) : 0.0;
        losses.other_medium_db[RW_MECHANISM_PATHS] = key ? rw_cube_own_db(&args->in, search, at, key) : 0.0;
    }
    losses.first_medium_db = first_medium_db + pattern_db;
    rw_mechanism_sum sum = rw_compose_sum(&losses);
    double medium_db = sum.dominant > 0 ? sum.medium_db : first_medium_db;
    rw_vec3 receiver = rw_cube_spot(&args->in, at), source = rw_cube_spot(&args->in, search->source);
    rw_compose_input in = rw_prior_input(&args->prior, &args->in.grid, source, receiver, direct_db - args->offset_db);
    in.ground_db = args->smooth_db ? (double)args->smooth_db[item] : 0.0;
    in.excess_db = sum.excess_db + sum.medium_db - medium_db - pattern_db - ground_db;
    in.other_db = ground_db - in.ground_db + medium_db + pattern_db - args->peak_gain_db + args->offset_db;
    args->loss_db[item] = (float)rw_compose(args->prior.rule, &in).loss_db;
    if (args->compositions)
        rw_cube_store_composition(args, item, &in, &sum, ground_db, medium_db);
    args->by_roofs[item] = (uint8_t)(args->roof_db != 0 && !sees && sum.dominant == 0);
}

#endif
