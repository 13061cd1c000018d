/* What receivers get of all transmitters together: received power, best server, carrier over interference. The same for
 * every model that has path losses. */
#ifndef RW_MODELS_ENGINE_RECEIVED_H
#define RW_MODELS_ENGINE_RECEIVED_H

#include "models/engine/model.h"

/* Names of the layers it fills, for a model's list. */
#define RW_RECEIVED_LAYERS "power,best,ci"

typedef struct rw_received {
    const rw_prediction *prediction;
    float *power, *best, *ci; /* values of the layers; NULL: not asked for */
    float *power_dbm;         /* of the transmitter at hand, one a cell; as are the next two */
    float *best_dbm;
    double *total_mw;
} rw_received;

/* Adds those of its layers that are asked for; with several transmitters and no choice of layers also best and ci. */
rw_status rw_received_create(const rw_prediction *prediction, rw_map *map, rw_received *received);
void rw_received_destroy(rw_received *received);

/* Whether anything is asked for that needs path losses. */
int rw_received_wanted(const rw_received *received);

/* Takes the path losses of one transmitter after another, one a cell. */
void rw_received_add(rw_received *received, size_t transmitter, const float *path_loss_db);

/* The same for a model that knows the received power itself, with the antenna's gain along each path. */
void rw_received_add_power(rw_received *received, size_t transmitter, const float *power_dbm);

/* After the last transmitter. */
void rw_received_finish(rw_received *received);

#endif
