/* The table of models. */
#include "models/engine/model.h"

#include "base/memory.h"
#include "discretise/scene_cache.h"

#include <stdio.h>
#include <stdlib.h>
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

const char *rw_model_layers(size_t index)
{
    return index < MODEL_COUNT ? models[index]->layers : NULL;
}

const char *rw_model_default_layers(size_t index)
{
    return index < MODEL_COUNT ? models[index]->default_layers : NULL;
}

/* What theory says at a frequency takes milliseconds to work out, and the sites of a network have few frequencies. */
typedef struct theory_key {
    const rw_model *model;
    double freq_hz;
} theory_key;

typedef struct theory_request {
    rw_context *context;
    theory_key key;
} theory_request;

static rw_status make_theory(void *user, void **value)
{
    const theory_request *request = user;
    double *values;
    RW_TRY(rw_array_create(request->context, RW_PARAMETERS_MAX, sizeof *values, "parameters", &values));
    rw_status status = request->key.model->parameter_defaults(request->context, request->key.freq_hz, values);
    if (status == RW_OK)
        *value = values;
    else
        free(values);
    return status;
}

static const rw_cache_kind theory_kind = {"parameters by theory", 8, free};

rw_status rw_prediction_values(const rw_prediction *prediction, size_t transmitter, double *values)
{
    const rw_params *params = prediction->options->params;
    if (!params) {
        const rw_scene *scene = prediction->scene;
        theory_request request = {scene->context, {prediction->model, rw_prediction_freq_hz(prediction, transmitter)}};
        void *theory;
        RW_TRY(rw_scene_cache_acquire(scene, &theory_kind, &request.key, sizeof request.key, make_theory, &request,
                                      &theory));
        memcpy(values, theory, prediction->model->parameter_count * sizeof *values);
        rw_scene_cache_release(scene, theory);
        return RW_OK;
    }
    memcpy(values, params->values, prediction->model->parameter_count * sizeof *values);
    return RW_OK;
}

double rw_prediction_done_fraction(const rw_prediction *prediction, double transmitters_done)
{
    size_t all =
        prediction->transmitters_in_all ? prediction->transmitters_in_all : prediction->options->transmitter_count;
    return ((double)prediction->transmitters_before + transmitters_done) / (double)all;
}

rw_status rw_prediction_progress(const rw_prediction *prediction, double transmitters_done)
{
    return rw_progress(prediction->scene->context, rw_prediction_done_fraction(prediction, transmitters_done),
                       "predicting");
}
