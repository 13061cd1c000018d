/* rw_trace with a record of its paths beside them, for gradients. */
#ifndef RW_MODELS_ENGINE_CALLS_TRACE_H
#define RW_MODELS_ENGINE_CALLS_TRACE_H

#include "models/engine/model.h"

/* Called once receivers and transmitters are placed, before the model is opened. */
typedef rw_status (*rw_trace_ready_fn)(void *user, const rw_prediction *prediction);

typedef struct rw_trace_extra {
    struct rw_gain_record *record; /* that the model adds each path to */
    rw_trace_ready_fn ready;
    void *user;
} rw_trace_extra;

/* extra may be NULL. */
rw_status rw_trace_with(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                        size_t point_count, const rw_trace_extra *extra, rw_paths **paths);

/* trace_antennas.c: whether points have antennas of their own, and the paths to such points. Of the options, taken, the
 * antenna of the receivers is that of points without one. */
int rw_points_have_antennas(const rw_predict_options *options, const rw_point *points, size_t count);
rw_status rw_trace_by_antenna(const rw_prediction *prediction, rw_paths **paths);

#endif
