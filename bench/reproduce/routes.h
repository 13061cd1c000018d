/* The three measured routes of the papers on Munich: their files where a user has them, otherwise synthetic values,
 * which pages and files call synthetic. */
#ifndef RW_BENCH_REPRODUCE_ROUTES_H
#define RW_BENCH_REPRODUCE_ROUTES_H

#include "bench/reproduce/reproduce.h"

#include <rasterwave/calibrate.h>

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

#endif
