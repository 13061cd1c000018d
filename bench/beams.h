/* Parts of the beams model's benchmark. */
#ifndef RW_BENCH_BEAMS_H
#define RW_BENCH_BEAMS_H

#include "bench/bench.h"
#include "models/beams/raster/raster_tiles.k.h"

/* Tells the time of each stage of one prediction (beam_stages.c). */
rw_status rw_bench_beam_stages(const rw_bench *bench, const rw_scene *scene, const rw_predict_options *options);

/* Tells how much faster kept paths are evaluated than traced (beam_reuse.c). */
rw_status rw_bench_beam_reuse(const rw_bench *bench, const rw_scene *scene, const rw_predict_options *options);

/* Tells the fastest shapes of blocks and grids of both rasterisers (raster.c). */
rw_status rw_bench_raster(const rw_bench *bench, rw_context *context);

#define RW_BENCH_RASTER_SIDE 1024 /* pixels of the rasterisers' target */
#define RW_BENCH_TILINGS_MAX 64

/* Triangles over that target: 2 side side of them (raster.c). */
typedef struct rw_raster_net rw_raster_net;
rw_status rw_raster_net_create(rw_context *context, int side, rw_raster_net **net);
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
