/* preprocess: what of a prediction does not depend on the transmitter, to a file. */
#include "call.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void choose_options(const struct settings *settings, rw_preprocess_options *options)
{
    rw_preprocess_options_init(options);
    if (settings->model)
        options->model = settings->model;
    if (!isnan(settings->res_m))
        options->res_m = settings->res_m;
    if (!isnan(settings->rx_height_m))
        options->rx_height_m = settings->rx_height_m;
    memcpy(options->area_m, settings->area_m, sizeof options->area_m);
    if (!isnan(settings->tile_area_m2))
        options->tile_area_m2 = settings->tile_area_m2;
    options->tile_border_quarter = settings->tile_quarter;
    options->update = settings->update;
    options->memory_bytes = 1e6 * settings->memory_mb;
}

/* Whether the folder of the file is there; where it is not, the library will say so. */
static int can_write(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return 1;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
    return access(folder, W_OK) == 0;
}

/* Before a long run: what it will take. */
static rw_status tell_estimate(struct call *call, const rw_scene *scene, const rw_preprocess_options *options)
{
    rw_preprocess_estimate estimate = {.size = sizeof estimate};
    if (call->settings.json || call->settings.quiet || !can_write(call->settings.out))
        return RW_OK;
    rw_status status = rw_preprocess_get_estimate(scene, options, &estimate);
    if (status != RW_OK || !estimate.tiles)
        return status;
    printf("estimate   %zu tiles, %.3g pairs: about %.2g s, a file of %.2g MB; %.2g MB of memory", estimate.tiles,
           estimate.pairs, estimate.seconds, estimate.file_bytes / 1e6, estimate.memory_bytes / 1e6);
    if (estimate.device_bytes > 0)
        printf(" and %.2g MB of the GPU", estimate.device_bytes / 1e6);
    if (estimate.bands > 1)
        printf(", in %zu bands", estimate.bands);
    putchar('\n');
    fflush(stdout);
    return RW_OK;
}

static int make(struct call *call, const rw_scene *scene)
{
    const char *path = call->settings.out;
    rw_preprocess_options options;
    rw_database_info info = {.size = sizeof info};
    choose_options(&call->settings, &options);
    rw_status status = tell_estimate(call, scene, &options);
    double start_s = now_s();
    if (status == RW_OK)
        status = rw_preprocess(scene, &options, path);
    double seconds = now_s() - start_s;
    if (status == RW_OK)
        status = rw_database_read_info(call->context, path, &info);
    wipe_progress(call);
    if (status != RW_OK)
        return complain_status(call, status);
    if (call->settings.json || !call->settings.quiet)
        report_database(call, path, &info, seconds);
    return 0;
}

int command_preprocess(struct call *call)
{
    if (!call->settings.scene)
        return complain("preprocess needs a scene: --scene FILE, or --scene city:european:seed=1");
    if (!call->settings.out)
        return complain("preprocess needs a file to write: --out city.rwdb");
    rw_scene *scene = NULL;
    int exit_status = open_scene(call, call->settings.scene, &scene);
    if (!exit_status)
        exit_status = make(call, scene);
    rw_scene_destroy(scene);
    return exit_status;
}
