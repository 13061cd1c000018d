/* paths: how waves get from transmitters to points, to a table or a file. */
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
    if (settings->out && !ends_in(settings->out, ".json") && !ends_in(settings->out, ".geojson"))
        return complain("--out %s: paths are written as NAME.json or NAME.geojson", settings->out);
    return 0;
}

static int print_json(struct call *call, const rw_paths *paths)
{
    char *text;
    rw_status status = rw_paths_to_json(paths, &text);
    if (status != RW_OK)
        return complain_status(call, status);
    fputs(text, stdout);
    rw_text_free(text);
    return 0;
}

static int trace(struct call *call, const struct request *request, rw_paths **paths)
{
    const struct settings *settings = &call->settings;
    rw_status status = rw_trace(request->scene, &request->options, settings->points, settings->point_count, paths);
    wipe_progress(call);
    if (status == RW_OK && settings->out)
        status = rw_paths_write(*paths, settings->out);
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
        exit_status = open_request(call, &request);
    if (!exit_status)
        exit_status = trace(call, &request, &paths);
    rw_paths_destroy(paths);
    close_request(&request);
    return exit_status;
}
