/* The table of models. */
#include "models/model.h"

#include <string.h>

static const rw_model *const models[] = {&rw_model_shadow};
#define MODEL_COUNT (sizeof models / sizeof *models)

const rw_model *rw_model_find(const char *name)
{
    for (size_t i = 0; i < MODEL_COUNT; i++)
        if (strcmp(models[i]->name, name) == 0)
            return models[i];
    return NULL;
}

size_t rw_model_count(void)
{
    return MODEL_COUNT;
}

const char *rw_model_name(size_t index)
{
    return index < MODEL_COUNT ? models[index]->name : NULL;
}

const char *rw_model_layers(size_t index)
{
    return index < MODEL_COUNT ? models[index]->layers : NULL;
}

int rw_layer_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return 1;
    return 0;
}

double rw_prediction_freq_hz(const rw_prediction *prediction, size_t transmitter)
{
    double own = prediction->options->transmitters[transmitter].freq_hz;
    return own > 0 ? own : prediction->options->freq_hz;
}
