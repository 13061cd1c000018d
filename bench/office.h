/* Offices for the images model and the rays it is compared with: a scene, a transmitter and receivers, and the time and
 * error of both. */
#ifndef RW_BENCH_OFFICE_H
#define RW_BENCH_OFFICE_H

#include "bench/bench.h"
#include "models/images/images.h"
#include "models/sbr/sbr.h"

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

#endif
