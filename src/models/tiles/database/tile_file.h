/* The tile database: which tiles see each other, in a file that is written block by block and mapped when read.
 *
 * A header says for which scene and tiles; then a key of each tile and of each obstacle, by which an update finds what
 * is still there; then records of RW_TILE_RECORD_ROWS rows each, with a hash. While it is made the file has the name
 * of the final one with ".unfinished" behind it; a run that finds one of the same scene and tiles goes on with it. */
#ifndef RW_MODELS_TILES_DATABASE_TILE_FILE_H
#define RW_MODELS_TILES_DATABASE_TILE_FILE_H

#include "models/tiles/database/tile_code.h"

#include <stdio.h>

#define RW_TILE_RECORD_ROWS RW_TILE_BAND_STEP

/* What a file is about. */
typedef struct rw_tile_subject {
    uint64_t scene_hash;
    uint64_t world_hash; /* terrain and meshes */
    uint64_t keys_hash;
    double area_m2, least_m, least_m2;
    char ground[RW_NAME_MAX]; /* empty: the ground has no tiles */
    uint32_t border_quarter, tile_count;
    uint64_t obstacle_count;
} rw_tile_subject;

/* A part or a free-standing wall: what it is, and where. World coordinates. */
typedef struct rw_tile_obstacle {
    uint64_t key;
    double west, south, east, north, top;
} rw_tile_obstacle;

/* What a file of these tiles is to say; arrays to be freed by rw_tile_identity_free. */
typedef struct rw_tile_identity {
    rw_tile_subject subject;
    uint64_t *keys; /* of each tile: where it is and where it looks */
    rw_tile_obstacle *obstacles;
} rw_tile_identity;

rw_status rw_tile_identity_make(const rw_scene *scene, const rw_tiles *tiles, rw_tile_identity *identity);
uint64_t rw_tile_world_hash(const rw_scene *scene);
void rw_tile_identity_free(rw_tile_identity *identity);

typedef struct rw_tile_file_writer {
    rw_context *context;
    FILE *stream;
    char path[4096], unfinished[4112];
    rw_tile_subject subject;
    uint64_t word_count, entry_count;
    uint32_t next_tile; /* rows before it are there */
    rw_tile_bytes bytes;
} rw_tile_file_writer;

/* Creates the file or goes on with an unfinished one. */
rw_status rw_tile_file_begin(rw_context *context, const char *path, const rw_tile_identity *identity,
                             rw_tile_file_writer *writer);

/* Appends rows from next_tile on: whole records, or up to the last tile. */
rw_status rw_tile_file_append(rw_tile_file_writer *writer, const rw_tile_half *half);

/* Ends the file and gives it its name. */
rw_status rw_tile_file_commit(rw_tile_file_writer *writer);

/* Leaves it unfinished, to be resumed. */
void rw_tile_file_leave(rw_tile_file_writer *writer);

typedef struct rw_tile_file {
    const unsigned char *bytes; /* mapped */
    size_t size, records_at;
    rw_tile_subject subject;
    uint64_t word_count, entry_count;
    const uint64_t *keys;
    const rw_tile_obstacle *obstacles;
} rw_tile_file;

/* Maps the file and checks all but its rows. */
rw_status rw_tile_file_open(rw_context *context, const char *path, rw_tile_file *file);
void rw_tile_file_close(rw_tile_file *file);

/* All rows, each record checked. */
rw_status rw_tile_file_read(rw_context *context, const char *path, const rw_tile_file *file, rw_tile_half *half);

/* Whether a file starts as one. */
int rw_tile_file_recognise(const char *bytes, size_t size);

#endif
