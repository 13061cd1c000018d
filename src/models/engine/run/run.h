/* One call of rw_predict under way: the map being filled, layer by layer, and what is received of all transmitters. */
#ifndef RW_MODELS_ENGINE_RUN_RUN_H
#define RW_MODELS_ENGINE_RUN_RUN_H

#include "models/engine/model.h"
#include "models/engine/prediction/prediction.h"
#include "models/engine/received/received.h"

struct rw_run {
    rw_prediction *prediction;
    rw_map *map;
    float *layers[RW_MAP_LAYERS_MAX]; /* of each of the model's layer kinds; NULL: not asked for */
    size_t bands[RW_MAP_LAYERS_MAX];  /* of each transmitter */
    rw_received received;
    const uint8_t *device_indoor; /* on a GPU, where the layers lie there too; NULL: they are in main memory */
    const char *prior;            /* that the engine composes losses with; NULL: none */
    int cut_reported;             /* 1: that the limit of the search cut off paths has been reported */
    rw_indoor indoor;             /* where cells inside buildings are asked for */
};

/* Whether a layer of the model is to be made. */
int rw_layer_is_wanted(const rw_prediction *prediction, const char *name);

/* Adds the layers that are asked for to the map, in the model's order; with several transmitters and no choice of
 * layers also best and ci. */
rw_status rw_run_add_layers(rw_run *run, const void *state);

/* Takes memory of the caller for a layer of one band a transmitter: a number of the model's list. */
rw_status rw_run_set_layer(rw_run *run, int layer, float *values);

/* Values of a layer for one transmitter, a value a cell, band after band; NULL where it is not asked for. */
float *rw_run_layer(const rw_run *run, int layer, size_t transmitter);

/* Begins a run on its map: prior, received powers, and what reaches the walls of buildings with cells inside; then
 * layers are added, and rw_received_begin follows. Afterwards the run's indoor is to be destroyed. */
rw_status rw_run_open(rw_run *run, rw_received_memory *memory);

/* Runs the open model for all transmitters of the prediction, a batch at a time, with progress. state NULL: there are
 * receivers inside buildings alone, of which the model has none. */
rw_status rw_run_solve(rw_run *run, void *state);

/* What the engine adds to the path_loss of a transmitter that is solved: the prior, where the model leaves it to the
 * engine, gases and rain, cells inside buildings, and the power it counts from; and what is too near to it. */
rw_status rw_run_finish_losses(rw_run *run, size_t transmitter);

/* The layer of that name for one transmitter; NULL: it is not requested. */
float *rw_run_layer_named(const rw_run *run, const char *name, size_t transmitter);

/* facades.c: losses and powers along walls, for receivers inside buildings. Narrows the range of progress to what is
 * left. */
rw_status rw_run_solve_facades(rw_run *run);

/* compositions.c: for link budgets, what losses consist of that a model has not composed itself, of its own paths
 * alone. loss_db: of a transmitter, one per cell; compositions: of that transmitter. */
void rw_compositions_begin(const rw_prediction *prediction, size_t transmitter, const float *loss_db,
                           rw_composition *compositions);

/* correct.c: what the parameters' measurements add to count transmitters from first on, before they are solved. */
rw_status rw_run_find_corrections(rw_run *run, size_t first, size_t count);
void rw_run_finish_sigma(rw_run *run, size_t transmitter);

/* Adds that to losses (sign 1) or powers (sign -1) of a transmitter of the batch, outside buildings. */
void rw_prediction_correct(const rw_prediction *prediction, size_t transmitter, int sign, float *values);

/* The standard deviation by the measurements; NULL: that of the model counts. */
const float *rw_prediction_sigma_db(const rw_prediction *prediction, size_t transmitter);
void rw_corrections_free(rw_prediction *prediction);

/* Numbers that store_layer.k.h knows too. */
typedef enum rw_value_type { RW_VALUE_BYTE, RW_VALUE_COUNT, RW_VALUE_FLOAT } rw_value_type;

/* Reads values of a backend, one a cell, of the transmitter of that number in its batch, straight into a layer, all of
 * it: cells inside buildings become nodata. Nothing where the layer is not asked for. */
rw_status rw_run_fetch(const rw_run *run, int layer, size_t transmitter, rw_backend backend, const void *values,
                       size_t in_batch, rw_value_type type);

/* Receivers too near to a transmitter: patterns hold in the far field of an antenna, from 2 D^2 / lambda on for an
 * antenna of largest dimension D (Balanis, Antenna Theory, section 2.2.4). Lu and others (2019, section III.C) leave
 * such tiles out of the prediction. */

/* A transmitter, and how far a receiver must be from it to have a value; limit_m 0: no distance is asked for. */
typedef struct rw_near_field {
    const rw_receivers_view *receivers;
    rw_vec3 source; /* in the frame of the wall grid */
    double limit_m;
} rw_near_field;

rw_near_field rw_near_field_of(const rw_prediction *prediction, size_t transmitter);

/* Whether a receiver lies nearer. */
int rw_near_field_holds(const rw_near_field *field, size_t cell);

/* How far each transmitter is computed: by a radius, or as far as a level could be received from it. A transmitter is
 * then predicted on a window of the map's cells, by any model, and what it gives is put together. */

/* Metres in plan beyond which the transmitter is not computed; INFINITY: everywhere. The transmitters of the prediction
 * are placed. */
double rw_range_m(const rw_prediction *prediction, size_t transmitter);

/* The same of a transmitter that is not placed; gain_dbi: the largest of its antenna and the receivers' together. */
double rw_transmitter_range_m(const rw_model *model, const rw_predict_options *options,
                              const rw_transmitter *transmitter, double gain_dbi);

/* Cells of a map, from its south-western corner. */
typedef struct rw_window {
    size_t column, row, columns, rows; /* columns 0: none */
} rw_window;

/* The cells of a map that may have their centre within a distance of a point. */
rw_window rw_window_around(const rw_map_info *cells, double x_m, double y_m, double range_m);

/* The least window that holds both. */
rw_window rw_window_join(rw_window a, rw_window b);

/* These cells as a map of their own. */
rw_map_info rw_window_cells(const rw_map_info *cells, rw_window window);

/* How many transmitters from first on stand at one place with one range: they share a window. */
size_t rw_ranges_alike(const rw_prediction *prediction, size_t first);

/* Predictions whose transmitters have a range: each position is predicted on the window of cells that its range
 * reaches, as a map of its own, which is copied into the whole one. Best server and interference come from the powers
 * there. */

/* The map of a checked call with ranges (rw_ranges_are_set). The prediction remains the caller's. */
rw_status rw_predict_windows(rw_prediction *prediction, rw_map **map);

#endif
