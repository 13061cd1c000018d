/* The benchmark: groups of numbers, with what each result was compared with before it was timed. */
#ifndef RW_BENCH_BENCH_H
#define RW_BENCH_BENCH_H

#include "base/context.h"
#include "base/maths/vector.h"
#include "bench/watch.h"

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

rw_status rw_bench_calls(const rw_bench *bench);      /* calls.c */
rw_status rw_bench_plan(const rw_bench *bench);       /* plan.c */
rw_status rw_bench_network(const rw_bench *bench);    /* network.c */
rw_status rw_bench_many_maps(const rw_bench *bench);  /* many_maps.c */
rw_status rw_bench_los(const rw_bench *bench);        /* los.c */
rw_status rw_bench_los_curve(const rw_bench *bench);  /* los_curve.c */
rw_status rw_bench_shadow(const rw_bench *bench);     /* shadow.c */
rw_status rw_bench_growth(const rw_bench *bench);     /* growth.c */
rw_status rw_bench_beams(const rw_bench *bench);      /* beams.c */
rw_status rw_bench_images(const rw_bench *bench);     /* images.c */
rw_status rw_bench_physics(const rw_bench *bench);    /* physics.c, over field.c */
rw_status rw_bench_calibrate(const rw_bench *bench);  /* calibrate.c */
rw_status rw_bench_cubes(const rw_bench *bench);      /* cubes.c */
rw_status rw_bench_cube_sight(const rw_bench *bench); /* cube_sight.c */
rw_status rw_bench_cubes_map(const rw_bench *bench);  /* cubes_map.c */
rw_status rw_bench_tiles(const rw_bench *bench);      /* tiles.c */
rw_status rw_bench_tile_rays(const rw_bench *bench);  /* tile_rays.c */
rw_status rw_bench_terrain(const rw_bench *bench);    /* terrain.c */
rw_status rw_bench_gradients(const rw_bench *bench);  /* gradients.c */

#endif
