/* The scene as a height raster: ground or the highest roof over each cell's centre. */
#ifndef RW_DISCRETISE_WALLS_HEIGHT_RASTER_H
#define RW_DISCRETISE_WALLS_HEIGHT_RASTER_H

#include "scene/scene.h"

/* Altitudes at columns x rows cell centres, rows from the south; area_min is the south-western corner in the scene's
 * local frame. heights is to be freed by the caller. In time linear in the cells covered. */
rw_status rw_height_raster_create(const rw_scene *scene, rw_vec2 area_min, size_t columns, size_t rows, double res_m,
                                  float **heights);

#endif
