/* What a model is asked for, from the settings of a call: scene, transmitters, parameters; and measurements. */
#include "call.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int find_transmitters(struct call *call, struct request *request)
{
    const struct settings *settings = &call->settings;
    request->options.transmitters = settings->transmitters;
    request->options.transmitter_count = settings->transmitter_count;
    if (!settings->sites)
        return 0;
    if (settings->transmitter_count)
        return complain("--tx and --sites cannot both be given");
    rw_status status =
        rw_sites_load(call->context, settings->sites, &request->sites, &request->options.transmitter_count);
    request->options.transmitters = request->sites;
    return status == RW_OK ? 0 : complain_status(call, status);
}

static void choose_options(const struct settings *settings, rw_predict_options *options)
{
    rw_predict_options_init(options);
    if (settings->model)
        rw_predict_options_init_for(options, settings->model);
    if (settings->layers)
        options->layers = settings->layers;
    if (settings->effects)
        options->effects = settings->effects;
    options->sum = settings->sum;
    options->depth = settings->depth;
    options->pixels = settings->pixels;
    options->threshold = settings->threshold;
    options->diffraction = settings->diffraction;
    options->rays = settings->rays;
    if (settings->method)
        options->method = settings->method;
    if (!isnan(settings->freq_hz))
        options->freq_hz = settings->freq_hz;
    if (!isnan(settings->res_m))
        options->res_m = settings->res_m;
    if (!isnan(settings->rx_height_m))
        options->rx_height_m = settings->rx_height_m;
    if (settings->order >= 0)
        options->order = settings->order;
    if (settings->best_count >= 0)
        options->best_count = settings->best_count;
    memcpy(options->area_m, settings->area_m, sizeof options->area_m);
    memcpy(options->plane_m, settings->plane_m, sizeof options->plane_m);
    options->reflections = settings->reflections;
    options->diffractions = settings->diffractions;
    options->transmissions = settings->transmissions;
    options->scatterings = settings->scatterings;
    options->cells = settings->cells;
    options->reuse = settings->reuse;
    if (!isnan(settings->tile_area_m2))
        options->tile_area_m2 = settings->tile_area_m2;
    options->loss_max_db = settings->loss_max_db;
    options->losses = settings->losses;
    options->memory_bytes = 1e6 * settings->memory_mb;
}

/* "128,50ns" or "128,50ns,2us": how many bins, how wide, and where the first begins. */
static int choose_delay_bins(struct call *call, rw_predict_options *options)
{
    const char *text = call->settings.delay_bins;
    double numbers[3] = {0, options->delay_bin_s, 0};
    for (int i = 0; text && i < 3; i++) {
        char part[64];
        size_t length = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : sizeof part - 1), text);
        rw_quantity quantity = i == 0 ? RW_QUANTITY_NUMBER : RW_QUANTITY_TIME_S;
        if (rw_parse_quantity(call->context, part, quantity, &numbers[i]) != RW_OK)
            return complain("--delay-bins: %s", rw_last_error(call->context));
        text = text[length] ? text + length + 1 : NULL;
    }
    if (text || numbers[0] != floor(numbers[0]) || numbers[0] < 0 || numbers[0] > 1e9)
        return complain("--delay-bins %s: expected a number of bins and their width, such as 128,50ns",
                        call->settings.delay_bins);
    options->delay_bins = (int)numbers[0];
    options->delay_bin_s = numbers[1];
    options->delay_first_s = numbers[2];
    return 0;
}

/* Where no frequency is given, that of the parameters is meant. */
static int load_params(struct call *call, struct request *request)
{
    if (!call->settings.params)
        return 0;
    rw_status status = rw_params_load(call->context, call->settings.params, &request->params);
    if (status != RW_OK)
        return complain_status(call, status);
    request->options.params = request->params;
    if (isnan(call->settings.freq_hz))
        request->options.freq_hz = rw_params_freq_hz(request->params);
    return 0;
}

/* What is not said of the cells is as in the database; where it is said otherwise, the library refuses. */
static int load_database(struct call *call, struct request *request)
{
    const struct settings *settings = &call->settings;
    rw_predict_options *options = &request->options;
    if (!settings->database)
        return 0;
    rw_status status = rw_database_load(request->scene, settings->database, &request->database);
    if (status != RW_OK)
        return complain_status(call, status);
    rw_database_info info = {.size = sizeof info};
    rw_database_get_info(request->database, &info);
    options->database = request->database;
    if (!info.columns) /* of tiles, not of cells */
        return 0;
    if (isnan(settings->res_m))
        options->res_m = info.res_m;
    if (isnan(settings->rx_height_m))
        options->rx_height_m = info.rx_height_m;
    const double *given = settings->area_m;
    if (given[0] != 0 || given[1] != 0 || given[2] != 0 || given[3] != 0)
        return 0;
    options->area_m[0] = info.x0_m;
    options->area_m[1] = info.y0_m;
    options->area_m[2] = info.x0_m + (double)info.columns * info.res_m;
    options->area_m[3] = info.y0_m + (double)info.rows * info.res_m;
    return 0;
}

int open_request(struct call *call, struct request *request)
{
    const struct settings *settings = &call->settings;
    const char *command = call->command->name;
    if (!settings->scene)
        return complain("%s needs a scene: --scene FILE, or --scene city:european:seed=1", command);
    if (!settings->transmitter_count && !settings->sites)
        return complain("%s needs a transmitter: --tx X,Y,Z or --sites FILE.csv", command);
    double start_s = now_s();
    choose_options(settings, &request->options);
    int exit_status = choose_delay_bins(call, &request->options);
    if (!exit_status)
        exit_status = load_params(call, request);
    if (!exit_status)
        exit_status = open_scene(call, settings->scene, &request->scene);
    if (!exit_status)
        exit_status = find_transmitters(call, request);
    if (!exit_status)
        exit_status = load_database(call, request);
    if (exit_status)
        return exit_status;
    rw_scene_info info = {.size = sizeof info};
    rw_status status = rw_scene_get_info(request->scene, &info);
    if (status != RW_OK)
        return complain_status(call, status);
    request->prepare_s = info.prepare_s;
    request->load_s = now_s() - start_s - info.prepare_s;
    return 0;
}

void close_request(struct request *request)
{
    rw_params_destroy(request->params);
    rw_database_destroy(request->database); /* before its scene */
    rw_free(request->sites);
    rw_scene_destroy(request->scene);
}

int load_measurements(struct call *call, rw_measurements **measurements)
{
    const struct settings *settings = &call->settings;
    rw_measurements_options options;
    rw_measurements_options_init(&options);
    options.columns = settings->columns;
    options.tx_power_dbm = settings->tx_power_dbm;
    options.route = settings->route;
    options.site = settings->site;
    if (settings->quantity)
        options.quantity = settings->quantity;
    rw_status status = rw_measurements_load(call->context, settings->measurements, &options, measurements);
    return status == RW_OK ? 0 : complain_status(call, status);
}
