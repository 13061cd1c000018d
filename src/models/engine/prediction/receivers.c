/* The receivers of a prediction: of a grid, cached with the scene; of a database; or at points. */
#include "base/memory.h"
#include "base/maths/hash.h"
#include "base/range.h"
#include "discretise/scene_cache.h"
#include "discretise/zones/zones.h"
#include "models/engine/model.h"
#include "models/engine/calls/calls.h"
#include "output/maps/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the receivers of a grid depend on. */
typedef struct grid_key {
    size_t columns, rows;
    double x0_m, y0_m, res_m, height_m, plane_m[9];
    double circle_m[3]; /* centre and radius, all 0: none */
    int rooms, has_plane;
    uint64_t zone; /* what its polygons come to; 0: none */
} grid_key;

typedef struct grid_request {
    const rw_scene *scene;
    const rw_map_info *cells;
    int rooms;
    const rw_zones *zones; /* NULL: none */
    const rw_grid *circle; /* NULL: none */
} grid_request;

typedef struct zone_mask {
    uint8_t *wanted;
    size_t columns;
} zone_mask;

static void mark_zone_run(void *user, size_t row, size_t first, size_t end)
{
    const zone_mask *mask = user;
    memset(mask->wanted + row * mask->columns + first, 1, end - first);
}

/* Leaves out what is in no polygon. */
static rw_status limit_to_zones(const grid_request *request, rw_receivers *receivers)
{
    const rw_map_info *cells = request->cells;
    rw_zone_grid grid = {cells->x0_m, cells->y0_m, cells->res_m, cells->columns, cells->rows};
    zone_mask mask = {NULL, cells->columns};
    RW_TRY(rw_array_create(request->scene->context, cells->columns * cells->rows, 1, "the area", &mask.wanted));
    rw_status status = RW_OK;
    for (size_t i = 0; status == RW_OK && i < request->zones->count; i++)
        status = rw_zone_rasterise(request->zones, i, &grid, mark_zone_run, &mask);
    if (status == RW_OK)
        rw_receivers_limit(receivers, mask.wanted);
    free(mask.wanted);
    return status;
}

/* Leaves out what is beyond a circle. */
static rw_status limit_to_circle(const grid_request *request, rw_receivers *receivers)
{
    const rw_map_info *cells = request->cells;
    const rw_grid *circle = request->circle;
    uint8_t *wanted;
    RW_TRY(rw_array_create(request->scene->context, cells->columns * cells->rows, 1, "the area", &wanted));
    for (size_t row = 0; row < cells->rows; row++)
        for (size_t column = 0; column < cells->columns; column++)
            wanted[row * cells->columns + column] =
                (uint8_t)rw_cell_is_within(cells, column, row, circle->x_m, circle->y_m, circle->range_m);
    rw_receivers_limit(receivers, wanted);
    free(wanted);
    return RW_OK;
}

static void destroy_cached_receivers(void *value)
{
    rw_receivers_destroy(value);
    free(value);
}

static const rw_cache_kind receivers_kind = {"receivers", 4, destroy_cached_receivers};

static rw_status create_plane_receivers(const rw_scene *scene, const rw_map_info *cells, rw_receivers *receivers)
{
    rw_plane plane = rw_plane_of(cells->plane_m);
    rw_vec3 *positions;
    size_t count = cells->columns * cells->rows;
    RW_TRY(rw_array_create(scene->context, count, sizeof *positions, "receivers", &positions));
    for (size_t i = 0; i < count; i++) {
        rw_vec3 position = rw_plane_cell(&plane, i % cells->columns, i / cells->columns, cells->res_m);
        rw_vec2 at = {position.x - scene->origin.x, position.y - scene->origin.y};
        positions[i] = rw_vec3_of(at.x, at.y, position.z - rw_scene_ground_m(scene, at));
    }
    rw_status status =
        rw_receivers_create_at(scene, 1 /* models with planes look into rooms */, positions, count, receivers);
    free(positions);
    receivers->view.columns = cells->columns;
    receivers->view.rows = cells->rows;
    return status;
}

static rw_status create_grid_receivers(const grid_request *request, rw_receivers *receivers)
{
    const rw_scene *scene = request->scene;
    const rw_map_info *cells = request->cells;
    if (cells->has_plane)
        return create_plane_receivers(scene, cells, receivers);
    rw_wall_grid walls = scene->prepared->grid;
    if (request->rooms) /* no mesh makes a receiver indoor */
        walls.view.node_count = 0;
    rw_vec2 corner = {cells->x0_m - scene->origin.x, cells->y0_m - scene->origin.y};
    return rw_receivers_create(scene, &walls, corner, cells->columns, cells->rows, cells->res_m, cells->rx_height_m,
                               receivers);
}

static rw_status build_cached_receivers(void *user, void **value)
{
    const grid_request *request = user;
    rw_receivers *receivers;
    RW_TRY(rw_array_create(request->scene->context, 1, sizeof *receivers, "receivers", &receivers));
    rw_status new_status = create_grid_receivers(request, receivers), status = new_status;
    if (status == RW_OK && request->zones)
        status = limit_to_zones(request, receivers);
    if (status == RW_OK && request->circle)
        status = limit_to_circle(request, receivers);
    if (new_status == RW_OK && status != RW_OK)
        rw_receivers_destroy(receivers);
    if (status == RW_OK)
        *value = receivers;
    else
        free(receivers);
    return status;
}

static int has_receivers(const rw_database *database)
{
    return database && database->model->database->receivers;
}

rw_status rw_map_limit(const rw_prediction *prediction, rw_map *map)
{
    const rw_map_info *info = &map->info;
    const char *zone = prediction->options->zone;
    size_t cells = info->columns * info->rows;
    rw_zone_grid grid = {info->x0_m, info->y0_m, info->res_m, info->columns, info->rows};
    zone_mask mask = {NULL, info->columns};
    rw_zones zones;
    if (!zone || !prediction->receivers_from_database)
        return RW_OK;
    RW_TRY(rw_zones_load(map->context, zone, map->crs, NULL, &zones));
    rw_status status = rw_array_create(map->context, cells, 1, "the area", &mask.wanted);
    for (size_t i = 0; status == RW_OK && i < zones.count; i++)
        status = rw_zone_rasterise(&zones, i, &grid, mark_zone_run, &mask);
    for (size_t layer = 0; status == RW_OK && layer < info->layers; layer++)
        for (size_t i = 0; i < map->layers[layer].bands * cells; i++)
            if (!mask.wanted[i % cells])
                map->layers[layer].values[i] = NAN;
    free(mask.wanted);
    rw_zones_free(&zones);
    return status;
}

/* From the database, or kept with the scene. */
static rw_status borrow_receivers(rw_prediction *prediction, const rw_zones *zones)
{
    const rw_scene *scene = prediction->scene;
    const rw_database *database = prediction->options->database;
    if (database)
        RW_TRY(rw_database_check(database, scene, prediction->model));
    if (has_receivers(database)) {
        RW_TRY(
            database->model->database->receivers(database, &prediction->grid.cells, &prediction->borrowed_receivers));
        prediction->receivers = *prediction->borrowed_receivers;
        prediction->receivers_from_database = 1;
        return RW_OK;
    }
    const rw_map_info *cells = &prediction->grid.cells;
    const rw_grid *circle =
        prediction->grid.range_m > 0 && isfinite(prediction->grid.range_m) ? &prediction->grid : NULL;
    grid_request request = {scene, cells, prediction->model->rooms, zones, circle};
    grid_key key;
    void *shared;
    memset(&key, 0, sizeof key); /* padding too: keys are compared as bytes */
    key.columns = cells->columns;
    key.rows = cells->rows;
    key.x0_m = cells->x0_m;
    key.y0_m = cells->y0_m;
    key.res_m = cells->res_m;
    key.height_m = cells->rx_height_m;
    memcpy(key.plane_m, cells->plane_m, sizeof key.plane_m);
    if (circle)
        memcpy(key.circle_m, (double[3]){circle->x_m, circle->y_m, circle->range_m}, sizeof key.circle_m);
    key.rooms = prediction->model->rooms;
    key.has_plane = cells->has_plane;
    if (zones)
        key.zone = rw_hash(rw_hash(RW_HASH_START, zones->xy, 2 * zones->point_count * sizeof *zones->xy),
                           zones->ring_sizes, zones->ring_count * sizeof *zones->ring_sizes);
    RW_TRY(rw_scene_cache_acquire(scene, &receivers_kind, &key, sizeof key, build_cached_receivers, &request, &shared));
    prediction->borrowed_receivers = shared;
    prediction->receivers = *prediction->borrowed_receivers;
    return RW_OK;
}

rw_status rw_prediction_locate_cells(rw_prediction *prediction)
{
    const rw_scene *scene = prediction->scene;
    const char *zone = prediction->grid.zone;
    rw_zones zones;
    if (!zone)
        return borrow_receivers(prediction, NULL);
    if (has_receivers(prediction->options->database)) /* all of its area: rw_map_limit leaves out the others */
        return borrow_receivers(prediction, NULL);
    if (prediction->grid.cells.has_plane)
        return rw_fail(scene->context, RW_BAD_CALL, "a plane in space is not limited by the polygons of %s", zone);
    RW_TRY(rw_zones_load(scene->context, zone, rw_scene_crs(scene), NULL, &zones));
    rw_status status = borrow_receivers(prediction, &zones);
    rw_zones_free(&zones);
    return status;
}

static rw_status check_trace_point(const rw_scene *scene, const rw_point *point, size_t index)
{
    int has_position = rw_is_coordinate(point->x_m) && rw_is_coordinate(point->y_m);
    int above = isnan(point->height_m) || (point->height_m > 0 && point->height_m < RW_HEIGHT_MAX_M);
    char what[40];
    snprintf(what, sizeof what, "point %zu", index + 1);
    if (has_position && above)
        return rw_check_near_scene(scene, point->x_m, point->y_m, what);
    return rw_fail(
        scene->context, RW_BAD_CALL,
        "point %zu at %.10g,%.10g,%g: position and height must be finite, the height above 0 and below 100 km",
        index + 1, point->x_m, point->y_m, point->height_m);
}

static void widen_area(double area_m[4], const rw_point *point)
{
    area_m[0] = fmin(area_m[0], point->x_m);
    area_m[1] = fmin(area_m[1], point->y_m);
    area_m[2] = fmax(area_m[2], point->x_m);
    area_m[3] = fmax(area_m[3], point->y_m);
}

rw_status rw_prediction_locate_points(rw_prediction *prediction, double area_m[4])
{
    const rw_scene *scene = prediction->scene;
    const rw_point *points = prediction->points;
    size_t count = prediction->point_count;
    rw_vec3 *local;
    RW_TRY(rw_array_create(scene->context, count, sizeof *local, "points", &local));
    rw_status status = RW_OK;
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        status = check_trace_point(scene, &points[i], i);
        widen_area(area_m, &points[i]);
        double height_m = isnan(points[i].height_m) ? prediction->options->rx_height_m : points[i].height_m;
        local[i] = rw_vec3_of(points[i].x_m - scene->origin.x, points[i].y_m - scene->origin.y, height_m);
    }
    /* An open model that is used again has receivers already, those of the same points, and knows them by address. */
    if (status == RW_OK && !prediction->receivers.points)
        status = rw_receivers_create_at(scene, prediction->model->rooms, local, count, &prediction->receivers);
    free(local);
    return status;
}

void rw_prediction_release_receivers(rw_prediction *prediction)
{
    if (!prediction->borrowed_receivers)
        rw_receivers_destroy(&prediction->receivers);
    else if (!prediction->receivers_from_database)
        rw_scene_cache_release(prediction->scene, prediction->borrowed_receivers);
    prediction->borrowed_receivers = NULL;
    prediction->receivers = (rw_receivers){0};
}
