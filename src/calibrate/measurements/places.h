/* Measured points at which a model is evaluated: of which transmitter, where, and what was measured. */
#ifndef RW_CALIBRATE_MEASUREMENTS_PLACES_H
#define RW_CALIBRATE_MEASUREMENTS_PLACES_H

#include "calibrate/evaluation/evaluation.h"
#include "models/engine/model.h"

#include <rasterwave/calibrate.h>

typedef struct rw_place {
    size_t sample; /* of the measurements: the one nearest to the middle of its cell's samples */
    size_t first;  /* the first of them */
    size_t sample_count;
    uint32_t transmitter;
    uint8_t held_out; /* from the fit */
    float measured_db;
} rw_place;

typedef struct rw_places {
    const rw_scene *scene;
    const rw_predict_options *prediction; /* the caller's */
    const rw_measurements *measurements;
    rw_place *items;
    size_t count;
    size_t samples_used, off_map, in_building, no_path;
} rw_places;

/* Samples on the scene and outside buildings, one place a cell, transmitter and side of the hold-out. held_out says of
 * each sample whether it is kept out of a fit; NULL: none is. */
rw_status rw_places_create(const rw_scene *scene, const rw_predict_options *prediction,
                           const rw_measurements *measurements, const char *average, const uint8_t *held_out,
                           rw_places *places);
void rw_places_destroy(rw_places *places);

/* The strongest path to each place, by these parameters (NULL: as the prediction says): its terms and its loss, either
 * of which may be NULL. Where there is no path, reached becomes 0 and the others stay as they are. */
rw_status rw_places_trace(const rw_places *places, const rw_params *params, float *terms, double *loss_db,
                          uint8_t *reached);

/* Leaves out the places that are not reached, and counts their samples. Fails where none is left. */
rw_status rw_places_keep_reached(rw_places *places, const uint8_t *reached);

/* sites.c: the transmitter of each sample, by its site where there are several. */
rw_status rw_sample_transmitters(const rw_measurements *measurements, const rw_predict_options *prediction,
                                 uint32_t *transmitters);

#endif
