/* The layers of a block from the sums of all its parts. */
#ifndef RW_NETWORK_LAYERS_H
#define RW_NETWORK_LAYERS_H

#include "network/open.h"
#include "output/maps/map.h"

/* Sums of a whole block, in main memory, and the layers that they come to. */
rw_status rw_block_sums_create(const rw_network_run_state *run, size_t block, rw_sums *sums);
rw_status rw_layers_of_sums(const rw_network_run_state *run, size_t block, rw_sums *sums, rw_map **map);

/* Reads all parts of the block, which must be there; the options of the run say which layers. */
rw_status rw_block_layers(const rw_network_run_state *run, size_t block, rw_map **map);

#endif
