#include "models/engine/run/run.h"

#include "base/memory.h"
#include "base/progress.h"
#include "models/engine/run/session.h"
#include "models/engine/prediction/prediction.h"
#include "mechanisms/prior/prior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct windows {
    rw_run run;                /* of the whole map */
    rw_prediction *prediction; /* of the whole map, located; the caller's */
    rw_received_memory received;
    char layers[512]; /* of a window */
    uint32_t *list;   /* cells of a window that are within the range */
    uint8_t *outdoor; /* of all cells: 1 where there is a receiver */
    int has_layers;
} windows;

/* What is of all transmitters or of one file has no windows. */
static rw_status reject_window_conflicts(const rw_prediction *prediction)
{
    const rw_predict_options *options = prediction->options;
    const char *wrong = !isnan(options->plane_m[0]) ? "a plane in space" : NULL;
    if (options->database)
        wrong = "a database, which is of all receivers of its area,";
    if (options->reuse)
        wrong = "reuse, whose paths are those of all cells,";
    if (options->delay_bins != RW_UNSET && options->delay_bins > 0)
        wrong = "a histogram of delays";
    if (wrong)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "%s does not go with radius and range-level: leave one of them out", wrong);
    return RW_OK;
}

/* Layers of each transmitter that are asked for, and power where layers of all need it. */
static void list_window_layers(windows *work)
{
    const rw_layer_kind *kinds = work->prediction->model->layer_kinds;
    int of_all = 0, power = 0;
    size_t length = 0;
    for (size_t i = 0; kinds[i].name; i++) {
        if (!rw_layer_is_wanted(work->prediction, kinds[i].name))
            continue;
        of_all |= rw_layer_is_combined(kinds[i].name);
        power |= strcmp(kinds[i].name, "power") == 0;
        if (!rw_layer_is_combined(kinds[i].name))
            length += (size_t)snprintf(work->layers + length, sizeof work->layers - length, "%s%s", length ? "," : "",
                                       kinds[i].name);
    }
    if ((of_all && !power) || !length)
        snprintf(work->layers + length, sizeof work->layers - length, "%spower", length ? "," : "");
}

static rw_status open_windows(windows *work)
{
    const rw_scene *scene = work->prediction->scene;
    const rw_predict_options *options = work->prediction->options;
    rw_context *context = scene->context;
    RW_TRY(rw_prediction_locate(work->prediction));
    RW_TRY(reject_window_conflicts(work->prediction));
    rw_warn_of_missing_terrain(scene, &work->prediction->grid.cells);
    list_window_layers(work);
    const rw_receivers_view *view = &work->prediction->receivers.view;
    size_t cells = view->columns * view->rows;
    RW_TRY(rw_array_create(context, cells, sizeof *work->list, "cells", &work->list));
    RW_TRY(rw_array_create(context, cells, 1, "cells", &work->outdoor));
    for (size_t i = 0; i < view->outdoor_count; i++)
        work->outdoor[view->outdoor[i]] = 1;
    rw_map_info info = work->prediction->grid.cells;
    info.model = work->prediction->model->name;
    info.backend = rw_context_backend(context);
    RW_TRY(rw_map_create(context, &info, rw_scene_crs(scene), &work->run.map));
    work->run.prediction = work->prediction;
    work->run.received = (rw_received){.prediction = work->prediction, .memory = &work->received};
    return rw_map_set_transmitters(work->run.map, options->transmitters, options->transmitter_count);
}

static const rw_layer_data *find_layer_data(const rw_map *map, const char *name)
{
    for (size_t i = 0; i < map->info.layers; i++)
        if (strcmp(map->layers[i].name, name) == 0)
            return &map->layers[i];
    return NULL;
}

/* Layers as the first window has them, for all transmitters, in the model's order. */
static rw_status add_window_layers(windows *work, const rw_map *window, size_t transmitters)
{
    const rw_prediction *prediction = work->prediction;
    const rw_layer_kind *kinds = prediction->model->layer_kinds;
    rw_run *run = &work->run;
    work->has_layers = 1;
    for (size_t i = 0; kinds[i].name; i++) {
        int of_all = rw_layer_is_combined(kinds[i].name);
        const rw_layer_data *like = of_all ? NULL : find_layer_data(window, kinds[i].name);
        if (!rw_layer_is_wanted(prediction, kinds[i].name) || (!of_all && !like))
            continue;
        run->bands[i] = like ? like->bands / transmitters : 1;
        size_t bands = of_all ? 1 : run->bands[i] * prediction->options->transmitter_count;
        RW_TRY(rw_map_add_layer(run->map, kinds[i].name, kinds[i].unit, bands, &run->layers[i]));
        rw_layer_data *layer = &run->map->layers[run->map->info.layers - 1];
        if (like) {
            layer->levels = like->levels;
            layer->first_level_m = like->first_level_m;
            layer->level_step_m = like->level_step_m;
        } else {
            rw_received_set_layer(&run->received, kinds[i].name, run->layers[i]);
        }
    }
    run->map->info.prior = rw_prior_name_find(window->info.prior);
    RW_TRY(rw_received_begin(&run->received));
    for (size_t i = 0; rw_received_wanted(&run->received) &&
                       i < work->prediction->grid.cells.columns * work->prediction->grid.cells.rows;
         i++)
        work->received.power_dbm[i] = work->outdoor[i] ? -INFINITY : NAN;
    return RW_OK;
}

/* One band of a window into one of the whole map, where it is within the range. */
static void copy_band(const windows *work, rw_window window, const uint8_t *within, const float *from, float *to)
{
    for (size_t row = 0; row < window.rows; row++)
        for (size_t column = 0; column < window.columns; column++)
            if (within[row * window.columns + column])
                to[(window.row + row) * work->prediction->grid.cells.columns + window.column + column] =
                    from[row * window.columns + column];
}

static void copy_layers(windows *work, rw_window window, const uint8_t *within, const rw_map *map, size_t first,
                        size_t transmitters)
{
    const rw_layer_kind *kinds = work->prediction->model->layer_kinds;
    size_t cells = work->prediction->grid.cells.columns * work->prediction->grid.cells.rows,
           window_cells = window.columns * window.rows;
    for (size_t i = 0; kinds[i].name; i++) {
        const rw_layer_data *layer = work->run.layers[i] ? find_layer_data(map, kinds[i].name) : NULL;
        size_t bands = layer ? work->run.bands[i] : 0;
        for (size_t band = 0; band < transmitters * bands; band++)
            copy_band(work, window, within, layer->values + band * window_cells,
                      work->run.layers[i] + (first * bands + band) * cells);
    }
}

static void receive_window(windows *work, rw_window window, const uint8_t *within, const rw_map *map, size_t first,
                           size_t transmitters)
{
    const rw_layer_data *power = find_layer_data(map, "power");
    if (!rw_received_wanted(&work->run.received))
        return;
    size_t window_cells = window.columns * window.rows, count = 0;
    for (size_t i = 0; i < window_cells; i++)
        if (within[i])
            work->list[count++] = (uint32_t)((window.row + i / window.columns) * work->prediction->grid.cells.columns +
                                             window.column + i % window.columns);
    for (size_t k = 0; k < transmitters; k++) {
        copy_band(work, window, within, power->values + k * window_cells, work->received.power_dbm);
        rw_received_add_cells(&work->run.received, first + k, work->list, count);
    }
}

/* Cells of the window whose centre is within the range, and whether one of them has a receiver. */
static int mark_within(const windows *work, rw_window window, const rw_transmitter *at, double range_m, uint8_t *within)
{
    int any = 0;
    for (size_t i = 0; i < window.columns * window.rows; i++) {
        size_t column = window.column + i % window.columns, row = window.row + i / window.columns;
        within[i] = (uint8_t)rw_cell_is_within(&work->prediction->grid.cells, column, row, at->x_m, at->y_m, range_m);
        size_t cell = row * work->prediction->grid.cells.columns + column;
        int inside = work->prediction->options->indoor && work->prediction->receivers.view.indoor[cell] == 1;
        any |= within[i] && (work->outdoor[cell] || inside);
    }
    return any;
}

static rw_status predict_window(const windows *work, const rw_grid *grid, size_t first, size_t count, rw_map **map)
{
    rw_prediction *prediction;
    rw_session *session;
    RW_TRY(rw_prediction_create_part(
        work->prediction, &(rw_prediction_part){.first = first, .count = count, .grid = grid, .layers = work->layers},
        &prediction));
    RW_TRY(rw_session_open(prediction, &session));
    rw_status status = rw_session_predict(session, map);
    rw_session_close(session, status == RW_OK);
    return status;
}

static rw_status solve_window(windows *work, rw_window window, const uint8_t *within, size_t first, size_t count)
{
    const rw_transmitter *at = &work->prediction->options->transmitters[first];
    rw_grid grid = {rw_window_cells(&work->prediction->grid.cells, window), at->x_m, at->y_m,
                    rw_range_m(work->prediction, first), NULL};
    rw_map *map;
    int held = rw_warnings_hold(work->has_layers);
    rw_status status = predict_window(work, &grid, first, count, &map);
    rw_warnings_hold(held);
    RW_TRY(status);
    if (!work->has_layers)
        status = add_window_layers(work, map, count);
    if (status == RW_OK) {
        copy_layers(work, window, within, map, first, count);
        receive_window(work, window, within, map, first, count);
    }
    rw_map_destroy(map);
    return status;
}

/* The transmitters at one place. */
static rw_status solve_window_site(windows *work, size_t first, size_t count)
{
    const rw_transmitter *at = &work->prediction->options->transmitters[first];
    double range_m = rw_range_m(work->prediction, first);
    rw_window window = rw_window_around(&work->prediction->grid.cells, at->x_m, at->y_m, range_m);
    uint8_t *within;
    if (!window.columns)
        return RW_OK;
    RW_TRY(rw_array_create(work->prediction->scene->context, window.columns * window.rows, 1, "cells", &within));
    rw_status status = RW_OK;
    if (mark_within(work, window, at, range_m, within))
        status = solve_window(work, window, within, first, count);
    free(within);
    return status;
}

static rw_status finish_windows(windows *work)
{
    size_t cells = work->prediction->grid.cells.columns * work->prediction->grid.cells.rows, count = 0;
    if (!work->has_layers)
        return rw_fail(work->prediction->scene->context, RW_BAD_CALL,
                       "no receiver is within the range of a transmitter: raise radius, lower range-level, or give "
                       "another area");
    for (size_t i = 0; rw_received_wanted(&work->run.received) && i < cells; i++)
        if (work->outdoor[i] || work->received.server[i] != RW_NO_SERVER)
            work->list[count++] = (uint32_t)i;
    return rw_received_finish_cells(&work->run.received, work->list, count);
}

static rw_status solve_window_sites(windows *work)
{
    double total = (double)work->prediction->options->transmitter_count;
    for (size_t first = 0, count; first < work->prediction->options->transmitter_count; first += count) {
        count = rw_ranges_alike(work->prediction, first);
        rw_progress_range outer_range = rw_progress_narrow((double)first / total, (double)(first + count) / total);
        rw_status status = solve_window_site(work, first, count);
        rw_progress_range_set(outer_range);
        RW_TRY(status);
    }
    return finish_windows(work);
}

rw_status rw_predict_windows(rw_prediction *prediction, rw_map **map)
{
    windows work = {.prediction = prediction};
    double start_s = rw_seconds();
    *map = NULL;
    rw_status status = open_windows(&work);
    double ready_s = rw_seconds();
    if (status == RW_OK)
        status = solve_window_sites(&work);
    if (status == RW_OK) {
        work.run.map->info.prepare_s = ready_s - start_s;
        work.run.map->info.solve_s = rw_seconds() - ready_s;
        *map = work.run.map;
    } else {
        rw_map_destroy(work.run.map);
    }
    rw_received_memory_free(&work.received);
    free(work.list);
    free(work.outdoor);
    return status;
}
