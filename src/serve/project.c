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
    char *text = serve_load(PROJECT, SERVE_BODY_MAX, &size);
    int is_json = text && text[0] == '{';
    FILE *stream = serve_answer_json(&task->answer);
    if (stream)
        fprintf(stream, "{\"file\": \"%s\", \"project\": %s, \"is_yaml\": %s}\n", PROJECT, is_json ? text : "null",
                text && !is_json ? "true" : "false"); /* as a person wrote it: POST /v1/project/read reads it */
    free(text);
}

/* What a person wrote by hand, with its comments, is kept beside what the page saves. */
static int keep_own_project(void)
{
    size_t size;
    char *text = serve_load(PROJECT, SERVE_BODY_MAX, &size);
    int is_kept = !text || text[0] == '{' || serve_store(PROJECT_BY_HAND, text, size);
    free(text);
    return is_kept;
}

static void put_value(FILE *stream, const rw_json *json, const rw_json_value *value)
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
        rw_json_put_number(stream, value->number);
        return;
    case RW_JSON_TEXT:
        rw_json_put_text(stream, value->text);
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
            rw_json_put_text(stream, at->key);
            fputs(": ", stream);
        }
        put_value(stream, json, at);
    }
    fputc(is_object ? '}' : ']', stream);
}

void serve_project_put(struct serve_server *server, struct serve_task *task, const char *rest)
{
    const rw_json *json = serve_task_json(task);
    const rw_json_value *project = rw_json_member(json, &json->values[0], "project");
    char *text = NULL;
    size_t size = 0;
    (void)server;
    (void)rest;
    if (!project || project->kind != RW_JSON_OBJECT) {
        serve_answer_error(&task->answer, 400, "send {\"project\": {...}}",
                           "project: an object of options is expected");
        return;
    }
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        put_value(stream, json, project);
        fputc('\n', stream);
    }
    if (!stream || fclose(stream) != 0 || !keep_own_project() || !serve_store(PROJECT, text, size)) {
        serve_answer_error(&task->answer, 503, NULL, "%s cannot be written: %s", PROJECT, strerror(errno));
        free(text);
        return;
    }
    free(text);
    stream = serve_answer_json(&task->answer);
    if (stream)
        fprintf(stream, "{\"file\": \"%s\", \"bytes\": %zu}\n", PROJECT, size);
}
