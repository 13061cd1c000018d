/* predict: scene and transmitters to radio map layers, as rasters and pictures. */
#include "commands/predict/predict.h"

#include <stdio.h>
#include <stdlib.h>

#define LONG_RUN_S 20 /* from here on an estimate is worth a line */

static int estimate_prediction(struct call *call, const struct prediction *prediction)
{
    rw_estimate estimate = {.size = sizeof estimate};
    rw_status status = rw_predict_estimate(prediction->request.scene, &prediction->request.options, &estimate);
    return status == RW_OK ? report_estimate(call, "cells", &estimate) : report_status(call, status);
}

static int solve_prediction(struct call *call, struct prediction *prediction)
{
    const rw_predict_options *options = &prediction->request.options;
    rw_estimate estimate = {.size = sizeof estimate};
    rw_status status = rw_predict_estimate(prediction->request.scene, options, &estimate);
    if (status != RW_OK)
        return report_status(call, status);
    double bytes = estimate.bytes + estimate.table_bytes;
    int fits = !(bytes > options->memory_bytes); /* or there is no budget */
    if (!call->settings.quiet && !call->settings.json && fits && estimate.seconds >= LONG_RUN_S) {
        printf("%zu cells x %zu transmitters, about %.0f s and %.0f MB of memory\n", estimate.cells,
               estimate.transmitters, estimate.seconds, bytes / 1e6 + 1);
        fflush(stdout);
    }
    if (wants_values_on_tiles(call))
        status = rw_predict_with_tiles(prediction->request.scene, options, &prediction->map, &prediction->tiles);
    else
        status = rw_predict(prediction->request.scene, options, &prediction->map);
    wipe_progress(call);
    if (status == RW_OK)
        status = rw_map_add_reception(prediction->map);
    if (status != RW_OK)
        return report_status(call, status);
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(prediction->map, &info);
    prediction->prepare_s = prediction->request.prepare_s + info.prepare_s;
    prediction->solve_s = info.solve_s;
    prediction->layer_count = info.layers;
    return 0;
}

/* A plane says itself where its receivers are. */
static int reject_plane_with_height(const struct call *call)
{
    if (model_argument_value(call, "plane") && model_argument_value(call, "rx-height"))
        return report_error("--plane and --rx-height cannot both be given");
    return 0;
}

/* Levels by building and storey, where they are asked for. */
static int write_storeys(struct call *call, const struct prediction *prediction)
{
    const char *path = call->settings.storey_table;
    if (!path)
        return 0;
    rw_status status =
        rw_predict_storeys(prediction->request.scene, &prediction->request.options, call->settings.level_dbm, path);
    wipe_progress(call);
    return status == RW_OK ? 0 : report_status(call, status);
}

static int run_prediction(struct call *call, struct prediction *prediction)
{
    struct folder folder = {0};
    int is_file = is_map_file(call->settings.out);
    int exit_status = is_file ? 0 : make_folder(&folder, call->settings.out);
    if (!exit_status)
        exit_status = check_names(call);
    if (!exit_status) {
        prediction->layers = calloc(LAYERS_MAX, sizeof *prediction->layers);
        exit_status = prediction->layers ? solve_prediction(call, prediction) : report_out_of_memory("the layers");
    }
    if (!exit_status)
        exit_status = is_file ? write_map_file(call, prediction) : write_layers(call, prediction);
    if (!exit_status && !is_file)
        name_old_layers(call, prediction);
    if (!exit_status)
        exit_status = write_tiles(call, prediction);
    if (!exit_status)
        exit_status = write_beams(call, prediction);
    if (!exit_status)
        exit_status = write_rays_file(call, prediction);
    if (!exit_status)
        exit_status = write_report(call, prediction);
    if (!exit_status)
        exit_status = write_storeys(call, prediction);
    if (exit_status)
        undo_folder(&folder);
    else if (!call->settings.quiet || call->settings.json)
        report_prediction(call, prediction);
    return exit_status;
}

static int predict_once(struct call *call)
{
    struct prediction prediction = {0};
    if (!call->settings.out)
        call->settings.out = "out";
    int exit_status = reject_plane_with_height(call);
    if (!exit_status)
        exit_status = check_report(call);
    if (!exit_status)
        exit_status = check_storey_table(call);
    if (!exit_status)
        exit_status = open_request(call, &prediction.request);
    if (!exit_status)
        exit_status = request_power_layer(call, &prediction);
    if (!exit_status)
        exit_status = request_one_layer(call, &prediction);
    if (!exit_status)
        exit_status =
            call->settings.dry_run ? estimate_prediction(call, &prediction) : run_prediction(call, &prediction);
    free(prediction.layers);
    rw_map_destroy(prediction.map);
    rw_tile_map_destroy(prediction.tiles);
    close_request(&prediction.request);
    return exit_status;
}

int command_predict(struct call *call)
{
    return has_several_heights(call) ? predict_heights(call, predict_once) : predict_once(call);
}
