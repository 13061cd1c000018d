/* One door for map files: GeoTIFF where GDAL is in, ENVI where not; reading goes by content. */
#include "ext/gdal.h"
#include "ext/gdal_rasters.h"

#include "base/file.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

rw_status rw_map_write_layer(const rw_map *map, size_t layer, const char *directory, char *written, size_t path_size)
{
    rw_context *context = map->context;
    if (layer >= map->info.layers)
        return rw_fail(context, RW_BAD_CALL, "the map has %zu layers, there is no number %zu", map->info.layers, layer);
    const rw_layer_data *data = &map->layers[layer];
    const char *extension = rw_gdal_is_in() ? "tif" : "bin";
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s.%s", directory, data->name, extension);
    if (length < 0 || (size_t)length >= sizeof path || (written && (size_t)length >= path_size))
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", directory);
    RW_TRY(rw_folder_create(context, directory));
    RW_TRY(rw_gdal_is_in() ? rw_gdal_write_layer(map, data, path) : rw_envi_write_layer(map, data, path));
    if (written)
        strcpy(written, path);
    return RW_OK;
}

rw_status rw_map_write_cog(const rw_map *map, const rw_layer_data *layer, const char *path, int centi)
{
    return rw_gdal_is_in() ? rw_gdal_write_cog(map, layer, path, centi) : rw_envi_write_layer(map, layer, path);
}

rw_status rw_map_write_file(const rw_map *map, size_t layer, const char *path)
{
    const char *dot = strrchr(path, '.');
    int tiff = dot && (strcasecmp(dot, ".tif") == 0 || strcasecmp(dot, ".tiff") == 0);
    if (layer >= map->info.layers)
        return rw_fail(map->context, RW_BAD_CALL, "the map has %zu layers, there is no number %zu", map->info.layers,
                       layer);
    if (!tiff && !(dot && strcasecmp(dot, ".bin") == 0))
        return rw_fail(map->context, RW_BAD_CALL, "%s: maps are written as NAME.tif or NAME.bin", path);
    return tiff ? rw_gdal_write_layer(map, &map->layers[layer], path)
                : rw_envi_write_layer(map, &map->layers[layer], path);
}

/* Whether the file is an ENVI header or has one beside it. */
static int is_envi(const char *path, const char *start)
{
    char header[4096];
    const char *dot = strrchr(path, '.');
    if (strncmp(start, "ENVI", 4) == 0)
        return 1;
    if (!dot || strcmp(dot, ".bin") != 0 || strlen(path) >= sizeof header)
        return 0;
    strcpy(header, path);
    strcpy(header + (dot - path), ".hdr");
    return access(header, R_OK) == 0;
}

rw_status rw_map_read(rw_context *context, const char *path, rw_map **map)
{
    char start[8] = {0};
    size_t got;
    *map = NULL;
    RW_TRY(rw_file_peek(context, path, start, sizeof start - 1, &got));
    if (got == 0)
        return rw_fail(context, RW_BAD_INPUT, "%s is empty; make it again or give another file", path);
    if (is_envi(path, start))
        return rw_envi_read_map(context, path, map);
    if (rw_gdal_is_in())
        return rw_gdal_read_map(context, path, map);
    return rw_fail(context, RW_UNSUPPORTED, "%s is no ENVI raster, and this build has no GDAL to read other maps",
                   path);
}

rw_status rw_raster_to_crs(rw_context *context, const char *path, const char *crs)
{
    return rw_gdal_raster_to_crs(context, path, crs);
}
