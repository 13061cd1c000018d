/* The walls that a line between sources and receivers can meet: those of a box in plan around both, from the wall grid.
 * Where the box is a small part of the scene, methods that go through all walls go through these. */
#ifndef RW_VISIBILITY_LOS_POLYGONS_POLYGONS_H
#define RW_VISIBILITY_LOS_POLYGONS_POLYGONS_H

#include "discretise/prepared.h"
#include "discretise/receivers/receivers.k.h"
#include "base/context.h"
#include "device/device.h"
#include "visibility/los/polygons/sectors.k.h"

typedef struct rw_near_walls {
    rw_context *context;
    rw_backend backend;
    const rw_wall_grid *grid;     /* in main memory */
    int west, south, east, north; /* cells of the grid that the list is of; west > east: none yet */
    int is_all;                   /* there is no list: the box is a large part of the grid */
    uint64_t *marks;              /* a bit a wall */
    uint32_t *host;               /* numbers of walls, rising */
    size_t count, capacity;
    uint32_t *list; /* the same on the backend; NULL where is_all */
    size_t list_capacity;
} rw_near_walls;

rw_near_walls rw_near_walls_of(const rw_scene *scene);
void rw_near_walls_destroy(rw_near_walls *near);

/* Lists the walls around a grid of receivers and sources (frame of the wall grid), unless the list has them already. */
rw_status rw_near_walls_find(rw_near_walls *near, const rw_receivers_view *receivers, const rw_vec3 *sources,
                             size_t source_count);

/* Wall counts by a tree of directions around each source (sectors.k.h), one source after the other. */

/* Memory of the backend for the tree of one source. */
typedef struct rw_sectors {
    rw_context *context;
    rw_backend backend;
    rw_sector_tree tree;
    size_t sector_count, entry_capacity;
} rw_sectors;

rw_status rw_sectors_create(rw_context *context, rw_backend backend, size_t wall_count, rw_sectors *sectors);
void rw_sectors_destroy(rw_sectors *sectors);

/* Counts the walls between source number index, at this place, and every receiver. */
rw_status rw_sectors_run(rw_sectors *sectors, const rw_los_arrays *arrays, rw_vec3 source, size_t index);

#endif
