/* What the value of an option is: of the program's table, of the library's tables of models, and of the arguments
 * without a dash. */
#include "cli/cli.h"

#include <string.h>

static enum value_type type_of_kind(enum option_kind kind)
{
    switch (kind) {
    case OPTION_STRING:
    case OPTION_BACKEND:
        return VALUE_STRING;
    case OPTION_READ:
        return VALUE_READ;
    case OPTION_WRITE:
        return VALUE_WRITE;
    case OPTION_LIST:
    case OPTION_PAIR:
    case OPTION_LEVELS:
        return VALUE_LIST;
    case OPTION_READ_LIST:
        return VALUE_READ_LIST;
    case OPTION_QUANTITY:
    case OPTION_INTEGER:
    case OPTION_SEED:
        return VALUE_NUMBER;
    case OPTION_FLAG:
        return VALUE_FLAG;
    case OPTION_TRANSMITTER:
    case OPTION_POINT:
        return VALUE_REPEATED;
    }
    return VALUE_NONE;
}

static enum value_type type_of_model_option(rw_option_type type)
{
    switch (type) {
    case RW_OPTION_INTEGER:
    case RW_OPTION_QUANTITY:
        return VALUE_NUMBER;
    case RW_OPTION_STRING:
    case RW_OPTION_CHOICE:
    case RW_OPTION_PLANE:
        return VALUE_STRING;
    case RW_OPTION_LIST:
    case RW_OPTION_BINS:
        return VALUE_LIST;
    case RW_OPTION_AREA: /* four numbers, or a file of polygons */
        return VALUE_READ_LIST;
    case RW_OPTION_FILE:
    case RW_OPTION_DATABASE:
    case RW_OPTION_PARAMS:
        return VALUE_READ;
    }
    return VALUE_NONE;
}

/* A file that a first prediction writes and later ones read. */
static int is_stored_file(const rw_model_option_info *info)
{
    return info->type == RW_OPTION_FILE && strcmp(info->name, "reuse") == 0;
}

static enum value_type find_model_option_type(int calls, const char *name)
{
    rw_model_option_info info;
    for (size_t i = 0; rw_model_name(i); i++)
        if (find_model_option(rw_model_name(i), name, &info) && (!calls || info.calls & calls))
            return is_stored_file(&info) ? VALUE_WRITE : type_of_model_option(info.type);
    return VALUE_NONE;
}

enum value_type find_value_type(const struct command *command, const char *name)
{
    if (strcmp(name, "input") == 0 || strcmp(name, "second") == 0)
        return command && command->input_is_word ? VALUE_STRING : VALUE_READ;
    const struct option *option = find_option(name);
    if (option && (!command || accepts_option(command, name)))
        return type_of_kind(option->kind);
    return command && !command->calls ? VALUE_NONE : find_model_option_type(command ? command->calls : 0, name);
}

int is_path_type(enum value_type type)
{
    return type == VALUE_READ || type == VALUE_WRITE || type == VALUE_READ_LIST;
}

unsigned find_roles(const char *name)
{
    const struct option *option = find_option(name);
    return option ? option->roles : 0;
}

const char *describe_type(enum value_type type)
{
    static const char *const words[] = {[VALUE_NONE] = "nothing",
                                        [VALUE_FLAG] = "true or false",
                                        [VALUE_NUMBER] = "a number",
                                        [VALUE_STRING] = "a text",
                                        [VALUE_LIST] = "a list",
                                        [VALUE_READ] = "a path to read",
                                        [VALUE_WRITE] = "a path to write",
                                        [VALUE_READ_LIST] = "a list of paths to read",
                                        [VALUE_REPEATED] = "a list of texts"};
    return words[type];
}
