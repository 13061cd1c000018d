/* The tiles of the ground as a raster: a cell has the value of the tile that its centre is on. */
#include "base/memory.h"
#include "ext/gdal_rasters.h"
#include "output/tiles/tiles.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct ground_box {
    double west, south, east, north, min_m; /* side of the smallest tile */
} ground_box;

/* Whether one of the corners of a tile lies between its neighbours: the middle of a triangle's side. */
static int is_triangle(const rw_vec3 corners[4])
{
    rw_vec3 middle = rw_vec3_scale(rw_vec3_add(corners[1], corners[3]), 0.5);
    double side_m = rw_vec3_length(rw_vec3_sub(corners[1], corners[3]));
    return rw_vec3_length(rw_vec3_sub(middle, corners[0])) < 1e-3 * side_m ||
           rw_vec3_length(rw_vec3_sub(middle, corners[2])) < 1e-3 * side_m;
}

static void tile_box(const rw_tile_map *map, size_t tile, ground_box *box)
{
    const rw_vec3 *corners = map->corners[tile];
    *box = (ground_box){INFINITY, INFINITY, -INFINITY, -INFINITY, INFINITY};
    for (int i = 0; i < 4; i++) {
        box->west = fmin(box->west, corners[i].x);
        box->east = fmax(box->east, corners[i].x);
        box->south = fmin(box->south, corners[i].y);
        box->north = fmax(box->north, corners[i].y);
    }
    box->min_m = (is_triangle(corners) ? 0.5 : 1) * fmin(box->east - box->west, box->north - box->south);
}

/* Whether a place of a tile's box is on the tile, which runs counter-clockwise as seen from above. */
static int is_point_on_tile(const rw_tile_map *map, size_t tile, double x, double y)
{
    const rw_vec3 *corners = map->corners[tile];
    for (int i = 0; i < 4 && is_triangle(corners); i++) {
        rw_vec3 from = corners[i], to = corners[(i + 1) % 4];
        if ((to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x) < -1e-9)
            return 0;
    }
    return 1;
}

static ground_box find_extent(const rw_tile_map *map)
{
    ground_box all = {INFINITY, INFINITY, -INFINITY, -INFINITY, INFINITY}, one;
    for (size_t i = 0; i < map->count; i++) {
        if (map->kinds[i] != RW_TILE_GROUND)
            continue;
        tile_box(map, i, &one);
        all.west = fmin(all.west, one.west);
        all.south = fmin(all.south, one.south);
        all.east = fmax(all.east, one.east);
        all.north = fmax(all.north, one.north);
        all.min_m = fmin(all.min_m, one.min_m);
    }
    return all;
}

/* Cells whose centre is from low to high, as a range of numbers. */
static void cells_between(double low, double high, double start, double res_m, size_t count, size_t *first, size_t *end)
{
    double a = ceil((low - start) / res_m - 0.5), b = ceil((high - start) / res_m - 0.5);
    *first = a <= 0 ? 0 : a >= (double)count ? count : (size_t)a;
    *end = b <= 0 ? 0 : b >= (double)count ? count : (size_t)b;
}

static void rasterise_tiles(const rw_tile_view *view, const ground_box *extent, const rw_map_info *info, size_t band,
                            float *values)
{
    const rw_tile_map *map = view->map;
    for (size_t i = 0; i < map->count; i++) {
        ground_box box;
        size_t c0, c1, r0, r1;
        if (map->kinds[i] != RW_TILE_GROUND)
            continue;
        tile_box(map, i, &box);
        cells_between(box.west, box.east, extent->west, info->res_m, info->columns, &c0, &c1);
        cells_between(box.south, box.north, extent->south, info->res_m, info->rows, &r0, &r1);
        for (size_t row = r0; row < r1; row++)
            for (size_t column = c0; column < c1; column++)
                if (is_point_on_tile(map, i, extent->west + ((double)column + 0.5) * info->res_m,
                                     extent->south + ((double)row + 0.5) * info->res_m))
                    values[row * info->columns + column] = view->layer->values[band * map->count + i];
    }
}

rw_status rw_tile_write_raster(const rw_tile_view *view, const char *path)
{
    const rw_tile_map *map = view->map;
    rw_context *context = map->context;
    ground_box extent = find_extent(map);
    if (!(extent.east > extent.west))
        return rw_fail(context, RW_BAD_CALL, "%s: no tile is on the ground", path);
    rw_map_info info = {.size = sizeof info, .res_m = extent.min_m};
    info.columns = (size_t)ceil((extent.east - extent.west) / info.res_m - 1e-3);
    info.rows = (size_t)ceil((extent.north - extent.south) / info.res_m - 1e-3);
    info.x0_m = extent.west + map->origin.x;
    info.y0_m = extent.south + map->origin.y;
    info.model = map->values->info.model;
    rw_map *raster;
    float *values;
    size_t bands = view->layer->bands;
    RW_TRY(rw_map_create(context, &info, map->values->crs, &raster));
    rw_status status = rw_map_add_layer(raster, view->layer->name, view->layer->unit, bands, &values);
    for (size_t band = 0; band < bands && status == RW_OK; band++)
        rasterise_tiles(view, &extent, &info, band, values + band * info.columns * info.rows);
    int envi = strcasecmp(strrchr(path, '.'), ".bin") == 0;
    if (status == RW_OK)
        status = envi ? rw_envi_write_layer(raster, &raster->layers[0], path)
                      : rw_gdal_write_layer(raster, &raster->layers[0], path);
    rw_map_destroy(raster);
    return status;
}
