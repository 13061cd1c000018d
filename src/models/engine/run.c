#include "models/engine/run.h"

#include <string.h>

/* Whether a layer is to be made. Best server and interference are made by default with several transmitters. */
static int is_wanted(const rw_prediction *prediction, const char *name)
{
    int several = prediction->options->transmitter_count > 1 && !prediction->options->layers;
    return rw_list_contains(prediction->layers, name) || (several && rw_layer_is_of_all(name));
}

rw_status rw_run_add_layers(rw_run *run, const void *state)
{
    const rw_prediction *prediction = run->prediction;
    const rw_layer_kind *kinds = prediction->model->layer_kinds;
    size_t transmitters = prediction->options->transmitter_count;
    for (size_t i = 0; kinds[i].name; i++) {
        if (!is_wanted(prediction, kinds[i].name))
            continue;
        run->bands[i] = kinds[i].bands ? kinds[i].bands(state) : 1;
        size_t bands = rw_layer_is_of_all(kinds[i].name) ? 1 : run->bands[i] * transmitters;
        RW_TRY(rw_map_add_layer(run->map, kinds[i].name, kinds[i].unit, bands, &run->layers[i]));
        rw_received_set_layer(&run->received, kinds[i].name, run->layers[i]);
    }
    return RW_OK;
}

static size_t cell_count(const rw_run *run)
{
    return run->prediction->receivers.view.columns * run->prediction->receivers.view.rows;
}

float *rw_run_layer(const rw_run *run, int layer, size_t transmitter)
{
    return run->layers[layer] ? run->layers[layer] + transmitter * run->bands[layer] * cell_count(run) : NULL;
}

/* One loop for each type, in the order of the cells: memory is read and written once. */
#define STORE(values)                                                                                                  \
    float *to = rw_run_layer(run, layer, transmitter);                                                                 \
    const uint8_t *indoor = run->prediction->receivers.view.indoor;                                                    \
    long long count = to ? (long long)cell_count(run) : 0;                                                             \
    _Pragma("omp parallel for schedule(static) num_threads(run->map->context->threads) if (count > 1 << 16)") for (    \
        long long i = 0; i < count; i++) if (!indoor[i]) to[i] = (float)(values)[i];

void rw_run_store_floats(const rw_run *run, int layer, size_t transmitter, const float *values)
{
    STORE(values)
}

void rw_run_store_bytes(const rw_run *run, int layer, size_t transmitter, const uint8_t *values)
{
    STORE(values)
}

void rw_run_store_counts(const rw_run *run, int layer, size_t transmitter, const uint32_t *values)
{
    STORE(values)
}
