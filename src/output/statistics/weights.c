#include "output/statistics/statistics.h"

#include "base/memory.h"
#include "ext/gdal.h"

#include <math.h>
#include <stdlib.h>

#define SUBPIXELS_MAX 512 /* points a side of a pixel */

/* Part of the raster that may touch the map, in the raster's own coordinates: the map's border, walked in steps. */
static rw_status find_raster_box(const rw_map *map, const char *crs, double box[4])
{
    enum { STEPS = 16 };
    double xy[2 * 4 * STEPS], width = (double)map->info.columns * map->info.res_m,
                              height = (double)map->info.rows * map->info.res_m;
    int same = 1;
    for (int i = 0; i < STEPS; i++) {
        double fraction = (double)i / (STEPS - 1);
        const double border[4][2] = {{fraction, 0}, {fraction, 1}, {0, fraction}, {1, fraction}};
        for (int side = 0; side < 4; side++) {
            xy[2 * (4 * i + side)] = map->info.x0_m + border[side][0] * width;
            xy[2 * (4 * i + side) + 1] = map->info.y0_m + border[side][1] * height;
        }
    }
    if (*crs && map->crs[0])
        RW_TRY(rw_gdal_crs_is_same(map->context, crs, map->crs, &same));
    if (!same)
        RW_TRY(rw_gdal_transform(map->context, map->crs, crs, xy, (size_t)4 * STEPS));
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    for (int i = 0; i < 4 * STEPS; i++) {
        box[0] = fmin(box[0], xy[2 * i]);
        box[1] = fmin(box[1], xy[2 * i + 1]);
        box[2] = fmax(box[2], xy[2 * i]);
        box[3] = fmax(box[3], xy[2 * i + 1]);
    }
    return RW_OK;
}

/* So many points a side of a pixel that neighbours are no further apart than cells. */
static rw_status count_subpixels(const rw_map *map, const rw_raster *raster, const char *crs, int *subpixels)
{
    double x = raster->x0_m + 0.5 * (double)raster->columns * raster->dx_m;
    double y = raster->y0_m + 0.5 * (double)raster->rows * raster->dy_m;
    double xy[6] = {x, y, x + raster->dx_m, y, x, y + raster->dy_m};
    if (crs)
        RW_TRY(rw_gdal_transform(map->context, crs, map->crs, xy, 3));
    double side_m = fmax(hypot(xy[2] - xy[0], xy[3] - xy[1]), hypot(xy[4] - xy[0], xy[5] - xy[1]));
    *subpixels = (int)fmin(SUBPIXELS_MAX, fmax(1, ceil(2 * side_m / map->info.res_m)));
    return RW_OK;
}

static void add_points(const rw_map *map, const double *xy, size_t count, double each, double *weights)
{
    for (size_t i = 0; i < count; i++) {
        double column = floor((xy[2 * i] - map->info.x0_m) / map->info.res_m);
        double row = floor((xy[2 * i + 1] - map->info.y0_m) / map->info.res_m);
        if (column >= 0 && row >= 0 && column < (double)map->info.columns && row < (double)map->info.rows)
            weights[(size_t)row * map->info.columns + (size_t)column] += each;
    }
}

/* crs NULL: the raster is in the map's own. */
static rw_status spread_raster_weights(const rw_map *map, const rw_raster *raster, const char *crs, double *weights)
{
    int subpixels;
    double *xy;
    RW_TRY(count_subpixels(map, raster, crs, &subpixels));
    size_t points = (size_t)subpixels * (size_t)subpixels;
    RW_TRY(rw_array_create(map->context, 2 * points, sizeof *xy, "weights", &xy));
    rw_status status = RW_OK;
    for (size_t i = 0; status == RW_OK && i < raster->columns * raster->rows; i++) {
        double weight = (double)raster->values[i];
        if (!(weight > 0))
            continue;
        double west = raster->x0_m + ((double)(i % raster->columns) - 0.5) * raster->dx_m;
        double south = raster->y0_m + ((double)(i / raster->columns) - 0.5) * raster->dy_m;
        for (size_t k = 0; k < points; k++) {
            xy[2 * k] = west + ((double)(k % (size_t)subpixels) + 0.5) * raster->dx_m / subpixels;
            xy[2 * k + 1] = south + ((double)(k / (size_t)subpixels) + 0.5) * raster->dy_m / subpixels;
        }
        if (crs)
            status = rw_gdal_transform(map->context, crs, map->crs, xy, points);
        if (status == RW_OK)
            add_points(map, xy, points, weight / (double)points, weights);
    }
    free(xy);
    return status;
}

rw_status rw_weights_spread(const rw_map *map, const char *path, double *weights)
{
    rw_gdal_raster *raster;
    rw_raster values = {0};
    double box[4];
    int same = 1;
    RW_TRY(rw_gdal_raster_open(map->context, path, &raster));
    const char *crs = rw_gdal_raster_crs(raster);
    rw_status status = find_raster_box(map, crs, box);
    if (status == RW_OK && *crs && map->crs[0])
        status = rw_gdal_crs_is_same(map->context, crs, map->crs, &same);
    if (status == RW_OK)
        status = rw_gdal_raster_read(raster, box, &values);
    if (status == RW_OK)
        status = spread_raster_weights(map, &values, same ? NULL : crs, weights);
    free(values.values);
    rw_gdal_raster_close(raster);
    return status;
}

/* The nearest receivers that have been found so far. */
typedef struct nearest_search {
    size_t columns, rows;
    uint32_t *nearest;
} nearest_search;

static double squared_distance(size_t columns, size_t cell, uint32_t to)
{
    double x = (double)(cell % columns) - (double)(to % columns); /* NOLINT: a map without columns has no cell */
    double y = (double)(cell / columns) - (double)(to / columns);
    return x * x + y * y;
}

/* What a neighbour has found, if that is nearer; of two at one distance the lower index. */
static void compare_neighbour(const nearest_search *of, size_t cell, long dx, long dy)
{
    size_t columns = of->columns;
    long x = (long)(cell % columns) + dx, y = (long)(cell / columns) + dy;
    if (x < 0 || y < 0 || x >= (long)columns || y >= (long)of->rows)
        return;
    uint32_t candidate = of->nearest[(size_t)y * columns + (size_t)x], own = of->nearest[cell];
    if (candidate == RW_NO_NEAREST || candidate == own)
        return;
    double distance = squared_distance(columns, cell, candidate);
    double own_distance = own == RW_NO_NEAREST ? INFINITY : squared_distance(columns, cell, own);
    if (distance < own_distance || (distance <= own_distance && candidate < own))
        of->nearest[cell] = candidate;
}

/* Sequential vector distance transform (Danielsson 1980, 8SSED), forth and back. */
rw_status rw_weights_find_nearest(const rw_map *map, const float *values, uint32_t *nearest)
{
    const nearest_search of = {map->info.columns, map->info.rows, nearest};
    size_t cells = of.columns * of.rows;
    if (cells >= RW_NO_NEAREST)
        return rw_fail(map->context, RW_TOO_LARGE, "weights are for maps of fewer than 2^32 cells");
    for (size_t i = 0; i < cells; i++)
        nearest[i] = isnan(values[i]) ? RW_NO_NEAREST : (uint32_t)i;
    for (int pass = 0; pass < 2; pass++)
        for (size_t row = 0; row < of.rows; row++) {
            long back = pass ? 1 : -1;
            size_t first = (pass ? of.rows - 1 - row : row) * of.columns;
            for (size_t i = 0; i < of.columns; i++) {
                size_t cell = first + (pass ? of.columns - 1 - i : i);
                compare_neighbour(&of, cell, back, 0);
                for (long dx = -1; dx <= 1; dx++)
                    compare_neighbour(&of, cell, dx, back);
            }
            for (size_t i = 0; i < of.columns; i++)
                compare_neighbour(&of, first + (pass ? i : of.columns - 1 - i), -back, 0);
        }
    return RW_OK;
}
