/* Visibility of all tiles as complete rows in memory (tile_sight.k.h), on the host and on a backend. */
#ifndef RW_VISIBILITY_TILES_TILE_SIGHT_H
#define RW_VISIBILITY_TILES_TILE_SIGHT_H

#include "visibility/tiles/tile_scan.h"
#include "visibility/tiles/tile_sight.k.h"
#include "discretise/prepared.h"
#include "discretise/tiles/tiles.h"
#include "visibility/tiles/tile_pairs.k.h"

typedef struct rw_tile_sight {
    rw_tile_sight_view view; /* its arrays belong to this struct */
    uint64_t word_count;
} rw_tile_sight;

/* Computes everything, on the context's backend. */
rw_status rw_tile_sight_create(const rw_scene *scene, const rw_tiles *tiles, rw_tile_method method,
                               rw_tile_sight *sight);

/* Both halves from the one above the diagonal. */
rw_status rw_tile_sight_complete(rw_context *context, const rw_tile_half *half, rw_tile_sight *sight);
void rw_tile_sight_destroy(rw_tile_sight *sight);

/* How many pairs see each other, each counted from both sides: the entries of the matrix. */
uint64_t rw_tile_sight_entries(const rw_tile_sight *sight);

typedef struct rw_device_tile_sight {
    rw_tile_sight_view view;
    void *copies[3];
} rw_device_tile_sight;

rw_status rw_tile_sight_upload(rw_context *context, rw_backend backend, const rw_tile_sight *sight,
                               rw_device_tile_sight *device);
void rw_tile_sight_release(rw_backend backend, rw_device_tile_sight *device);

#endif
