/* The project that the page saves: a project file of the command line, kept whole whatever happens. JSON is YAML. */
#include "base/text/json_write.h"
#include "serve/server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROJECT "project.yaml"
#define PROJECT_BY_HAND "project.by-hand.yaml"

void serve_project_get(struct serve_server *server, struct serve_task *task, const char *rest)
{
    size_t size;
    (void)server;
    (void)rest;
    char *content = serve_load(PROJECT, SERVE_BODY_MAX, &size);
    int is_json = content && content[0] == '{';
    FILE *stream = serve_answer_json(&task->answer);
    if (stream)
        fprintf(stream, "{\"file\": \"%s\", \"project\": %s, \"is_yaml\": %s}\n", PROJECT, is_json ? content : "null",
                content && !is_json ? "true" : "false"); /* as a person wrote it: POST /v1/project/read reads it */
    free(content);
}

/* What a person wrote by hand, with its comments, is kept beside what the page saves. */
static int store_own_project(void)
{
    size_t size;
    char *content = serve_load(PROJECT, SERVE_BODY_MAX, &size);
    int is_retained = !content || content[0] == '{' || serve_store(PROJECT_BY_HAND, content, size);
    free(content);
    return is_retained;
}

static void write_json_value(FILE *stream, const rw_json *json, const rw_json_value *value)
{
    const char *between = "";
    switch (value->kind) {
    case RW_JSON_NULL:
        fputs("null", stream);
        return;
    case RW_JSON_FALSE:
    case RW_JSON_TRUE:
        fputs(value->kind == RW_JSON_TRUE ? "true" : "false", stream);
        return;
    case RW_JSON_NUMBER:
        rw_json_write_number(stream, value->number);
        return;
    case RW_JSON_STRING:
        rw_json_write_string(stream, value->string);
        return;
    case RW_JSON_ARRAY:
    case RW_JSON_OBJECT:
        break;
    }
    int is_object = value->kind == RW_JSON_OBJECT;
    fputc(is_object ? '{' : '[', stream);
    for (const rw_json_value *at = rw_json_first(json, value); at; at = rw_json_next(json, at), between = ", ") {
        fputs(between, stream);
        if (is_object) {
            rw_json_write_string(stream, at->key);
            fputs(": ", stream);
        }
        write_json_value(stream, json, at);
    }
    fputc(is_object ? '}' : ']', stream);
}

void serve_project_write(struct serve_server *server, struct serve_task *task, const char *rest)
{
    const rw_json *json = serve_task_json(task);
    const rw_json_value *project = rw_json_member(json, &json->values[0], "project");
    char *content = NULL;
    size_t size = 0;
    (void)server;
    (void)rest;
    if (!project || project->kind != RW_JSON_OBJECT) {
        serve_answer_error(&task->answer, 400, "send {\"project\": {...}}",
                           "project: an object of options is expected");
        return;
    }
    FILE *stream = open_memstream(&content, &size);
    if (stream) {
        write_json_value(stream, json, project);
        fputc('\n', stream);
    }
    if (!stream || fclose(stream) != 0 || !store_own_project() || !serve_store(PROJECT, content, size)) {
        serve_answer_error(&task->answer, 503, NULL, "%s cannot be written: %s", PROJECT, strerror(errno));
        free(content);
        return;
    }
    free(content);
    stream = serve_answer_json(&task->answer);
    if (stream)
        fprintf(stream, "{\"file\": \"%s\", \"bytes\": %zu}\n", PROJECT, size);
}
