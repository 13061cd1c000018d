/* Cuts walls, roofs, ground and meshes of a scene into tiles of about one area, in time near linear in their number.
 *
 * After Lu, Vitucci, Degli-Esposti and others, IEEE Trans. Antennas Propag. 67 (2019), section III.A. */
#ifndef RW_DISCRETISE_TILES_TILES_H
#define RW_DISCRETISE_TILES_TILES_H

#include "device/device.h"
#include "discretise/tiles/tiles.k.h"
#include "scene/scene.h"

typedef struct rw_tile_options {
    double area_m2;     /* wanted area of a tile */
    double min_m;       /* narrower walls and roofs have no tiles */
    double min_m2;      /* smaller ones neither */
    int triangles;      /* 1: tiles are triangles, two of them from a rectangle of twice the area */
    int border_quarter; /* how often tiles of roofs and ground that an outline crosses are cut into four */
    const char *ground; /* material of the ground; NULL: the ground has no tiles */
    double box[4];      /* west, south, east, north in the local frame: walls, roofs and meshes that lie wholly beyond
                           have no tiles, nor has the ground there */
    double beyond[4]; /* the ground is to reach so far, too, where that is not much more of it; an empty box: no farther
                         than the scene */
} rw_tile_options;

void rw_tile_options_init(rw_tile_options *options); /* 100 m2, 0.5 m, 1 m2, not cut, itu_medium_dry_ground,
                                                              everywhere */

typedef struct rw_tiles {
    rw_tiles_view view; /* its arrays belong to this struct */
    rw_tile_options options;
    const char **materials; /* names of slabs or materials; the texts are the scene's and the options' */
    size_t material_count;
    size_t skipped_count; /* walls and roofs below the least sizes */
    double skipped_m2;
} rw_tiles;

/* The scene must be committed. Tiles are numbered along a Hilbert curve through cells of a dozen tiles' width, and by
 * orientation within a cell. */
rw_status rw_tiles_create(const rw_scene *scene, const rw_tile_options *options, rw_tiles *tiles);
void rw_tiles_destroy(rw_tiles *tiles);

/* Where the kernels of a backend can read them: themselves on the CPU, a copy on a device. */
typedef struct rw_device_tiles {
    rw_tiles_view view;
    void *copies[7];
} rw_device_tiles;

rw_status rw_tiles_upload(rw_context *context, rw_backend backend, const rw_tiles *tiles, rw_device_tiles *device);
void rw_tiles_release(rw_backend backend, rw_device_tiles *device);

/* About how many tiles the scene would have, before they are made. */
double rw_tiles_estimate(const rw_scene *scene, const rw_tile_options *options);

#endif
