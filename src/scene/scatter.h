/* From heights at scattered points to a raster. */
#ifndef RW_SCENE_SCATTER_H
#define RW_SCENE_SCATTER_H

#include "base/context.h"
#include "base/vector.h"

typedef struct rw_sample {
    rw_vec2 at;
    double value;
} rw_sample;

/* A raster of posts spacing_m apart (more, where that would be far more posts than there are samples) over the box, by
 * inverse distance over the nearest samples: after Franke and Little's form of Shepard's method, continuous and exact
 * at the samples. Samples are reordered; those at one point count as their mean. values of the raster are to be freed.
 */
rw_status rw_scatter_to_raster(rw_context *context, rw_sample *samples, size_t count, rw_vec2 box_min, rw_vec2 box_max,
                               double spacing_m, rw_raster *raster);

#endif
