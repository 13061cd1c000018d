#include "output/tiles/tiles.h"

#include "base/memory.h"
#include "base/options.h"
#include "discretise/prepared.h"
#include "ext/gdal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *rw_tile_kind_name(uint32_t kind)
{
    static const char *const names[RW_TILE_KINDS] = {
        [RW_TILE_WALL] = "wall", [RW_TILE_ROOF] = "roof", [RW_TILE_GROUND] = "ground", [RW_TILE_MESH] = "mesh"};
    return names[kind];
}

rw_status rw_tile_map_allocate(rw_tile_map *map)
{
    rw_context *context = map->context;
    RW_TRY(rw_array_create(context, map->count, sizeof *map->corners, "tiles", &map->corners));
    RW_TRY(rw_array_create(context, map->count, sizeof *map->normals, "tiles", &map->normals));
    RW_TRY(rw_array_create(context, map->count, sizeof *map->areas_m2, "tiles", &map->areas_m2));
    RW_TRY(rw_array_create(context, map->count, sizeof *map->kinds, "tiles", &map->kinds));
    RW_TRY(rw_array_create(context, map->count, sizeof *map->buildings, "tiles", &map->buildings));
    RW_TRY(rw_array_create(context, map->count, sizeof *map->materials, "tiles", &map->materials));
    return rw_array_create(context, map->name_count, sizeof *map->names, "materials", &map->names);
}

static rw_status copy_tiles_to_map(const rw_tiles *tiles, rw_tile_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        const rw_tile *tile = &tiles->view.tiles[i];
        const rw_tile_surface *surface = &tiles->view.surfaces[tile->surface];
        for (int corner = 0; corner < 4; corner++)
            map->corners[i][corner] = rw_tile_corner(tile, corner);
        map->normals[i] = tile->normal;
        map->areas_m2[i] = tile->area_m2;
        map->kinds[i] = (uint8_t)surface->kind;
        map->buildings[i] = surface->building;
        map->materials[i] = surface->material;
    }
    for (size_t i = 0; i < map->name_count; i++)
        RW_TRY(rw_string_replace(map->context, tiles->materials[i], &map->names[i]));
    return RW_OK;
}

rw_status rw_tile_map_create(const rw_scene *scene, const rw_tiles *tiles, const char *model, rw_tile_map **map)
{
    rw_context *context = scene->context;
    rw_tile_map *tile_map;
    *map = NULL;
    RW_TRY(rw_array_create(context, 1, sizeof *tile_map, "a map of tiles", &tile_map));
    tile_map->context = context;
    tile_map->count = tiles->view.tile_count;
    tile_map->name_count = tiles->material_count;
    tile_map->origin = rw_vec2_add(scene->origin, scene->prepared->grid.centre);
    rw_map_info info = {.size = sizeof info,
                        .columns = tile_map->count,
                        .rows = 1,
                        .res_m = sqrt(tiles->options.area_m2),
                        .model = model};
    rw_status status = rw_tile_map_allocate(tile_map);
    if (status == RW_OK)
        status = rw_map_create(context, &info, rw_scene_crs(scene), &tile_map->values);
    if (status == RW_OK)
        status = copy_tiles_to_map(tiles, tile_map);
    if (status != RW_OK) {
        rw_tile_map_destroy(tile_map);
        return status;
    }
    *map = tile_map;
    return RW_OK;
}

rw_status rw_tile_map_add_sources(rw_tile_map *map, size_t count)
{
    RW_TRY(rw_array_create(map->context, count, sizeof *map->sources, "transmitters", &map->sources));
    RW_TRY(rw_array_create(map->context, count, sizeof *map->freqs_hz, "transmitters", &map->freqs_hz));
    map->source_count = count;
    return RW_OK;
}

void rw_tile_map_destroy(rw_tile_map *map)
{
    if (!map)
        return;
    rw_map_destroy(map->values);
    free(map->corners);
    free(map->normals);
    free(map->areas_m2);
    free(map->kinds);
    free(map->buildings);
    free(map->materials);
    for (size_t i = 0; map->names && i < map->name_count; i++)
        free(map->names[i]);
    free(map->names);
    free(map->sources);
    free(map->freqs_hz);
    free(map);
}

const rw_map *rw_tile_map_values(const rw_tile_map *map)
{
    return map->values;
}

rw_status rw_tile_map_get_tile(const rw_tile_map *map, size_t tile, rw_tile_info *info)
{
    if (tile >= map->count)
        return rw_fail(map->context, RW_BAD_CALL, "there are %zu tiles, none has number %zu", map->count, tile);
    rw_tile_info tile_info = {.kind = rw_tile_kind_name(map->kinds[tile]),
                              .material = map->names[map->materials[tile]],
                              .building = map->buildings[tile],
                              .area_m2 = (double)map->areas_m2[tile]};
    for (int i = 0; i < 4; i++) {
        tile_info.corners_m[i][0] = map->corners[tile][i].x + map->origin.x;
        tile_info.corners_m[i][1] = map->corners[tile][i].y + map->origin.y;
        tile_info.corners_m[i][2] = map->corners[tile][i].z;
    }
    return RW_ASSIGN(map->context, &tile_info, info);
}

rw_colour rw_tile_colour(const rw_tile_view *view, size_t tile)
{
    float value = view->layer->values[view->options.band * view->map->count + tile];
    if (isnan(value))
        return rw_colour_nodata;
    return isfinite(value) ? rw_layer_style_colour(&view->style, (double)value) : rw_colour_no_path;
}

void rw_tile_write_options_init_sized(rw_tile_write_options *options, size_t size)
{
    const rw_tile_write_options own = {
        .azimuth_deg = 215, .elevation_deg = 35, .width_px = 1400, .crop_m = {NAN, NAN, NAN, NAN}};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status choose_layer(const rw_tile_map *map, rw_tile_view *view)
{
    const rw_map *values = map->values;
    const rw_tile_write_options *options = &view->options;
    size_t index = 0;
    if (values->info.layers == 0)
        return rw_fail(map->context, RW_BAD_CALL, "the tiles have no layer at all");
    if (options->layer)
        RW_TRY(rw_map_find_layer(values, options->layer, &index));
    view->layer = &values->layers[index];
    if (options->band >= view->layer->bands)
        return rw_fail(map->context, RW_BAD_CALL, "layer %s has %zu band%s, there is no number %zu", view->layer->name,
                       view->layer->bands, view->layer->bands == 1 ? "" : "s", options->band + 1);
    return rw_layer_style_init(values, view->layer, options->band, options->value_min, options->value_max,
                               &view->style);
}

typedef struct tile_writer {
    const char *end;
    rw_status (*write)(const rw_tile_view *view, const char *path);
    int needs_gdal;
} tile_writer;

static const tile_writer writers[] = {{".gpkg", rw_tile_write_vector, 1}, {".geojson", rw_tile_write_vector, 1},
                                      {".ply", rw_tile_write_ply, 0},     {".glb", rw_tile_write_gltf, 0},
                                      {".tif", rw_tile_write_raster, 1},  {".bin", rw_tile_write_raster, 0},
                                      {".png", rw_tile_write_picture, 0}};

static rw_status find_writer(rw_context *context, const char *path, const tile_writer **writer)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof writers / sizeof *writers; i++) {
        *writer = &writers[i];
        if (strcasecmp(dot, writers[i].end) == 0)
            return RW_OK;
    }
    return rw_fail(context, RW_BAD_CALL, "%s: tiles are written as .gpkg, .geojson, .ply, .glb, .tif, .bin or .png",
                   path);
}

rw_status rw_tile_map_check_name(rw_context *context, const char *path)
{
    const tile_writer *writer;
    RW_TRY(find_writer(context, path, &writer));
    if (!writer->needs_gdal || rw_gdal_is_in())
        return RW_OK;
    return rw_fail(context, RW_UNSUPPORTED,
                   "%s: %s files need GDAL, which this build does not have; use .ply, .glb, .bin or .png", path,
                   writer->end);
}

rw_status rw_tile_map_write(const rw_tile_map *map, const char *path, const rw_tile_write_options *user_options)
{
    rw_tile_view view = {.map = map};
    const tile_writer *writer;
    rw_tile_write_options_init(&view.options);
    if (user_options)
        RW_TRY(RW_RESOLVE(map->context, user_options, &view.options));
    RW_TRY(choose_layer(map, &view));
    RW_TRY(find_writer(map->context, path, &writer));
    return writer->write(&view, path);
}
