/* Models: one way from scene and transmitters to the layers of a radio map. A model is a folder and a line in models.c.
 */
#ifndef RW_MODELS_ENGINE_MODEL_H
#define RW_MODELS_ENGINE_MODEL_H

#include "field/paths/ray_sums.k.h"
#include "models/engine/params.h"
#include "output/maps/map.h"
#include "output/paths/paths.h"
#include "scene/antennas/antenna.h"
#include "visibility/sight/los.h"

/* Frequencies that a prediction takes; a bare number meant as megahertz falls below. */
#define RW_FREQ_MIN_HZ 1e6
#define RW_FREQ_MAX_HZ 1e12

typedef struct rw_model rw_model;

/* A checked prediction, as every model gets it. */
typedef struct rw_prediction {
    const rw_scene *scene;
    const rw_model *model;
    const rw_predict_options *options; /* those below */
    rw_predict_options options_taken;
    const char *layers; /* those asked for, comma-separated */
    rw_los_method method;
    rw_receivers receivers; /* the cells of a map, or points */
    int receivers_lent;     /* they belong to a database */
    rw_vec3 *sources;       /* of each transmitter, local frame, altitude */
    rw_antenna **antennas;  /* of each transmitter */
    rw_tile_map **tiles;    /* model tiles: where values on tiles are wanted beside the map; NULL: they are not */
} rw_prediction;

struct rw_model {
    const char *name;
    const char *layers; /* all it can give, comma-separated */
    const char *default_layers;
    rw_status (*solve)(const rw_prediction *prediction, rw_map *map);
    /* Appends the paths to every receiver, transmitter by transmitter; receivers are numbered as in the prediction. */
    rw_status (*trace)(const rw_prediction *prediction, rw_paths *paths);
    int reuses;    /* 1: what it traces can be kept in a file (rw_predict_options, reuse) */
    int rooms;     /* 1: what meshes enclose is a room to predict in, not the inside of a building */
    int any_plane; /* 1: its receivers may lie on any plane (rw_predict_options.plane_m) */
    double res_m;  /* usual cells and receiver height; 0: 5 m and 1.5 m */
    double rx_height_m;

    /* What measurements can teach it, and their values without calibration. */
    const rw_parameter_kind *parameters;
    size_t parameter_count; /* at most RW_PARAMETERS_MAX */
    rw_status (*parameter_defaults)(rw_context *context, double freq_hz, double *values);

    /* A path in few numbers, so that its loss under other values needs no new tracing: the loss of a path's terms, and
     * its derivative by each parameter. */
    size_t term_count; /* at most RW_TERMS_MAX */
    void (*path_terms)(const rw_path *path, float *terms);
    double (*terms_loss_db)(const float *terms, const double *values, double *derivatives);
    int all_paths; /* 1: the terms are those of all paths of a point; path_terms adds one, first to zeros, and the loss
                      is that of their sum */
};

extern const rw_model rw_model_images; /* images/images.c */
extern const rw_model rw_model_sbr;    /* sbr/sbr.c */
extern const rw_model rw_model_rt;     /* rt/rt.c */
extern const rw_model rw_model_tiles;  /* tiles/model.c */
extern const rw_model rw_model_shadow; /* shadow/shadow.c */
extern const rw_model rw_model_beams;  /* beams/beams.c */
extern const rw_model rw_model_cubes;  /* cubes/cubes.c */

const rw_model *rw_model_known(const char *name); /* NULL where there is none */
rw_status rw_model_find(rw_context *context, const char *name, const rw_model **model);

/* Takes the caller's options over the defaults, and checks them; no receivers and transmitters yet. The prediction must
 * stay where it is. */
rw_status rw_prediction_begin(const rw_scene *scene, const rw_predict_options *given, rw_prediction *prediction);

/* The cells of the map that the options ask for: the area, or the scene's extent widened to whole cells. */
rw_status rw_prediction_cells(const rw_scene *scene, const rw_predict_options *options, rw_map_info *cells);

/* plane.c: the same of the rectangle in space that the options ask for; its receivers; and a cell as the square that a
 * local mean is taken over, on a plane or not. */
rw_status rw_plane_cells(const rw_scene *scene, const rw_model *model, const rw_predict_options *options,
                         rw_map_info *cells);
rw_status rw_plane_receivers(const rw_scene *scene, const rw_map_info *cells, rw_receivers *receivers);
rw_near_square rw_prediction_cell(const rw_prediction *prediction);

/* Checks and places the transmitters, which must be on the scene or in the area: west, south, east, north (world). */
rw_status rw_prediction_place_transmitters(rw_prediction *prediction, const double area_m[4]);
void rw_prediction_release(rw_prediction *prediction);

/* rw_predict, with values on tiles beside the map where tiles is not NULL. */
rw_status rw_predict_into(const rw_scene *scene, const rw_predict_options *options, rw_tile_map **tiles, rw_map **map);

/* All of that: a prediction on the cells of a map, ready to be solved, and those cells. */
rw_status rw_prediction_open(const rw_scene *scene, const rw_predict_options *options, rw_map_info *cells,
                             rw_prediction *prediction);

/* Whether a comma-separated list names the layer. */
int rw_list_contains(const char *list, const char *name);

/* Whether every name of a comma-separated list is one of those known; what they are called in the sentence. */
rw_status rw_list_check(rw_context *context, const char *list, const char *known, const char *what);

/* Frequency of one transmitter: its own or the prediction's. */
double rw_prediction_freq_hz(const rw_prediction *prediction, size_t transmitter);

/* Values of the model's parameters for one transmitter: those given, or the uncalibrated ones at its frequency. */
rw_status rw_prediction_values(const rw_prediction *prediction, size_t transmitter, double *values);

/* Adds a layer with a band for each transmitter, where it is asked for; *values stays NULL where not. */
rw_status rw_prediction_add_layer(const rw_prediction *prediction, rw_map *map, const char *name, const char *unit,
                                  float **values);

#endif
