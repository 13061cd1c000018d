/* The shadow model after Rick and Kuhlen (2010): from walls to line of sight, wall count and path loss for every
 * receiver. */
#include "models/shadow/shadow.h"

#include "base/memory.h"
#include "models/engine/received.h"
#include "models/shadow/parameters.h"

#include <stdlib.h>

/* Values of the layers being filled; NULL: not asked for. */
typedef struct shadow_layers {
    float *los, *walls, *path_loss, *mechanism, *deflections;
    rw_received received;
} shadow_layers;

/* One band on the host, as it comes from the backend. */
typedef struct shadow_band {
    float *loss_db;
    uint32_t *walls;
    uint8_t *bytes;
} shadow_band;

static rw_status add_layers(const rw_prediction *prediction, rw_map *map, shadow_layers *layers)
{
    RW_TRY(rw_prediction_add_layer(prediction, map, "path_loss", "dB", &layers->path_loss));
    RW_TRY(rw_prediction_add_layer(prediction, map, "los", "", &layers->los));
    RW_TRY(rw_prediction_add_layer(prediction, map, "walls", "walls", &layers->walls));
    RW_TRY(rw_prediction_add_layer(prediction, map, "mechanism", "", &layers->mechanism));
    RW_TRY(rw_prediction_add_layer(prediction, map, "deflections", "edges", &layers->deflections));
    return rw_received_create(prediction, map, &layers->received);
}

/* With no effects chosen a scene gets all that it can have. */
static void choose_effects(const rw_prediction *prediction, rw_shadow_effects *effects)
{
    int meshes = prediction->scene->triangles.count > 0;
    effects->walls = 1;
    effects->streets = !meshes;
    effects->roofs = meshes ? RW_SHADOW_ROOFS_NONE : RW_SHADOW_ROOFS_ANGLES;
}

rw_status rw_shadow_effects_settle(const rw_prediction *prediction, rw_shadow_effects *effects)
{
    const rw_predict_options *options = prediction->options;
    rw_context *context = prediction->scene->context;
    const char *list = options->effects;
    *effects = (rw_shadow_effects){.order = options->order, .best_count = options->best_count};
    if (options->order < 1 || options->order > RW_STREET_ORDER_MAX)
        return rw_fail(context, RW_BAD_CALL, "%d corners on a path are not possible; --order takes 1 to %d",
                       options->order, RW_STREET_ORDER_MAX);
    if (options->best_count < 1 || options->best_count > RW_SHADOW_WAYS_MAX)
        return rw_fail(context, RW_BAD_CALL, "the sum of %d ways is not possible; --sum takes 1 to %d",
                       options->best_count, RW_SHADOW_WAYS_MAX);
    if (!list) {
        choose_effects(prediction, effects);
        return RW_OK;
    }
    RW_TRY(rw_list_check(context, list, "streets,roofs,roofs_counted,walls,none", "effect"));
    effects->streets = rw_list_contains(list, "streets");
    effects->walls = rw_list_contains(list, "walls");
    effects->roofs = rw_list_contains(list, "roofs")           ? RW_SHADOW_ROOFS_ANGLES
                     : rw_list_contains(list, "roofs_counted") ? RW_SHADOW_ROOFS_COUNTED
                                                               : RW_SHADOW_ROOFS_NONE;
    if ((effects->roofs || effects->streets) && prediction->scene->triangles.count)
        return rw_fail(context, RW_BAD_CALL,
                       "streets and roofs know buildings and terrain, and this scene has meshes; use --effects walls");
    int bent = effects->streets || effects->roofs || effects->walls;
    if (!bent &&
        (rw_list_contains(prediction->layers, "mechanism") || rw_list_contains(prediction->layers, "deflections")))
        return rw_fail(context, RW_BAD_CALL,
                       "layers mechanism and deflections need effects; write for example --effects streets,walls");
    return RW_OK;
}

static rw_status fetch_bytes(const rw_shadow_job *job, const uint8_t *from, size_t band, shadow_band *host,
                             size_t transmitter, float *layer)
{
    const rw_receivers_view *view = &job->prediction->receivers.view;
    size_t cells = view->columns * view->rows;
    if (!layer)
        return RW_OK;
    RW_TRY(rw_device_download(job->prediction->scene->context, job->backend, host->bytes, from + band * cells, cells));
    for (size_t i = 0; i < view->outdoor_count; i++)
        layer[transmitter * cells + view->outdoor[i]] = host->bytes[view->outdoor[i]];
    return RW_OK;
}

static rw_status fetch_walls(const rw_shadow_job *job, size_t band, shadow_band *host, size_t transmitter, float *layer)
{
    const rw_receivers_view *view = &job->prediction->receivers.view;
    if (!layer)
        return RW_OK;
    RW_TRY(rw_los_job_read(&job->sight, band, NULL, host->walls));
    for (size_t i = 0; i < view->outdoor_count; i++)
        layer[transmitter * view->columns * view->rows + view->outdoor[i]] = (float)host->walls[view->outdoor[i]];
    return RW_OK;
}

static rw_status fetch_loss(const rw_shadow_job *job, size_t band, shadow_band *host, size_t transmitter,
                            shadow_layers *layers)
{
    const rw_receivers_view *view = &job->prediction->receivers.view;
    size_t cells = view->columns * view->rows;
    if (!layers->path_loss && !rw_received_wanted(&layers->received))
        return RW_OK;
    RW_TRY(rw_device_download(job->prediction->scene->context, job->backend, host->loss_db,
                              job->args.path_loss_db + band * cells, cells * sizeof(float)));
    for (size_t i = 0; layers->path_loss && i < view->outdoor_count; i++)
        layers->path_loss[transmitter * cells + view->outdoor[i]] = host->loss_db[view->outdoor[i]];
    rw_received_add(&layers->received, transmitter, host->loss_db);
    return RW_OK;
}

static rw_status fetch(const rw_shadow_job *job, size_t band, shadow_band *host, size_t transmitter,
                       shadow_layers *layers)
{
    RW_TRY(fetch_loss(job, band, host, transmitter, layers));
    RW_TRY(fetch_walls(job, band, host, transmitter, layers->walls));
    RW_TRY(fetch_bytes(job, job->args.los, band, host, transmitter, layers->los));
    RW_TRY(fetch_bytes(job, job->args.mechanism, band, host, transmitter, layers->mechanism));
    return fetch_bytes(job, job->args.deflections, band, host, transmitter, layers->deflections);
}

static rw_status solve_all(const rw_prediction *prediction, rw_shadow_job *job, shadow_band *host,
                           shadow_layers *layers)
{
    rw_context *context = prediction->scene->context;
    size_t count = prediction->options->transmitter_count;
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    RW_TRY(rw_array_create(context, cells, sizeof(float), "path loss", &host->loss_db));
    RW_TRY(rw_array_create(context, cells, sizeof(uint32_t), "wall counts", &host->walls));
    RW_TRY(rw_array_create(context, cells, 1, "mechanisms", &host->bytes));
    for (size_t first = 0; first < count; first += job->batch) {
        size_t now = count - first < job->batch ? count - first : job->batch;
        RW_TRY(rw_shadow_job_run(job, first, now));
        for (size_t i = 0; i < now; i++)
            RW_TRY(fetch(job, i, host, first + i, layers));
        RW_TRY(rw_progress(context, (double)(first + now) / (double)count, "predicting"));
    }
    rw_received_finish(&layers->received);
    return RW_OK;
}

static rw_status solve(const rw_prediction *prediction, rw_map *map)
{
    shadow_layers layers = {0};
    shadow_band host = {0};
    rw_shadow_effects effects;
    rw_shadow_job job = {0};
    RW_TRY(rw_shadow_effects_settle(prediction, &effects));
    rw_status status = add_layers(prediction, map, &layers);
    rw_shadow_needs needs = {.sight = layers.los != NULL, .walls = layers.walls != NULL};
    if (status == RW_OK)
        status = rw_shadow_job_create(prediction, effects, needs, &job);
    if (status == RW_OK)
        status = solve_all(prediction, &job, &host, &layers);
    rw_shadow_job_destroy(&job);
    rw_received_destroy(&layers.received);
    free(host.loss_db);
    free(host.walls);
    free(host.bytes);
    return status;
}

const rw_model rw_model_shadow = {.name = "shadow",
                                  .layers = "path_loss,los,walls,mechanism,deflections," RW_RECEIVED_LAYERS,
                                  .default_layers = "path_loss,los,walls",
                                  .solve = solve,
                                  .trace = rw_shadow_trace,
                                  .parameters = rw_shadow_parameters,
                                  .parameter_count = RW_SHADOW_PARAMETERS,
                                  .parameter_defaults = rw_shadow_parameter_defaults,
                                  .term_count = RW_SHADOW_TERMS,
                                  .path_terms = rw_shadow_path_terms,
                                  .terms_loss_db = rw_shadow_terms_loss_db};
