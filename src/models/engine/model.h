/* Models: one way from scene and transmitters to the layers of a radio map. A model is a folder and a line in models.c.
 */
#ifndef RW_MODELS_ENGINE_MODEL_H
#define RW_MODELS_ENGINE_MODEL_H

#include "base/maths/vector.h"
#include "base/options.h"
#include "device/device.h"
#include "field/paths/ray_sums.k.h"
#include "mechanisms/prediction.h"
#include "models/engine/options/options.h"
#include "models/engine/parameters.h"
#include "models/engine/prediction/prediction.h"
#include "output/maps/map.h"
#include "output/paths/paths.h"
#include "scene/antennas/antenna.h"
#include "visibility/los/los.h"

#include <stddef.h>

/* Corners that send waves on: what models tell of them, and the file of them (diffraction_edges.c). */
typedef struct rw_diffraction_source {
    rw_vec2 at;          /* local frame */
    double low_m, top_m; /* altitudes of the edge */
    int order;           /* fewest corners of a path up to this one, itself among them */
    double loss_db;      /* least loss up to it: free space and what lies before it, its own turn not */
    size_t count;        /* what leads round it: cells whose strongest path does, or beams */
} rw_diffraction_source;

/* Frequencies that a prediction takes; a bare number meant as megahertz falls below. */
#define RW_FREQ_MIN_HZ 1e6
#define RW_FREQ_MAX_HZ 1e12

typedef struct rw_run rw_run;                       /* run.h */
typedef struct rw_database_calls rw_database_calls; /* database.h */

/* A layer of a map: its name, unit, and how many bands it has of each transmitter. */
typedef struct rw_layer_kind {
    const char *name, *unit;
    size_t (*bands)(const void *state); /* NULL: one */
} rw_layer_kind;

/* What the engine asks of a model, in this order: open once for a scene, a grid and options; then for each call begin,
 * solve for all transmitters, a batch at a time, and end; close at last. An open model is kept with the scene, so a
 * second call with other transmitters only begins and solves: open takes the memory, solve takes none. */
struct rw_model {
    const char *name;
    const char *title;                /* what it is for, in a few words */
    const rw_layer_kind *layer_kinds; /* in the order of a map; the last has no name */
    const char *layers;               /* their names, comma-separated: RW_LAYER_NAMES */
    const char *default_layers;
    const rw_model_option *options; /* its own, in its options.c; ended by a name of NULL */

    /* What of the scene an open model knows, in the local frame, where that depends on transmitters; NULL: all of it.
     */
    void (*extent)(const rw_prediction *prediction, double box[4]);
    /* Checks the model's own options and makes what does not depend on the transmitters. */
    rw_status (*open)(const rw_prediction *prediction, rw_use use, void **state);
    void (*close)(void *state);

    /* How many transmitters solve and trace take at once; NULL: one. */
    size_t (*batch)(const void *state);

    /* Before the first and after the last transmitter of a call; either may be NULL. end is called after a failure too,
     * with its status. */
    rw_status (*begin)(void *state, rw_run *run);
    rw_status (*end)(void *state, rw_run *run, rw_status status);

    /* Fills the layers of the run for count transmitters from first on. Receivers are cells or points, with the same
     * values where these lie. */
    rw_status (*solve)(void *state, rw_run *run, size_t first, size_t count);

    /* Line of sight of count transmitters from first on straight into los, memory of the backend with a byte a cell: 1,
     * 0, and RW_LOS_NO_RECEIVER inside buildings; without begin and end. NULL, or *done 0: by its layer alone. */
    rw_status (*see)(void *state, size_t first, size_t count, uint8_t *los, int *done);

    /* Appends the paths of count transmitters from first on; receivers are numbered as in the prediction. */
    rw_status (*trace)(void *state, size_t first, size_t count, rw_paths *paths);

    /* Altitudes of the bands of layers that have several for a transmitter: the first, and the step; NULL: such bands
     * are no levels. */
    void (*band_levels)(const void *state, double *first_m, double *step_m);

    /* Adds what the model would take beside the layers of the map (rw_estimate_add, rw_estimate_work). cells: of the
     * map; NULL where receivers are points. It may look at samples, for some milliseconds, and takes no memory. */
    rw_status (*estimate)(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate);

    /* How many of the transmitters an open model would have to solve; state NULL: one in which nothing is cached. NULL:
     * all of them, always. */
    size_t (*count_new)(const void *state, const rw_prediction *prediction);

    const rw_database_calls *database; /* NULL: it has none */

    /* The corners that send the wave of one transmitter on, to be freed; NULL: it lists none. And what their count is
     * of: "cells", "beams". */
    rw_status (*diffraction_sources)(const rw_prediction *prediction, size_t transmitter,
                                     rw_diffraction_source **sources, size_t *count);
    const char *diffraction_sources_lead;

    int polarised;        /* 1: it follows the field of each path, with the transmitter's polarisation */
    int rooms;            /* 1: what meshes enclose is a room to predict in, not the inside of a building */
    int one_material;     /* 1: all surfaces are alike; materials and slabs of the scene do not count */
    int flat_earth;       /* 1: its lines of sight know no curvature of the earth */
    int buildings_only;   /* 1: meshes block and count as walls; they neither reflect nor diffract */
    int foliage_in_paths; /* 1: its paths have the foliage of the scene in their losses; 0: the engine adds it to them
                           */
    int writes_all_cells; /* 1: it writes every cell of its layers (rw_run_fetch), which need not be cleared */
    int prior_by_engine;  /* RW_PRIOR_OF_MODEL: the model composes its losses; else the engine does: among buildings
                           * unless the options say otherwise, or only by name */
    int records_gains;    /* 1: trace hands its paths to a record, where there is one (models/gains) */
    int antenna_in_loss;  /* 1: path loss has the transmitter's antenna in it, whose pattern weighs each path */
    int antenna_in_power; /* 1: path loss is between isotropic antennas, but power has the pattern of each path; with
                             neither, power is path loss less the gain along the straight line */

    /* Parameters for calibration, and their values without calibration. */
    const rw_parameter_kind *parameters;
    size_t parameter_count; /* at most RW_PARAMETERS_MAX */
    rw_status (*parameter_defaults)(rw_context *context, double freq_hz, double *values);

    /* A path in few numbers, so that its loss under other values needs no new tracing: the loss of a path's terms, and
     * its derivative by each parameter. */
    size_t term_count; /* at most RW_TERMS_MAX */
    void (*path_terms)(const rw_path *path, float *terms);
    double (*terms_loss_db)(const float *terms, const double *values, double *derivatives);
    /* Terms of points from the one transmitter of the options, where the loss is that of all ways and not of a path;
     * NULL or *done 0: it is of paths. NaN inside buildings. terms holds zeros, or what an earlier call found for the
     * same points and other parameters, of which it may keep what does not depend on them. */
    rw_status (*point_terms)(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                             size_t count, float *terms, int *done);
    int all_paths; /* 1: the terms are those of all paths of a point; path_terms adds one, first to zeros, and the loss
                      is that of their sum */
    /* Above 0: a point has as many paths as geometry gives it, whatever the parameters: term_count terms, then so many
     * of each path, which depend on no value. Such paths are traced once for all fits (rw_sample_points_trace_all). */
    size_t path_term_count;
};

/* Each in model.c of its folder. */
extern const rw_model rw_model_shadow, rw_model_beams, rw_model_cubes, rw_model_images, rw_model_sbr, rw_model_rt,
    rw_model_tiles;

/* The names of a list of layers, LIST(X) with X(index, name, unit, bands), with commas between; and the table. */
#define RW_LAYER_NAME_(index, name, unit, bands) "," name
#define RW_LAYER_NAMES(LIST) (&(LIST(RW_LAYER_NAME_))[1])
#define RW_LAYER_INDEX(index, name, unit, bands) index,
#define RW_LAYER_KIND(index, name, unit, bands) {name, unit, bands},

/* Layers of a network of transmitters (sinr.k.h), one band each, for a model's list; prefix: of their indices. */
#define RW_NETWORK_LAYERS(X, prefix)                                                                                   \
    X(prefix##BEST, "best", "transmitter", NULL)                                                                       \
    X(prefix##CI, "ci", "dB", NULL)                                                                                    \
    X(prefix##STRONGEST, "strongest", "dBm", NULL)                                                                     \
    X(prefix##RSRP, "rsrp", "dBm", NULL)                                                                               \
    X(prefix##INTERFERENCE, "interference", "dBm", NULL)                                                               \
    X(prefix##NOISE, "noise", "dBm", NULL)                                                                             \
    X(prefix##SINR, "sinr", "dB", NULL)                                                                                \
    X(prefix##THROUGHPUT, "throughput", "Mbit/s", NULL)

/* Layers that the engine makes of received powers (received.h). */
#define RW_RECEIVED_LAYERS(X)                                                                                          \
    X(LAYER_BENEFIT, "benefit", "dB", NULL)                                                                            \
    X(LAYER_POWER, "power", "dBm", NULL)                                                                               \
    X(LAYER_FIELD_STRENGTH, "field_strength", "dBuV/m", NULL)                                                          \
    RW_NETWORK_LAYERS(X, LAYER_)                                                                                       \
    X(LAYER_INDOOR, "indoor", "dB", NULL)

const rw_model *rw_model_lookup(const char *name); /* NULL where there is none */
const rw_model *rw_model_at(size_t index);         /* NULL beyond the last */
rw_status rw_model_find(rw_context *context, const char *name, const rw_model **model);

#endif
