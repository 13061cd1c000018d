/* rw_predict_tiles: the same prediction with the tiles themselves as receivers. */
#include "base/memory.h"
#include "discretise/prepared.h"
#include "models/ray_layers.h"
#include "models/tiles/kept.h"
#include "output/tile_map.h"

#include <stdlib.h>
#include <string.h>

/* A prediction whose cells are tiles, one row of them. */
typedef struct tile_values {
    rw_prediction prediction;
    rw_tile_city city;
    rw_tile_limits limits;
    rw_ray_sum_kind kind;
    rw_ray_layers layers;
    rw_ray_sums *sums;
} tile_values;

static rw_status solve_transmitter(tile_values *values, size_t transmitter, rw_kept_tiles *kept)
{
    const rw_tiles_view *tiles = &values->city.tiles.view;
    rw_tile_shot shot;
    RW_TRY(rw_tile_shot_of(&values->prediction, transmitter, &values->city, &values->limits, NULL, &shot));
    rw_status status = rw_kept_tiles_run(kept, transmitter, &shot);
    if (status == RW_OK)
        status = rw_tile_shot_read(&shot, values->sums, NULL);
    for (uint32_t i = 0; status == RW_OK && i < tiles->tile_count; i++) {
        double straight_m = rw_vec3_length(rw_vec3_sub(tiles->tiles[i].centre, shot.host.source));
        rw_ray_layers_store(&values->prediction, transmitter, i, &values->sums[i], values->kind,
                            shot.host.wavelength_m / (4 * RW_PI * straight_m), straight_m / RW_SPEED_OF_LIGHT_M_S,
                            &values->layers);
    }
    rw_tile_shot_destroy(&shot);
    return status;
}

static rw_status solve_all(tile_values *values)
{
    const rw_prediction *prediction = &values->prediction;
    rw_kept_tiles file, *kept = prediction->options->reuse ? &file : NULL;
    rw_status status = RW_OK;
    if (kept)
        RW_TRY(rw_kept_tiles_open(prediction, &values->city, &values->limits, NULL, kept));
    for (size_t i = 0; status == RW_OK && i < prediction->options->transmitter_count; i++)
        status = solve_transmitter(values, i, kept);
    if (kept && status == RW_OK)
        status = rw_kept_tiles_finish(kept);
    if (kept)
        rw_kept_tiles_close(kept);
    return status;
}

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

static rw_status solve(tile_values *values, rw_tile_map *map)
{
    const rw_predict_options *options = values->prediction.options;
    uint32_t count = values->city.tiles.view.tile_count;
    values->prediction.receivers.view.columns = count;
    values->prediction.receivers.view.rows = 1;
    RW_TRY(rw_map_set_transmitters(map->values, options->transmitters, options->transmitter_count));
    RW_TRY(tell_sources(&values->prediction, map));
    RW_TRY(rw_array_create(values->city.context, count, sizeof *values->sums, "sums", &values->sums));
    rw_status status = rw_ray_layers_add(&values->prediction, map->values, &values->layers);
    if (status == RW_OK)
        status = solve_all(values);
    rw_ray_layers_release(&values->layers);
    free(values->sums);
    return status;
}

static rw_status open(tile_values *values)
{
    const rw_scene *scene = values->prediction.scene;
    double area_m2;
    double area_m[4] = {scene->box_min.x + scene->origin.x, scene->box_min.y + scene->origin.y,
                        scene->box_max.x + scene->origin.x, scene->box_max.y + scene->origin.y};
    if (strcmp(values->prediction.model->name, "tiles") != 0)
        return rw_fail(scene->context, RW_BAD_CALL, "model %s has no values on tiles; use tiles",
                       values->prediction.model->name);
    RW_TRY(rw_tile_settle(&values->prediction, &values->limits, &area_m2));
    RW_TRY(rw_ray_sum_parse(scene->context, values->prediction.options->sum, &values->kind));
    RW_TRY(rw_prediction_place_transmitters(&values->prediction, area_m));
    return rw_tile_city_create(scene, area_m2, values->prediction.options->database, &values->city);
}

rw_status rw_predict_tiles(const rw_scene *scene, const rw_predict_options *options, rw_tile_map **map)
{
    tile_values values = {0};
    rw_tile_map *made = NULL;
    *map = NULL;
    RW_TRY(rw_prediction_begin(scene, options, &values.prediction));
    rw_status status = open(&values);
    if (status == RW_OK) {
        status = rw_tile_map_create(scene, &values.city.tiles, "tiles", &made);
        if (status == RW_OK)
            status = solve(&values, made);
        rw_tile_city_destroy(&values.city);
    }
    rw_prediction_release(&values.prediction);
    if (status != RW_OK)
        rw_tile_map_destroy(made);
    else
        *map = made;
    return status;
}
