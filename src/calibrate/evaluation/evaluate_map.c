/* A map against measurements: each sample takes the value of the cell that it lies in, never one between cells, since a
 * wall may stand between them. Samples without a prediction are counted by reason. */
#include "calibrate/evaluation/evaluation.h"

#include "base/memory.h"
#include "base/options.h"
#include "scene/antennas/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rw_evaluate_options_init_sized(rw_evaluate_options *options, size_t size)
{
    const rw_evaluate_options own = {.average = "db", .offsets = "none", .above_m = 5};
    rw_defaults_copy(&own, sizeof own, options, size);
}

rw_status rw_evaluate_options_resolve(rw_context *context, const rw_evaluate_options *user_options,
                                      rw_evaluate_options *options, rw_transmitter *transmitter_buffer)
{
    rw_evaluate_options_init(options);
    if (user_options)
        RW_TRY(RW_RESOLVE(context, user_options, options));
    if (!(options->above_m >= 0))
        return rw_fail(context, RW_BAD_CALL, "above = %g m: expected a height above ground, such as 5",
                       options->above_m);
    if (!options->transmitter)
        return RW_OK;
    RW_TRY(rw_transmitter_resolve(context, options->transmitter, transmitter_buffer));
    options->transmitter = transmitter_buffer;
    return RW_OK;
}

/* Received power that is compared with a map of received power needs no power sent. */
static int is_power_against_power(const rw_map_layer *layer, const rw_measurements *measurements)
{
    return measurements->by_site && strcmp(layer->unit, "dBm") == 0;
}

/* Maps of other programs often tell no unit; ours always do where they have one. */
static rw_status check_layer(rw_context *context, const rw_map_info *info, const rw_map_layer *layer,
                             const rw_measurements *measurements, size_t band)
{
    if (info->has_plane)
        return rw_fail(context, RW_BAD_INPUT,
                       "the map is of a plane in space; measurements at x and y are compared with maps over ground");
    int of_another_program = !info->model[0] && !layer->unit[0];
    int power = is_power_against_power(layer, measurements);
    if (strcmp(layer->unit, "dB") != 0 && !of_another_program && !power)
        return rw_fail(context, RW_BAD_INPUT,
                       "layer %s is %s%s; measurements are compared with path loss in dB, received power also with "
                       "power in dBm",
                       layer->name, layer->unit[0] ? "in " : "without a unit", layer->unit);
    if (measurements->by_site && !power)
        return rw_fail(context, RW_BAD_CALL,
                       "received power becomes path loss by the power sent, which a map does not say; give it, such as "
                       "tx-power 43dBm, or compare it with a map of layer power");
    if (band >= layer->bands)
        return rw_fail(context, RW_BAD_CALL, "layer %s has %zu bands, there is no number %zu", layer->name,
                       layer->bands, band + 1);
    return RW_OK;
}

/* The samples that have a prediction; the others are counted. sign -1: values are powers, of which the loss against
 * 0 dBm is taken. */
static size_t look_up_samples(const rw_map_info *info, const float *values, int sign,
                              const rw_measurements *measurements, rw_evaluation_info *counts, rw_cell_sample *items)
{
    size_t used = 0;
    for (size_t i = 0; i < measurements->sample_count; i++) {
        double column = floor((measurements->samples[i].x_m - info->x0_m) / info->res_m);
        double row = floor((measurements->samples[i].y_m - info->y0_m) / info->res_m);
        if (!(column >= 0 && row >= 0 && column < (double)info->columns && row < (double)info->rows)) {
            counts->off_map++;
            continue;
        }
        size_t cell = (size_t)row * info->columns + (size_t)column;
        double value = sign * (double)values[cell];
        if (isfinite(value))
            items[used++] = (rw_cell_sample){i, cell, value};
        else if (isnan(value))
            counts->in_building++;
        else
            counts->no_path++;
    }
    counts->samples_used = used;
    return used;
}

static rw_status fail_no_predicted_cell(const rw_measurements *measurements, const rw_map_info *map,
                                        const rw_evaluation_info *counts)
{
    return rw_fail(
        measurements->context, RW_BAD_INPUT,
        "%s: none of its %zu measurements has a prediction: %zu off the map, which is x %.2f to %.2f, y %.2f to "
        "%.2f, %zu inside buildings, %zu where no path was found",
        measurements->csv.path, measurements->sample_count, counts->off_map, map->x0_m,
        map->x0_m + (double)map->columns * map->res_m, map->y0_m, map->y0_m + (double)map->rows * map->res_m,
        counts->in_building, counts->no_path);
}

static rw_status compare_map_with_samples(const rw_map_info *info, const float *values, int sign,
                                          const rw_measurements *measurements, const char *average,
                                          const rw_transmitter *transmitter, rw_evaluation *evaluation)
{
    rw_averaging averaging;
    rw_cell_sample *items = NULL;
    double *loss_db = NULL;
    RW_TRY(rw_averaging_parse(evaluation->context, average, &averaging));
    size_t count = measurements->sample_count;
    rw_status status = rw_array_create(evaluation->context, count, sizeof *items, "measurements", &items);
    if (status == RW_OK)
        status = rw_array_create(evaluation->context, count, sizeof *loss_db, "measurements", &loss_db);
    for (size_t i = 0; i < count && status == RW_OK; i++)
        loss_db[i] = sign > 0 ? measurements->samples[i].path_loss_db
                              : -measurements->samples[i].power_dbm - measurements->power_fraction_db;
    size_t used = status == RW_OK ? look_up_samples(info, values, sign, measurements, &evaluation->info, items) : 0;
    if (status == RW_OK)
        status = used ? rw_evaluation_average(evaluation, measurements, loss_db, items, used, averaging)
                      : fail_no_predicted_cell(measurements, info, &evaluation->info);
    free(items);
    free(loss_db);
    RW_TRY(status);
    for (size_t i = 0; i < evaluation->info.points; i++)
        evaluation->height_m[i] = info->rx_height_m;
    return rw_evaluation_finish(evaluation, transmitter);
}

/* The transmitter that the map names for this band. A layer of fewer bands than transmitters (the best of them) is of
 * none.
 */
static const rw_transmitter *find_band_transmitter(const rw_map *map, const rw_map_layer *layer, size_t band,
                                                   rw_transmitter *buffer)
{
    int fewer_bands = rw_map_get_transmitter(map, layer->bands, buffer) == RW_OK;
    return !fewer_bands && rw_map_get_transmitter(map, band, buffer) == RW_OK ? buffer : NULL;
}

rw_status rw_evaluate_map(const rw_map *map, size_t layer, const rw_measurements *measurements,
                          const rw_evaluate_options *user_options, rw_evaluation **evaluation)
{
    rw_context *context = measurements->context;
    rw_evaluate_options options;
    rw_transmitter of_options, of_map = {.size = sizeof of_map};
    rw_map_info info = {.size = sizeof info};
    rw_map_layer data = {.size = sizeof data};
    rw_evaluation *new_evaluation;
    *evaluation = NULL;
    RW_TRY(rw_evaluate_options_resolve(context, user_options, &options, &of_options));
    RW_TRY(rw_map_get_info(map, &info));
    RW_TRY(rw_map_get_layer(map, layer, &data));
    RW_TRY(check_layer(context, &info, &data, measurements, options.band));
    if (options.offsets && strcmp(options.offsets, "none") != 0)
        return rw_fail(context, RW_BAD_CALL, "offsets are fitted to a model's predictions, not to a map");
    if (options.heights && strcmp(options.heights, "none") != 0)
        return rw_fail(context, RW_BAD_CALL, "a map has its own receiver height; heights are of models");
    RW_TRY(rw_evaluation_create(context, measurements->sample_count, &new_evaluation));
    new_evaluation->above_m = options.above_m;
    const float *values = data.values + options.band * info.rows * info.columns;
    const rw_transmitter *transmitter =
        options.transmitter ? options.transmitter : find_band_transmitter(map, &data, options.band, &of_map);
    int sign = is_power_against_power(&data, measurements) ? -1 : 1;
    rw_status status =
        compare_map_with_samples(&info, values, sign, measurements, options.average, transmitter, new_evaluation);
    if (status != RW_OK) {
        rw_evaluation_destroy(new_evaluation);
        return status;
    }
    *evaluation = new_evaluation;
    return RW_OK;
}
