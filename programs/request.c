/* What a model is asked for, from the settings of a call: scene, transmitters, parameters; and measurements. */
#include "call.h"

static int find_transmitters(struct call *call, struct request *request)
{
    const struct settings *settings = &call->settings;
    request->options.transmitters = settings->transmitters;
    request->options.transmitter_count = settings->transmitter_count;
    if (!settings->sites)
        return 0;
    if (settings->transmitter_count)
        return complain("--tx and --sites cannot both be given");
    size_t left_out, *count = &request->options.transmitter_count;
    rw_status status = settings->skip_bad
                           ? rw_sites_load_good(call->context, settings->sites, &request->sites, count, &left_out)
                           : rw_sites_load(call->context, settings->sites, &request->sites, count);
    request->options.transmitters = request->sites;
    return status == RW_OK ? 0 : complain_status(call, status);
}

/* Where no frequency is given, that of the parameters is meant. */
static int load_params(struct call *call, struct request *request)
{
    const char *path = asked_text(call, "params");
    if (!path)
        return 0;
    rw_status status = rw_params_load(call->context, path, &request->params);
    if (status != RW_OK)
        return complain_status(call, status);
    request->options.params = request->params;
    if (!asked_text(call, "freq"))
        request->options.freq_hz = rw_params_freq_hz(request->params);
    return 0;
}

/* What is not said of the cells is as in the database; where it is said otherwise, the library refuses. */
static int load_database(struct call *call, struct request *request)
{
    rw_predict_options *options = &request->options;
    const char *path = asked_text(call, "database");
    if (!path)
        return 0;
    rw_status status = rw_database_load(request->scene, path, &request->database);
    if (status != RW_OK)
        return complain_status(call, status);
    rw_database_info info = {.size = sizeof info};
    rw_database_get_info(request->database, &info);
    options->database = request->database;
    if (!info.columns) /* of tiles, not of cells */
        return 0;
    if (!asked_text(call, "res"))
        options->res_m = info.res_m;
    if (!asked_text(call, "rx-height"))
        options->rx_height_m = info.rx_height_m;
    if (asked_text(call, "area"))
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
    int exit_status = set_asked(call, &request->options);
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
    exit_status = set_provenance(call, request->scene);
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
    options.resource_blocks = settings->resource_blocks;
    if (settings->quantity)
        options.quantity = settings->quantity;
    rw_status status = rw_measurements_load(call->context, settings->measurements, &options, measurements);
    return status == RW_OK ? 0 : complain_status(call, status);
}
