/* How much of a map lies beyond the scene's terrain. */
#ifndef RW_MODELS_ENGINE_PREDICTION_TERRAIN_COVER_H
#define RW_MODELS_ENGINE_PREDICTION_TERRAIN_COVER_H

#include "scene/scene.h"

/* What stands in the scene and its terrain: west, south, east, north (world). */
void rw_scene_full_extent(const rw_scene *scene, double extent_m[4]);

/* Share of a map's cells whose ground the terrain does not tell; 0 without terrain. */
double rw_terrain_missing_fraction(const rw_scene *scene, const rw_map_info *cells);
void rw_warn_of_missing_terrain(const rw_scene *scene, const rw_map_info *cells);

#endif
