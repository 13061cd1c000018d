/* The checked call: what every public call of a prediction begins with. rw_prediction_create resolves the options of
 * the caller, here and nowhere else, finds the cells, and holds what the call needs from then on. */
#ifndef RW_MODELS_ENGINE_PREDICTION_PREDICTION_H
#define RW_MODELS_ENGINE_PREDICTION_PREDICTION_H

#include "field/paths/ray_sums.k.h"
#include "mechanisms/prediction.h"
#include "field/paths/pattern.h"
#include "models/engine/model.h"
#include "scene/scene.h"

/* What a prediction is made for. */
typedef struct rw_target {
    rw_use use;
    const rw_grid *grid;    /* cells of a map in place of those of the options; NULL: those of the options */
    const rw_point *points; /* receivers at points in place of cells; the caller's */
    size_t point_count;
    int in_caller_memory; /* 1: the values of layers go into memory of the caller */
    int cells_alone;      /* 1: the grid is needed and no transmitter */
} rw_target;

/* A checked call, without receivers and with transmitters as the caller gave them. options NULL: defaults; target NULL:
 * a map of the cells of the options. The transmitters and points of the caller must stay until the call ends. */
rw_status rw_prediction_create(const rw_scene *scene, const rw_predict_options *options, const rw_target *target,
                               rw_prediction **prediction);
void rw_prediction_destroy(rw_prediction *prediction);

/* Part of a call: some of its transmitters, other cells or layers, or receivers at another height. */
typedef struct rw_prediction_part {
    size_t first, count; /* transmitters of the call; count 0: all */
    const rw_grid *grid; /* NULL: that of the call */
    const rw_point
        *points; /* receivers in place of cells, which are copied; NULL: those of the call, unless grid is given */
    size_t point_count;
    const char *layers; /* NULL: those of the call */
    double raised_m;    /* receivers are higher by this */
    int in_caller_memory;
} rw_prediction_part;

/* A checked call for a part of another one, which must stay until this one is destroyed or cached. */
rw_status rw_prediction_create_part(const rw_prediction *whole, const rw_prediction_part *part,
                                    rw_prediction **prediction);

/* Locates transmitters and receivers: in the cells of its grid, or at its points. Receivers that are there stay. */
rw_status rw_prediction_locate(rw_prediction *prediction);

/* A call on the cells of a map, ready to be solved. */
rw_status rw_prediction_open(const rw_scene *scene, const rw_predict_options *options, rw_prediction **prediction);

/* Gives a call of a cached session the transmitters and parameters of a new one, or takes them away (NULL). */
void rw_prediction_replace_transmitters(rw_prediction *prediction, rw_prediction *next);

/* Bytes that tell calls apart whose open models differ. To be freed. */
typedef struct rw_prediction_key rw_prediction_key;
rw_status rw_prediction_key_create(const rw_prediction *prediction, rw_prediction_key **key, size_t *size);

/* Resolves the options of a caller for calls that make several predictions of them: complete options, and complete
 * transmitters. *transmitter_buffer is to be freed. */
rw_status rw_predict_options_resolve(rw_context *context, const rw_predict_options *user_options,
                                     rw_predict_options *options, rw_transmitter **transmitter_buffer);

/* The default side of cells on a scene, in options that were resolved: smaller in floor plans and rooms. */
rw_status rw_predict_options_resolve_cells(const rw_scene *scene, const rw_predict_options *user_options,
                                           rw_predict_options *options);

/* Values of the model's parameters for one transmitter: those given, or the uncalibrated ones at its frequency. */
rw_status rw_prediction_values(const rw_prediction *prediction, size_t transmitter, double *values);

/* The fraction of a call's work that is done with this number of transmitters, or parts of one. */
double rw_prediction_done_fraction(const rw_prediction *prediction, double transmitters_done);

/* Reports progress: transmitters done, with parts of one; RW_CANCELLED if the caller stops the call. */
rw_status rw_prediction_progress(const rw_prediction *prediction, double transmitters_done);

/* ---- grid.c */

/* The cells that options request: of the area, the polygons, the plane, or the scene's extent widened to whole cells.
 * The options are resolved. */
rw_status rw_grid_resolve(const rw_scene *scene, const rw_predict_options *options, rw_map_info *cells);

/* A cell as the square that a local mean is taken over, on a plane or not. */
rw_near_square rw_prediction_cell(const rw_prediction *prediction);

/* Whether the centre of a cell, by its column and row in the map, is within the distance. */
int rw_cell_is_within(const rw_map_info *cells, size_t column, size_t row, double x_m, double y_m, double range_m);

/* ---- receivers.c */

/* Receivers at the points of the call. area_m, west, south, east and north, is widened to hold them. */
rw_status rw_prediction_locate_points(rw_prediction *prediction, double area_m[4]);

/* Receivers in the cells: those of the database, or those cached with the scene. */
rw_status rw_prediction_locate_cells(rw_prediction *prediction);
void rw_prediction_release_receivers(rw_prediction *prediction);

/* Excludes the cells of a map that are in no polygon of the options, if its receivers are a database's. */
rw_status rw_map_limit(const rw_prediction *prediction, rw_map *map);

/* ---- transmitters.c */

/* Checks and locates the transmitters, which must be near the scene or the area: west, south, east, north (world). */
rw_status rw_prediction_locate_transmitters(rw_prediction *prediction, const double area_m[4]);
void rw_prediction_release_transmitters(rw_prediction *prediction);

/* Refuses a position more than 50 km off the scene: a mistake, or of another coordinate system. what names it. */
rw_status rw_check_near_scene(const rw_scene *scene, double x_m, double y_m, const char *what);

/* ---- budget.c */

/* Adds to what a prediction would take: bytes for each cell on the host, and on the backend wherever that is. */
void rw_estimate_add(const rw_prediction *prediction, rw_estimate *estimate, double host_bytes, double backend_bytes);

/* Adds work: seconds that one core would take, which the threads or the GPU share. */
void rw_estimate_work(const rw_prediction *prediction, rw_estimate *estimate, double core_seconds);

/* An account with the budgets of the call, for the memory that the model allocates. */
rw_status rw_prediction_open_account(const rw_prediction *prediction, rw_account **account);

/* Refuses what cannot fit into the budgets before anything is allocated. */
rw_status rw_prediction_check_budgets(const rw_prediction *prediction);

/* What the call would take if nothing were open. */
rw_status rw_prediction_estimate(const rw_prediction *prediction, rw_estimate *estimate);

/* The antenna of the receivers: the same at every receiver, with one orientation. Without one, receivers are isotropic
 * and vertically polarised. */

/* The antenna as kernels read it on the host and on the backend. */
rw_status rw_receiver_pattern_upload(const rw_prediction *prediction, rw_backend backend,
                                     rw_device_pattern *table_buffer, rw_pattern *host, rw_pattern *device_pattern);

/* How much of a map lies beyond the scene's terrain. */

/* Share of a map's cells whose ground the terrain does not tell; 0 without terrain. */
double rw_terrain_missing_fraction(const rw_scene *scene, const rw_map_info *cells);
void rw_warn_of_missing_terrain(const rw_scene *scene, const rw_map_info *cells);

/* grid.c: whether a plane was chosen: unset ones are NaN. */
int rw_plane_is_set(const double plane_m[9]);

#endif
