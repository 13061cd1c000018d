/* Values on the tiles themselves: of a prediction of their own (rw_predict_tiles), or beside the cells of a map. */
#include "models/tiles/tiles.h"

#include "base/memory.h"
#include "models/engine/calls/calls.h"
#include "base/parallel.h"
#include "discretise/prepared.h"
#include "models/engine/run/session.h"

#include <stdlib.h>
#include <string.h>

void rw_tile_store_mechanism(const rw_ray_layers *layers, size_t cell, const rw_ray_sums *sums)
{
    float *mechanism = rw_run_layer(layers->run, RW_TILE_LAYER_MECHANISM, layers->transmitter);
    if (mechanism)
        mechanism[cell] = sums->sight                          ? RW_TILE_SIGHT
                          : 2 * sums->over_roofs > sums->power ? RW_TILE_ROOFS
                                                               : RW_TILE_RAYS;
}

static rw_status store_map_sources(const rw_prediction *prediction, rw_tile_map *map)
{
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    RW_TRY(rw_tile_map_add_sources(map, prediction->options->transmitter_count));
    for (size_t i = 0; i < map->source_count; i++) {
        rw_vec3 at = prediction->sources[i];
        map->sources[i] = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z);
        map->freqs_hz[i] = rw_prediction_freq_hz(prediction, i);
    }
    return RW_OK;
}

/* Tiles as the receivers of a prediction: a map of one row. */
static rw_status list_tile_receivers(rw_tile_values *values)
{
    rw_context *context = values->city->context;
    rw_receivers_view *view = &values->prediction.receivers.view;
    uint32_t count = values->city->tiles.view.tile_count;
    RW_TRY(rw_array_create(context, count, sizeof *values->all, "tiles", &values->all));
    RW_TRY(rw_array_create(context, count, 1, "tiles", &values->outdoors));
    RW_TRY(rw_array_create(context, count, sizeof *values->centres, "tiles", &values->centres));
    for (uint32_t i = 0; i < count; i++) {
        values->all[i] = i;
        values->centres[i] = values->city->tiles.view.tiles[i].centre;
    }
    *view = (rw_receivers_view){.columns = count,
                                .rows = 1,
                                .outdoor = values->all,
                                .outdoor_count = count,
                                .indoor = values->outdoors,
                                .points = values->centres};
    return RW_OK;
}

static rw_status allocate_tile_values(rw_tile_values *values)
{
    rw_context *context = values->city->context;
    const rw_predict_options *options = values->prediction.options;
    size_t count = values->city->tiles.view.tile_count;
    RW_TRY(list_tile_receivers(values));
    values->run = (rw_run){.prediction = &values->prediction,
                           .map = values->map->values,
                           .received = {.prediction = &values->prediction, .memory = &values->received}};
    RW_TRY(rw_map_set_transmitters(values->run.map, options->transmitters, options->transmitter_count));
    RW_TRY(store_map_sources(&values->prediction, values->map));
    RW_TRY(rw_array_create(context, count, sizeof *values->sums, "sums", &values->sums));
    RW_TRY(rw_array_create(context, count, sizeof *values->power_dbm, "received power", &values->power_dbm));
    RW_TRY(rw_run_add_layers(&values->run, NULL));
    return rw_received_begin(&values->run.received);
}

rw_status rw_tile_values_begin(const rw_prediction *prediction, const rw_tile_city *city, rw_ray_sum_kind kind,
                               rw_tile_values *values)
{
    *values = (rw_tile_values){.prediction = *prediction, .city = city, .kind = kind};
    values->prediction.corrections = (rw_corrections){0}; /* of cells */
    RW_TRY(rw_tile_map_create(prediction->scene, &city->tiles, "tiles", &values->map));
    rw_status status = allocate_tile_values(values);
    if (status != RW_OK)
        rw_tile_map_destroy(rw_tile_values_end(values));
    return status;
}

typedef struct storing {
    const rw_tile_values *values;
    const rw_tile_solver *solver;
    const rw_ray_layers *layers;
} storing;

static void store_tiles(void *user, size_t begin, size_t end)
{
    const storing *to = user;
    const rw_tile *tiles = to->values->city->tiles.view.tiles;
    const rw_tile_scene *scene = &to->solver->host;
    for (size_t i = begin; i < end; i++) {
        double straight_m = rw_vec3_length(rw_vec3_sub(tiles[i].centre, scene->source));
        rw_ray_layers_store(to->layers, i, &to->values->sums[i], scene->wavelength_m / (4 * RW_PI * straight_m),
                            straight_m / RW_SPEED_OF_LIGHT_M_S);
        rw_tile_store_mechanism(to->layers, i, &to->values->sums[i]);
    }
}

rw_status rw_tile_values_add(rw_tile_values *values, size_t transmitter, const rw_tile_solver *solver)
{
    rw_ray_layers layers = {&values->run, transmitter, values->kind, values->power_dbm};
    RW_TRY(rw_tile_solver_read(solver, values->sums, NULL));
    rw_ray_layers_begin(&layers);
    storing to = {values, solver, &layers};
    RW_TRY(rw_parallel(values->city->context, values->city->tiles.view.tile_count, 2048, store_tiles, &to));
    RW_TRY(rw_ray_layers_end(&layers, &values->run));
    return rw_run_finish_losses(&values->run, transmitter);
}

rw_status rw_tile_values_finish(rw_tile_values *values)
{
    return values->received.total_mw ? rw_received_finish(&values->run.received) : RW_OK;
}

rw_tile_map *rw_tile_values_end(rw_tile_values *values)
{
    rw_tile_map *map = values->map;
    rw_received_memory_free(&values->received);
    free(values->all);
    free(values->centres);
    free(values->outdoors);
    free(values->power_dbm);
    free(values->sums);
    *values = (rw_tile_values){0};
    return map;
}

static rw_status check_model(const rw_prediction *prediction)
{
    if (prediction->model != &rw_model_tiles)
        return rw_fail(prediction->scene->context, RW_BAD_CALL, "model %s has no values on tiles; use tiles",
                       prediction->model->name);
    return RW_OK;
}

rw_status rw_tiles_locate_on_scene(rw_prediction *prediction)
{
    const rw_scene *scene = prediction->scene;
    double area_m[4] = {scene->box_min.x + scene->origin.x, scene->box_min.y + scene->origin.y,
                        scene->box_max.x + scene->origin.x, scene->box_max.y + scene->origin.y};
    RW_TRY(check_model(prediction));
    return rw_prediction_locate_transmitters(prediction, area_m);
}

rw_status rw_predict_tiles(const rw_scene *scene, const rw_predict_options *options, rw_tile_map **map)
{
    rw_prediction *prediction;
    void *state;
    *map = NULL;
    RW_TRY(rw_prediction_create(scene, options, &(rw_target){.use = RW_USE_TILES}, &prediction));
    prediction->tiles = map;
    rw_account *account = NULL;
    rw_status status = rw_prediction_open_account(prediction, &account);
    rw_account *before = rw_account_enter(account);
    if (status == RW_OK)
        status = rw_tiles_locate_on_scene(prediction);
    if (status == RW_OK)
        status = prediction->model->open(prediction, RW_USE_TILES, &state);
    if (status == RW_OK) {
        rw_run run = {.prediction = prediction, .received = {.prediction = prediction}};
        status = rw_run_solve(&run, state);
        prediction->model->close(state);
    }
    rw_account_enter(before);
    rw_account_close(account);
    rw_prediction_destroy(prediction);
    return status;
}

rw_status rw_predict_with_tiles(const rw_scene *scene, const rw_predict_options *options, rw_map **map,
                                rw_tile_map **tiles)
{
    rw_prediction *prediction;
    *map = NULL;
    *tiles = NULL;
    RW_TRY(rw_prediction_create(scene, options, NULL, &prediction));
    rw_status status = check_model(prediction);
    if (status == RW_OK)
        return rw_prediction_run(prediction, tiles, map);
    rw_prediction_destroy(prediction);
    return status;
}
