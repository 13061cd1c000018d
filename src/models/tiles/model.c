/* The tiles model: maps from the nearest ground tile of each cell, or exactly. */
#include "base/memory.h"
#include "discretise/prepared.h"
#include "models/rays/ray_layers.h"
#include "models/tiles/kept.h"
#include "models/tiles/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells are exact unasked where lists of the tiles that they see take no more than this, and where finding them asks no
 * more pairs: some seven seconds on two cores; what a GPU takes is an estimate from its pairs of tiles. */
#define LISTS_BYTES 4e9
#define PAIRS_CPU 1e9
#define PAIRS_CUDA 1e11

/* Ground tiles by the squares they are in, to find the nearest. */
typedef struct ground_index {
    const rw_tiles_view *tiles;
    double x0, y0, side_m;
    long columns, rows;
    uint32_t *firsts, *numbers;
} ground_index;

static int is_ground(const rw_tiles_view *tiles, uint32_t tile)
{
    return tiles->surfaces[tiles->tiles[tile].surface].kind == RW_TILE_GROUND;
}

static long square_of(const ground_index *index, rw_vec3 at, long *column, long *row)
{
    *column = (long)fmin(fmax(floor((at.x - index->x0) / index->side_m), 0), (double)index->columns - 1);
    *row = (long)fmin(fmax(floor((at.y - index->y0) / index->side_m), 0), (double)index->rows - 1);
    return *row * index->columns + *column;
}

static rw_status index_ground(rw_context *context, const rw_tiles_view *tiles, double area_m2, ground_index *index)
{
    double high_x = -INFINITY, high_y = -INFINITY;
    long column, row;
    *index = (ground_index){.tiles = tiles, .x0 = INFINITY, .y0 = INFINITY, .side_m = 2 * sqrt(area_m2)};
    for (uint32_t i = 0; i < tiles->tile_count; i++) {
        index->x0 = fmin(index->x0, tiles->tiles[i].centre.x);
        index->y0 = fmin(index->y0, tiles->tiles[i].centre.y);
        high_x = fmax(high_x, tiles->tiles[i].centre.x);
        high_y = fmax(high_y, tiles->tiles[i].centre.y);
    }
    index->columns = (long)((high_x - index->x0) / index->side_m) + 1;
    index->rows = (long)((high_y - index->y0) / index->side_m) + 1;
    size_t squares = (size_t)(index->columns * index->rows);
    RW_TRY(rw_array_create(context, squares + 2, sizeof *index->firsts, "ground tiles", &index->firsts));
    RW_TRY(rw_array_create(context, tiles->tile_count, sizeof *index->numbers, "ground tiles", &index->numbers));
    for (uint32_t i = 0; i < tiles->tile_count; i++)
        if (is_ground(tiles, i))
            index->firsts[square_of(index, tiles->tiles[i].centre, &column, &row) + 2]++;
    for (size_t i = 2; i < squares + 2; i++)
        index->firsts[i] += index->firsts[i - 1];
    for (uint32_t i = 0; i < tiles->tile_count; i++)
        if (is_ground(tiles, i))
            index->numbers[index->firsts[square_of(index, tiles->tiles[i].centre, &column, &row) + 1]++] = i;
    return RW_OK;
}

static void release_index(ground_index *index)
{
    free(index->firsts);
    free(index->numbers);
}

/* Squares in rings round the point, until what is farther out cannot be nearer. */
static uint32_t nearest_ground(const ground_index *index, rw_vec3 at)
{
    long column, row, most = index->columns > index->rows ? index->columns : index->rows;
    uint32_t nearest = RW_NO_TILE;
    double least = INFINITY;
    square_of(index, at, &column, &row);
    for (long ring = 0; ring <= most && (double)(ring - 1) * index->side_m < least; ring++)
        for (long r = row - ring; r <= row + ring; r++)
            for (long c = column - ring; c <= column + ring; c++) {
                int on_ring = labs(r - row) == ring || labs(c - column) == ring;
                if (!on_ring || r < 0 || c < 0 || r >= index->rows || c >= index->columns)
                    continue;
                for (uint32_t k = index->firsts[r * index->columns + c]; k < index->firsts[r * index->columns + c + 1];
                     k++) {
                    rw_vec3 centre = index->tiles->tiles[index->numbers[k]].centre;
                    double distance = hypot(centre.x - at.x, centre.y - at.y);
                    if (distance < least)
                        nearest = index->numbers[k];
                    least = fmin(least, distance);
                }
            }
    return nearest;
}

/* A prediction under way. */
typedef struct tile_maps {
    const rw_prediction *prediction;
    rw_tile_city city;
    rw_tile_limits limits;
    double area_m2;
    rw_ray_sum_kind kind;
    rw_ray_layers layers;
    rw_tile_values *tiles; /* NULL: not asked for */
} tile_maps;

static void store(const tile_maps *maps, size_t transmitter, size_t cell, const rw_ray_sums *sums, rw_vec3 at,
                  rw_vec3 source, double wavelength_m)
{
    double straight_m = rw_vec3_length(rw_vec3_sub(at, source));
    rw_ray_layers_store(maps->prediction, transmitter, cell, sums, maps->kind, wavelength_m / (4 * RW_PI * straight_m),
                        straight_m / RW_SPEED_OF_LIGHT_M_S, &maps->layers);
}

static rw_status store_nearest(const tile_maps *maps, size_t transmitter, const rw_tile_solver *shot)
{
    const rw_receivers_view *view = &maps->prediction->receivers.view;
    const rw_tiles_view *tiles = &maps->city.tiles.view;
    rw_context *context = maps->city.context;
    ground_index index = {0};
    rw_ray_sums *sums;
    RW_TRY(rw_array_create(context, tiles->tile_count, sizeof *sums, "sums", &sums));
    rw_status status = rw_tile_solver_read(shot, sums, NULL);
    if (status == RW_OK)
        status = index_ground(context, tiles, maps->city.tiles.options.area_m2, &index);
    for (size_t i = 0; status == RW_OK && i < view->outdoor_count; i++) {
        uint32_t tile = nearest_ground(&index, rw_receiver_point(view, view->outdoor[i]));
        if (tile != RW_NO_TILE)
            store(maps, transmitter, view->outdoor[i], &sums[tile], tiles->tiles[tile].centre, shot->host.source,
                  shot->host.wavelength_m);
    }
    release_index(&index);
    free(sums);
    return status;
}

static rw_status store_exact(const tile_maps *maps, size_t transmitter, const rw_tile_solver *shot)
{
    const rw_receivers_view *view = &maps->prediction->receivers.view;
    rw_ray_sums *sums;
    RW_TRY(rw_array_create(maps->city.context, shot->point_count, sizeof *sums, "sums", &sums));
    rw_status status = rw_tile_solver_read(shot, NULL, sums);
    for (size_t i = 0; status == RW_OK && i < shot->point_count; i++)
        store(maps, transmitter, view->outdoor[i], &sums[i], shot->points[i], shot->host.source,
              shot->host.wavelength_m);
    free(sums);
    return status;
}

static rw_status solve_transmitter(const tile_maps *maps, size_t transmitter, const rw_tile_points *points,
                                   rw_kept_tiles *kept)
{
    const rw_prediction *prediction = maps->prediction;
    rw_tile_solver shot;
    RW_TRY(rw_tile_solver_of(prediction, transmitter, &maps->city, &maps->limits, points, &shot));
    shot.points_only = points && !kept && !maps->tiles; /* what is kept is for tiles as well */
    rw_status status = rw_kept_tiles_run(kept, transmitter, &shot);
    if (status == RW_OK)
        status = points ? store_exact(maps, transmitter, &shot) : store_nearest(maps, transmitter, &shot);
    if (status == RW_OK && maps->tiles)
        status = rw_tile_values_take(maps->tiles, transmitter, &shot);
    rw_tile_solver_destroy(&shot);
    return status;
}

static rw_status take_options(tile_maps *maps)
{
    const rw_predict_options *options = maps->prediction->options;
    rw_context *context = maps->prediction->scene->context;
    RW_TRY(rw_tile_settle(maps->prediction, &maps->limits, &maps->area_m2));
    RW_TRY(rw_ray_sum_parse(context, options->sum, &maps->kind));
    if (maps->kind == RW_RAY_SUM_LOCAL)
        return rw_fail(context, RW_BAD_CALL, "model tiles sums coherent or by power, not local");
    if (options->cells && strcmp(options->cells, "nearest") != 0 && strcmp(options->cells, "exact") != 0)
        return rw_fail(context, RW_BAD_CALL, "cells are 'nearest' or 'exact', not '%s'", options->cells);
    return RW_OK;
}

static rw_status solve_all(const tile_maps *maps, const rw_tile_points *points)
{
    const rw_prediction *prediction = maps->prediction;
    rw_kept_tiles file, *kept = prediction->options->reuse ? &file : NULL;
    rw_status status = RW_OK;
    if (kept)
        RW_TRY(rw_kept_tiles_open(prediction, &maps->city, &maps->limits, points, kept));
    for (size_t i = 0; status == RW_OK && i < prediction->options->transmitter_count; i++)
        status = solve_transmitter(maps, i, points, kept);
    if (kept && status == RW_OK)
        status = rw_kept_tiles_finish(kept);
    if (kept)
        rw_kept_tiles_close(kept);
    return status;
}

/* Exact where it is asked for, and where nothing is asked for and it is quickly done. */
static int is_exact(const tile_maps *maps)
{
    const rw_predict_options *options = maps->prediction->options;
    size_t count = maps->prediction->receivers.view.outdoor_count;
    double bytes = rw_tile_points_bytes(&maps->city, count);
    double room = options->memory_bytes > 0 ? options->memory_bytes : LISTS_BYTES;
    double pairs = (double)count * maps->city.tiles.view.tile_count;
    if (options->cells)
        return strcmp(options->cells, "exact") == 0;
    if (bytes <= room && pairs <= (maps->city.backend == RW_BACKEND_CUDA ? PAIRS_CUDA : PAIRS_CPU))
        return 1;
    rw_warn(maps->city.context,
            "cells have the values of the nearest ground tile, which may lie round a corner: %zu exact ones among %u "
            "tiles take a while and %.2g GB; --cells exact takes them, --cells nearest is silent about it",
            count, maps->city.tiles.view.tile_count, 1e-9 * bytes);
    return 0;
}

static rw_status solve_cells(tile_maps *maps, rw_map *map)
{
    rw_tile_points points = {0};
    rw_status status = rw_ray_layers_add(maps->prediction, map, &maps->layers);
    int exact = is_exact(maps);
    if (status == RW_OK && exact)
        status = rw_tile_points_of(maps->prediction, &maps->city, &points);
    if (status == RW_OK)
        status = solve_all(maps, exact ? &points : NULL);
    if (exact)
        rw_tile_points_destroy(&points);
    rw_ray_layers_release(&maps->layers);
    return status;
}

/* The cells of a map, and the tiles beside them from the same rays. */
static rw_status solve_both(tile_maps *maps, rw_map *map)
{
    rw_tile_values values;
    RW_TRY(rw_tile_values_begin(maps->prediction, &maps->city, maps->kind, &values));
    maps->tiles = &values;
    rw_status status = solve_cells(maps, map);
    rw_tile_map *made = rw_tile_values_end(&values);
    if (status == RW_OK)
        *maps->prediction->tiles = made;
    else
        rw_tile_map_destroy(made);
    return status;
}

static rw_status solve(const rw_prediction *prediction, rw_map *map)
{
    tile_maps maps = {.prediction = prediction};
    RW_TRY(take_options(&maps));
    RW_TRY(rw_tile_city_create(prediction->scene, maps.area_m2, prediction->options->database, &maps.city));
    rw_status status = prediction->tiles ? solve_both(&maps, map) : solve_cells(&maps, map);
    rw_tile_city_destroy(&maps.city);
    return status;
}

const rw_model rw_model_tiles = {.name = "tiles",
                                 .layers = RW_RAY_LAYERS,
                                 .default_layers = RW_RAY_DEFAULT_LAYERS,
                                 .solve = solve,
                                 .trace = rw_tiles_trace,
                                 .reuses = 1,
                                 .all_paths = 1};
