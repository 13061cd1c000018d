/* Values inside the buildings of a city, from the predicted loss along their walls.
 *
 * A wave enters through a facade and loses more the deeper it goes. Along each of RW_INDOOR_DIRECTIONS directions the
 * first facade that leads outside counts: the loss at the nearest receiver along it (facades.h), plus that of the
 * facade's construction for waves from all directions (field/surfaces/surfaces.h), plus 0.5 dB for each metre inside
 * (3GPP TR 38.901, section 7.4.3); the least of all counts. Or ITU-R P.2109 at one half of the places in place of
 * facade and depth. Inner walls are in the loss per metre.
 *
 * Receivers are on the storey that their height above ground is in: what reaches the facade at that height enters.
 * Above a building that is not so high they are outdoors. */
#ifndef RW_MECHANISMS_INDOOR_INDOOR_H
#define RW_MECHANISMS_INDOOR_INDOOR_H

#include "field/surfaces/wall_losses.k.h"
#include "mechanisms/indoor/facades.h"
#include "mechanisms/prediction.h"

#define RW_INDOOR_DIRECTIONS 16
#define RW_INDOOR_DB_PER_M 0.5
#define RW_STOREY_M 3.0 /* as in 3GPP TR 38.901, table 7.2-1 */

typedef struct rw_indoor {
    const rw_prediction *prediction; /* NULL: not requested */
    int method;                      /* facade and depth, or P.2109 for one of its kinds of buildings */
    size_t count;                    /* of cells or points inside */
    uint32_t *cells;                 /* which they are */
    rw_facade_exit *exits;           /* RW_INDOOR_DIRECTIONS of each; their receivers are numbers of the list below */
    float *added_db;                 /* of each exit: what it costs the waves of the transmitter below */
    const rw_facades *facades;
    rw_point *receivers; /* along walls, that an exit leads to */
    size_t receiver_count;
    float *loss_db, *power_dbm;   /* at these, transmitter after transmitter: the engine's (models/engine/run) */
    rw_composition *compositions; /* likewise; NULL: none recorded */
    size_t transmitter;
    rw_wall_loss *tables; /* for facades of the scene's surfaces, and one of concrete */
    float *entry_db;      /* of the same */
    double freq_hz;       /* of both; 0: none yet */
} rw_indoor;

/* Nothing where the options do not ask for it: indoor->prediction is NULL then. */
rw_status rw_indoor_create(const rw_prediction *prediction, rw_indoor *indoor);
void rw_indoor_destroy(rw_indoor *indoor);

/* Fills the cells inside from the losses along walls of one transmitter, or with sign -1 from its powers; entry_loss_db
 * may be NULL and gets what the way in costs in each cell, 0 outside. compositions: of the cells, NULL: none. */
rw_status rw_indoor_predict(rw_indoor *indoor, size_t transmitter, int sign, float *values, float *entry_loss_db,
                            rw_composition *compositions);

#endif
