/* rw_predict: checks the call, opens the model or finds it open, and runs it for all transmitters. */
#include "base/memory.h"
#include "base/options.h"
#include "discretise/zones/zones.h"
#include "models/engine/run/ranges.h"
#include "models/engine/run/session.h"
#include "models/engine/prediction/terrain_cover.h"
#include "mechanisms/prior/prior.h"
#include "output/maps/plane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An area that was asked for: not empty, and at least partly on the scene. */
static rw_status check_area(const rw_scene *scene, const double area[4])
{
    if (!(area[2] > area[0] && area[3] > area[1]))
        return rw_fail(scene->context, RW_BAD_CALL, "the area %g,%g,%g,%g is empty: it is west, south, east, north",
                       area[0], area[1], area[2], area[3]);
    double extent[4];
    rw_scene_full_extent(scene, extent);
    if (area[0] > extent[2] || area[1] > extent[3] || area[2] < extent[0] || area[3] < extent[1])
        return rw_fail(scene->context, RW_BAD_CALL,
                       "the area %.10g,%.10g,%.10g,%.10g lies off the scene, which is %.10g,%.10g,%.10g,%.10g", area[0],
                       area[1], area[2], area[3], extent[0], extent[1], extent[2], extent[3]);
    return RW_OK;
}

/* The box of the polygons that limit a map, in whole cells. */
static rw_status find_zone(const rw_scene *scene, const rw_predict_options *options, double area_m[4])
{
    rw_zones zones;
    double res = options->res_m;
    RW_TRY(rw_zones_load(scene->context, options->zone, rw_scene_crs(scene), NULL, &zones));
    for (int i = 0; i < 4; i++)
        area_m[i] = (i < 2 ? floor(zones.box[i] / res) : ceil(zones.box[i] / res)) * res;
    rw_zones_free(&zones);
    return RW_OK;
}

rw_status rw_prediction_cells(const rw_scene *scene, const rw_predict_options *options, rw_map_info *cells)
{
    if (!scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is not committed yet");
    if (rw_plane_is_set(options->plane_m))
        return rw_plane_cells(scene, options, cells);
    *cells = (rw_map_info){.res_m = options->res_m, .rx_height_m = options->rx_height_m};
    double zone_m[4];
    const double *area = options->area_m;
    if (options->zone && isnan(area[0])) {
        RW_TRY(find_zone(scene, options, zone_m));
        area = zone_m;
    }
    double res = options->res_m, x1, y1;
    int chosen = !isnan(area[0]);
    if (chosen)
        RW_TRY(check_area(scene, area));
    cells->x0_m = chosen ? area[0] : floor((scene->box_min.x + scene->origin.x) / res) * res;
    cells->y0_m = chosen ? area[1] : floor((scene->box_min.y + scene->origin.y) / res) * res;
    x1 = chosen ? area[2] : scene->box_max.x + scene->origin.x;
    y1 = chosen ? area[3] : scene->box_max.y + scene->origin.y;
    double columns = fmax(1, ceil((x1 - cells->x0_m) / res - 1e-9)),
           rows = fmax(1, ceil((y1 - cells->y0_m) / res - 1e-9));
    double bytes = columns * rows * 16;
    if (columns * rows > 4294967295.0 || !rw_memory_fits(bytes))
        return rw_fail(
            scene->context, RW_TOO_LARGE,
            "%.0f x %.0f receivers would need %.3g GB, and %.3g GB is free; give a larger res or a smaller area",
            columns, rows, bytes / 1e9, rw_memory_available() / 1e9);
    cells->columns = (size_t)columns;
    cells->rows = (size_t)rows;
    return RW_OK;
}

/* Parameters must be of this model and physical. Where no effects are chosen, those that they were found with count. */
static rw_status check_and_apply_params(rw_prediction *prediction)
{
    rw_predict_options *options = &prediction->resolved_options;
    const rw_params *params = options->params;
    if (!params)
        return RW_OK;
    if (params->model != prediction->model)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "the parameters are those of model %s, and the prediction is by model %s", params->model->name,
                       prediction->model->name);
    const rw_model_option *effects = rw_model_option_find(prediction->model, "effects");
    if (!effects && params->record.effects[0])
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "the parameters were found with effects '%s', which model %s does not have: calibrate again",
                       params->record.effects, prediction->model->name);
    if (!options->effects && params->record.effects[0]) {
        options->effects = params->record.effects;
        RW_TRY(rw_option_check(prediction->scene->context, effects, effects->choices, &options->effects));
    }
    return rw_params_check(params, "parameters");
}

/* Receivers on a storey are so much higher. */
static rw_status apply_floor_height(rw_context *context, rw_predict_options *options)
{
    if (options->floor == RW_UNSET)
        return RW_OK;
    if (!options->indoor)
        return rw_fail(context, RW_BAD_CALL, "floor = %d needs the option indoor, for example slab", options->floor);
    options->rx_height_m += RW_STOREY_M * options->floor;
    options->floor = RW_UNSET;
    return RW_OK;
}

static void set_prediction_model(rw_prediction *prediction, const rw_model *model)
{
    prediction->model = model;
    prediction->buildings_only = model->buildings_only;
    prediction->foliage_in_paths = model->foliage_in_paths;
    prediction->prior_by_engine = model->prior_by_engine;
    prediction->has_air = rw_model_option_find(model, "gas") != NULL;
}

rw_status rw_prediction_begin(const rw_scene *scene, const rw_predict_options *user_options, rw_prediction *prediction)
{
    rw_context *context = scene->context;
    rw_predict_options *options = &prediction->resolved_options;
    *prediction = (rw_prediction){.scene = scene, .options = options};
    RW_TRY(RW_RESOLVE(context, user_options, options));
    RW_TRY(rw_predict_options_apply_defaults(context, options));
    if (!scene->committed)
        return rw_fail(context, RW_BAD_CALL, "the scene is not committed yet");
    RW_TRY(apply_floor_height(context, options));
    set_prediction_model(prediction, rw_model_lookup(options->model));
    if (prediction->model->one_material && scene->materials.count + scene->slabs.count)
        rw_warn(context, "model %s has one loss for all surfaces: materials and slabs of the scene do not count",
                prediction->model->name);
    if (prediction->model->buildings_only && scene->meshes.count)
        rw_warn(
            context,
            "%zu meshes only block and count as walls in model %s, which knows no way over or round them: no building "
            "or wall was made of them; rt, tiles and images take their reflections and edges",
            scene->meshes.count, prediction->model->name);
    prediction->layers = options->layers ? options->layers : prediction->model->default_layers;
    if (options->transmitter_count == 0)
        return rw_fail(context, RW_BAD_CALL, "there is no transmitter");
    return check_and_apply_params(prediction);
}

/* Where transmitters may be beside the scene: on the map, as west, south, east, north. */
static void find_map_area(const rw_map_info *cells, double area_m[4])
{
    area_m[0] = cells->has_plane ? INFINITY : cells->x0_m; /* a plane's x and y are its own */
    area_m[1] = cells->has_plane ? INFINITY : cells->y0_m;
    area_m[2] = cells->has_plane ? -INFINITY : cells->x0_m + (double)cells->columns * cells->res_m;
    area_m[3] = cells->has_plane ? -INFINITY : cells->y0_m + (double)cells->rows * cells->res_m;
}

rw_status rw_prediction_locate(rw_prediction *prediction, const rw_map_info *cells)
{
    double area_m[4];
    find_map_area(cells, area_m);
    RW_TRY(rw_prediction_locate_transmitters(prediction, area_m));
    if (!prediction->receivers.view.columns)
        RW_TRY(rw_prediction_locate_receivers(prediction, cells));
    if (prediction->receivers.view.outdoor_count)
        return RW_OK;
    return rw_fail(prediction->scene->context, RW_BAD_CALL,
                   prediction->options->zone
                       ? "the area has no receivers: all of its %zu cells are inside buildings or outside its polygons"
                       : "the area has no receivers: all of its %zu cells are inside buildings",
                   cells->columns * cells->rows);
}

rw_status rw_prediction_open(const rw_scene *scene, const rw_predict_options *options, rw_map_info *cells,
                             rw_prediction *prediction)
{
    RW_TRY(rw_prediction_begin(scene, options, prediction));
    RW_TRY(rw_prediction_cells(scene, prediction->options, cells));
    rw_status status = rw_prediction_locate(prediction, cells);
    if (status != RW_OK)
        rw_prediction_release(prediction);
    return status;
}

rw_status rw_run_open(rw_run *run, rw_session *session)
{
    const rw_predict_options *options = run->prediction->options;
    RW_TRY(rw_prior_by_engine_check(run->prediction, &run->prior));
    run->map->info.prior = rw_prior_name(run->prior ? options->prior : NULL);
    run->received = (rw_received){.prediction = run->prediction, .memory = &session->received, .prior = run->prior};
    RW_TRY(rw_indoor_create(run->prediction, &run->indoor));
    run->received.indoor = run->indoor.prediction ? &run->indoor : NULL;
    return RW_OK;
}

static rw_status open_layers(rw_run *run, rw_session *session)
{
    const rw_predict_options *options = run->prediction->options;
    RW_TRY(rw_run_open(run, session));
    RW_TRY(rw_map_set_transmitters(run->map, options->transmitters, options->transmitter_count));
    RW_TRY(rw_run_add_layers(run, session->state));
    return rw_received_begin(&run->received);
}

/* All transmitters, a batch at a time. */
static rw_status solve_batches(rw_run *run, void *state)
{
    const rw_model *model = run->prediction->model;
    size_t count = run->prediction->options->transmitter_count, batch = model->batch ? model->batch(state) : 1;
    for (size_t first = 0; first < count; first += batch) {
        size_t now = count - first < batch ? count - first : batch;
        rw_progress_range outer_range =
            rw_progress_narrow(rw_prediction_done_fraction(run->prediction, (double)first),
                               rw_prediction_done_fraction(run->prediction, (double)(first + now)));
        rw_status status = model->solve(state, run, first, now);
        rw_progress_range_set(outer_range);
        RW_TRY(status);
        for (size_t i = first; i < first + now; i++)
            rw_run_finish_losses(run, i);
        RW_TRY(rw_progress_within(run->prediction->scene->context,
                                  rw_prediction_done_fraction(run->prediction, (double)(first + now)), "predicting"));
    }
    return rw_received_finish(&run->received);
}

rw_status rw_run_solve(rw_run *run, void *state)
{
    const rw_model *model = run->prediction->model;
    rw_status status = model->begin ? model->begin(state, run) : RW_OK;
    if (status == RW_OK)
        status = solve_batches(run, state);
    return model->end ? model->end(state, run, status) : status;
}

static rw_status solve_session(rw_run *run, rw_session *session)
{
    double start_s = rw_seconds();
    rw_status status = open_layers(run, session);
    if (status == RW_OK)
        status = rw_run_solve(run, session->state);
    rw_indoor_destroy(&run->indoor);
    run->map->info.solve_s = rw_seconds() - start_s;
    return status;
}

rw_status rw_session_predict(rw_session *session, rw_map **map)
{
    rw_run run = {.prediction = &session->prediction};
    rw_context *context = session->prediction.scene->context;
    rw_map_info info = session->cells;
    info.model = run.prediction->model->name;
    info.backend = rw_context_backend(context);
    *map = NULL;
    RW_TRY(rw_map_create(context, &info, rw_scene_crs(session->prediction.scene), &run.map));
    rw_account *before = rw_account_enter(session->account);
    rw_status status = solve_session(&run, session);
    rw_account_enter(before);
    if (status == RW_OK)
        status = rw_map_limit(run.prediction, run.map);
    if (status == RW_OK)
        *map = run.map;
    else
        rw_map_destroy(run.map);
    return status;
}

rw_status rw_predict_window(const rw_scene *scene, const rw_predict_options *options, const rw_reach *reach,
                            rw_tile_map **tiles, rw_map **map)
{
    rw_session *session;
    double start_s = rw_seconds();
    *map = NULL;
    RW_TRY(rw_session_open_reach(scene, options, reach, &session));
    rw_warn_of_missing_terrain(scene, &session->cells);
    session->prediction.tiles = tiles;
    double prepare_s = rw_seconds() - start_s;
    rw_status status = rw_session_predict(session, map);
    if (status == RW_OK)
        (*map)->info.prepare_s = prepare_s;
    rw_session_close(session, status == RW_OK && !options->zone); /* whose file may be another the next time */
    return status;
}

rw_status rw_predict_into(const rw_scene *scene, const rw_predict_options *options, rw_tile_map **tiles, rw_map **map)
{
    *map = NULL;
    rw_progress_range_set((rw_progress_range){0, 1});
    if (!rw_ranges_are_set(options))
        return rw_predict_window(scene, options, NULL, tiles, map);
    if (tiles)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "values on tiles are computed for the whole scene: leave out radius and range-level");
    return rw_predict_in_range(scene, options, map);
}

rw_status rw_predict(const rw_scene *scene, const rw_predict_options *user_options, rw_map **map)
{
    rw_predict_options options;
    rw_transmitter *transmitter_buffer;
    *map = NULL;
    RW_TRY(rw_predict_options_resolve(scene->context, user_options, &options, &transmitter_buffer));
    rw_status status = rw_predict_into(scene, &options, NULL, map);
    free(transmitter_buffer);
    return status;
}
