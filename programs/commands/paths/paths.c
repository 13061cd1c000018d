/* paths: paths from transmitters to points, to a table or a file. */
#include "commands/paths/paths.h"

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
static int check_paths_call(const struct settings *settings)
{
    if (!settings->point_count && !settings->points_file)
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
    if (settings->plot && settings->point_count > 1)
        return report_error("--plot draws what arrives at one point; give --at once");
    if (settings->profile && settings->point_count > 1)
        return report_error("--profile draws the section to one point; give --at once");
    if (settings->views && settings->point_count > 1)
        return report_error("--views draws the views to one point; give --at once");
    int exit_status = check_picture_name("plot", settings->plot);
    if (!exit_status)
        exit_status = check_picture_name("profile", settings->profile);
    if (!exit_status)
        exit_status = check_output_file("profile", settings->profile);
    if (!exit_status)
        exit_status = check_picture_name("views", settings->views);
    if (!exit_status)
        exit_status = check_output_file("views", settings->views);
    if (!exit_status)
        exit_status = check_output_file("out", settings->out);
    return exit_status ? exit_status : check_output_file("plot", settings->plot);
}

static int print_paths_json(struct call *call, const rw_paths *paths)
{
    char *json;
    rw_status status = rw_paths_to_json(paths, &json);
    if (status != RW_OK)
        return report_status(call, status);
    fputs(json, stdout);
    rw_free(json);
    return 0;
}

static rw_status write_paths_file(struct call *call, rw_paths *paths, int ports)
{
    const struct settings *settings = &call->settings;
    if (settings->to_crs) {
        rw_status status = rw_paths_set_crs(paths, settings->to_crs);
        if (status != RW_OK)
            return status;
    }
    return has_paths_extension(settings->out, ".h5") ? write_channel(call, paths, ports)
                                                     : rw_paths_write(paths, settings->out);
}

static int draw_paths(struct call *call, const struct request *request, const rw_paths *paths)
{
    const struct settings *settings = &call->settings;
    rw_status status = settings->plot ? rw_paths_draw(paths, 0, settings->plot) : RW_OK;
    if (status == RW_OK && settings->profile)
        status = rw_paths_draw_profile(paths, 0, request->scene, settings->profile);
    if (status == RW_OK && settings->views)
        status = rw_draw_views(request->scene, &request->options, settings->points, settings->views);
    return status == RW_OK ? 0 : report_status(call, status);
}

/* Files first: a call that fails prints nothing. The table is in the scene's metres, whatever the files are in. */
static int report(struct call *call, const struct request *request, rw_paths *paths, int ports)
{
    const struct settings *settings = &call->settings;
    int exit_status = draw_paths(call, request, paths);
    if (exit_status)
        return exit_status;
    rw_status status = settings->out ? write_paths_file(call, paths, ports) : RW_OK;
    if (status == RW_OK && settings->out && settings->to_crs && !settings->json)
        status = rw_paths_set_crs(paths, rw_scene_crs(request->scene));
    if (status != RW_OK)
        return report_status(call, status);
    if (settings->json)
        return print_paths_json(call, paths);
    if (!settings->quiet)
        report_paths(call, request, paths);
    return 0;
}

static int trace_call_paths(struct call *call, struct request *request, rw_paths **paths)
{
    rw_transmitter *ports = NULL;
    rw_point *points = NULL;
    rw_motion *motions = NULL;
    size_t count = 0;
    int each = 1, exit_status = find_points(call, request->scene, &points, &motions, &count);
    if (!exit_status)
        exit_status = split_ports(call, request, &ports, &each);
    if (!exit_status && call->settings.dry_run) {
        exit_status = dry_run_points(call, request, count, 1);
    } else if (!exit_status) {
        rw_status status = rw_trace(request->scene, &request->options, points, count, paths);
        wipe_progress(call);
        if (status == RW_OK && call->settings.points_file)
            status = rw_paths_set_motions(*paths, motions, count);
        exit_status = status == RW_OK ? report(call, request, *paths, each) : report_status(call, status);
    }
    free(points);
    free(motions);
    free(ports);
    return exit_status;
}

int command_paths(struct call *call)
{
    struct request request = {0};
    rw_paths *paths = NULL;
    int exit_status = check_paths_call(&call->settings);
    if (!exit_status)
        exit_status = check_arrays(call);
    if (!exit_status)
        exit_status = open_request(call, &request);
    if (!exit_status)
        exit_status = trace_call_paths(call, &request, &paths);
    rw_paths_destroy(paths);
    close_request(&request);
    return exit_status;
}
