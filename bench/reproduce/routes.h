/* The three measured routes of the papers on Munich: their files where a user has them, else measurements that are made
 * here and said to be. */
#ifndef RW_BENCH_REPRODUCE_ROUTES_H
#define RW_BENCH_REPRODUCE_ROUTES_H

#include "bench/reproduce/reproduce.h"

#include <rasterwave/calibrate.h>

#define RW_ROUTES 3

typedef struct rw_routes {
    rw_measurements *items[RW_ROUTES]; /* METRO200, METRO201, METRO202 */
    int are_generated;                 /* 1: not measured, but made by the default model with noise */
    char files[RW_ROUTES][512];
} rw_routes;

extern const char *const rw_route_names[RW_ROUTES];

/* Files METRO200, METRO201 and METRO202, also with .csv, .txt or .res behind the name, in the data folder or in its
 * folder munich. Without them: the path loss of the default shadow model at points along lines through the scene, with
 * Gaussian noise, in files beside the page. Says on the page which. */
rw_status rw_routes_open(rw_reproduction *made, const rw_scene *scene, const rw_transmitter *transmitter, int is_munich,
                         rw_routes *routes);
void rw_routes_close(rw_routes *routes);

/* The errors of a model along a route; picture: the name of a drawing of both along it, or NULL. */
rw_status rw_routes_evaluate(const rw_reproduction *made, const rw_scene *scene, const rw_predict_options *options,
                             const rw_measurements *route, const char *picture, rw_evaluation_info *info);

/* Whether the data folder has all three files. */
int rw_routes_are_there(const rw_reproduction *made);

#endif
