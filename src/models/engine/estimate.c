/* What a prediction would take, and the budgets that it has to keep within. */
#include "base/options.h"
#include "models/engine/model.h"

#include <stdlib.h>

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

/* The map and the receivers, and what the model adds. */
static rw_status estimate_cells(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    estimate->cells = cells->columns * cells->rows;
    estimate->transmitters = prediction->options->transmitter_count;
    double bands = (double)estimate->transmitters * layer_count(prediction->layers);
    estimate->bytes = (double)estimate->cells * (5.0 + 4.0 * bands);
    return prediction->model->estimate ? prediction->model->estimate(prediction, estimate) : RW_OK;
}

static rw_status estimate_call(const rw_scene *scene, const rw_predict_options *options, rw_estimate *estimate)
{
    rw_prediction prediction;
    rw_map_info cells = {.size = sizeof cells};
    RW_TRY(rw_prediction_begin(scene, options, &prediction));
    RW_TRY(rw_prediction_cells(scene, prediction.options, &cells));
    return estimate_cells(&prediction, &cells, estimate);
}

rw_status rw_predict_estimate(const rw_scene *scene, const rw_predict_options *given, rw_estimate *estimate)
{
    rw_predict_options options;
    rw_transmitter *room;
    rw_estimate made = {.size = sizeof made};
    RW_TRY(rw_predict_options_take(scene->context, given, &options, &room));
    rw_status status = estimate_call(scene, &options, &made);
    free(room);
    RW_TRY(status);
    return RW_GIVE(scene->context, &made, estimate);
}

rw_status rw_prediction_open_account(const rw_prediction *prediction, rw_account **account)
{
    RW_TRY(rw_account_create(prediction->scene->context, account));
    rw_account_set_budgets(*account, memory_budget(prediction), device_budget(prediction));
    return RW_OK;
}

static rw_status check_budget(const rw_prediction *prediction, const rw_estimate *estimate, double bytes, double budget,
                              const char *option)
{
    if (!(budget > 0) || bytes <= budget)
        return RW_OK;
    return rw_fail(prediction->scene->context, RW_TOO_LARGE,
                   "%zu cells and %zu transmitters need %.3g MB at the least, and %s is %.3g MB; raise %s or res, or "
                   "give a smaller area",
                   estimate->cells, estimate->transmitters, bytes / 1e6, option, budget / 1e6, option);
}

rw_status rw_prediction_check_budgets(const rw_prediction *prediction, const rw_map_info *cells)
{
    rw_estimate estimate = {.size = sizeof estimate};
    RW_TRY(estimate_cells(prediction, cells, &estimate));
    RW_TRY(check_budget(prediction, &estimate, estimate.bytes, memory_budget(prediction), "memory"));
    return check_budget(prediction, &estimate, estimate.device_bytes, device_budget(prediction), "device-memory");
}
