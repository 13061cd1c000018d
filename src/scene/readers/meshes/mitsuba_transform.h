/* The <transform> of a Mitsuba scene: translate, scale, rotate and matrix, one after the other. */
#ifndef RW_SCENE_READERS_MESHES_MITSUBA_TRANSFORM_H
#define RW_SCENE_READERS_MESHES_MITSUBA_TRANSFORM_H

#include "base/maths/vector.h"
#include "base/text/xml.h"

/* Rows of the upper three of a 4 x 4 matrix; the last row is 0 0 0 1. */
typedef struct rw_affine {
    double rows[3][4];
} rw_affine;

rw_affine rw_affine_identity(void);
rw_vec3 rw_affine_apply(const rw_affine *transform, rw_vec3 point);

/* After the opening of a <transform>: reads to its closing. Each step is done after those before it. */
rw_status rw_mitsuba_read_transform(rw_xml *xml, rw_affine *transform);

#endif
