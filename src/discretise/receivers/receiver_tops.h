/* The highest receiver in each cell of the wall grid: where every ray is higher, no receiver is reached. */
#ifndef RW_DISCRETISE_RECEIVERS_RECEIVER_TOPS_H
#define RW_DISCRETISE_RECEIVERS_RECEIVER_TOPS_H

#include "discretise/receivers/receiver_tops.k.h"
#include "discretise/receivers/receivers.h"
#include "discretise/walls/wall_grid.k.h"

/* Fills rows * columns of tops, which are zeros. Returns 0 where receivers lie beyond the grid: then tops say nothing
 * about them. */
int rw_receiver_tops(rw_context *context, const rw_wall_grid_view *grid, const rw_receivers_view *view, uint32_t *tops);

#endif
