/* PLY meshes (Stanford polygon format): ASCII, binary little and big endian. */
#ifndef RW_SCENE_READERS_MESHES_READ_PLY_H
#define RW_SCENE_READERS_MESHES_READ_PLY_H

#include "scene/readers/triangles.h"

/* The file's faces as triangles: polygons become fans, elements other than vertex and face are stepped over. The list
 * is to be freed where the call succeeds. */
rw_status rw_ply_read(rw_context *context, const char *path, rw_triangle_list *list);

#endif
