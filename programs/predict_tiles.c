/* predict --tiles: values on walls, roofs and ground, as a file for a GIS or a 3-D viewer. */
#include "predict.h"

int check_names(struct call *call)
{
    const struct settings *settings = &call->settings;
    rw_status status = settings->tiles ? rw_tile_map_check_name(call->context, settings->tiles) : RW_OK;
    if (status != RW_OK)
        return complain_status(call, status);
    int exit_status = check_file_folder("tiles", settings->tiles);
    return exit_status ? exit_status : check_file_folder("reuse", settings->reuse);
}

int write_tiles(struct call *call, const struct prediction *prediction)
{
    rw_tile_map *map;
    if (!call->settings.tiles)
        return 0;
    rw_status status = rw_predict_tiles(prediction->request.scene, &prediction->request.options, &map);
    wipe_progress(call);
    if (status == RW_OK)
        status = rw_tile_map_write(map, call->settings.tiles, NULL);
    if (status != RW_OK)
        complain_status(call, status);
    rw_tile_map_destroy(map);
    return status == RW_OK ? 0 : rw_status_exit_code(status);
}
