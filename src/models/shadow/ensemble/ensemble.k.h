/* How sure a prediction is: path loss of one member of an ensemble at one receiver, and the standard deviation of all.
 *
 * A member has other heights, another place of the transmitter, other losses of walls, streets and facades and another
 * weight of the prior (members.c). The way over the roofs is solved anew for each; those round corners and through
 * walls keep their geometry, and what they lose beyond free space is multiplied. Terms for
 * what model and map lack are added in power: no member has trees, cars, balconies or a second wave round the block. */
#ifndef RW_MODELS_SHADOW_ENSEMBLE_ENSEMBLE_K_H
#define RW_MODELS_SHADOW_ENSEMBLE_ENSEMBLE_K_H

#include "models/shadow/path_loss.k.h"

/* What the model lacks, by the predicted loss beyond free space: the first in sight, the sum of both deep in shadow,
 * where deep begins at the third. Measured, as what follows: docs/explanation/uncertainty.md. */
#define RW_LACK_IN_SIGHT_DB 7.0
#define RW_LACK_IN_SHADOW_DB 2.0
#define RW_LACK_DEPTH_DB 20.0

/* What the map lacks: trees and other things on open ground, for each metre of the straight line below their height and
 * up to a most. It fades with the predicted loss, since then another way than the line counts. */
#define RW_UNMAPPED_DB 50.0
#define RW_UNMAPPED_LENGTH_M 200.0
#define RW_UNMAPPED_DEPTH_DB 8.0
#define RW_UNMAPPED_HEIGHT_M 10.0

RW_FN double rw_model_lack_db(double excess_db)
{
    double depth_db = excess_db > 0.0 ? excess_db : 0.0;
    return RW_LACK_IN_SIGHT_DB + RW_LACK_IN_SHADOW_DB * (1.0 - exp(-depth_db / RW_LACK_DEPTH_DB));
}

/* low_m: length of the line, in plan, below the height of things that no map has. */
RW_FN double rw_map_lack_db(double excess_db, double low_m, double open_fraction)
{
    double depth_db = excess_db > 0.0 ? excess_db : 0.0;
    return open_fraction * RW_UNMAPPED_DB * (1.0 - exp(-low_m / RW_UNMAPPED_LENGTH_M)) *
           exp(-depth_db / RW_UNMAPPED_DEPTH_DB);
}

/* Of the line from a receiver to a source, in plan, what lies at most low_m above the receiver. */
RW_FN double rw_low_length_m(rw_vec3 receiver, rw_vec3 source, double low_m)
{
    double dx = source.x - receiver.x, dy = source.y - receiver.y, rise_m = source.z - receiver.z;
    double fraction = rise_m > low_m ? low_m / rise_m : 1.0;
    return low_m > 0.0 ? fraction * sqrt(dx * dx + dy * dy) : 0.0;
}

typedef struct rw_ensemble_arrays {
    struct rw_shadow_path_loss_args nominal; /* the prediction, solved; roof_db is of the member at hand */
    float *sum_db, *square_db; /* over members, one a cell: difference to the prediction, and its square */
} rw_ensemble_arrays;

/* A receiver of a source, as an item. */
typedef struct rw_ensemble_cell {
    size_t source, at;
    rw_vec3 receiver;
} rw_ensemble_cell;

RW_FN rw_ensemble_cell rw_ensemble_cell_of(const struct rw_shadow_path_loss_args *nominal, size_t item)
{
    rw_ensemble_cell found;
    size_t outdoor_count = nominal->receivers.outdoor_count;
    found.source = item / outdoor_count;
    size_t cell = nominal->receivers.outdoor[item - found.source * outdoor_count];
    found.at = found.source * nominal->receivers.columns * nominal->receivers.rows + cell;
    found.receiver = rw_receiver_point(&nominal->receivers, cell);
    return found;
}

/* One item is one outdoor receiver of one source. */
struct rw_ensemble_member_args {
    rw_ensemble_arrays arrays;
    const rw_shadow_source *sources; /* of the member */
    rw_shadow_factors factors;
};

/* The mechanisms of the prediction with the member's factors, by the same rule: a member that has nothing else differs
 * from it by rounding alone. */
RW_FN double rw_ensemble_loss_db(const struct rw_ensemble_member_args *args, const rw_ensemble_cell *cell)
{
    const struct rw_shadow_path_loss_args *nominal = &args->arrays.nominal;
    const rw_shadow_source *source = nominal->sources + cell->source, *moved = args->sources + cell->source;
    double ground_db = rw_shadow_ground_db(nominal, cell->at), direct_db = rw_shadow_direct_db(moved, cell->receiver);
    int bent = nominal->streets || nominal->roofs || nominal->through;
    int sees = !bent || (nominal->los ? nominal->los[cell->at] != 0 : nominal->walls[cell->at] == 0u);
    double street_db = nominal->streets ? (double)nominal->street_db[cell->at] -
                                              rw_shadow_direct_db(source, cell->receiver) - ground_db
                                        : (double)INFINITY;
    rw_mechanism_losses losses = rw_shadow_losses(nominal, source, cell->at, sees, street_db, args->factors);
    rw_mechanism_sum sum = rw_compose_sum(&losses);
    rw_shadow_parts parts = {direct_db + ground_db + sum.excess_db + sum.medium_db, direct_db, ground_db,
                             rw_shadow_smooth_db(nominal, cell->at), sum.medium_db};
    return rw_shadow_composed_db(&nominal->grid, moved, cell->receiver, parts);
}

RW_FN void rw_ensemble_member_item(const struct rw_ensemble_member_args *args, size_t item)
{
    rw_ensemble_cell cell = rw_ensemble_cell_of(&args->arrays.nominal, item);
    float difference_db =
        (float)(rw_ensemble_loss_db(args, &cell) - (double)args->arrays.nominal.path_loss_db[cell.at]);
    args->arrays.sum_db[cell.at] += difference_db;
    args->arrays.square_db[cell.at] += difference_db * difference_db;
}

/* After the last member. sum_db becomes the standard deviation; NaN where there is no path. */
struct rw_ensemble_sigma_args {
    rw_ensemble_arrays arrays;
    double member_count;
    double low_m;         /* up to where above a receiver there are things that no map has */
    double open_fraction; /* how much of them: 1 in the country, 0 in a dense city */
};

RW_FN void rw_ensemble_sigma_item(const struct rw_ensemble_sigma_args *args, size_t item)
{
    const struct rw_shadow_path_loss_args *nominal = &args->arrays.nominal;
    rw_ensemble_cell cell = rw_ensemble_cell_of(nominal, item);
    const rw_shadow_source *source = nominal->sources + cell.source;
    double excess_db =
        (double)nominal->path_loss_db[cell.at] - source->offset_db - rw_shadow_direct_db(source, cell.receiver);
    double sum_db = (double)args->arrays.sum_db[cell.at];
    double variance =
        ((double)args->arrays.square_db[cell.at] - sum_db * sum_db / args->member_count) / (args->member_count - 1.0);
    double low_m = rw_low_length_m(cell.receiver, nominal->sources[cell.source].at, args->low_m);
    double model_db = rw_model_lack_db(excess_db), map_db = rw_map_lack_db(excess_db, low_m, args->open_fraction);
    variance = (variance > 0.0 ? variance : 0.0) + model_db * model_db + map_db * map_db;
    args->arrays.sum_db[cell.at] = (float)sqrt(variance);
    if (!(excess_db < 1e6))
        args->arrays.sum_db[cell.at] = NAN;
}

#endif
