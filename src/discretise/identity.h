/* The identity of the scene of a kept file: one hash of everything that decides on its geometry.
 *
 * In it: the frame (origin of the scene, centre of the wall grid); outlines and altitudes of all parts of buildings;
 * free-standing walls; posts of the terrain; vertices and triangles of meshes; and what the library derives from them
 * and kept files refer to by number: walls and street corners. A version of the program that numbers these differently
 * so refuses the files of the one before.
 *
 * Not in it: materials, slabs, and which surface has which, since kept paths may be evaluated with others; names,
 * coordinate reference system, notes. */
#ifndef RW_DISCRETISE_IDENTITY_H
#define RW_DISCRETISE_IDENTITY_H

#include "scene/scene.h"

/* Of a committed scene. */
uint64_t rw_scene_identity(const rw_scene *scene);

/* Everything that decides on values in a committed scene: the geometry above, and materials, slabs, which surface has
 * which, foliage, coordinate system. */
void rw_scene_content_add(const rw_scene *scene, rw_sha256 *hash);

/* Of terrain and meshes alone: what must be the same where a tile database is updated after buildings changed. */
uint64_t rw_scene_terrain_identity(const rw_scene *scene);

#endif
