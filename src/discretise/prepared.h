/* What is prepared once for every prediction on a committed scene, in host memory and, where used, on the device. */
#ifndef RW_DISCRETISE_PREPARED_H
#define RW_DISCRETISE_PREPARED_H

#include "discretise/built_over.h"
#include "discretise/summary.h"
#include "discretise/bvh/bvh.h"
#include "discretise/walls/walls.h"
#include "device/device.h"

#include <pthread.h>

#define RW_DEVICE_ARRAYS 11

struct rw_scene_cache; /* scene_cache.h */

typedef struct rw_prepared {
    rw_wall_list walls;
    rw_wall_grid grid;
    rw_part_cover cover;
    rw_bvh bvh;
    rw_corner_list corners;
    rw_scene_summary summary;
    struct rw_scene_cache *cache; /* what predictions made and later ones can use */
    rw_built_over built_over;     /* made at the first use, under the lock */
    int has_built_over;

    /* The arrays of grid and corners on the CUDA device, copied there at the first use. */
    pthread_mutex_t device_lock;
    int on_device;
    rw_wall_grid_view device_view;
    rw_corners_view device_corners;
    const uint32_t *device_surfaces;
    rw_built_over_view device_built_over;
    void *device_arrays[RW_DEVICE_ARRAYS];
} rw_prepared;

/* The grid as kernels of that backend see it. */
rw_status rw_prepared_view(const rw_scene *scene, rw_backend backend, rw_wall_grid_view *view);

/* The corners likewise. */
rw_status rw_prepared_corners(const rw_scene *scene, rw_backend backend, rw_corners_view *view);

/* The surface of each wall likewise. */
rw_status rw_prepared_surfaces(const rw_scene *scene, rw_backend backend, const uint32_t **surfaces);

/* The built-over fraction round each point likewise. */
rw_status rw_prepared_built_over(const rw_scene *scene, rw_backend backend, rw_built_over_view *view);

#endif
