/* A request on the engine as a call of a command: the same options, refusals and numbers as on the command line. */
#include "report/json.h"
#include "serve/engine.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int give_asked(struct asked_call *asked, const char *name, const char *text)
{
    return give_option(&asked->call, name, text);
}

/* Options that belong to the scene of serve, beside its name. */
static const struct {
    const char *name;
    size_t at;
} scene_texts[] = {
    {"terrain", offsetof(struct settings, terrain)},           {"foliage", offsetof(struct settings, foliage)},
    {"materials", offsetof(struct settings, materials)},       {"crs", offsetof(struct settings, crs)},
    {"height-field", offsetof(struct settings, height_field)}, {"height-unit", offsetof(struct settings, height_unit)}};

static const char **text_at(const struct settings *settings, size_t at)
{
    return (const char **)(uintptr_t)((const char *)settings + at);
}

/* The name lives as long as the call. 1 where it is the scene that serve was started with. */
static int name_default_scene(struct engine *engine, struct call *call, const char **name)
{
    pthread_mutex_lock(&engine->lock);
    *name = keep_text(call, engine->scene);
    pthread_mutex_unlock(&engine->lock);
    return *name && strcmp(*name, engine->call->settings.scene) == 0;
}

void name_scene(struct engine *engine, struct call *call, const char *name)
{
    struct settings *settings = &call->settings;
    const struct settings *own = &engine->call->settings;
    int is_first = strcmp(name, own->scene) == 0;
    settings->scene = name;
    for (size_t i = 0; i < sizeof scene_texts / sizeof *scene_texts; i++)
        *text_at(settings, scene_texts[i].at) = is_first ? *text_at(own, scene_texts[i].at) : NULL;
}

void put_scene_options(struct json *json, const struct call *call)
{
    json_object(json, "options");
    for (size_t i = 0; i < sizeof scene_texts / sizeof *scene_texts; i++)
        if (*text_at(&call->settings, scene_texts[i].at))
            json_text(json, scene_texts[i].name, *text_at(&call->settings, scene_texts[i].at));
    json_object_end(json);
}

/* Where the project names no scene. Returns the exit status. */
static int take_default_scene(struct engine *engine, struct call *call)
{
    struct settings *settings = &call->settings;
    const struct settings *own = &engine->call->settings;
    if (settings->scene)
        return 0;
    int is_first = name_default_scene(engine, call, &settings->scene);
    for (size_t i = 0; is_first && i < sizeof scene_texts / sizeof *scene_texts; i++) {
        const char **text = text_at(settings, scene_texts[i].at);
        *text = *text ? *text : *text_at(own, scene_texts[i].at);
    }
    return settings->scene ? 0 : complain_memory("the scene");
}

int give_default_scene(struct engine *engine, struct call *call)
{
    const struct settings *own = &engine->call->settings;
    const char *name;
    int is_first = name_default_scene(engine, call, &name);
    int exit_status = name ? give_option(call, "scene", name) : complain_memory("the scene");
    for (size_t i = 0; is_first && !exit_status && i < sizeof scene_texts / sizeof *scene_texts; i++) {
        const char *text = *text_at(own, scene_texts[i].at);
        if (text && takes_option(call->command, scene_texts[i].name))
            exit_status = give_option(call, scene_texts[i].name, text);
    }
    return exit_status;
}

int begin_asked(struct engine *engine, struct serve_task *task, const char *command, struct asked_call *asked)
{
    const rw_json *json = serve_task_json(task);
    memset(asked, 0, sizeof *asked);
    asked->call.command = find_command(command);
    asked->call.context = engine->context;
    asked->call.own_scene = engine->call->settings.scene;
    settings_init(&asked->call.settings);
    capture_complaints(asked->sentence, sizeof asked->sentence);
    engine->task = task;
    engine->asked = &asked->call;
    int exit_status = 0;
    if (json)
        exit_status = read_project_json(&asked->call, json, rw_json_member(json, &json->values[0], "project"));
    return exit_status ? exit_status : take_default_scene(engine, &asked->call);
}

void end_asked(struct engine *engine, struct asked_call *asked)
{
    asked->request.scene = NULL; /* both stay warm */
    asked->request.database = NULL;
    close_request(&asked->request);
    asked->call.context = NULL; /* so does this */
    end_call(&asked->call);
    capture_complaints(NULL, 0);
    engine->task = NULL;
    engine->asked = NULL;
}

void answer_failure(struct asked_call *asked, int exit_status, struct serve_answer *answer)
{
    serve_answer_error(answer, exit_status == 2 ? 400 : 503, NULL, "%s",
                       *asked->sentence ? asked->sentence : "the request failed");
}
