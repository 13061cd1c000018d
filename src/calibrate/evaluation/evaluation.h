/* An evaluation in memory: points with what was measured and what was predicted there, and their figures. */
#ifndef RW_CALIBRATE_EVALUATION_EVALUATION_H
#define RW_CALIBRATE_EVALUATION_EVALUATION_H

#include "base/context.h"
#include "calibrate/measurements/measurements.h"

#include <rasterwave/calibrate.h>

#define RW_BASELINE_COUNT 6

struct rw_evaluation {
    rw_context *context;
    rw_evaluation_info info;
    /* Of each point, in the order of the file: */
    double *x_m, *y_m, *along_m;
    double *height_m; /* above ground */
    double *measured_db, *predicted_db, *one_slope_db;
    size_t *samples;
    const char **routes, **sites, **devices;
    float *mechanisms;                   /* as the layer of that name has them; NaN: the model does not say */
    const rw_transmitter **transmitters; /* the caller's, where points are of several; NULL otherwise */
    uint32_t *groups;                    /* of those that share an offset; NULL: there are no offsets */
    size_t group_count;
    rw_offset *offsets; /* of groups that have points: info.offsets of them */
    rw_baseline baselines[RW_BASELINE_COUNT];
    double above_m;          /* higher points have figures of their own */
    double *wall_x, *wall_y; /* for pictures: both ends of each wall near the points, and NaN */
    size_t wall_count;       /* of numbers in each */
};

typedef enum rw_averaging { RW_AVERAGE_DB, RW_AVERAGE_LINEAR, RW_AVERAGE_NONE } rw_averaging;

rw_status rw_averaging_parse(rw_context *context, const char *string, rw_averaging *averaging);

/* Room for at most capacity points. */
rw_status rw_evaluation_create(rw_context *context, size_t capacity, rw_evaluation **evaluation);

/* A sample that is compared: which, and the cell that it lies in. */
typedef struct rw_cell_sample {
    size_t sample;
    size_t cell;
    double predicted_db;
} rw_cell_sample;

/* The samples of one cell, in the order of the file. */
typedef struct rw_cell_run {
    const rw_cell_sample *items;
    size_t count;
} rw_cell_run;

/* average.c: sorts items, which come in the order of the file, into runs in the order of their first samples; without
 * averaging each sample is its own. runs is to be freed. */
rw_status rw_cell_runs_find(rw_context *context, rw_cell_sample *items, size_t count, rw_averaging averaging,
                            rw_cell_run **runs, size_t *run_count);
double rw_average_loss_db(const double *loss_db, const rw_cell_sample *items, size_t count, rw_averaging averaging);

/* average.c: samples to points. loss_db: of each sample; items come in the order of the file and are sorted on the way.
 */
rw_status rw_evaluation_average(rw_evaluation *evaluation, const rw_measurements *measurements, const double *loss_db,
                                rw_cell_sample *items, size_t count, rw_averaging averaging);

/* Way along the points, statistics, histogram and the one-slope fit from them, whose distances are from the transmitter
 * or from that of each point; transmitter may be NULL. A model's own predictions at the measured places end here as
 * well. */
/* evaluate_map.c: the caller's options, or the usual ones for NULL; their transmitter, where there is one, is put into
 * room. */
rw_status rw_evaluate_options_resolve(rw_context *context, const rw_evaluate_options *user_options,
                                      rw_evaluate_options *options, rw_transmitter *transmitter_buffer);

rw_status rw_evaluation_finish(rw_evaluation *evaluation, const rw_transmitter *transmitter);

/* Makes the mean error of each group zero by adding to predicted, one a point; nothing without groups. offsets: of each
 * group, NULL where they are not wanted. */
rw_status rw_evaluation_level(const rw_evaluation *evaluation, double *predicted_db, double *offsets_db);

/* baselines.c: what formulas without a map say of the points, whose transmitters are known. */
typedef struct rw_baseline_setting {
    const rw_transmitter *transmitter; /* of all points, where each has none of its own */
    double freq_hz;                    /* of transmitters that name none */
    double mean_roof_m;
    const uint8_t *in_sight; /* of each point; NULL: all are out of sight */
} rw_baseline_setting;

rw_status rw_evaluation_add_baselines(rw_evaluation *evaluation, const rw_baseline_setting *setting);

/* The route with another word for its values, as "synthetic", and without the figures of the errors. */
rw_status rw_evaluation_draw_route(const rw_evaluation *evaluation, const char *values, const char *path);

/* Figures of a prediction's errors, and the fit that a prediction must beat. Numbers in, numbers out. */

/* All figures of count pairs; every value must be finite. count 0 gives NaN throughout. */
rw_status rw_error_figures(rw_context *context, const double *measured_db, const double *predicted_db, size_t count,
                           rw_error_statistics *figures);

/* Bins of a round width (1, 2 or 5 times a power of ten, at least 1 dB), so that at most RW_HISTOGRAM_BINS_MAX hold all
 * errors. */
void rw_error_histogram(const double *measured_db, const double *predicted_db, size_t count, rw_histogram *histogram);

/* The line y = intercept + slope x of least squares. 0 where there is none: fewer than two points, or all x the same.
 */
int rw_fit_line(const double *x, const double *y, size_t count, double *intercept, double *slope);

#endif
