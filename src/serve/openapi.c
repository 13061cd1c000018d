/* The description of the interface: openapi.json, in which "@METHOD PATH" stands for the schema of a route's body, and
 * "@Project" and the like for those that the program writes from the tables of options. */
#include "base/text/json_write.h"
#include "serve/http.h"

#include <stdlib.h>
#include <string.h>

static void write_body_schema(FILE *stream, const struct serve_member *members)
{
    const char *between = "";
    const struct serve_member *any = NULL, *member;
    fputs("{\"type\": \"object\", \"properties\": {", stream);
    for (member = members; member->name; member++) {
        if (strcmp(member->name, SERVE_ANY_NAME) == 0) {
            any = member;
            continue;
        }
        fprintf(stream, "%s\"%s\": {", between, member->name);
        serve_write_type(stream, member->kinds | (member->is_required ? 0 : SERVE_NULL));
        fprintf(stream, "%s%s}", member->schema ? ", " : "", member->schema ? member->schema : "");
        between = ", ";
    }
    fputs("}, \"required\": [", stream);
    between = "";
    for (member = members; member->name; member++)
        if (member->is_required) {
            fprintf(stream, "%s\"%s\"", between, member->name);
            between = ", ";
        }
    fputs("], \"additionalProperties\": ", stream);
    if (any) {
        fputs("{", stream);
        serve_write_type(stream, any->kinds);
        fputs("}}", stream);
    } else {
        fputs("false}", stream);
    }
}

/* "POST /v1/predict", or the name of a schema that the program writes. */
static void write_named_schema(const struct serve_server *server, FILE *stream, const char *name)
{
    char method[8] = "";
    const char *path = strchr(name, ' ');
    if (!path) {
        server->program->write_schema(name, stream);
        return;
    }
    snprintf(method, sizeof method, "%.*s", (int)(path - name), name);
    const struct serve_member *members = serve_find_members(server, method, path + 1);
    if (members)
        write_body_schema(stream, members);
    else
        fputs("{}", stream);
}

static void write_document(const struct serve_server *server, FILE *stream, const rw_json *json,
                           const rw_json_value *value)
{
    const char *between = "";
    if (value->kind != RW_JSON_OBJECT && value->kind != RW_JSON_ARRAY) {
        serve_write_json(stream, json, value);
        return;
    }
    fputc(value->kind == RW_JSON_OBJECT ? '{' : '[', stream);
    for (const rw_json_value *at = rw_json_first(json, value); at; at = rw_json_next(json, at), between = ", ") {
        fputs(between, stream);
        if (at->key) {
            rw_json_write_string(stream, at->key);
            fputs(": ", stream);
        }
        if (at->kind == RW_JSON_STRING && at->string[0] == '@')
            write_named_schema(server, stream, at->string + 1);
        else
            write_document(server, stream, json, at);
    }
    fputc(value->kind == RW_JSON_OBJECT ? '}' : ']', stream);
}

void serve_openapi(struct serve_server *server, struct serve_task *task, const char *rest)
{
    rw_json json = {0};
    rw_json_fault fault;
    const struct serve_embedded *file = &serve_openapi_files[0];
    char *copy = malloc(file->size + 1);
    (void)rest;
    if (copy) {
        memcpy(copy, file->bytes, file->size);
        copy[file->size] = 0;
    }
    if (!copy || rw_json_read(copy, file->size, serve_grow_json, NULL, &json, &fault) != RW_OK) {
        serve_answer_error(&task->answer, 503, NULL, "no memory left for the description of the interface");
        return;
    }
    FILE *stream = serve_answer_json(&task->answer);
    if (stream) {
        write_document(server, stream, &json, &json.values[0]);
        fputc('\n', stream);
    }
    rw_json_free(&json);
}
