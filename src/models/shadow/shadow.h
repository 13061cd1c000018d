/* The shadow model's pieces: its layers, and path loss of one transmitter at a time. */
#ifndef RW_MODELS_SHADOW_SHADOW_H
#define RW_MODELS_SHADOW_SHADOW_H

#include "field/deflection.h"
#include "field/multi_wall.k.h"
#include "models/model.h"

/* Values of the layers being filled; NULL: not asked for. */
typedef struct rw_shadow_layers {
    float *los, *walls, *path_loss, *power, *mechanism, *deflections, *best;
    float *best_power; /* of each cell so far, for best */
} rw_shadow_layers;

/* Which ways a wave may take besides the straight one; none: free space everywhere. */
typedef struct rw_shadow_effects {
    int roofs, walls;
} rw_shadow_effects;

/* Loss of one wall and how much less each further one costs, where nobody has calibrated: an outer wall of brick or
 * concrete costs about 12 dB at the frequencies of mobile radio. */
#define RW_SHADOW_WALL_FIRST_DB 12.0
#define RW_SHADOW_WALL_RATIO 0.95

/* Working memory of the path loss on the prediction's backend (loss.c). */
typedef struct rw_shadow_loss {
    const rw_prediction *prediction;
    rw_shadow_effects effects;
    rw_backend backend;
    rw_placed_receivers receivers;
    float *path_loss_db; /* one a cell, on the backend; as are the next two */
    uint8_t *mechanism, *deflections;
    float *host_loss_db, *host_power_dbm; /* one a cell, on the host; as is the next */
    uint8_t *host_bytes;
} rw_shadow_loss;

rw_status rw_shadow_loss_create(const rw_prediction *prediction, rw_shadow_effects effects, rw_shadow_loss *loss);
void rw_shadow_loss_destroy(rw_shadow_loss *loss);

/* Path loss, received power and best server of one transmitter into the layers. walls is its wall count on the backend;
 * NULL where the way through walls is not asked for. */
rw_status rw_shadow_loss_solve(rw_shadow_loss *loss, size_t transmitter, const uint32_t *walls,
                               const rw_shadow_layers *layers);

#endif
