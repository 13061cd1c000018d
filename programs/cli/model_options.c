/* Options of models: kept as texts until the model is known, then set by the library, which has the tables. */
#include "cli/cli.h"

#include <string.h>

/* Names that options had, for a refusal that tells the new one. */
static const struct {
    const char *before, *now;
} renamed[] = {{"combine", "sum"}, {"diffraction", "diffractions"}};

const char *model_of(const struct call *call)
{
    return call->model ? call->model : "shadow";
}

int find_model_option(const char *model, const char *name, rw_model_option_info *info)
{
    *info = (rw_model_option_info){.size = sizeof *info};
    for (size_t i = 0; rw_model_option_get(model, i, info) == RW_OK; i++)
        if (strcmp(info->name, name) == 0)
            return 1;
    return 0;
}

int next_model_option(int calls, struct model_option_search *search, rw_model_option_info *info)
{
    const char *model;
    *info = (rw_model_option_info){.size = sizeof *info};
    for (; (model = rw_model_name(search->model)) != NULL; search->model++, search->option = 0)
        while (rw_model_option_get(model, search->option, info) == RW_OK) {
            rw_model_option_info earlier;
            int found = !(info->calls & calls);
            search->option++;
            for (size_t i = 0; i < search->model && !found; i++)
                found = find_model_option(rw_model_name(i), info->name, &earlier) && earlier.calls & calls;
            if (!found)
                return 1;
        }
    return 0;
}

int is_model_option(int calls, const char *name)
{
    rw_model_option_info info;
    for (size_t i = 0; rw_model_name(i); i++)
        if (find_model_option(rw_model_name(i), name, &info) && info.calls & calls)
            return 1;
    return 0;
}

const char *new_name(const char *name)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(renamed[i].before, name) == 0)
            return renamed[i].now;
    return NULL;
}

const char *model_argument_value(const struct call *call, const char *name)
{
    for (size_t i = 0; i < call->model_argument_count; i++)
        if (strcmp(call->model_argument[i].name, name) == 0)
            return call->model_argument[i].text;
    return NULL;
}

int store_model_argument(struct call *call, const char *name, const char *string)
{
    const char *stored_name = store_string(call, name), *stored = store_string(call, string);
    if (!stored_name || !stored)
        return report_out_of_memory("the options");
    for (size_t i = 0; i < call->model_argument_count; i++)
        if (strcmp(call->model_argument[i].name, name) == 0) {
            call->model_argument[i].text = stored;
            return 0;
        }
    if (call->model_argument_count == MODEL_ARGUMENTS_MAX)
        return report_error("--%s: too many options", name);
    call->model_argument[call->model_argument_count++] = (struct model_argument){stored_name, stored};
    return 0;
}

/* What is wrong with an option before the library looks at its value; 0: nothing. */
static int check_model_argument(const struct call *call, const struct model_argument *model_argument)
{
    rw_model_option_info info;
    const char *model = model_of(call);
    int has = find_model_option(model, model_argument->name, &info);
    if (has && !(info.calls & call->command->calls))
        return report_error("%s by model %s has no option --%s", call->command->name, model, model_argument->name);
    return 0;
}

static int is_loaded(const char *model, const char *name)
{
    rw_model_option_info info;
    return find_model_option(model, name, &info) && (info.type == RW_OPTION_DATABASE || info.type == RW_OPTION_PARAMS);
}

/* An area that is no list of numbers is a file of polygons. */
static const char *option_of(const struct model_argument *model_argument)
{
    return strcmp(model_argument->name, "area") == 0 && !strchr(model_argument->text, ',') ? "zone"
                                                                                           : model_argument->name;
}

int apply_model_arguments(struct call *call, rw_predict_options *options)
{
    rw_predict_options_init(options);
    rw_status status = rw_predict_options_set(call->context, options, "model", model_of(call));
    for (size_t i = 0; i < call->model_argument_count && status == RW_OK; i++) {
        const struct model_argument *model_argument = &call->model_argument[i];
        int exit_status = check_model_argument(call, model_argument);
        if (exit_status)
            return exit_status;
        if (!is_loaded(options->model, model_argument->name))
            status = rw_predict_options_set(call->context, options, option_of(model_argument), model_argument->text);
    }
    if (status == RW_OK)
        status = rw_predict_options_complete(call->context, options);
    return status == RW_OK ? 0 : report_status(call, status);
}

int apply_preprocess_arguments(struct call *call, rw_preprocess_options *options)
{
    rw_preprocess_options_init(options);
    rw_status status = rw_preprocess_options_set(call->context, options, "model", model_of(call));
    for (size_t i = 0; i < call->model_argument_count && status == RW_OK; i++)
        status = rw_preprocess_options_set(call->context, options, call->model_argument[i].name,
                                           call->model_argument[i].text);
    return status == RW_OK ? 0 : report_status(call, status);
}

/* What the value of an option is: of the program's table, of the library's tables of models, and of the arguments
 * without a dash. */
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
    case RW_OPTION_STORED_FILE:
        return VALUE_WRITE;
    }
    return VALUE_NONE;
}

static enum value_type find_model_option_type(int calls, const char *name)
{
    rw_model_option_info info;
    for (size_t i = 0; rw_model_name(i); i++)
        if (find_model_option(rw_model_name(i), name, &info) && (!calls || info.calls & calls))
            return type_of_model_option(info.type);
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
