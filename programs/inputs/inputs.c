/* What a model is asked for, from the settings of a call: scene, transmitters, parameters; and measurements. */
#include "cli/cli.h"
#include "inputs/inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <stdarg.h>

/* Power and antenna of --tx: those of options, of a preset, or as they are. */
static int set_tx_equipment(struct call *call, const struct site_options *options, rw_transmitter *each)
{
    const char *name = model_argument_value(call, "preset");
    rw_preset preset = {.size = sizeof preset};
    if (name) {
        TRY_RW(call, rw_preset_find(call->context, name, &preset));
        each->power_dbm = preset.power_dbm;
        each->antenna = preset.antenna;
    }
    if (is_option_given(call, "tx-power"))
        each->power_dbm = options->power_dbm;
    if (options->antenna)
        each->antenna = options->antenna;
    each->azimuth_deg = options->azimuth_deg;
    each->downtilt_deg = options->tilt_deg;
    return 0;
}

/* --tx in the scene's coordinates, with what other options say of all of them. */
int finish_transmitters(struct call *call, struct site_options *options, const char *crs)
{
    for (size_t i = 0; i < options->tx.count; i++) {
        rw_transmitter *each = &options->tx.items[i];
        double at[2] = {each->x_m, each->y_m};
        if (call->points_crs)
            TRY(transform_points(call, crs, "--tx", at, 1));
        each->x_m = at[0];
        each->y_m = at[1];
        TRY(set_tx_equipment(call, options, each));
        rw_status status =
            options->polarisation ? rw_transmitter_set_polarisation(call->context, each, options->polarisation) : RW_OK;
        if (status != RW_OK)
            return report_status(call, status);
    }
    return 0;
}

/* Sites left out that are also told as warnings; the report lists all. */
#define SKIPPED_WARNINGS_MAX 8

void record_skipped_site(void *user, const char *message)
{
    struct call *call = user;
    char warning[1100];
    snprintf(warning, sizeof warning, "left out: %.1000s", message);
    if (call->skipped_count < SKIPPED_WARNINGS_MAX)
        on_warning(call, warning);
    const char *stored = store_string(call, message);
    const char **grown = stored ? realloc(call->skipped, (call->skipped_count + 1) * sizeof *grown) : NULL;
    if (!grown)
        return;
    call->skipped = grown;
    call->skipped[call->skipped_count++] = stored;
}

static void resolve_sites_options(struct call *call, const struct site_options *of, const char *crs,
                                  rw_sites_options *options)
{
    rw_sites_options_init(options);
    options->crs = call->points_crs;
    options->to_crs = crs;
    options->skip_bad = of->skip_bad;
    options->columns = of->columns;
    options->on_skipped = record_skipped_site;
    options->user = call;
}

int load_sites(struct call *call, const struct site_options *options, const char *crs, rw_transmitter **sites,
               size_t *count)
{
    rw_sites_options sites_options;
    size_t skipped;
    resolve_sites_options(call, options, crs, &sites_options);
    TRY_RW(call, rw_sites_load_for(call->context, options->file, &sites_options, sites, count, &skipped));
    return 0;
}

static int load_candidates(struct call *call, const struct input_options *inputs, struct request *request)
{
    rw_sites_options options;
    size_t skipped;
    resolve_sites_options(call, &inputs->sites, rw_scene_crs(request->scene), &options);
    rw_status status = rw_plan_candidates_load(call->context, inputs->candidates, &options, &request->sites,
                                               &request->candidates, &request->options.transmitter_count, &skipped);
    request->options.transmitters = request->sites;
    return status == RW_OK ? 0 : report_status(call, status);
}

/* With --skip-bad, sites that no prediction can be made from go, and are listed. Measurements of such sites are counted
 * by the library itself, and so are candidates of a plan. */
static int drop_bad_sites(struct call *call, const struct input_options *inputs, struct request *request)
{
    rw_predict_options *options = &request->options;
    int leaves_out = inputs->sites.skip_bad && !inputs->are_measured && request->sites && !request->candidates;
    size_t good_count = 0;
    for (size_t i = 0; leaves_out && i < options->transmitter_count; i++) {
        rw_status status = rw_check_transmitter(request->scene, options, i);
        if (status == RW_OUT_OF_MEMORY)
            return report_status(call, status);
        if (status == RW_OK)
            request->sites[good_count++] = request->sites[i];
        else
            record_skipped_site(call, rw_last_error(call->context));
    }
    if (!leaves_out)
        return 0;
    options->transmitter_count = good_count;
    return good_count ? 0 : report_error("%s: none of its sites can be used: %s", inputs->sites.file, call->skipped[0]);
}

static int find_transmitters(struct call *call, struct input_options *inputs, struct request *request)
{
    struct site_options *sites = &inputs->sites;
    request->options.transmitters = sites->tx.items;
    request->options.transmitter_count = sites->tx.count;
    if (inputs->candidates)
        return load_candidates(call, inputs, request);
    if (sites->columns && !sites->file)
        return report_error("--columns is of --sites: give the table");
    if (!sites->file)
        return finish_transmitters(call, sites, rw_scene_crs(request->scene));
    if (sites->tx.count)
        return report_error("--tx and --sites cannot both be given");
    if (sites->polarisation)
        return report_error("--tx-polarisation is of --tx; a sites table has the column polarisation");
    const char *const of_tx[] = {"tx-antenna", "tx-azimuth", "tx-tilt", "tx-power"};
    for (size_t i = 0; i < sizeof of_tx / sizeof *of_tx; i++)
        if (accepts_option(call->command, "tx-antenna") && is_option_given(call, of_tx[i]))
            return report_error("--%s is of --tx; a sites table has the column %s", of_tx[i], of_tx[i] + 3);
    TRY(load_sites(call, sites, rw_scene_crs(request->scene), &request->sites, &request->options.transmitter_count));
    request->options.transmitters = request->sites;
    return 0;
}

/* Where no frequency is given, that of the parameters is meant. */
static int load_params(struct call *call, struct request *request)
{
    const char *path = model_argument_value(call, "params");
    if (!path)
        return 0;
    rw_status status = rw_params_load(call->context, path, &request->params);
    if (status != RW_OK)
        return report_status(call, status);
    request->options.params = request->params;
    if (!model_argument_value(call, "freq"))
        request->options.freq_hz = rw_params_freq_hz(request->params);
    return 0;
}

/* What is not said of the cells is as in the database; where it is said otherwise, the library refuses. */
static int load_database(struct call *call, struct request *request)
{
    rw_predict_options *options = &request->options;
    const char *path = model_argument_value(call, "database");
    if (!path)
        return 0;
    rw_status status = request->database ? RW_OK : rw_database_load(request->scene, path, &request->database);
    if (status != RW_OK)
        return report_status(call, status);
    rw_database_info info = {.size = sizeof info};
    rw_database_get_info(request->database, &info);
    options->database = request->database;
    if (!info.columns) /* of tiles, not of cells */
        return 0;
    if (!model_argument_value(call, "res"))
        options->res_m = info.res_m;
    if (!model_argument_value(call, "rx-height"))
        options->rx_height_m = info.rx_height_m;
    const char *area = model_argument_value(call, "area");
    if (area && strchr(area, ',')) /* a file of polygons limits what the database has */
        return 0;
    options->area_m[0] = info.x0_m;
    options->area_m[1] = info.y0_m;
    options->area_m[2] = info.x0_m + (double)info.columns * info.res_m;
    options->area_m[3] = info.y0_m + (double)info.rows * info.res_m;
    return 0;
}

#define PROBE_M 1000

/* Of a scene that is read block by block, the middle of the area: it says which coordinate system the scene has. */
static int open_probe(struct call *call, const struct scene_options *options, struct request *request)
{
    const double *area_m = request->options.area_m;
    if (!model_argument_value(call, "area") || isnan(area_m[0]))
        return report_error("--by-blocks needs --area: west, south, east, north of the region");
    if (is_generator(options->file))
        return report_error("--by-blocks reads a GIS vector file, and %s is a generator", options->file);
    double x = 0.5 * (area_m[0] + area_m[2]), y = 0.5 * (area_m[1] + area_m[3]);
    const double probe_m[4] = {x - PROBE_M, y - PROBE_M, x + PROBE_M, y + PROBE_M};
    rw_status status = load_scene(call, options, options->file, probe_m, &request->scene);
    return status == RW_OK ? 0 : report_status(call, status);
}

/* A frequency or an orientation that changes nothing, and masts that are probably elsewhere. */
static void warn_of_transmitters(struct call *call, const struct request *request)
{
    const rw_predict_options *options = &request->options;
    size_t own_freq = 0, turned = 0, far = 0, tall = 0;
    char text[200];
    rw_scene_info info = {.size = sizeof info};
    int has_extent = rw_scene_get_info(request->scene, &info) == RW_OK && info.x_max_m > info.x_min_m;
    double reach_m = 500 + 5 * fmax(info.x_max_m - info.x_min_m, info.y_max_m - info.y_min_m);
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *of = &options->transmitters[i];
        int is_isotropic = !of->antenna || !*of->antenna || strcmp(of->antenna, "isotropic") == 0;
        own_freq += of->freq_hz > 0;
        turned += is_isotropic && (of->azimuth_deg != 0 || of->downtilt_deg != 0);
        tall += of->height_m > 500;
        far += has_extent && (of->x_m < info.x_min_m - reach_m || of->x_m > info.x_max_m + reach_m ||
                              of->y_m < info.y_min_m - reach_m || of->y_m > info.y_max_m + reach_m);
    }
    if (own_freq && own_freq == options->transmitter_count && model_argument_value(call, "freq"))
        on_warning(call, "--freq has no effect: every site has a frequency of its own");
    if (turned) {
        snprintf(text, sizeof text,
                 "%zu of %zu transmitters have an azimuth or a tilt and an isotropic antenna, "
                 "which they do not change",
                 turned, options->transmitter_count);
        on_warning(call, text);
    }
    if (tall) {
        snprintf(text, sizeof text, "%zu of %zu transmitters are more than 500 m above ground", tall,
                 options->transmitter_count);
        on_warning(call, text);
    }
    if (far) {
        snprintf(text, sizeof text, "%zu of %zu transmitters are more than %.3g m outside of the scene", far,
                 options->transmitter_count, reach_m);
        on_warning(call, text);
    }
}

static int open_request_scene(struct call *call, const struct input_options *inputs, struct request *request)
{
    if (request->is_warm)
        return 0;
    if (inputs->by_blocks)
        return open_probe(call, &inputs->scene, request);
    return open_scene(call, &inputs->scene, inputs->scene.file, &request->scene);
}

int open_request(struct call *call, struct input_options *inputs, struct request *request)
{
    const char *command = call->command->name;
    if (!inputs->scene.file)
        return report_error("%s needs a scene: --scene FILE, or --scene city:european:seed=1", command);
    if (!inputs->sites.tx.count && !inputs->sites.file && !inputs->candidates)
        return report_error("%s needs a transmitter: --tx X,Y,Z or --sites FILE.csv", command);
    double start_s = now_s();
    TRY(apply_model_arguments(call, &request->options));
    TRY(load_params(call, request));
    TRY(open_request_scene(call, inputs, request));
    TRY(find_transmitters(call, inputs, request));
    rw_scene_info rooms = {.size = sizeof rooms};
    /* The library chooses the cells of a floor plan by its size. */
    if (!model_argument_value(call, "res") && rw_scene_get_info(request->scene, &rooms) == RW_OK &&
        rooms.buildings == 0 && rooms.panels + rooms.meshes > 0)
        request->options.res_m = NAN;
    if (model_argument_value(call, "area"))
        TRY(transform_area(call, rw_scene_crs(request->scene), request->options.area_m));
    if (!inputs->by_blocks)
        TRY(drop_bad_sites(call, inputs, request));
    TRY(load_database(call, request));
    if (!inputs->by_blocks)
        warn_of_transmitters(call, request);
    if (request->is_warm)
        return 0;
    TRY(set_provenance(call, request->scene, &request->options));
    rw_scene_info info = {.size = sizeof info};
    TRY_RW(call, rw_scene_get_info(request->scene, &info));
    request->prepare_s = info.prepare_s;
    request->load_s = now_s() - start_s - info.prepare_s;
    return 0;
}

void close_request(struct request *request)
{
    if (request->params)
        rw_params_destroy(request->params);
    if (request->database)
        rw_database_destroy(request->database); /* before its scene */
    rw_free(request->sites);
    rw_free(request->candidates);
    rw_scene_destroy(request->scene);
}

int load_measurements(struct call *call, const struct measurement_options *of, const char *crs,
                      rw_measurements **measurements)
{
    rw_measurements_options options;
    rw_measurements_options_init(&options);
    options.columns = of->columns;
    options.crs = call->points_crs;
    options.to_crs = crs;
    options.tx_power_dbm = of->tx_power_dbm;
    options.route = of->route;
    options.site = of->site;
    options.resource_blocks = of->resource_blocks;
    if (of->quantity)
        options.quantity = of->quantity;
    TRY_RW(call, rw_measurements_load(call->context, of->file, &options, measurements));
    return 0;
}

/* What a prediction uses because neither an option nor a table names it: a map of 947 MHz is then not read as one of
 * another band. */
static void append_default(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void append_default(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list values;
    if (length)
        length += (size_t)snprintf(text + length, size - length, ", ");
    if (length >= size)
        return;
    va_start(values, format);
    vsnprintf(text + length, size - length, format, values);
    va_end(values);
}

/* Whether the header of a sites table has a column of one of the words. */
static int has_site_column(const char *path, const char *const *words)
{
    char line[2048] = "";
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && (line[0] == '#' || line[0] == '\n' || line[0] == '\r'))
        line[0] = 0;
    if (file)
        fclose(file);
    for (char *at = line; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    for (; *words; words++)
        if (strstr(line, *words))
            return 1;
    return 0;
}

/* Power and antenna of --tx, or of a table that has no column of them. */
static void describe_equipment(struct call *call, const struct input_options *inputs, const struct request *request,
                               char *text, size_t size)
{
    static const char *const power_words[] = {"power", "eirp", "erp", NULL}, *const antenna_words[] = {"antenna", NULL};
    const rw_transmitter *first = request->options.transmitters;
    const char *table = inputs->sites.file;
    if (!first || !request->options.transmitter_count)
        return;
    if (table ? !has_site_column(table, power_words) : !is_option_given(call, "tx-power"))
        append_default(text, size, "%g dBm", first->power_dbm);
    if (table ? !has_site_column(table, antenna_words) : !inputs->sites.antenna)
        append_default(text, size, "%s antennas", first->antenna && *first->antenna ? first->antenna : "isotropic");
}

void describe_defaults(struct call *call, const struct input_options *inputs, const struct request *request,
                       const rw_map_info *info, char *text, size_t size)
{
    const rw_predict_options *options = &request->options;
    int uses_freq = 0;
    text[0] = 0;
    for (size_t i = 0; i < options->transmitter_count; i++)
        uses_freq |= !(options->transmitters[i].freq_hz > 0);
    if (uses_freq && !model_argument_value(call, "freq") && !model_argument_value(call, "params"))
        append_default(text, size, "%g MHz", options->freq_hz / 1e6);
    describe_equipment(call, inputs, request, text, size);
    if (info && !model_argument_value(call, "rx-height") && !info->has_plane)
        append_default(text, size, "receivers at %g m", info->rx_height_m);
    if (info && info->columns && !model_argument_value(call, "res") && !model_argument_value(call, "database"))
        append_default(text, size, "cells of %g m", info->res_m);
}
