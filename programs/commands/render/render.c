/* render: a layer of a map file to a picture. */
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
    const struct render_settings *settings = call->settings;
    TRY(load_measurements(call, &settings->measurements, rw_map_crs(map), &measurements));
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

/* What the command opens. */
struct rendering {
    rw_map *map;
    rw_scene *scene;
    rw_transmitter *sites; /* of a file */
    size_t site_count;
    double *marks;
    size_t mark_count;
    struct map_choice choice;
};

static int load_rendering(struct call *call, struct rendering *of)
{
    struct render_settings *settings = call->settings;
    char path[MAP_PATH_SIZE];
    TRY(find_map_file(call->input, settings->layer, path));
    TRY_RW(call, rw_map_read(call->context, path, &of->map));
    TRY(choose_transmitter_of_map(call, of->map, settings->transmitter, &of->choice));
    const char *crs = rw_map_crs(of->map);
    if (settings->sites.file)
        TRY(load_sites(call, &settings->sites, crs, &of->sites, &of->site_count));
    else
        TRY(finish_transmitters(call, &settings->sites, crs));
    if (settings->scene.file)
        TRY(open_scene(call, &settings->scene, settings->scene.file, &of->scene));
    for (size_t i = 0; i < settings->sites.tx.count && !isnan(settings->freq_hz); i++)
        settings->sites.tx.items[i].freq_hz = settings->freq_hz;
    if (settings->measurements.file)
        TRY(load_marks(call, of->map, &of->marks, &of->mark_count));
    return 0;
}

static int draw_map(struct call *call, struct rendering *of)
{
    const struct render_settings *settings = call->settings;
    rw_map_draw_options options;
    TRY(load_rendering(call, of));
    rw_map_draw_options_init(&options);
    options.layer = settings->layer;
    options.band = of->choice.band;
    options.scene = of->scene;
    options.transmitters = of->sites ? of->sites : settings->sites.tx.items;
    options.transmitter_count = of->sites ? of->site_count : settings->sites.tx.count;
    options.value_min = settings->range[0];
    options.value_max = settings->range[1];
    options.width_px = settings->width_px;
    options.marks_m = of->marks;
    options.mark_count = of->mark_count;
    TRY_RW(call, settings->georeferenced ? rw_map_draw_georeferenced(of->map, &options, settings->out)
                                         : rw_map_draw(of->map, &options, settings->out));
    report_file_of_map(call, settings->out, &of->choice);
    return 0;
}

static int render_map(struct call *call)
{
    struct rendering of = {0};
    int exit_status = draw_map(call, &of);
    free(of.marks);
    rw_free(of.sites);
    rw_scene_destroy(of.scene);
    rw_map_destroy(of.map);
    return exit_status;
}

/* The histogram of delays at a point. */
static int render_delays(struct call *call)
{
    const struct render_settings *settings = call->settings;
    rw_delay_profile profile;
    TRY(read_delay_profile(call, call->input, &settings->points, settings->scene.crs, settings->transmitter, &profile));
    rw_status status = rw_delay_profile_draw(call->context, &profile, settings->out);
    rw_free(profile.power);
    TRY_RW(call, status);
    if (!call->json)
        report_one_file(call, settings->out);
    return 0;
}

static int render_antenna(struct call *call)
{
    const struct render_settings *settings = call->settings;
    rw_antenna *antenna;
    TRY_RW(call, rw_antenna_create(call->context, settings->antenna, &antenna));
    rw_status status = rw_antenna_draw(call->context, antenna, settings->out);
    rw_antenna_destroy(antenna);
    TRY_RW(call, status);
    report_one_file(call, settings->out);
    return 0;
}

static int run_render(struct call *call)
{
    const struct render_settings *settings = call->settings;
    if ((!call->input && !settings->scene.file && !settings->antenna) || !settings->out)
        return report_error(
            "render needs a map and a file to write: rasterwave render MAP --out FILE.png; or --scene or "
            "--antenna alone");
    if (settings->antenna && call->input)
        return report_error("--antenna draws the pattern of an antenna: leave %s out", call->input);
    TRY(check_transmitter_number(settings->transmitter));
    TRY(check_picture_name("out", settings->out));
    TRY(check_output_file("out", settings->out));
    TRY(check_scene_is_named(&settings->scene));
    if (settings->antenna)
        return render_antenna(call);
    if (!call->input)
        return render_scene(call);
    if (settings->points.count)
        return render_delays(call);
    if (is_tile_file(call->input))
        return render_tiles(call);
    if (settings->view || settings->crop)
        return report_error("--view and --crop are of values on tiles: rasterwave render TILES.ply");
    return render_map(call);
}

#define AT(member) offsetof(struct render_settings, member)
static const struct command_option render_options[] = {{"layer", AT(layer)},
                                                       {"transmitter", AT(transmitter)},
                                                       {"range", AT(range)},
                                                       {"width", AT(width_px)},
                                                       {"view", AT(view)},
                                                       {"crop", AT(crop)},
                                                       {"scene", AT(scene.file)},
                                                       {"antenna", AT(antenna)},
                                                       {"terrain", AT(scene.terrain)},
                                                       {"crs", AT(scene.crs)},
                                                       {"tx", AT(sites.tx)},
                                                       {"sites", AT(sites.file)},
                                                       {"georeferenced", AT(georeferenced)},
                                                       {"measurements", AT(measurements.file)},
                                                       {"columns", AT(measurements.columns)},
                                                       {"at", AT(points)},
                                                       {"freq", AT(freq_hz)},
                                                       {"out", AT(out)},
                                                       {"json", OF_CALL},
                                                       {"quiet", OF_CALL},
                                                       {"allow-outside", OF_CALL},
                                                       {"time-stamp", OF_CALL},
                                                       {"+predict", OF_CALL},
                                                       {"height-field", AT(scene.height_field)},
                                                       {"height-unit", AT(scene.height_unit)},
                                                       {"points-crs", OF_CALL},
                                                       {"skip-bad", AT(sites.skip_bad)},
                                                       {NULL, 0}};
#undef AT

static const struct render_settings render_defaults = {
    .measurements.tx_power_dbm = NAN, .transmitter = -1, .freq_hz = NAN};

const struct command render_command = {
    .name = "render",
    .summary = "picture (PNG) of a map, a folder's --layer, tiles.ply, delays, --scene, --antenna",
    .input = "MAP",
    .is_served = 1,
    .default_out = "map.png",
    .options = render_options,
    .settings_size = sizeof(struct render_settings),
    .defaults = &render_defaults,
    .examples = {"rasterwave predict --scene city:grid:size=600m,600m --tx 300,300,10 --out out/grid",
                 "rasterwave render out/grid --layer path_loss --range 60,120 --out path_loss.png"},
    .run = run_render};
