/* A paper's tables and figures made again: ours beside its numbers, as one page with pictures. */
#ifndef RW_BENCH_REPRODUCE_REPRODUCE_H
#define RW_BENCH_REPRODUCE_REPRODUCE_H

#include "base/file.h"
#include "bench/bench.h"
#include "bench/groups.h"
#include "output/pictures/pictures.h"
#include "scene/scene.h"

#include <rasterwave/calibrate.h>

/* A page of tables and pictures: Markdown, and PNG files beside it. Calls do nothing after one has failed; the first
 * failure is told at the end. */
typedef struct rw_page {
    rw_context *context;
    const char *folder, *name;
    rw_file_writer file;
    rw_status status;
} rw_page;

/* FOLDER/NAME.md; the folder is made where it is missing. */
rw_status rw_page_begin(rw_context *context, const char *folder, const char *name, rw_page *page);
/* Writes the page where nothing has failed, and none otherwise. */
rw_status rw_page_end(rw_page *page);

/* Markdown as it is, without a line end. */
void rw_page_print(rw_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A heading of the second level; a paragraph. */
void rw_page_heading(rw_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rw_page_text(rw_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table: its columns, then its rows; cells are parted by " | ". rw_page_table_end closes it. */
void rw_page_table(rw_page *page, const char *columns);
void rw_page_row(rw_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rw_page_table_end(rw_page *page);

/* Pictures PAGE_NAME.png, with a caption below. A picture that something else writes: its path first, then its place on
 * the page. */
void rw_page_plot(rw_page *page, const char *name, const rw_plot *plot, const char *caption);
void rw_page_map(rw_page *page, const char *name, const rw_map *map, const rw_map_draw_options *options,
                 const char *caption);
void rw_page_picture_path(const rw_page *page, const char *name, char *path, size_t size);
void rw_page_picture(rw_page *page, const char *name, const char *caption);

/* Of the code that this program was built from: src, include, programs, bench. */
const char *rw_bench_code_hash(void);

/* Keeps the first failure. */
void rw_page_try(rw_page *page, rw_status status);

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

/* Figures 1 and 3 of Novak (2016) as pictures on a page. */

/* Figure 1: frame buffers along the sequence of one path. */
rw_status rw_reproduce_views(rw_page *page, rw_bench_office *at);

/* Figure 3: the office in space. */
rw_status rw_reproduce_office(rw_page *page, const rw_bench_office *at);

/* The three measured routes of the papers on Munich: their files where a user has them, otherwise synthetic values,
 * which pages and files call synthetic. */
#define RW_ROUTES 3

typedef struct rw_routes {
    rw_measurements *items[RW_ROUTES];
    int are_synthetic; /* values of the default shadow model with noise; nothing measured */
    const char *names[RW_ROUTES];
    const char *where; /* for captions: the positions of the values */
    char files[RW_ROUTES][512];
} rw_routes;

/* Files METRO200, METRO201 and METRO202, also with .csv, .txt or .res after the name, in the data folder or in its
 * folder munich. All three or none: with only some of them the call fails. Without them the path loss of the default
 * shadow model with Gaussian noise, in files NAME_synthetic_a.csv and so on next to the page: along METRO202 in three
 * parts if the folder has its positions (METRO202_positions.csv), otherwise at points along lines through the scene.
 * The page states which. */
rw_status rw_routes_open(rw_reproduction *made, const rw_scene *scene, const rw_transmitter *transmitter, int is_munich,
                         rw_routes *routes);
void rw_routes_close(rw_routes *routes);

/* The errors of a model along a route; picture: the name of a drawing of both along it, or NULL. Synthetic values are
 * called so in the drawing. */
rw_status rw_routes_evaluate(const rw_reproduction *made, const rw_scene *scene, const rw_predict_options *options,
                             const rw_measurements *route, int is_synthetic, const char *picture,
                             rw_evaluation_info *info);

/* 1 if the data folder has all three files, 0 if it has none; fails if some are missing. */
rw_status rw_routes_find(const rw_reproduction *made, int *are_there);

/* What the files of the tiles page share: its cities, the paper's limits, and its sections. */

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
