/* paths: paths from transmitters to points, to a table or a file. */
#include "commands/paths/paths.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int has_paths_extension(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcasecmp(path + length - end_length, end) == 0;
}

/* A name that cannot be written is told before the work. */
static int check_paths_call(const struct paths_settings *settings)
{
    if (!settings->points.count && !settings->points_file)
        return report_error("paths needs a point to reach: --at X,Y, --at X,Y,Z or --points FILE");
    if (settings->speed_m_s != 0 && !settings->points_file)
        return report_error("--speed is along the route of --points FILE");
    int is_channel = settings->out && has_paths_extension(settings->out, ".h5");
    if (settings->out && !is_channel && !has_paths_extension(settings->out, ".json") &&
        !has_paths_extension(settings->out, ".geojson") && !has_paths_extension(settings->out, ".csv") &&
        !has_paths_extension(settings->out, ".gpkg"))
        return report_error("--out %s: paths are written as NAME.json, .geojson, .csv or .gpkg, channels as NAME.h5",
                            settings->out);
    if (!is_channel &&
        (settings->rx_array || settings->tx_array || settings->bandwidth_hz != 0 || settings->frequencies))
        return report_error("--rx-array, --tx-array, --bandwidth and --frequencies are of channels: --out NAME.h5");
    if ((settings->plot || settings->profile || settings->views) && settings->points_file)
        return report_error("--plot, --profile and --views are of one point; give --at in place of --points");
    if (settings->plot && settings->points.count > 1)
        return report_error("--plot draws what arrives at one point; give --at once");
    if (settings->profile && settings->points.count > 1)
        return report_error("--profile draws the section to one point; give --at once");
    if (settings->views && settings->points.count > 1)
        return report_error("--views draws the views to one point; give --at once");
    TRY(check_picture_name("plot", settings->plot));
    TRY(check_picture_name("profile", settings->profile));
    TRY(check_output_file("profile", settings->profile));
    TRY(check_picture_name("views", settings->views));
    TRY(check_output_file("views", settings->views));
    TRY(check_output_file("out", settings->out));
    return check_output_file("plot", settings->plot);
}

/* Paths, and link budgets if there are any, as JSON to be freed with free. Returns the exit status. */
static int format_paths_json(struct call *call, const rw_paths *paths, const rw_budgets *budgets, char **string)
{
    char *json;
    rw_status status = rw_paths_to_json(paths, &json);
    if (status != RW_OK)
        return report_status(call, status);
    *string = budgets ? add_budgets_to_json(call, json, budgets) : strdup(json);
    rw_free(json);
    return *string ? 0 : 1;
}

static int print_paths_json(struct call *call, const rw_paths *paths, const rw_budgets *budgets)
{
    char *string;
    TRY(format_paths_json(call, paths, budgets, &string));
    fputs(string, stdout);
    free(string);
    return 0;
}

/* Link budgets are in JSON alone, and in the scene's coordinates. */
static int write_paths_file(struct call *call, rw_paths *paths, const rw_budgets *budgets, int ports)
{
    const struct paths_settings *settings = call->settings;
    char *string;
    if (settings->to_crs)
        TRY_RW(call, rw_paths_set_crs(paths, settings->to_crs));
    if (!budgets || settings->to_crs || !has_paths_extension(settings->out, ".json")) {
        TRY_RW(call, has_paths_extension(settings->out, ".h5") ? write_channel(call, paths, ports)
                                                               : rw_paths_write(paths, settings->out));
        return 0;
    }
    TRY(format_paths_json(call, paths, budgets, &string));
    rw_status status = rw_write_file(call->context, settings->out, string, strlen(string));
    free(string);
    TRY_RW(call, status);
    return 0;
}

static int draw_paths(struct call *call, const struct request *request, const rw_paths *paths)
{
    const struct paths_settings *settings = call->settings;
    if (settings->plot)
        TRY_RW(call, rw_paths_draw(paths, 0, settings->plot));
    if (settings->profile)
        TRY_RW(call, rw_paths_draw_profile(paths, 0, request->scene, settings->profile));
    if (settings->views)
        TRY_RW(call, rw_draw_views(request->scene, &request->options, settings->points.items, settings->views));
    return 0;
}

/* Files first: a call that fails prints nothing. The table is in the scene's metres, whatever the files are in. */
static int write_and_report_paths(struct call *call, const struct request *request, rw_paths *paths,
                                  const rw_budgets *budgets, int ports)
{
    const struct paths_settings *settings = call->settings;
    TRY(draw_paths(call, request, paths));
    if (settings->out)
        TRY(write_paths_file(call, paths, budgets, ports));
    if (settings->out && settings->to_crs && !call->json)
        TRY_RW(call, rw_paths_set_crs(paths, rw_scene_crs(request->scene)));
    if (call->json)
        return print_paths_json(call, paths, budgets);
    if (!call->quiet)
        report_paths(call, request, paths, budgets);
    return 0;
}

/* What the command allocates. */
struct tracing {
    struct request request;
    rw_paths *paths;
    rw_budgets *budgets; /* NULL: none */
    rw_transmitter *ports;
    rw_point *points;
    rw_motion *motions;
};

/* Of points one by one, if their values are those of a map without stored paths. */
static int find_budgets(struct call *call, struct tracing *tracing, size_t count)
{
    const struct paths_settings *settings = call->settings;
    const struct rw_predict_options *options = &tracing->request.options;
    int is_json = call->json || (settings->out && has_paths_extension(settings->out, ".json"));
    if (settings->points_file || options->reuse || (call->quiet && !is_json))
        return 0;
    rw_status status = rw_predict_budgets(tracing->request.scene, options, tracing->points, count, &tracing->budgets);
    wipe_progress(call);
    TRY_RW(call, status);
    return 0;
}

static int trace_call_paths(struct call *call, struct tracing *tracing)
{
    struct paths_settings *settings = call->settings;
    struct request *request = &tracing->request;
    size_t count = 0;
    int each = 1;
    TRY(check_paths_call(settings));
    TRY(check_arrays(call));
    TRY(open_request(call, &settings->inputs, request));
    TRY(find_points(call, request->scene, &tracing->points, &tracing->motions, &count));
    TRY(split_ports(call, request, &tracing->ports, &each));
    if (call->dry_run)
        return dry_run_points(call, request, count, 1);
    rw_status status = rw_trace(request->scene, &request->options, tracing->points, count, &tracing->paths);
    wipe_progress(call);
    TRY_RW(call, status);
    if (settings->points_file)
        TRY_RW(call, rw_paths_set_motions(tracing->paths, tracing->motions, count));
    TRY(find_budgets(call, tracing, count));
    return write_and_report_paths(call, request, tracing->paths, tracing->budgets, each);
}

static int run_paths(struct call *call)
{
    struct tracing tracing = {0};
    int exit_status = trace_call_paths(call, &tracing);
    free(tracing.points);
    free(tracing.motions);
    free(tracing.ports);
    rw_paths_destroy(tracing.paths);
    rw_budgets_destroy(tracing.budgets);
    close_request(&tracing.request);
    return exit_status;
}

#define AT(member) offsetof(struct paths_settings, member)
static const struct command_option paths_options[] = {{"scene", AT(inputs.scene.file)},
                                                      {"tx", AT(inputs.sites.tx)},
                                                      {"sites", AT(inputs.sites.file)},
                                                      {"at", AT(points)},
                                                      {"points", AT(points_file)},
                                                      {"model", OF_CALL},
                                                      {"plot", AT(plot)},
                                                      {"rx-array", AT(rx_array)},
                                                      {"tx-array", AT(tx_array)},
                                                      {"bandwidth", AT(bandwidth_hz)},
                                                      {"out", AT(out)},
                                                      {"json", OF_CALL},
                                                      {"quiet", OF_CALL},
                                                      {"dry-run", OF_CALL},
                                                      {"+help options", OF_CALL},
                                                      {"tx-polarisation", AT(inputs.sites.polarisation)},
                                                      {"tx-antenna", AT(inputs.sites.antenna)},
                                                      {"tx-azimuth", AT(inputs.sites.azimuth_deg)},
                                                      {"tx-tilt", AT(inputs.sites.tilt_deg)},
                                                      {"tx-power", AT(inputs.sites.power_dbm)},
                                                      {"speed", AT(speed_m_s)},
                                                      {"frequencies", AT(frequencies)},
                                                      {"views", AT(views)},
                                                      {"profile", AT(profile)},
                                                      {"+predict", OF_CALL},
                                                      {"time-stamp", OF_CALL},
                                                      {"materials", AT(inputs.scene.materials)},
                                                      {"terrain", AT(inputs.scene.terrain)},
                                                      {"foliage", AT(inputs.scene.foliage)},
                                                      {"crs", AT(inputs.scene.crs)},
                                                      {"height-field", AT(inputs.scene.height_field)},
                                                      {"storeys-field", AT(inputs.scene.storeys_field)},
                                                      {"height-unit", AT(inputs.scene.height_unit)},
                                                      {"points-crs", OF_CALL},
                                                      {"to-crs", AT(to_crs)},
                                                      {"skip-bad", AT(inputs.sites.skip_bad)},
                                                      {"columns", AT(inputs.sites.columns)},
                                                      {"backend", OF_CALL},
                                                      {"threads", OF_CALL},
                                                      {"allow-outside", OF_CALL},
                                                      {NULL, 0}};
#undef AT

const struct command paths_command = {
    .name = "paths",
    .summary = "ways of waves to points: corners, angles, losses",
    .is_served = 1,
    .default_out = "paths.json",
    .options = paths_options,
    .settings_size = sizeof(struct paths_settings),
    .calls = RW_OPTION_OF_TRACE,
    .examples = {"rasterwave paths --scene city:grid:size=600m,600m --tx 300,300,10 --at 150,290 --at 420,130,2",
                 "rasterwave paths --scene city:european:size=500m,500m --tx 250,250,40 --at 90,300 --out a.geojson"},
    .run = run_paths};
