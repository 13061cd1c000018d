#include "models/engine/run/session.h"

#include "base/memory.h"
#include "discretise/scene_cache.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Texts among the options of a model, of which a session has copies of its own: where they are in the options. */
#define STRINGS_MAX 32

typedef struct string_list {
    size_t at[STRINGS_MAX], count;
} string_list;

static string_list list_option_strings(const rw_model *model)
{
    string_list strings = {.at = {offsetof(rw_predict_options, model)}, .count = 1};
    const rw_model_option *option;
    int of_all;
    for (size_t i = 0; (option = rw_model_option_at(model, i, &of_all)) != NULL && strings.count < STRINGS_MAX; i++)
        if (option->at && rw_option_is_string(option))
            strings.at[strings.count++] = option->at;
    return strings;
}

/* Transmitters at a time on which the size of a session's memory depends. */
#define BATCH_MAX 64

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
    char strings[];
} rw_session_key;

static const char **locate_option_string(rw_predict_options *options, size_t at)
{
    return (const char **)(void *)((char *)options + at);
}

static size_t count_string_bytes(const char *string)
{
    return string ? strlen(string) + 1 : 1;
}

static rw_status build_session_key(const rw_prediction *prediction, rw_session_key **key_out)
{
    rw_predict_options options = prediction->resolved_options;
    const string_list strings = list_option_strings(prediction->model);
    size_t bytes = sizeof **key_out;
    for (size_t i = 0; i < strings.count; i++)
        bytes += count_string_bytes(*locate_option_string(&options, strings.at[i]));
    rw_session_key *key;
    RW_TRY(rw_array_create(prediction->scene->context, bytes, 1, "a session", &key));
    char *at = key->strings;
    for (size_t i = 0; i < strings.count; i++) {
        const char **string = locate_option_string(&options, strings.at[i]);
        memcpy(at, *string ? *string : "\1", count_string_bytes(*string));
        at += count_string_bytes(*string);
        *string = NULL;
    }
    key->size = bytes;
    key->database = options.database;
    key->batch = options.transmitter_count < BATCH_MAX ? options.transmitter_count : BATCH_MAX;
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

static rw_status copy_option_strings(rw_prediction *prediction)
{
    const string_list strings = list_option_strings(prediction->model);
    rw_status status = RW_OK;
    for (size_t i = 0; i < strings.count; i++) {
        const char **string = locate_option_string(&prediction->resolved_options, strings.at[i]);
        if (!*string)
            continue;
        *string = rw_string_copy(*string);
        if (!*string)
            status = rw_fail(prediction->scene->context, RW_OUT_OF_MEMORY, "no memory left for the options");
    }
    return status;
}

static void destroy_session(void *value)
{
    rw_session *session = value;
    rw_prediction *prediction = &session->prediction;
    const string_list strings = list_option_strings(prediction->model);
    if (session->state)
        prediction->model->close(session->state);
    rw_device_free(prediction->scene->context->backend, session->device_indoor);
    rw_prediction_release(prediction);
    rw_received_memory_free(&session->received);
    rw_account_close(session->account);
    for (size_t i = 0; i < strings.count; i++)
        free((char *)(uintptr_t)*locate_option_string(&prediction->resolved_options, strings.at[i]));
    free(session->key);
    free(session);
}

static const rw_cache_kind session_kind = {"sessions", 2, destroy_session};

void rw_session_close(rw_session *session, int cache)
{
    rw_prediction *prediction = &session->prediction;
    prediction->resolved_options.transmitters = NULL; /* the caller's */
    prediction->resolved_options.params = NULL;
    if (cache)
        rw_scene_cache_return(prediction->scene, &session_kind, session->key, session->key->size, session);
    else
        destroy_session(session);
}

void rw_sessions_close_idle(const rw_scene *scene)
{
    rw_scene_cache_drop_idle(scene, &session_kind);
}

/* A new session of a checked call, without receivers, transmitters and state. */
static rw_status create_session(const rw_prediction *checked, rw_session **session_out)
{
    rw_session *session;
    rw_context *context = checked->scene->context;
    RW_TRY(rw_array_create(context, 1, sizeof *session, "a session", &session));
    session->prediction = *checked;
    rw_prediction *prediction = &session->prediction;
    prediction->options = &prediction->resolved_options;
    rw_status status = copy_option_strings(prediction);
    if (status == RW_OK)
        status = rw_prediction_open_account(prediction, &session->account);
    prediction->layers = prediction->options->layers ? prediction->options->layers : prediction->model->default_layers;
    if (status == RW_OK)
        *session_out = session;
    else
        destroy_session(session);
    return status;
}

static rw_status open_session_model(rw_session *session)
{
    rw_prediction *prediction = &session->prediction;
    RW_TRY(rw_prediction_locate(prediction, &session->cells));
    return session->state ? RW_OK : prediction->model->open(prediction, RW_USE_MAP, &session->state);
}

/* The place of a part goes into the options too, since sessions are told apart by these. */
static rw_status find_session_cells(const rw_reach *reach, rw_prediction *checked, rw_map_info *cells)
{
    if (!reach)
        return rw_prediction_cells(checked->scene, checked->options, cells);
    double *area_m = checked->resolved_options.area_m;
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
    RW_TRY(find_session_cells(reach, &checked, &cells));
    RW_TRY(build_session_key(&checked, &key));
    rw_session *session = rw_scene_cache_borrow(scene, &session_kind, key, key->size);
    rw_status status = RW_OK;
    /* What is open has its memory: the estimate, which samples the scene, is for new ones and for more transmitters. */
    if (!session || checked.options->transmitter_count > session->checked_count[in_caller_memory])
        status = rw_prediction_check_budgets(&checked, &cells);
    if (status == RW_OK && !session)
        status = create_session(&checked, &session);
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
    session->prediction.transmitters_before = session->prediction.transmitters_in_all = 0;
    session->prediction.resolved_options.transmitters = checked.resolved_options.transmitters;
    session->prediction.resolved_options.transmitter_count = checked.resolved_options.transmitter_count;
    session->prediction.resolved_options.params = checked.resolved_options.params;
    rw_account *before = rw_account_enter(session->account);
    status = open_session_model(session);
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
