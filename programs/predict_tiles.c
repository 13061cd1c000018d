/* predict --tiles: values on walls, roofs and ground, as a file for a GIS or a 3-D viewer. */
#include "predict.h"

#include <string.h>

int check_names(struct call *call)
{
    const struct settings *settings = &call->settings;
    if (settings->rays && strcmp(model_of(call), "tiles") != 0)
        return complain("--rays are those of --model tiles; others have paths: rasterwave paths");
    rw_status status = settings->tiles ? rw_tile_map_check_name(call->context, settings->tiles) : RW_OK;
    if (status != RW_OK)
        return complain_status(call, status);
    int exit_status = check_file_place("tiles", settings->tiles);
    if (!exit_status)
        exit_status = check_file_place("rays", settings->rays);
    if (!exit_status)
        exit_status = check_file_place("beam-outlines", settings->beam_outlines);
    return exit_status ? exit_status : check_file_place("reuse", asked_text(call, "reuse"));
}

int write_beams(struct call *call, const struct prediction *prediction)
{
    if (!call->settings.beam_outlines)
        return 0;
    rw_status status =
        rw_write_beams(prediction->request.scene, &prediction->request.options, call->settings.beam_outlines);
    return status == RW_OK ? 0 : complain_status(call, status);
}

int write_rays(struct call *call, const struct prediction *prediction)
{
    if (!call->settings.rays)
        return 0;
    rw_status status = rw_write_rays(prediction->request.scene, &prediction->request.options, call->settings.rays);
    return status == RW_OK ? 0 : complain_status(call, status);
}

int write_tiles(struct call *call, const struct prediction *prediction)
{
    if (!prediction->tiles)
        return 0;
    rw_status status = rw_tile_map_write(prediction->tiles, call->settings.tiles, NULL);
    return status == RW_OK ? 0 : complain_status(call, status);
}
