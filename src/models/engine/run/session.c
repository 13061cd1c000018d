#include "models/engine/run/session.h"

#include "base/memory.h"
#include "discretise/scene_cache.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Texts among the options of a model, of which a session has copies of its own: where they are in the options. */
#define TEXTS_MAX 32

typedef struct text_list {
    size_t at[TEXTS_MAX], count;
} text_list;

static text_list texts_of(const rw_model *model)
{
    text_list texts = {.at = {offsetof(rw_predict_options, model)}, .count = 1};
    const rw_model_option *option;
    int of_all;
    for (size_t i = 0; (option = rw_model_option_at(model, i, &of_all)) != NULL && texts.count < TEXTS_MAX; i++)
        if (option->at && rw_option_is_text(option))
            texts.at[texts.count++] = option->at;
    return texts;
}

/* Transmitters at a time on which the size of a session's memory depends. */
#define BATCH_MOST 64

/* What a session was opened with. The texts follow in one piece, each with its zero; one that is not given is the byte
 * 1. */
typedef struct rw_session_key {
    size_t size;                /* of the whole */
    rw_predict_options options; /* without pointers */
    const rw_database *database;
    size_t batch;
    double parameters[RW_PARAMETERS_MAX];
    double circle_m[3]; /* of its receivers */
    int has_parameters;
    double extent[4]; /* of rw_model; zeros: all of the scene */
    char texts[];
} rw_session_key;

static const char **text_at(rw_predict_options *options, size_t at)
{
    return (const char **)(void *)((char *)options + at);
}

static size_t text_bytes(const char *text)
{
    return text ? strlen(text) + 1 : 1;
}

static rw_status make_key(const rw_prediction *prediction, rw_session_key **key_out)
{
    rw_predict_options options = prediction->options_taken;
    const text_list texts = texts_of(prediction->model);
    size_t bytes = sizeof **key_out;
    for (size_t i = 0; i < texts.count; i++)
        bytes += text_bytes(*text_at(&options, texts.at[i]));
    rw_session_key *key;
    RW_TRY(rw_array_create(prediction->scene->context, bytes, 1, "a session", &key));
    char *at = key->texts;
    for (size_t i = 0; i < texts.count; i++) {
        const char **text = text_at(&options, texts.at[i]);
        memcpy(at, *text ? *text : "\1", text_bytes(*text));
        at += text_bytes(*text);
        *text = NULL;
    }
    key->size = bytes;
    key->database = options.database;
    key->batch = options.transmitter_count < BATCH_MOST ? options.transmitter_count : BATCH_MOST;
    key->circle_m[0] = prediction->reach.x_m;
    key->circle_m[1] = prediction->reach.y_m;
    key->circle_m[2] = prediction->reach.range_m;
    key->has_parameters = options.params != NULL;
    if (options.params)
        memcpy(key->parameters, options.params->values,
               prediction->model->parameter_count * sizeof *options.params->values);
    if (prediction->model->extent)
        prediction->model->extent(prediction, key->extent);
    options.params = NULL;
    options.database = NULL;
    options.transmitters = NULL;
    options.transmitter_count = 0;
    memcpy(&key->options, &options, sizeof options); /* padding too: it is that of one struct, set to zero */
    *key_out = key;
    return RW_OK;
}

static rw_status copy_texts(rw_prediction *prediction)
{
    const text_list texts = texts_of(prediction->model);
    rw_status status = RW_OK;
    for (size_t i = 0; i < texts.count; i++) {
        const char **text = text_at(&prediction->options_taken, texts.at[i]);
        if (!*text)
            continue;
        *text = rw_text_copy(*text);
        if (!*text)
            status = rw_fail(prediction->scene->context, RW_OUT_OF_MEMORY, "no memory left for the options");
    }
    return status;
}

static void destroy(void *value)
{
    rw_session *session = value;
    rw_prediction *prediction = &session->prediction;
    const text_list texts = texts_of(prediction->model);
    if (session->state)
        prediction->model->close(session->state);
    rw_device_free(prediction->scene->context->backend, session->device_indoor);
    rw_prediction_release(prediction);
    rw_received_memory_free(&session->received);
    rw_account_close(session->account);
    for (size_t i = 0; i < texts.count; i++)
        free((char *)(uintptr_t)*text_at(&prediction->options_taken, texts.at[i]));
    free(session->key);
    free(session);
}

static const rw_cache_kind session_kind = {"sessions", 2, destroy};

void rw_session_close(rw_session *session, int keep)
{
    rw_prediction *prediction = &session->prediction;
    prediction->options_taken.transmitters = NULL; /* the caller's */
    prediction->options_taken.params = NULL;
    if (keep)
        rw_scene_cache_give(prediction->scene, &session_kind, session->key, session->key->size, session);
    else
        destroy(session);
}

void rw_sessions_close_idle(const rw_scene *scene)
{
    rw_scene_cache_drop_idle(scene, &session_kind);
}

/* A new session of a checked call, without receivers, transmitters and state. */
static rw_status create(const rw_prediction *checked, rw_session **session_out)
{
    rw_session *session;
    rw_context *context = checked->scene->context;
    RW_TRY(rw_array_create(context, 1, sizeof *session, "a session", &session));
    session->prediction = *checked;
    rw_prediction *prediction = &session->prediction;
    prediction->options = &prediction->options_taken;
    rw_status status = copy_texts(prediction);
    if (status == RW_OK)
        status = rw_prediction_open_account(prediction, &session->account);
    prediction->layers = prediction->options->layers ? prediction->options->layers : prediction->model->default_layers;
    if (status == RW_OK)
        *session_out = session;
    else
        destroy(session);
    return status;
}

static rw_status open_model(rw_session *session)
{
    rw_prediction *prediction = &session->prediction;
    RW_TRY(rw_prediction_place(prediction, &session->cells));
    return session->state ? RW_OK : prediction->model->open(prediction, RW_USE_MAP, &session->state);
}

/* The place of a part goes into the options too, since sessions are told apart by these. */
static rw_status find_cells(const rw_reach *reach, rw_prediction *checked, rw_map_info *cells)
{
    if (!reach)
        return rw_prediction_cells(checked->scene, checked->options, cells);
    double *area_m = checked->options_taken.area_m;
    checked->reach = *reach;
    *cells = reach->cells;
    cells->rx_height_m = checked->options->rx_height_m;
    area_m[0] = cells->x0_m;
    area_m[1] = cells->y0_m;
    area_m[2] = cells->x0_m + (double)cells->columns * cells->res_m;
    area_m[3] = cells->y0_m + (double)cells->rows * cells->res_m;
    return RW_OK;
}

static rw_status open_session(const rw_scene *scene, const rw_predict_options *options, int in_caller_memory,
                              const rw_reach *reach, rw_session **session_out)
{
    rw_prediction checked;
    rw_map_info cells;
    rw_session_key *key;
    RW_TRY(rw_prediction_begin(scene, options, &checked));
    checked.in_caller_memory = in_caller_memory;
    RW_TRY(find_cells(reach, &checked, &cells));
    RW_TRY(make_key(&checked, &key));
    rw_session *session = rw_scene_cache_borrow(scene, &session_kind, key, key->size);
    rw_status status = RW_OK;
    /* What is open has its memory: the estimate, which samples the scene, is for new ones and for more transmitters. */
    if (!session || checked.options->transmitter_count > session->checked_count[in_caller_memory])
        status = rw_prediction_check_budgets(&checked, &cells);
    if (status == RW_OK && !session)
        status = create(&checked, &session);
    if (status != RW_OK) {
        if (session)
            rw_session_close(session, 1);
        free(key);
        return status;
    }
    free(session->key);
    session->key = key;
    session->cells = cells;
    if (session->checked_count[in_caller_memory] < checked.options->transmitter_count)
        session->checked_count[in_caller_memory] = checked.options->transmitter_count;
    session->prediction.in_caller_memory = in_caller_memory;
    session->prediction.parts_before = session->prediction.parts_in_all = 0;
    session->prediction.options_taken.transmitters = checked.options_taken.transmitters;
    session->prediction.options_taken.transmitter_count = checked.options_taken.transmitter_count;
    session->prediction.options_taken.params = checked.options_taken.params;
    rw_account *before = rw_account_enter(session->account);
    status = open_model(session);
    rw_account_enter(before);
    if (status != RW_OK)
        rw_session_close(session, 0);
    else
        *session_out = session;
    return status;
}

rw_status rw_session_open(const rw_scene *scene, const rw_predict_options *options, int in_caller_memory,
                          rw_session **session)
{
    rw_progress_range_set((rw_progress_range){0, 1});
    return open_session(scene, options, in_caller_memory, NULL, session);
}

rw_status rw_session_open_reach(const rw_scene *scene, const rw_predict_options *options, const rw_reach *reach,
                                rw_session **session)
{
    return open_session(scene, options, 0, reach, session);
}
