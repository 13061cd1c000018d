/* The table of models. */
#include "models/engine/model.h"

#include <stdio.h>
#include <string.h>

static const rw_model *const models[] = {&rw_model_shadow, &rw_model_beams, &rw_model_cubes, &rw_model_images,
                                         &rw_model_sbr,    &rw_model_rt,    &rw_model_tiles};
#define MODEL_COUNT (sizeof models / sizeof *models)

const rw_model *rw_model_lookup(const char *name)
{
    for (size_t i = 0; i < MODEL_COUNT; i++)
        if (strcmp(models[i]->name, name) == 0)
            return models[i];
    return NULL;
}

const rw_model *rw_model_at(size_t index)
{
    return index < MODEL_COUNT ? models[index] : NULL;
}

rw_status rw_model_find(rw_context *context, const char *name, const rw_model **model)
{
    char names[256] = "";
    for (size_t i = 0; i < MODEL_COUNT; i++) {
        *model = models[i];
        if (name && strcmp(models[i]->name, name) == 0)
            return RW_OK;
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", models[i]->name);
    }
    return rw_fail(context, RW_BAD_CALL, "there is no model '%s'; use %s", name ? name : "", names);
}

size_t rw_model_count(void)
{
    return MODEL_COUNT;
}

const char *rw_model_name(size_t index)
{
    return index < MODEL_COUNT ? models[index]->name : NULL;
}

const char *rw_model_title(size_t index)
{
    return index < MODEL_COUNT ? models[index]->title : NULL;
}

const char *rw_model_layers(size_t index)
{
    return index < MODEL_COUNT ? models[index]->layers : NULL;
}

const char *rw_model_default_layers(size_t index)
{
    return index < MODEL_COUNT ? models[index]->default_layers : NULL;
}
