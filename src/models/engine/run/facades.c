#include "models/engine/calls/calls.h"

#include "base/memory.h"
#include "base/progress.h"
#include "models/engine/run/session.h"

#include <string.h>

/* Losses and powers along walls, from which receivers inside buildings have theirs: a prediction at points, the same
 * whatever the cells and the area of the map. */

/* What does not hold along walls: the cells of the map, and what follows after entry. */
static void set_facade_options(rw_prediction *prediction)
{
    rw_predict_options *options = &prediction->resolved_options;
    const rw_database *database = options->database;
    options->indoor = options->reference = options->zone = options->reuse = options->sigma = NULL;
    options->res_m = RW_FACADE_SPACING_M; /* of local means */
    prediction->grid.zone = NULL;
    if (database && database->model->database->receivers)
        options->database = NULL;
}

static rw_status copy_facade_layer(const rw_map *map, const char *name, float **values)
{
    size_t index, bytes;
    RW_TRY(rw_map_find_layer(map, name, &index));
    const rw_layer_data *layer = &map->layers[index];
    bytes = layer->bands * map->info.columns * sizeof **values;
    RW_TRY(rw_array_create(map->context, layer->bands * map->info.columns, sizeof **values, "facades", values));
    memcpy(*values, layer->values, bytes);
    return RW_OK;
}

static rw_status predict_facades(rw_indoor *indoor, rw_prediction *prediction)
{
    rw_session *session;
    rw_map *map;
    RW_TRY(rw_session_open(prediction, &session));
    session->prediction->compositions = indoor->compositions;
    rw_status status = rw_session_predict(session, &map);
    session->prediction->compositions = NULL;
    rw_session_close(session, status == RW_OK);
    RW_TRY(status);
    status = copy_facade_layer(map, "path_loss", &indoor->loss_db);
    if (status == RW_OK)
        status = copy_facade_layer(map, "power", &indoor->power_dbm);
    rw_map_destroy(map);
    return status;
}

rw_status rw_run_solve_facades(rw_run *run)
{
    rw_indoor *indoor = &run->indoor;
    const rw_prediction *whole = run->prediction;
    const rw_prediction_part part = {
        .points = indoor->receivers, .point_count = indoor->receiver_count, .layers = "path_loss,power"};
    rw_prediction *prediction;
    if (!indoor->receiver_count)
        return RW_OK;
    double fraction =
        (double)indoor->receiver_count / (double)(indoor->receiver_count + whole->receivers.view.outdoor_count);
    RW_TRY(rw_prediction_create_part(whole, &part, &prediction));
    set_facade_options(prediction);
    rw_status status =
        whole->compositions
            ? rw_array_create(whole->scene->context, whole->options->transmitter_count * indoor->receiver_count,
                              sizeof *indoor->compositions, "link budgets", &indoor->compositions)
            : RW_OK;
    if (status != RW_OK) {
        rw_prediction_destroy(prediction);
        return status;
    }
    rw_progress_range outer_range = rw_progress_narrow(0, fraction);
    status = predict_facades(indoor, prediction);
    rw_progress_range_set(outer_range);
    rw_progress_narrow(fraction, 1);
    return status;
}
