/* From the altitudes of the ground at buildings to a terrain. */
#ifndef RW_SCENE_READERS_GROUND_SAMPLES_H
#define RW_SCENE_READERS_GROUND_SAMPLES_H

#include "scene/scene.h"

typedef struct rw_ground_sample {
    rw_vec2 at; /* world */
    double altitude_m;
} rw_ground_sample;

typedef struct rw_ground_samples {
    RW_ARRAY(rw_ground_sample) list;
} rw_ground_samples;

/* The ground at a ring's corners, taken at their mean. */
rw_status rw_ground_samples_add(rw_context *context, rw_ground_samples *samples, const rw_vec2 *corners, size_t count,
                                double altitude_m);

/* A raster over the box whose posts are means of the samples around them, with weights that fall off like a Gaussian of
 * standard deviation radius_m, and further where no sample is near. Posts are 50 m apart (more, where that would be far
 * more posts than samples). In time linear in samples and posts. values of the raster are to be freed. */
rw_status rw_ground_samples_smooth(rw_context *context, const rw_ground_samples *samples, rw_vec2 box_min,
                                   rw_vec2 box_max, double radius_m, rw_raster *raster);

/* The same as the scene's terrain, over everything that has been added to it. */
rw_status rw_ground_samples_set_terrain(rw_scene *scene, const rw_ground_samples *samples, double radius_m);

void rw_ground_samples_free(rw_ground_samples *samples);

#endif
