/* Projects in requests: the keys of project files as a JSON object. */
#include "report/json.h"
#include "cli/cli.h"
#include "serve/serving.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX ((size_t)1 << 20) /* of one value */

/* Where output goes and how the call reports, and what belongs to the server: they do not matter here. */
static int is_excluded_key(const struct call *call, const char *name)
{
    return strcmp(name, "page") == 0 || strcmp(name, "command") == 0 || find_roles(name) & OF_SERVER ||
           find_value_type(call->command, name) == VALUE_WRITE || find_value_type(NULL, name) == VALUE_WRITE;
}

/* A file that was named when the server was started. */
static int is_own_file(const struct scene_options *own, const char *name, const char *string)
{
    const struct {
        const char *name, *file;
    } files[] = {{"scene", own ? own->file : NULL},
                 {"terrain", own ? own->terrain : NULL},
                 {"foliage", own ? own->foliage : NULL},
                 {"materials", own ? own->materials : NULL}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].file && strcmp(files[i].name, name) == 0 && strcmp(files[i].file, string) == 0)
            return 1;
    return 0;
}

int check_inside_root(struct call *call, const char *name, const char *string)
{
    const char *outside;
    if (is_own_file(call->own_scene, name, string))
        return 0;
    TRY(find_path_outside(call, name, string, "", &outside));
    return outside ? report_error("%s: %.200s is outside of the server's folder (--root)", name, outside) : 0;
}

/* The kinds of JSON that the value of an option may have. */
static unsigned kinds_of_type(enum value_type type)
{
    static const unsigned kinds[] = {[VALUE_FLAG] = SERVE_FLAG | SERVE_STRING,
                                     [VALUE_NUMBER] = SERVE_NUMBER | SERVE_STRING | SERVE_LIST,
                                     [VALUE_STRING] = SERVE_STRING | SERVE_NUMBER,
                                     [VALUE_LIST] = SERVE_STRING | SERVE_NUMBER | SERVE_LIST,
                                     [VALUE_READ] = SERVE_STRING,
                                     [VALUE_WRITE] = SERVE_STRING,
                                     [VALUE_READ_LIST] = SERVE_STRING | SERVE_LIST,
                                     [VALUE_REPEATED] = SERVE_STRING | SERVE_LIST};
    return kinds[type];
}

/* Keys of a project that are not options. */
static const struct serve_member own_keys[] = {{"command", SERVE_STRING, 0, NULL},
                                               {"page", SERVE_OBJECT, 0, NULL}, /* of the page alone */
                                               {NULL, 0, 0, NULL}};

static int find_own_key(const char *name, unsigned *kinds)
{
    const struct serve_member *member = own_keys;
    while (member->name && strcmp(member->name, name) != 0)
        member++;
    *kinds = member->kinds;
    return member->name != NULL;
}

static int is_given_before(const rw_json *json, const rw_json_value *object, const rw_json_value *value)
{
    const rw_json_value *at = rw_json_first(json, object);
    while (at != value && strcmp(at->key, value->key) != 0)
        at = rw_json_next(json, at);
    return at != value;
}

int check_option_value(const struct call *call, const rw_json *json, const rw_json_value *object,
                       const rw_json_value *value)
{
    unsigned kinds;
    enum value_type type = call ? find_value_type(call->command, value->key) : VALUE_NONE;
    if (type == VALUE_NONE) /* of another command */
        type = find_value_type(NULL, value->key);
    if (!find_own_key(value->key, &kinds)) {
        if (type == VALUE_NONE)
            return report_error("%.60s is not an option of any command", value->key);
        kinds = kinds_of_type(type);
    }
    if (is_given_before(json, object, value))
        return report_error("%.60s is given twice", value->key);
    if (value->kind == RW_JSON_NULL || kinds & 1u << value->kind)
        return 0;
    if (type == VALUE_NONE)
        return report_error("%.60s: %s is expected", value->key, kinds == SERVE_OBJECT ? "an object" : "a text");
    return report_error("%.60s: %s is expected", value->key, describe_type(type));
}

static int check_project_keys(const rw_json *json, const rw_json_value *project)
{
    for (const rw_json_value *value = rw_json_first(json, project); value; value = rw_json_next(json, value))
        TRY(check_option_value(NULL, json, project, value));
    return 0;
}

int check_project(const rw_json *json, const rw_json_value *project, struct serve_answer *answer)
{
    char message[MESSAGE_SIZE];
    capture_errors(message, sizeof message);
    int exit_status = check_project_keys(json, project);
    capture_errors(NULL, 0);
    if (exit_status)
        serve_answer_error(answer, 400, NULL, "project: %s", message);
    return !exit_status;
}

/* One property of a schema, an option by its name. */
static void write_option_schema(struct json *json, FILE *stream, const char *name, unsigned kinds, const char *help)
{
    json_object(json, name);
    json_string(json, "description", help ? help : "");
    fputs(", ", stream);
    serve_write_type(stream, kinds | SERVE_NULL);
    json_object_end(json);
}

static void write_option_schemas(struct json *json, FILE *stream)
{
    rw_model_option_info info;
    for (const struct option *option = option_table; option->name; option++)
        if (strcmp(option->name, "allow-outside") != 0)
            write_option_schema(json, stream, option->name, kinds_of_type(find_value_type(NULL, option->name)),
                                option->help);
    for (struct model_option_search search = {0}; next_model_option(~0, &search, &info);)
        if (!find_option(info.name))
            write_option_schema(json, stream, info.name, kinds_of_type(find_value_type(NULL, info.name)), info.help);
    write_option_schema(json, stream, "input", SERVE_STRING, "the first argument of the command without a dash");
    write_option_schema(json, stream, "second", SERVE_STRING, "the second argument of the command without a dash");
}

static void write_command_schema(struct json *json)
{
    json_list(json, "enum");
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->is_served)
            json_string(json, NULL, commands[i]->name);
    json_list_end(json);
}

void write_options_schema(const char *name, FILE *stream)
{
    struct json json;
    json_begin(&json, stream);
    if (strcmp(name, "Command") == 0) {
        write_command_schema(&json);
    } else {
        json_string(&json, "type", "object");
        json_object(&json, "properties");
        if (strcmp(name, "Project") == 0)
            for (const struct serve_member *member = own_keys; member->name; member++)
                write_option_schema(&json, stream, member->name, member->kinds, "no option");
        write_option_schemas(&json, stream);
        json_object_end(&json);
        json_flag(&json, "additionalProperties", 0);
    }
    json_end(&json);
}

/* A table of sites inside the project: the library takes a name, a line end and the table. */
static const char *inside_table(struct call *call, const char *name, const char *string)
{
    if (strcmp(name, "sites") != 0 || !strchr(string, '\n'))
        return string;
    size_t bytes = strlen(string) + sizeof "sites\n";
    char *joined = malloc(bytes);
    if (!joined)
        return NULL;
    snprintf(joined, bytes, "sites\n%s", string);
    const char *stored = store_string(call, joined);
    free(joined);
    return stored;
}

static int set_project_option(struct call *call, const char *name, const char *string)
{
    if (strlen(string) > TEXT_MAX)
        return report_error("%.60s: a value of more than %zu characters", name, TEXT_MAX);
    int exit_status = check_inside_root(call, name, string);
    if (exit_status)
        return exit_status;
    const char *value = inside_table(call, name, string);
    return value ? set_option(call, name, value) : report_out_of_memory("the project");
}

const char *project_value_string(const rw_json_value *value, char number[40])
{
    switch (value->kind) {
    case RW_JSON_STRING:
        return value->string;
    case RW_JSON_NUMBER:
        snprintf(number, 40, "%.17g", value->number);
        return number;
    case RW_JSON_TRUE:
        return "true";
    case RW_JSON_FALSE:
        return "false";
    default:
        return NULL;
    }
}

/* A list for an option that takes one value is that value's parts; --tx and --at are given once for each. */
int set_project_list(struct call *call, const rw_json *json, const rw_json_value *list)
{
    int is_repeated = find_value_type(NULL, list->key) == VALUE_REPEATED;
    char *joined = NULL, number[40];
    size_t size = 0;
    FILE *stream = open_memstream(&joined, &size);
    if (!stream)
        return report_out_of_memory("the project");
    int exit_status = 0;
    const rw_json_value *first = rw_json_first(json, list);
    for (const rw_json_value *value = first; value && !exit_status; value = rw_json_next(json, value)) {
        const char *string = project_value_string(value, number);
        if (!string)
            exit_status = report_error("%s: a list of texts and numbers is expected", list->key);
        else if (is_repeated)
            exit_status = set_project_option(call, list->key, string);
        else
            fprintf(stream, "%s%s", value == first ? "" : ",", string);
    }
    if (fclose(stream) != 0)
        exit_status = report_out_of_memory("the project");
    if (!exit_status && !is_repeated)
        exit_status = set_project_option(call, list->key, joined);
    free(joined);
    return exit_status;
}

/* Of a project for predictions other commands leave out what they do not take. */
static int is_of_other_command(const struct call *call, const char *model, const char *name)
{
    rw_model_option_info info;
    const struct command *predict = find_command("predict");
    if (accepts_option(call->command, name))
        return 0;
    if (find_model_option(model, name, &info))
        return !(info.calls & call->command->calls) && info.calls & predict->calls;
    return accepts_option(predict, name) || (call->command != predict && is_model_option(predict->calls, name));
}

int read_project_json(struct call *call, const rw_json *json, const rw_json_value *project)
{
    char number[40];
    if (!project)
        return 0;
    if (project->kind != RW_JSON_OBJECT)
        return report_error("project: an object of options is expected");
    const char *model = rw_json_string(rw_json_member(json, project, "model"), "shadow");
    for (const rw_json_value *value = rw_json_first(json, project); value; value = rw_json_next(json, value)) {
        TRY(check_option_value(call, json, project, value));
        if (is_excluded_key(call, value->key) || value->kind == RW_JSON_NULL ||
            is_of_other_command(call, model, value->key))
            continue;
        if (strcmp(value->key, "allow-outside") == 0)
            return report_error("allow-outside is no option of requests");
        const char *string = project_value_string(value, number);
        if (!string && value->kind != RW_JSON_ARRAY)
            return report_error("%.60s: a text, a number or a list is expected", value->key);
        int exit_status = string ? set_project_option(call, value->key, string) : set_project_list(call, json, value);
        if (exit_status)
            return exit_status;
    }
    return 0;
}

/* A value of a project file on its way into an answer. Keys that may be repeated stand in a list. */
struct project_answer {
    struct json json;
    const struct call *call;
    const char *path;
    char list[64]; /* the list that is open */
};

/* Files are named from the project's folder, and in answers from the root; where there is none, the name stays. */
static const char *name_from_root(const struct project_answer *answer, const char *key, const char *value,
                                  char path[PATH_MAX])
{
    const char *slash = strrchr(answer->path, '/');
    if (!slash || !is_path_type(find_value_type(NULL, key)) || value[0] == '/')
        return value;
    int length = snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - answer->path), answer->path, value);
    return length < PATH_MAX && access(path, R_OK) == 0 ? path : value;
}

static int write_project_value(void *user, const char *key, const char *value)
{
    struct project_answer *answer = user;
    char path[PATH_MAX];
    int is_list = find_value_type(NULL, key) == VALUE_REPEATED;
    if (answer->list[0] && strcmp(answer->list, key) != 0) {
        json_list_end(&answer->json);
        answer->list[0] = 0;
    }
    if (is_list && !answer->list[0]) {
        json_list(&answer->json, key);
        snprintf(answer->list, sizeof answer->list, "%s", key);
    }
    json_string(&answer->json, is_list ? NULL : key, name_from_root(answer, key, value, path));
    return 0;
}

/* The file as it is where it is one JSON object, as the page writes it; NULL where not. */
static char *load_json_object(const char *path)
{
    rw_json json = {0};
    rw_json_fault fault;
    char *string = NULL, *copy = NULL;
    FILE *file = fopen(path, "rb");
    size_t size = file && (string = malloc(TEXT_MAX + 1)) != NULL ? fread(string, 1, TEXT_MAX, file) : 0;
    if (file)
        fclose(file);
    if (size && size < TEXT_MAX && string[0] == '{') {
        string[size] = 0;
        copy = strdup(string);
    }
    if (copy && rw_json_read(copy, size, serve_grow_json, NULL, &json, &fault) == RW_OK) {
        rw_json_free(&json);
        return string;
    }
    free(string);
    return NULL;
}

static int read_project_file(const struct call *call, const char *path, char **string, size_t *size)
{
    struct project_answer read = {.call = call, .path = path};
    char *object = load_json_object(path);
    FILE *stream = open_memstream(string, size);
    int exit_status = 0;
    if (!stream) {
        free(object);
        return report_out_of_memory("the project");
    }
    if (object) {
        fprintf(stream, "{\"project\": %s}\n", object);
    } else {
        json_begin(&read.json, stream);
        json_object(&read.json, "project");
        exit_status = read_any_project(path, write_project_value, &read);
        if (read.list[0])
            json_list_end(&read.json);
        json_object_end(&read.json);
        json_end(&read.json);
    }
    free(object);
    return fclose(stream) != 0 ? report_out_of_memory("the project") : exit_status;
}

static int read_named_project(struct engine *engine, struct serve_task *task, struct served_call *served,
                              struct serve_answer *answer)
{
    char *string = NULL;
    size_t size = 0;
    const rw_json *json = serve_task_json(task);
    const char *path = rw_json_string(rw_json_member(json, &json->values[0], "file"), NULL);
    TRY(begin_served_call(engine, task, "predict", served));
    if (!path)
        return report_error("file: the name of a project file is expected");
    TRY(check_inside_root(&served->call, "input", path));
    int exit_status = read_project_file(&served->call, path, &string, &size);
    if (exit_status)
        free(string);
    else
        serve_answer_bytes(answer, "application/json", string, size);
    return exit_status;
}

/* {"file": ...}: a project file below the root, as YAML or JSON. */
void serve_read_project(void *user, struct serve_task *task, struct serve_answer *answer)
{
    answer_by(read_named_project, user, task, answer);
}

int read_arguments_json(struct call *call, const rw_json *json)
{
    char number[40];
    const rw_json_value *arguments = rw_json_member(json, &json->values[0], "arguments");
    if (arguments && arguments->kind != RW_JSON_OBJECT)
        return report_error("arguments: an object of options is expected");
    for (const rw_json_value *value = rw_json_first(json, arguments); value; value = rw_json_next(json, value)) {
        const char *string = project_value_string(value, number);
        TRY(check_option_value(call, json, arguments, value));
        if (!string)
            return report_error("arguments: %.60s: a text or a number is expected", value->key);
        if (is_excluded_key(call, value->key) || strcmp(value->key, "allow-outside") == 0)
            return report_error("arguments: %.60s is no option of this request", value->key);
        int exit_status = set_project_option(call, value->key, string);
        if (exit_status)
            return exit_status;
    }
    return 0;
}
