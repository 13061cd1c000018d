/* rw_predict: a checked call, the model opened for it or found open, and a map; and what that would take. */
#include "models/engine/calls/calls.h"

#include "base/options.h"
#include "base/progress.h"

#include "models/engine/prediction/prediction.h"
#include "models/engine/run/session.h"
#include "models/engine/run/run.h"

#include <math.h>

static rw_status solve_grid(rw_prediction *prediction, rw_tile_map **tiles, rw_map **map)
{
    rw_session *session;
    double start_s = rw_seconds();
    RW_TRY(rw_session_open(prediction, &session));
    rw_warn_of_missing_terrain(session->prediction->scene, &session->prediction->grid.cells);
    session->prediction->tiles = tiles;
    double prepare_s = rw_seconds() - start_s;
    rw_status status = rw_session_predict(session, map);
    if (status == RW_OK)
        (*map)->info.prepare_s = prepare_s;
    rw_session_close(session, status == RW_OK);
    return status;
}

int rw_ranges_are_set(const rw_predict_options *options)
{
    int limited = !isnan(options->radius_m) || !isnan(options->range_level_dbm);
    for (size_t i = 0; i < options->transmitter_count && !limited; i++)
        limited = options->transmitters[i].radius_m > 0;
    return limited;
}

rw_status rw_prediction_run(rw_prediction *prediction, rw_tile_map **tiles, rw_map **map)
{
    rw_context *context = prediction->scene->context;
    *map = NULL;
    rw_progress_range_set((rw_progress_range){0, 1});
    if (!rw_ranges_are_set(prediction->options))
        return solve_grid(prediction, tiles, map);
    rw_status status = tiles ? rw_fail(context, RW_BAD_CALL,
                                       "values on tiles are computed for the whole scene: leave out radius and "
                                       "range-level")
                             : rw_predict_windows(prediction, map);
    rw_prediction_destroy(prediction);
    return status;
}

/* Values that an open model has are not computed again. */
static rw_status create_and_estimate(const rw_scene *scene, const rw_predict_options *options, const rw_target *target,
                                     rw_estimate *estimate)
{
    rw_prediction *prediction;
    rw_estimate found;
    double fraction = 1;
    RW_TRY(rw_prediction_create(scene, options, target, &prediction));
    rw_status status = rw_prediction_estimate(prediction, &found);
    if (status == RW_OK)
        status = rw_session_find_new_fraction(prediction, &fraction);
    rw_prediction_destroy(prediction);
    RW_TRY(status);
    found.seconds *= fraction;
    return RW_ASSIGN(scene->context, &found, estimate);
}

rw_status rw_predict_estimate(const rw_scene *scene, const rw_predict_options *options, rw_estimate *estimate)
{
    return create_and_estimate(scene, options, NULL, estimate);
}

rw_status rw_trace_estimate(const rw_scene *scene, const rw_predict_options *options, size_t point_count,
                            rw_estimate *estimate)
{
    const rw_target points = {.use = RW_USE_PATHS, .point_count = point_count ? point_count : 1};
    return create_and_estimate(scene, options, &points, estimate);
}

rw_status rw_predict(const rw_scene *scene, const rw_predict_options *options, rw_map **map)
{
    rw_prediction *prediction;
    *map = NULL;
    RW_TRY(rw_prediction_create(scene, options, NULL, &prediction));
    return rw_prediction_run(prediction, NULL, map);
}
