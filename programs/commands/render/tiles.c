/* render TILES.ply: values on tiles as a picture, from any side or from above, whole or cropped. */
#include "cli/cli.h"
#include "commands/render/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

int is_tile_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".ply") == 0;
}

/* "top", or "AZIMUTH,ELEVATION". */
int read_view_angles(struct call *call, double *azimuth_deg, double *elevation_deg)
{
    const struct render_settings *settings = call->settings;
    const char *string = settings->view;
    const rw_quantity angles[2] = {RW_QUANTITY_ANGLE_DEG, RW_QUANTITY_ANGLE_DEG};
    double values[2] = {180, 90}; /* from above, north up */
    if (strcmp(string, "top") != 0) {
        int count = read_quantities(call->context, string, angles, 2, values);
        if (count < 0)
            return report_error("--view: %s", rw_last_error(call->context));
        if (count != 2)
            return report_error("--view %s: expected top, or azimuth and elevation of the eye, such as 215,35", string);
    }
    *azimuth_deg = values[0];
    *elevation_deg = values[1];
    return 0;
}

static int read_crop_area(struct call *call, const char *string, rw_tile_write_options *options)
{
    const rw_quantity lengths[4] = {RW_QUANTITY_LENGTH_M, RW_QUANTITY_LENGTH_M, RW_QUANTITY_LENGTH_M,
                                    RW_QUANTITY_LENGTH_M};
    int count = read_quantities(call->context, string, lengths, 4, options->crop_m);
    if (count < 0)
        return report_error("--crop: %s", rw_last_error(call->context));
    if (count != 4 || !(options->crop_m[2] > options->crop_m[0]) || !(options->crop_m[3] > options->crop_m[1]))
        return report_error("--crop %s: expected west, south, east and north edge: X0,Y0,X1,Y1", string);
    return 0;
}

int render_tiles(struct call *call)
{
    const struct render_settings *settings = call->settings;
    rw_tile_write_options options;
    rw_tile_map *map = NULL;
    rw_tile_write_options_init(&options);
    options.layer = settings->layer;
    options.band = settings->transmitter > 0 ? (size_t)settings->transmitter - 1 : 0;
    options.value_min = settings->range[0];
    options.value_max = settings->range[1];
    if (settings->width_px)
        options.width_px = settings->width_px;
    if (settings->view)
        TRY(read_view_angles(call, &options.azimuth_deg, &options.elevation_deg));
    if (settings->crop)
        TRY(read_crop_area(call, settings->crop, &options));
    TRY_RW(call, rw_tile_map_read(call->context, call->input, &map));
    rw_status status = rw_tile_map_write(map, settings->out, &options);
    rw_tile_map_destroy(map);
    TRY_RW(call, status);
    report_one_file(call, settings->out);
    return 0;
}
