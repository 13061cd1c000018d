/* What the tests of tile pairs need of a scene and its tiles, on a backend. */
#ifndef RW_VISIBILITY_TILES_TILE_VIEW_H
#define RW_VISIBILITY_TILES_TILE_VIEW_H

#include "discretise/prepared.h"
#include "discretise/tiles/tiles.h"
#include "visibility/tiles/tile_pairs.k.h"

typedef struct rw_device_view {
    rw_tile_geometry_view view;
    rw_backend backend;
    void *arrays[4]; /* on the backend */
} rw_device_view;

rw_status rw_tile_geometry_upload(const rw_scene *scene, const rw_tiles *tiles, rw_backend backend,
                                  rw_device_view *device);
/* First-level visibility: 1 in seen for each tile that the source (wall grid's frame) sees, else 0. seen is on the
 * backend. */
rw_status rw_tile_geometry_see_source(rw_context *context, const rw_device_view *device, rw_vec3 source, uint8_t *seen);
void rw_tile_geometry_release(rw_device_view *device);

#endif
