/* A visibility database in memory. Of shadow: the receivers it was made for, and the street graph on the context's
 * backend. Of tiles: the tiles and which of them see each other. */
#ifndef RW_MODELS_SHADOW_DATABASE_DATABASE_H
#define RW_MODELS_SHADOW_DATABASE_DATABASE_H

#include "models/engine/model.h"
#include "models/shadow/database/street_tables.h"
#include "visibility/tiles/tile_sight.h"

struct rw_database {
    const rw_scene *scene;
    const char *model; /* "shadow" or "tiles" */
    double bytes;      /* of the file */

    /* Of shadow. */
    rw_street_subject subject;
    rw_receivers receivers;
    rw_street_graph graph;

    /* Of tiles. */
    rw_tiles tiles;
    rw_tile_sight sight;
    uint64_t entry_count; /* pairs that see each other, from both sides */
};

/* Whether the database is of this model; a sentence where not. */
rw_status rw_database_check_model(const rw_database *database, const rw_scene *scene, const char *model);

/* Whether the database is of this scene and these cells; a sentence that says what would fit where it is not. */
rw_status rw_database_check(const rw_database *database, const rw_scene *scene, const rw_map_info *cells);

/* tile_database.c: the part of these calls that is about tiles. */
rw_status rw_tile_database_make(const rw_scene *scene, const rw_preprocess_options *options, const char *path);
rw_status rw_tile_database_load(const rw_scene *scene, const char *path, rw_database *database);
rw_status rw_tile_database_read_info(rw_context *context, const char *path, rw_database_info *info);
void rw_tile_database_get_info(const rw_database *database, rw_database_info *info);

#endif
