/* Floor plans from lines of GIS files. */
#ifndef RW_SCENE_READERS_FLOOR_PLANS_READ_LINES_H
#define RW_SCENE_READERS_FLOOR_PLANS_READ_LINES_H

#include "ext/gdal.h"
#include "scene/scene.h"

/* Whether the file has lines and no polygons. */
rw_status rw_plan_is(rw_vector_file *file, int *is);
rw_status rw_plan_read_lines(rw_scene *scene, rw_vector_file *file, const rw_load_options *options);

#endif
