/* Project files: the keys are the options' names without dashes, "command" names the command and "input" its argument,
 * "second" the second one.
 */
#include "cli/cli.h"

#include "base/inside_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEYS_MAX 256

static int is_key_listed(const struct project_key *keys, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i].name[0] == name[0] && strcmp(keys[i].name, name) == 0)
            return 1;
    return 0;
}

static enum key_kind find_key_kind(const char *name)
{
    switch (find_value_type(NULL, name)) {
    case VALUE_REPEATED:
        return KEY_REPEATED;
    case VALUE_NUMBER: /* several of one option, such as heights */
    case VALUE_LIST:
    case VALUE_READ_LIST:
        return KEY_LIST;
    default:
        return KEY_SCALAR;
    }
}

static size_t list_keys(struct project_key keys[KEYS_MAX])
{
    size_t count = 0;
    keys[count++] = (struct project_key){"command", KEY_SCALAR};
    keys[count++] = (struct project_key){"input", KEY_SCALAR};
    keys[count++] = (struct project_key){"second", KEY_SCALAR};
    keys[count++] = (struct project_key){"page", KEY_SKIPPED}; /* what the page of serve shows, and how */
    for (const struct option *option = option_table; option->name && count < KEYS_MAX; option++)
        keys[count++] = (struct project_key){option->name, find_key_kind(option->name)};
    rw_model_option_info info = {.size = sizeof info};
    for (size_t model = 0; rw_model_name(model); model++)
        for (size_t i = 0; count < KEYS_MAX && rw_model_option_get(rw_model_name(model), i, &info) == RW_OK; i++)
            if (!is_key_listed(keys, count, info.name))
                keys[count++] = (struct project_key){info.name, find_key_kind(info.name)};
    return count;
}

/* A project file that is being read. */
struct project_reading {
    struct call *call;
    const char *path;
};

/* A table of sites may stand in the project itself, with its line ends: the library takes the file's name, a line end
 * and the table. */
static int is_inside_table(const char *name, const char *value)
{
    return strcmp(name, "sites") == 0 && strchr(value, '\n') != NULL;
}

/* The next of the paths in a value, which ends at a comma in a list; NULL: no memory left. */
static char *copy_next_path(enum value_type type, const char **at)
{
    size_t length = type == VALUE_READ_LIST ? strcspn(*at, ",") : strlen(*at);
    char *path = strndup(*at, length);
    *at += length + ((*at)[length] == ',');
    return path;
}

/* FILE:LAYER is a layer of the file, if the whole is not a file. */
static int is_path_inside(enum value_type type, char *path, const char *folder)
{
    char *colon = strrchr(path, ':');
    int inside = rw_path_is_inside(path, folder);
    if (inside && type == VALUE_READ && colon) {
        *colon = 0;
        inside = !*path || rw_path_is_inside(path, folder);
        *colon = ':';
    }
    return inside;
}

int find_path_outside(struct call *call, const char *name, const char *string, const char *folder, const char **outside)
{
    enum value_type type = find_value_type(call->command, name);
    *outside = NULL;
    if (!is_path_type(type) || is_inside_table(name, string))
        return 0;
    while (*string && !*outside) {
        char *path = copy_next_path(type, &string);
        if (!path)
            return report_out_of_memory("the options");
        int failed = !is_path_inside(type, path, folder) && !(*outside = store_string(call, path));
        free(path);
        if (failed)
            return report_out_of_memory("the options");
    }
    return 0;
}

/* Others may have made the project: by default it reads and writes only in its own folder and where it is run. */
static int note_outside(const struct project_reading *reading, const char *key, const char *value)
{
    struct call *call = reading->call;
    const char *slash = strrchr(reading->path, '/'), *outside;
    if (call->outside)
        return 0;
    TRY(find_path_outside(call, key, value, "", &outside));
    if (!outside)
        return 0;
    char *folder = strdup(slash ? reading->path : "");
    if (!folder)
        return report_error("no memory left to read %s", reading->path);
    folder[slash ? slash + 1 - reading->path : 0] = 0;
    int exit_status = find_path_outside(call, key, value, folder, &call->outside);
    free(folder);
    return exit_status;
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

/* What is not a path: a word such as flat or 3gpp, a number, a generator, unless a file has that name. */
static int is_word(const char *value, const char *joined)
{
    char *end;
    strtod(value, &end);
    return (!value[strcspn(value, "./")] || !*end || is_generator(value)) && access(joined, F_OK) != 0;
}

/* A path is relative to the project file, so that it means the same wherever it is run. */
static int join_folder(const struct project_reading *reading, size_t length, enum value_type type, const char *value,
                       const char **resolved)
{
    struct call *call = reading->call;
    const char *joined;
    *resolved = NULL;
    do {
        char *path = copy_next_path(type, &value);
        if (!path)
            return report_error("no memory left to read %s", reading->path);
        joined = path[0] == '/' ? store_string(call, path) : join_project_value(call, reading->path, length, "", path);
        if (joined && type != VALUE_WRITE && is_word(path, joined))
            joined = store_string(call, path);
        free(path);
        *resolved = joined && *resolved ? join_project_value(call, *resolved, strlen(*resolved), ",", joined) : joined;
    } while (joined && *value);
    return *resolved ? 0 : report_error("no memory left to read %s", reading->path);
}

static int resolve_project_value(const struct project_reading *reading, const char *key, const char *value,
                                 const char **resolved)
{
    struct call *call = reading->call;
    const char *slash = strrchr(reading->path, '/');
    enum value_type type = find_value_type(call->command, key);
    *resolved = value;
    if (is_inside_table(key, value)) {
        *resolved = join_project_value(call, reading->path, strlen(reading->path), "\n", value);
        return *resolved ? 0 : report_error("no memory left to read %s", reading->path);
    }
    return slash && *value && is_path_type(type)
               ? join_folder(reading, (size_t)(slash - reading->path) + 1, type, value, resolved)
               : 0;
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
    const char *value;
    TRY(resolve_project_value(reading, key, raw_value, &value));
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
        struct option input = {"input", OPTION_STRING, 0, "a name", NULL, 0};
        return apply_option(call, &input, &call->input, value);
    }
    if (strcmp(key, "second") == 0 && accepts_two_inputs(call->command)) {
        struct option second = {"second", OPTION_STRING, 0, "a name", NULL, 0};
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
