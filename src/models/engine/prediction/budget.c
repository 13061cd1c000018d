/* What a prediction would take, and the budgets that it has to keep within. */
#include "base/memory.h"
#include "base/maths/hash.h"
#include "base/options.h"
#include "discretise/scene_cache.h"
#include "models/engine/model.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static double memory_budget(const rw_prediction *prediction)
{
    return prediction->options->memory_bytes;
}

static double device_budget(const rw_prediction *prediction)
{
    return prediction->options->device_memory_bytes;
}

static double layer_count(const char *layers)
{
    double count = 1;
    for (const char *at = layers; *at; at++)
        count += *at == ',';
    return count;
}

void rw_estimate_add(const rw_prediction *prediction, rw_estimate *estimate, double host_bytes, double backend_bytes)
{
    int gpu = prediction->scene->context->backend == RW_BACKEND_CUDA;
    estimate->bytes += (double)estimate->cells * host_bytes;
    *(gpu ? &estimate->device_bytes : &estimate->bytes) += (double)estimate->cells * backend_bytes;
}

/* So many threads of a CPU does a GPU replace: a guess within a factor of ten, which differs from model to model. */
#define GPU_AS_THREADS 60

void rw_estimate_work(const rw_prediction *prediction, rw_estimate *estimate, double core_seconds)
{
    const rw_context *context = prediction->scene->context;
    estimate->seconds += core_seconds / (context->backend == RW_BACKEND_CUDA ? GPU_AS_THREADS : context->threads);
}

/* NULL: the receivers are points. */
static const rw_map_info *find_map_cells(const rw_prediction *prediction)
{
    return prediction->grid.cells.columns ? &prediction->grid.cells : NULL;
}

/* The map and the receivers, and what the model adds. */
static rw_status estimate_call(const rw_prediction *prediction, rw_estimate *estimate)
{
    const rw_map_info *cells = find_map_cells(prediction);
    estimate->cells = cells ? cells->columns * cells->rows : prediction->point_count;
    estimate->transmitters = prediction->options->transmitter_count;
    double bands = prediction->in_caller_memory ? 0 : (double)estimate->transmitters * layer_count(prediction->layers);
    estimate->bytes = (double)estimate->cells * (5.0 + 4.0 * bands);
    return prediction->model->estimate ? prediction->model->estimate(prediction, cells, estimate) : RW_OK;
}

/* Estimates are cached with the scene: a program that prints one before it predicts costs no second sample. */
static const rw_cache_kind estimates_kind = {"estimates", 8, free};

typedef struct estimate_key {
    uint64_t call;
    size_t transmitter_count, point_count;
    int in_caller_memory;
} estimate_key;

static rw_status find_estimate_key(const rw_prediction *prediction, estimate_key *key)
{
    const rw_predict_options *options = prediction->options;
    rw_prediction_key *call;
    size_t size;
    memset(key, 0, sizeof *key); /* padding too: keys are compared as bytes */
    RW_TRY(rw_prediction_key_create(prediction, &call, &size));
    key->call = rw_hash(rw_hash(RW_HASH_START, call, size), options->transmitters,
                        options->transmitter_count * sizeof *options->transmitters);
    key->transmitter_count = options->transmitter_count;
    key->point_count = prediction->point_count;
    key->in_caller_memory = prediction->in_caller_memory;
    free(call);
    return RW_OK;
}

static rw_status create_estimate(void *user, void **value)
{
    const rw_prediction *prediction = user;
    rw_estimate *estimate;
    RW_TRY(rw_array_create(prediction->scene->context, 1, sizeof *estimate, "the estimate", &estimate));
    estimate->size = sizeof *estimate;
    rw_status status = estimate_call(prediction, estimate);
    if (status == RW_OK)
        *value = estimate;
    else
        free(estimate);
    return status;
}

rw_status rw_prediction_estimate(const rw_prediction *prediction, rw_estimate *estimate)
{
    estimate_key key;
    void *cached;
    RW_TRY(find_estimate_key(prediction, &key));
    RW_TRY(rw_scene_cache_acquire(prediction->scene, &estimates_kind, &key, sizeof key, create_estimate,
                                  (void *)(uintptr_t)prediction, &cached));
    memcpy(estimate, cached, sizeof *estimate);
    rw_scene_cache_release(prediction->scene, cached);
    return RW_OK;
}

rw_status rw_prediction_open_account(const rw_prediction *prediction, rw_account **account)
{
    RW_TRY(rw_account_create(prediction->scene->context, account));
    rw_account_set_budgets(*account, memory_budget(prediction), device_budget(prediction));
    return RW_OK;
}

/* Half of the tables that a sample foretells are certain enough for a refusal; a run that needs a little more than
 * there is ends when it gets there. */
static double find_min_bytes(double bytes, double table_bytes)
{
    return bytes + 0.5 * table_bytes;
}

static void format_bytes(double bytes, char *string, size_t size)
{
    if (bytes < 1e9)
        snprintf(string, size, "%.3g MB", bytes / 1e6);
    else
        snprintf(string, size, "%.0f GB", bytes / 1e9);
}

/* What would help: cells NULL where receivers are points, which have no cells to make larger. */
static rw_status reject_estimate(const rw_prediction *prediction, const rw_map_info *cells, const rw_estimate *estimate,
                                 double bytes, double available_bytes, const char *name, const char *raise)
{
    const char *tiles = strcmp(prediction->model->name, "tiles") == 0 ? "raise tile-area, " : "";
    char needed[32], there[32];
    format_bytes(bytes, needed, sizeof needed);
    format_bytes(available_bytes, there, sizeof there);
    return rw_fail(prediction->scene->context, RW_TOO_LARGE,
                   "%zu %s and %zu transmitters need %s at the least, and %s is %s; %s%s%s", estimate->cells,
                   cells ? "cells" : "points", estimate->transmitters, needed, name, there, raise, tiles,
                   cells ? "give a larger res, or give a smaller area" : "or give fewer points");
}

static rw_status check_estimate(const rw_prediction *prediction, const rw_map_info *cells, const rw_estimate *estimate)
{
    int gpu = prediction->scene->context->backend == RW_BACKEND_CUDA;
    double host = find_min_bytes(estimate->bytes, gpu ? 0 : estimate->table_bytes);
    double device = find_min_bytes(estimate->device_bytes, gpu ? estimate->table_bytes : 0);
    double host_budget = memory_budget(prediction), device_limit = device_budget(prediction);
    if (host_budget > 0 && host > host_budget)
        return reject_estimate(prediction, cells, estimate, host, host_budget, "memory", "raise memory, ");
    if (device_limit > 0 && device > device_limit)
        return reject_estimate(prediction, cells, estimate, device, device_limit, "device-memory",
                               "raise device-memory, ");
    if (!rw_memory_fits(host))
        return reject_estimate(prediction, cells, estimate, host, rw_memory_available(), "the free memory", "");
    return RW_OK;
}

rw_status rw_prediction_check_budgets(const rw_prediction *prediction)
{
    rw_estimate estimate;
    const rw_context_options *caller = &prediction->scene->context->options;
    RW_TRY(rw_prediction_estimate(prediction, &estimate));
    RW_TRY(check_estimate(prediction, find_map_cells(prediction), &estimate));
    if (caller->on_estimate)
        caller->on_estimate(caller->user, estimate.cells, estimate.transmitters, estimate.seconds,
                            estimate.bytes + estimate.table_bytes);
    return RW_OK;
}
