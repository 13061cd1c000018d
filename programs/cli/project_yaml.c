/* Project files through libcyaml: a flat mapping from option names to scalars or lists of scalars, to one call of
 * on_value for each value.
 *
 * libcyaml wants to know beforehand whether a value is a scalar or a list, and here the file decides. So the file is
 * loaded once with all keys and without values, which finds unknown keys and broken YAML, and then for each key as
 * either kind. */
#include "cli/cli.h"

#include "command.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_MAX 400
/* Far beyond any list of options. libyaml takes a time that grows with the square of the depth of brackets, and each
 * key is one more pass over the file. */
#define BRACKETS_MAX 1000
#define BYTES_MAX 10000000

typedef struct project {
    const char *path;
    char *bytes;
    size_t size;
    char log[LOG_MAX]; /* what libcyaml said first of the last failure, and where */
} project;

/* Columns of a sites table that a list of sites may have. */
static const char *const site_columns[] = {
    "name",    "x",       "y",    "longitude",    "latitude",     "lon",       "lat",
    "height",  "azimuth", "tilt", "etilt",        "roll",         "power",     "power_w",
    "eirp",    "eirp_w",  "erp",  "feeder_loss",  "freq",         "freq_mhz",  "freq_ghz",
    "antenna", "channel", "load", "load_percent", "polarisation", "bandwidth", "bandwidth_mhz",
    "mimo"};
#define SITE_COLUMNS (sizeof site_columns / sizeof *site_columns)

/* One of them: a text for each column; NULL: not given. */
typedef struct site_values {
    char *strings[SITE_COLUMNS];
} site_values;

typedef struct values {
    char *scalar;
    char **list;
    uint32_t list_count;
    site_values *sites;
    uint32_t sites_count;
} values;

/* Of libcyaml's lines the first tells what is wrong; a line of its backtrace tells where, but for an unexpected key it
 * names the line before. */
static void store_yaml_log(cyaml_log_t level, void *user, const char *format, va_list arguments)
{
    project *file = user;
    char line[LOG_MAX];
    (void)level;
    vsnprintf(line, sizeof line, format, arguments);
    line[strcspn(line, "\n")] = 0;
    const char *string = strncmp(line, "Load: ", 6) == 0 ? line + 6 : line, *position = strstr(string, "(line: ");
    size_t used = strlen(file->log);
    if (used == 0 && !position && strncmp(string, "Backtrace", 9) != 0)
        snprintf(file->log, sizeof file->log, "%s", string);
    else if (used && position && !strstr(file->log, "(line: ") && strncmp(file->log, "Unexpected key", 14) != 0)
        snprintf(file->log + used, sizeof file->log - used, " %s", position);
}

static cyaml_err_t load_yaml_values(project *file, const cyaml_schema_field_t *fields, int ignore_others,
                                    values **loaded)
{
    static const cyaml_config_t plain = {.log_fn = store_yaml_log, .mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};
    cyaml_config_t config = plain;
    config.log_ctx = file;
    config.flags = (cyaml_cfg_flags_t)(CYAML_CFG_NO_ALIAS | (ignore_others ? CYAML_CFG_IGNORE_UNKNOWN_KEYS : 0));
    const cyaml_schema_value_t top = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, values, fields)};
    file->log[0] = 0;
    *loaded = NULL;
    return cyaml_load_data((const uint8_t *)file->bytes, file->size, &config, &top, (cyaml_data_t **)loaded, NULL);
}

static void free_yaml_values(const cyaml_schema_field_t *fields, values *loaded)
{
    static const cyaml_config_t config = {.mem_fn = cyaml_mem};
    const cyaml_schema_value_t top = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, values, fields)};
    cyaml_free(&config, &top, loaded, 0);
}

static int report_yaml_error(const project *file, cyaml_err_t error)
{
    report_error("%s: %s; a project file holds one 'option: value' a line", file->path,
                 file->log[0] ? file->log : cyaml_strerror(error));
    return exit_code_of(error == CYAML_ERR_OOM ? RW_OUT_OF_MEMORY : RW_BAD_INPUT);
}

static int report_project_memory(const project *file)
{
    report_error("%s: no memory left to read it", file->path);
    return exit_code_of(RW_OUT_OF_MEMORY);
}

/* Every key is known and the whole file is YAML. */
static int check_keys(project *file, const struct project_key *keys, size_t key_count)
{
    values *loaded;
    cyaml_schema_field_t *fields = calloc(key_count + 1, sizeof *fields);
    if (!fields)
        return report_project_memory(file);
    for (size_t i = 0; i < key_count; i++)
        fields[i] = (cyaml_schema_field_t)CYAML_FIELD_IGNORE(keys[i].name, CYAML_FLAG_OPTIONAL);
    fields[key_count] = (cyaml_schema_field_t)CYAML_FIELD_END;
    cyaml_err_t error = load_yaml_values(file, fields, 0, &loaded);
    if (error == CYAML_OK)
        free_yaml_values(fields, loaded);
    free(fields);
    return error == CYAML_OK ? 0 : report_yaml_error(file, error);
}

/* A list for an option that takes one value is that value's parts: area: [0, 0, 600, 600]. */
static int pass_joined_list(const project *file, const char *name, const values *loaded, project_value_fn on_value,
                            void *user)
{
    size_t bytes = 1, used = 0;
    for (uint32_t i = 0; i < loaded->list_count; i++)
        bytes += strlen(loaded->list[i]) + 1;
    char *joined = calloc(bytes, 1);
    if (!joined)
        return report_project_memory(file);
    for (uint32_t i = 0; i < loaded->list_count; i++)
        used += (size_t)snprintf(joined + used, bytes - used, "%s%s", i ? "," : "", loaded->list[i]);
    int status = on_value(user, name, joined);
    free(joined);
    return status;
}

static int pass_list_values(const project *file, const struct project_key *key, const values *loaded,
                            project_value_fn on_value, void *user)
{
    if (key->kind == KEY_SCALAR)
        return report_error("%s: %s: one value is expected, not a list", file->path, key->name);
    if (key->kind == KEY_LIST)
        return pass_joined_list(file, key->name, loaded, on_value, user);
    for (uint32_t i = 0; i < loaded->list_count; i++) {
        int status = on_value(user, key->name, loaded->list[i]);
        if (status)
            return status;
    }
    return 0;
}

/* A line of a table: of each column that some site has, its name or the site's value, in quotes. */
static void write_site_line(FILE *out, const values *loaded, const site_values *site)
{
    int first = 1;
    for (size_t column = 0; column < SITE_COLUMNS; column++) {
        int used = 0;
        for (uint32_t i = 0; i < loaded->sites_count; i++)
            used |= loaded->sites[i].strings[column] != NULL;
        if (!used)
            continue;
        const char *string = site ? site->strings[column] : site_columns[column];
        fputs(first ? "\"" : ",\"", out);
        for (; string && *string; string++)
            fprintf(out, *string == '"' ? "\"\"" : "%c", *string);
        fputc('"', out);
        first = 0;
    }
    fputc('\n', out);
}

static int pass_sites_table(const project *file, const char *name, const values *loaded, project_value_fn on_value,
                            void *user)
{
    char *string = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&string, &size);
    if (!out)
        return report_project_memory(file);
    write_site_line(out, loaded, NULL);
    for (uint32_t i = 0; i < loaded->sites_count; i++)
        write_site_line(out, loaded, &loaded->sites[i]);
    int status = fclose(out) ? report_project_memory(file) : on_value(user, name, string);
    free(string);
    return status;
}

/* Sites as a list of mappings: the same as a table of them. Other keys are known already. */
static int read_project_sites(project *file, const struct project_key *keys, size_t key_count,
                              project_value_fn on_value, void *user)
{
    static const char name[] = "sites";
    cyaml_schema_field_t columns[SITE_COLUMNS + 1];
    for (size_t i = 0; i < SITE_COLUMNS; i++) {
        columns[i] = (cyaml_schema_field_t)CYAML_FIELD_STRING_PTR("", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                                                                  site_values, strings, 0, CYAML_UNLIMITED);
        columns[i].key = site_columns[i];
        columns[i].data_offset = (uint32_t)(i * sizeof(char *));
    }
    columns[SITE_COLUMNS] = (cyaml_schema_field_t)CYAML_FIELD_END;
    const cyaml_schema_value_t entry = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, site_values, columns)};
    cyaml_schema_field_t *fields = calloc(key_count + 1, sizeof *fields);
    if (!fields)
        return report_project_memory(file);
    for (size_t i = 0; i < key_count; i++)
        fields[i] = strcmp(keys[i].name, name) == 0
                        ? (cyaml_schema_field_t)CYAML_FIELD_SEQUENCE(name, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                                                                     values, sites, &entry, 0, CYAML_UNLIMITED)
                        : (cyaml_schema_field_t)CYAML_FIELD_IGNORE(keys[i].name, CYAML_FLAG_OPTIONAL);
    fields[key_count] = (cyaml_schema_field_t)CYAML_FIELD_END;
    values *loaded;
    cyaml_err_t error = load_yaml_values(file, fields, 0, &loaded);
    int status =
        error == CYAML_OK ? pass_sites_table(file, name, loaded, on_value, user) : report_yaml_error(file, error);
    if (error == CYAML_OK)
        free_yaml_values(fields, loaded);
    free(fields);
    return status;
}

/* Whether the file has a list of mappings in place of a table of sites. */
static int lists_sites(project *file)
{
    static const cyaml_schema_value_t entry = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};
    static const cyaml_schema_field_t list[] = {CYAML_FIELD_SEQUENCE("sites", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                                                                     values, list, &entry, 0, CYAML_UNLIMITED),
                                                CYAML_FIELD_END};
    values *loaded;
    if (load_yaml_values(file, list, 1, &loaded) != CYAML_OK)
        return strstr(file->log, "MAPPING") != NULL;
    free_yaml_values(list, loaded);
    return 0;
}

static int read_key(project *file, const struct project_key *key, project_value_fn on_value, void *user)
{
    static const cyaml_schema_value_t entry = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};
    const cyaml_schema_field_t scalar[] = {
        CYAML_FIELD_STRING_PTR(key->name, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, values, scalar, 0, CYAML_UNLIMITED),
        CYAML_FIELD_END};
    const cyaml_schema_field_t list[] = {CYAML_FIELD_SEQUENCE(key->name, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                                                              values, list, &entry, 0, CYAML_UNLIMITED),
                                         CYAML_FIELD_END};
    values *loaded;
    int status = 0;
    cyaml_err_t error = load_yaml_values(file, scalar, 1, &loaded);
    if (error == CYAML_OK) {
        if (loaded && loaded->scalar) /* a file of nothing but remarks loads as NULL */
            status = on_value(user, key->name, loaded->scalar);
        free_yaml_values(scalar, loaded);
        return status;
    }
    if (error == CYAML_ERR_INVALID_VALUE || error == CYAML_ERR_UNEXPECTED_EVENT)
        error = load_yaml_values(file, list, 1, &loaded);
    /* A scalar after all, so that what is wrong with it is what is to be told. */
    if (error != CYAML_OK && strstr(file->log, "got event: SCALAR"))
        error = load_yaml_values(file, scalar, 1, &loaded);
    if (error != CYAML_OK)
        return report_yaml_error(file, error);
    if (loaded)
        status = pass_list_values(file, key, loaded, on_value, user);
    free_yaml_values(list, loaded);
    return status;
}

static int report_unreadable_file(const char *path)
{
    return report_error("%s cannot be read: %s", path, strerror(errno));
}

/* To the end of the file, whatever size the system tells, so that pipes work. */
static int read_project_bytes(project *file, FILE *stream)
{
    for (size_t capacity = 0;;) {
        if (file->size > BYTES_MAX)
            return report_error("%s has more than %d bytes; a project file is a list of options", file->path,
                                BYTES_MAX);
        if (file->size == capacity) {
            char *grown = realloc(file->bytes, (capacity = 2 * capacity + 4096) + 1);
            if (!grown)
                return report_project_memory(file);
            file->bytes = grown;
        }
        size_t got = fread(file->bytes + file->size, 1, capacity - file->size, stream);
        file->size += got;
        if (got == 0)
            break;
    }
    file->bytes[file->size] = 0;
    return ferror(stream) ? report_unreadable_file(file->path) : 0;
}

static int check_brackets(const project *file)
{
    size_t brackets = 0;
    for (size_t i = 0; i < file->size; i++)
        brackets += file->bytes[i] == '[' || file->bytes[i] == '{';
    if (brackets > BRACKETS_MAX)
        return report_error("%s has %zu brackets; a project file holds one 'option: value' a line", file->path,
                            brackets);
    return 0;
}

static int load_project_file(project *file)
{
    FILE *stream = fopen(file->path, "rb");
    if (!stream)
        return report_unreadable_file(file->path);
    int status = read_project_bytes(file, stream);
    fclose(stream);
    if (status == 0 && file->size == 0)
        return report_error("%s is empty; make it again or give another file", file->path);
    return status;
}

/* Most keys are not in the file: those whose name it does not hold need no look. A key in quotes may be written with
 * escapes. */
static int may_hold(const project *file, const char *name)
{
    size_t length = strlen(name);
    if (memchr(file->bytes, '\\', file->size))
        return 1;
    for (size_t i = 0; i + length <= file->size; i++)
        if (file->bytes[i] == name[0] && memcmp(file->bytes + i, name, length) == 0)
            return 1;
    return 0;
}

int read_project_values(const char *path, const struct project_key *keys, size_t key_count, project_value_fn on_value,
                        void *user)
{
    project file = {.path = path};
    int status = load_project_file(&file);
    if (status == 0)
        status = check_brackets(&file);
    if (status == 0)
        status = check_keys(&file, keys, key_count);
    for (size_t i = 0; i < key_count && status == 0; i++)
        if (keys[i].kind != KEY_SKIPPED && may_hold(&file, keys[i].name))
            status = strcmp(keys[i].name, "sites") == 0 && lists_sites(&file)
                         ? read_project_sites(&file, keys, key_count, on_value, user)
                         : read_key(&file, &keys[i], on_value, user);
    free(file.bytes);
    return status;
}
