/* The shadow model after Rick and Kuhlen (2010): from walls to line of sight, wall count and path loss for every receiver. */
#include "models/model.h"

#include "base/memory.h"
#include "field/free_space_map.k.h"
#include "scene/antenna.h"

#include <math.h>
#include <stdlib.h>

static const double speed_of_light_m_per_s = 299792458.0;

/* Values of the layers being filled; NULL: not asked for. */
typedef struct shadow_layers {
    float *los, *walls, *path_loss, *power, *best;
} shadow_layers;

static rw_status add_layers(const rw_prediction *prediction, rw_map *map, shadow_layers *layers)
{
    size_t bands = prediction->options->transmitter_count;
    const char *asked = prediction->layers;
    *layers = (shadow_layers){0};
    if (rw_layer_listed(asked, "path_loss"))
        RW_TRY(rw_map_add_layer(map, "path_loss", "dB", bands, &layers->path_loss));
    if (rw_layer_listed(asked, "power"))
        RW_TRY(rw_map_add_layer(map, "power", "dBm", bands, &layers->power));
    if (rw_layer_listed(asked, "los"))
        RW_TRY(rw_map_add_layer(map, "los", "", bands, &layers->los));
    if (rw_layer_listed(asked, "walls"))
        RW_TRY(rw_map_add_layer(map, "walls", "walls", bands, &layers->walls));
    if (rw_layer_listed(asked, "best") || (bands > 1 && !prediction->options->layers))
        RW_TRY(rw_map_add_layer(map, "best", "transmitter", 1, &layers->best));
    return RW_OK;
}

static void store_sight(const rw_prediction *prediction, size_t band, const uint8_t *los, const uint32_t *walls,
                        const shadow_layers *layers)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    size_t cells = view->columns * view->rows;
    for (size_t cell = 0; cell < cells; cell++) {
        if (view->indoor[cell])
            continue;
        if (layers->los)
            layers->los[band * cells + cell] = los[cell];
        if (layers->walls)
            layers->walls[band * cells + cell] = (float)walls[cell];
    }
}

/* Line of sight for a batch of transmitters at a time, so that memory stays bounded and progress is seen. */
static rw_status solve_sight(const rw_prediction *prediction, const shadow_layers *layers)
{
    rw_context *context = prediction->scene->context;
    size_t count = prediction->options->transmitter_count, cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    size_t batch = 1 + (size_t)(64e6 / (double)cells);
    uint8_t *los;
    uint32_t *walls = NULL;
    RW_TRY(rw_array_create(context, cells, sizeof *los, "line of sight", &los));
    rw_status status = layers->walls ? rw_array_create(context, cells, sizeof *walls, "wall counts", &walls) : RW_OK;
    for (size_t first = 0; first < count && status == RW_OK; first += batch) {
        size_t now = count - first < batch ? count - first : batch;
        rw_los_job job;
        status = rw_los_job_create(prediction->scene, &prediction->receivers, prediction->sources + first, now,
                                   prediction->method, layers->walls != NULL, &job);
        if (status != RW_OK)
            break;
        status = rw_los_job_run(&job);
        for (size_t i = 0; i < now && status == RW_OK; i++) {
            status = rw_los_job_read(&job, i, los, walls);
            if (status == RW_OK)
                store_sight(prediction, first + i, los, walls, layers);
        }
        rw_los_job_destroy(&job);
        if (status == RW_OK)
            status = rw_progress(context, (double)(first + now) / (double)count, "line of sight");
    }
    free(los);
    free(walls);
    return status;
}

static rw_status free_space(const rw_prediction *prediction, size_t transmitter, float *path_loss_db)
{
    const rw_wall_grid *grid = &prediction->scene->prepared->grid;
    rw_vec3 source = prediction->sources[transmitter];
    struct rw_free_space_map_args args = {
        .receivers = prediction->receivers.view,
        .source = rw_vec3_make(source.x - grid->centre.x, source.y - grid->centre.y, source.z),
        .wavelength_m = speed_of_light_m_per_s / rw_prediction_freq_hz(prediction, transmitter),
        .path_loss_db = path_loss_db};
    return rw_device_launch(prediction->scene->context, RW_BACKEND_CPU, RW_KERNEL_free_space_map, &args,
                            args.receivers.columns * args.receivers.rows);
}

/* Received power: transmitted power and the antenna's gain towards the receiver, less the path loss. */
static void store_power(const rw_prediction *prediction, size_t transmitter, const float *path_loss_db, float *power_dbm)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    const rw_transmitter *about = &prediction->options->transmitters[transmitter];
    const rw_wall_grid *grid = &prediction->scene->prepared->grid;
    rw_vec3 source = prediction->sources[transmitter];
    source.x -= grid->centre.x;
    source.y -= grid->centre.y;
    size_t count = view->columns * view->rows;
    long long cells = (long long)count;
#pragma omp parallel for schedule(static)
    for (long long cell = 0; cell < cells; cell++) {
        rw_vec3 direction = rw_vec3_sub(rw_receiver_point(view, (size_t)cell), source);
        double gain_dbi = rw_antenna_gain_towards(prediction->antennas[transmitter], about->azimuth_deg, about->downtilt_deg,
                                                  about->roll_deg, direction);
        power_dbm[cell] = (float)(about->power_dbm + gain_dbi - (double)path_loss_db[cell]);
    }
}

static void keep_best(const rw_prediction *prediction, size_t transmitter, const float *power_dbm, float *best,
                      float *best_power)
{
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    for (size_t cell = 0; cell < cells; cell++)
        if (!prediction->receivers.indoor[cell] && (transmitter == 0 || power_dbm[cell] > best_power[cell])) {
            best[cell] = (float)(transmitter + 1);
            best_power[cell] = power_dbm[cell];
        }
}

static void store_outdoor(const rw_prediction *prediction, size_t band, const float *from, float *layer)
{
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    for (size_t cell = 0; layer && cell < cells; cell++)
        if (!prediction->receivers.indoor[cell])
            layer[band * cells + cell] = from[cell];
}

static rw_status solve_loss(const rw_prediction *prediction, const shadow_layers *layers)
{
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    float *scratch;
    RW_TRY(rw_array_create(prediction->scene->context, 3 * cells, sizeof *scratch, "path loss", &scratch));
    float *path_loss_db = scratch, *power_dbm = scratch + cells, *best_power = scratch + 2 * cells;
    rw_status status = RW_OK;
    for (size_t i = 0; i < prediction->options->transmitter_count && status == RW_OK; i++) {
        status = free_space(prediction, i, path_loss_db);
        if (status != RW_OK)
            break;
        store_outdoor(prediction, i, path_loss_db, layers->path_loss);
        if (!layers->power && !layers->best)
            continue;
        store_power(prediction, i, path_loss_db, power_dbm);
        store_outdoor(prediction, i, power_dbm, layers->power);
        if (layers->best)
            keep_best(prediction, i, power_dbm, layers->best, best_power);
    }
    free(scratch);
    return status;
}

static rw_status solve(const rw_prediction *prediction, rw_map *map)
{
    shadow_layers layers;
    RW_TRY(add_layers(prediction, map, &layers));
    if (layers.los || layers.walls)
        RW_TRY(solve_sight(prediction, &layers));
    if (layers.path_loss || layers.power || layers.best)
        RW_TRY(solve_loss(prediction, &layers));
    return RW_OK;
}

const rw_model rw_model_shadow = {"shadow", "path_loss,power,los,walls,best", "path_loss,los,walls", solve};
