/* Projects that the page saves: project files of the command line, kept whole whatever happens. JSON is YAML. The one
 * without an id is project.yaml; others, of further tabs and scenes, are below projects/. */
#include "base/text/json_write.h"
#include "serve/http.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROJECT "project.yaml"
#define PROJECTS "projects"
#define PROJECTS_BY_HAND_MAX 1000
#define PROJECTS_LISTED_MAX 500
#define ID_MAX 40
#define PATH_SIZE 80

void serve_write_json(FILE *stream, const rw_json *json, const rw_json_value *value)
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
        serve_write_json(stream, json, at);
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
    serve_write_json(stream, json, project);
    fputc('\n', stream);
    if (fclose(stream) == 0)
        return content;
    free(content);
    return NULL;
}

/* The project file, if it is one that the page has saved: exactly what format_project writes. NULL if there is none, or
 * a person wrote it, in YAML or in JSON with a layout of their own. */
static char *load_saved_project(const char *path)
{
    size_t size, again_size = 0;
    rw_json json = {0};
    rw_json_fault fault;
    char *content = serve_load(path, SERVE_BODY_MAX, &size), *again = NULL;
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

static int is_project_id(const char *id)
{
    size_t length = strlen(id);
    return length > 0 && length <= ID_MAX && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* The file of the project that the request names (?id=). 0: it has been answered what is wrong. */
static int locate_project(struct serve_task *task, char path[PATH_SIZE])
{
    const char *id = serve_task_argument(task, "id");
    if (id && !*id)
        id = NULL;
    if (id && !is_project_id(id)) {
        serve_answer_error(&task->answer, 400, "GET /v1/projects lists them",
                           "id: at most %d letters a to z, digits and - are possible", ID_MAX);
        return 0;
    }
    if (id)
        snprintf(path, PATH_SIZE, PROJECTS "/%s.yaml", id);
    else
        snprintf(path, PATH_SIZE, "%s", PROJECT);
    return 1;
}

void serve_project_get(struct serve_server *server, struct serve_task *task, const char *rest)
{
    struct stat about;
    char path[PATH_SIZE];
    (void)server;
    (void)rest;
    if (!locate_project(task, path))
        return;
    char *content = load_saved_project(path);
    int is_yaml = !content && lstat(path, &about) == 0; /* POST /v1/project/read reads it */
    FILE *stream = serve_answer_json(&task->answer);
    if (stream)
        fprintf(stream, "{\"file\": \"%s\", \"project\": %s, \"is_yaml\": %s}\n", path, content ? content : "null",
                is_yaml ? "true" : "false");
    free(content);
}

/* id NULL: project.yaml. Returns 1 if it is there. */
static int write_project_entry(FILE *stream, const char *id, const char *path, const char *between)
{
    struct stat about;
    size_t size;
    rw_json json = {0};
    rw_json_fault fault;
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return 0;
    fprintf(stream, "%s{\"id\": ", between);
    rw_json_write_string(stream, id ? id : "");
    fprintf(stream, ", \"changed\": %lld, \"scene\": ", (long long)about.st_mtime);
    char *content = serve_load(path, SERVE_BODY_MAX, &size); /* rw_json_read takes it over */
    if (content && strlen(content) != size) {
        free(content);
        content = NULL;
    }
    int is_json = content && rw_json_read(content, size, serve_grow_json, NULL, &json, &fault) == RW_OK;
    const char *scene = is_json && json.values[0].kind == RW_JSON_OBJECT
                            ? rw_json_string(rw_json_member(&json, &json.values[0], "scene"), NULL)
                            : NULL;
    if (scene)
        rw_json_write_string(stream, scene);
    else
        fputs("null", stream);
    fputs("}", stream);
    if (is_json)
        rw_json_free(&json);
    return 1;
}

void serve_project_list(struct serve_server *server, struct serve_task *task, const char *rest)
{
    struct dirent *entry;
    size_t count = 0;
    (void)server;
    (void)rest;
    FILE *stream = serve_answer_json(&task->answer);
    if (!stream)
        return;
    fputs("{\"projects\": [", stream);
    count += (size_t)write_project_entry(stream, NULL, PROJECT, "");
    DIR *folder = opendir(PROJECTS);
    while (folder && (entry = readdir(folder)) != NULL && count < PROJECTS_LISTED_MAX) {
        char id[ID_MAX + 1], path[PATH_SIZE];
        size_t length = strcspn(entry->d_name, ".");
        if (length > ID_MAX || strcmp(entry->d_name + length, ".yaml") != 0)
            continue;
        snprintf(id, sizeof id, "%.*s", (int)length, entry->d_name);
        snprintf(path, sizeof path, PROJECTS "/%s.yaml", id);
        if (is_project_id(id))
            count += (size_t)write_project_entry(stream, id, path, count ? ", " : "");
    }
    if (folder)
        closedir(folder);
    fputs("]}\n", stream);
}

/* What a person wrote, with its comments, keeps a name of its own: project.by-hand.yaml, project.by-hand-2.yaml, ... A
 * second name of the same file needs no memory and is there at every moment; where the disk has no such names (FAT) the
 * file is renamed. */
static int preserve_own_project(const char *path)
{
    struct stat about;
    char *saved = load_saved_project(path);
    int is_saved = saved != NULL, stem = (int)strlen(path) - (int)strlen(".yaml");
    free(saved);
    if (is_saved || (lstat(path, &about) != 0 && errno == ENOENT))
        return 1;
    for (int number = 1; number <= PROJECTS_BY_HAND_MAX; number++) {
        char name[PATH_SIZE + 32], suffix[16] = "";
        if (number > 1)
            snprintf(suffix, sizeof suffix, "-%d", number);
        snprintf(name, sizeof name, "%.*s.by-hand%s.yaml", stem, path, suffix);
        if (lstat(name, &about) == 0)
            continue;
        if (link(path, name) == 0 || (errno == EPERM && rename(path, name) == 0))
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
    char path[PATH_SIZE];
    size_t size = 0;
    (void)rest;
    if (!locate_project(task, path))
        return;
    if (!server->program->check_project(json, project, &task->answer))
        return;
    char *content = format_project(json, project, &size);
    int has_folder = strcmp(path, PROJECT) == 0 || mkdir(PROJECTS, 0777) == 0 || errno == EEXIST;
    if (!content || !has_folder || !preserve_own_project(path) || !serve_store(path, content, size)) {
        serve_answer_error(&task->answer, 503, NULL, "%s cannot be written: %s", path, strerror(errno));
        free(content);
        return;
    }
    free(content);
    FILE *stream = serve_answer_json(&task->answer);
    if (stream)
        fprintf(stream, "{\"file\": \"%s\", \"bytes\": %zu}\n", path, size);
}
