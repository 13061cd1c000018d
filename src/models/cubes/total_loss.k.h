/* From the ways to a receiver to its loss: the straight one or that over the roofs, the best of the model's own paths
 * beside it, and the prior. One item is one receiver.
 *
 * Powers add, over that of free space along the straight line. The model's own path counts as far as the first way has
 * faded, so that in full sight there is nothing but free space and at the shadow boundary nothing jumps. */
#ifndef RW_MODELS_CUBES_TOTAL_LOSS_K_H
#define RW_MODELS_CUBES_TOTAL_LOSS_K_H

#include "models/cubes/labels.k.h"
#include "models/roofs/prior.k.h"

struct rw_cube_total_args {
    rw_cube_search search;
    rw_prior prior;
    double res_m;         /* side of a cube */
    const float *roof_db; /* loss over the roofs beyond free space; NULL: the way over the roofs is left out */
    float *loss_db;       /* infinite where there is no way */
    uint8_t *by_roofs;    /* 1 where most comes over the roofs */
};

RW_FN void rw_cube_total_item(const struct rw_cube_total_args *args, size_t item)
{
    const rw_cube_search *search = &args->search;
    const double neper_db = 0.23025850929940458; /* ln(10) / 10 */
    const float *at = search->points + 3 * item;
    double dx = (double)(at[0] - search->source[0]), dy = (double)(at[1] - search->source[1]);
    double direct_db = (double)rw_cube_loss_db(search->decibels_at_one, rw_distance3(search->source, at), 0.0f);
    int sees = search->sight[item] != 0;
    uint64_t key = search->best[item];
    double first = args->roof_db ? exp(-neper_db * (double)args->roof_db[item]) : sees ? 1.0 : 0.0;
    double own = key ? exp(neper_db * (direct_db - (double)rw_cube_key_loss_db(key))) : 0.0;
    double beside = (1.0 - first) * (own < 1.0 ? own : 1.0), power = first + beside;
    double ways_db = power > 0.0 ? direct_db - log(power) / neper_db : (double)INFINITY;
    args->loss_db[item] =
        (float)rw_prior_loss_db(&args->prior, ways_db, direct_db, args->res_m * sqrt(dx * dx + dy * dy));
    args->by_roofs[item] = (uint8_t)(args->roof_db != 0 && !sees && first >= beside);
}

#endif
