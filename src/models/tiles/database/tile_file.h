/* The tile database: which tiles see each other, in a container (base/container.h) that is written band by band.
 *
 * Sections: for which tiles it is; a key of each tile and of each obstacle, by which an update finds what is still
 * there; then the rows of RW_TILE_BAND_STEP tiles each. A run that finds an unfinished file of the same scene and tiles
 * resumes it. */
#ifndef RW_MODELS_TILES_DATABASE_TILE_FILE_H
#define RW_MODELS_TILES_DATABASE_TILE_FILE_H

#include "base/container.h"
#include "models/tiles/database/tile_code.h"

extern const rw_container_kind rw_tile_database_kind;

/* Which tiles a file is of. */
#define RW_TILE_GROUND_MAX 64

typedef struct rw_tile_subject {
    uint64_t terrain; /* rw_scene_terrain_identity */
    uint64_t keys_hash;
    double area_m2, min_m, min_m2;
    char ground[RW_TILE_GROUND_MAX]; /* empty: the ground has no tiles */
    uint32_t border_quarter, tile_count;
    uint32_t band_rows, triangles; /* 1: tiles are triangles */
    uint64_t obstacle_count;
} rw_tile_subject;

/* A part or a free-standing wall: what it is, and where. World coordinates. */
typedef struct rw_tile_obstacle {
    uint64_t key;
    double west, south, east, north, top;
} rw_tile_obstacle;

/* What a file of these tiles is to say; arrays to be freed by rw_tile_identity_free. */
typedef struct rw_tile_identity {
    uint64_t scene; /* rw_scene_identity */
    rw_tile_subject subject;
    uint64_t *keys; /* of each tile: where it is and where it looks */
    rw_tile_obstacle *obstacles;
} rw_tile_identity;

rw_status rw_tile_identity_compute(const rw_scene *scene, const rw_tiles *tiles, rw_tile_identity *identity);
void rw_tile_identity_free(rw_tile_identity *identity);

typedef struct rw_tile_file_writer {
    rw_container_writer file;
    rw_tile_subject subject;
    uint32_t next_tile; /* rows before it are there */
    rw_tile_bytes bytes;
} rw_tile_file_writer;

/* Creates the file or resumes an unfinished one, whose rows are checked. */
rw_status rw_tile_file_begin(rw_context *context, const char *path, const rw_tile_identity *identity,
                             rw_tile_file_writer *writer);

/* Appends rows from next_tile on: whole bands, or up to the last tile. */
rw_status rw_tile_file_append(rw_tile_file_writer *writer, const rw_tile_half *half);

/* Ends the file and gives it its name. */
rw_status rw_tile_file_commit(rw_tile_file_writer *writer);

/* Leaves it unfinished, to be resumed. */
void rw_tile_file_leave(rw_tile_file_writer *writer);

typedef struct rw_tile_file {
    rw_container container;
    rw_tile_subject subject;
    uint64_t *keys;
    rw_tile_obstacle *obstacles;
} rw_tile_file;

/* Opens the file and checks all but its rows. */
rw_status rw_tile_file_open(rw_context *context, const char *path, rw_tile_file *file);
void rw_tile_file_close(rw_tile_file *file);

/* All rows, each band checked. */
rw_status rw_tile_file_read(rw_tile_file *file, rw_tile_half *half);

#endif
