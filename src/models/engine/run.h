/* One call of rw_predict under way: the map being filled, layer by layer, and what is received of all transmitters. */
#ifndef RW_MODELS_ENGINE_RUN_H
#define RW_MODELS_ENGINE_RUN_H

#include "models/engine/model.h"
#include "models/engine/received.h"

struct rw_run {
    rw_prediction *prediction;
    rw_map *map;
    float *layers[RW_MAP_LAYERS_MAX]; /* of each of the model's layer kinds; NULL: not asked for */
    size_t bands[RW_MAP_LAYERS_MAX];  /* of each transmitter */
    rw_received received;
};

/* Adds the layers that are asked for to the map, in the model's order; with several transmitters and no choice of
 * layers also best and ci. */
rw_status rw_run_add_layers(rw_run *run, const void *state);

/* Values of a layer for one transmitter, a value a cell, band after band; NULL where it is not asked for. */
float *rw_run_layer(const rw_run *run, int layer, size_t transmitter);

/* Runs the open model for all transmitters of the prediction, a batch at a time, with progress (predict.c). */
rw_status rw_run_solve(rw_run *run, void *state);

/* Copies values, one a cell, into a layer for one transmitter; cells inside buildings stay nodata. Nothing where the
 * layer is not asked for. */
void rw_run_store_floats(const rw_run *run, int layer, size_t transmitter, const float *values);
void rw_run_store_bytes(const rw_run *run, int layer, size_t transmitter, const uint8_t *values);
void rw_run_store_counts(const rw_run *run, int layer, size_t transmitter, const uint32_t *values);

#endif
