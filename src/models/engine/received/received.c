#include "models/engine/received/received.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "models/engine/run/run.h"
#include "mechanisms/prior/prior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The layers that are made here. */
static const struct received_layer {
    const char *name;
    size_t at; /* of its values in rw_received */
} received_layers[] = {{"power", offsetof(rw_received, power)},
                       {"field_strength", offsetof(rw_received, field_strength)},
                       {"coverage_probability", offsetof(rw_received, coverage_probability)},
                       {"best", offsetof(rw_received, best)},
                       {"ci", offsetof(rw_received, ci)},
                       {"strongest", offsetof(rw_received, strongest)},
                       {"rsrp", offsetof(rw_received, rsrp)},
                       {"interference", offsetof(rw_received, interference)},
                       {"noise", offsetof(rw_received, noise)},
                       {"sinr", offsetof(rw_received, sinr)},
                       {"throughput", offsetof(rw_received, throughput)}};
#define LAYER_COUNT (sizeof received_layers / sizeof *received_layers)

static const struct received_layer *find_received_layer(const char *name)
{
    for (size_t i = 0; i < LAYER_COUNT; i++)
        if (strcmp(received_layers[i].name, name) == 0)
            return &received_layers[i];
    return NULL;
}

static float **values_of(const rw_received *received, const struct received_layer *layer)
{
    return (float **)((char *)(uintptr_t)received + layer->at);
}

int rw_layer_is_received(const char *name)
{
    return find_received_layer(name) != NULL;
}

int rw_layers_need_power(const char *layers)
{
    int needed = 0;
    for (size_t i = 0; i < LAYER_COUNT; i++)
        needed |= rw_list_contains(layers, received_layers[i].name);
    return needed;
}

void rw_received_set_layer(rw_received *received, const char *name, float *values)
{
    const struct received_layer *layer = find_received_layer(name);
    if (layer)
        *values_of(received, layer) = values;
}

int rw_received_wanted(const rw_received *received)
{
    int wanted = 0;
    for (size_t i = 0; i < LAYER_COUNT; i++)
        wanted |= *values_of(received, &received_layers[i]) != NULL;
    return wanted;
}

void rw_received_memory_free(rw_received_memory *memory)
{
    free(memory->power_dbm);
    free(memory->best_dbm);
    free(memory->server);
    free(memory->channels);
    free(memory->loads);
    free(memory->carriers);
    free(memory->loaded_mw);
    free(memory->total_mw);
    *memory = (rw_received_memory){0};
}

/* Loads of transmitters that have one of their own; returns whether any has. */
static int find_loads(const rw_prediction *prediction, double *loads)
{
    const rw_predict_options *options = prediction->options;
    int own = 0;
    for (size_t i = 0; i < options->transmitter_count; i++) {
        double load = options->transmitters[i].load;
        own |= load != 0;
        loads[i] = load == 0 ? options->load : load < 0 ? 0 : load;
    }
    return own;
}

/* What an earlier call with as many transmitters on as many channels has taken is kept. */
static rw_status allocate_received_memory(const rw_prediction *prediction, size_t cells, rw_received_memory *memory)
{
    rw_context *context = prediction->scene->context;
    size_t count = prediction->options->transmitter_count, channels_before = memory->channel_count;
    int reusable = memory->total_mw && memory->transmitter_count == count, own_loads = 0;
    if (reusable) {
        memory->channel_count = rw_channels_find(prediction, memory->channels);
        own_loads = find_loads(prediction, memory->loads);
    }
    if (reusable && memory->channel_count == channels_before && own_loads == (memory->loaded_mw != NULL))
        return RW_OK;
    rw_received_memory_free(memory); /* also what a failure before may have left */
    memory->transmitter_count = count;
    RW_TRY(rw_array_create(context, count, sizeof(uint32_t), "channels", &memory->channels));
    memory->channel_count = rw_channels_find(prediction, memory->channels);
    RW_TRY(rw_array_create(context, count, sizeof(double), "loads", &memory->loads));
    if (find_loads(prediction, memory->loads))
        RW_TRY(rw_array_create(context, cells * memory->channel_count, sizeof(double), "received power",
                               &memory->loaded_mw));
    RW_TRY(rw_array_create(context, cells, sizeof(float), "received power", &memory->power_dbm));
    RW_TRY(rw_array_create(context, cells, sizeof(float), "received power", &memory->best_dbm));
    RW_TRY(rw_array_create(context, cells, sizeof(uint32_t), "received power", &memory->server));
    return rw_array_create(context, cells * memory->channel_count, sizeof(double), "received power", &memory->total_mw);
}

rw_status rw_received_begin(rw_received *received)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    rw_received_memory *memory = received->memory;
    size_t cells = view->columns * view->rows;
    if (!rw_received_wanted(received))
        return RW_OK;
    RW_TRY(rw_network_plan_init(received->prediction, &received->plan));
    RW_TRY(allocate_received_memory(received->prediction, cells, memory));
    free(memory->carriers);
    RW_TRY(rw_carriers_create(received->prediction->scene->context, received->prediction->options, &memory->carriers));
    for (size_t i = 0; i < cells; i++) {
        memory->best_dbm[i] = -INFINITY;
        memory->server[i] = RW_NO_SERVER;
    }
    memset(memory->total_mw, 0, cells * memory->channel_count * sizeof *memory->total_mw);
    if (memory->loaded_mw)
        memset(memory->loaded_mw, 0, cells * memory->channel_count * sizeof *memory->loaded_mw);
    return RW_OK;
}

typedef struct power_search {
    rw_received *received;
    size_t transmitter;
    const float *path_loss_db;
    rw_vec3 source;
} power_search;

static void find_powers(void *user, size_t begin, size_t end)
{
    const power_search *of = user;
    const rw_prediction *prediction = of->received->prediction;
    const rw_receivers_view *view = &prediction->receivers.view;
    const rw_transmitter *about = &prediction->options->transmitters[of->transmitter];
    rw_antenna_shape pattern = rw_antenna_shape_of(prediction->antennas[of->transmitter]);
    rw_mounting mounting = rw_mounting_of(about->azimuth_deg, about->downtilt_deg, about->roll_deg);
    for (size_t i = begin; i < end; i++) {
        size_t cell = view->outdoor[i];
        rw_vec3 direction = rw_vec3_sub(rw_receiver_point(view, cell), of->source);
        double gain_dbi = rw_shape_gain_towards(&pattern, &mounting, direction);
        of->received->memory->power_dbm[cell] = (float)(about->power_dbm + gain_dbi - (double)of->path_loss_db[cell]);
    }
}

/* Transmitted power and the antenna's gain towards the receiver, less the path loss. */
static rw_status find_power(rw_received *received, size_t transmitter, const float *path_loss_db)
{
    const rw_prediction *prediction = received->prediction;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter];
    power_search of = {received, transmitter, path_loss_db, rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z)};
    return rw_parallel(prediction->scene->context, prediction->receivers.view.outdoor_count, 512, find_powers, &of);
}

/* Field strength over the power that an isotropic antenna takes from it: E^2 / 120 pi ohm times its area, lambda^2 / 4
 * pi, with E in microvolts a metre and the power in milliwatts. */
static double field_over_power_db(double freq_hz)
{
    const double pi = 3.14159265358979323846;
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    return 10 * log10(1e9 * 120 * pi * 4 * pi / (wavelength_m * wavelength_m));
}

/* The arrays lie in main memory, wherever the model computes. */
static void launch_on_host(rw_received *received, rw_kernel kernel, const void *args, size_t count)
{
    if (received->status == RW_OK)
        received->status = rw_device_launch(received->prediction->scene->context, RW_BACKEND_CPU, kernel, args, count);
}

void rw_received_add_cells(rw_received *received, size_t transmitter, const uint32_t *cells, size_t count)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    rw_near_field near = rw_near_field_of(received->prediction, transmitter);
    for (size_t i = 0; near.limit_m > 0 && i < count; i++)
        if (rw_near_field_holds(&near, cells[i]))
            received->memory->power_dbm[cells[i]] = NAN;
    const rw_received_memory *memory = received->memory;
    size_t all = view->columns * view->rows, band = transmitter * all;
    struct rw_receive_power_args args = {
        .cells = cells,
        .power_dbm = memory->power_dbm,
        .transmitter = (uint32_t)transmitter,
        .field_db = (float)field_over_power_db(rw_prediction_freq_hz(received->prediction, transmitter)),
        .best_dbm = memory->best_dbm,
        .server = memory->server,
        .total_mw = memory->total_mw + memory->channels[transmitter] * all,
        .loaded_mw = memory->loaded_mw ? memory->loaded_mw + memory->channels[transmitter] * all : NULL,
        .load = memory->loads[transmitter],
        .power = received->power ? received->power + band : NULL,
        .field_strength = received->field_strength ? received->field_strength + band : NULL,
        .best = received->best};
    launch_on_host(received, RW_KERNEL_receive_power, &args, count);
}

/* What the power of the transmitter at hand comes to in the layers. */
static rw_status add_transmitter_power(rw_received *received, size_t transmitter)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    RW_TRY(rw_air_add(received->prediction, transmitter, -1, received->memory->power_dbm));
    rw_prediction_correct(received->prediction, transmitter, -1, received->memory->power_dbm);
    rw_received_add_cells(received, transmitter, view->outdoor, view->outdoor_count);
    RW_TRY(received->status);
    return rw_received_add_inside(received, transmitter);
}

rw_status rw_received_add_inside(rw_received *received, size_t transmitter)
{
    if (!received->indoor || !rw_received_wanted(received))
        return RW_OK;
    RW_TRY(rw_indoor_predict(received->indoor, transmitter, -1, received->memory->power_dbm, NULL, NULL));
    rw_received_add_cells(received, transmitter, received->indoor->cells, received->indoor->count);
    return received->status;
}

rw_status rw_received_add(rw_received *received, size_t transmitter, const float *path_loss_db)
{
    if (!rw_received_wanted(received))
        return RW_OK;
    RW_TRY(find_power(received, transmitter, path_loss_db));
    return add_transmitter_power(received, transmitter);
}

rw_status rw_received_add_power(rw_received *received, size_t transmitter, const float *power_dbm)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    rw_prior_losses losses = {transmitter, -1, 1};
    if (!rw_received_wanted(received))
        return RW_OK;
    memcpy(received->memory->power_dbm, power_dbm, view->columns * view->rows * sizeof *power_dbm);
    if (received->prior)
        RW_TRY(rw_prior_add(received->prediction, received->prior, losses, received->memory->power_dbm));
    return add_transmitter_power(received, transmitter);
}

typedef struct probability_search {
    const rw_received *received;
    const float *sigma_db;
    float *values;
} probability_search;

static void find_probabilities(void *user, size_t begin, size_t end)
{
    const probability_search *of = user;
    const uint32_t *outdoor = of->received->prediction->receivers.view.outdoor;
    double level_dbm = of->received->prediction->options->level_dbm;
    for (size_t i = begin; i < end; i++) {
        size_t cell = outdoor[i];
        double over_db = (double)of->received->memory->power_dbm[cell] - level_dbm;
        of->values[cell] =
            isinf(over_db) ? 0.0f : (float)(0.5 * erfc(-over_db / (sqrt(2.0) * (double)of->sigma_db[cell])));
    }
}

/* Errors in decibels are normal (docs/explanation/uncertainty.md). */
rw_status rw_received_find_probability(rw_received *received, size_t transmitter, const float *sigma_db)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    const float *measured_db = rw_prediction_sigma_db(received->prediction, transmitter);
    probability_search of = {received, measured_db ? measured_db : sigma_db,
                             received->coverage_probability + transmitter * view->columns * view->rows};
    return rw_parallel(received->prediction->scene->context, view->outdoor_count, 1024, find_probabilities, &of);
}

static void launch_network_layers(rw_received *received, const uint32_t *cells, size_t count)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    const rw_received_memory *memory = received->memory;
    struct rw_network_layers_args args = {.plan = received->plan,
                                          .carriers = memory->carriers,
                                          .cells = cells,
                                          .cell_count = view->columns * view->rows,
                                          .power_dbm = memory->power_dbm,
                                          .best_dbm = memory->best_dbm,
                                          .server = memory->server,
                                          .channels = memory->channels,
                                          .total_mw = memory->total_mw,
                                          .loaded_mw = memory->loaded_mw,
                                          .loads = memory->loads,
                                          .ci = received->ci,
                                          .strongest = received->strongest,
                                          .rsrp = received->rsrp,
                                          .interference = received->interference,
                                          .noise = received->noise,
                                          .sinr = received->sinr,
                                          .throughput = received->throughput};
    launch_on_host(received, RW_KERNEL_network_layers, &args, count);
}

rw_status rw_received_finish_cells(rw_received *received, const uint32_t *cells, size_t count)
{
    if (rw_received_wanted(received))
        launch_network_layers(received, cells, count);
    return received->status;
}

rw_status rw_received_finish(rw_received *received)
{
    const rw_receivers_view *view = &received->prediction->receivers.view;
    if (!rw_received_wanted(received))
        return RW_OK;
    launch_network_layers(received, view->outdoor, view->outdoor_count);
    if (received->indoor)
        launch_network_layers(received, received->indoor->cells, received->indoor->count);
    return received->status;
}
