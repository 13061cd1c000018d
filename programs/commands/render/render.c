/* render: a layer of a map file to a picture. */
#include "report/json.h"

#include "commands/render/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The places of measurements, x and y of each, to be marked on a map; *marks is to be freed. Returns the exit status.
 */
static int load_marks(struct call *call, const rw_map *map, double **marks, size_t *count)
{
    rw_measurements *measurements = NULL;
    rw_measurements_info info = {.size = sizeof info};
    int exit_status = load_measurements(call, rw_map_crs(map), &measurements);
    if (exit_status)
        return exit_status;
    rw_measurements_get_info(measurements, &info);
    *marks = calloc(info.samples ? 2 * info.samples : 1, sizeof **marks);
    for (size_t i = 0; *marks && i < info.samples; i++) {
        rw_measurement at = {.size = sizeof at};
        if (rw_measurements_get(measurements, i, &at) != RW_OK)
            break;
        (*marks)[2 * i] = at.x_m;
        (*marks)[2 * i + 1] = at.y_m;
        *count = i + 1;
    }
    rw_measurements_destroy(measurements);
    return *marks ? 0 : report_out_of_memory("the measurements");
}

static int render_map_picture(struct call *call, const rw_map *map, const rw_scene *scene,
                              const rw_transmitter *transmitters, size_t count, const double *marks, size_t mark_count)
{
    const struct settings *settings = &call->settings;
    rw_map_draw_options options;
    rw_map_draw_options_init(&options);
    options.layer = settings->layer;
    options.band = (size_t)settings->band - 1;
    options.scene = scene;
    options.transmitters = transmitters;
    options.transmitter_count = count;
    options.value_min = settings->range[0];
    options.value_max = settings->range[1];
    options.width_px = settings->width_px;
    options.marks_m = marks;
    options.mark_count = mark_count;
    rw_status status = settings->georeferenced ? rw_map_draw_georeferenced(map, &options, settings->out)
                                               : rw_map_draw(map, &options, settings->out);
    return status == RW_OK ? report_picture(call) : report_status(call, status);
}

int report_picture(const struct call *call)
{
    const struct settings *settings = &call->settings;
    if (settings->json) {
        struct json json;
        json_begin(&json, stdout);
        json_string(&json, "file", settings->out);
        json_string(&json, "version", rw_version());
        json_end(&json);
    } else if (!settings->quiet) {
        puts(settings->out);
    }
    return 0;
}

int command_render(struct call *call)
{
    struct settings *settings = &call->settings;
    if ((!settings->input && !settings->scene) || !settings->out)
        return report_error(
            "render needs a map and a file to write: rasterwave render MAP --out FILE.png; or --scene alone");
    if (settings->band < 1)
        return report_error("--band %d: bands are counted from 1", settings->band);
    rw_map *map = NULL;
    rw_scene *scene = NULL;
    rw_transmitter *sites = NULL;
    size_t site_count = 0;
    char path[MAP_PATH_SIZE];
    int exit_status = check_picture_name("out", settings->out);
    if (!exit_status)
        exit_status = check_output_file("out", settings->out);
    if (!exit_status && !settings->input)
        return render_scene(call);
    if (!exit_status && settings->point_count)
        return render_delays(call);
    if (!exit_status && is_tile_file(settings->input))
        return render_tiles(call);
    if (!exit_status && (settings->view || settings->crop))
        exit_status = report_error("--view and --crop are of values on tiles: rasterwave render TILES.ply");
    if (!exit_status)
        exit_status = find_map_file(settings->input, settings->layer, path);
    if (exit_status)
        return exit_status;
    rw_status status = rw_map_read(call->context, path, &map);
    exit_status = status == RW_OK ? 0 : report_status(call, status);
    if (!exit_status && settings->sites)
        exit_status = load_sites(call, rw_map_crs(map), &sites, &site_count);
    else if (!exit_status)
        exit_status = finish_transmitters(call, rw_map_crs(map));
    if (!exit_status && settings->scene)
        exit_status = open_scene(call, settings->scene, &scene);
    for (size_t i = 0; i < settings->transmitter_count && !isnan(settings->freq_hz); i++)
        settings->transmitters[i].freq_hz = settings->freq_hz;
    double *marks = NULL;
    size_t mark_count = 0;
    if (!exit_status && settings->measurements)
        exit_status = load_marks(call, map, &marks, &mark_count);
    if (!exit_status)
        exit_status = render_map_picture(call, map, scene, sites ? sites : settings->transmitters,
                                         sites ? site_count : settings->transmitter_count, marks, mark_count);
    free(marks);
    rw_free(sites);
    rw_scene_destroy(scene);
    rw_map_destroy(map);
    return exit_status;
}
