/* The visibility database of the tiles model: how rows are coded, its file, how it is computed, and what a change
 * affects. */
#ifndef RW_MODELS_TILES_DATABASE_DATABASE_H
#define RW_MODELS_TILES_DATABASE_DATABASE_H

#include "visibility/tiles/tiles.h"
#include "base/container.h"
#include "models/engine/calls/calls.h"

/* Rows of tile visibility as few bytes: a byte with the step to the next block and which bytes of the mask are not
 * empty, then those bytes. About half a byte for a pair that sees each other. */

typedef RW_ARRAY(unsigned char) rw_tile_bytes;

/* Appends the code of rows first_row to first_row + row_count - 1, counted from the half's first. */
rw_status rw_tile_rows_encode(rw_context *context, const rw_tile_half *half, uint32_t first_row, uint32_t row_count,
                              rw_tile_bytes *bytes);

/* Appends rows to the half from a code that is not trusted; 0 where it is none. The next row is half->first_tile +
 * half->row_count; tile_count is the number of all tiles. */
rw_status rw_tile_rows_decode(rw_context *context, const unsigned char *bytes, size_t size, uint32_t row_count,
                              uint32_t tile_count, rw_tile_half *half, int *valid);

/* The tile database: which tiles see each other, in a container (base/container.h) that is written band by band.
 *
 * Sections: for which tiles it is; a key of each tile and of each obstacle, by which an update finds what is still
 * there; then the rows of RW_TILE_BAND_STEP tiles each. A run that finds an unfinished file of the same scene and tiles
 * resumes it. */

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

/* The tile database in memory: the tiles of a scene and which of them see each other. */

typedef struct rw_tile_database {
    rw_tiles tiles;
    rw_tile_sight sight;
    uint64_t entry_count; /* pairs that see each other, from both sides */
} rw_tile_database;

extern const rw_database_calls rw_tile_database_calls;

/* The content of a database of the tiles model. */
const rw_tile_database *rw_tile_database_of(const rw_database *database);

/* What of a tile database still holds after buildings were added, moved or taken away.
 *
 * Tiles are known again by their keys, obstacles by theirs. Two tiles that were there before see each other as before,
 * unless their line comes into the box of an obstacle that came or went. Terrain and meshes must be the same. */

/* Whether a database can be the one before a change of the scene. */
rw_status rw_tile_change_check(const rw_scene *scene, const char *old_path);

/* From the old database to the scene as it is now; identity is that of the new tiles. */
rw_status rw_tile_change_find(const rw_scene *scene, const rw_tile_identity *identity, const char *old_path,
                              rw_tile_change *change);
void rw_tile_change_free(rw_tile_change *change);

#endif
