/* Gains of places: of every place where a candidate may stand, the loss between isotropic antennas and the direction of
 * departure for each cell that it reaches, in the memory of the backend. Azimuth, tilt, power and antenna of a
 * candidate may then change without a new prediction. Ten bytes a cell and place. */
#ifndef RW_NETWORK_PLAN_POINT_GAINS_H
#define RW_NETWORK_PLAN_POINT_GAINS_H

#include "device/device.h"
#include "network/plan/plan.k.h"

#include "base/maths/vector.h"

#define RW_POSITION_GAIN_BYTES 10 /* of a cell of a place */
#define RW_POSITION_LOSS_MAX_CDB 65535

typedef struct rw_position_gains {
    rw_context *context;
    rw_backend backend;
    rw_plan_position *positions; /* their arrays are the backend's */
    void **blocks;
    size_t position_count;
    size_t entry_count;           /* of all places */
    uint32_t first_row, last_row; /* elevations that occur */
    uint8_t *is_reached;          /* cells that some place reaches */
    size_t cell_count;
} rw_position_gains;

rw_status rw_position_gains_create(rw_context *context, size_t position_count, size_t cell_count,
                                   rw_position_gains *gains);
void rw_position_gains_destroy(rw_position_gains *gains);

/* The cells of one place, each once. */
rw_status rw_position_gains_add(rw_position_gains *gains, size_t position, const uint32_t *cells,
                                const uint32_t *directions, const uint16_t *losses_cdb, size_t count);

/* A direction in steps, x east, y north, z up. */
uint32_t rw_plan_direction_index(rw_vec3 direction);

/* The direction in the middle of a row of elevation and a step of azimuth, which is clockwise from north. */
rw_vec3 rw_plan_direction_vector(uint32_t row, uint32_t azimuth);

/* An azimuth in steps. */
uint32_t rw_plan_azimuth_index(double azimuth_deg);

#endif
