/* What models of rays between plane surfaces share: checks of the call, receivers, and from sums to layers. */
#ifndef RW_MODELS_RAYS_RAY_LAYERS_H
#define RW_MODELS_RAYS_RAY_LAYERS_H

#include "discretise/receivers/points.h"
#include "models/rays/ray_world.h"
#include "models/engine/model.h"

#define RW_RAY_LAYERS "path_loss,power,delay_spread,delay,azimuth_spread,elevation_spread,azimuth,elevation,paths,best"
#define RW_RAY_DEFAULT_LAYERS "path_loss,delay_spread,paths"

/* Finds all paths of one transmitter: sums of each point, on the host and zero. */
typedef rw_status (*rw_ray_solve)(const rw_prediction *prediction, rw_ray_scene *scene, const rw_points *points,
                                  rw_ray_sums *sums);

/* One transmitter, placed among the surfaces, and the receivers that are not inside a wall. */
typedef rw_status (*rw_ray_visit)(const rw_prediction *prediction, rw_ray_scene *scene, const rw_points *points,
                                  size_t transmitter, void *user);
rw_status rw_ray_transmitter(const rw_prediction *prediction, size_t transmitter, rw_ray_visit visit, void *user);

/* Fills the layers asked for with what solve finds for each transmitter. */
rw_status rw_ray_layers_fill(const rw_prediction *prediction, rw_map *map, rw_ray_solve solve);

/* The layers asked for, as pointers into the map; NULL where one is not. */
typedef struct rw_ray_layers {
    float *path_loss, *power, *delay_spread, *delay, *azimuth_spread, *elevation_spread;
    float *azimuth, *elevation; /* of arrival, means */
    float *paths, *best;
    float *best_power; /* of each cell */
} rw_ray_layers;

rw_status rw_ray_layers_add(const rw_prediction *prediction, rw_map *map, rw_ray_layers *layers);
void rw_ray_layers_release(rw_ray_layers *layers);

/* One receiver of one transmitter. free_gain and straight_s are those its sums are relative to. */
void rw_ray_layers_store(const rw_prediction *prediction, size_t transmitter, size_t cell, const rw_ray_sums *sums,
                         rw_ray_sum_kind kind, double free_gain, double straight_s, const rw_ray_layers *layers);

/* A vertex of a path at a place in the frame of the wall grid. */
rw_path_vertex rw_ray_vertex(const rw_scene *scene, rw_vec3 place, rw_interaction kind);

/* Angle by which a path turns at a vertex that is not its first or last. */
float rw_ray_turn_rad(const rw_path_vertex *vertex);

/* "coherent", "power" or "local"; NULL: coherent. */
rw_status rw_ray_sum_parse(rw_context *context, const char *name, rw_ray_sum_kind *kind);

/* A whole number of an option: in [low, high], or 0 for otherwise. */
rw_status rw_ray_option(rw_context *context, const char *name, int given, int low, int high, int otherwise, int *value);

#endif
