/* The cells of a layer as a picture that a GIS puts at its place: no frame, no legend, transparent where there is no
 * value, and a world file beside it. */
#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text/xml.h"
#include "ext/png.h"
#include "output/pictures/layer_style.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_WANTED_PX 1000 /* a map of few cells has several pixels a cell */
#define SIDE_MAX_PX 30000

static void fill_pixels(const rw_map *map, const float *values, const rw_layer_style *style, size_t scale,
                        uint8_t *rgba)
{
    size_t width = map->info.columns * scale, height = map->info.rows * scale;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            float value = values[(map->info.rows - 1 - y / scale) * map->info.columns + x / scale];
            uint8_t *pixel = rgba + 4 * (y * width + x);
            if (!isfinite(value))
                continue;
            rw_colour colour = rw_layer_style_colour(style, (double)value);
            pixel[0] = colour.red;
            pixel[1] = colour.green;
            pixel[2] = colour.blue;
            pixel[3] = 255;
        }
}

/* Size of a pixel, turns, and the centre of the upper left pixel. */
static rw_status write_world_file(const rw_map *map, size_t scale, const char *path)
{
    char file[4096], content[256];
    double pixel = map->info.res_m / (double)scale, top = map->info.y0_m + (double)map->info.rows * map->info.res_m;
    int length = snprintf(content, sizeof content, "%.17g\n0\n0\n%.17g\n%.17g\n%.17g\n", pixel, -pixel,
                          map->info.x0_m + 0.5 * pixel, top - 0.5 * pixel);
    snprintf(file, sizeof file, "%.*s.pgw", (int)strlen(path) - 4, path);
    return rw_write_file(map->context, file, content, (size_t)length);
}

static rw_status write_system(const rw_map *map, const char *path)
{
    char file[4096 + 16], *content = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&content, &size);
    if (!out)
        return rw_fail(map->context, RW_OUT_OF_MEMORY, "%s: no memory left to write it", path);
    fputs("<PAMDataset>\n  <SRS>", out);
    rw_xml_write_text(out, map->crs);
    fputs("</SRS>\n</PAMDataset>\n", out);
    fclose(out);
    snprintf(file, sizeof file, "%.4090s.aux.xml", path);
    rw_status status = rw_write_file(map->context, file, content, size);
    free(content);
    return status;
}

static rw_status write_picture(const rw_map *map, const float *values, const rw_layer_style *style, size_t scale,
                               const char *path)
{
    size_t width = map->info.columns * scale, height = map->info.rows * scale, size = 0;
    uint8_t *rgba;
    char *bytes = NULL;
    RW_TRY(rw_array_create(map->context, width * height, 4, "a picture", &rgba));
    fill_pixels(map, values, style, scale, rgba);
    rw_status status = rw_png_encode(map->context, (int)width, (int)height, 4, rgba, &bytes, &size);
    free(rgba);
    if (status == RW_OK)
        status = rw_write_file(map->context, path, bytes, size);
    free(bytes);
    return status;
}

rw_status rw_map_draw_georeferenced(const rw_map *map, const rw_map_draw_options *user_options, const char *path)
{
    rw_map_draw_options options;
    rw_layer_style style;
    size_t index = 0, cells = map->info.columns * map->info.rows;
    rw_map_draw_options_init(&options);
    if (user_options)
        RW_TRY(RW_RESOLVE(map->context, user_options, &options));
    if (strlen(path) < 5 || strcmp(path + strlen(path) - 4, ".png") != 0)
        return rw_fail(map->context, RW_BAD_CALL, "%s: a picture with a place is a .png file", path);
    if (map->info.has_plane)
        return rw_fail(map->context, RW_BAD_CALL, "a map on a plane in space has no place on the ground");
    if (options.layer)
        RW_TRY(rw_map_find_layer(map, options.layer, &index));
    if (index >= map->info.layers || options.band >= map->layers[index].bands)
        return rw_fail(map->context, RW_BAD_CALL, "the map has no such layer or band to draw");
    size_t longer = map->info.columns > map->info.rows ? map->info.columns : map->info.rows;
    if (longer > SIDE_MAX_PX)
        return rw_fail(map->context, RW_TOO_LARGE, "%s: %zu x %zu cells are too many for a picture", path,
                       map->info.columns, map->info.rows);
    size_t scale = longer < SIDE_WANTED_PX ? (SIDE_WANTED_PX + longer - 1) / longer : 1;
    const rw_layer_data *layer = &map->layers[index];
    RW_TRY(rw_layer_style_init(map, layer, options.band, options.value_min, options.value_max, &style));
    RW_TRY(write_picture(map, layer->values + options.band * cells, &style, scale, path));
    RW_TRY(write_world_file(map, scale, path));
    return map->crs[0] ? write_system(map, path) : RW_OK;
}
