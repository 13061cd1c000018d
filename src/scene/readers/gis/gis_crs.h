/* Coordinates of an input into metres of the scene's coordinate system. */
#ifndef RW_SCENE_READERS_GIS_GIS_CRS_H
#define RW_SCENE_READERS_GIS_GIS_CRS_H

#include "ext/gdal.h"
#include "scene/scene.h"

/* Whether distances in a coordinate system are metres near a point: utm is "" then, and the UTM zone of the point
 * otherwise. Degrees and feet are not, nor is Web Mercator, whose metre is stretched by half in the middle latitudes.
 */
rw_status rw_gis_find_utm(rw_context *context, const char *crs, double x, double y, rw_gdal_crs_about *about,
                          char utm[RW_CRS_CODE_MAX]);

/* Transforms x, y pairs from the input's own system ("" where unknown) into the scene's. A scene without one takes the
 * input's where that is in metres, and the UTM zone of the points' centre otherwise. input names it in notes. Pairs
 * that cannot be transformed become NaN. A build without GDAL keeps system and coordinates as they are. */
rw_status rw_gis_transform_to_scene(rw_scene *scene, const char *own, const char *input, double *xy, size_t count);

#endif
