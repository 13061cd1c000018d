#include "models/engine/received.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rw_status add_layers(rw_received *received, rw_map *map)
{
    const rw_prediction *prediction = received->prediction;
    size_t count = prediction->options->transmitter_count;
    int several = count > 1 && !prediction->options->layers;
    if (rw_list_contains(prediction->layers, "power"))
        RW_TRY(rw_map_add_layer(map, "power", "dBm", count, &received->power));
    if (several || rw_list_contains(prediction->layers, "best"))
        RW_TRY(rw_map_add_layer(map, "best", "transmitter", 1, &received->best));
    if (several || rw_list_contains(prediction->layers, "ci"))
        RW_TRY(rw_map_add_layer(map, "ci", "dB", 1, &received->ci));
    return RW_OK;
}

static rw_status create(rw_received *received, rw_map *map)
{
    const rw_prediction *prediction = received->prediction;
    rw_context *context = prediction->scene->context;
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    RW_TRY(add_layers(received, map));
    if (!rw_received_wanted(received))
        return RW_OK;
    RW_TRY(rw_array_create(context, cells, sizeof(float), "received power", &received->power_dbm));
    RW_TRY(rw_array_create(context, cells, sizeof(float), "received power", &received->best_dbm));
    return rw_array_create(context, cells, sizeof(double), "received power", &received->total_mw);
}

rw_status rw_received_create(const rw_prediction *prediction, rw_map *map, rw_received *received)
{
    *received = (rw_received){.prediction = prediction};
    rw_status status = create(received, map);
    if (status != RW_OK)
        rw_received_destroy(received);
    return status;
}

void rw_received_destroy(rw_received *received)
{
    free(received->power_dbm);
    free(received->best_dbm);
    free(received->total_mw);
    *received = (rw_received){0};
}

int rw_received_wanted(const rw_received *received)
{
    return received->power || received->best || received->ci;
}

/* Transmitted power and the antenna's gain towards the receiver, less the path loss. */
static void find_power(rw_received *received, size_t transmitter, const float *path_loss_db)
{
    const rw_prediction *prediction = received->prediction;
    const rw_receivers_view *view = &prediction->receivers.view;
    const rw_transmitter *about = &prediction->options->transmitters[transmitter];
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter], source = rw_vec3_make(at.x - centre.x, at.y - centre.y, at.z);
    long long count = (long long)view->outdoor_count;
#pragma omp parallel for schedule(static) num_threads(prediction->scene->context->threads)
    for (long long i = 0; i < count; i++) {
        size_t cell = view->outdoor[i];
        rw_vec3 direction = rw_vec3_sub(rw_receiver_point(view, cell), source);
        double gain_dbi = rw_antenna_gain_towards(prediction->antennas[transmitter], about->azimuth_deg,
                                                  about->downtilt_deg, about->roll_deg, direction);
        received->power_dbm[cell] = (float)(about->power_dbm + gain_dbi - (double)path_loss_db[cell]);
    }
}

static void take_cell(rw_received *received, size_t transmitter, size_t cell)
{
    float power_dbm = received->power_dbm[cell];
    received->total_mw[cell] += pow(10, 0.1 * (double)power_dbm);
    if (transmitter > 0 && !(power_dbm > received->best_dbm[cell]))
        return;
    received->best_dbm[cell] = power_dbm;
    if (received->best)
        received->best[cell] = (float)(transmitter + 1);
}

/* What the power of the transmitter at hand comes to in the layers. */
static void take_power(rw_received *received, size_t transmitter)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    for (size_t i = 0; i < view->outdoor_count; i++) {
        size_t cell = view->outdoor[i];
        take_cell(received, transmitter, cell);
        if (received->power)
            received->power[transmitter * view->columns * view->rows + cell] = received->power_dbm[cell];
    }
}

void rw_received_add(rw_received *received, size_t transmitter, const float *path_loss_db)
{
    if (!rw_received_wanted(received))
        return;
    find_power(received, transmitter, path_loss_db);
    take_power(received, transmitter);
}

void rw_received_add_power(rw_received *received, size_t transmitter, const float *power_dbm)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    if (!rw_received_wanted(received))
        return;
    memcpy(received->power_dbm, power_dbm, view->columns * view->rows * sizeof *power_dbm);
    take_power(received, transmitter);
}

void rw_received_finish(rw_received *received)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    for (size_t i = 0; received->ci && i < view->outdoor_count; i++) {
        size_t cell = view->outdoor[i];
        double best_mw = pow(10, 0.1 * (double)received->best_dbm[cell]);
        double others_mw = received->total_mw[cell] - best_mw;
        received->ci[cell] = others_mw > 0 ? (float)(10 * log10(best_mw / others_mw)) : INFINITY;
    }
}
