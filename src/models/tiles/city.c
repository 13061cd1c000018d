#include "models/tiles/tiles.h"

#include "device/columns.h"
#include "models/database.h"
#include "visibility/see_from_points.k.h"

#include <math.h>

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

static rw_status make(rw_tile_city *city, double area_m2)
{
    rw_tile_options options;
    rw_tile_options_init(&options);
    options.area_m2 = area_m2;
    RW_TRY(rw_tiles_create(city->scene, &options, &city->tiles));
    return rw_tile_sight_create(city->scene, &city->tiles, RW_TILES_FAST, &city->sight);
}

static rw_status place(rw_tile_city *city)
{
    RW_TRY(rw_tiles_place(city->context, city->backend, &city->tiles, &city->placed));
    RW_TRY(rw_tile_sight_place(city->context, city->backend, &city->sight, &city->placed_sight));
    city->reach_m = find_reach_m(&city->tiles.view);
    return rw_tile_world_place(city->scene, &city->tiles, city->backend, &city->world);
}

rw_status rw_tile_city_create(const rw_scene *scene, double area_m2, const rw_database *database, rw_tile_city *city)
{
    *city = (rw_tile_city){.scene = scene, .context = scene->context, .backend = scene->context->backend};
    rw_status status = RW_OK;
    if (database) {
        RW_TRY(rw_database_check_model(database, scene, "tiles"));
        city->tiles = database->tiles;
        city->sight = database->sight;
        city->lent = 1;
    } else {
        status = make(city, area_m2);
    }
    if (status == RW_OK)
        status = place(city);
    if (status != RW_OK)
        rw_tile_city_destroy(city);
    return status;
}

void rw_tile_city_destroy(rw_tile_city *city)
{
    rw_tile_world_remove(&city->world);
    rw_tile_sight_remove(city->backend, &city->placed_sight);
    rw_tiles_remove(city->backend, &city->placed);
    if (!city->lent) {
        rw_tile_sight_destroy(&city->sight);
        rw_tiles_destroy(&city->tiles);
    }
    *city = (rw_tile_city){0};
}

rw_status rw_tile_city_look(const rw_tile_city *city, const rw_vec3 *points, size_t count, uint32_t *words)
{
    struct rw_see_from_points_args args = {.world = city->world.view};
    size_t items = count * args.world.block_count;
    rw_column columns[] = {{.field = &args.points, .host = (void *)(uintptr_t)points, .bytes = count * sizeof *points},
                           {.field = &args.words, .host = words, .bytes = items * sizeof *words, .output = 1}};
    return rw_columns_run(city->context, city->backend, RW_KERNEL_see_from_points, &args, columns, 2, items);
}
