/* What of a scene is built over: buildings on the ground rasterised as one area, however they overlap, and its mean
 * over a disc round each cell. Beyond the edge of the map nothing is built, so that blocks of a region, which have
 * edges of their own, fit together. 2 m cells under discs at every 10 m, coarser where the scene is larger than 30 km;
 * made once for a scene in about 0.1 s per 10 km square, 4 bytes per disc. */
#ifndef RW_DISCRETISE_BUILT_OVER_H
#define RW_DISCRETISE_BUILT_OVER_H

#include "discretise/built_over.k.h"
#include "scene/scene.h"

typedef struct rw_built_over {
    rw_built_over_view view; /* its array belongs to this struct */
    float *fractions;
} rw_built_over;

/* centre: of the wall grid, whose frame the view has. A scene without buildings has an empty view. */
rw_status rw_built_over_create(const rw_scene *scene, rw_vec2 centre, rw_built_over *built);
void rw_built_over_destroy(rw_built_over *built);

#endif
