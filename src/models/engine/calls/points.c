#include "models/engine/calls/calls.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "mechanisms/prior/prior.h"
#include "models/engine/run/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A prediction at points is the map of one row that a model has at receivers of these positions. A map cell is by
 * construction this prediction at its centre. */

/* compositions NULL: none is recorded. */
static rw_status predict_receivers(rw_prediction *prediction, rw_composition *compositions, rw_map **map)
{
    rw_session *session;
    RW_TRY(rw_session_open(prediction, &session));
    session->prediction->compositions = compositions;
    rw_status status = rw_session_predict(session, map);
    session->prediction->compositions = NULL;
    rw_session_close(session, status == RW_OK);
    return status;
}

/* Compositions of count receivers, transmitter after transmitter. */
static rw_status allocate_part_compositions(const rw_prediction *whole, size_t count, rw_composition **compositions)
{
    *compositions = NULL;
    return whole->compositions ? rw_array_create(whole->scene->context, whole->options->transmitter_count * count,
                                                 sizeof **compositions, "link budgets", compositions)
                               : RW_OK;
}

static void copy_compositions(const rw_prediction *whole, const rw_composition *from, const size_t *indices,
                              size_t count)
{
    for (size_t i = 0; from && i < whole->options->transmitter_count; i++)
        for (size_t k = 0; k < count; k++)
            whole->compositions[i * whole->point_count + indices[k]] = from[i * count + k];
}

/* Cells of all points, band after band: those of one group of points, or of one. */
static rw_status copy_values(const rw_map *from, const size_t *indices, size_t count, rw_map *to)
{
    for (size_t i = 0; i < from->info.layers; i++) {
        const rw_layer_data *layer = &from->layers[i];
        float *values;
        size_t index;
        if (rw_map_find_layer(to, layer->name, &index) == RW_OK) {
            values = to->layers[index].values;
        } else {
            RW_TRY(rw_map_add_layer(to, layer->name, layer->unit, layer->bands, &values));
            rw_layer_data *added = &to->layers[to->info.layers - 1];
            added->levels = layer->levels;
            added->first_level_m = layer->first_level_m;
            added->level_step_m = layer->level_step_m;
        }
        for (size_t band = 0; band < layer->bands; band++)
            for (size_t k = 0; k < count; k++)
                values[band * to->info.columns + indices[k]] = layer->values[band * count + k];
    }
    return RW_OK;
}

typedef struct points_call {
    rw_prediction *whole;
    rw_map *map;
    size_t *group;    /* points of one height, by their index */
    rw_point *points; /* the same points */
} points_call;

static double find_height_m(const rw_prediction *whole, size_t point)
{
    double own_m = whole->points[point].height_m;
    return isnan(own_m) ? whole->options->rx_height_m : own_m;
}

static rw_prediction_part describe_group(const points_call *call, size_t point)
{
    return (rw_prediction_part){.raised_m = find_height_m(call->whole, point) - call->whole->options->rx_height_m};
}

/* The prediction of some of the points, which it destroys. */
static rw_status predict_part(const points_call *call, rw_prediction *prediction, const size_t *indices, size_t count)
{
    rw_composition *compositions;
    rw_map *map = NULL;
    rw_status status = allocate_part_compositions(call->whole, count, &compositions);
    if (status == RW_OK)
        status = predict_receivers(prediction, compositions, &map);
    else
        rw_prediction_destroy(prediction);
    if (status == RW_OK)
        status = copy_values(map, indices, count, call->map);
    if (status == RW_OK)
        copy_compositions(call->whole, compositions, indices, count);
    rw_map_destroy(map);
    free(compositions);
    return status;
}

/* All points of one height in one run. */
static rw_status predict_group(const points_call *call, size_t count)
{
    rw_prediction_part part = describe_group(call, call->group[0]);
    rw_prediction *prediction;
    part.points = call->points;
    part.point_count = count;
    RW_TRY(rw_prediction_create_part(call->whole, &part, &prediction));
    return predict_part(call, prediction, call->group, count);
}

static rw_status predict_groups(const points_call *call, uint8_t *done)
{
    const rw_prediction *whole = call->whole;
    for (size_t first = 0; first < whole->point_count; first++) {
        size_t count = 0;
        for (size_t i = first; i < whole->point_count && !done[first]; i++)
            if (!done[i] && find_height_m(whole, i) == find_height_m(whole, first)) {
                call->group[count] = i;
                call->points[count] = whole->points[i];
                call->points[count++].height_m = find_height_m(whole, i);
                done[i] = i > first;
            }
        if (count)
            RW_TRY(predict_group(call, count));
    }
    return RW_OK;
}

static rw_status allocate_points_call(points_call *call, uint8_t **marks)
{
    rw_context *context = call->whole->scene->context;
    size_t count = call->whole->point_count;
    const rw_map_info info = {.size = sizeof info,
                              .columns = count,
                              .rows = 1,
                              .res_m = 1,
                              .rx_height_m = call->whole->options->rx_height_m,
                              .model = call->whole->model->name,
                              .backend = rw_context_backend(context)};
    RW_TRY(rw_array_create(context, count, sizeof *call->group, "points", &call->group));
    RW_TRY(rw_array_create(context, count, sizeof *call->points, "points", &call->points));
    RW_TRY(rw_array_create(context, count, sizeof **marks, "points", marks));
    RW_TRY(rw_map_create(context, &info, rw_scene_crs(call->whole->scene), &call->map));
    return rw_map_set_transmitters(call->map, call->whole->options->transmitters,
                                   call->whole->options->transmitter_count);
}

/* Every layer of points that no map reaches, so that they are there without a value. */
static rw_status add_missing_layers(const points_call *call)
{
    const rw_prediction *whole = call->whole;
    const rw_layer_kind *kinds = whole->model->layer_kinds;
    float *values;
    for (size_t i = 0; call->map->info.layers == 0 && kinds[i].name; i++)
        if (rw_list_contains(whole->layers, kinds[i].name))
            RW_TRY(rw_map_add_layer(call->map, kinds[i].name, kinds[i].unit,
                                    rw_layer_is_combined(kinds[i].name) ? 1 : whole->options->transmitter_count,
                                    &values));
    return RW_OK;
}

/* What callers of the library may not name at points; evaluations, whose options are those of a map, may. */
static rw_status check_options_at_points(const rw_prediction *whole)
{
    const rw_predict_options *options = whole->options;
    if (isnan(options->plane_m[0]) && !options->zone && !options->database && !options->reuse)
        return RW_OK;
    return rw_fail(whole->scene->context, RW_BAD_CALL,
                   "a plane, polygons, a database and stored paths are of the cells of a map: leave them out at "
                   "points");
}

static rw_status solve_points_call(points_call *call, uint8_t *marks)
{
    rw_prediction *whole = call->whole;
    RW_TRY(rw_prediction_locate(whole));
    if (whole->receivers.view.outdoor_count || whole->options->indoor)
        RW_TRY(predict_groups(call, marks));
    return add_missing_layers(call);
}

rw_status rw_prediction_solve_points(rw_prediction *whole, rw_map **map)
{
    points_call call = {.whole = whole};
    uint8_t *marks = NULL;
    *map = NULL;
    if (whole->point_count == 0)
        return rw_fail(whole->scene->context, RW_BAD_CALL, "there is no point to predict at; give at least one");
    rw_status status = allocate_points_call(&call, &marks);
    if (status == RW_OK)
        status = solve_points_call(&call, marks);
    if (status == RW_OK)
        *map = call.map;
    else
        rw_map_destroy(call.map);
    free(call.group);
    free(call.points);
    free(marks);
    return status;
}

rw_status rw_predict_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                            size_t point_count, rw_map **map)
{
    const rw_target target = {.use = RW_USE_MAP, .points = points, .point_count = point_count};
    rw_prediction *whole;
    *map = NULL;
    rw_progress_range_set((rw_progress_range){0, 1});
    RW_TRY(rw_prediction_create(scene, options, &target, &whole));
    rw_status status = check_options_at_points(whole);
    if (status == RW_OK)
        status = rw_prediction_solve_points(whole, map);
    rw_prediction_destroy(whole);
    return status;
}

static rw_status copy_point_layers(const rw_map *map, size_t count, rw_point_layer *layers, size_t layer_count)
{
    for (size_t i = 0; i < layer_count; i++) {
        size_t index;
        rw_map_layer layer = {.size = sizeof layer};
        RW_TRY(rw_map_find_layer(map, layers[i].name, &index));
        RW_TRY(rw_map_get_layer(map, index, &layer));
        memcpy(layers[i].values, layer.values, count * sizeof *layers[i].values);
    }
    return RW_OK;
}

/* What is asked of a prediction at points. */
typedef struct layers_request {
    size_t count;
    rw_point_layer *layers;
    size_t layer_count;
} layers_request;

static rw_status solve_layers(rw_prediction *prediction, void *user)
{
    const layers_request *request = user;
    rw_map *map;
    RW_TRY(rw_prediction_solve_points(prediction, &map));
    rw_status status = copy_point_layers(map, request->count, request->layers, request->layer_count);
    rw_map_destroy(map);
    return status;
}

rw_status rw_prediction_at_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                  size_t count, rw_prediction_fn work, void *user)
{
    const rw_target target = {.use = RW_USE_MAP, .points = points, .point_count = count};
    rw_prediction *prediction;
    rw_account *account = NULL;
    RW_TRY(rw_prediction_create(scene, options, &target, &prediction));
    rw_status status = prediction->options->transmitter_count == 1
                           ? rw_prediction_open_account(prediction, &account)
                           : rw_fail(scene->context, RW_INTERNAL, "%zu transmitters at points",
                                     prediction->options->transmitter_count);
    rw_account *before = rw_account_enter(account);
    if (status == RW_OK)
        status = rw_prediction_locate(prediction);
    if (status == RW_OK)
        status = work(prediction, user);
    rw_account_enter(before);
    rw_account_close(account);
    rw_prediction_destroy(prediction);
    return status;
}

rw_status rw_solve_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                          size_t count, rw_point_layer *layers, size_t layer_count)
{
    rw_predict_options point_options = *options;
    layers_request request = {count, layers, layer_count};
    char names[256] = "";
    for (size_t i = 0; i < layer_count; i++) {
        strncat(names, i ? "," : "", sizeof names - strlen(names) - 1);
        strncat(names, layers[i].name, sizeof names - strlen(names) - 1);
    }
    point_options.layers = names;
    return rw_prediction_at_points(scene, &point_options, points, count, solve_layers, &request);
}
