/* Power sums: a wave and the diffraction of the edge that ends it are one field, different waves add by power.
 *
 * From all paths to all points to what the fields of paths that belong together add to the sum of their powers. Two
 * paths at a point are one wave as far as they have one length and one direction at both ends, which a wave and that of
 * the edge that ends it have at its boundary of shadow or reflection: the product of three windows, over 1.4
 * wavelengths of length (s = 3 of field/edges/edge_boundary.k.h) and a radian of direction, by Wendland's positive
 * definite function (Adv. Comput. Math. 4, 1995). At a boundary both are alike to all other paths, so that what one
 * loses there the other has, however many edges are near. Two paths without edges, such as the straight one and that by
 * the ground, are one wave only as far as some path over an edge is one with both. */
#ifndef RW_MODELS_RAYS_JOINT_WAVES_H
#define RW_MODELS_RAYS_JOINT_WAVES_H

#include "base/context.h"
#include "field/paths/ray_sums.k.h"

#include <pthread.h>

typedef struct rw_joint_wave {
    size_t point;
    int over_edge; /* 1: some edge diffracts it */
    rw_complex gain;
    double length_m;
    rw_vec3 departure, arrival; /* directions of travel, of length 1 */
} rw_joint_wave;

typedef struct rw_joint_waves {
    rw_context *context;
    rw_joint_wave *items;
    size_t count, capacity;
    rw_failure failure;
    pthread_mutex_t lock; /* of the items */
} rw_joint_waves;

void rw_joint_waves_init(rw_context *context, rw_joint_waves *waves);
void rw_joint_waves_free(rw_joint_waves *waves);

/* From several threads at once. */
void rw_joint_waves_add(rw_joint_waves *waves, const rw_joint_wave *wave);

/* What the waves add to the sums of their points, on the host; free_gains: those that the sums are relative to. */
rw_status rw_joint_waves_sum(rw_joint_waves *waves, const double *free_gains, double wavelength_m, rw_ray_sums *sums);

#endif
