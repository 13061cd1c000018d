/* predict: scene and transmitters to radio map layers, as rasters and pictures. */
#include "predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_RUN_CELLS 4e6 /* from here on an estimate is worth a line */

static int load(struct call *call, struct prediction *prediction)
{
    const struct settings *settings = &call->settings;
    if (!settings->scene)
        return complain("predict needs a scene: --scene FILE, or --scene city:european:seed=1");
    if (!settings->transmitter_count && !settings->sites)
        return complain("predict needs a transmitter: --tx X,Y,Z or --sites FILE.csv");
    double start_s = now_s();
    int exit_status = open_scene(call, settings->scene, &prediction->scene);
    if (exit_status)
        return exit_status;
    prediction->transmitters = settings->transmitters;
    prediction->transmitter_count = settings->transmitter_count;
    if (settings->sites) {
        if (settings->transmitter_count)
            return complain("--tx and --sites cannot both be given");
        rw_status status =
            rw_sites_load(call->context, settings->sites, &prediction->sites, &prediction->transmitter_count);
        if (status != RW_OK)
            return complain_status(call, status);
        prediction->transmitters = prediction->sites;
    }
    rw_scene_info info = {.size = sizeof info};
    rw_status status = rw_scene_get_info(prediction->scene, &info);
    if (status != RW_OK)
        return complain_status(call, status);
    prediction->prepare_s = info.prepare_s;
    prediction->load_s = now_s() - start_s - info.prepare_s;
    return 0;
}

static void choose_options(const struct settings *settings, const struct prediction *prediction,
                           rw_predict_options *options)
{
    rw_predict_options_init(options);
    options->transmitters = prediction->transmitters;
    options->transmitter_count = prediction->transmitter_count;
    if (settings->model)
        options->model = settings->model;
    if (settings->layers)
        options->layers = settings->layers;
    if (settings->effects)
        options->effects = settings->effects;
    if (settings->method)
        options->method = settings->method;
    options->sum = settings->sum;
    options->depth = settings->depth;
    options->pixels = settings->pixels;
    options->threshold = settings->threshold;
    options->diffraction = settings->diffraction;
    options->rays = settings->rays;
    if (!isnan(settings->freq_hz))
        options->freq_hz = settings->freq_hz;
    if (!isnan(settings->res_m))
        options->res_m = settings->res_m;
    if (!isnan(settings->rx_height_m))
        options->rx_height_m = settings->rx_height_m;
    memcpy(options->area_m, settings->area_m, sizeof options->area_m);
}

static int solve(struct call *call, struct prediction *prediction)
{
    rw_predict_options options;
    rw_estimate estimate = {0};
    choose_options(&call->settings, prediction, &options);
    prediction->freq_hz = options.freq_hz;
    rw_status status = rw_predict_estimate(prediction->scene, &options, &estimate);
    if (status != RW_OK)
        return complain_status(call, status);
    double work = (double)estimate.cells * (double)estimate.transmitters;
    if (!call->settings.quiet && !call->settings.json && work >= LONG_RUN_CELLS) {
        printf("%zu cells x %zu transmitters, about %.0f MB of memory\n", estimate.cells, estimate.transmitters,
               estimate.bytes / 1e6 + 1);
        fflush(stdout);
    }
    status = rw_predict(prediction->scene, &options, &prediction->map);
    wipe_progress(call);
    if (status != RW_OK)
        return complain_status(call, status);
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(prediction->map, &info);
    prediction->prepare_s += info.prepare_s;
    prediction->solve_s = info.solve_s;
    prediction->layer_count = info.layers;
    return 0;
}

int command_predict(struct call *call)
{
    struct prediction prediction = {0};
    struct folder folder = {0};
    if (!call->settings.out)
        call->settings.out = "out";
    int exit_status = load(call, &prediction);
    if (!exit_status)
        exit_status = make_folder(&folder, call->settings.out);
    if (!exit_status) {
        prediction.layers = calloc(LAYERS_MAX, sizeof *prediction.layers);
        exit_status = prediction.layers ? solve(call, &prediction) : complain("no memory left");
    }
    if (!exit_status)
        exit_status = write_layers(call, &prediction);
    if (exit_status)
        undo_folder(&folder);
    else if (!call->settings.quiet || call->settings.json)
        report_prediction(call, &prediction);
    free(prediction.layers);
    rw_map_destroy(prediction.map);
    rw_sites_free(prediction.sites);
    rw_scene_destroy(prediction.scene);
    return exit_status;
}
