/* A request on the engine as a call of a command: the same options, refusals and numbers as on the command line. */
#include "report/json.h"
#include "serve/engine.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int set_served_option(struct served_call *served, const char *name, const char *string)
{
    return set_option(&served->call, name, string);
}

/* Options that belong to the scene of serve, beside its name. */
static const struct {
    const char *name;
    size_t at;
} scene_strings[] = {
    {"terrain", offsetof(struct settings, terrain)},           {"foliage", offsetof(struct settings, foliage)},
    {"materials", offsetof(struct settings, materials)},       {"crs", offsetof(struct settings, crs)},
    {"height-field", offsetof(struct settings, height_field)}, {"height-unit", offsetof(struct settings, height_unit)}};

static const char **find_string_setting(const struct settings *settings, size_t at)
{
    return (const char **)(uintptr_t)((const char *)settings + at);
}

/* The name lives as long as the call. 1 where it is the scene that serve was started with. */
static int name_default_scene(struct engine *engine, struct call *call, const char **name)
{
    pthread_mutex_lock(&engine->lock);
    *name = store_string(call, engine->scene);
    pthread_mutex_unlock(&engine->lock);
    return *name && strcmp(*name, engine->call->settings.scene) == 0;
}

void name_scene(struct engine *engine, struct call *call, const char *name)
{
    struct settings *settings = &call->settings;
    const struct settings *own = &engine->call->settings;
    int is_first = strcmp(name, own->scene) == 0;
    settings->scene = name;
    for (size_t i = 0; i < sizeof scene_strings / sizeof *scene_strings; i++)
        *find_string_setting(settings, scene_strings[i].at) =
            is_first ? *find_string_setting(own, scene_strings[i].at) : NULL;
}

void write_scene_options(struct json *json, const struct call *call)
{
    json_object(json, "options");
    for (size_t i = 0; i < sizeof scene_strings / sizeof *scene_strings; i++)
        if (*find_string_setting(&call->settings, scene_strings[i].at))
            json_string(json, scene_strings[i].name, *find_string_setting(&call->settings, scene_strings[i].at));
    json_object_end(json);
}

/* Where the project names no scene. Returns the exit status. */
static int apply_default_scene(struct engine *engine, struct call *call)
{
    struct settings *settings = &call->settings;
    const struct settings *own = &engine->call->settings;
    if (settings->scene)
        return 0;
    int is_first = name_default_scene(engine, call, &settings->scene);
    for (size_t i = 0; is_first && i < sizeof scene_strings / sizeof *scene_strings; i++) {
        const char **string = find_string_setting(settings, scene_strings[i].at);
        *string = *string ? *string : *find_string_setting(own, scene_strings[i].at);
    }
    return settings->scene ? 0 : report_out_of_memory("the scene");
}

int set_default_scene(struct engine *engine, struct call *call)
{
    const struct settings *own = &engine->call->settings;
    const char *name;
    int is_first = name_default_scene(engine, call, &name);
    int exit_status = name ? set_option(call, "scene", name) : report_out_of_memory("the scene");
    for (size_t i = 0; is_first && !exit_status && i < sizeof scene_strings / sizeof *scene_strings; i++) {
        const char *string = *find_string_setting(own, scene_strings[i].at);
        if (string && accepts_option(call->command, scene_strings[i].name))
            exit_status = set_option(call, scene_strings[i].name, string);
    }
    return exit_status;
}

int begin_served_call(struct engine *engine, struct serve_task *task, const char *command, struct served_call *served)
{
    const rw_json *json = serve_task_json(task);
    memset(served, 0, sizeof *served);
    served->call.command = find_command(command);
    served->call.context = engine->context;
    served->call.own_scene = engine->call->settings.scene;
    settings_init(&served->call.settings);
    capture_errors(served->message, sizeof served->message);
    engine->task = task;
    engine->served = &served->call;
    int exit_status = 0;
    if (json)
        exit_status = read_project_json(&served->call, json, rw_json_member(json, &json->values[0], "project"));
    return exit_status ? exit_status : apply_default_scene(engine, &served->call);
}

void end_served_call(struct engine *engine, struct served_call *served)
{
    served->request.scene = NULL; /* both stay warm */
    served->request.database = NULL;
    close_request(&served->request);
    served->call.context = NULL; /* so does this */
    end_call(&served->call);
    capture_errors(NULL, 0);
    engine->task = NULL;
    engine->served = NULL;
}

void answer_failure(struct served_call *served, int exit_status, struct serve_answer *answer)
{
    serve_answer_error(answer, exit_status == 2 ? 400 : 503, NULL, "%s",
                       *served->message ? served->message : "the request failed");
}
