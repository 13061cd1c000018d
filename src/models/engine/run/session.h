/* A model that is open for a scene, a grid and options: kept with the scene, so that the next prediction of the same
 * kind, with other transmitters, finds it ready. */
#ifndef RW_MODELS_ENGINE_RUN_SESSION_H
#define RW_MODELS_ENGINE_RUN_SESSION_H

#include "models/engine/run/run.h"

typedef struct rw_session {
    rw_prediction prediction;
    rw_map_info cells;
    void *state; /* the model's */
    rw_received_memory received;
    uint8_t *device_indoor;  /* indoor of the receivers on the GPU, where layers stay there; NULL: not yet */
    rw_account *account;     /* of the memory that the model takes, and its budgets */
    size_t checked_count[2]; /* most transmitters that the budgets were checked for; [1]: in memory of the caller */
    struct rw_session_key *key;
} rw_session;

/* Checks the call, places its transmitters and opens the model for its cells, or finds it open. in_caller_memory 1: the
 * layers take no memory here. */
rw_status rw_session_open(const rw_scene *scene, const rw_predict_options *options, int in_caller_memory,
                          rw_session **session);

/* The same on a part of a larger map; reach NULL: on the cells that the options ask for. */
rw_status rw_session_open_reach(const rw_scene *scene, const rw_predict_options *options, const rw_reach *reach,
                                rw_session **session);

/* Runs the open model for all transmitters of the call: a new map (predict.c). */
rw_status rw_session_predict(rw_session *session, rw_map **map);

/* Keeps the session for later calls, or closes it: after a failure. */
void rw_session_close(rw_session *session, int cache);

/* Closes all unused sessions of a scene, as before something that they use is destroyed. */
void rw_sessions_close_idle(const rw_scene *scene);

/* A run of the open session on its map: prior, received powers and cells inside buildings; then layers are added, and
 * rw_received_begin follows (predict.c). Afterwards the run's indoor is to be destroyed. */
rw_status rw_run_open(rw_run *run, rw_session *session);

/* rw_predict on a part of a map (NULL: the cells of the options), whatever the range of transmitters (predict.c). */
rw_status rw_predict_window(const rw_scene *scene, const rw_predict_options *options, const rw_reach *reach,
                            rw_tile_map **tiles, rw_map **map);

/* rw_predict, with values on tiles beside the map where tiles is not NULL (predict.c). */
rw_status rw_predict_into(const rw_scene *scene, const rw_predict_options *options, rw_tile_map **tiles, rw_map **map);

#endif
