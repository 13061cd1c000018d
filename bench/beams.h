/* Parts of the beams model's benchmark. */
#ifndef RW_BENCH_BEAMS_H
#define RW_BENCH_BEAMS_H

#include "bench/bench.h"
#include "models/beams/raster/raster_tiles.k.h"

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

#endif
