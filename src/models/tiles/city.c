#include "models/tiles/tiles.h"

#include "base/memory.h"
#include "device/device.h"
#include "discretise/scene_cache.h"
#include "models/tiles/database/database.h"
#include "visibility/tiles/see_from_points.k.h"
#include "visibility/tiles/tile_horizons.k.h"

#include <math.h>
#include <stdlib.h>

/* Edges are where sides of their parents meet, but for roofs, whose tiles may end before the edge. */
static double find_reach_m(const rw_tiles_view *tiles)
{
    double reach_m = 0;
    for (uint32_t i = 0; i < tiles->edge_count; i++)
        for (int j = 0; j < 2; j++) {
            const rw_tile_edge *edge = &tiles->edges[i];
            rw_vec3 middle = rw_vec3_scale(rw_vec3_add(edge->from, edge->to), 0.5);
            reach_m = fmax(reach_m, rw_vec3_length(rw_vec3_sub(middle, tiles->tiles[edge->tiles[j]].centre)));
        }
    return reach_m;
}

static rw_status cut_city_tiles(rw_tile_city *city, rw_tiling tiling)
{
    rw_tile_options options = rw_tiling_options(tiling);
    RW_TRY(rw_tiles_create(city->scene, &options, &city->tiles));
    if (tiling.online > 0)
        return RW_OK;
    return rw_tile_sight_create(city->scene, &city->tiles, RW_TILES_FAST, &city->sight);
}

static rw_status upload_city(rw_tile_city *city)
{
    RW_TRY(rw_tiles_upload(city->context, city->backend, &city->tiles, &city->on_device));
    if (city->sight.view.firsts)
        RW_TRY(rw_tile_sight_upload(city->context, city->backend, &city->sight, &city->device_sight));
    city->reach_m = find_reach_m(&city->tiles.view);
    for (uint32_t i = 0; i < city->tiles.view.tile_count; i++)
        city->radius_m = fmax(city->radius_m, rw_tile_radius_m(&city->tiles.view.tiles[i]));
    return rw_tile_geometry_upload(city->scene, &city->tiles, city->backend, &city->world);
}

rw_status rw_tile_city_create(const rw_scene *scene, rw_tiling tiling, const rw_database *database, rw_tile_city *city)
{
    *city = (rw_tile_city){.scene = scene, .context = scene->context, .backend = scene->context->backend};
    rw_status status = RW_OK;
    if (database) {
        RW_TRY(rw_database_check(database, scene, &rw_model_tiles));
        city->tiles = rw_tile_database_of(database)->tiles;
        city->sight = rw_tile_database_of(database)->sight;
        city->borrowed = 1;
    } else {
        status = cut_city_tiles(city, tiling);
    }
    if (status == RW_OK)
        status = upload_city(city);
    if (status != RW_OK)
        rw_tile_city_destroy(city);
    return status;
}

void rw_tile_city_destroy(rw_tile_city *city)
{
    rw_tile_geometry_release(&city->world);
    rw_tile_sight_release(city->backend, &city->device_sight);
    rw_tiles_release(city->backend, &city->on_device);
    if (!city->borrowed) {
        rw_tile_sight_destroy(&city->sight);
        rw_tiles_destroy(&city->tiles);
    }
    *city = (rw_tile_city){0};
}

static void destroy_shared(void *value)
{
    rw_tile_city_destroy(value);
    free(value);
}

static const rw_cache_kind city_kind = {"tiles", 2, destroy_shared};

typedef struct city_request {
    const rw_scene *scene;
    rw_tiling tiling;
    const rw_database *database;
} city_request;

static rw_status make_shared(void *user, void **value)
{
    const city_request *request = user;
    rw_tile_city *city;
    RW_TRY(rw_array_create(request->scene->context, 1, sizeof *city, "tiles", &city));
    rw_status status = rw_tile_city_create(request->scene, request->tiling, request->database, city);
    if (status == RW_OK)
        *value = city;
    else
        free(city);
    return status;
}

rw_status rw_tile_city_acquire(const rw_scene *scene, rw_tiling tiling, const rw_database *database,
                               const rw_tile_city **city)
{
    city_request request = {scene, tiling, database};
    void *value;
    if (database)
        RW_TRY(make_shared(&request, &value));
    else
        RW_TRY(rw_scene_cache_acquire(scene, &city_kind, &tiling, sizeof tiling, make_shared, &request, &value));
    *city = value;
    return RW_OK;
}

void rw_tile_city_release(const rw_tile_city *city)
{
    if (city->borrowed)
        destroy_shared((void *)(uintptr_t)city);
    else
        rw_scene_cache_release(city->scene, city);
}

/* Which tiles each point sees, in words of the backend. world may have horizons. */
static rw_status find_seen_tiles(const rw_tile_city *city, const rw_tile_geometry_view *geometry,
                                 const rw_tile_horizon *horizons, int corners, const rw_vec3 *points, size_t count,
                                 uint32_t *words)
{
    struct rw_see_from_points_args args = {.world = *geometry,
                                           .horizons = horizons,
                                           .tiles = corners ? city->on_device.view.tiles : NULL,
                                           .radius_m = (float)city->radius_m};
    size_t items = count * args.world.block_count;
    rw_kernel_array columns[] = {
        {.field = &args.points, .host = (void *)(uintptr_t)points, .bytes = count * sizeof *points},
        {.field = &args.words, .host = words, .bytes = items * sizeof *words, .output = 1}};
    return rw_kernel_arrays_run(city->context, city->backend, RW_KERNEL_see_from_points, &args, columns, 2, items);
}

rw_status rw_tile_city_look(const rw_tile_city *city, const rw_vec3 *points, size_t count, int corners, uint32_t *words)
{
    return find_seen_tiles(city, &city->world.view, NULL, corners, points, count, words);
}

rw_status rw_point_visibility_begin(const rw_tile_city *city, size_t max_count, rw_point_visibility *search)
{
    rw_context *context = city->context;
    *search = (rw_point_visibility){.city = city, .world = city->world.view};
    struct rw_tile_horizons_args args = {.world = search->world, .reach_m = RW_TILE_HORIZON_REACH_M};
    size_t tiles = args.world.tile_count;
    RW_TRY(rw_device_alloc(context, city->backend, tiles * sizeof *search->of_tiles, "horizons", &search->of_tiles));
    args.horizons = search->of_tiles;
    search->world.horizons = search->of_tiles;
    rw_status status =
        rw_device_alloc(context, city->backend, max_count * sizeof *search->of_points, "horizons", &search->of_points);
    if (status == RW_OK)
        status = rw_device_launch(context, city->backend, RW_KERNEL_tile_horizons, &args, tiles);
    if (status != RW_OK)
        rw_point_visibility_end(search);
    return status;
}

rw_status rw_point_visibility_find(const rw_point_visibility *search, const rw_vec3 *points, size_t count, int corners,
                                   uint32_t *words)
{
    const rw_tile_city *city = search->city;
    struct rw_point_horizons_args args = {
        .world = city->world.view, .reach_m = RW_TILE_HORIZON_REACH_M, .horizons = search->of_points};
    rw_kernel_array column = {
        .field = &args.points, .host = (void *)(uintptr_t)points, .bytes = count * sizeof *points};
    RW_TRY(rw_kernel_arrays_run(city->context, city->backend, RW_KERNEL_point_horizons, &args, &column, 1, count));
    return find_seen_tiles(city, &search->world, search->of_points, corners, points, count, words);
}

void rw_point_visibility_end(rw_point_visibility *search)
{
    if (search->of_tiles)
        rw_device_free(search->city->backend, search->of_tiles);
    if (search->of_points)
        rw_device_free(search->city->backend, search->of_points);
    *search = (rw_point_visibility){0};
}
