/* render: what its files share. */
#ifndef COMMANDS_RENDER_RENDER_H
#define COMMANDS_RENDER_RENDER_H

#include "command.h"

/* Options. */
struct render_settings {
    struct scene_options scene;
    struct site_options sites;
    struct measurement_options measurements;
    const char *antenna, *layer, *view, *crop, *out;
    struct point_list points;
    double range[2], freq_hz;
    int transmitter, width_px, georeferenced;
};

/* tiles.c: where the eye is, from --view. */
int read_view_angles(struct call *call, double *azimuth_deg, double *elevation_deg);

/* scene.c: a scene in space. */
int render_scene(struct call *call);

/* tiles.c: values on tiles, and whether a file has them, by its name. */
int is_tile_file(const char *path);
int render_tiles(struct call *call);

#endif
