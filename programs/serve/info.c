/* What the server can do: models, their options and layers, and its limits. */
#include "report/report.h"
#include "serve/serving.h"

#include <math.h>
#include <string.h>

static void write_word_list(struct json *json, const char *key, const char *words)
{
    json_list(json, key);
    while (words && *words) {
        char word[64];
        size_t length = strcspn(words, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        json_string(json, NULL, word);
        words += length + (words[length] != 0);
    }
    json_list_end(json);
}

static void write_model_option(struct json *json, const rw_model_option_info *info)
{
    static const char *const types[] = {
        [RW_OPTION_INTEGER] = "whole", [RW_OPTION_QUANTITY] = "number", [RW_OPTION_STRING] = "text",
        [RW_OPTION_CHOICE] = "choice", [RW_OPTION_LIST] = "list",       [RW_OPTION_FILE] = "file",
        [RW_OPTION_AREA] = "area",     [RW_OPTION_PLANE] = "plane",     [RW_OPTION_BINS] = "bins",
        [RW_OPTION_DATABASE] = "file", [RW_OPTION_PARAMS] = "file",     [RW_OPTION_STORED_FILE] = "file"};
    json_object(json, NULL);
    json_string(json, "name", info->name);
    json_string(json, "type", types[info->type]);
    if (info->type == RW_OPTION_INTEGER || info->type == RW_OPTION_QUANTITY) {
        json_number(json, "min", info->min);
        json_number(json, "max", info->max);
    }
    json_string(json, "default", info->default_text ? info->default_text : "");
    json_string(json, "unit", info->unit);
    json_string(json, "help", info->help);
    json_flag(json, "of_all_models", info->of_all_models);
    if (info->choices)
        write_word_list(json, "choices", info->choices);
    json_object_end(json);
}

static void write_model(struct json *json, size_t index)
{
    const char *model = rw_model_name(index);
    rw_model_option_info info = {.size = sizeof info};
    json_object(json, NULL);
    json_string(json, "name", model);
    json_string(json, "title", rw_model_title(index));
    json_list(json, "options");
    for (size_t i = 0; rw_model_option_get(model, i, &info) == RW_OK; i++)
        if (info.calls & RW_OPTION_OF_PREDICT)
            write_model_option(json, &info);
    json_list_end(json);
    write_word_list(json, "layers", rw_model_layers(index));
    write_word_list(json, "default_layers", rw_model_default_layers(index));
    json_object_end(json);
}

static int is_listed_before(size_t model, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i < model; i++)
        for (const char *at = rw_model_layers(i); *at; at += strcspn(at, ","), at += *at == ',')
            if (strcspn(at, ",") == length && strncmp(at, word, length) == 0)
                return 1;
    return 0;
}

static void write_layers_json(struct json *json)
{
    json_list(json, "layers");
    for (size_t model = 0; rw_model_name(model); model++)
        for (const char *at = rw_model_layers(model); *at; at += strcspn(at, ","), at += *at == ',') {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
            if (is_listed_before(model, word))
                continue;
            json_object(json, NULL);
            json_layer_facts(json, word);
            json_string(json, "unit", rw_layer_unit(word));
            json_flag(json, "per_transmitter", !rw_layer_is_combined(word));
            json_object_end(json);
        }
    json_list_end(json);
}

static void write_limits(struct json *json)
{
    json_object(json, "limits");
    json_count(json, "body_bytes", SERVE_BODY_MAX);
    json_count(json, "upload_bytes", SERVE_UPLOAD_MAX);
    json_count(json, "uploads_bytes", SERVE_UPLOADS_MAX);
    json_count(json, "connections", SERVE_CONNECTIONS_MAX);
    json_count(json, "queue", SERVE_QUEUE_MAX);
    json_count(json, "seconds", SERVE_CALL_SECONDS);
    json_count(json, "cells", SERVE_CELLS_MAX);
    json_count(json, "jobs_running", SERVE_JOBS_RUNNING);
    json_count(json, "jobs_waiting", SERVE_JOBS_WAITING);
    json_count(json, "job_seconds", SERVE_JOB_SECONDS);
    json_count(json, "job_bytes", SERVE_JOB_BYTES);
    json_object_end(json);
}

int answer_info_at_once(void *user, struct serve_task *task, struct serve_answer *answer)
{
    serve_info(user, task, answer);
    return 1;
}

void serve_info(void *user, struct serve_task *task, struct serve_answer *answer)
{
    struct engine *engine = user;
    struct json json;
    FILE *stream = serve_answer_json(answer);
    (void)task;
    if (!stream)
        return;
    json_begin(&json, stream);
    json_string(&json, "version", rw_version());
    json_string(&json, "backend", rw_context_backend(engine->context));
    json_string(&json, "machine", rw_context_machine(engine->context));
    json_string(&json, "features", rw_build_features());
    pthread_mutex_lock(&engine->lock);
    json_string(&json, "scene", engine->scene);
    pthread_mutex_unlock(&engine->lock);
    if (engine->settings->backdrop)
        json_string(&json, "backdrop", engine->settings->backdrop);
    json_list(&json, "models");
    for (size_t i = 0; rw_model_name(i); i++)
        write_model(&json, i);
    json_list_end(&json);
    write_layers_json(&json);
    write_limits(&json);
    json_end(&json);
}
