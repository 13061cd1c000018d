/* Values for cells inside the buildings of a city, from the predicted loss in the streets around them.
 *
 * A wave enters through a facade and loses more the deeper it goes. Along each of RW_INDOOR_DIRECTIONS directions from
 * a cell the first cell outside is the street before a facade: its loss, plus that of the facade's construction for
 * waves from all directions (field/surfaces/surfaces.h), plus 0.5 dB for each metre inside (3GPP TR 38.901,
 * section 7.4.3), is what comes in there; the least of all counts. Or ITU-R P.2109 at one half of the places in place
 * of facade and depth. Inner walls are in the loss a metre.
 *
 * Receivers are on the storey that their height above ground is in: what reaches the facade at that height enters.
 * Above a building that is not so high they are outdoors. */
#ifndef RW_MECHANISMS_INDOOR_INDOOR_H
#define RW_MECHANISMS_INDOOR_INDOOR_H

#include "field/surfaces/wall_losses.k.h"
#include "mechanisms/prediction.h"

#define RW_INDOOR_DIRECTIONS 16
#define RW_INDOOR_DB_PER_M 0.5
#define RW_STOREY_M 3.0 /* as in 3GPP TR 38.901, table 7.2-1 */

/* The street before a facade, as a cell inside sees it. */
typedef struct rw_indoor_face {
    uint32_t street;  /* a cell; RW_INDOOR_NONE: the map ends before the building does */
    uint32_t surface; /* of the scene; one more than those there are: not told, so concrete */
    float depth_m;
} rw_indoor_face;

#define RW_INDOOR_NONE UINT32_MAX

typedef struct rw_indoor {
    const rw_prediction *prediction; /* NULL: not asked for */
    int method;                      /* facade and depth, or P.2109 for one of its kinds of buildings */
    size_t count;                    /* of cells inside */
    uint32_t *cells;                 /* which they are */
    rw_indoor_face *faces;           /* RW_INDOOR_DIRECTIONS of each */
    float *added_db;                 /* of each face: what the way in costs the waves of the transmitter below */
    size_t transmitter;
    rw_wall_loss *tables; /* for facades of the scene's surfaces, and one of concrete */
    float *entry_db;      /* of the same */
    double freq_hz;       /* of both; 0: none yet */
} rw_indoor;

/* Nothing where the options do not ask for it: indoor->prediction is NULL then. */
rw_status rw_indoor_create(const rw_prediction *prediction, rw_indoor *indoor);
void rw_indoor_destroy(rw_indoor *indoor);

/* Fills the cells inside from those outside. values are losses of one transmitter, one a cell, or with sign -1 its
 * powers; entry_loss_db may be NULL and gets what the way in costs in each cell, 0 outside. */
rw_status rw_indoor_predict(rw_indoor *indoor, size_t transmitter, int sign, float *values, float *entry_loss_db);

#endif
