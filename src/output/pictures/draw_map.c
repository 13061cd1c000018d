/* A layer of a map as a PNG picture: title, map with buildings and transmitters, legend, scale bar. */
#include "output/pictures/picture.h"

#include "base/options.h"
#include "output/maps/map.h"
#include "scene/antennas/site.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LONG_SIDE_MIN_PX 900  /* of the map part, where cells can be made larger */
#define LONG_SIDE_MAX_PX 2400 /* cells are left out where there are more */
#define LEGEND_HEIGHT_MIN 420

const rw_colour rw_colour_text = {32, 34, 40};
const rw_colour rw_colour_quiet = {110, 114, 124};
const rw_colour rw_colour_paper = {255, 255, 255};

void rw_map_draw_options_init_sized(rw_map_draw_options *options, size_t size)
{
    const rw_map_draw_options own = {0};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status find_drawn_layer(const rw_map *map, const char *name, const rw_layer_data **layer)
{
    size_t index = 0;
    if (map->info.layers == 0)
        return rw_fail(map->context, RW_BAD_CALL, "the map has no layer to draw");
    if (name)
        RW_TRY(rw_map_find_layer(map, name, &index));
    *layer = &map->layers[index];
    return RW_OK;
}

static rw_status check_map_drawing(const rw_map *map, const rw_map_draw_options *options, const rw_layer_data *layer)
{
    if (options->band >= layer->bands)
        return rw_fail(map->context, RW_BAD_CALL, "layer %s has %zu band%s, there is no number %zu", layer->name,
                       layer->bands, layer->bands == 1 ? "" : "s", options->band + 1);
    if (map->info.columns < 1 || map->info.rows < 1)
        return rw_fail(map->context, RW_BAD_CALL, "the map has no cells to draw");
    if (options->width_px < 0 || options->width_px > 20000)
        return rw_fail(map->context, RW_BAD_CALL, "a map %d pixels wide is not possible; 1 to 20000",
                       options->width_px);
    return RW_OK;
}

/* Whole pixels to a cell, or whole cells to a pixel, unless the caller wants a width. */
static double choose_scale(const rw_map_info *info, int width_px)
{
    double longer = (double)(info->columns > info->rows ? info->columns : info->rows);
    if (width_px > 0)
        return width_px / (double)info->columns;
    if (longer > LONG_SIDE_MAX_PX)
        return 1 / ceil(longer / LONG_SIDE_MAX_PX);
    return ceil(LONG_SIDE_MIN_PX / longer);
}

/* A side in whole pixels. One that no picture can have stays so, and is refused by the canvas. */
static int to_pixels(double side)
{
    return (int)fmin(1e6, fmax(1, floor(side)));
}

static rw_status lay_out_picture(rw_picture *picture, const rw_map_draw_options *options)
{
    const rw_map_info *info = &picture->map->info;
    picture->pixels_per_cell = choose_scale(info, options->width_px);
    int width = to_pixels((double)info->columns * picture->pixels_per_cell);
    int height = to_pixels((double)info->rows * picture->pixels_per_cell);
    double unit = fmin(2, fmax(1, (width > height ? width : height) / 1000.0));
    picture->unit_px = unit;
    int margin = (int)(28 * unit), head = (int)(84 * unit), foot = (int)(52 * unit);
    int legend = (int)(rw_picture_legend_width_px(picture) + 28 * unit);
    int middle = height > LEGEND_HEIGHT_MIN * unit ? height : (int)(LEGEND_HEIGHT_MIN * unit);
    RW_TRY(rw_canvas_create(picture->map->context, margin + width + legend + margin, head + middle + foot,
                            rw_colour_paper, &picture->canvas));
    picture->map_box = (rw_box_px){margin, head, margin + width, head + height};
    return RW_OK;
}

static void describe_map(const rw_picture *picture, const rw_map_draw_options *options, char *string, size_t size)
{
    const rw_map *map = picture->map;
    const char *dot = " \xc2\xb7 ";
    size_t levels = picture->layer->levels, number = picture->band / (levels ? levels : 1);
    const rw_transmitter *transmitter = number < options->transmitter_count ? &options->transmitters[number] : NULL;
    int single = picture->layer->bands > 1 || (options->transmitter_count <= 1 && map->band_count <= 1);
    const char *name = !single ? "" : transmitter ? transmitter->name : "";
    if (single && !name[0] && number < map->band_count)
        name = map->band_names[number];
    size_t used = 0;
    string[0] = 0;
#define ADD(condition, ...)                                                                                            \
    if ((condition) && used < size) {                                                                                  \
        if (used)                                                                                                      \
            used += (size_t)snprintf(string + used, size - used, "%s", dot);                                           \
        if (used < size)                                                                                               \
            used += (size_t)snprintf(string + used, size - used, __VA_ARGS__);                                         \
    }
    ADD(map->info.model[0], "model %s", map->info.model)
    ADD(name[0], "%s%s", rw_transmitter_prefix(name), name)
    ADD(levels, "level %g m",
        picture->layer->first_level_m + (double)(picture->band % (levels ? levels : 1)) * picture->layer->level_step_m)
    ADD(transmitter && transmitter->freq_hz >= 1e9, "%.4g GHz", transmitter->freq_hz / 1e9)
    ADD(transmitter && transmitter->freq_hz > 0 && transmitter->freq_hz < 1e9, "%.4g MHz", transmitter->freq_hz / 1e6)
#undef ADD
}

/* Where a plane begins and which way its sides go. */
static void describe_plane(const rw_map_info *info, char *string, size_t size)
{
    rw_plane plane = rw_plane_of(info->plane_m);
    snprintf(string, size,
             "cells of %.3g m, plane from %.4g, %.4g, %.4g m: right (%.3g, %.3g, %.3g), up (%.3g, %.3g, %.3g)",
             info->res_m, plane.corner.x, plane.corner.y, plane.corner.z, plane.along_u.x, plane.along_u.y,
             plane.along_u.z, plane.along_v.x, plane.along_v.y, plane.along_v.z);
}

static void draw_head_and_foot(rw_picture *picture, const rw_map_draw_options *options)
{
    double unit = picture->unit_px, left = picture->map_box.x0;
    rw_text_style title = {.size_px = 16 * unit, .weight = 1.35, .colour = rw_colour_text};
    rw_canvas_text(&picture->canvas, rw_vec2_of(left, 42 * unit), &title, picture->style.title);
    char string[512];
    describe_map(picture, options, string, sizeof string);
    rw_text_style quiet = {.size_px = 9.5 * unit, .weight = 1.1, .colour = rw_colour_quiet};
    rw_canvas_text(&picture->canvas, rw_vec2_of(left, 68 * unit), &quiet, string);

    const rw_map_info *info = &picture->map->info;
    double below = picture->map_box.y1 + 18 * unit;
    rw_picture_draw_scale_bar(picture, left, below);
    snprintf(string, sizeof string, info->in_degrees ? "cells of %.4g arc seconds" : "cells of %g m",
             info->in_degrees ? 3600 * info->res_m : info->res_m);
    if (isfinite(info->rx_height_m) && info->rx_height_m > 0)
        snprintf(string, sizeof string, "cells of %g m, receivers at %g m", info->res_m, info->rx_height_m);
    if (info->has_plane)
        describe_plane(info, string, sizeof string);
    quiet.size_px = 9 * unit;
    quiet.align = RW_TEXT_RIGHT;
    if (picture->map_box.x1 - left > 520 * unit)
        rw_canvas_text(&picture->canvas, rw_vec2_of(picture->map_box.x1, below + 7 * unit), &quiet, string);
}

static rw_status draw_map_picture(rw_picture *picture, const rw_map_draw_options *options)
{
    double unit = picture->unit_px;
    RW_TRY(rw_picture_draw_cells(picture));
    if (options->scene)
        RW_TRY(rw_picture_draw_buildings(picture, options->scene));
    if (options->marks_m)
        rw_picture_draw_marks(picture, options->marks_m, options->mark_count);
    int one_band = picture->layer->bands > 1 && picture->band < options->transmitter_count;
    const rw_transmitter *first = one_band ? options->transmitters + picture->band : options->transmitters;
    rw_picture_draw_transmitters(picture, first, one_band ? 1 : options->transmitter_count);
    rw_canvas_frame(&picture->canvas, picture->map_box, 1, rw_colour_quiet);
    draw_head_and_foot(picture, options);
    rw_box_px legend = {picture->map_box.x1 + (int)(24 * unit), picture->map_box.y0, picture->canvas.width,
                        picture->canvas.height - (int)(52 * unit)};
    rw_picture_draw_legend(picture, legend);
    return RW_OK;
}

static rw_status draw_map_file(const rw_map *map, const rw_map_draw_options *options, const char *path)
{
    rw_picture picture = {.map = map, .band = options->band};
    RW_TRY(find_drawn_layer(map, options->layer, &picture.layer));
    RW_TRY(check_map_drawing(map, options, picture.layer));
    RW_TRY(
        rw_layer_style_init(map, picture.layer, options->band, options->value_min, options->value_max, &picture.style));
    RW_TRY(lay_out_picture(&picture, options));
    rw_status status = draw_map_picture(&picture, options);
    if (status == RW_OK)
        status = rw_canvas_write(&picture.canvas, path);
    rw_canvas_free(&picture.canvas);
    return status;
}

rw_status rw_map_draw(const rw_map *map, const rw_map_draw_options *options, const char *path)
{
    rw_map_draw_options chosen;
    rw_transmitter *transmitter_buffer;
    rw_map_draw_options_init(&chosen);
    if (options)
        RW_TRY(RW_RESOLVE(map->context, options, &chosen));
    if (!chosen.transmitters)
        chosen.transmitter_count = 0;
    RW_TRY(rw_transmitters_resolve(map->context, chosen.transmitters, chosen.transmitter_count, &chosen.transmitters,
                                   &transmitter_buffer));
    rw_status status = draw_map_file(map, &chosen, path);
    free(transmitter_buffer);
    return status;
}
