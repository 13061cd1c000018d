/* Layers of a model at points: what a map would have there. */
#ifndef RW_MODELS_ENGINE_CALLS_POINTS_H
#define RW_MODELS_ENGINE_CALLS_POINTS_H

#include "models/engine/model.h"

/* A checked call with one transmitter and with points as receivers is passed to work, which opens the model. */
typedef rw_status (*rw_prediction_fn)(rw_prediction *prediction, void *user);
rw_status rw_prediction_at_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                  size_t count, rw_prediction_fn work, void *user);

/* Values of a layer, one per point, to be filled. */
typedef struct rw_point_layer {
    const char *name;
    float *values;
} rw_point_layer;

/* Layers of the model of the options, which must solve points, from their one transmitter. NaN inside buildings. */
rw_status rw_solve_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                          size_t count, rw_point_layer *layers, size_t layer_count);

/* Losses of the options' one transmitter at points, each of all paths that the model traces to it, become those of a
 * map: composed with the prior, where the engine does that (rw_prior_by_engine). */
rw_status rw_compose_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                            size_t count, double *loss_db);

#endif
