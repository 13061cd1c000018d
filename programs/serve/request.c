/* A request on the engine as a call of a command: the same options, refusals and numbers as on the command line. */
#include "report/json.h"
#include "serve/serving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local struct served_call *current; /* of this thread */

struct served_call *current_served_call(void)
{
    return current;
}

int set_served_option(struct served_call *served, const char *name, const char *string)
{
    return set_option(&served->call, name, string);
}

/* The next option, from the one of the table on, that belongs to the scene next to its name and is a string of both
 * calls; NULL: there is no more. */
static const struct option *next_scene_option(const struct option *option, const struct call *own,
                                              const struct call *call)
{
    while (option->name &&
           (!(option->roles & OF_SCENE) || strcmp(option->name, "scene") == 0 || option->kind == OPTION_QUANTITY ||
            !accepts_option(own->command, option->name) || !accepts_option(call->command, option->name)))
        option++;
    return option->name ? option : NULL;
}

static const char **find_scene_string(const struct call *call, const char *name)
{
    return find_option_target((struct call *)(uintptr_t)call, name);
}

struct scene_options *scene_options_of(const struct call *call)
{
    return find_option_target((struct call *)(uintptr_t)call, "scene"); /* its first member */
}

/* The name lives as long as the call. */
static const char *name_default_scene(struct engine *engine, struct call *call)
{
    pthread_mutex_lock(&engine->lock);
    const char *name = store_string(call, engine->scene);
    pthread_mutex_unlock(&engine->lock);
    return name;
}

/* The same option of other options of a scene. */
static const char **find_same_string(const struct call *call, const char *name, const struct scene_options *other)
{
    ptrdiff_t offset = (const char *)find_scene_string(call, name) - (const char *)scene_options_of(call);
    return (const char **)((uintptr_t)other + (uintptr_t)offset);
}

/* An option that the scene of that name has without being told: it was opened with it, or serve was started with it. It
 * lives as long as the call; NULL: none. */
static const char *find_default_string(struct engine *engine, struct call *call, const char *scene, const char *name)
{
    const struct call *own = engine->call;
    const char *string = NULL;
    pthread_mutex_lock(&engine->lock);
    if (engine->given.file && strcmp(scene, engine->given.file) == 0)
        string = *find_same_string(own, name, &engine->given);
    else if (strcmp(scene, engine->settings->scene.file) == 0)
        string = *find_scene_string(own, name);
    string = string ? store_string(call, string) : NULL;
    pthread_mutex_unlock(&engine->lock);
    return string;
}

void name_scene(struct engine *engine, struct call *call, const char *name)
{
    scene_options_of(call)->file = name;
    for (const struct option *at = option_table; (at = next_scene_option(at, engine->call, call)) != NULL; at++)
        *find_scene_string(call, at->name) = find_default_string(engine, call, name, at->name);
}

void free_scene_name(struct engine *engine)
{
    const struct call *own = engine->call;
    for (const struct option *at = option_table; own && (at = next_scene_option(at, own, own)) != NULL; at++) {
        const char **string = find_same_string(own, at->name, &engine->given);
        free((char *)(uintptr_t)*string);
        *string = NULL;
    }
    free((char *)(uintptr_t)engine->given.file);
    engine->given.file = NULL;
}

int store_scene_name(struct engine *engine, const struct call *call)
{
    const char *name = scene_options_of(call)->file;
    int exit_status = 0;
    pthread_mutex_lock(&engine->lock);
    free_scene_name(engine);
    snprintf(engine->scene_name, sizeof engine->scene_name, "%s", name);
    engine->scene = engine->scene_name;
    engine->given.file = strdup(name);
    for (const struct option *at = option_table; (at = next_scene_option(at, engine->call, call)) != NULL; at++) {
        const char *string = *find_scene_string(call, at->name);
        char *copy = string ? strdup(string) : NULL;
        *find_same_string(engine->call, at->name, &engine->given) = copy;
        exit_status |= string && !copy;
    }
    pthread_mutex_unlock(&engine->lock);
    return exit_status ? report_out_of_memory("the scene") : 0;
}

void write_scene_options(struct json *json, const struct call *call)
{
    json_object(json, "options");
    for (const struct option *at = option_table; (at = next_scene_option(at, call, call)) != NULL; at++)
        if (*find_scene_string(call, at->name))
            json_string(json, at->name, *find_scene_string(call, at->name));
    json_object_end(json);
}

/* The scene, if the project names none, and the options with which serve was started, if it is that scene: a request
 * with them and one without mean the same. Returns the exit status. */
static int apply_default_scene(struct engine *engine, struct call *call)
{
    struct scene_options *settings = scene_options_of(call);
    settings->file = settings->file ? settings->file : name_default_scene(engine, call);
    if (!settings->file)
        return report_out_of_memory("the scene");
    for (const struct option *at = option_table; (at = next_scene_option(at, engine->call, call)) != NULL; at++) {
        const char **string = find_scene_string(call, at->name);
        *string = *string ? *string : find_default_string(engine, call, settings->file, at->name);
    }
    return 0;
}

int set_default_scene(struct engine *engine, struct call *call)
{
    const char *name = find_option_string(call, "scene");
    name = name ? name : name_default_scene(engine, call);
    if (!name)
        return report_out_of_memory("the scene");
    if (!find_option_string(call, "scene"))
        TRY(set_option(call, "scene", name));
    for (const struct option *at = option_table; (at = next_scene_option(at, engine->call, call)) != NULL; at++) {
        const char *string = find_default_string(engine, call, name, at->name);
        if (string && !*find_scene_string(call, at->name))
            TRY(set_option(call, at->name, string));
    }
    return 0;
}

int begin_served_call(struct engine *engine, struct serve_task *task, const char *command, struct served_call *served)
{
    const rw_json *json = serve_task_json(task);
    memset(served, 0, sizeof *served);
    capture_errors(served->message, sizeof served->message);
    int exit_status = begin_call(&served->call, find_command(command));
    served->call.context = engine->context;
    served->call.own_scene = &engine->settings->scene;
    served->task = task;
    served->outer = current;
    current = served;
    TRY(exit_status);
    if (json)
        TRY(read_project_json(&served->call, json, rw_json_member(json, &json->values[0], "project")));
    return apply_default_scene(engine, &served->call);
}

void end_served_call(struct engine *engine, struct served_call *served)
{
    served->request.scene = NULL; /* both stay warm */
    served->request.database = NULL;
    close_request(&served->request);
    rw_database_destroy(served->own_database);
    release_warm_scene(engine, served);
    served->call.context = NULL; /* so does this */
    end_call(&served->call);
    capture_errors(NULL, 0);
    current = served->outer;
}

int check_duration(struct served_call *served, double seconds)
{
    return serve_task_is_detached(served->task, seconds) ? report_error("the request becomes a job") : 0;
}

void answer_by(answer_step *step, struct engine *engine, struct serve_task *task, struct serve_answer *answer)
{
    struct served_call served;
    int exit_status = step(engine, task, &served, answer);
    if (exit_status)
        serve_answer_error(answer, exit_status == 2 ? 400 : 503, NULL, "%s",
                           *served.message ? served.message : "the request failed");
    end_served_call(engine, &served);
}
