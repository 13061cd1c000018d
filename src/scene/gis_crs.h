/* Coordinates of an input into metres of the scene's coordinate system. */
#ifndef RW_SCENE_GIS_CRS_H
#define RW_SCENE_GIS_CRS_H

#include "scene/scene.h"

/* Transforms x, y pairs from the input's own system ("" where unknown) into the scene's. A scene without one takes the
 * input's where that is in metres, and the UTM zone of the points' centre otherwise. input names it in notes. Pairs
 * that cannot be transformed become NaN. A build without GDAL keeps system and coordinates as they are. */
rw_status rw_gis_bring_to_scene(rw_scene *scene, const char *own, const char *input, double *xy, size_t count);

#endif
