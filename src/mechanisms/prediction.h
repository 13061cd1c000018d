/* A checked prediction, as mechanisms and models see it. The engine makes it (models/engine/prediction). */
#ifndef RW_MECHANISMS_PREDICTION_H
#define RW_MECHANISMS_PREDICTION_H

#include "discretise/receivers/receivers.h"
#include "mechanisms/composition.k.h"
#include "output/maps/map.h"
#include "scene/antennas/antenna.h"

typedef struct rw_model rw_model; /* models/engine/model.h */

/* What a model is opened for. */
typedef enum rw_use {
    RW_USE_MAP,
    RW_USE_PATHS,
    RW_USE_TILES /* values on tiles alone; there are no receivers */
} rw_use;

/* Where the receivers of a map are: its cells, of which a circle in plan and polygons may leave some. */
typedef struct rw_grid {
    rw_map_info cells;
    double x_m, y_m,
        range_m;      /* centre and radius of the circle; 0: no circle; INFINITY: of a part of a larger map, none */
    const char *zone; /* file of the polygons; NULL: none */
} rw_grid;

/* What measurements add to transmitters of a batch, a value for each cell of each. */
typedef struct rw_corrections {
    float *values_db; /* NULL: nothing */
    float *sigma_db;  /* NULL: that of the model */
    size_t first, capacity;
} rw_corrections;

/* Whether the engine composes a model's losses with an empirical median. */
enum { RW_PRIOR_OF_MODEL, RW_PRIOR_AMONG_BUILDINGS, RW_PRIOR_BY_NAME };

/* A checked prediction, as every model gets it. It lives as long as the model is open; its transmitters change from one
 * call to the next. */
typedef struct rw_prediction {
    const rw_scene *scene;
    const rw_model *model;
    const rw_predict_options *options; /* those below */
    rw_predict_options resolved_options;
    const char *layers;                     /* those asked for, comma-separated */
    rw_receivers receivers;                 /* the cells of a map, or points */
    const rw_receivers *borrowed_receivers; /* whose receivers these are: a database's or the scene's; NULL: its own */
    int receivers_from_database;
    rw_vec3 *sources;             /* of each transmitter, local frame, altitude */
    rw_antenna **antennas;        /* of each transmitter */
    rw_antenna *receiver_antenna; /* NULL: isotropic (transmitters.c) */
    size_t located_count;         /* of both */
    rw_use use;
    rw_grid grid;           /* of a map */
    const rw_point *points; /* receivers in place of cells, the caller's; NULL: a map, or counted alone */
    size_t point_count;
    rw_point *point_buffer; /* owned, as are: */
    rw_transmitter *transmitter_buffer;
    char *strings;                /* of the resolved options */
    rw_composition *compositions; /* the caller's, one per cell, transmitter after transmitter; NULL: none recorded */
    rw_corrections corrections;   /* of the batch being solved (models/engine/run/correct.c) */
    int records_gains;            /* paths go into a record (models/gains), with all that counts in a map */
    rw_tile_map **tiles;          /* model tiles: where values on tiles are wanted beside the map; NULL: they are not */
    /* What mechanisms need to know of the model (model.h); set with it. */
    int buildings_only, foliage_in_paths, prior_by_engine;
    int has_air;          /* 1: it has the options of gases and rain */
    int in_caller_memory; /* 1: the values of layers go into memory of the caller, and take none here */
    size_t transmitters_before,
        transmitters_in_all; /* transmitters of a call that is made in parts, for progress; 0: in one */
} rw_prediction;

/* Frequency of one transmitter: its own or the prediction's. */
double rw_prediction_freq_hz(const rw_prediction *prediction, size_t transmitter);

/* Curvature of the earth in the form of a wall grid, by the k factor; 0 without terrain: there the earth is flat. */
double rw_prediction_curve_per_m(const rw_prediction *prediction);

/* Whether the ground has a loss of its own: terrain, or level ground at altitude 0 under buildings and open land. Floor
 * plans and scenes of meshes alone have none, nor has a prediction with ground = none. */
int rw_prediction_has_ground(const rw_prediction *prediction);

/* Curvature of the earth for that loss, with terrain or without; 0 where the ground has none. */
double rw_prediction_ground_curve_per_m(const rw_prediction *prediction);

/* Orientation of the receivers' antenna, as that of a transmitter. */
rw_transmitter rw_receiver_orientation(const rw_predict_options *options);

/* Gain of the receivers' antenna towards a direction (any length but zero), whatever the polarisation; 0 without an
 * antenna. */
double rw_receiver_gain_dbi(const rw_prediction *prediction, rw_vec3 direction);

#endif
