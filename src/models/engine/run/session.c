#include "models/engine/run/session.h"

#include "base/memory.h"
#include "base/progress.h"
#include "discretise/scene_cache.h"

#include <stdlib.h>

static void destroy_session(void *value)
{
    rw_session *session = value;
    rw_prediction *prediction = session->prediction;
    if (session->state)
        prediction->model->close(session->state);
    rw_device_free(prediction->scene->context->backend, session->device_indoor);
    rw_received_memory_free(&session->received);
    rw_account_close(session->account);
    rw_prediction_destroy(prediction);
    free(session->key);
    free(session);
}

/* The page has a coarse map, a fine one, and the terms of a point: none of them ends another. */
#define IDLE_SESSIONS 4

static const rw_cache_kind session_kind = {"sessions", IDLE_SESSIONS, destroy_session};

void rw_session_close(rw_session *session, int cache)
{
    const rw_scene *scene = session->prediction->scene;
    if (!cache || session->prediction->options->zone) { /* whose file may be another the next time */
        destroy_session(session);
        return;
    }
    rw_prediction_replace_transmitters(session->prediction, NULL);
    rw_scene_cache_return(scene, &session_kind, session->key, session->key_size, session);
}

void rw_sessions_close_idle(const rw_scene *scene)
{
    rw_scene_cache_drop_idle(scene, &session_kind);
}

rw_status rw_session_find_new_fraction(const rw_prediction *prediction, double *fraction)
{
    rw_prediction_key *key;
    size_t size;
    *fraction = 1;
    if (!prediction->model->count_new)
        return RW_OK;
    RW_TRY(rw_prediction_key_create(prediction, &key, &size));
    rw_session *session = rw_scene_cache_borrow(prediction->scene, &session_kind, key, size);
    if (session) {
        size_t all = prediction->model->count_new(NULL, prediction);
        if (session->state && all)
            *fraction = (double)prediction->model->count_new(session->state, prediction) / (double)all;
        rw_scene_cache_return(prediction->scene, &session_kind, session->key, session->key_size, session);
    }
    free(key);
    return RW_OK;
}

/* A new session of a checked call, without receivers and state. */
static rw_status create_session(rw_prediction *prediction, rw_session **session_out)
{
    rw_session *session;
    RW_TRY(rw_array_create(prediction->scene->context, 1, sizeof *session, "a session", &session));
    rw_status status = rw_prediction_open_account(prediction, &session->account);
    session->prediction = prediction;
    if (status == RW_OK)
        *session_out = session;
    else
        free(session);
    return status;
}

static rw_status open_session_model(rw_session *session)
{
    rw_prediction *prediction = session->prediction;
    rw_account *before = rw_account_enter(session->account);
    rw_status status = rw_prediction_locate(prediction);
    if (status == RW_OK && !session->state && prediction->receivers.view.outdoor_count)
        status = prediction->model->open(prediction, RW_USE_MAP, &session->state);
    rw_account_enter(before);
    return status;
}

/* What is open has its memory: the estimate is for new sessions and for more transmitters. */
static rw_status check_session_budgets(const rw_prediction *prediction, const rw_session *session)
{
    size_t checked = session ? session->checked_count[prediction->in_caller_memory] : 0;
    return prediction->options->transmitter_count > checked ? rw_prediction_check_budgets(prediction) : RW_OK;
}

/* The idle session of that key with the transmitters of the call, or a new one; the prediction belongs to it. */
static rw_status find_session(rw_prediction *prediction, const rw_prediction_key *key, size_t key_size,
                              rw_session **session_out)
{
    rw_session *session = rw_scene_cache_borrow(prediction->scene, &session_kind, key, key_size);
    rw_status status = check_session_budgets(prediction, session);
    if (status == RW_OK && !session)
        return create_session(prediction, session_out);
    if (status != RW_OK) {
        if (session)
            rw_session_close(session, 1);
        return status;
    }
    rw_prediction_replace_transmitters(session->prediction, prediction);
    rw_prediction_destroy(prediction);
    *session_out = session;
    return RW_OK;
}

rw_status rw_session_open(rw_prediction *prediction, rw_session **session_out)
{
    rw_prediction_key *key = NULL;
    rw_session *session = NULL;
    size_t key_size;
    *session_out = NULL;
    rw_status status = rw_prediction_key_create(prediction, &key, &key_size);
    if (status == RW_OK)
        status = find_session(prediction, key, key_size, &session);
    if (status != RW_OK) {
        rw_prediction_destroy(prediction);
        free(key);
        return status;
    }
    free(session->key);
    session->key = key;
    session->key_size = key_size;
    size_t *checked = &session->checked_count[session->prediction->in_caller_memory];
    size_t count = session->prediction->options->transmitter_count;
    *checked = *checked < count ? count : *checked;
    int was_open = session->state != NULL; /* then its transmitters alone can be wrong, which the model has not seen */
    status = open_session_model(session);
    if (status == RW_OK)
        *session_out = session;
    else
        rw_session_close(session, was_open);
    return status;
}

rw_status rw_session_open_call(const rw_scene *scene, const rw_predict_options *options, const rw_target *target,
                               rw_session **session)
{
    rw_prediction *prediction;
    RW_TRY(rw_prediction_create(scene, options, target, &prediction));
    return rw_session_open(prediction, session);
}

static rw_status open_session_layers(rw_run *run, rw_session *session)
{
    const rw_predict_options *options = run->prediction->options;
    RW_TRY(rw_run_open(run, &session->received));
    RW_TRY(rw_map_set_transmitters(run->map, options->transmitters, options->transmitter_count));
    RW_TRY(rw_run_add_layers(run, session->state));
    return rw_received_begin(&run->received);
}

static rw_status solve_session(rw_run *run, rw_session *session)
{
    double start_s = rw_seconds();
    rw_progress_range outer_range = rw_progress_narrow(0, 1);
    rw_status status = open_session_layers(run, session);
    if (status == RW_OK)
        status = rw_run_solve(run, session->state);
    rw_indoor_destroy(&run->indoor);
    rw_progress_range_set(outer_range);
    run->map->info.solve_s = rw_seconds() - start_s;
    return status;
}

rw_status rw_session_predict(rw_session *session, rw_map **map)
{
    rw_run run = {.prediction = session->prediction};
    rw_context *context = session->prediction->scene->context;
    const rw_prediction *prediction = session->prediction;
    rw_map_info info = prediction->grid.cells;
    if (prediction->points)
        info = (rw_map_info){.size = sizeof info, .columns = prediction->point_count, .rows = 1, .res_m = 1};
    info.model = run.prediction->model->name;
    info.backend = rw_context_backend(context);
    *map = NULL;
    RW_TRY(rw_map_create(context, &info, rw_scene_crs(session->prediction->scene), &run.map));
    rw_account *before = rw_account_enter(session->account);
    rw_status status = solve_session(&run, session);
    rw_account_enter(before);
    if (status == RW_OK)
        status = rw_map_limit(run.prediction, run.map);
    if (status == RW_OK)
        *map = run.map;
    else
        rw_map_destroy(run.map);
    return status;
}
