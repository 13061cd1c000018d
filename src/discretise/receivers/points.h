/* Receivers anywhere in space as a list of points with a tree over them, in the frame of the wall grid. */
#ifndef RW_DISCRETISE_RECEIVERS_POINTS_H
#define RW_DISCRETISE_RECEIVERS_POINTS_H

#include "device/device.h"
#include "discretise/receivers/points.k.h"
#include "discretise/receivers/receivers.h"

typedef struct rw_points {
    rw_points_view view; /* its arrays belong to this struct */
    rw_vec3 *positions;
    uint32_t *cells; /* which receiver each is */
    rw_bvh_node *nodes;
} rw_points;

/* places[i] is receiver cells[i]; both are copied. */
rw_status rw_points_create(rw_context *context, const rw_vec3 *positions, const uint32_t *cells, size_t count,
                           rw_points *points);
void rw_points_destroy(rw_points *points);

typedef struct rw_device_points {
    rw_points_view view;
    void *copies[2];
} rw_device_points;

rw_status rw_points_upload(rw_context *context, rw_backend backend, const rw_points *points, rw_device_points *device);
void rw_points_release(rw_backend backend, rw_device_points *device);

#endif
