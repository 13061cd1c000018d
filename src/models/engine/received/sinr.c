#include "models/engine/received/received.h"

#include "base/memory.h"
#include "base/options.h"
#include "models/engine/options/options.h"

#include <stdlib.h>
#include <string.h>

#define SUBCARRIERS 12              /* of a resource block: 3GPP TS 36.211, TS 38.211 */
#define OCCUPIED_FRACTION 0.9       /* of a channel: 3GPP TS 36.101, table 5.6-1, from 3 MHz on */
#define BOLTZMANN_MJ_K 1.380649e-20 /* milliwatts for a hertz and a kelvin */
#define REFERENCE_K 290.0

static double resource_blocks(const rw_predict_options *options)
{
    double block_hz = SUBCARRIERS * options->subcarrier_spacing_hz;
    return options->resource_blocks != RW_UNSET ? options->resource_blocks
                                                : floor(OCCUPIED_FRACTION * options->bandwidth_hz / block_hz + 1e-9);
}

/* Of a transmitter with a carrier of its own. */
static rw_status find_carrier(rw_context *context, const rw_predict_options *options, const rw_transmitter *site,
                              rw_network_plan *plan)
{
    rw_predict_options of = *options;
    if (site->bandwidth_hz > 0) {
        of.bandwidth_hz = site->bandwidth_hz;
        of.resource_blocks = RW_UNSET;
    }
    RW_TRY(rw_network_plan_of(context, &of, plan));
    plan->streams = site->streams > 1 ? site->streams : 1;
    return RW_OK;
}

int rw_has_own_carriers(const rw_predict_options *options)
{
    int own = 0;
    for (size_t i = 0; i < options->transmitter_count; i++)
        own |= options->transmitters[i].bandwidth_hz > 0 || options->transmitters[i].streams > 1;
    return own;
}

rw_status rw_carriers_create(rw_context *context, const rw_predict_options *options, rw_network_plan **carriers)
{
    *carriers = NULL;
    if (!rw_has_own_carriers(options))
        return RW_OK;
    RW_TRY(rw_array_create(context, options->transmitter_count, sizeof **carriers, "carriers", carriers));
    for (size_t i = 0; i < options->transmitter_count; i++) {
        rw_status status = find_carrier(context, options, &options->transmitters[i], &(*carriers)[i]);
        if (status != RW_OK) {
            free(*carriers);
            *carriers = NULL;
            return status;
        }
    }
    return RW_OK;
}

rw_status rw_network_plan_init(const rw_prediction *prediction, rw_network_plan *plan)
{
    return rw_network_plan_of(prediction->scene->context, prediction->options, plan);
}

rw_status rw_network_plan_of(rw_context *context, const rw_predict_options *options, rw_network_plan *plan)
{
    double elements = SUBCARRIERS * resource_blocks(options), band_hz = elements * options->subcarrier_spacing_hz;
    int shannon = strcmp(options->throughput, "shannon") == 0;
    if (elements < SUBCARRIERS || band_hz > options->bandwidth_hz * (1 + 1e-9))
        return rw_fail(context, RW_BAD_CALL, "%g resource blocks of %g kHz do not fit into a bandwidth of %g MHz",
                       elements / SUBCARRIERS, SUBCARRIERS * options->subcarrier_spacing_hz / 1e3,
                       options->bandwidth_hz / 1e6);
    plan->element_db = 10 * log10(elements);
    plan->noise_mw = BOLTZMANN_MJ_K * REFERENCE_K * band_hz * pow(10, 0.1 * options->noise_figure_db);
    plan->load = options->load;
    plan->bandwidth_hz = options->bandwidth_hz;
    plan->streams = 1;
    /* 3GPP TR 36.942, table A.2, downlink */
    plan->efficiency = shannon ? 1 : 0.6;
    plan->min_db = shannon ? -INFINITY : -10;
    plan->max_db = shannon ? INFINITY : 22;
    rw_rate_table_apply(options->throughput, plan);
    return RW_OK;
}

rw_status rw_predict_sensitivity(rw_context *context, const rw_predict_options *user_options, double *power_dbm)
{
    rw_predict_options options;
    rw_network_plan plan;
    rw_predict_options_init(&options);
    if (user_options)
        RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(rw_predict_options_apply_defaults(context, &options));
    RW_TRY(rw_network_plan_of(context, &options, &plan));
    *power_dbm = 10 * log10(plan.noise_mw) + (isfinite(plan.min_db) ? plan.min_db : 0);
    return RW_OK;
}
