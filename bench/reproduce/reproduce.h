/* A paper's tables and figures made again: ours beside its numbers, as one page with pictures. */
#ifndef RW_BENCH_REPRODUCE_REPRODUCE_H
#define RW_BENCH_REPRODUCE_REPRODUCE_H

#include "bench/bench.h"
#include "bench/reproduce/page.h"
#include "bench/watch.h"

typedef struct rw_reproduction {
    rw_context *context;
    const char *data_folder; /* of the papers' data; NULL: none */
    int tiny;                /* a small scene and short curves, to try the command in seconds */
    double limit_s;          /* a measurement that takes longer is cancelled, and the page prints "over S s" */
    rw_bench_watch *watch;   /* may be NULL */
    rw_page page;
} rw_reproduction;

/* A figure, table or section of a paper, for the list at the top of its page. */
typedef struct rw_paper_item {
    const char *name;
    const char *made; /* where on the page, or what differs; NULL: it is not made */
    const char *why;  /* it is not made; NULL if it is */
} rw_paper_item;

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
                       double limit_s, const char *command, rw_bench_watch *watch);

/* The list at the top of a page: each item with where it is made, or the reason. */
void rw_reproduce_list(rw_reproduction *made, const rw_paper_item *items, size_t count);

/* A measurement: what runs between begin and end is cancelled at the limit. end turns the status of a cancelled call
 * into RW_OK and sets over. */
void rw_reproduce_begin(rw_reproduction *made);
rw_status rw_reproduce_end(rw_reproduction *made, rw_status status, int *over);

/* Whole calls of rw_predict as a caller experiences them, each with a transmitter that no call had before, on a scene
 * that was used before: nothing of the transmitter is cached. */
typedef struct rw_map_times {
    double median_s, min_s, max_s;
    size_t calls;   /* 0: the first was cancelled */
    double reached; /* outdoor cells with a value, of the first transmitter */
} rw_map_times;

#define RW_MAP_CALLS 9

/* options.transmitters is the first; the others are outdoors at 5 to 15 m, always the same. Fewer than RW_MAP_CALLS
 * calls where the limit ends them. */
rw_status rw_reproduce_time_maps(rw_reproduction *made, const rw_scene *scene, const char *city_name,
                                 rw_predict_options options, rw_map_times *times);

/* "12.3 ms (median of 9)" or "over 5 s". */
void rw_reproduce_format_times(const rw_reproduction *made, const rw_map_times *times, char *text, size_t size);

/* Lines of a group of the benchmark as a table, and its curves as a picture PAPER_NAME.png. only: a part of the names
 * of the lines that are wanted; NULL: all. */
rw_status rw_reproduce_lines(rw_reproduction *made, rw_status (*group)(const rw_bench *bench), const char *only,
                             const char *name, const char *caption);

/* The same with points that the paper prints, which are drawn with the curves and are no line of the table. */
rw_status rw_reproduce_lines_with(rw_reproduction *made, rw_status (*group)(const rw_bench *bench), const char *only,
                                  const rw_bench_result *printed, size_t printed_count, const char *name,
                                  const char *caption);
rw_bench_result rw_reproduce_printed_point(const char *curve, double x, double value, const char *unit,
                                           const char *x_label);

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
