/* The receiver grid: which cells are inside buildings, and the altitude of each receiver. */
#ifndef RW_DISCRETISE_RECEIVERS_RECEIVERS_H
#define RW_DISCRETISE_RECEIVERS_RECEIVERS_H

#include "discretise/receivers/receivers.k.h"
#include "device/device.h"
#include "discretise/prepared.h"
#include "discretise/receivers/points.k.h"
#include "discretise/receivers/receiver_tops.k.h"
#include "discretise/walls/wall_grid.k.h"

typedef struct rw_receivers {
    rw_receivers_view view; /* its arrays belong to this struct */
    double height_m;        /* above ground */
    float *z_m;
    rw_vec3 *points;
    uint8_t *indoor;
    uint32_t *outdoor;
} rw_receivers;

/* area_min is the grid's south-western corner in the scene's local frame. */
rw_status rw_receivers_create(const rw_scene *scene, const rw_wall_grid *grid, rw_vec2 area_min, size_t columns,
                              size_t rows, double res_m, double height_m, rw_receivers *receivers);

#define RW_RECEIVER_EXCLUDED 2 /* in place of indoor: a cell outside the area asked for */

/* Leaves out the cells that are 0 in wanted, one a cell, whether inside buildings or not. */
void rw_receivers_limit(rw_receivers *receivers, const uint8_t *wanted);

/* Receivers at points: x, y in the scene's local frame, z above ground. rooms: no mesh makes a point indoor, for models
 * that look into rooms. */
rw_status rw_receivers_create_at(const rw_scene *scene, int rooms, const rw_vec3 *points, size_t count,
                                 rw_receivers *receivers);

/* Whether a point (local frame, altitude) is inside a building. */
int rw_receiver_is_inside(const rw_scene *scene, int rooms, rw_vec2 at, double z_m);

void rw_receivers_destroy(rw_receivers *receivers);

/* Receivers where the kernels of a backend can read them: themselves on the CPU, a copy on a device. */
typedef struct rw_device_receivers {
    rw_receivers_view view;
    void *copies[4];
} rw_device_receivers;

rw_status rw_receivers_upload(rw_context *context, rw_backend backend, const rw_receivers *receivers,
                              rw_device_receivers *device);
void rw_receivers_release(rw_backend backend, rw_device_receivers *device);

/* Receivers anywhere in space as a list of points with a tree over them, in the frame of the wall grid. */

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

/* The highest receiver in each cell of the wall grid: where every ray is higher, no receiver is reached. */

/* Fills rows * columns of tops, which are zeros. found 0: receivers lie beyond the grid, and tops say nothing about
 * them. */
rw_status rw_receiver_tops(rw_context *context, const rw_wall_grid_view *grid, const rw_receivers_view *view,
                           uint32_t *tops, int *found);

#endif
