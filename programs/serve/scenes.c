/* The scenes below the root, and choosing one. */
#include "report/json.h"
#include "serve/serving.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define DEPTH_MAX 3
#define FILES_MOST 500

#define BEGIN_BYTES 400

/* By the name's end. */
static int is_scene_name(const char *name)
{
    static const char *const ends[] = {".gpkg", ".geojson",   ".shp",      ".obj", ".ply", ".xml",
                                       ".dxf",  ".city.json", ".cityjson", ".res", ".gml", NULL};
    size_t length = strlen(name);
    for (const char *const *end = ends; *end; end++)
        if (length > strlen(*end) && strcasecmp(name + length - strlen(*end), *end) == 0)
            return 1;
    return 0;
}

/* CityJSON and floor plans have names that other files have too: their beginning tells. */
static int is_scene_inside(const char *path, const char *name)
{
    static const char *const words[][2] = {
        {".json", "\"CityJSON\""}, {".csv", "x1"}, {".csv", "x1_m"}, {".csv", "x1_px"}};
    char begin[BEGIN_BYTES + 1];
    size_t length = strlen(name), count = 0;
    if (length < 5 || (strcasecmp(name + length - 5, ".json") != 0 && strcasecmp(name + length - 4, ".csv") != 0))
        return 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    count = fread(begin, 1, BEGIN_BYTES, file);
    fclose(file);
    begin[count] = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t word = strlen(words[i][1]), end = strlen(words[i][0]);
        if (strcasecmp(name + length - end, words[i][0]) != 0)
            continue;
        if (i == 0 ? strstr(begin, words[i][1]) != NULL
                   : strncasecmp(begin, words[i][1], word) == 0 && strchr(",;\t", begin[word]) && begin[word])
            return 1;
    }
    return 0;
}

static void list_folder(struct json *json, const char *folder, int depth, size_t *count)
{
    DIR *open = opendir(*folder ? folder : ".");
    struct dirent *entry;
    while (open && (entry = readdir(open)) != NULL && *count < FILES_MOST) {
        char path[1024];
        struct stat about;
        if (entry->d_name[0] == '.')
            continue;
        int length = snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", entry->d_name);
        if (length >= (int)sizeof path || lstat(path, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode) && depth < DEPTH_MAX)
            list_folder(json, path, depth + 1, count);
        if (!S_ISREG(about.st_mode) || (!is_scene_name(entry->d_name) && !is_scene_inside(path, entry->d_name)))
            continue;
        json_object(json, NULL);
        json_string(json, "file", path);
        json_number(json, "bytes", (double)about.st_size);
        json_object_end(json);
        ++*count;
    }
    if (open)
        closedir(open);
}

void serve_scenes(void *user, struct serve_task *task, struct serve_answer *answer)
{
    struct engine *engine = user;
    struct json json;
    size_t count = 0;
    FILE *stream = serve_answer_json(answer);
    (void)task;
    if (!stream)
        return;
    json_begin(&json, stream);
    pthread_mutex_lock(&engine->lock);
    json_string(&json, "scene", engine->scene);
    pthread_mutex_unlock(&engine->lock);
    json_list(&json, "files");
    list_folder(&json, "", 0, &count);
    json_list_end(&json);
    json_list(&json, "generators");
    json_string(&json, NULL, "city");
    json_string(&json, NULL, "office");
    json_string(&json, NULL, "terrain");
    json_list_end(&json);
    json_end(&json);
}

/* {"generate": "city", "seed": 2, "size": "1km,1km"} is "city:seed=2:size=1km,1km". */
static int generator_name(const rw_json *json, const char *kind, char *name, size_t size)
{
    size_t used = (size_t)snprintf(name, size, "%.100s", kind);
    const rw_json_value *value = rw_json_first(json, &json->values[0]);
    for (; value; value = rw_json_next(json, value)) {
        char number[40];
        const char *string = rw_json_string(value, NULL);
        if (strcmp(value->key, "generate") == 0 || strcmp(value->key, "project") == 0 || value->kind == RW_JSON_FALSE ||
            value->kind == RW_JSON_NULL)
            continue;
        if (value->kind == RW_JSON_NUMBER)
            snprintf(number, sizeof number, "%.17g", value->number);
        if (value->kind == RW_JSON_TRUE)
            used += (size_t)snprintf(name + used, size - used, ":%.40s", value->key);
        else if (value->kind == RW_JSON_NUMBER || string)
            used += (size_t)snprintf(name + used, size - used, ":%.40s=%.100s", value->key, string ? string : number);
        if (used >= size || (!string && value->kind != RW_JSON_NUMBER && value->kind != RW_JSON_TRUE))
            return report_error("generate: %.40s is no setting of a generator", value->key);
    }
    return is_generator(name) ? 0 : report_error("generate: city, office or terrain is expected");
}

static int name_of_scene(const rw_json *json, struct call *call, char *name, size_t size)
{
    const char *file = rw_json_string(rw_json_member(json, &json->values[0], "file"), NULL);
    const char *kind = rw_json_string(rw_json_member(json, &json->values[0], "generate"), NULL);
    if (!file == !kind)
        return report_error("a scene is a \"file\" below the root, or \"generate\": city, office or terrain");
    if (kind)
        return generator_name(json, kind, name, size);
    for (const rw_json_value *at = rw_json_first(json, &json->values[0]); at; at = rw_json_next(json, at))
        if (strcmp(at->key, "file") != 0 && strcmp(at->key, "project") != 0 && at->kind != RW_JSON_NULL)
            return report_error("%.40s: a scene that is a file has no such setting", at->key);
    if ((size_t)snprintf(name, size, "%s", file) >= size)
        return report_error("file: the name is too long");
    return check_inside_root(call, "scene", name);
}

static int open_named_scene(struct engine *engine, struct serve_task *task, struct served_call *served,
                            struct serve_answer *answer)
{
    char name[512];
    rw_scene *scene;
    TRY(begin_served_call(engine, task, "predict", served));
    const struct scene_options *own = &engine->settings->scene;
    const rw_json *json = serve_task_json(task);
    TRY(name_of_scene(json, &served->call, name, sizeof name));
    /* With the options of the request's project, or those of serve: not those that it was open with. */
    pthread_mutex_lock(&engine->lock);
    int is_first = strcmp(name, own->file) == 0;
    *scene_options_of(&served->call) = is_first ? *own : (struct scene_options){0};
    pthread_mutex_unlock(&engine->lock);
    TRY(read_project_json(&served->call, json, rw_json_member(json, &json->values[0], "project")));
    scene_options_of(&served->call)->file = store_string(&served->call, name);
    if (!scene_options_of(&served->call)->file)
        return report_out_of_memory("the scene");
    TRY(find_warm_scene(engine, served, &scene));
    TRY(store_scene_name(engine, &served->call));
    store_description(engine, served, scene);
    describe_scene(served, scene, answer);
    return 0;
}

void serve_open_scene(void *user, struct serve_task *task, struct serve_answer *answer)
{
    answer_by(open_named_scene, user, task, answer);
}
