/* What a prediction would take, and the budgets that it has to keep within. */
#include "base/memory.h"
#include "base/options.h"
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

/* The map and the receivers, and what the model adds. cells NULL: receivers are points. */
static rw_status estimate_receivers(const rw_prediction *prediction, const rw_map_info *cells, size_t count,
                                    rw_estimate *estimate)
{
    estimate->cells = count;
    estimate->transmitters = prediction->options->transmitter_count;
    double bands = prediction->in_caller_memory ? 0 : (double)estimate->transmitters * layer_count(prediction->layers);
    estimate->bytes = (double)estimate->cells * (5.0 + 4.0 * bands);
    return prediction->model->estimate ? prediction->model->estimate(prediction, cells, estimate) : RW_OK;
}

static rw_status estimate_cells(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    return estimate_receivers(prediction, cells, cells->columns * cells->rows, estimate);
}

/* points 0: the cells of a map. */
static rw_status estimate_call(const rw_scene *scene, const rw_predict_options *options, size_t points,
                               rw_estimate *estimate)
{
    rw_prediction prediction;
    rw_map_info cells = {.size = sizeof cells};
    RW_TRY(rw_prediction_begin(scene, options, &prediction));
    if (points)
        return estimate_receivers(&prediction, NULL, points, estimate);
    RW_TRY(rw_prediction_cells(scene, prediction.options, &cells));
    return estimate_cells(&prediction, &cells, estimate);
}

static rw_status resolve_and_estimate(const rw_scene *scene, const rw_predict_options *user_options, size_t points,
                                      rw_estimate *estimate)
{
    rw_predict_options options;
    rw_transmitter *transmitter_buffer;
    rw_estimate new_estimate = {.size = sizeof new_estimate};
    RW_TRY(rw_predict_options_resolve(scene->context, user_options, &options, &transmitter_buffer));
    rw_status status = estimate_call(scene, &options, points, &new_estimate);
    free(transmitter_buffer);
    RW_TRY(status);
    return RW_ASSIGN(scene->context, &new_estimate, estimate);
}

rw_status rw_predict_estimate(const rw_scene *scene, const rw_predict_options *user_options, rw_estimate *estimate)
{
    return resolve_and_estimate(scene, user_options, 0, estimate);
}

rw_status rw_trace_estimate(const rw_scene *scene, const rw_predict_options *user_options, size_t point_count,
                            rw_estimate *estimate)
{
    return resolve_and_estimate(scene, user_options, point_count ? point_count : 1, estimate);
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
                   cells ? "raise res, or give a smaller area" : "or give fewer points");
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

rw_status rw_prediction_check_budgets(const rw_prediction *prediction, const rw_map_info *cells)
{
    rw_estimate estimate = {.size = sizeof estimate};
    RW_TRY(estimate_cells(prediction, cells, &estimate));
    return check_estimate(prediction, cells, &estimate);
}

rw_status rw_prediction_check_budgets_of_points(const rw_prediction *prediction, size_t point_count)
{
    rw_estimate estimate = {.size = sizeof estimate};
    RW_TRY(estimate_receivers(prediction, NULL, point_count, &estimate));
    return check_estimate(prediction, NULL, &estimate);
}
