/* Rays that were found once, kept to be evaluated again: for other frequencies, antennas, powers and materials. */
#ifndef RW_MODELS_TILES_STORED_H
#define RW_MODELS_TILES_STORED_H

#include "base/container.h"
#include "models/tiles/tiles.h"

extern const rw_container_kind rw_stored_rays_kind;

/* What rays depend on. */
typedef struct rw_stored_tiles_subject {
    uint64_t tiles_hash, points_hash;
    uint64_t tile_count, edge_count, point_count, transmitter_count;
    int32_t depth, reflections, diffractions, scatterings;
} rw_stored_tiles_subject;

/* Rays are kept this much further down than the first call's threshold, for frequencies and antennas to come. */
#define RW_STORED_MARGIN_DB 40.0

/* What was kept, of one transmitter. */
typedef struct rw_stored_threshold {
    double freq_hz, loss_db; /* rays down to this loss at this frequency */
    int64_t rough;           /* 1: something scattered */
} rw_stored_threshold;

/* The rays of one transmitter that ended at tiles or points. The first step of a scattered one is a number of keys. */
typedef struct rw_stored_rays {
    rw_vec3 source;
    rw_stored_threshold threshold;
    RW_ARRAY(rw_tile_ray) direct;
    RW_ARRAY(rw_tile_ray) scattered;
    uint64_t *keys; /* group and tile of each scatterer */
    size_t key_count;
} rw_stored_rays;

typedef struct rw_stored_tiles {
    rw_context *context;
    const char *path;
    int loaded;     /* from the file; else it is to be written */
    uint64_t scene; /* rw_scene_identity */
    rw_stored_tiles_subject subject;
    rw_stored_rays *transmitters; /* of each transmitter */
} rw_stored_tiles;

/* From the prediction's file where there is one, which must be of the same scene, tiles, places and limits; else empty,
 * to be filled. points may be NULL: then a file with rays to points serves as well. */
rw_status rw_stored_tiles_open(const rw_prediction *prediction, const rw_tile_city *city, const rw_tile_limits *limits,
                               const rw_tile_points *points, rw_stored_tiles *stored);
void rw_stored_tiles_close(rw_stored_tiles *stored);

/* Runs a solver and keeps its rays, or evaluates those that are kept. kept may be NULL: just runs. */
rw_status rw_stored_tiles_run(rw_stored_tiles *stored, size_t transmitter, rw_tile_solver *solver);

/* Writes the file, where it is not there yet. */
rw_status rw_stored_tiles_finish(const rw_stored_tiles *stored);

/* The rays of one transmitter of an open file of kept rays, all that they name checked (kept.c). */
rw_status rw_stored_rays_read(rw_container *container, const rw_stored_tiles_subject *subject, size_t transmitter,
                              rw_stored_rays *rays);
void rw_stored_rays_free(rw_stored_rays *rays);

/* The file (kept.c); everything else is in reuse.c. */
rw_status rw_stored_tiles_read(rw_stored_tiles *stored);
rw_status rw_stored_tiles_write(const rw_stored_tiles *stored);

#endif
