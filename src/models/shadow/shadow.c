/* The shadow model after Rick and Kuhlen (2010): from walls to line of sight, wall count and path loss for every
 * receiver. */
#include "models/shadow/shadow.h"

#include "base/memory.h"

#include <stdlib.h>

static rw_status add(const rw_prediction *prediction, rw_map *map, const char *name, const char *unit, float **values)
{
    if (!rw_layer_listed(prediction->layers, name))
        return RW_OK;
    return rw_map_add_layer(map, name, unit, prediction->options->transmitter_count, values);
}

static rw_status add_layers(const rw_prediction *prediction, rw_map *map, rw_shadow_layers *layers)
{
    RW_TRY(add(prediction, map, "path_loss", "dB", &layers->path_loss));
    RW_TRY(add(prediction, map, "power", "dBm", &layers->power));
    RW_TRY(add(prediction, map, "los", "", &layers->los));
    RW_TRY(add(prediction, map, "walls", "walls", &layers->walls));
    RW_TRY(add(prediction, map, "mechanism", "", &layers->mechanism));
    RW_TRY(add(prediction, map, "deflections", "edges", &layers->deflections));
    int several = prediction->options->transmitter_count > 1 && !prediction->options->layers;
    if (!several && !rw_layer_listed(prediction->layers, "best"))
        return RW_OK;
    RW_TRY(rw_map_add_layer(map, "best", "transmitter", 1, &layers->best));
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    return rw_array_create(prediction->scene->context, cells, sizeof(float), "best powers", &layers->best_power);
}

static rw_status settle_effects(const rw_prediction *prediction, rw_shadow_effects *effects)
{
    const char *list = prediction->options->effects ? prediction->options->effects : "";
    RW_TRY(rw_list_check(prediction->scene->context, list, "roofs,walls", "effect"));
    effects->roofs = rw_layer_listed(list, "roofs");
    effects->walls = rw_layer_listed(list, "walls");
    if (effects->roofs && prediction->scene->triangles.count)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "the effect roofs knows buildings and terrain, and this scene has meshes; use --effects walls");
    if (effects->roofs)
        rw_warn(prediction->scene->context, "losses over roofs rest on defaults that are not calibrated: behind many "
                                            "roofs they are too high");
    int needs = rw_layer_listed(prediction->layers, "mechanism") || rw_layer_listed(prediction->layers, "deflections");
    if (needs && !effects->roofs && !effects->walls)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "layers mechanism and deflections need effects; add for example --effects roofs,walls");
    return RW_OK;
}

/* Line of sight and wall count of one transmitter of a batch into the layers. */
static rw_status store_sight(const rw_prediction *prediction, const rw_los_job *job, size_t in_batch,
                             size_t transmitter, const rw_shadow_layers *layers)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    size_t cells = view->columns * view->rows;
    uint8_t *los = NULL;
    uint32_t *walls = NULL;
    rw_status status = rw_array_create(prediction->scene->context, cells, sizeof *los, "line of sight", &los);
    if (status == RW_OK && layers->walls)
        status = rw_array_create(prediction->scene->context, cells, sizeof *walls, "wall counts", &walls);
    if (status == RW_OK)
        status = rw_los_job_read(job, in_batch, los, walls);
    for (size_t i = 0; status == RW_OK && i < view->outdoor_count; i++) {
        size_t cell = view->outdoor[i];
        if (layers->los)
            layers->los[transmitter * cells + cell] = los[cell];
        if (layers->walls)
            layers->walls[transmitter * cells + cell] = (float)walls[cell];
    }
    free(los);
    free(walls);
    return status;
}

/* What a batch of transmitters needs: walls are counted where a layer or the way through them asks for it. */
typedef struct shadow_needs {
    int sight, count, loss;
} shadow_needs;

static rw_status solve_batch(const rw_prediction *prediction, rw_shadow_loss *loss, shadow_needs needs, size_t first,
                             size_t count, const rw_shadow_layers *layers)
{
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    rw_los_job job = {0};
    rw_status status = RW_OK;
    if (needs.sight || needs.count) {
        RW_TRY(rw_los_job_create(prediction->scene, &prediction->receivers, prediction->sources + first, count,
                                 prediction->method, needs.count, &job));
        status = rw_los_job_run(&job);
    }
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        if (layers->los || layers->walls)
            status = store_sight(prediction, &job, i, first + i, layers);
        const uint32_t *walls = loss->effects.walls && job.arrays.walls ? job.arrays.walls + i * cells : NULL;
        if (status == RW_OK && needs.loss)
            status = rw_shadow_loss_solve(loss, first + i, walls, layers);
    }
    rw_los_job_destroy(&job);
    return status;
}

/* Transmitters go in batches, so that memory stays bounded and progress is seen. */
static rw_status solve_all(const rw_prediction *prediction, rw_shadow_effects effects, const rw_shadow_layers *layers)
{
    size_t count = prediction->options->transmitter_count;
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    size_t batch = 1 + (size_t)(32e6 / (double)cells);
    shadow_needs needs = {.sight = layers->los != NULL,
                          .count = layers->walls != NULL || effects.walls,
                          .loss = layers->path_loss || layers->power || layers->best || layers->mechanism ||
                                  layers->deflections};
    rw_shadow_loss loss;
    RW_TRY(rw_shadow_loss_create(prediction, effects, &loss));
    rw_status status = RW_OK;
    for (size_t first = 0; first < count && status == RW_OK; first += batch) {
        size_t now = count - first < batch ? count - first : batch;
        status = solve_batch(prediction, &loss, needs, first, now, layers);
        if (status == RW_OK)
            status = rw_progress(prediction->scene->context, (double)(first + now) / (double)count, "predicting");
    }
    rw_shadow_loss_destroy(&loss);
    return status;
}

static rw_status solve(const rw_prediction *prediction, rw_map *map)
{
    rw_shadow_layers layers = {0};
    rw_shadow_effects effects;
    RW_TRY(settle_effects(prediction, &effects));
    rw_status status = add_layers(prediction, map, &layers);
    if (status == RW_OK)
        status = solve_all(prediction, effects, &layers);
    free(layers.best_power);
    return status;
}

const rw_model rw_model_shadow = {"shadow", "path_loss,power,los,walls,mechanism,deflections,best",
                                  "path_loss,los,walls", solve, 0, 0, 0};
