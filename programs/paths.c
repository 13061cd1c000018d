/* paths: paths from transmitters to points, to a table or a file. */
#include "paths.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static int ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcasecmp(path + length - end_length, end) == 0;
}

/* A name that cannot be written is told before the work. */
static int check_call(const struct settings *settings)
{
    if (!settings->point_count)
        return complain("paths needs a point to reach: --at X,Y or --at X,Y,Z");
    int is_channel = settings->out && ends_in(settings->out, ".h5");
    if (settings->out && !is_channel && !ends_in(settings->out, ".json") && !ends_in(settings->out, ".geojson"))
        return complain("--out %s: paths are written as NAME.json or NAME.geojson, channels as NAME.h5", settings->out);
    if (!is_channel && (settings->rx_array || settings->tx_array || settings->bandwidth_hz != 0))
        return complain("--rx-array, --tx-array and --bandwidth are of channels: --out NAME.h5");
    if (settings->plot && settings->point_count > 1)
        return complain("--plot draws what arrives at one point; give --at once");
    if (settings->profile && settings->point_count > 1)
        return complain("--profile draws the section to one point; give --at once");
    if (settings->views && settings->point_count > 1)
        return complain("--views draws the views to one point; give --at once");
    int exit_status = check_picture_name("plot", settings->plot);
    if (!exit_status)
        exit_status = check_picture_name("profile", settings->profile);
    if (!exit_status)
        exit_status = check_file_place("profile", settings->profile);
    if (!exit_status)
        exit_status = check_picture_name("views", settings->views);
    if (!exit_status)
        exit_status = check_file_place("views", settings->views);
    if (!exit_status)
        exit_status = check_file_place("out", settings->out);
    return exit_status ? exit_status : check_file_place("plot", settings->plot);
}

static int print_json(struct call *call, const rw_paths *paths)
{
    char *text;
    rw_status status = rw_paths_to_json(paths, &text);
    if (status != RW_OK)
        return complain_status(call, status);
    fputs(text, stdout);
    rw_free(text);
    return 0;
}

static rw_status write(struct call *call, const rw_paths *paths)
{
    const struct settings *settings = &call->settings;
    return ends_in(settings->out, ".h5") ? write_channel(call, paths) : rw_paths_write(paths, settings->out);
}

static int trace(struct call *call, const struct request *request, rw_paths **paths)
{
    const struct settings *settings = &call->settings;
    rw_status status = rw_trace(request->scene, &request->options, settings->points, settings->point_count, paths);
    wipe_progress(call);
    if (status == RW_OK && settings->out)
        status = write(call, *paths);
    if (status == RW_OK && settings->plot)
        status = rw_paths_draw(*paths, 0, settings->plot);
    if (status == RW_OK && settings->profile)
        status = rw_paths_draw_profile(*paths, 0, request->scene, settings->profile);
    if (status == RW_OK && settings->views)
        status = rw_draw_views(request->scene, &request->options, settings->points, settings->views);
    if (status != RW_OK)
        return complain_status(call, status);
    if (settings->json)
        return print_json(call, *paths);
    if (!settings->quiet)
        report_paths(call, request, *paths);
    return 0;
}

int command_paths(struct call *call)
{
    struct request request = {0};
    rw_paths *paths = NULL;
    int exit_status = check_call(&call->settings);
    if (!exit_status)
        exit_status = check_arrays(call);
    if (!exit_status)
        exit_status = open_request(call, &request);
    if (!exit_status)
        exit_status = call->settings.dry_run ? dry_run_points(call, &request, call->settings.point_count, 1)
                                             : trace(call, &request, &paths);
    rw_paths_destroy(paths);
    close_request(&request);
    return exit_status;
}
