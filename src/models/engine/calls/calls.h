/* Visibility databases: what of a prediction does not depend on the transmitter, computed once and kept in a file. A
 * model that has one gives the calls below; the content is its own. */
#ifndef RW_MODELS_ENGINE_CALLS_CALLS_H
#define RW_MODELS_ENGINE_CALLS_CALLS_H

#include "base/container.h"
#include "models/engine/model.h"
#include "base/inputs.h"
#include "base/maths/vector.h"

#include <stddef.h>

struct rw_database {
    const rw_scene *scene;
    const rw_model *model;
    double bytes;  /* of the file */
    void *content; /* the model's */
};

/* What a model with a database gives (rw_model.database). */
struct rw_database_calls {
    const rw_container_kind *file;

    /* Makes the file of a committed scene; options are checked. */
    rw_status (*make)(const rw_scene *scene, const rw_preprocess_options *options, const char *path);

    /* What that would take; NULL: not known. */
    rw_status (*estimate)(const rw_scene *scene, const rw_preprocess_options *options,
                          rw_preprocess_estimate *estimate);

    /* Reads the file into database->content, and sets its bytes. */
    rw_status (*load)(const rw_scene *scene, const char *path, rw_database *database);
    void (*destroy)(void *content);

    void (*get_info)(const rw_database *database, rw_database_info *info);
    rw_status (*read_info)(rw_context *context, const char *path, rw_database_info *info); /* without a scene */

    /* The receivers it was made for, which must be those of the cells; NULL: it has none. */
    rw_status (*receivers)(const rw_database *database, const rw_map_info *cells, const rw_receivers **receivers);
};

/* Whether the database is of this scene and model; a sentence where not. */
rw_status rw_database_check(const rw_database *database, const rw_scene *scene, const rw_model *model);

/* rw_trace with a record of its paths beside them, for gradients. */

/* Called once receivers and transmitters are placed, before the model is opened. */
typedef rw_status (*rw_trace_ready_fn)(void *user, const rw_prediction *prediction);

typedef struct rw_trace_extra {
    struct rw_gain_record *record; /* that the model adds each path to */
    rw_trace_ready_fn ready;
    void *user;
} rw_trace_extra;

/* extra may be NULL. */
rw_status rw_trace_with(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                        size_t point_count, const rw_trace_extra *extra, rw_paths **paths);

/* The points with their heights, and the transmitters with their frequencies, of a located call: for writers. */
rw_status rw_paths_store_ends(const rw_prediction *prediction, rw_paths *paths);

/* trace_antennas.c: whether points have antennas of their own, and the paths to such points. Of the options, taken, the
 * antenna of the receivers is that of points without one. */
int rw_points_have_antennas(const rw_predict_options *options, const rw_point *points, size_t count);
rw_status rw_trace_by_antenna(const rw_prediction *prediction, rw_paths **paths);

/* Layers of a model at points: what a map would have there. */

/* The layers of a checked call at its points as a map of one row, and its compositions if it has memory for them: one
 * per point, transmitter after transmitter. The call is located then. */
rw_status rw_prediction_solve_points(rw_prediction *whole, rw_map **map);

/* A checked call with one transmitter and with points as receivers is passed to work, which opens the model. */
typedef rw_status (*rw_prediction_fn)(rw_prediction *prediction, void *user);
rw_status rw_prediction_at_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                  size_t count, rw_prediction_fn work, void *user);

/* Values of a layer, one per point, to be filled. */
typedef struct rw_point_layer {
    const char *name;
    float *values;
} rw_point_layer;

/* Layers of the model of the options from their one transmitter. NaN inside buildings. */
rw_status rw_solve_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                          size_t count, rw_point_layer *layers, size_t layer_count);

/* Maps of a checked call. */

/* The map of a checked call, which is destroyed or cached; tiles not NULL: receives values on tiles from the same
 * rays. */
rw_status rw_prediction_run(rw_prediction *prediction, rw_tile_map **tiles, rw_map **map);

/* The identity of a run: SHA-256 of everything that decides on its values. In it: the files that the scene was read
 * from and what they came to (a scene may also be built by calls), files of antennas, transmitters, options,
 * parameters, and the version, backend and instruction set that compute. Not in it: layers, budgets of memory, threads,
 * names of files. */

/* scene: may be NULL, or not committed: then its files alone count. options are resolved. The files of antennas are
 * recorded (rw_inputs_open). */
rw_status rw_run_identity_add(rw_context *context, const rw_scene *scene, const rw_model *model,
                              const rw_predict_options *options, rw_sha256 *hash);

/* Whether the options or one of their transmitters limit the range. */
int rw_ranges_are_set(const rw_predict_options *options);

#endif
