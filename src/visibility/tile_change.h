/* What of a tile database still holds after buildings were added, moved or taken away.
 *
 * Tiles are known again by their keys, obstacles by theirs. Two tiles that were there before see each other as before,
 * unless their line comes into the box of an obstacle that came or went. Terrain and meshes must be the same. */
#ifndef RW_VISIBILITY_TILE_CHANGE_H
#define RW_VISIBILITY_TILE_CHANGE_H

#include "visibility/tile_file.h"

typedef struct rw_tile_change {
    RW_ARRAY(rw_changed_box) boxes; /* in the wall grid's frame */
    uint32_t *known;                /* of each block of the new tiles: those that were there before */
    uint64_t *firsts;               /* of each new tile, and one more: into others */
    uint32_t *others;               /* new tiles of a higher number that it saw before */
    size_t known_count;
} rw_tile_change;

/* Whether a database can be the one before a change of the scene. */
rw_status rw_tile_change_check(const rw_scene *scene, const char *old_path);

/* From the old database to the scene as it is now; identity is that of the new tiles. */
rw_status rw_tile_change_make(const rw_scene *scene, const rw_tile_identity *identity, const char *old_path,
                              rw_tile_change *change);
void rw_tile_change_free(rw_tile_change *change);

#endif
