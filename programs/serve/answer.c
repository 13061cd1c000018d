/* One request answered by a process of its own: what a server starts for requests that take long. */
#include "report/json.h"
#include "serve/serving.h"

#include <stdio.h>
#include <string.h>

/* The scene that serve was started with and its options: which files may lie outside of the root follows from them. */
static int build_answer_command(struct engine *engine, const char *request, const char *out,
                                struct serve_command *command)
{
    struct call *own = (struct call *)(uintptr_t)engine->call;
    TRY(add_argument(command, "serve"));
    for (const struct option *option = option_table; option->name; option++) {
        const char **string =
            option->roles & OF_SCENE && option->kind != OPTION_QUANTITY && accepts_option(own->command, option->name)
                ? find_option_target(own, option->name)
                : NULL;
        if (string && *string)
            TRY(add_option(command, option->name, *string));
    }
    TRY(add_option(command, "backend", own->backend == RW_BACKEND_CUDA ? "cuda" : "cpu"));
    TRY(add_option(command, "answer", request));
    TRY(add_option(command, "out", out));
    return format_command_line(command);
}

int make_answer_command(void *user, const char *request, const char *out, struct serve_command *command,
                        struct serve_answer *answer)
{
    char message[MESSAGE_SIZE];
    capture_errors(message, sizeof message);
    int exit_status = build_answer_command(user, request, out, command);
    capture_errors(NULL, 0);
    if (exit_status) {
        serve_command_free(command);
        serve_answer_error(answer, 503, NULL, "%s", message);
    }
    return !exit_status;
}

void write_default_scene(void *user, FILE *stream)
{
    struct served_call served;
    struct json json;
    begin_served_call(user, NULL, "predict", &served);
    json_begin(&json, stream);
    json_string(&json, "scene", scene_options_of(&served.call)->file);
    write_scene_options(&json, &served.call);
    json_end(&json);
    end_served_call(user, &served);
}

static int store_named_scene(struct engine *engine, struct served_call *served, const rw_json *json,
                             const rw_json_value *scene)
{
    TRY(begin_served_call(engine, NULL, "predict", served));
    TRY(read_project_json(&served->call, json, rw_json_member(json, scene, "options")));
    scene_options_of(&served->call)->file =
        rw_json_string(rw_json_member(json, scene, "scene"), scene_options_of(&served->call)->file);
    return store_scene_name(engine, &served->call);
}

/* "scene" and "options", as write_default_scene writes them. */
static int name_scene_alone(void *user, const rw_json *json, const rw_json_value *scene)
{
    struct served_call served;
    int exit_status = store_named_scene(user, &served, json, scene);
    end_served_call(user, &served);
    return exit_status;
}

int answer_stored_request(struct engine *engine, const struct serve_program *program)
{
    char message[MESSAGE_SIZE];
    int exit_status = serve_answer_request(program, engine->settings->answer, engine->settings->out, name_scene_alone,
                                           message, sizeof message);
    if (exit_status)
        report_error("%s", message);
    return exit_status;
}
