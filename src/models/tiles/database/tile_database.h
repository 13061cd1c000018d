/* The tile database in memory: the tiles of a scene and which of them see each other. */
#ifndef RW_MODELS_TILES_DATABASE_TILE_DATABASE_H
#define RW_MODELS_TILES_DATABASE_TILE_DATABASE_H

#include "models/engine/calls/database.h"
#include "visibility/tiles/tile_sight.h"

typedef struct rw_tile_database {
    rw_tiles tiles;
    rw_tile_sight sight;
    uint64_t entry_count; /* pairs that see each other, from both sides */
} rw_tile_database;

extern const rw_database_calls rw_tile_database_calls;

/* The content of a database of the tiles model. */
const rw_tile_database *rw_tile_database_of(const rw_database *database);

#endif
