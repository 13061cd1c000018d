/* A paper's tables and figures made again: ours beside its numbers, as one page with pictures. */
#ifndef RW_BENCH_REPRODUCE_REPRODUCE_H
#define RW_BENCH_REPRODUCE_REPRODUCE_H

#include "bench/bench.h"
#include "bench/reproduce/page.h"

typedef struct rw_reproduction {
    rw_context *context;
    const char *data_folder; /* of the papers' data; NULL: none */
    int tiny;                /* a small scene and short curves, to try the command in seconds */
    double limit_s;          /* longest time of one measurement; what would take longer is left out and said so */
    rw_page page;
} rw_reproduction;

typedef struct rw_paper {
    const char *name, *title;
    rw_status (*run)(rw_reproduction *made); /* fills the page */
} rw_paper;

/* NULL where there is none of that name. */
const rw_paper *rw_paper_find(const char *name);
/* All names, with commas between. */
const char *rw_paper_names(void);

/* Writes OUT/PAPER.md and its pictures. command: what was called, for the page. */
rw_status rw_reproduce(rw_context *context, const rw_paper *paper, const char *data_folder, const char *out, int tiny,
                       double limit_s, const char *command);

/* Lines of a group of the benchmark as a table, and its curves as a picture PAPER_NAME.png. only: a part of the names
 * of the lines that are wanted; NULL: all. */
rw_status rw_reproduce_lines(rw_reproduction *made, rw_status (*group)(const rw_bench *bench), const char *only,
                             const char *name, const char *caption);

/* The bench of a page: its city is that of the page. on_result and user may be set by the caller. */
rw_bench rw_reproduce_bench(const rw_reproduction *made);

/* The city of a page, its name, and the place of the benchmark's transmitter in it. */
rw_status rw_reproduce_city(const rw_reproduction *made, rw_scene **scene, const char **city_name,
                            rw_transmitter *transmitter);

rw_status rw_reproduce_shadow(rw_reproduction *made); /* shadow.c */
rw_status rw_reproduce_images(rw_reproduction *made); /* images.c */
rw_status rw_reproduce_cubes(rw_reproduction *made);  /* cubes.c */
rw_status rw_reproduce_beams(rw_reproduction *made);  /* beams.c */
rw_status rw_reproduce_tiles(rw_reproduction *made);  /* tiles.c */

#endif
