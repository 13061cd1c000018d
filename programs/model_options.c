/* Which models use an option, and what values it takes: one table, so that nothing that was given is ignored in
 * silence. An option that is not here is for every model. */
#include "options.h"

#include <math.h>
#include <string.h>

struct use {
    const char *option, *models; /* comma-separated */
    const char *command;         /* only there; NULL: in every command */
    double least, most;
    const char *right; /* values in words; NULL: checked elsewhere */
};

static const struct use uses[] = {
    {.option = "model", .models = "shadow, tiles", .command = "preprocess"},
    {.option = "res", .models = "shadow", .command = "preprocess"},
    {.option = "rx-height", .models = "shadow", .command = "preprocess"},
    {.option = "area", .models = "shadow", .command = "preprocess"},
    {.option = "effects", .models = "shadow, beams, cubes, tiles"},
    {.option = "params", .models = "shadow, beams, cubes, images"},
    {.option = "method", .models = "shadow"},
    {.option = "order", .models = "shadow"},
    {.option = "sum", .models = "shadow"},
    {.option = "database", .models = "shadow, tiles"},
    {.option = "reflections", .models = "beams, rt, tiles"},
    {.option = "diffractions", .models = "beams, rt, tiles"},
    {.option = "transmissions", .models = "beams"},
    {.option = "scatterings", .models = "rt, tiles"},
    {.option = "loss-max", .models = "beams, rt, tiles", .least = 40, .most = 1000, .right = "40 to 250 dB"},
    {.option = "losses", .models = "beams"},
    {.option = "delay-bins", .models = "beams"},
    {.option = "memory", .models = "beams, tiles", .least = 1e-6, .most = 1e9, .right = "a number of MB above 0"},
    {.option = "reuse", .models = "beams, tiles"},
    {.option = "tile-area", .models = "tiles", .least = 0.01, .most = 1e6, .right = "0.01 to 1e6 m2"},
    {.option = "tile-quarter", .models = "tiles"},
    {.option = "update", .models = "tiles"},
    {.option = "cells", .models = "tiles"},
    {.option = "tiles", .models = "tiles"},
    {.option = "depth", .models = "images, sbr, rt, tiles", .least = 1, .most = INFINITY, .right = "1 or more"},
    {.option = "combine", .models = "images, sbr, rt, tiles"},
    {.option = "pixels", .models = "images", .least = 16, .most = INFINITY, .right = "16 or more"},
    {.option = "threshold", .models = "images", .least = 1, .most = INFINITY, .right = "1 or more"},
    {.option = "diffraction", .models = "images"},
    {.option = "rays", .models = "sbr", .least = 1, .most = INFINITY, .right = "1 or more"},
    {.option = "plane", .models = "images, sbr"},
};
#define USE_COUNT (sizeof uses / sizeof *uses)

static int is_for(const struct use *use, const struct command *command)
{
    return !use->command || strcmp(use->command, command->name) == 0;
}

static int is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (; *list; list += strcspn(list, ","), list += strspn(list, ", "))
        if (strcspn(list, ",") == length && strncmp(list, name, length) == 0)
            return 1;
    return 0;
}

static int is_known(const char *model)
{
    for (size_t i = 0; i < rw_model_count(); i++)
        if (strcmp(rw_model_name(i), model) == 0)
            return 1;
    return 0;
}

static int check_value(const struct call *call, const struct use *use, const struct option *option)
{
    const char *target = (const char *)&call->settings + option->at;
    double value = option->kind == OPTION_WHOLE ? *(const int *)target : *(const double *)target;
    if (value >= use->least && value <= use->most)
        return 0;
    return complain("--%s is %g; use %s", option->name, value, use->right);
}

const char *models_of(const struct command *command, const char *option)
{
    for (size_t i = 0; i < USE_COUNT; i++)
        if (strcmp(uses[i].option, option) == 0 && is_for(&uses[i], command))
            return uses[i].models;
    return NULL;
}

/* Whether an option limits how often a path is turned. */
static int is_limit(const char *option)
{
    return is_listed("reflections,diffractions,scatterings,transmissions", option);
}

int check_model_options(const struct call *call)
{
    const char *model = call->settings.model ? call->settings.model : "shadow";
    if (!takes_option(call->command, "model") || !is_known(model))
        return 0; /* the library says that there is no such model */
    for (size_t i = 0; i < USE_COUNT; i++) {
        const struct use *use = &uses[i];
        const struct option *option = find_option(use->option);
        if (!call->given[option - option_table] || !is_for(use, call->command) || strcmp(use->option, "model") == 0)
            continue;
        if (call->settings.map)
            return complain(
                "--%s is for models, and a map is compared: leave it out, or give --scene in place of --map",
                use->option);
        if (!is_listed(use->models, model) && strcmp(model, "cubes") == 0 && is_limit(use->option))
            return complain("model cubes does not use --%s: it has limits of its own, such as --effects "
                            "reflections=2,horizontal=1,vertical=2",
                            use->option);
        if (!is_listed(use->models, model))
            return complain("model %s does not use --%s, which is for %s: leave it out, or choose another --model",
                            model, use->option, use->models);
        int exit_status = use->right ? check_value(call, use, option) : 0;
        if (exit_status)
            return exit_status;
    }
    return 0;
}
