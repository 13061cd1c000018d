/* From a request to a command line: what a job runs, and what gives the same map again. */
#include "report/json.h"
#include "serve/serving.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENT_MAX ((size_t)100000) /* of one argument; systems take 128 KiB */
#define ARGUMENTS_MAX 2000

int add_argument(struct serve_command *command, const char *string)
{
    if (strlen(string) > ARGUMENT_MAX || command->count >= ARGUMENTS_MAX)
        return report_error("the command is too long");
    if ((command->count & (command->count - 1)) == 0) {
        size_t capacity = command->count ? 2 * command->count : 1;
        char **grown = realloc(command->arguments, capacity * sizeof *grown);
        if (!grown)
            return report_out_of_memory("the command");
        command->arguments = grown;
    }
    char *copy = strdup(string);
    if (!copy)
        return report_out_of_memory("the command");
    command->arguments[command->count++] = copy;
    return 0;
}

int add_option(struct serve_command *command, const char *name, const char *string)
{
    char option[128];
    if (strncmp(string, "--", 2) == 0) {
        size_t bytes = strlen(name) + strlen(string) + 4;
        char *joined = malloc(bytes);
        if (!joined)
            return report_out_of_memory("the command");
        snprintf(joined, bytes, "--%s=%s", name, string);
        int exit_status = add_argument(command, joined);
        free(joined);
        return exit_status;
    }
    snprintf(option, sizeof option, "--%.100s", name);
    int exit_status = add_argument(command, option);
    return exit_status ? exit_status : add_argument(command, string);
}

/* Where an output goes: a plain name in the job's folder. */
static int locate_output(struct call *call, const char *folder, const char *name, const char *string,
                         const char **located)
{
    char path[512];
    int is_plain = isalnum((unsigned char)string[0]) && strlen(string) <= 100;
    for (const char *at = string; *at; at++)
        is_plain &= isalnum((unsigned char)*at) || strchr("._-", *at) != NULL;
    if (!is_plain)
        return report_error("%s: a plain name is expected: the file lands in the job's folder", name);
    snprintf(path, sizeof path, "%.200s/%s", folder, string);
    *located = store_string(call, path);
    return *located ? 0 : report_out_of_memory("the command");
}

/* An option of the list that the call was given, for the command line: checked as any command line is. */
int add_call_argument(struct call *call, struct serve_command *command, const struct argument *argument)
{
    if (strcmp(argument->name, "out") == 0 || find_roles(argument->name) & OF_RUN) /* which the server chooses */
        return 0;
    const struct option *option = find_option(argument->name);
    if (option && accepts_option(call->command, argument->name) && option->kind == OPTION_FLAG) {
        char flag[128];
        snprintf(flag, sizeof flag, "--%.100s", argument->name);
        return strcmp(argument->text, "true") == 0 || strcmp(argument->text, "yes") == 0 ? add_argument(command, flag)
                                                                                         : 0;
    }
    return add_option(command, argument->name, argument->text);
}

/* "arguments" of a request, into the call or, for inputs, into the command; --out apart. */
static int read_command_arguments(struct call *call, const rw_json *json, const char *folder,
                                  struct serve_command *command, const char **out)
{
    const rw_json_value *arguments = rw_json_member(json, &json->values[0], "arguments");
    char number[40];
    if (arguments && arguments->kind != RW_JSON_OBJECT)
        return report_error("arguments: an object of options is expected");
    for (const rw_json_value *value = rw_json_first(json, arguments); value; value = rw_json_next(json, value)) {
        const char *string = project_value_string(value, number);
        if (strcmp(value->key, "allow-outside") == 0 || strcmp(value->key, "threads") == 0)
            return report_error("arguments: %.60s is no option of requests", value->key);
        TRY(check_option_value(call, json, arguments, value));
        if (value->kind == RW_JSON_ARRAY)
            TRY(set_project_list(call, json, value));
        if (value->kind == RW_JSON_ARRAY || value->kind == RW_JSON_NULL)
            continue;
        if (!string)
            return report_error("arguments: %.60s: a text or a number is expected", value->key);
        if (strcmp(value->key, "input") == 0 || strcmp(value->key, "second") == 0) {
            TRY(check_inside_root(call, value->key, string));
            if (string[0] == '-')
                return report_error("%s: a file is expected", value->key);
            TRY(add_argument(command, string));
            continue;
        }
        if (folder && find_value_type(call->command, value->key) == VALUE_WRITE)
            TRY(locate_output(call, folder, value->key, string, &string));
        else
            TRY(check_inside_root(call, value->key, string));
        if (strcmp(value->key, "out") == 0)
            *out = string;
        else
            TRY(set_option(call, value->key, string));
    }
    return 0;
}

static void write_shell_quoted(FILE *stream, const char *string)
{
    if (*string &&
        !string[strspn(string, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+:,./%@")]) {
        fputs(string, stream);
        return;
    }
    fputc('\'', stream);
    for (; *string; string++)
        fputs(*string == '\'' ? "'\\''" : (const char[]){*string, 0}, stream);
    fputc('\'', stream);
}

int format_command_line(struct serve_command *command)
{
    size_t size = 0;
    FILE *stream = open_memstream(&command->text, &size);
    if (!stream)
        return report_out_of_memory("the command");
    fputs("rasterwave", stream);
    for (size_t i = 0; i < command->count; i++) {
        fputc(' ', stream);
        write_shell_quoted(stream, command->arguments[i]);
    }
    return fclose(stream) == 0 ? 0 : report_out_of_memory("the command");
}

/* The scene of the server with its options, where the request names none and the command needs one. */
static int add_scene(struct engine *engine, struct call *call)
{
    if (!accepts_option(call->command, "scene") || find_option_string(call, "map") || call->input)
        return 0;
    return set_default_scene(engine, call);
}

/* Layer and cells of a request for a prediction, which gives the same map as the command. */
static int read_map_argument(struct call *call, const rw_json *json)
{
    const rw_json_value *root = &json->values[0], *step = rw_json_member(json, root, "resolution");
    const char *layer = rw_json_string(rw_json_member(json, root, "layer"), NULL);
    char number[40];
    if (layer)
        TRY(set_option(call, "layers", layer));
    if (step && step->kind == RW_JSON_NUMBER)
        TRY(set_option(call, "res", project_value_string(step, number)));
    return 0;
}

/* folder NULL: for a person, who chooses where it goes. */
static int build_command(struct engine *engine, struct call *call, const rw_json *json, const char *folder,
                         struct serve_command *command)
{
    const char *default_out = folder ? call->command->default_out : NULL, *out = NULL;
    TRY(add_argument(command, call->command->name)); /* NOLINT: begin_command_call has set it */
    TRY(read_project_json(call, json, rw_json_member(json, &json->values[0], "project")));
    if (!folder)
        TRY(read_map_argument(call, json));
    TRY(read_command_arguments(call, json, folder, command, &out));
    if (call->command->calls)
        TRY(add_scene(engine, call));
    for (size_t i = 0; i < call->argument_count; i++)
        TRY(add_call_argument(call, command, &call->argument[i]));
    if (!out) /* of the project */
        out = find_option_string(call, "out");
    if (folder && !out && default_out && accepts_option(call->command, "out"))
        TRY(locate_output(call, folder, "out", default_out, &out));
    if (folder && out)
        TRY(add_option(command, "out", out));
    if (folder && accepts_option(call->command, "json"))
        TRY(add_argument(command, "--json"));
    return format_command_line(command);
}

static int report_unserved_command(const char *name)
{
    char names[512] = "";
    for (size_t i = 0, used = 0; commands[i] && used < sizeof names; i++)
        if (commands[i]->is_served)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", commands[i]->name);
    return report_error("command: '%.40s' is none of %s", name, names);
}

static int begin_command_call(const struct engine *engine, const char *name, struct call *call)
{
    const struct command *command = find_command(name);
    if (!command || !command->is_served)
        return report_unserved_command(name);
    TRY(begin_call(call, command));
    call->context = engine->context;
    call->own_scene = &engine->settings->scene;
    return 0;
}

static int compose_command(struct engine *engine, const rw_json *json, const char *name, const char *folder,
                           struct call *call, struct serve_command *command)
{
    TRY(begin_command_call(engine, name, call));
    return build_command(engine, call, json, folder, command);
}

static int prepare_command(struct engine *engine, const rw_json *json, const char *otherwise, const char *folder,
                           struct serve_command *command, struct serve_answer *answer)
{
    char message[MESSAGE_SIZE];
    const char *name = rw_json_string(rw_json_member(json, &json->values[0], "command"), otherwise);
    struct call call = {0};
    capture_errors(message, sizeof message);
    int exit_status = compose_command(engine, json, name, folder, &call, command);
    capture_errors(NULL, 0);
    call.context = NULL;
    end_call(&call);
    if (exit_status) {
        serve_command_free(command);
        serve_answer_error(answer, exit_status == 2 ? 400 : 503, NULL, "%s", message);
    }
    return !exit_status;
}

int make_command(void *engine, const rw_json *json, const char *name, const char *folder, struct serve_command *command,
                 struct serve_answer *answer)
{
    return prepare_command(engine, json, name, folder, command, answer);
}

void serve_command_line(void *user, struct serve_task *task, struct serve_answer *answer)
{
    struct serve_command command = {0};
    struct json json;
    if (!prepare_command(user, serve_task_json(task), "predict", NULL, &command, answer))
        return;
    FILE *stream = serve_answer_json(answer);
    if (stream) {
        json_begin(&json, stream);
        json_string(&json, "command_line", command.text);
        json_list(&json, "arguments");
        for (size_t i = 0; i < command.count; i++)
            json_string(&json, NULL, command.arguments[i]);
        json_list_end(&json);
        json_end(&json);
    }
    serve_command_free(&command);
}
