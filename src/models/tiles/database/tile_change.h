/* What of a tile database still holds after buildings were added, moved or taken away.
 *
 * Tiles are known again by their keys, obstacles by theirs. Two tiles that were there before see each other as before,
 * unless their line comes into the box of an obstacle that came or went. Terrain and meshes must be the same. */
#ifndef RW_MODELS_TILES_DATABASE_TILE_CHANGE_H
#define RW_MODELS_TILES_DATABASE_TILE_CHANGE_H

#include "models/tiles/database/tile_file.h"

/* Whether a database can be the one before a change of the scene. */
rw_status rw_tile_change_check(const rw_scene *scene, const char *old_path);

/* From the old database to the scene as it is now; identity is that of the new tiles. */
rw_status rw_tile_change_find(const rw_scene *scene, const rw_tile_identity *identity, const char *old_path,
                              rw_tile_change *change);
void rw_tile_change_free(rw_tile_change *change);

#endif
