/* Shared by the benchmarks of tiles: scenes and their tiles. */
#ifndef RW_BENCH_TILES_H
#define RW_BENCH_TILES_H

#include "bench/bench.h"
#include "visibility/tiles/tile_sight.h"

typedef struct rw_cut_city {
    rw_scene *scene;
    rw_tiles tiles;
    char name[64];
    double area_m2;
    double cut_s;
} rw_cut_city;

/* Takes over the scene, which may be NULL where status is not RW_OK, and cuts it. */
rw_status rw_cut_city_cut(rw_scene *scene, const char *name, double area_m2, rw_cut_city *city);

/* Scenes of the benchmark. */
rw_status rw_cut_city_small(rw_context *context, rw_cut_city *city); /* 0.5 km2, about 5 100 tiles */
rw_status rw_cut_city_hilly(rw_context *context, rw_cut_city *city); /* 20 km2, about 466 000 tiles */
void rw_cut_city_free(rw_cut_city *city);

/* tiles_embree.c: the same lines by Embree. */
rw_status rw_bench_tiles_embree(const rw_bench *out, rw_context *context, const rw_cut_city *city);

#endif
