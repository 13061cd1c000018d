/* An open model: of a scene, a grid and options. It is cached with the scene, so that the next prediction of the same
 * kind, with other transmitters, finds it ready. */
#ifndef RW_MODELS_ENGINE_RUN_SESSION_H
#define RW_MODELS_ENGINE_RUN_SESSION_H

#include "models/engine/run/run.h"

typedef struct rw_session {
    rw_prediction *prediction;
    void *state; /* the model's */
    rw_received_memory received;
    uint8_t *device_indoor;  /* indoor of the receivers on the GPU, if layers stay there; NULL: not yet */
    rw_account *account;     /* of the memory that the model allocates, and its budgets */
    size_t checked_count[2]; /* largest number of transmitters that the budgets were checked for; [1]: in memory of the
                                caller */
    rw_prediction_key *key;
    size_t key_size;
} rw_session;

/* Opens the model for a checked call, or finds it open; locates transmitters and receivers. The prediction belongs to
 * the session from then on, and is destroyed on failure. */
rw_status rw_session_open(rw_prediction *prediction, rw_session **session);

/* Both steps, from the options of a call. */
rw_status rw_session_open_call(const rw_scene *scene, const rw_predict_options *options, const rw_target *target,
                               rw_session **session);

/* Runs the open model for all transmitters of the call: a new map. */
rw_status rw_session_predict(rw_session *session, rw_map **map);

/* Caches the session for later calls, or closes it: after a failure. */
void rw_session_close(rw_session *session, int cache);

/* The fraction of a call that is not in an idle open model yet: 1 where none is open; 0: it has all values. */
rw_status rw_session_find_new_fraction(const rw_prediction *prediction, double *fraction);

/* Closes all unused sessions of a scene, as before something that they use is destroyed. */
void rw_sessions_close_idle(const rw_scene *scene);

#endif
