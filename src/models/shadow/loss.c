/* Path loss of the shadow model, one transmitter at a time: free space, or the best of sight, roofs and walls. */
#include "models/shadow/shadow.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "field/free_space_map.k.h"
#include "models/shadow/path_loss.k.h"
#include "scene/antenna.h"

#include <stdlib.h>

static size_t cell_count(const rw_prediction *prediction)
{
    return prediction->receivers.view.columns * prediction->receivers.view.rows;
}

static rw_status take(rw_shadow_loss *loss)
{
    const rw_prediction *prediction = loss->prediction;
    rw_context *context = prediction->scene->context;
    size_t cells = cell_count(prediction);
    RW_TRY(rw_receivers_place(context, loss->backend, &prediction->receivers, &loss->receivers));
    RW_TRY(rw_device_alloc(context, loss->backend, cells * sizeof(float), "path loss", &loss->path_loss_db));
    RW_TRY(rw_device_alloc(context, loss->backend, cells, "mechanisms", &loss->mechanism));
    RW_TRY(rw_device_alloc(context, loss->backend, cells, "deflections", &loss->deflections));
    RW_TRY(rw_array_create(context, cells, sizeof(float), "path loss", &loss->host_loss_db));
    RW_TRY(rw_array_create(context, cells, sizeof(float), "received power", &loss->host_power_dbm));
    return rw_array_create(context, cells, 1, "mechanisms", &loss->host_bytes);
}

rw_status rw_shadow_loss_create(const rw_prediction *prediction, rw_shadow_effects effects, rw_shadow_loss *loss)
{
    *loss =
        (rw_shadow_loss){.prediction = prediction, .effects = effects, .backend = prediction->scene->context->backend};
    rw_status status = take(loss);
    if (status != RW_OK)
        rw_shadow_loss_destroy(loss);
    return status;
}

void rw_shadow_loss_destroy(rw_shadow_loss *loss)
{
    rw_receivers_remove(loss->backend, &loss->receivers);
    void *taken[] = {loss->path_loss_db, loss->mechanism, loss->deflections};
    for (int i = 0; i < 3; i++)
        if (taken[i])
            rw_device_free(loss->backend, taken[i]);
    free(loss->host_loss_db);
    free(loss->host_power_dbm);
    free(loss->host_bytes);
    *loss = (rw_shadow_loss){0};
}

/* The transmitter in the frame of grid and receivers. */
static rw_vec3 source_of(const rw_prediction *prediction, size_t transmitter)
{
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 source = prediction->sources[transmitter];
    return rw_vec3_make(source.x - centre.x, source.y - centre.y, source.z);
}

static rw_status launch_free_space(rw_shadow_loss *loss, size_t transmitter, double wavelength_m)
{
    struct rw_free_space_map_args args = {.receivers = loss->receivers.view,
                                          .source = source_of(loss->prediction, transmitter),
                                          .wavelength_m = wavelength_m,
                                          .path_loss_db = loss->path_loss_db};
    return rw_device_launch(loss->prediction->scene->context, loss->backend, RW_KERNEL_free_space_map, &args,
                            cell_count(loss->prediction));
}

/* A long map is solved slice by slice of its receivers, so that progress is seen and can be stopped. */
static rw_status launch_in_slices(rw_shadow_loss *loss, struct rw_shadow_path_loss_args *args, size_t transmitter)
{
    rw_context *context = loss->prediction->scene->context;
    const size_t slice = loss->backend == RW_BACKEND_CUDA ? (size_t)1 << 24 : (size_t)1 << 16;
    size_t count = args->receivers.outdoor_count, transmitters = loss->prediction->options->transmitter_count;
    for (size_t first = 0; first < count; first += slice) {
        size_t now = count - first < slice ? count - first : slice;
        RW_TRY(rw_device_launch(context, loss->backend, RW_KERNEL_shadow_path_loss, args, now));
        args->receivers.outdoor += now;
        double share = (double)transmitter + (double)(first + now) / (double)count;
        RW_TRY(rw_progress(context, share / (double)transmitters, "predicting"));
    }
    return RW_OK;
}

static rw_status launch_paths(rw_shadow_loss *loss, size_t transmitter, const rw_shadow_values *values,
                              double wavelength_m, const uint32_t *walls)
{
    struct rw_shadow_path_loss_args args = {.receivers = loss->receivers.view,
                                            .source = source_of(loss->prediction, transmitter),
                                            .wavelength_m = wavelength_m,
                                            .roof = values->roof,
                                            .wall = values->wall,
                                            .roofs = loss->effects.roofs,
                                            .walls = walls,
                                            .path_loss_db = loss->path_loss_db,
                                            .mechanism = loss->mechanism,
                                            .deflections = loss->deflections};
    RW_TRY(rw_prepared_view(loss->prediction->scene, loss->backend, &args.grid));
    rw_grid_widen(&args.grid, &args.receivers, args.source);
    return launch_in_slices(loss, &args, transmitter);
}

/* Received power: transmitted power and the antenna's gain towards the receiver, less the path loss. */
static void find_power(rw_shadow_loss *loss, size_t transmitter)
{
    const rw_prediction *prediction = loss->prediction;
    const rw_receivers_view *view = &prediction->receivers.view;
    const rw_transmitter *about = &prediction->options->transmitters[transmitter];
    rw_vec3 source = source_of(prediction, transmitter);
    long long count = (long long)view->outdoor_count;
#pragma omp parallel for schedule(static) num_threads(prediction->scene->context->threads)
    for (long long i = 0; i < count; i++) {
        size_t cell = view->outdoor[i];
        rw_vec3 direction = rw_vec3_sub(rw_receiver_point(view, cell), source);
        double gain_dbi = rw_antenna_gain_towards(prediction->antennas[transmitter], about->azimuth_deg,
                                                  about->downtilt_deg, about->roll_deg, direction);
        loss->host_power_dbm[cell] = (float)(about->power_dbm + gain_dbi - (double)loss->host_loss_db[cell]);
    }
}

static void store(const rw_prediction *prediction, size_t band, const float *from, float *layer)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    for (size_t i = 0; layer && i < view->outdoor_count; i++)
        layer[band * cell_count(prediction) + view->outdoor[i]] = from[view->outdoor[i]];
}

static rw_status store_bytes(rw_shadow_loss *loss, size_t band, const uint8_t *device, float *layer)
{
    if (!layer)
        return RW_OK;
    const rw_prediction *prediction = loss->prediction;
    const rw_receivers_view *view = &prediction->receivers.view;
    RW_TRY(rw_device_download(prediction->scene->context, loss->backend, loss->host_bytes, device,
                              cell_count(prediction)));
    for (size_t i = 0; i < view->outdoor_count; i++)
        layer[band * cell_count(prediction) + view->outdoor[i]] = loss->host_bytes[view->outdoor[i]];
    return RW_OK;
}

static void keep_best(const rw_shadow_loss *loss, size_t transmitter, const rw_shadow_layers *layers)
{
    const rw_receivers_view *view = &loss->prediction->receivers.view;
    for (size_t i = 0; i < view->outdoor_count; i++) {
        size_t cell = view->outdoor[i];
        if (transmitter > 0 && loss->host_power_dbm[cell] <= layers->best_power[cell])
            continue;
        layers->best[cell] = (float)(transmitter + 1);
        layers->best_power[cell] = loss->host_power_dbm[cell];
    }
}

/* The offset holds for every way, the straight one among them. */
static void add_offset(rw_shadow_loss *loss, double offset_db)
{
    const rw_receivers_view *view = &loss->prediction->receivers.view;
    for (size_t i = 0; offset_db != 0 && i < view->outdoor_count; i++)
        loss->host_loss_db[view->outdoor[i]] += (float)offset_db;
}

rw_status rw_shadow_loss_solve(rw_shadow_loss *loss, size_t transmitter, const uint32_t *walls,
                               const rw_shadow_layers *layers)
{
    const rw_prediction *prediction = loss->prediction;
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / rw_prediction_freq_hz(prediction, transmitter);
    int bent = loss->effects.roofs || loss->effects.walls;
    rw_shadow_values values;
    RW_TRY(rw_shadow_values_of(prediction, transmitter, &values));
    RW_TRY(bent ? launch_paths(loss, transmitter, &values, wavelength_m, walls)
                : launch_free_space(loss, transmitter, wavelength_m));
    RW_TRY(rw_device_download(prediction->scene->context, loss->backend, loss->host_loss_db, loss->path_loss_db,
                              cell_count(prediction) * sizeof(float)));
    add_offset(loss, values.offset_db);
    store(prediction, transmitter, loss->host_loss_db, layers->path_loss);
    if (bent) {
        RW_TRY(store_bytes(loss, transmitter, loss->mechanism, layers->mechanism));
        RW_TRY(store_bytes(loss, transmitter, loss->deflections, layers->deflections));
    }
    if (layers->power || layers->best) {
        find_power(loss, transmitter);
        store(prediction, transmitter, loss->host_power_dbm, layers->power);
    }
    if (layers->best)
        keep_best(loss, transmitter, layers);
    return RW_OK;
}
