/* What the files of the tiles page share: its cities, the paper's limits, and its sections. */
#ifndef RW_BENCH_REPRODUCE_TILES_PAGE_H
#define RW_BENCH_REPRODUCE_TILES_PAGE_H

#include "bench/reproduce/reproduce.h"
#include "scene/scene.h"

/* A generated city. */
rw_status rw_tiles_page_city(rw_context *context, double area_km2, int hills, rw_scene **scene);

/* A transmitter in the middle of a scene. */
rw_transmitter rw_tiles_page_middle(const rw_scene *scene, double height_m);

/* The paper's limits for a number of bounces, without scattering: one diffraction, two beyond three bounces. */
rw_predict_options rw_tiles_page_bounces(const char *model, const rw_transmitter *transmitter, int depth);

/* Seconds of values on all tiles. */
rw_status rw_tiles_page_time(const rw_scene *scene, rw_predict_options options, double tile_m2, double *seconds,
                             rw_tile_map **map);

/* Whether a local point of a scene is inside a building. */
int rw_tiles_page_inside(const rw_scene *scene, rw_vec2 at);

/* Outdoor points over the scene, 1.5 m above the ground; returns how many there are. */
size_t rw_tiles_page_points(const rw_scene *scene, rw_point *points, size_t max_count);

/* Longest time of one measurement. */
double rw_tiles_page_limit_s(const rw_reproduction *made, double default_s);

/* tiles_rays.c: time over receivers beside ray tracing (Figure 11), differences from it, with and without a matrix. */
rw_status rw_tiles_page_rays(rw_reproduction *made);

/* tiles_errors.c: Tables III and IV, Figures 13 and 14. */
rw_status rw_tiles_page_errors(rw_reproduction *made, const rw_scene *scene, const rw_transmitter *transmitter,
                               int is_munich);

#endif
