/* Parts of the beams model's benchmark. */
#ifndef BENCH_GROUPS_H
#define BENCH_GROUPS_H

#include "bench/bench.h"
#include "models/beams/raster/raster_tiles.k.h"
#include "models/images/images.h"
#include "models/sbr/sbr.h"
#include "visibility/tiles/tiles.h"
#include "base/context.h"

/* Tells the time of each stage of one prediction (beam_stages.c). */
rw_status rw_bench_beam_stages(const rw_bench *bench, const rw_scene *scene, const rw_predict_options *options);

/* Tells how much faster kept paths are evaluated than traced (beam_reuse.c). */
rw_status rw_bench_beam_reuse(const rw_bench *bench, const rw_scene *scene, const rw_predict_options *options);

/* A map timed: the least time, what was compared with the paper's own algorithms, and what was reached. */
typedef struct rw_beams_timing {
    double seconds;
    double reached_fraction;     /* of outdoor receivers */
    double different, receivers; /* those with another number of paths by half spaces and quadtree, and all */
} rw_beams_timing;

/* options with layers path_loss and paths. */
rw_status rw_bench_time_beams(rw_context *context, const rw_scene *scene, const rw_predict_options *options,
                              int repeats, rw_beams_timing *timing);

/* Time over reflections on every backend (beams.c). */
rw_status rw_bench_beams_curve(const rw_bench *bench);

/* Tells the fastest shapes of blocks and grids of both rasterisers (raster.c). */
rw_status rw_bench_raster(const rw_bench *bench, rw_context *context);

#define RW_BENCH_TILINGS_MAX 64

/* Triangles over a square target of side_px pixels a side: 2 side side of them (raster.c). */
typedef struct rw_raster_net rw_raster_net;
rw_status rw_raster_net_create(rw_context *context, int side_px, int side, rw_raster_net **net);
void rw_raster_net_destroy(rw_raster_net *net);

typedef struct rw_raster_timing {
    rw_raster_tiling tiling;
    double seconds;
    size_t wrong_pixels; /* that were not drawn exactly once before it was timed */
} rw_raster_timing;

/* Draws the net by one rasteriser over all shapes of blocks and grids, each checked first; the fastest comes first. */
rw_status rw_raster_net_time(rw_raster_net *net, rw_raster_method method, int repeats, rw_raster_timing *timings,
                             size_t *count);

/* The measured office of the images group (measured_office.c). */

/* Standard deviation of the error in each band, of images and of walls counted on the straight line; skips where the
 * data folder has no where1. */
rw_status rw_bench_measured_office(const rw_bench *bench);

/* Offices for the images model and the rays it is compared with: a scene, a transmitter and receivers, and the time and
 * error of both. */

/* The office of the paper's section 6, and variants of it. */
typedef struct rw_bench_office_plan {
    double width_m, depth_m;
    int storeys;
    uint64_t seed;
    uint32_t per_m; /* receivers along a metre, on a plane 1.1 m above the lowest floor */
} rw_bench_office_plan;

/* 40 x 20 m, one storey, three receivers a metre; tiny: 8 x 6 m, one receiver a metre. */
rw_bench_office_plan rw_bench_office_paper(int tiny);

typedef struct rw_bench_office {
    rw_context *context;
    rw_scene *scene;
    rw_bench_office_plan plan;
    rw_ray_scene rays;
    rw_points points;
    rw_ray_sums *sums, *reference;
    double opened_s; /* what surfaces, constructions, antenna and receivers have taken, once the scene was there */
} rw_bench_office;

/* A dipole inclined by 45 degrees, 2.2 m above the floor at 2.5 GHz near the entrance. To be closed in any case. */
rw_status rw_bench_office_open(rw_context *context, const rw_bench_office_plan *plan, rw_bench_office *at);
void rw_bench_office_close(rw_bench_office *at);

/* Where the transmitter is, in the coordinates of the scene. */
void rw_bench_office_source(const rw_bench_office *at, double *x_m, double *y_m);

/* The receivers anew, so many a metre. */
rw_status rw_bench_office_receivers(const rw_bench_office *at, uint32_t per_m, rw_points *points);

/* The threshold that a view of so many pixels has by default. */
uint32_t rw_bench_threshold(uint32_t pixels);

/* Seconds of one transmitter, the least of runs, as many as a second allows. limit_s: as in rw_view_tree_options. */
rw_status rw_bench_time_images(rw_bench_office *at, const rw_points *points, uint32_t pixels, int depth, double limit_s,
                               rw_ray_sums *sums, rw_view_tree_size *size, double *seconds);
/* One run; limit_s as in rw_sbr_settings. */
rw_status rw_bench_time_sbr(rw_bench_office *at, const rw_points *points, size_t subdivisions, int depth,
                            double limit_s, rw_ray_sums *sums, size_t *launched, double *seconds);

/* Root mean square difference of the fields, relative to free space. */
double rw_bench_field_error(const rw_ray_sums *sums, const rw_ray_sums *reference, size_t count);

/* Receivers whose number of paths is not that of the reference. */
size_t rw_bench_other_counts(const rw_ray_sums *sums, const rw_ray_sums *reference, size_t count);

/* Median of the absolute difference of the sums of power in dB, where both have paths. */
rw_status rw_bench_power_error(rw_context *context, const rw_ray_sums *sums, const rw_ray_sums *reference, size_t count,
                               double *error_db);

/* Reflections and transmissions of a tree, up to a depth. */
size_t rw_bench_tree_size(const rw_view_tree_size *size, int depth);

/* The parts of the group that are figures of the paper (images_figures.c). */
rw_status rw_bench_images_figures(const rw_bench *bench);
rw_status rw_bench_figure_4(const rw_bench *bench); /* at ray equivalency, and Figure 6 beside it */
rw_status rw_bench_figure_5(const rw_bench *bench);
rw_status rw_bench_figure_6(const rw_bench *bench); /* at equal accuracy */

/* Shared by the benchmarks of tiles: scenes and their tiles. */

typedef struct rw_cut_city {
    rw_scene *scene;
    rw_tiles tiles;
    char name[64];
    double area_m2;
    double cut_s;
} rw_cut_city;

/* Takes over the scene, which may be NULL where status is not RW_OK, and cuts it. */
rw_status rw_cut_city_cut(rw_scene *scene, const char *name, double area_m2, rw_cut_city *city);

/* Scenes of the benchmark. */
rw_status rw_cut_city_small(rw_context *context, rw_cut_city *city); /* 0.5 km2, about 5 100 tiles */
rw_status rw_cut_city_hilly(rw_context *context, rw_cut_city *city); /* 20 km2, about 466 000 tiles */
void rw_cut_city_free(rw_cut_city *city);

/* tiles_embree.c: the same lines by Embree. */
rw_status rw_bench_tiles_embree(const rw_bench *out, rw_context *context, const rw_cut_city *city);

/* Benchmarks of the field kernels: checked against the double reference first, then timed. */

typedef struct rw_bench_field_result {
    const char *name;    /* "wedge coefficients" or "slab coefficients" */
    const char *backend; /* "cpu, one thread" or "cuda" */
    double items_per_s;
    double target_per_s;      /* what the project has set itself */
    double flops_per_item;    /* counted in the source; a multiply-add is two */
    double flops_limit_per_s; /* of the same backend and precision, by a kernel of multiply-adds */
    double percent_of_limit;
    double bytes_per_item; /* read and written */
    double largest_error;  /* against the double reference, relative to full scale */
} rw_bench_field_result;

/* Soft and hard coefficient of one ray on a lossy wedge (both together count as one). */
rw_status rw_bench_field_wedge(rw_context *context, rw_backend backend, rw_bench_field_result *result);

/* R and T, TE and TM, of one ray on a slab (all four together count as one). */
rw_status rw_bench_field_slab(rw_context *context, rw_backend backend, rw_bench_field_result *result);

#endif
