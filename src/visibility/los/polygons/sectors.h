/* Wall counts by a tree of directions around each source (sectors.k.h), one source after the other. */
#ifndef RW_VISIBILITY_LOS_POLYGONS_SECTORS_H
#define RW_VISIBILITY_LOS_POLYGONS_SECTORS_H

#include "base/context.h"
#include "device/device.h"
#include "visibility/los/polygons/sectors.k.h"

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
