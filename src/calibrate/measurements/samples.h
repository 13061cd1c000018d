/* Measured points at which a model is evaluated: of which transmitter, where, and what was measured. */
#ifndef RW_CALIBRATE_MEASUREMENTS_SAMPLES_H
#define RW_CALIBRATE_MEASUREMENTS_SAMPLES_H

#include "calibrate/evaluation/evaluation.h"
#include "calibrate/measurements/measurements.h"
#include "models/engine/model.h"

#include <rasterwave/calibrate.h>

typedef struct rw_sample_point {
    size_t sample; /* of the measurements: the one nearest to the middle of its cell's samples */
    size_t first;  /* the first of them */
    size_t sample_count;
    uint32_t transmitter;
    uint32_t group;   /* of those that share an offset */
    uint8_t held_out; /* from the fit */
    float measured_db;
} rw_sample_point;

/* Of a sample whose site is not among the transmitters. */
#define RW_NO_TRANSMITTER UINT32_MAX

/* How samples become places. */
typedef struct rw_sample_point_options {
    const char *average;     /* NULL: in dB */
    const char *offsets;     /* groups that share an offset; NULL: none */
    const uint8_t *held_out; /* says of each sample whether it is kept out of a fit; NULL: none is */
    int skip_bad;            /* leaves out what would fail, and counts it */
    const char *heights;     /* as in rw_evaluate_options */
    int inside;              /* 1: points inside buildings too, if the prediction has indoor */
} rw_sample_point_options;

/* What the measurements' z is. */
typedef enum rw_height_kind { RW_HEIGHTS_NONE, RW_HEIGHTS_ABOVE_GROUND, RW_HEIGHTS_ABOVE_SEA } rw_height_kind;

typedef struct rw_sample_points {
    const rw_scene *scene;
    const rw_predict_options *prediction; /* the caller's */
    const rw_measurements *measurements;
    rw_sample_point *items;
    size_t count;
    size_t samples_used, off_map, in_building, no_path;
    int skip_bad;
    size_t bad_rows;    /* samples of sites that are not among the transmitters */
    size_t bad_sites;   /* sites that the model cannot predict from */
    size_t of_bad_site; /* their samples */
    rw_height_kind heights;
    rw_offset_kind offsets;
    size_t device_count, group_count; /* 1 where they do not matter */
} rw_sample_points;

/* Samples on the scene and outside buildings, one place a cell, transmitter, side of the hold-out and, where devices
 * have offsets, device. */
rw_status rw_sample_points_create(const rw_scene *scene, const rw_predict_options *prediction,
                                  const rw_measurements *measurements, const rw_sample_point_options *options,
                                  rw_sample_points *sample_points);
void rw_sample_points_destroy(rw_sample_points *sample_points);

/* Height of a sample above ground; the prediction's rx_height_m where the measurements' z does not count. Lower ones
 * count as RW_SAMPLE_HEIGHT_MIN_M. */
#define RW_SAMPLE_HEIGHT_MIN_M 0.5
double rw_sample_height_m(const rw_sample_points *sample_points, size_t sample);

/* The strongest path to each place, by these parameters (NULL: as the prediction says): its terms and its loss, either
 * of which may be NULL. Where there is no path, reached becomes 0 and the others stay as they are. */
rw_status rw_sample_points_trace(const rw_sample_points *sample_points, const rw_params *params, float *terms,
                                 double *loss_db, uint8_t *reached);

/* The loss that a map would have at each point and, where the model has that layer at points, the mechanism, which may
 * be NULL and otherwise stays as it is. */
rw_status rw_sample_points_trace_map(const rw_sample_points *sample_points, double *loss_db, float *mechanisms,
                                     uint8_t *reached);

/* A point as a receiver. */
rw_point rw_sample_point_of(const rw_sample_points *sample_points, size_t point);

/* correct_samples.c: what the measurements of parameters add at each point (mechanisms/measured), and the standard
 * deviation there, which may be NULL. */
rw_status rw_sample_points_correct(const rw_sample_points *sample_points, const struct rw_correction *correction,
                                   double *values_db, double *sigma_db);

/* Terms of all paths of places whose number differs: of place i from values + begins[i] on. */
typedef struct rw_sample_point_terms {
    float *values;
    size_t count, capacity;
    size_t *begins;
} rw_sample_point_terms;

/* All paths to each place that geometry gives, whatever they cost, of a model with path_term_count. */
rw_status rw_sample_points_trace_all(const rw_sample_points *sample_points, rw_sample_point_terms *terms,
                                     uint8_t *reached);
void rw_sample_point_terms_destroy(rw_sample_point_terms *terms);

/* Whether each place is in line of sight of its transmitter, whatever the model. */
rw_status rw_sample_points_find_sight(const rw_sample_points *sample_points, uint8_t *in_sight);

/* Leaves out the places that are not reached, and counts their samples. Fails where none is left. */
rw_status rw_sample_points_drop_unreached(rw_sample_points *sample_points, const uint8_t *reached);

/* The offsets of groups that have places among count from first on, as callers see them; returns how many. offsets_db:
 * of each group. */
size_t rw_sample_points_list_offsets(const rw_sample_points *sample_points, size_t first, size_t count,
                                     const double *offsets_db, rw_offset *offsets);

/* sites.c: the transmitter of each sample, by its site where there are several. */
rw_status rw_sample_transmitters(rw_sample_points *sample_points, uint32_t *transmitters);

/* sites.c: which places are of sites that the model can predict from. */
rw_status rw_sample_points_check_sites(rw_sample_points *sample_points, uint8_t *is_good);

/* link_budget.c: the path loss of each sample, from its transmitter where power was measured. */
rw_status rw_sample_losses(const rw_sample_points *sample_points, const uint32_t *transmitters, double *loss_db);

#endif
