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

/* What the ways cost: the model's parameters, in the form that its formulas take (parameters.c). */
typedef struct rw_shadow_values {
    double offset_db;
    rw_deflection street, roof;
    double roof_count_db; /* of one roof, where roofs are only counted */
    rw_wall_kind wall;
} rw_shadow_values;

extern const rw_parameter_kind rw_shadow_parameters[];
#define RW_SHADOW_PARAMETER_COUNT 12

rw_status rw_shadow_parameter_defaults(rw_context *context, double freq_hz, double *values);
rw_status rw_shadow_values_of(const rw_prediction *prediction, size_t transmitter, rw_shadow_values *values);

/* A path in few numbers: free-space loss; at corners and, in the next four, at roofs: deflections and the sums of their
 * angles, of the squares and of the cubes; roofs that were only counted; walls. */
enum {
    RW_SHADOW_TERM_FREE_SPACE,
    RW_SHADOW_TERM_STREET,
    RW_SHADOW_TERM_ROOF = RW_SHADOW_TERM_STREET + 4,
    RW_SHADOW_TERM_COUNTED_ROOFS = RW_SHADOW_TERM_ROOF + 4,
    RW_SHADOW_TERM_WALLS,
    RW_SHADOW_TERMS
};

double rw_shadow_terms_loss_db(const float *terms, const double *values, double *derivatives);

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
