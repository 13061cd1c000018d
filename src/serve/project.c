/* The project that the page saves: a project file of the command line, kept whole whatever happens. JSON is YAML. */
#include "base/text/json_write.h"
#include "serve/http.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROJECT "project.yaml"
#define PROJECTS_BY_HAND_MAX 1000

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

/* The text of a project as the page saves it; NULL if memory is short. */
static char *format_project(const rw_json *json, const rw_json_value *project, size_t *size)
{
    char *content = NULL;
    FILE *stream = open_memstream(&content, size);
    if (!stream)
        return NULL;
    write_json_value(stream, json, project);
    fputc('\n', stream);
    if (fclose(stream) == 0)
        return content;
    free(content);
    return NULL;
}

/* The project file, if it is one that the page has saved: exactly what format_project writes. NULL if there is none, or
 * a person wrote it, in YAML or in JSON with a layout of their own. */
static char *load_saved_project(void)
{
    size_t size, again_size = 0;
    rw_json json = {0};
    rw_json_fault fault;
    char *content = serve_load(PROJECT, SERVE_BODY_MAX, &size), *again = NULL;
    int is_text = content && strlen(content) == size;
    char *copy = is_text ? strdup(content) : NULL; /* rw_json_read takes it over and changes it */
    if (copy && rw_json_read(copy, size, serve_grow_json, NULL, &json, &fault) == RW_OK) {
        again = json.values[0].kind == RW_JSON_OBJECT ? format_project(&json, &json.values[0], &again_size) : NULL;
        rw_json_free(&json);
    }
    int is_saved = again && again_size == size && memcmp(again, content, size) == 0;
    free(again);
    if (is_saved)
        return content;
    free(content);
    return NULL;
}

void serve_project_get(struct serve_server *server, struct serve_task *task, const char *rest)
{
    struct stat about;
    (void)server;
    (void)rest;
    char *content = load_saved_project();
    int is_yaml = !content && lstat(PROJECT, &about) == 0; /* POST /v1/project/read reads it */
    FILE *stream = serve_answer_json(&task->answer);
    if (stream)
        fprintf(stream, "{\"file\": \"%s\", \"project\": %s, \"is_yaml\": %s}\n", PROJECT, content ? content : "null",
                is_yaml ? "true" : "false");
    free(content);
}

/* What a person wrote, with its comments, keeps a name of its own: project.by-hand.yaml, project.by-hand-2.yaml, ... A
 * second name of the same file needs no memory and is there at every moment; where the disk has no such names (FAT) the
 * file is renamed. */
static int preserve_own_project(void)
{
    struct stat about;
    char *saved = load_saved_project();
    int is_saved = saved != NULL;
    free(saved);
    if (is_saved || (lstat(PROJECT, &about) != 0 && errno == ENOENT))
        return 1;
    for (int number = 1; number <= PROJECTS_BY_HAND_MAX; number++) {
        char name[64];
        snprintf(name, sizeof name, number == 1 ? "project.by-hand.yaml" : "project.by-hand-%d.yaml", number);
        if (lstat(name, &about) == 0)
            continue;
        if (link(PROJECT, name) == 0 || (errno == EPERM && rename(PROJECT, name) == 0))
            return 1;
        if (errno != EEXIST)
            return 0;
    }
    errno = EEXIST;
    return 0;
}

void serve_project_write(struct serve_server *server, struct serve_task *task, const char *rest)
{
    const rw_json *json = serve_task_json(task);
    const rw_json_value *project = rw_json_member(json, &json->values[0], "project");
    size_t size = 0;
    (void)server;
    (void)rest;
    if (!project || project->kind != RW_JSON_OBJECT) {
        serve_answer_error(&task->answer, 400, "send {\"project\": {...}}",
                           "project: an object of options is expected");
        return;
    }
    char *content = format_project(json, project, &size);
    if (!content || !preserve_own_project() || !serve_store(PROJECT, content, size)) {
        serve_answer_error(&task->answer, 503, NULL, "%s cannot be written: %s", PROJECT, strerror(errno));
        free(content);
        return;
    }
    free(content);
    FILE *stream = serve_answer_json(&task->answer);
    if (stream)
        fprintf(stream, "{\"file\": \"%s\", \"bytes\": %zu}\n", PROJECT, size);
}
