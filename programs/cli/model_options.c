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
