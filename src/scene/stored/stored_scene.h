/* The tables of a saved scene, for its writer (scene/stored/write_stored_scene.c) and its reader (read_stored_scene.c).
 * See docs/decisions/0007-scene-file.md. Field lists are in the order of the numbers below. */
#ifndef RW_SCENE_STORED_STORED_SCENE_H
#define RW_SCENE_STORED_STORED_SCENE_H

#include "ext/gdal.h"
#include "scene/scene.h"

#define RW_SAVED_VERSION 1
#define RW_SAVED_STRIP_BYTES ((size_t)16 << 20) /* of one terrain record */
#define RW_SAVED_BLOB_MAX ((size_t)900 << 20)   /* a little less than SQLite takes */

#define RW_SAVED_SCENE "rasterwave_scene" /* key, value: version, crs, flat, origin_x_m, origin_y_m */
#define RW_SAVED_BUILDINGS "buildings"
#define RW_SAVED_WALLS "walls"
#define RW_SAVED_MESHES "meshes"
#define RW_SAVED_MATERIALS "materials"
#define RW_SAVED_SLABS "slabs"
#define RW_SAVED_TERRAIN "terrain"
#define RW_SAVED_FOLIAGE "foliage" /* as terrain: heights of trees above ground */

/* Adds a saved scene's content to an empty scene. is_saved: whether the file is one at all. */
rw_status rw_saved_read(rw_scene *scene, rw_vector_file *file, const char *path);
int rw_saved_is(const rw_vector_file *file);

#endif
