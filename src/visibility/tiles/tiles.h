/* Which tiles see each other: what the tests need on a backend, and the visibility of all pairs. */
#ifndef RW_VISIBILITY_TILES_TILES_H
#define RW_VISIBILITY_TILES_TILES_H

#include "discretise/prepared.h"
#include "discretise/tiles/tiles.h"
#include "visibility/tiles/see_tiles.k.h"
#include "visibility/tiles/tile_pairs.k.h"
#include "visibility/tiles/tile_sight.k.h"

/* What the tests of tile pairs need of a scene and its tiles, on a backend. */
typedef struct rw_device_view {
    rw_tile_geometry_view view;
    rw_backend backend;
    void *arrays[4]; /* on the backend */
} rw_device_view;

rw_status rw_tile_geometry_upload(const rw_scene *scene, const rw_tiles *tiles, rw_backend backend,
                                  rw_device_view *device);
/* First-level visibility: 1 in seen for each tile that the source (wall grid's frame) sees, else 0. seen is on the
 * backend. */
rw_status rw_tile_geometry_see_source(rw_context *context, const rw_device_view *device, rw_vec3 source, uint8_t *seen);
void rw_tile_geometry_release(rw_device_view *device);

/* Which tiles see each other, band of rows by band: the half of the matrix above its diagonal, as words of blocks. */
typedef enum rw_tile_method { RW_TILES_FAST, RW_TILES_BRUTE } rw_tile_method;

/* Bands are of whole such steps, which are also the records of a file. */
#define RW_TILE_BAND_STEP 1024u

/* Words of a run of rows; row i has words firsts[i] to firsts[i + 1] - 1. Bit k of a mask is tile 32 block + k; only
 * tiles of a higher number than the row's are in it. */
typedef struct rw_tile_half {
    uint32_t first_tile, row_count;
    RW_ARRAY(uint64_t) firsts;
    RW_ARRAY(uint32_t) blocks;
    RW_ARRAY(uint32_t) masks; /* as many as blocks */
} rw_tile_half;

void rw_tile_half_free(rw_tile_half *half);

/* What was seen before buildings changed, and where they changed. */
typedef struct rw_tile_change {
    RW_ARRAY(rw_changed_box) boxes; /* in the wall grid's frame */
    uint32_t *existing;             /* of each block of the new tiles: those that were there before */
    uint64_t *firsts;               /* of each new tile, and one more: into others */
    uint32_t *others;               /* new tiles of a higher number that it saw before */
    size_t existing_count;
} rw_tile_change;

typedef struct rw_tile_scan {
    rw_context *context;
    rw_device_view geometry;
    rw_tile_method method;
    rw_tile_horizon *horizons; /* on the backend, of the fast method */
    uint32_t band_rows;        /* most rows of one band, a multiple of RW_TILE_BAND_STEP */
    uint32_t *words;           /* on the backend, as are the next two */
    uint32_t *counts, *firsts;
    uint32_t *host_counts;
    size_t packed_capacity;
    uint32_t *packed;             /* blocks, then masks, on the backend */
    const rw_tile_change *change; /* what was seen before; NULL: all is asked */
    uint32_t *existing;           /* of it, on the backend, as is the next */
    rw_changed_box *boxes;
    uint32_t *host_words;
} rw_tile_scan;

/* max_bytes of working memory on the backend, as far as the least band fits; 0: chosen. */
rw_status rw_tile_scan_create(const rw_scene *scene, const rw_tiles *tiles, rw_tile_method method, double max_bytes,
                              rw_tile_scan *scan);
/* From now on only what the change may have changed is asked; the change must outlive the scan. */
rw_status rw_tile_scan_set_change(rw_tile_scan *scan, const rw_tile_change *change);
void rw_tile_scan_destroy(rw_tile_scan *scan);

/* Appends the rows of the next band to half, which starts empty with first_tile set; returns when they are there. */
rw_status rw_tile_scan_band(rw_tile_scan *scan, uint32_t first_tile, uint32_t row_count, rw_tile_half *half);

/* Whole, with progress. */
rw_status rw_tile_scan_all(rw_tile_scan *scan, rw_tile_half *half);

/* Visibility of all tiles as complete rows in memory (tile_sight.k.h), on the host and on a backend. */
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
