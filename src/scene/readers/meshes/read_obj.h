/* OBJ meshes (Wavefront): corners and faces; normals, textures and curves are stepped over. z is up. */
#ifndef RW_SCENE_READERS_MESHES_READ_OBJ_H
#define RW_SCENE_READERS_MESHES_READ_OBJ_H

#include "scene/readers/triangles.h"

/* The whole file as one list, without regard to its groups. The list is to be freed where the call succeeds. */
rw_status rw_obj_read(rw_context *context, const char *path, rw_triangle_list *list);

#endif
