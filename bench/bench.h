/* The benchmark: groups of numbers, with what each result was compared with before it was timed. */
#ifndef RW_BENCH_BENCH_H
#define RW_BENCH_BENCH_H

#include "base/context.h"
#include "base/maths/vector.h"

#include <rasterwave/context.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Watches over a run of the benchmark: cancels a measurement at its limit, prints each warning once and names the steps
 * of a page. The context's callbacks go here. */
#define RW_BENCH_WARNINGS_MAX 64

typedef struct rw_bench_watch {
    void (*print)(const char *message); /* one line on standard error; NULL: nothing is printed */
    double deadline_s;                  /* of rw_seconds(); 0: none */
    uint64_t warnings[RW_BENCH_WARNINGS_MAX];
    size_t warning_count;
} rw_bench_watch;

/* A measurement begins, and is cancelled after limit_s seconds; 0: never. watch may be NULL in all calls. */
void rw_bench_watch_begin(rw_bench_watch *watch, double limit_s);
void rw_bench_watch_end(rw_bench_watch *watch);

/* The callbacks of a context; user is the watch. */
int rw_bench_watch_progress(void *user, double fraction, const char *stage);
void rw_bench_watch_warn(void *user, const char *message);

/* What is measured next, as a line. */
void rw_bench_watch_step(const rw_bench_watch *watch, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What the result of a line was compared with in this run, and how far they differ. */
typedef struct rw_bench_check {
    const char *against; /* something independent: "the grid march"; NULL: it was not compared */
    double difference, allowed;
    const char *unit; /* of the difference: "dB", "receivers" */
} rw_bench_check;

/* One line of the benchmark: a number beside its physical limit and its target. */
typedef struct rw_bench_result {
    char group[64], name[64], unit[32];
    double value, limit, target; /* NaN where there is none */
    char against[64];            /* empty: the result was not compared with anything */
    double difference, allowed;
    char difference_unit[32];
    char curve[64]; /* the curve that it is a point of, and where along it; empty: of none */
    double x;
    char x_label[64];
    char note[160];
} rw_bench_result;

typedef void (*rw_bench_fn)(void *user, const rw_bench_result *result);

/* Runs the benchmark; only names a group or a part of a name, NULL: all. data_folder holds the papers' data; may be
 * NULL. */
rw_status rw_bench_run(rw_context *context, const char *data_folder, const char *only, rw_bench_fn on_result,
                       void *user);

/* PNG pictures of the curves among its results: those of the first group and unit at path, those of others beside it,
 * the group in the name. */
rw_status rw_bench_draw(rw_context *context, const rw_bench_result *results, size_t count, const char *path);

/* What a group needs: where the data are, which lines are wanted, and where results go. */
typedef struct rw_bench {
    rw_context *context;
    const char *data_folder; /* NULL: none */
    const char *only;        /* NULL: all */
    rw_bench_fn on_result;
    void *user;
    rw_bench_check check; /* of the lines that are told */
    const char *curve;    /* that they are points of; NULL: of none */
    double x;
    const char *x_label;
    int tiny;              /* on a small scene, to try it in seconds */
    double limit_s;        /* longest time of one measurement; 0: none */
    rw_bench_watch *watch; /* cancels measurements at the limit; NULL: nothing does */
} rw_bench;

/* The same for lines whose results were compared in this run: all that is told to it is marked as checked. */
rw_bench rw_bench_checked(const rw_bench *bench, rw_bench_check check);

/* The same for a line that is a point of a curve: the cost of something over x. */
rw_bench rw_bench_on_curve(const rw_bench *bench, const char *curve, double x, const char *x_label);

/* Whether a line was compared, and within what is allowed. */
int rw_bench_is_checked(const rw_bench_result *result);
int rw_bench_is_wrong(const rw_bench_result *result);

/* Whether a line of a group is wanted. */
int rw_bench_wants(const rw_bench *bench, const char *group, const char *name);

/* Tells a result; limit and target are NaN where there is none. */
void rw_bench_add_result(const rw_bench *bench, const char *group, const char *name, double value, const char *unit,
                         double limit, double target, const char *note);

/* The city that the papers measured where its data are, else a generated one of the same size. */
rw_status rw_bench_city(const rw_bench *bench, rw_context *context, rw_scene **scene, const char **city_name);

/* Transmitters of that city (local frame, z above ground): that of the COST 231 action first, then places outside
 * buildings 5 to 15 m high, always the same. */
void rw_bench_locate_sources(const rw_scene *scene, const char *city_name, rw_vec3 *sources, size_t count);

/* Calls run with a context of its own for the CPU and, where the benchmark has one, for the GPU. */
rw_status rw_bench_each_backend(const rw_bench *bench, rw_status (*run)(const rw_bench *bench, rw_context *context));

rw_status rw_bench_calls(const rw_bench *bench);        /* calls.c */
rw_status rw_bench_points(const rw_bench *bench);       /* points.c */
rw_status rw_bench_plan(const rw_bench *bench);         /* plan.c */
rw_status rw_bench_network(const rw_bench *bench);      /* network.c */
rw_status rw_bench_many_maps(const rw_bench *bench);    /* many_maps.c */
rw_status rw_bench_los(const rw_bench *bench);          /* los.c */
rw_status rw_bench_los_curve(const rw_bench *bench);    /* los_curve.c */
rw_status rw_bench_shadow(const rw_bench *bench);       /* shadow.c */
rw_status rw_bench_growth(const rw_bench *bench);       /* growth.c */
rw_status rw_bench_beams(const rw_bench *bench);        /* beams.c */
rw_status rw_bench_images(const rw_bench *bench);       /* images.c */
rw_status rw_bench_physics(const rw_bench *bench);      /* physics.c, over field.c */
rw_status rw_bench_calibrate(const rw_bench *bench);    /* calibrate.c */
rw_status rw_bench_cubes(const rw_bench *bench);        /* cubes.c */
rw_status rw_bench_cube_sight(const rw_bench *bench);   /* cube_sight.c */
rw_status rw_bench_cubes_map(const rw_bench *bench);    /* cubes_map.c */
rw_status rw_bench_tiles(const rw_bench *bench);        /* tiles.c */
rw_status rw_bench_tile_rays(const rw_bench *bench);    /* tile_rays.c */
rw_status rw_bench_terrain(const rw_bench *bench);      /* terrain.c */
rw_status rw_bench_gradients(const rw_bench *bench);    /* gradients.c */
rw_status rw_bench_cancellation(const rw_bench *bench); /* cancellation.c */

/* Embree, for the benchmark only: the usual alternative for lines of sight between points. */
typedef struct rw_embree rw_embree;

/* A scene of triangles: three floats a vertex, three numbers of vertices a triangle. RW_UNSUPPORTED without the
 * library. */
rw_status rw_embree_create(rw_context *context, const float *vertices, size_t vertex_count, const uint32_t *triangles,
                           size_t triangle_count, rw_embree **embree);
void rw_embree_destroy(rw_embree *embree);

/* 1 for each line from one point to another that no triangle crosses, else 0. from and to have three floats a line.
 * packets 1: sixteen lines at a time, which suits lines from one point to neighbours. */
rw_status rw_embree_clear(rw_context *context, rw_embree *embree, const float *from, const float *to, size_t count,
                          int packets, uint8_t *clear);

/* GDAL's own viewshed on a raster in memory; viewshed_stub.c stands in where GDAL is not built in. */
typedef struct rw_gdal_viewshed_options {
    const float *heights; /* rows from the south */
    size_t columns, rows;
    double res_m;
    size_t observer_column, observer_row;
    double observer_height_m, target_height_m; /* above the raster */
} rw_gdal_viewshed_options;

/* GDAL's own viewshed, flat earth, as what a user would take instead: visible is 1 or 0 a cell, rows from the south.
 * seconds is the time of the viewshed alone, without copying its input and output. */
rw_status rw_gdal_viewshed(rw_context *context, const rw_gdal_viewshed_options *options, unsigned char *visible,
                           double *seconds);

/* What the benchmark prints: a table line by line, or JSON at the end. */
typedef struct rw_bench_report {
    const char *machine; /* NULL: no table; otherwise each line as it comes */
    rw_bench_result *items;
    size_t count;
    int wrong, memory_failed;
} rw_bench_report;

/* An rw_bench_fn whose user is a report: keeps the result, and prints its line where a table is wanted. */
void rw_bench_report_add(void *user, const rw_bench_result *result);

void rw_bench_report_json(const rw_bench_report *report, const char *machine, FILE *stream);

#endif
