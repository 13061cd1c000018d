#include "models/engine/calls/points.h"

#include "base/memory.h"
#include "mechanisms/prior/prior.h"
#include "models/engine/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The open model's answer for all points as a map of one row. */
static rw_status solve_point_map(rw_prediction *prediction, size_t count, rw_map **map)
{
    const rw_model *model = prediction->model;
    const rw_map_info info = {.columns = count, .rows = 1, .res_m = 1, .model = model->name};
    rw_received_memory memory = {0};
    void *state;
    RW_TRY(model->open(prediction, RW_USE_MAP, &state));
    rw_run run = {.prediction = prediction, .prior = rw_prior_by_engine(prediction)};
    run.received = (rw_received){.prediction = prediction, .memory = &memory};
    rw_status status = rw_map_create(prediction->scene->context, &info, "", &run.map);
    if (status == RW_OK)
        status = rw_run_add_layers(&run, state);
    if (status == RW_OK)
        status = rw_received_begin(&run.received);
    if (status == RW_OK)
        status = rw_run_solve(&run, state);
    model->close(state);
    rw_received_memory_free(&memory);
    if (status == RW_OK)
        *map = run.map;
    else
        rw_map_destroy(run.map);
    return status;
}

static rw_status copy_point_layers(const rw_map *map, size_t count, rw_point_layer *layers, size_t layer_count)
{
    for (size_t i = 0; i < layer_count; i++) {
        size_t index;
        rw_map_layer layer = {.size = sizeof layer};
        RW_TRY(rw_map_find_layer(map, layers[i].name, &index));
        RW_TRY(rw_map_get_layer(map, index, &layer));
        memcpy(layers[i].values, layer.values, count * sizeof *layers[i].values);
    }
    return RW_OK;
}

/* What is asked of a prediction at points. */
typedef struct layers_request {
    size_t count;
    rw_point_layer *layers;
    size_t layer_count;
} layers_request;

static rw_status solve_layers(rw_prediction *prediction, void *user)
{
    const layers_request *request = user;
    size_t count = request->count;
    rw_map *map;
    if (!prediction->receivers.view.outdoor_count) {
        for (size_t i = 0; i < request->layer_count * count; i++)
            request->layers[i / count].values[i % count] = NAN;
        return RW_OK;
    }
    RW_TRY(solve_point_map(prediction, count, &map));
    rw_status status = copy_point_layers(map, count, request->layers, request->layer_count);
    rw_map_destroy(map);
    return status;
}

rw_status rw_prediction_at_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                  size_t count, rw_prediction_fn work, void *user)
{
    const rw_target target = {.use = RW_USE_MAP, .points = points, .point_count = count};
    rw_prediction *prediction;
    rw_account *account = NULL;
    RW_TRY(rw_prediction_create(scene, options, &target, &prediction));
    rw_status status =
        prediction->model->solves_points && prediction->options->transmitter_count == 1
            ? rw_prediction_open_account(prediction, &account)
            : rw_fail(scene->context, RW_INTERNAL, "model %s has no map of points", prediction->model->name);
    rw_account *before = rw_account_enter(account);
    if (status == RW_OK)
        status = rw_prediction_locate(prediction);
    if (status == RW_OK)
        status = work(prediction, user);
    rw_account_enter(before);
    rw_account_close(account);
    rw_prediction_destroy(prediction);
    return status;
}

rw_status rw_solve_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                          size_t count, rw_point_layer *layers, size_t layer_count)
{
    rw_predict_options point_options = *options;
    layers_request request = {count, layers, layer_count};
    char names[256] = "";
    for (size_t i = 0; i < layer_count; i++) {
        strncat(names, i ? "," : "", sizeof names - strlen(names) - 1);
        strncat(names, layers[i].name, sizeof names - strlen(names) - 1);
    }
    point_options.layers = names;
    return rw_prediction_at_points(scene, &point_options, points, count, solve_layers, &request);
}

rw_status rw_compose_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                            size_t count, double *loss_db)
{
    const rw_target target = {.use = RW_USE_PATHS, .points = points, .point_count = count};
    rw_prediction *prediction;
    float *values = NULL;
    RW_TRY(rw_prediction_create(scene, options, &target, &prediction));
    const char *prior = rw_prior_by_engine(prediction);
    rw_prior_losses losses = {0, 1, prediction->model->antenna_in_loss, 0};
    rw_status status = prior ? rw_prediction_locate(prediction) : RW_OK;
    if (status == RW_OK && prior)
        status = rw_array_create(scene->context, count, sizeof *values, "path loss", &values);
    for (size_t i = 0; values && i < count; i++)
        values[i] = (float)loss_db[i];
    if (status == RW_OK && prior)
        status = rw_prior_add(prediction, prior, losses, values);
    for (size_t i = 0; status == RW_OK && values && i < count; i++)
        loss_db[i] = (double)values[i];
    free(values);
    rw_prediction_destroy(prediction);
    return status;
}
