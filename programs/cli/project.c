/* Project files: the keys are the options' names without dashes, "command" names the command and "input" its argument,
 * "second" the second one.
 */
#include "cli/cli.h"

#include "base/inside_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX 256

int is_project(const char *argument)
{
    size_t length = strlen(argument);
    return argument[0] != '-' && ((length > 5 && strcmp(argument + length - 5, ".yaml") == 0) ||
                                  (length > 4 && strcmp(argument + length - 4, ".yml") == 0));
}

static int is_key_listed(const struct project_key *keys, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i].name[0] == name[0] && strcmp(keys[i].name, name) == 0)
            return 1;
    return 0;
}

static size_t list_keys(struct project_key keys[KEYS_MAX])
{
    size_t count = 0;
    keys[count++] = (struct project_key){"command", 0, 0};
    keys[count++] = (struct project_key){"input", 0, 0};
    keys[count++] = (struct project_key){"second", 0, 0};
    keys[count++] = (struct project_key){"page", 0, 1}; /* what the page of serve shows, and how */
    for (const struct option *option = option_table; option->name && count < KEYS_MAX; option++)
        keys[count++] =
            (struct project_key){option->name, option->kind == OPTION_TRANSMITTER || option->kind == OPTION_POINT, 0};
    rw_model_option_info info = {.size = sizeof info};
    for (size_t model = 0; rw_model_name(model); model++)
        for (size_t i = 0; count < KEYS_MAX && rw_model_option_get(rw_model_name(model), i, &info) == RW_OK; i++)
            if (!is_key_listed(keys, count, info.name))
                keys[count++] = (struct project_key){info.name, 0, 0};
    return count;
}

/* A project file that is being read. */
struct project_reading {
    struct call *call;
    const char *path;
};

int option_is_path(const struct call *call, const char *key)
{
    rw_model_option_info info;
    const struct option *option = find_option(key);
    struct model_option_search search = {0};
    if (strcmp(key, "input") == 0 || strcmp(key, "second") == 0)
        return 1;
    if (option)
        return option->value && (strstr(option->value, "FILE") || strstr(option->value, "DIR") ||
                                 strstr(option->value, "PATH") || strstr(option->help, "FILE"));
    while (next_model_option(call->command->calls, &search, &info))
        if (strcmp(info.name, key) == 0)
            return info.type == RW_OPTION_FILE || info.type == RW_OPTION_DATABASE || info.type == RW_OPTION_PARAMS;
    return 0;
}

/* Others may have made the project: by default it reads and writes only in its own folder and where it is run. */
static int note_outside(const struct project_reading *reading, const char *key, const char *value)
{
    struct call *call = reading->call;
    const char *slash = strrchr(reading->path, '/');
    if (call->outside || !option_is_path(call, key) || strchr(value, '\n') || rw_path_is_inside(value, ""))
        return 0; /* a table inside the file has lines */
    char *folder = strdup(slash ? reading->path : "");
    if (!folder)
        return report_error("no memory left to read %s", reading->path);
    folder[slash ? slash + 1 - reading->path : 0] = 0;
    int inside = rw_path_is_inside(value, folder);
    free(folder);
    if (!inside && !(call->outside = store_string(call, value)))
        return report_error("no memory left to read %s", reading->path);
    return 0;
}

/* A table of sites may stand in the project file itself: the library takes the file's name, a line end and the table.
 */
static int is_inside_table(const char *key, const char *value)
{
    return strcmp(key, "sites") == 0 && strchr(value, '\n') != NULL;
}

static const char *join_project_value(struct call *call, const char *path, size_t length, const char *between,
                                      const char *value)
{
    size_t bytes = length + strlen(between) + strlen(value) + 1;
    char *joined = malloc(bytes);
    if (!joined)
        return NULL;
    snprintf(joined, bytes, "%.*s%s%s", (int)length, path, between, value);
    const char *stored = store_string(call, joined);
    free(joined);
    return stored;
}

/* A path is relative to the project file, so that it means the same wherever it is run. */
static const char *resolve_project_path(const struct project_reading *reading, const char *key, const char *value)
{
    struct call *call = reading->call;
    const char *slash = strrchr(reading->path, '/');
    if (is_inside_table(key, value))
        return join_project_value(call, reading->path, strlen(reading->path), "\n", value);
    if (!slash || value[0] == '/' || !*value || strcmp(value, "flat") == 0 || is_generator(value) ||
        !option_is_path(call, key))
        return value;
    if ((strcmp(key, "input") == 0) &&
        (strcmp(call->command->name, "generate") == 0 || strcmp(call->command->name, "reproduce") == 0))
        return value; /* a word, not a file */
    return join_project_value(call, reading->path, (size_t)(slash - reading->path) + 1, "", value);
}

/* Of another command's project file, an option that this command lacks and that says where output goes or what is
 * reported; one that changes the result is rejected. */
static int is_output_of_project(const struct command *command, const char *key)
{
    static const char *const names[] = {"out",        "json",         "quiet",         "dry-run",
                                        "time-stamp", "report",       "zones",         "weights",
                                        "name-field", "storey-table", "beam-outlines", "diffraction-sources",
                                        "tiles",      "to-crs",       "level",         NULL};
    for (const char *const *name = names; command->project_of && *name; name++)
        if (strcmp(key, *name) == 0 && !accepts_option(command, key))
            return 1;
    return 0;
}

static int apply_project_value(void *user, const char *key, const char *raw_value)
{
    struct project_reading *reading = user;
    struct call *call = reading->call;
    const char *value = resolve_project_path(reading, key, raw_value);
    if (!value)
        return report_error("no memory left to read %s", reading->path);
    if (strcmp(key, "command") == 0) {
        if (strcmp(value, call->command->name) != 0 &&
            (!call->command->project_of || strcmp(value, call->command->project_of) != 0))
            return report_error("the project file is for '%s', not for '%s'", value, call->command->name);
        return 0;
    }
    key = canonical_name(call->command, key);
    if (strcmp(key, "allow-outside") == 0)
        return report_error("allow-outside is asked for on the command line, not by the project file itself");
    if (is_output_of_project(call->command, key))
        return 0;
    int status = note_outside(reading, key, value);
    if (status)
        return status;
    if (strcmp(key, "input") == 0) {
        struct option input = {"input", OPTION_STRING, 0, "a name", NULL};
        return apply_option(call, &input, &call->input, value);
    }
    if (strcmp(key, "second") == 0 && accepts_two_inputs(call->command)) {
        struct option second = {"second", OPTION_STRING, 0, "a name", NULL};
        return apply_option(call, &second, &call->second, value);
    }
    if (!accepts_option(call->command, key) && !is_model_option(call->command->calls, key))
        return report_error("%s has no option '%s', which the project file sets", call->command->name, key);
    return set_option(call, key, value);
}

int read_project(struct call *call, const char *path)
{
    struct project_key keys[KEYS_MAX];
    struct project_reading reading = {call, path};
    return read_project_values(path, keys, list_keys(keys), apply_project_value, &reading);
}

int read_any_project(const char *path, project_value_fn on_value, void *user)
{
    struct project_key keys[KEYS_MAX];
    return read_project_values(path, keys, list_keys(keys), on_value, user);
}

struct wanted_command {
    char *name;
    size_t size;
};

static int read_command_key(void *user, const char *key, const char *value)
{
    struct wanted_command *wanted = user;
    if (strcmp(key, "command") == 0)
        snprintf(wanted->name, wanted->size, "%s", value);
    return 0;
}

int read_project_command(const char *path, char *name, size_t size)
{
    struct project_key keys[KEYS_MAX];
    struct wanted_command wanted = {name, size};
    name[0] = 0;
    int status = read_project_values(path, keys, list_keys(keys), read_command_key, &wanted);
    if (status)
        return status;
    if (!name[0])
        return report_error("%s names no command; write for example 'command: predict'", path);
    return 0;
}
