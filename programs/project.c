/* Project files: the keys are the options' names without dashes, "command" names the command and "input" its argument.
 */
#include "options.h"

#include <stdio.h>
#include <string.h>

#define KEYS_MAX 128

int is_project(const char *argument)
{
    size_t length = strlen(argument);
    return argument[0] != '-' && ((length > 5 && strcmp(argument + length - 5, ".yaml") == 0) ||
                                  (length > 4 && strcmp(argument + length - 4, ".yml") == 0));
}

static size_t list_keys(rw_project_key keys[KEYS_MAX])
{
    size_t count = 0;
    keys[count++] = (rw_project_key){"command", 0};
    keys[count++] = (rw_project_key){"input", 0};
    for (const struct option *option = option_table; option->name && count < KEYS_MAX; option++)
        keys[count++] =
            (rw_project_key){option->name, option->kind == OPTION_TRANSMITTER || option->kind == OPTION_POINT};
    return count;
}

struct reading {
    struct call *call;
    int exit_status; /* of a value that has been complained about */
};

static rw_status take_value(void *user, const char *key, const char *value)
{
    struct reading *reading = user;
    struct call *call = reading->call;
    if (strcmp(key, "command") == 0) {
        if (strcmp(value, call->command->name) != 0)
            reading->exit_status = complain("the project file is for '%s', not for '%s'", value, call->command->name);
    } else if (strcmp(key, "input") == 0) {
        struct option input = {"input", OPTION_TEXT, 0, offsetof(struct settings, input), "a name", NULL};
        reading->exit_status = apply_option(call, &input, value);
    } else if (!takes_option(call->command, key)) {
        reading->exit_status = complain("%s has no option '%s', which the project file sets", call->command->name, key);
    } else {
        reading->exit_status = give_option(call, find_option(key), value);
    }
    return reading->exit_status ? RW_BAD_CALL : RW_OK;
}

int read_project(struct call *call, const char *path)
{
    rw_project_key keys[KEYS_MAX];
    struct reading reading = {call, 0};
    rw_status status = rw_project_load(call->context, path, keys, list_keys(keys), take_value, &reading);
    if (reading.exit_status)
        return reading.exit_status;
    return status == RW_OK ? 0 : complain_status(call, status);
}

struct wanted_command {
    char *name;
    size_t size;
};

static rw_status take_command(void *user, const char *key, const char *value)
{
    struct wanted_command *wanted = user;
    if (strcmp(key, "command") == 0)
        snprintf(wanted->name, wanted->size, "%s", value);
    return RW_OK;
}

int read_project_command(rw_context *context, const char *path, char *name, size_t size)
{
    rw_project_key keys[KEYS_MAX];
    struct wanted_command wanted = {name, size};
    name[0] = 0;
    rw_status status = rw_project_load(context, path, keys, list_keys(keys), take_command, &wanted);
    if (status != RW_OK) {
        complain("%s", rw_last_error(context));
        return rw_status_exit_code(status);
    }
    if (!name[0])
        return complain("%s names no command; write for example 'command: predict'", path);
    return 0;
}
