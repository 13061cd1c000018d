/* render --scene without a map: the scene in space as a picture. */
#include "commands/render/render.h"

int render_scene(struct call *call)
{
    const struct settings *settings = &call->settings;
    rw_scene_draw_options options;
    rw_scene *scene = NULL;
    rw_transmitter *sites = NULL;
    size_t site_count = 0;
    rw_scene_draw_options_init(&options);
    options.width_px = settings->width_px;
    int exit_status = settings->view ? read_view_angles(call, &options.azimuth_deg, &options.elevation_deg) : 0;
    if (!exit_status)
        exit_status = open_scene(call, settings->scene, &scene);
    if (exit_status)
        return exit_status;
    rw_status status = settings->sites ? rw_sites_load(call->context, settings->sites, &sites, &site_count) : RW_OK;
    options.transmitters = sites ? sites : settings->transmitters;
    options.transmitter_count = sites ? site_count : settings->transmitter_count;
    if (status == RW_OK)
        status = rw_scene_draw(scene, &options, settings->out);
    rw_free(sites);
    rw_scene_destroy(scene);
    return status == RW_OK ? report_picture(call) : report_status(call, status);
}
