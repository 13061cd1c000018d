/* How far each transmitter is computed: by a radius, or as far as a level could be received from it. A transmitter is
 * then predicted on a window of the map's cells, by any model, and what it gives is put together. */
#ifndef RW_MODELS_ENGINE_RUN_RANGES_H
#define RW_MODELS_ENGINE_RUN_RANGES_H

#include "models/engine/model.h"

/* Whether the options or one of their transmitters limit the range. */
int rw_ranges_are_set(const rw_predict_options *options);

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

#endif
