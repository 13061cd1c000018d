/* render --scene without a map: the scene in space as a picture. */
#include "commands/render/render.h"

static int draw_scene_picture(struct call *call, rw_scene **scene, rw_transmitter **sites)
{
    const struct render_settings *settings = call->settings;
    rw_scene_draw_options options;
    rw_scene_draw_options_init(&options);
    options.width_px = settings->width_px;
    options.transmitters = settings->sites.tx.items;
    options.transmitter_count = settings->sites.tx.count;
    if (settings->view)
        TRY(read_view_angles(call, &options.azimuth_deg, &options.elevation_deg));
    TRY(open_scene(call, &settings->scene, settings->scene.file, scene));
    if (settings->sites.file) {
        TRY_RW(call, rw_sites_load(call->context, settings->sites.file, sites, &options.transmitter_count));
        options.transmitters = *sites;
    }
    TRY_RW(call, rw_scene_draw(*scene, &options, settings->out));
    report_one_file(call, settings->out);
    return 0;
}

int render_scene(struct call *call)
{
    rw_scene *scene = NULL;
    rw_transmitter *sites = NULL;
    int exit_status = draw_scene_picture(call, &scene, &sites);
    rw_free(sites);
    rw_scene_destroy(scene);
    return exit_status;
}
