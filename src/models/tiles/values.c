/* Values on the tiles themselves: of a prediction of their own (rw_predict_tiles), or beside the cells of a map. */
#include "models/tiles/values.h"

#include "base/memory.h"
#include "discretise/prepared.h"
#include "models/tiles/kept.h"

#include <stdlib.h>
#include <string.h>

static rw_status tell_sources(const rw_prediction *prediction, rw_tile_map *map)
{
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    RW_TRY(rw_tile_map_add_sources(map, prediction->options->transmitter_count));
    for (size_t i = 0; i < map->source_count; i++) {
        rw_vec3 at = prediction->sources[i];
        map->sources[i] = rw_vec3_make(at.x - centre.x, at.y - centre.y, at.z);
        map->freqs_hz[i] = rw_prediction_freq_hz(prediction, i);
    }
    return RW_OK;
}

static rw_status fill(rw_tile_values *values)
{
    const rw_predict_options *options = values->prediction.options;
    rw_map *map = values->map->values;
    RW_TRY(rw_map_set_transmitters(map, options->transmitters, options->transmitter_count));
    RW_TRY(tell_sources(&values->prediction, values->map));
    RW_TRY(rw_array_create(values->city->context, values->city->tiles.view.tile_count, sizeof *values->sums, "sums",
                           &values->sums));
    return rw_ray_layers_add(&values->prediction, map, &values->layers);
}

rw_status rw_tile_values_begin(const rw_prediction *prediction, const rw_tile_city *city, rw_ray_sum_kind kind,
                               rw_tile_values *values)
{
    *values = (rw_tile_values){.prediction = *prediction, .city = city, .kind = kind};
    values->prediction.receivers.view.columns = city->tiles.view.tile_count;
    values->prediction.receivers.view.rows = 1;
    RW_TRY(rw_tile_map_create(prediction->scene, &city->tiles, "tiles", &values->map));
    rw_status status = fill(values);
    if (status != RW_OK)
        rw_tile_map_destroy(rw_tile_values_end(values));
    return status;
}

rw_status rw_tile_values_take(rw_tile_values *values, size_t transmitter, const rw_tile_solver *shot)
{
    const rw_tiles_view *tiles = &values->city->tiles.view;
    RW_TRY(rw_tile_solver_read(shot, values->sums, NULL));
    for (uint32_t i = 0; i < tiles->tile_count; i++) {
        double straight_m = rw_vec3_length(rw_vec3_sub(tiles->tiles[i].centre, shot->host.source));
        rw_ray_layers_store(&values->prediction, transmitter, i, &values->sums[i], values->kind,
                            shot->host.wavelength_m / (4 * RW_PI * straight_m), straight_m / RW_SPEED_OF_LIGHT_M_S,
                            &values->layers);
    }
    return RW_OK;
}

rw_tile_map *rw_tile_values_end(rw_tile_values *values)
{
    rw_tile_map *map = values->map;
    rw_ray_layers_release(&values->layers);
    free(values->sums);
    *values = (rw_tile_values){0};
    return map;
}

static rw_status solve_transmitter(rw_tile_values *values, const rw_tile_limits *limits, size_t transmitter,
                                   rw_kept_tiles *kept)
{
    rw_tile_solver shot;
    RW_TRY(rw_tile_solver_of(&values->prediction, transmitter, values->city, limits, NULL, &shot));
    rw_status status = rw_kept_tiles_run(kept, transmitter, &shot);
    if (status == RW_OK)
        status = rw_tile_values_take(values, transmitter, &shot);
    rw_tile_solver_destroy(&shot);
    return status;
}

static rw_status solve_all(rw_tile_values *values, const rw_tile_limits *limits)
{
    const rw_prediction *prediction = &values->prediction;
    rw_kept_tiles file, *kept = prediction->options->reuse ? &file : NULL;
    rw_status status = RW_OK;
    if (kept)
        RW_TRY(rw_kept_tiles_open(prediction, values->city, limits, NULL, kept));
    for (size_t i = 0; status == RW_OK && i < prediction->options->transmitter_count; i++)
        status = solve_transmitter(values, limits, i, kept);
    if (kept && status == RW_OK)
        status = rw_kept_tiles_finish(kept);
    if (kept)
        rw_kept_tiles_close(kept);
    return status;
}

static rw_status solve(const rw_prediction *prediction, const rw_tile_city *city, const rw_tile_limits *limits,
                       rw_tile_map **map)
{
    rw_tile_values values;
    rw_ray_sum_kind kind;
    RW_TRY(rw_ray_sum_parse(city->context, prediction->options->sum, &kind));
    RW_TRY(rw_tile_values_begin(prediction, city, kind, &values));
    rw_status status = solve_all(&values, limits);
    rw_tile_map *made = rw_tile_values_end(&values);
    if (status == RW_OK)
        *map = made;
    else
        rw_tile_map_destroy(made);
    return status;
}

static rw_status check_model(const rw_prediction *prediction)
{
    if (strcmp(prediction->model->name, "tiles") != 0)
        return rw_fail(prediction->scene->context, RW_BAD_CALL, "model %s has no values on tiles; use tiles",
                       prediction->model->name);
    return RW_OK;
}

static rw_status open(rw_prediction *prediction, rw_tile_limits *limits, rw_tile_city *city)
{
    const rw_scene *scene = prediction->scene;
    double area_m2;
    double area_m[4] = {scene->box_min.x + scene->origin.x, scene->box_min.y + scene->origin.y,
                        scene->box_max.x + scene->origin.x, scene->box_max.y + scene->origin.y};
    RW_TRY(check_model(prediction));
    RW_TRY(rw_tile_settle(prediction, limits, &area_m2));
    RW_TRY(rw_prediction_place_transmitters(prediction, area_m));
    return rw_tile_city_create(scene, area_m2, prediction->options->database, city);
}

rw_status rw_predict_tiles(const rw_scene *scene, const rw_predict_options *options, rw_tile_map **map)
{
    rw_prediction prediction;
    rw_tile_limits limits;
    rw_tile_city city;
    *map = NULL;
    RW_TRY(rw_prediction_begin(scene, options, &prediction));
    rw_status status = open(&prediction, &limits, &city);
    if (status == RW_OK) {
        status = solve(&prediction, &city, &limits, map);
        rw_tile_city_destroy(&city);
    }
    rw_prediction_release(&prediction);
    return status;
}

rw_status rw_predict_with_tiles(const rw_scene *scene, const rw_predict_options *options, rw_map **map,
                                rw_tile_map **tiles)
{
    rw_prediction prediction;
    *map = NULL;
    *tiles = NULL;
    RW_TRY(rw_prediction_begin(scene, options, &prediction));
    rw_status status = check_model(&prediction);
    rw_prediction_release(&prediction);
    RW_TRY(status);
    return rw_predict_into(scene, options, tiles, map);
}
