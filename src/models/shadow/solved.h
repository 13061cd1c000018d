/* What transmitters of one position, height and frequency share: the layers of the shadow model, which are between
 * isotropic antennas.
 *
 * Azimuth, tilt, antenna and power come in afterwards (models/engine/received), so that the sectors of a mast are
 * solved once, and a call that turns an antenna solves nothing. Values stay on the backend with the open model; beyond
 * their share of its memory those that were not used for the longest time are forgotten. */
#ifndef RW_MODELS_SHADOW_SOLVED_H
#define RW_MODELS_SHADOW_SOLVED_H

#include "models/shadow/shadow.h"

/* Values of one transmitter on the backend, one per cell; NULL: not wanted. */
typedef struct rw_shadow_values {
    const float *path_loss_db, *sigma_db;
    const uint32_t *walls;
    const uint8_t *los, *mechanism, *deflections;
} rw_shadow_values;

typedef struct rw_shadow_solved rw_shadow_solved;

/* On a job without losses, or one that records compositions, nothing is cached: every transmitter is new. */
rw_status rw_shadow_solved_create(rw_shadow_job *job, rw_shadow_solved **solved);
void rw_shadow_solved_destroy(rw_shadow_solved *solved);

/* How many positions of the transmitters of a checked call would have to be solved; solved NULL: nothing is cached. */
size_t rw_shadow_solved_count_new(const rw_shadow_solved *solved, const rw_prediction *prediction);

/* Solves transmitters from first on, at most count and the batch: *now of them, whose values in_batch 0 to *now - 1
 * are at *values until the next call. One that was solved before comes alone. */
rw_status rw_shadow_solved_run(rw_shadow_solved *solved, size_t first, size_t count, size_t *now,
                               rw_shadow_values *values);

#endif
