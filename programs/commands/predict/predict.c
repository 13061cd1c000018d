/* predict: scene and transmitters to radio map layers, as rasters and pictures. */
#include "cli/cli.h"
#include "commands/predict/predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the run would reject: transmitters inside buildings, too little memory. */
static int check_feasible(struct call *call, const struct prediction *prediction, const rw_estimate *estimate)
{
    const rw_predict_options *options = &prediction->request.options;
    double bytes = estimate->bytes + estimate->table_bytes;
    for (size_t i = 0; i < options->transmitter_count; i++)
        TRY_RW(call, rw_check_transmitter(prediction->request.scene, options, i));
    if (bytes > options->memory_bytes)
        return report_error(
            "the prediction needs about %.3g MB and --memory allows %.3g MB: take fewer transmitters at "
            "once, larger cells or a smaller area",
            bytes / 1e6, options->memory_bytes / 1e6);
    return 0;
}

static int estimate_prediction(struct call *call, struct prediction *prediction)
{
    rw_estimate estimate = {.size = sizeof estimate};
    TRY_RW(call, rw_predict_estimate(prediction->request.scene, &prediction->request.options, &estimate));
    TRY(check_feasible(call, prediction, &estimate));
    return report_estimate(call, "cells", &estimate);
}

static int solve_prediction(struct call *call, struct prediction *prediction)
{
    const rw_scene *scene = prediction->request.scene;
    const rw_predict_options *options = &prediction->request.options;
    rw_map_info info = {.size = sizeof info};
    call->progress.announces_run = 1;
    rw_status status = wants_values_on_tiles(call)
                           ? rw_predict_with_tiles(scene, options, &prediction->map, &prediction->tiles)
                           : rw_predict(scene, options, &prediction->map);
    wipe_progress(call);
    TRY_RW(call, status);
    TRY_RW(call, rw_map_add_reception(prediction->map));
    TRY_RW(call, rw_map_get_info(prediction->map, &info));
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

/* Whether the files of --report and --storey-table can be written, before the work. */
static int check_report(const struct call *call)
{
    const struct predict_settings *settings = call->settings;
    const char *path = settings->report, *dot = path ? strrchr(path, '.') : NULL;
    if (path && (!dot || strcmp(dot, ".html") != 0))
        return report_error("--report %s: a report is an .html file", path);
    if ((settings->zones || settings->weights) && !path)
        return report_error("--%s is for the report: give --report FILE.html, or call rasterwave statistics",
                            settings->zones ? "zones" : "weights");
    return check_output_file("report", path);
}

static int check_storey_table(const struct call *call)
{
    const struct predict_settings *settings = call->settings;
    static const char *const ends[] = {".csv", ".gpkg", ".geojson", ".shp"};
    const char *path = settings->storey_table, *dot = path ? strrchr(path, '.') : NULL;
    size_t kind = 0;
    if (!path)
        return 0;
    while (kind < 4 && !(dot && strcasecmp(dot, ends[kind]) == 0))
        kind++;
    if (kind == 4)
        return report_error("--storey-table %s: storeys are written as .csv, .gpkg, .geojson or .shp", path);
    return check_output_file("storey-table", path);
}

/* Levels by building and storey, where they are asked for. */
static int write_storeys(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    const char *path = settings->storey_table;
    if (!path)
        return 0;
    rw_status status = rw_predict_storeys(prediction->request.scene, &prediction->request.options,
                                          find_level(&settings->levels, "power"), path);
    wipe_progress(call);
    return status == RW_OK ? 0 : report_status(call, status);
}

static int predict_and_write(struct call *call, struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    int is_file = is_map_file(settings->out);
    prediction->layers = calloc(LAYERS_MAX, sizeof *prediction->layers);
    if (!prediction->layers)
        return report_out_of_memory("the layers");
    TRY(solve_prediction(call, prediction));
    TRY(is_file ? write_map_file(call, prediction) : write_layers(call, prediction));
    if (!is_file)
        name_old_layers(call, prediction);
    TRY(write_tiles(call, prediction));
    TRY(write_beams(call, prediction));
    TRY(write_rays_file(call, prediction));
    if (settings->report)
        TRY(write_report(call, prediction));
    return write_storeys(call, prediction);
}

static int run_prediction(struct call *call, struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    struct folder folder = {0};
    if (!is_map_file(settings->out))
        TRY(make_folder(&folder, settings->out));
    int exit_status = predict_and_write(call, prediction);
    if (exit_status)
        undo_folder(&folder);
    else
        report_prediction(call, prediction);
    return exit_status;
}

/* Whether --at or --points ask for points in place of a map. */
static int predicts_at_points(const struct predict_settings *settings)
{
    return settings->at.count > 0 || settings->points_file != NULL;
}

static int check_and_predict(struct call *call, struct prediction *prediction)
{
    struct predict_settings *settings = call->settings;
    if (predicts_at_points(settings))
        return predict_points(call, prediction);
    if (settings->plot)
        return report_error("--plot is of points: give --at or --points, or --layers and the pictures of a map");
    if (!settings->out)
        settings->out = "out";
    TRY(reject_plane_with_height(call));
    TRY(check_report(call));
    TRY(check_storey_table(call));
    TRY(check_names(call));
    TRY(open_request(call, &settings->inputs, &prediction->request));
    TRY(request_one_layer(call, prediction));
    if (settings->levels.count)
        TRY(request_level_layers(call, prediction));
    return call->dry_run ? estimate_prediction(call, prediction) : run_prediction(call, prediction);
}

static int predict_once(struct call *call)
{
    struct prediction prediction = {0};
    int exit_status = check_and_predict(call, &prediction);
    free(prediction.layers);
    rw_map_destroy(prediction.map);
    if (prediction.tiles)
        rw_tile_map_destroy(prediction.tiles);
    close_request(&prediction.request);
    return exit_status;
}

/* Several heights of the receivers, or several storeys: one prediction after another, each in a folder of its own. */
static int predict_height(struct call *call, const struct listed_heights *of, double height, const char *out)
{
    struct predict_settings *settings = call->settings;
    char folder[4096], value[48];
    snprintf(value, sizeof value, "%g%s", height, of->unit);
    snprintf(folder, sizeof folder, "%.4000s/%s%s", out, of->folder, value);
    TRY(store_model_argument(call, of->name, value));
    settings->out = store_string(call, folder);
    return settings->out ? predict_once(call) : report_out_of_memory("the folders");
}

static int predict_listed_heights(struct call *call, const struct listed_heights *of)
{
    const struct predict_settings *settings = call->settings;
    double values[LISTED_HEIGHTS_MAX];
    int count = read_listed_heights(call, of, values), exit_status = count ? 0 : 2;
    const char *out = settings->out ? settings->out : "out";
    TRY(exit_status);
    if (settings->report)
        return report_error("--report is of one height of the receivers; --%s has several", of->name);
    if (settings->storey_table)
        return report_error("--storey-table has its own heights; --%s has several", of->name);
    if (call->json)
        puts("{\"heights\": [");
    for (int i = 0; i < count && !exit_status; i++) {
        if (call->json && i)
            puts(",");
        exit_status = predict_height(call, of, values[i], out);
    }
    if (call->json)
        puts("]}");
    return exit_status;
}

static int run_predict(struct call *call)
{
    const struct listed_heights *of = find_listed_heights(call);
    return of ? predict_listed_heights(call, of) : predict_once(call);
}

#define AT(member) offsetof(struct predict_settings, member)
static const struct command_option predict_options[] = {{"scene", AT(inputs.scene.file)},
                                                        {"tx", AT(inputs.sites.tx)},
                                                        {"model", OF_CALL},
                                                        {"sites", AT(inputs.sites.file)},
                                                        {"tiles", AT(tiles)},
                                                        {"at", AT(at)},
                                                        {"points", AT(points_file)},
                                                        {"plot", AT(plot)},
                                                        {"level", AT(levels)},
                                                        {"backend", OF_CALL},
                                                        {"threads", OF_CALL},
                                                        {"terrain", AT(inputs.scene.terrain)},
                                                        {"out", AT(out)},
                                                        {"json", OF_CALL},
                                                        {"quiet", OF_CALL},
                                                        {"dry-run", OF_CALL},
                                                        {"+help options", OF_CALL},
                                                        {"time-stamp", OF_CALL},
                                                        {"materials", AT(inputs.scene.materials)},
                                                        {"report", AT(report)},
                                                        {"zones", AT(zones)},
                                                        {"storey-table", AT(storey_table)},
                                                        {"diffraction-sources", AT(diffraction_sources)},
                                                        {"beam-outlines", AT(beam_outlines)},
                                                        {"name-field", AT(name_field)},
                                                        {"weights", AT(weights)},
                                                        {"foliage", AT(inputs.scene.foliage)},
                                                        {"crs", AT(inputs.scene.crs)},
                                                        {"height-field", AT(inputs.scene.height_field)},
                                                        {"storeys-field", AT(inputs.scene.storeys_field)},
                                                        {"allow-outside", OF_CALL},
                                                        {"height-unit", AT(inputs.scene.height_unit)},
                                                        {"points-crs", OF_CALL},
                                                        {"to-crs", AT(to_crs)},
                                                        {"skip-bad", AT(inputs.sites.skip_bad)},
                                                        {"columns", AT(inputs.sites.columns)},
                                                        {"tx-polarisation", AT(inputs.sites.polarisation)},
                                                        {"tx-antenna", AT(inputs.sites.antenna)},
                                                        {"tx-azimuth", AT(inputs.sites.azimuth_deg)},
                                                        {"tx-tilt", AT(inputs.sites.tilt_deg)},
                                                        {"tx-power", AT(inputs.sites.power_dbm)},
                                                        {NULL, 0}};
#undef AT

const struct command predict_command = {
    .name = "predict",
    .summary = "radio map of a scene",
    .is_served = 1,
    .default_out = "map",
    .options = predict_options,
    .settings_size = sizeof(struct predict_settings),
    .calls = RW_OPTION_OF_PREDICT,
    .examples = {"rasterwave predict --scene city:grid:size=600m,600m --tx 300,300,10 --out out/grid",
                 "rasterwave predict --scene city:european --tx 1200,1700,60 --effects roofs,walls --res 10 --out eu"},
    .run = run_predict};
